//! The rules that can be checked by reading the sources, without compiling.
//!
//! `cargo test` runs them too, so a breach is found before review.

use crate::links;
use crate::source::modules::{Source, sources};
use crate::source::scan::Hit;
use crate::workspace::{WASM, Workspace, folder, roots};
use anyhow::{Context as _, Result};
use cargo_metadata::Package;
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

/// Longest file, in-file tests included.
const FILE_LINES: usize = 600;
/// Longest function, from `fn` to the closing brace.
const FUNCTION_LINES: usize = 80;
/// Most arguments of a function, `self` included.
const ARGUMENTS: usize = 7;

/// Crates whose library code may panic: a test harness reports by panicking.
const MAY_PANIC: [&str; 1] = ["sim-tests"];
/// Crates that read what users wrote: no `unsafe` at all. Elsewhere clippy asks for its proof.
const NO_UNSAFE: [&str; 6] = ["sim-mjcf", "sim-env", "sim-plot", "sim-cli", "sim-physics", "xtask"];

/// Which group of rules was broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Library code that can panic, or `unsafe` where none may be.
    Safety,
    /// Length of files and functions, arguments, file headers, silenced lints.
    Tidy,
    /// Threads, files or clocks in code that must run in a browser.
    Wasm,
}

/// A broken rule and its place.
#[derive(Debug)]
pub(crate) struct Finding {
    /// The rule.
    pub(crate) rule: Rule,
    /// The file, relative to the root.
    pub(crate) file: String,
    /// The line, from 1; 0 for the file as a whole.
    pub(crate) line: usize,
    /// What is wrong and what would be right.
    pub(crate) text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.text),
            line => write!(f, "{}:{line}: {}", self.file, self.text),
        }
    }
}

/// What reading the sources says about one crate.
pub(crate) struct Tidy {
    /// The crate.
    pub(crate) package: String,
    /// Every broken rule.
    pub(crate) findings: Vec<Finding>,
    /// Functions outside tests.
    pub(crate) functions: usize,
}

/// Checks every crate of the workspace.
pub(crate) fn check(workspace: &Workspace) -> Result<Vec<Tidy>> {
    workspace.members().into_iter().map(|package| check_package(workspace, package)).collect()
}

/// The command `cargo xtask tidy`: prints the findings and says whether there were none.
pub(crate) fn run(workspace: &Workspace) -> Result<bool> {
    let findings: Vec<Finding> = check(workspace)?.into_iter().flat_map(|t| t.findings).collect();
    for finding in &findings {
        println!("{finding}");
    }
    println!("tidy: {}", if findings.is_empty() { "clean".to_owned() } else { format!("{} findings", findings.len()) });
    Ok(findings.is_empty())
}

fn check_package(workspace: &Workspace, package: &Package) -> Result<Tidy> {
    let name = package.name.as_str();
    let mut tidy = Tidy { package: name.to_owned(), findings: Vec::new(), functions: 0 };
    let sources = sources(&roots(package))?;
    for (path, source) in &sources {
        let file = workspace.relative(path);
        tidy.functions += source.scan.functions.iter().filter(|f| !f.test && !source.test).count();
        check_source(&mut Report { package: name, file: &file, out: &mut tidy.findings }, source);
    }

    // files that no module names, and files in other languages
    let nested: BTreeSet<PathBuf> = workspace.members().into_iter().map(folder).collect();
    for path in files(&folder(package), &nested)? {
        let file = workspace.relative(&path);
        let mut report = Report { package: name, file: &file, out: &mut tidy.findings };
        match path.extension().and_then(|e| e.to_str()) {
            Some("rs") if !sources.contains_key(&path) => {
                report.add(Rule::Tidy, 0, "no `mod` leads to this file; declare it or delete it".to_owned());
            }
            Some("md") if file != "CHANGELOG.md" => {
                let text = std::fs::read_to_string(&path).with_context(|| format!("reading {file}"))?;
                let parent = path.parent().unwrap_or(&workspace.root);
                for (line, name) in links::missing(&text, parent, &workspace.root) {
                    report.add(Rule::Tidy, line, format!("`{name}` does not exist"));
                }
            }
            Some("wgsl" | "py") => {
                let text = std::fs::read_to_string(&path).with_context(|| format!("reading {file}"))?;
                check_length(&mut report, &text);
            }
            _ => {}
        }
    }
    Ok(tidy)
}

fn check_source(report: &mut Report<'_>, source: &Source) {
    let (name, scan) = (report.package, &source.scan);
    check_length(report, &source.text);
    if !["//!", "#![doc = include_str!"].iter().any(|head| source.text.starts_with(head)) {
        report.add(Rule::Tidy, 1, "the first line must say what the file is for: `//! …`".to_owned());
    }
    for f in &scan.functions {
        if f.lines > FUNCTION_LINES {
            let text = format!("`{}` has {} lines; at most {FUNCTION_LINES}: split it", f.name, f.lines);
            report.add(Rule::Tidy, f.line, text);
        }
        if f.args > ARGUMENTS {
            let text = format!("`{}` takes {} arguments; at most {ARGUMENTS}: pass a struct", f.name, f.args);
            report.add(Rule::Tidy, f.line, text);
        }
    }
    report.hits(Rule::Tidy, &scan.bare_allows, |what| format!("`{what}` gives no `reason`"));
    report.hits(Rule::Tidy, &scan.bare_ignores, |what| format!("`{what}` gives no reason: `#[ignore = \"…\"]`"));

    // the rest is for code that users run
    if source.test {
        return;
    }
    if !MAY_PANIC.contains(&name) {
        report.hits(Rule::Safety, &scan.panics, |what| format!("`{what}` in library code; return an error"));
    }
    if NO_UNSAFE.contains(&name) {
        report.hits(Rule::Safety, &scan.unsafes, |_| "`unsafe` in code that reads user input".to_owned());
    }
    if WASM.contains(&name) {
        let text = |what: &str| format!("`{what}` does not exist on wasm32; put it behind a trait or a `cfg`");
        report.hits(Rule::Wasm, &scan.host, text);
    }
}

fn check_length(report: &mut Report<'_>, text: &str) {
    let lines = text.lines().count();
    if lines > FILE_LINES {
        report.add(Rule::Tidy, 0, format!("{lines} lines; at most {FILE_LINES}: split it"));
    }
}

/// Where findings go: knows the crate and the file they are about.
struct Report<'a> {
    package: &'a str,
    file: &'a str,
    out: &'a mut Vec<Finding>,
}

impl Report<'_> {
    fn add(&mut self, rule: Rule, line: usize, text: String) {
        self.out.push(Finding { rule, file: self.file.to_owned(), line, text });
    }

    fn hits(&mut self, rule: Rule, hits: &[Hit], text: impl Fn(&str) -> String) {
        for hit in hits {
            self.add(rule, hit.line, text(&hit.what));
        }
    }
}

/// Files below `folder`, without build output, hidden folders and other packages.
fn files(folder: &Path, packages: &BTreeSet<PathBuf>) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).with_context(|| format!("listing {}", folder.display()))? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if !path.is_dir() {
                found.push(path);
            } else if !(name == "target" || name.starts_with('.') || packages.contains(&path)) {
                folders.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::scan::scan;

    fn findings(package: &str, file: &str, text: &str, test: bool) -> Vec<String> {
        let source = Source { test, text: text.to_owned(), scan: scan(text).unwrap() };
        let mut out = Vec::new();
        check_source(&mut Report { package, file, out: &mut out }, &source);
        out.iter().map(ToString::to_string).collect()
    }

    /// The repository keeps its own rules.
    #[test]
    fn the_workspace_is_tidy() {
        let tidy = check(&Workspace::load().unwrap()).unwrap();
        assert!(tidy.iter().any(|t| t.package == "xtask" && t.functions > 20), "the scan saw no functions");
        let findings: Vec<String> = tidy.iter().flat_map(|t| &t.findings).map(ToString::to_string).collect();
        assert!(findings.is_empty(), "\n{}", findings.join("\n"));
    }

    #[test]
    fn a_panic_counts_in_libraries_and_not_in_tests() {
        let text = "//! Doc.\nfn f() { x.unwrap(); }\n";
        let found = findings("sim-core", "a.rs", text, false);
        assert_eq!(found, ["a.rs:2: `unwrap` in library code; return an error"]);
        assert_eq!(findings("sim-core", "tests/a.rs", text, true), [""; 0]);
        assert_eq!(findings("sim-tests", "a.rs", text, false), [""; 0]);
    }

    #[test]
    fn long_files_and_functions_are_found() {
        let body = "    let _ = 0;\n";
        let function = |n: usize| format!("//! Doc.\nfn f() {{\n{}}}\n", body.repeat(n));
        assert_eq!(findings("sim-core", "a.rs", &function(78), false), [""; 0]);
        let long = findings("sim-core", "a.rs", &function(79), false);
        assert_eq!(long, ["a.rs:2: `f` has 81 lines; at most 80: split it"]);
        let file = |lines: usize| format!("//! Doc.\n{}", "//\n".repeat(lines - 1));
        assert_eq!(findings("sim-core", "a.rs", &file(600), false), [""; 0]);
        assert_eq!(findings("sim-core", "a.rs", &file(601), false), ["a.rs: 601 lines; at most 600: split it"]);
    }

    #[test]
    fn eight_arguments_are_too_many() {
        let text = |args: &str| format!("//! Doc.\nfn f({args}) {{}}\n");
        assert_eq!(findings("sim-core", "a.rs", &text("&self, a: A, b: B, c: C, d: D, e: E, f: F"), false), [""; 0]);
        let found = findings("sim-core", "a.rs", &text("&self, a: A, b: B, c: C, d: D, e: E, f: F, g: G"), false);
        assert_eq!(found, ["a.rs:2: `f` takes 8 arguments; at most 7: pass a struct"]);
    }

    #[test]
    fn a_file_without_a_purpose_is_found() {
        assert_eq!(findings("sim-core", "a.rs", "use a;\n", true).len(), 1);
        assert_eq!(findings("sim-core", "a.rs", "#![doc = include_str!(\"../README.md\")]\n", true).len(), 0);
    }

    #[test]
    fn files_and_threads_stay_out_of_what_runs_in_a_browser() {
        let text = "//! Doc.\nuse std::fs;\n";
        assert_eq!(findings("sim-core", "sim-core/src/a.rs", text, false).len(), 1);
        assert_eq!(findings("sim-cli", "sim-cli/src/a.rs", text, false).len(), 0);
        let behind_cfg = "//! Doc.\n#[cfg(not(target_arch = \"wasm32\"))]\nuse std::fs;\n";
        assert_eq!(findings("sim-core", "sim-core/src/a.rs", behind_cfg, false).len(), 0);
    }

    #[test]
    fn a_parser_has_no_unsafe_code() {
        let text = "//! Doc.\nfn f() { unsafe { g() } }\n";
        assert_eq!(findings("sim-mjcf", "a.rs", text, false).len(), 1);
        assert_eq!(findings("sim-core", "a.rs", text, false).len(), 0);
    }
}
