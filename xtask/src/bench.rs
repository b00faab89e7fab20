//! `cargo xtask bench-collision`: the time of one search for contacts against MuJoCo's, on the same states.

use crate::conform::build_sim;
use crate::grade::align;
use crate::python::Python;
use crate::workspace::Workspace;
use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Stdio;

const SCRIPT: &str = "xtask/python/bench_collision.py";

/// What the script says about one scene; times in seconds.
#[derive(Debug, Deserialize)]
struct Timing {
    scene: String,
    ncon: usize,
    mujoco: f64,
    sim: f64,
    /// Whether both found as many contacts.
    same: bool,
    why: String,
}

/// What to measure.
#[derive(Debug, Default)]
pub(crate) struct Request {
    /// Models instead of the script's own scenes.
    pub(crate) models: Vec<PathBuf>,
    /// Parts of names; a scene must contain one of them, if there are any.
    pub(crate) only: Vec<String>,
    /// The program to time; built when not given.
    pub(crate) sim: Option<PathBuf>,
}

/// Measures and prints; true when no scene is slower than MuJoCo.
pub(crate) fn run(workspace: &Workspace, python: &Python, request: &Request) -> Result<bool> {
    let sim = match &request.sim {
        Some(sim) => std::fs::canonicalize(sim).with_context(|| format!("no program {}", sim.display()))?,
        None => build_sim(workspace)?,
    };
    let mut command = python.script(&workspace.root.join(SCRIPT), &workspace.scratch()?);
    command.arg("--sim").arg(sim).stdout(Stdio::piped());
    for part in &request.only {
        command.arg("--only").arg(part);
    }
    for model in &request.models {
        command.arg(std::fs::canonicalize(model).with_context(|| format!("no file {}", model.display()))?);
    }
    let mut child = command.spawn().with_context(|| format!("running {SCRIPT}"))?;
    let stdout = child.stdout.take().context("no way to hear the script")?;
    let head = ["scene", "contacts", "MuJoCo µs", "sim µs", "MuJoCo / sim", ""].map(str::to_owned);
    let mut rows = vec![head.to_vec()];
    let mut faster = true;
    for line in BufReader::new(stdout).lines() {
        let timing: Timing = serde_json::from_str(&line?).with_context(|| format!("reading what {SCRIPT} says"))?;
        faster &= timing.why.is_empty() && timing.same && timing.sim <= timing.mujoco;
        rows.push(row(&timing));
    }
    if !child.wait()?.success() {
        bail!("{SCRIPT} failed");
    }
    print!("{}", align(&rows));
    Ok(faster)
}

fn row(timing: &Timing) -> Vec<String> {
    if !timing.why.is_empty() {
        return vec![
            timing.scene.clone(),
            String::new(),
            String::new(),
            String::new(),
            String::new(),
            timing.why.clone(),
        ];
    }
    vec![
        timing.scene.clone(),
        timing.ncon.to_string(),
        format!("{:.1}", 1e6 * timing.mujoco),
        format!("{:.1}", 1e6 * timing.sim),
        format!("{:.2}", timing.mujoco / timing.sim.max(1e-12)),
        if timing.same { String::new() } else { "another number of contacts".to_owned() },
    ]
}
