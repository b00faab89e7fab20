//! `cargo xtask fuzz-mjcf`: builds the mutation harness of `sim-tests` with every check on, and runs it.

use crate::workspace::Workspace;
use anyhow::{Context as _, Result, bail};
use std::ffi::OsString;

/// Runs the harness with these arguments; true when no case failed.
pub(crate) fn run(workspace: &Workspace, arguments: &[OsString]) -> Result<bool> {
    let build = ["build", "--profile", "fuzz", "--package", "sim-tests", "--features", "fuzz", "--bin", "fuzz"];
    if !workspace.cargo().args(build).status().context("building the harness")?.success() {
        bail!("the harness does not build");
    }
    let name = format!("fuzz{}", std::env::consts::EXE_SUFFIX);
    let program = workspace.metadata.target_directory.as_std_path().join("fuzz").join(name);
    let status = std::process::Command::new(&program)
        .args(arguments)
        .current_dir(&workspace.root)
        .status()
        .with_context(|| format!("running {}", program.display()))?;
    Ok(status.success())
}
