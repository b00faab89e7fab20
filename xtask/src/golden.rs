//! `cargo xtask golden`: lets MuJoCo write the golden files again. They are never edited by hand.

use crate::python::Python;
use crate::workspace::Workspace;
use anyhow::{Context as _, Result};
use std::ffi::OsString;

/// The script that makes the files and prints the largest change of each.
const SCRIPT: &str = "sim-tests/golden.py";

/// Rewrites the goldens of the models named, of all when none is; with `check` only says whether they would change.
pub(crate) fn run(workspace: &Workspace, python: &Python, models: &[OsString], check: bool) -> Result<bool> {
    let mut command = python.script(&workspace.root.join(SCRIPT), &workspace.scratch()?);
    if check {
        command.arg("--check");
    }
    let status = command.args(models).status().with_context(|| format!("running {SCRIPT}"))?;
    Ok(status.success())
}
