//! `cargo xtask bench-step`: steps per second against MuJoCo's, model by model, and where the time goes.

use crate::conform::build_sim;
use crate::grade::align;
use crate::python::Python;
use crate::workspace::Workspace;
use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Stdio;

const SCRIPT: &str = "xtask/python/bench_step.py";
const REPORT: &str = "docs/PERFORMANCE.md";

/// What to time.
#[derive(Default)]
pub(crate) struct Request {
    pub(crate) models: Vec<PathBuf>,
    /// Environments of a batch on two threads; none when zero.
    pub(crate) batch: usize,
    /// Turns of each side.
    pub(crate) turns: Option<String>,
    /// Write the result to `docs/PERFORMANCE.md`.
    pub(crate) report: bool,
    /// The `sim` program; built from this workspace when not given.
    pub(crate) sim: Option<PathBuf>,
}

/// What the script says about one model.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Timing {
    model: String,
    nv: usize,
    ncon: f64,
    nefc: f64,
    bytes: f64,
    ratio: f64,
    low: f64,
    high: f64,
    batch: Option<f64>,
    stages: BTreeMap<String, f64>,
    why: String,
}

/// Measures and prints; true, because slow is not wrong, unless a model does not run.
pub(crate) fn run(workspace: &Workspace, python: &Python, request: &Request) -> Result<bool> {
    if request.models.is_empty() {
        bail!("bench-step needs models: files that MuJoCo loads");
    }
    let sim = match &request.sim {
        Some(sim) => std::fs::canonicalize(sim).with_context(|| format!("no program {}", sim.display()))?,
        None => build_sim(workspace)?,
    };
    let mut command = python.script(&workspace.root.join(SCRIPT), &workspace.scratch()?);
    command.arg("--sim").arg(sim).arg("--batch").arg(request.batch.to_string()).stdout(Stdio::piped());
    if let Some(turns) = &request.turns {
        command.arg("--turns").arg(turns);
    }
    for model in &request.models {
        command.arg(std::fs::canonicalize(model).with_context(|| format!("no file {}", model.display()))?);
    }
    let mut child = command.spawn().with_context(|| format!("running {SCRIPT}"))?;
    let stdout = child.stdout.take().context("no way to hear the script")?;
    let mut timings: Vec<Timing> = Vec::new();
    for line in BufReader::new(stdout).lines() {
        let timing: Timing = serde_json::from_str(&line?).with_context(|| format!("reading what {SCRIPT} says"))?;
        eprintln!("{:6.2}x {} {}", timing.ratio, timing.model, timing.why);
        timings.push(timing);
    }
    if !child.wait()?.success() {
        bail!("{SCRIPT} failed");
    }
    print!("{}", align(&rows(&timings)));
    println!("{}", summary(&timings));
    if request.report {
        std::fs::write(workspace.root.join(REPORT), markdown(&timings, request.batch))
            .with_context(|| format!("writing {REPORT}"))?;
        println!("written: {REPORT}");
    }
    Ok(timings.iter().all(|t| t.why.is_empty()))
}

const HEAD: [&str; 8] = ["model", "nv", "contacts", "rows", "ratio", "range", "batch", "kB"];

fn rows(timings: &[Timing]) -> Vec<Vec<String>> {
    let mut rows = vec![HEAD.map(str::to_owned).to_vec()];
    rows.extend(timings.iter().map(cells));
    rows
}

fn cells(t: &Timing) -> Vec<String> {
    if !t.why.is_empty() {
        let mut row = vec![t.model.clone(), t.why.clone()];
        row.resize(HEAD.len(), String::new());
        return row;
    }
    vec![
        t.model.clone(),
        t.nv.to_string(),
        format!("{:.1}", t.ncon),
        format!("{:.1}", t.nefc),
        format!("{:.2}", t.ratio),
        format!("{:.2}–{:.2}", t.low, t.high),
        t.batch.map_or(String::new(), |batch| format!("{batch:.2}")),
        format!("{:.0}", t.bytes / 1000.0),
    ]
}

/// Geometric means of the models that ran.
fn summary(timings: &[Timing]) -> String {
    let mean = |values: Vec<f64>| {
        let n = values.len().max(1) as f64;
        (values.iter().map(|x| x.ln()).sum::<f64>() / n).exp()
    };
    let ran: Vec<&Timing> = timings.iter().filter(|t| t.why.is_empty()).collect();
    let worst = ran.iter().map(|t| t.ratio).fold(f64::INFINITY, f64::min);
    let single = mean(ran.iter().map(|t| t.ratio).collect());
    let mut text =
        format!("{} of {} models ran: geometric mean {single:.2}, worst {worst:.2}", ran.len(), timings.len());
    let batches: Vec<f64> = ran.iter().filter_map(|t| t.batch).collect();
    if !batches.is_empty() {
        let _ = write!(text, "; batches {:.2}", mean(batches));
    }
    text
}

fn markdown(timings: &[Timing], batch: usize) -> String {
    let mut text = String::from(
        "# Performance\n\n\
         Written by `cargo xtask bench-step --report`; do not edit. Steps per second divided by MuJoCo 3.5.0's, one thread \
         each, in turns on the same machine: above 1 this engine is faster. The median of the turns counts, the range \
         stands beside it; a busy machine widens the range. Zero control, from the first keyframe or the reference pose.\n\n",
    );
    let _ = writeln!(text, "{}.\n", summary(timings));
    if batch > 0 {
        let _ = writeln!(
            text,
            "Column *batch*: {batch} environments on 2 threads against `mujoco.rollout` with 2 threads, the state of \
             every environment written out each step.\n"
        );
    }
    table(&mut text, &HEAD, &timings.iter().map(cells).collect::<Vec<_>>());

    // shares of the stages
    let mut names: Vec<&str> = timings.iter().flat_map(|t| t.stages.keys().map(String::as_str)).collect();
    names.sort_unstable();
    names.dedup();
    text.push_str("\n## Where the time goes\n\nShare of each stage in a step, in percent (`sim bench --stages`).\n\n");
    let mut head = vec!["model"];
    head.extend(&names);
    let shares = |t: &Timing| {
        let all: f64 = t.stages.values().sum();
        let share = |name: &&str| t.stages.get(*name).map_or(String::new(), |x| format!("{:.0}", 100.0 * x / all));
        std::iter::once(t.model.clone()).chain(names.iter().map(share)).collect::<Vec<_>>()
    };
    let ran = timings.iter().filter(|t| t.why.is_empty());
    table(&mut text, &head, &ran.map(shares).collect::<Vec<_>>());
    text
}

fn table(text: &mut String, head: &[&str], rows: &[Vec<String>]) {
    let _ = writeln!(text, "| {} |", head.join(" | "));
    let _ = writeln!(text, "|---|{}", "---:|".repeat(head.len() - 1));
    for row in rows {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_is_a_geometric_mean_of_what_ran() {
        let ran = |ratio| Timing { ratio, batch: Some(2.0 * ratio), ..Timing::default() };
        let failed = Timing { why: "does not load".to_owned(), ..Timing::default() };
        let text = summary(&[ran(1.0), ran(4.0), failed]);
        assert_eq!(text, "2 of 3 models ran: geometric mean 2.00, worst 1.00; batches 4.00");
    }

    #[test]
    fn every_row_has_all_columns() {
        let failed = Timing { why: "does not load".to_owned(), ..Timing::default() };
        for row in rows(&[Timing::default(), failed]) {
            assert_eq!(row.len(), HEAD.len());
        }
    }
}
