//! The driver: hands out ranges of cases to workers on every core, counts outcomes, keeps failures.

use crate::minimise::minimise;
use crate::process::{TIME_LIMIT, Verdict, run_range};
use anyhow::{Context as _, Result};
use indicatif::{ProgressBar, ProgressStyle};
use sim_tests::fuzz::{Outcome, Seeds, mutant};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Cases of one worker.
const BATCH: u64 = 200;

/// What to run.
pub(crate) struct Options {
    pub(crate) cases: u64,
    pub(crate) seed: u64,
    pub(crate) seconds: Option<f64>,
    pub(crate) jobs: usize,
    pub(crate) out: PathBuf,
    pub(crate) minimise: bool,
}

impl Default for Options {
    fn default() -> Self {
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        Self { cases: 20_000, seed: 1, seconds: None, jobs, out: "target/fuzz-cases".into(), minimise: true }
    }
}

/// Everything seen so far.
#[derive(Default)]
struct Tally {
    outcomes: BTreeMap<String, u64>,
    failures: Vec<Verdict>,
    slowest: Verdict,
    largest: Verdict,
}

/// Runs the cases; true when none failed.
pub(crate) fn run(options: &Options) -> Result<bool> {
    std::fs::create_dir_all(&options.out).with_context(|| format!("creating {}", options.out.display()))?;
    let seeds = Seeds::own().context("reading the models")?;
    println!("{} seeds, {} cases, seed {}", seeds.cases.len(), options.cases, options.seed);
    let start = Instant::now();
    let tally = run_all(options)?;
    summary(&tally, start.elapsed());
    if tally.failures.is_empty() {
        return Ok(true);
    }
    report(options, &seeds, tally.failures)?;
    Ok(false)
}

/// Writes one case.
pub(crate) fn write(options: &Options, number: u64) -> Result<bool> {
    std::fs::create_dir_all(&options.out).with_context(|| format!("creating {}", options.out.display()))?;
    let file = case_file(&options.out, options.seed, number);
    std::fs::write(&file, mutant(&Seeds::own()?, options.seed, number).to_bytes())
        .with_context(|| format!("writing {}", file.display()))?;
    println!("written: {}", file.display());
    Ok(true)
}

fn run_all(options: &Options) -> Result<Tally> {
    let bar = ProgressBar::new(options.cases);
    let style = "{elapsed_precise} {bar:40} {pos}/{len} cases, {per_sec}, {msg}";
    bar.set_style(ProgressStyle::with_template(style)?);
    bar.set_message("no failure");
    let limit = options.seconds.map(|s| Instant::now() + Duration::from_secs_f64(s.clamp(0.0, 1e9)));
    let in_time = || limit.is_none_or(|limit| Instant::now() < limit);
    let next = AtomicU64::new(0);
    let tally = Mutex::new(Tally::default());

    let job = || -> Result<()> {
        loop {
            let first = next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= options.cases || !in_time() {
                return Ok(());
            }
            let end = (first + BATCH).min(options.cases);
            let worker = ["--seed", &options.seed.to_string(), "--worker"].map(OsString::from);
            run_range((&worker, TIME_LIMIT), first..end, &mut |verdict| {
                let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(failure) = &verdict.failure {
                    bar.suspend(|| println!("case {}: {failure}", verdict.number));
                    bar.set_message(format!("{} failures", tally.failures.len() + 1));
                }
                tally.add(verdict);
                bar.inc(1);
                in_time()
            })?;
        }
    };
    std::thread::scope(|scope| {
        let jobs: Vec<_> = (0..options.jobs.max(1)).map(|_| scope.spawn(job)).collect();
        jobs.into_iter().try_for_each(|job| job.join().unwrap_or_else(|_| anyhow::bail!("a thread of the driver died")))
    })?;
    bar.finish_and_clear();
    let mut tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    tally.failures.sort_by_key(|f| f.number);
    Ok(tally)
}

impl Tally {
    fn add(&mut self, verdict: Verdict) {
        if verdict.millis > self.slowest.millis {
            self.slowest = verdict.clone();
        }
        if verdict.bytes > self.largest.bytes {
            self.largest = verdict.clone();
        }
        if verdict.failure.is_some() {
            self.failures.push(verdict);
        } else {
            *self.outcomes.entry(verdict.outcome).or_default() += 1;
        }
    }
}

fn summary(tally: &Tally, time: Duration) {
    let all = tally.outcomes.values().sum::<u64>() + tally.failures.len() as u64;
    println!("{all} cases in {:.1} s", time.as_secs_f64());
    for name in Outcome::ALL.map(Outcome::as_str) {
        println!("  {name:<11} {:>8}", tally.outcomes.get(name).unwrap_or(&0));
    }
    println!("  {:<11} {:>8}", "failed", tally.failures.len());
    println!("slowest: case {}, {} ms", tally.slowest.number, tally.slowest.millis);
    println!("largest: case {}, {} MB", tally.largest.number, tally.largest.bytes >> 20);
}

/// Writes failures down, and the smallest model found for the first of each kind.
fn report(options: &Options, seeds: &Seeds, failures: Vec<Verdict>) -> Result<()> {
    let mut kinds: BTreeMap<Option<String>, Vec<Verdict>> = BTreeMap::new();
    for failure in failures {
        let file = case_file(&options.out, options.seed, failure.number);
        std::fs::write(&file, mutant(seeds, options.seed, failure.number).to_bytes())
            .with_context(|| format!("writing {}", file.display()))?;
        kinds.entry(failure.key()).or_default().push(failure);
    }
    println!("\n{} kinds of failure:", kinds.len());
    for failures in kinds.values() {
        let Some(first) = failures.first() else { continue };
        let mut file = case_file(&options.out, options.seed, first.number);
        if options.minimise {
            let case = mutant(seeds, options.seed, first.number);
            file.set_extension("min.case");
            minimise(&case, first, &file)?;
        }
        let numbers: Vec<String> = failures.iter().take(8).map(|f| f.number.to_string()).collect();
        println!("  {} × {}", failures.len(), first.failure.as_deref().unwrap_or_default());
        println!("      cases {}; again with: cargo xtask fuzz-mjcf --replay {}", numbers.join(" "), file.display());
    }
    Ok(())
}

fn case_file(out: &Path, seed: u64, number: u64) -> PathBuf {
    out.join(format!("{seed}-{number}.case"))
}
