//! Clippy and rustdoc: run once for the workspace, their messages split by crate.

use super::Cell;
use crate::workspace::Workspace;
use anyhow::{Context as _, Result, bail};
use cargo_metadata::Message;
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel};
use std::collections::{BTreeMap, BTreeSet};
use std::io::BufReader;
use std::process::{Command, Stdio};

/// What the compiler said about each crate.
pub(crate) struct Messages {
    problems: BTreeMap<String, BTreeSet<String>>,
    finished: BTreeSet<String>,
}

impl Messages {
    /// The cell for one crate: clean only if the crate was reached and nothing was said about it.
    pub(crate) fn cell(&self, name: &str) -> Cell {
        match self.problems.get(name) {
            Some(problems) => Cell::from_details(problems.iter().cloned().collect()),
            None if self.finished.contains(name) => Cell::ok("ok"),
            None => Cell {
                ok: false,
                text: "?".to_owned(),
                details: vec!["not reached, because a crate below it failed".to_owned()],
            },
        }
    }

    /// Crates with problems, for messages that are not a table.
    pub(crate) fn problems_of(&self, name: &str) -> Vec<String> {
        self.problems.get(name).map(|p| p.iter().cloned().collect()).unwrap_or_default()
    }
}

/// Clippy on every target with warnings denied: the same arguments as in `.ci/run`, so its result is reused.
pub(crate) fn clippy(workspace: &Workspace) -> Result<Messages> {
    let mut command = workspace.cargo();
    command.args(["clippy", "--workspace", "--all-targets", "--all-features", "--keep-going"]);
    run(workspace, command, &["--", "-D", "warnings"])
}

/// Documentation of our own crates with warnings denied.
pub(crate) fn docs(workspace: &Workspace) -> Result<Messages> {
    let mut command = workspace.cargo();
    command.args(["doc", "--workspace", "--no-deps", "--all-features", "--keep-going"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    run(workspace, command, &[])
}

/// Runs a cargo command and sorts its messages by crate.
pub(crate) fn run(workspace: &Workspace, mut command: Command, tail: &[&str]) -> Result<Messages> {
    command.args(["--quiet", "--message-format=json"]).args(tail);
    command.stdout(Stdio::piped()).stdin(Stdio::null());
    let mut child = command.spawn().with_context(|| format!("starting {command:?}"))?;
    let stdout = child.stdout.take().context("cargo gave no output")?;

    let mut messages = Messages { problems: BTreeMap::new(), finished: BTreeSet::new() };
    for message in Message::parse_stream(BufReader::new(stdout)) {
        match message? {
            Message::CompilerMessage(m) => {
                if let (Some(name), Some(text)) = (workspace.member_name(&m.package_id), describe(&m.message)) {
                    messages.problems.entry(name.to_owned()).or_default().insert(text);
                }
            }
            Message::CompilerArtifact(a) => {
                messages.finished.extend(workspace.member_name(&a.package_id).map(str::to_owned));
            }
            _ => {}
        }
    }
    let status = child.wait()?;
    if !status.success() && messages.problems.is_empty() {
        bail!("{command:?} failed ({status}) without a message about one of our crates");
    }
    Ok(messages)
}

/// One line for a warning or an error; none for notes and for the closing summaries.
fn describe(message: &Diagnostic) -> Option<String> {
    let counts = matches!(message.level, DiagnosticLevel::Warning | DiagnosticLevel::Error | DiagnosticLevel::Ice);
    let summary = message.spans.is_empty()
        && (message.message.starts_with("aborting due to") || message.message.contains("warning emitted"))
        || message.message.contains("warnings emitted");
    if !counts || summary {
        return None;
    }
    let place = message.spans.iter().find(|s| s.is_primary).map(|s| format!("{}:{}: ", s.file_name, s.line_start));
    let code = message.code.as_ref().map(|c| format!(" [{}]", c.code));
    Some(format!("{}{}{}", place.unwrap_or_default(), message.message, code.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagnostic(json: &str) -> Option<String> {
        describe(&serde_json::from_str(json).unwrap())
    }

    #[test]
    fn warnings_become_one_line_and_summaries_none() {
        let warning = r#"{"message":"unused variable: `x`","code":{"code":"unused_variables","explanation":null},
            "level":"error","children":[],"rendered":null,"spans":[{"file_name":"sim-core/src/lib.rs","byte_start":0,
            "byte_end":1,"line_start":7,"line_end":7,"column_start":1,"column_end":2,"is_primary":true,"text":[],
            "label":null,"suggested_replacement":null,"suggestion_applicability":null,"expansion":null}]}"#;
        assert_eq!(diagnostic(warning).unwrap(), "sim-core/src/lib.rs:7: unused variable: `x` [unused_variables]");
        let summary = |text: &str| {
            format!(r#"{{"message":"{text}","code":null,"level":"error","children":[],"rendered":null,"spans":[]}}"#)
        };
        assert_eq!(diagnostic(&summary("aborting due to 1 previous error")), None);
        assert_eq!(diagnostic(&summary("2 warnings emitted")), None);
        assert_eq!(diagnostic(&summary("linking failed")).unwrap(), "linking failed");
    }

    #[test]
    fn a_crate_that_was_not_reached_is_not_clean() {
        let mut messages = Messages { problems: BTreeMap::new(), finished: BTreeSet::new() };
        assert!(!messages.cell("sim-core").ok);
        messages.finished.insert("sim-core".to_owned());
        assert!(messages.cell("sim-core").ok);
        messages.problems.entry("sim-core".to_owned()).or_default().insert("bad".to_owned());
        assert!(!messages.cell("sim-core").ok);
    }
}
