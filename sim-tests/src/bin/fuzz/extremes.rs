//! Models in files and folders, stepped from extreme states.

use crate::process::{Verdict, run_range};
use anyhow::{Context as _, Result};
use indicatif::{ProgressBar, ProgressStyle};
use sim_tests::fuzz::EXTREMES;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Longest time of one pair: forty steps of a model that may be large.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Everything seen so far.
#[derive(Default)]
struct Tally {
    refused: Vec<String>,
    outcomes: BTreeMap<String, u64>,
    failures: Vec<String>,
    slowest: (u64, PathBuf),
}

/// Runs every model below the paths; true when nothing failed.
pub(crate) fn run(paths: &[PathBuf], jobs: usize) -> Result<bool> {
    let mut files = Vec::new();
    for path in paths {
        collect(path, &mut files)?;
    }
    files.sort();
    let bar = ProgressBar::new(files.len() as u64);
    bar.set_style(ProgressStyle::with_template("{elapsed_precise} {bar:40} {pos}/{len} models, {msg}")?);
    let next = AtomicUsize::new(0);
    let tally = Mutex::new(Tally::default());
    let job = || -> Result<()> {
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let worker = [OsString::from("--extremes-of"), file.into()];
            run_range((&worker, TIME_LIMIT), 0..EXTREMES as u64, &mut |verdict| {
                let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(failure) = &verdict.failure {
                    bar.suspend(|| println!("{} {}: {failure}", file.display(), verdict.number));
                }
                tally.add(file, &verdict)
            })
            .with_context(|| format!("running {}", file.display()))?;
            bar.inc(1);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let jobs: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(job)).collect();
        jobs.into_iter().try_for_each(|job| job.join().unwrap_or_else(|_| anyhow::bail!("a thread of the driver died")))
    })?;
    bar.finish_and_clear();
    let tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    tally.summary(files.len());
    Ok(tally.failures.is_empty())
}

/// Adds the file, or all models below the folder.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(path).with_context(|| format!("reading {}", path.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "xml" || e == "urdf") {
            files.push(path);
        }
    }
    Ok(())
}

impl Tally {
    /// Counts a verdict; false when the model need not be tried further.
    fn add(&mut self, file: &Path, verdict: &Verdict) -> bool {
        if verdict.millis > self.slowest.0 {
            self.slowest = (verdict.millis, file.to_owned());
        }
        if let Some(failure) = &verdict.failure {
            self.failures.push(format!("{} {}: {failure}", file.display(), verdict.number));
        } else if let Some(reason) = verdict.outcome.strip_prefix("refused: ") {
            self.refused.push(format!("{}: {reason}", file.display()));
            return false;
        } else {
            *self.outcomes.entry(verdict.outcome.clone()).or_default() += 1;
        }
        true
    }

    fn summary(&self, files: usize) {
        println!("{files} files, {} of them refused:", self.refused.len());
        for refused in &self.refused {
            println!("  {refused}");
        }
        println!("{EXTREMES} pairs of state and control for each of the others:");
        for (outcome, count) in &self.outcomes {
            println!("  {outcome:<11} {count:>8}");
        }
        println!("  {:<11} {:>8}", "failed", self.failures.len());
        for failure in &self.failures {
            println!("    {failure}");
        }
        println!("slowest pair: {} ms, {}", self.slowest.0, self.slowest.1.display());
    }
}
