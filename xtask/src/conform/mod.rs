//! `cargo xtask conform`: our numbers against those of an installed MuJoCo, stage by stage.
//!
//! The comparison itself is `xtask/python/conform.py`, which runs `sim eval` and MuJoCo on the same states. Here its
//! results become lines, a table by stage, and `docs/CONFORMANCE.md`.

pub(crate) mod pairs;
mod report;

use crate::python::Python;
use crate::workspace::Workspace;
use anyhow::{Context as _, Result, bail};
use report::Judged;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;

const SCRIPT: &str = "xtask/python/conform.py";
const REPORT: &str = "docs/CONFORMANCE.md";
const OWN_MODELS: &str = "sim-tests/models";

/// What to compare.
#[derive(Default)]
pub(crate) struct Request {
    /// Files and folders; our own models when empty.
    pub(crate) paths: Vec<PathBuf>,
    /// The `sim` program; built from this workspace when not given.
    pub(crate) sim: Option<PathBuf>,
    /// List what `sim` supports and judge only that.
    pub(crate) covered: bool,
    /// Write the result to `docs/CONFORMANCE.md`.
    pub(crate) report: bool,
}

/// What the script says about one file.
#[derive(Debug, Deserialize)]
pub(crate) struct Verdict {
    file: PathBuf,
    kind: Kind,
    why: String,
    /// Whether stages were left out, because the model needs one that is missing.
    #[serde(default)]
    partial: bool,
    /// Fields that agree and fields compared, by stage.
    #[serde(default)]
    stages: BTreeMap<String, (usize, usize)>,
    /// Fields that differ, worst first.
    #[serde(default)]
    failures: Vec<Failure>,
    #[serde(default)]
    ill_posed: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
enum Kind {
    /// Compared.
    #[serde(rename = "judged")]
    Judged,
    /// MuJoCo runs it and `sim` gave no answer.
    #[serde(rename = "failed")]
    Failed,
    /// Uses something that `sim` says it does not support yet.
    #[serde(rename = "not covered")]
    NotCovered,
    /// Nothing to compare: it uses plugins.
    #[serde(rename = "left out")]
    LeftOut,
}

#[derive(Debug, Deserialize)]
struct Failure {
    field: String,
    error: f64,
    tolerance: f64,
}

/// Compares and prints; true when every field of every file judged agrees.
pub(crate) fn run(workspace: &Workspace, python: &Python, request: &Request) -> Result<bool> {
    let sim = match &request.sim {
        Some(sim) => std::fs::canonicalize(sim).with_context(|| format!("no program {}", sim.display()))?,
        None => build_sim(workspace)?,
    };
    let own = [workspace.root.join(OWN_MODELS)];
    let paths = if request.paths.is_empty() { &own[..] } else { &request.paths };

    let mut groups = Vec::new();
    for path in paths {
        let root = std::fs::canonicalize(path).with_context(|| format!("no file or folder {}", path.display()))?;
        let files = models(&root)?;
        if files.is_empty() {
            bail!("no .xml file in {}", path.display());
        }
        let verdicts = judge(workspace, python, &sim, request.covered, &files, &root)?;
        groups.push(Judged { title: title(workspace, &root), root, verdicts });
    }
    print!("\n{}", report::summary(&groups));
    if request.report {
        // the part of the other command stays
        let path = workspace.root.join(REPORT);
        let old = std::fs::read_to_string(&path).unwrap_or_default();
        let text = report::markdown(&groups) + pairs::part(&old);
        std::fs::write(path, text).with_context(|| format!("writing {REPORT}"))?;
        println!("written: {REPORT}");
    }
    Ok(groups.iter().all(Judged::agrees))
}

/// Runs the script over the files, printing each verdict as it comes.
fn judge(
    workspace: &Workspace,
    python: &Python,
    sim: &Path,
    covered: bool,
    files: &[PathBuf],
    root: &Path,
) -> Result<Vec<Verdict>> {
    let mut command = python.script(&workspace.root.join(SCRIPT), &workspace.scratch()?);
    command.arg("--sim").arg(sim).stdin(Stdio::piped()).stdout(Stdio::piped());
    if covered {
        command.arg("--covered");
    }
    let mut child = command.spawn().with_context(|| format!("running {SCRIPT}"))?;
    let mut stdin = child.stdin.take().context("no way to talk to the script")?;
    for file in files {
        writeln!(stdin, "{}", file.display())?;
    }
    drop(stdin);

    let mut verdicts = Vec::new();
    let stdout = child.stdout.take().context("no way to hear the script")?;
    for line in BufReader::new(stdout).lines() {
        let verdict: Verdict = serde_json::from_str(&line?).with_context(|| format!("reading what {SCRIPT} says"))?;
        println!("{}", report::line(&verdict, root));
        verdicts.push(verdict);
    }
    let status = child.wait()?;
    if !status.success() {
        bail!("{SCRIPT} failed ({status})");
    }
    Ok(verdicts)
}

/// Builds the `sim` command and gives its path.
pub(crate) fn build_sim(workspace: &Workspace) -> Result<PathBuf> {
    let status = workspace.cargo().args(["build", "--release", "--package", "sim-cli"]).status()?;
    if !status.success() {
        bail!("`sim` does not build; name one with --sim PATH");
    }
    let name = format!("sim{}", std::env::consts::EXE_SUFFIX);
    Ok(workspace.metadata.target_directory.as_std_path().join("release").join(name))
}

/// The .xml files below a path, in order.
pub(crate) fn models(path: &Path) -> Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    for entry in std::fs::read_dir(path).with_context(|| format!("listing {}", path.display()))? {
        let entry = entry?.path();
        if entry.is_dir() {
            found.extend(models(&entry)?);
        } else if entry.extension().is_some_and(|e| e == "xml") {
            found.push(entry);
        }
    }
    found.sort();
    Ok(found)
}

/// The name of a group in the report: its place in the repository, else its own name without the places above it.
fn title(workspace: &Workspace, path: &Path) -> String {
    let own = std::fs::canonicalize(&workspace.root).is_ok_and(|root| path.starts_with(root));
    let name =
        if own { workspace.relative(path) } else { path.file_name().unwrap_or_default().to_string_lossy().into() };
    if name.is_empty() { ".".to_owned() } else { name }
}
