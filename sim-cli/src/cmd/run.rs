//! `sim run`: simulate, record, plot.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sim_core::{Data, Model, Warning};
use sim_mjcf::LoadReport;
use sim_types::{EnableFlags, ObjType};

use crate::args::RunArgs;
use crate::load::load;
use crate::plot;
use crate::record::{Csv, History};
use crate::select::{Series, select, values};
use crate::suggest::did_you_mean;
use crate::text::{BOLD, DIM, GOOD, WARN, grouped, number, seconds};

pub(crate) fn run(args: &RunArgs) -> Result<()> {
    let loaded = load(&args.model)?;
    print_warnings(&loaded.report)?;
    let m = loaded.model;
    let steps = step_count(args, m.opt.timestep)?;
    let mut d = m.make_data();
    if let Some(key) = &args.keyframe {
        d.reset_to_keyframe(&m, keyframe(&m, key)?)?;
    }

    // the model is refused, names are checked and files created before any time is spent
    let before = energy(&m, &d)?;
    let mut recorder = Recorder::new(&m, args)?;
    let start = Instant::now();
    let outcome = simulate(&m, &mut d, steps, recorder.as_mut());
    let wall = start.elapsed();
    if let Some(recorder) = recorder {
        recorder.finish(&m, args)?;
    }
    outcome?;
    summary(&m, &d, &Summary { steps, simulated: steps as f64 * m.opt.timestep, wall, before }, args)
}

/// Steps to take; simulated seconds are rounded to whole steps.
fn step_count(args: &RunArgs, timestep: f64) -> Result<u64> {
    if let Some(steps) = args.steps {
        return Ok(steps);
    }
    let seconds = args.seconds.unwrap_or(5.0);
    if !(seconds >= 0.0 && seconds.is_finite()) {
        bail!("--seconds must be a number that is not negative, is {seconds}");
    }
    Ok((seconds / timestep).round() as u64)
}

fn keyframe(m: &Model, key: &str) -> Result<usize> {
    if let Some(id) = m.names.id(ObjType::Key, key) {
        return Ok(id);
    }
    let names: Vec<&str> = m.names.all(ObjType::Key).iter().map(String::as_str).filter(|n| !n.is_empty()).collect();
    match key.parse::<usize>() {
        Ok(id) if id < m.nkey => Ok(id),
        Ok(_) => bail!("there is no keyframe {key}; the model has {}", m.nkey),
        Err(_) if names.is_empty() => bail!("there is no keyframe '{key}'; the model has {} without names", m.nkey),
        Err(_) => {
            let hint = did_you_mean(key, names.iter().copied());
            let stop = if hint.is_empty() { "." } else { "" };
            bail!("there is no keyframe '{key}'{hint}{stop} Available: {}", names.join(", "))
        }
    }
}

fn simulate(m: &Model, d: &mut Data, steps: u64, mut recorder: Option<&mut Recorder>) -> Result<()> {
    let bar = progress(steps);
    let mut shown = Instant::now();
    for step in 0..steps {
        if let Some(recorder) = recorder.as_deref_mut() {
            recorder.at_step(step, d)?;
        }
        d.step(m).map_err(|e| anyhow!("step {step}, time {}: {e}", number(d.time)))?;
        // asking for the time costs as much as a small step
        if step % 64 == 0 && shown.elapsed() > Duration::from_millis(80) {
            bar.set_position(step);
            shown = Instant::now();
        }
    }
    if let Some(recorder) = recorder {
        recorder.at_step(steps, d)?;
    }
    bar.finish_and_clear();
    Ok(())
}

fn progress(steps: u64) -> ProgressBar {
    let bar = ProgressBar::new(steps);
    let terminal = std::io::stderr().is_terminal();
    bar.set_draw_target(if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() });
    let style = ProgressStyle::with_template("{bar:40.cyan/blue} {percent:>3} %  {human_pos}/{human_len} steps  {eta}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("━━─"));
    bar
}

/// Collects the chosen numbers, without touching the simulation.
struct Recorder {
    /// The model with energies switched on where they are recorded.
    model: Model,
    /// A copy of the state in which everything is brought up to date: after a step, poses are those of its start.
    view: Data,
    series: Vec<Series>,
    every: u64,
    csv: Option<Csv>,
    history: Option<History>,
    row: Vec<f64>,
}

impl Recorder {
    fn new(m: &Model, args: &RunArgs) -> Result<Option<Self>> {
        let series = select(m, &args.fields).context("--fields")?;
        if args.record.is_none() && args.plot.is_none() {
            return Ok(None);
        }
        let mut model = m.clone();
        if series.iter().any(|s| s.field == "energy") {
            model.opt.enableflags.insert(EnableFlags::ENERGY);
        }
        let csv = match &args.record {
            Some(path) => Some(Csv::create(path, series.iter().map(|s| s.label.as_str()))?),
            None => None,
        };
        let history = args.plot.is_some().then(|| History::new(series.len()));
        let view = model.make_data();
        Ok(Some(Self { model, view, series, every: args.every, csv, history, row: Vec::new() }))
    }

    fn at_step(&mut self, step: u64, d: &Data) -> Result<()> {
        if !step.is_multiple_of(self.every) {
            return Ok(());
        }
        self.view.copy_from(d);
        self.view.forward(&self.model)?;
        values(&self.model, &self.view, &self.series, &mut self.row);
        if let Some(csv) = &mut self.csv {
            csv.row(d.time, &self.row)?;
        }
        if let Some(history) = &mut self.history {
            history.push(d.time, &self.row);
        }
        Ok(())
    }

    fn finish(self, m: &Model, args: &RunArgs) -> Result<()> {
        if let Some(csv) = self.csv {
            csv.finish()?;
        }
        if let (Some(history), Some(path)) = (&self.history, &args.plot) {
            let title = if m.modelname.is_empty() { file_name(&args.model) } else { m.modelname.clone() };
            let last = history.time.last().copied().unwrap_or(0.0);
            let subtitle = format!("{} s, timestep {} s", number(last), number(m.opt.timestep));
            let svg = plot::svg(&title, &subtitle, &self.series, history);
            std::fs::write(path, svg).with_context(|| format!("cannot write '{}'", path.display()))?;
        }
        Ok(())
    }
}

fn file_name(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// Potential and kinetic energy of the present state.
fn energy(m: &Model, d: &Data) -> Result<[f64; 2]> {
    let mut model = m.clone();
    model.opt.enableflags.insert(EnableFlags::ENERGY);
    let mut view = d.clone();
    view.forward(&model)?;
    Ok(view.energy)
}

struct Summary {
    steps: u64,
    simulated: f64,
    wall: Duration,
    before: [f64; 2],
}

fn summary(m: &Model, d: &Data, run: &Summary, args: &RunArgs) -> Result<()> {
    let mut out = anstream::stdout().lock();
    let wall = run.wall.as_secs_f64();
    let factor = if wall > 0.0 { run.simulated / wall } else { f64::INFINITY };
    writeln!(
        out,
        "{BOLD}{}{BOLD:#} steps, {} s simulated in {}: {GOOD}{}x{GOOD:#} real time, {} per step",
        grouped(run.steps),
        number(run.simulated),
        seconds(wall),
        number((factor * 10.0).round() / 10.0),
        seconds(wall / run.steps.max(1) as f64),
    )?;
    let after = energy(m, d)?;
    writeln!(out, "\n{DIM}energy     {:>12} {:>12}{DIM:#}", "start", "end")?;
    let total = |e: [f64; 2]| e[0] + e[1];
    let rows = [
        ("potential", run.before[0], after[0]),
        ("kinetic", run.before[1], after[1]),
        ("total", total(run.before), total(after)),
    ];
    for (name, before, after) in rows {
        writeln!(out, "{name:<10} {:>12} {:>12}", number(before), number(after))?;
    }
    for (path, what) in [(&args.record, "recorded"), (&args.plot, "plotted")] {
        if let Some(path) = path {
            writeln!(out, "\n{what} to {BOLD}{}{BOLD:#}", path.display())?;
        }
    }
    let raised = d.warning.all().iter().zip(WARNINGS).filter(|(stat, _)| stat.number > 0);
    for (stat, (_, text)) in raised {
        writeln!(out, "\n{WARN}warning:{WARN:#} {text}, {} times, last at index {}", stat.number, stat.lastinfo)?;
    }
    Ok(())
}

/// Warnings in the order of their counters.
const WARNINGS: [(Warning, &str); 8] = [
    (Warning::Inertia, "the inertia matrix is close to singular"),
    (Warning::ContactFull, "too many contacts, some are missing"),
    (Warning::CnstrFull, "constraints took too much work, some are not met"),
    (Warning::VgeomFull, "too many shapes to draw"),
    (Warning::BadQpos, "a position was NaN or huge and the state was reset"),
    (Warning::BadQvel, "a velocity was NaN or huge and the state was reset"),
    (Warning::BadQacc, "an acceleration was NaN or huge and the state was reset"),
    (Warning::BadCtrl, "a control was NaN or huge"),
];

fn print_warnings(report: &LoadReport) -> Result<()> {
    let mut err = anstream::stderr().lock();
    for warning in &report.warnings {
        writeln!(err, "{WARN}warning:{WARN:#} {}: {}", warning.at, warning.message)?;
    }
    Ok(())
}
