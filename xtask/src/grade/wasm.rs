//! Whether what must run in a browser builds for it.

use super::{Cell, compiler};
use crate::workspace::{WASM, Workspace, rustc};
use anyhow::{Context as _, Result};
use std::path::Path;

const TARGET: &str = "wasm32-unknown-unknown";

/// The result of building for wasm32, or the fact that it could not be tried.
pub(crate) struct Wasm {
    built: Option<compiler::Messages>,
}

/// Builds the crates for wasm32 if this machine can.
pub(crate) fn check(workspace: &Workspace) -> Result<Wasm> {
    if !target_installed()? {
        return Ok(Wasm { built: None });
    }
    let mut command = workspace.cargo();
    command.args(["check", "--lib", "--keep-going", "--target", TARGET]);
    command.args(WASM.iter().flat_map(|name| ["-p", *name]));
    Ok(Wasm { built: Some(compiler::run(workspace, command, &[])?) })
}

impl Wasm {
    /// The cell for one crate; `found` is what reading its sources showed.
    pub(crate) fn cell(&self, name: &str, found: Vec<String>) -> Cell {
        if !WASM.contains(&name) {
            return Cell::ok("-");
        }
        let Some(built) = &self.built else {
            let text = if found.is_empty() { "not checked" } else { "not checked !" };
            return Cell { text: text.to_owned(), ..Cell::from_details(found) };
        };
        let mut cell = built.cell(name);
        if !found.is_empty() {
            cell = Cell::from_details([built.problems_of(name), found].concat());
        }
        cell
    }

    /// What the reader of the table must know.
    pub(crate) fn notes(&self) -> Vec<String> {
        if self.built.is_some() {
            return Vec::new();
        }
        vec![format!(
            "wasm: not checked: target missing (`rustup target add {TARGET}`); sources were read for files, threads and clocks"
        )]
    }
}

fn target_installed() -> Result<bool> {
    let output = rustc()
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()
        .context("asking rustc where the wasm32 libraries are")?;
    let folder = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok(output.status.success() && !folder.is_empty() && Path::new(&folder).is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unchecked_build_is_visible_and_a_finding_still_counts() {
        let wasm = Wasm { built: None };
        assert_eq!(wasm.cell("sim-core", Vec::new()).text, "not checked");
        assert!(!wasm.cell("sim-core", vec!["std::fs".to_owned()]).ok);
        assert_eq!(wasm.cell("sim-cli", Vec::new()).text, "-");
        assert_eq!(wasm.notes().len(), 1);
    }
}
