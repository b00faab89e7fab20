//! What the examples that learn have in common: a progress bar while training, and a picture of the returns.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use sim_env::search::{Progress, Search};
use sim_plot::{Line, Panel, Plot};

/// Improves the policy so many times, with a bar that shows the return of its trials.
pub(crate) fn train(search: &mut Search, iterations: usize) -> Result<Vec<Progress>, Box<dyn Error>> {
    let bar = ProgressBar::new(iterations as u64);
    let style = ProgressStyle::with_template("{bar:32.cyan/blue} {pos:>3}/{len}  {elapsed:>3}  return {msg}")?;
    bar.set_style(style.progress_chars("━━─"));
    bar.enable_steady_tick(Duration::from_millis(200));
    let mut history = Vec::with_capacity(iterations);
    for _ in 0..iterations {
        let progress = search.iterate()?;
        bar.set_message(format!("{:.1}  ({:.1} to {:.1})", progress.mean, progress.low, progress.high));
        bar.inc(1);
        history.push(progress);
    }
    let seconds = bar.elapsed().as_secs_f64();
    bar.finish_and_clear();

    let mean = |part: &[Progress]| part.iter().map(|p| p.mean).sum::<f64>() / part.len().max(1) as f64;
    let few = 5.min(history.len());
    println!("{}: {iterations} iterations in {seconds:.1} s", search.envs().env().name());
    println!("mean return of the first {few} iterations  {:8.1}", mean(&history[..few]));
    println!("mean return of the last {few} iterations   {:8.1}", mean(&history[history.len() - few..]));
    Ok(history)
}

/// Writes the picture of a training: returns with the range of the trials, and lengths of episodes.
pub(crate) fn plot(file: &str, search: &Search, history: &[Progress]) -> Result<PathBuf, Box<dyn Error>> {
    let column = |f: fn(&Progress) -> f64| history.iter().map(f).collect::<Vec<f64>>();
    let x = column(|p| p.iteration as f64);
    let [mean, low, high, steps] = [column(|p| p.mean), column(|p| p.low), column(|p| p.high), column(|p| p.steps)];
    let trials = search.settings().trials;
    let about = format!("mean of {trials} episodes, and their range");
    let mut best = mean.clone();
    for k in 1..best.len() {
        best[k] = best[k].max(best[k - 1]);
    }
    let returns = Line { band: Some([&low, &high]), ..Line::new("mean", &x, &mean) };
    let mut panels =
        vec![Panel { name: "return", about: &about, lines: vec![returns, Line::new("best so far", &x, &best)] }];
    // episodes that only time ends all have one length
    if steps.iter().any(|n| *n != steps[0]) {
        panels.push(Panel { name: "length", about: "actions per episode", lines: vec![Line::new("mean", &x, &steps)] });
    }
    let subtitle = format!("linear policy, random search, seed {}", search.settings().seed);
    let plot = Plot { title: search.envs().env().name(), subtitle: &subtitle, x_label: "iteration", panels };
    let path = Path::new("target").join(file);
    std::fs::create_dir_all("target")?;
    std::fs::write(&path, plot.svg())?;
    Ok(path)
}
