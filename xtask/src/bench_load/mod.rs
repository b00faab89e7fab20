//! `cargo xtask bench-load`: how long models take to load, here and in MuJoCo, side by side.
//!
//! Both sides are one process each (`sim time-load`, `xtask/python/time_load.py`) that loads a file when asked. They are
//! asked in turn, file by file and round by round, so that a busy machine slows both; the best of all rounds counts.

mod report;

use crate::conform::{build_sim, models};
use crate::python::Python;
use crate::workspace::Workspace;
use anyhow::{Context as _, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Deserialize;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const SCRIPT: &str = "xtask/python/time_load.py";
const REPORT: &str = "docs/load-times.md";
const OWN_MODELS: &str = "sim-tests/models";

/// What to time.
pub(crate) struct Request {
    /// Files and folders; our own models when empty.
    pub(crate) paths: Vec<PathBuf>,
    /// Loads of each file on each side.
    pub(crate) rounds: usize,
    /// Write the result to `docs/load-times.md`.
    pub(crate) report: bool,
    /// The `sim` program; built from this workspace when not given.
    pub(crate) sim: Option<PathBuf>,
}

/// Best times of one file; an error for a side that does not load it.
pub(crate) struct Timing {
    name: String,
    ours: Result<f64, String>,
    mujoco: Result<f64, String>,
}

/// Times and prints; true, because slow is not wrong.
pub(crate) fn run(workspace: &Workspace, python: &Python, request: &Request) -> Result<bool> {
    let sim = match &request.sim {
        Some(sim) => std::fs::canonicalize(sim).with_context(|| format!("no program {}", sim.display()))?,
        None => build_sim(workspace)?,
    };
    let own = [workspace.root.join(OWN_MODELS)];
    let paths = if request.paths.is_empty() { &own[..] } else { &request.paths };
    let mut files = Vec::new();
    for path in paths {
        let root = std::fs::canonicalize(path).with_context(|| format!("no file or folder {}", path.display()))?;
        let parent = root.parent().map(PathBuf::from).unwrap_or_default();
        for file in models(&root)? {
            files.push((file.strip_prefix(&parent).unwrap_or(&file).display().to_string(), file));
        }
    }
    if files.is_empty() {
        bail!("no .xml file to load");
    }

    let mut sides = [
        Side::start(Command::new(sim).arg("time-load"), "sim")?,
        Side::start(&mut python.script(&workspace.root.join(SCRIPT), &workspace.scratch()?), "MuJoCo")?,
    ];
    let bar = ProgressBar::new(files.len() as u64);
    bar.set_style(ProgressStyle::with_template("{elapsed_precise} {bar:40} {pos}/{len} {msg}")?);
    let mut timings = Vec::new();
    for (name, file) in files {
        bar.set_message(name.clone());
        let [ours, mujoco] = time(&mut sides, &file, request.rounds)?;
        timings.push(Timing { name, ours, mujoco });
        bar.inc(1);
    }
    bar.finish_and_clear();
    print!("{}", report::text(&timings));
    if request.report {
        std::fs::write(workspace.root.join(REPORT), report::markdown(&timings, request.rounds))
            .with_context(|| format!("writing {REPORT}"))?;
        println!("written: {REPORT}");
    }
    Ok(true)
}

/// The best time of each side for one file.
fn time(sides: &mut [Side; 2], file: &std::path::Path, rounds: usize) -> Result<[Result<f64, String>; 2]> {
    let mut best = [Ok(f64::INFINITY), Ok(f64::INFINITY)];
    for round in 0..rounds.max(1) {
        // who goes first has the file from the disk, so the sides take turns
        for k in [round % 2, (round + 1) % 2] {
            let Ok(so_far) = best[k] else { continue };
            best[k] = sides[k].load(file)?.map(|seconds| seconds.min(so_far));
        }
    }
    Ok(best)
}

/// A process that loads files.
struct Side {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    name: &'static str,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Seconds(f64),
    Error(String),
}

impl Side {
    fn start(command: &mut Command, name: &'static str) -> Result<Self> {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().with_context(|| format!("starting {name}"))?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().with_context(|| format!("no way to hear {name}"))?;
        Ok(Self { child, stdin, stdout: BufReader::new(stdout), name })
    }

    /// Seconds, or why it does not load.
    fn load(&mut self, file: &std::path::Path) -> Result<Result<f64, String>> {
        let asking = || format!("asking {} for {}", self.name, file.display());
        let mut stdin = self.stdin.as_ref().with_context(asking)?;
        writeln!(stdin, "{}", file.display()).with_context(asking)?;
        let mut line = String::new();
        self.stdout.read_line(&mut line).with_context(asking)?;
        Ok(match serde_json::from_str(&line).with_context(asking)? {
            Answer::Seconds(seconds) => Ok(seconds),
            Answer::Error(error) => Err(error),
        })
    }
}

impl Drop for Side {
    fn drop(&mut self) {
        // the end of its input ends it
        self.stdin = None;
        let _ = self.child.wait();
    }
}
