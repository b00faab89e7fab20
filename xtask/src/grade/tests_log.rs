//! The output of `cargo test`, counted by crate.
//!
//! Reading the output instead of asking for it crate by crate means that the tests run once, with the command that
//! users run. The number of tests is remembered in a file: a change that loses tests is seen.

use super::Cell;
use crate::workspace::{Workspace, folder};
use anyhow::{Context as _, Result, bail};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::process::Stdio;

/// The last recorded number of tests.
const COUNT_FILE: &str = ".ci/test-count";

/// The tests of one crate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    passed: usize,
    failed: usize,
    ignored: usize,
}

/// What a test run said about each crate.
pub(crate) struct TestLog {
    counts: BTreeMap<String, Count>,
}

impl TestLog {
    /// Reads the recorded output of a run.
    pub(crate) fn read(workspace: &Workspace, log: &Path) -> Result<Self> {
        let text = std::fs::read(log).with_context(|| format!("reading {}", log.display()))?;
        let counts = parse(&String::from_utf8_lossy(&text), &targets(workspace));
        if counts.is_empty() {
            bail!("{} holds no results of `cargo test`", log.display());
        }
        Ok(Self { counts })
    }

    /// Runs the tests with the command of README and CI.
    pub(crate) fn run(workspace: &Workspace) -> Result<Self> {
        let log = workspace.scratch()?.join("tests.log");
        let out = File::create(&log).with_context(|| format!("creating {}", log.display()))?;
        let status = workspace
            .cargo()
            .args(["test", "--workspace", "--release", "--no-fail-fast"])
            .stdin(Stdio::null())
            .stderr(out.try_clone()?)
            .stdout(out)
            .status()
            .context("running cargo test")?;
        let tests = Self::read(workspace, &log)?;
        if !status.success() && tests.counts.values().all(|c| c.failed == 0) {
            bail!("cargo test failed ({status}); see {}", log.display());
        }
        Ok(tests)
    }

    /// The cell for one crate that has so many functions.
    pub(crate) fn cell(&self, name: &str, functions: usize) -> Cell {
        let count = self.counts.get(name).copied().unwrap_or_default();
        let mut details = Vec::new();
        if count.failed > 0 {
            details.push(format!("{} failed", count.failed));
        }
        if count.passed == 0 && functions > 0 {
            details.push(format!("{functions} functions and not one test"));
        }
        let ignored = if count.ignored > 0 { format!(" ({} ignored)", count.ignored) } else { String::new() };
        let mark = if details.is_empty() { "" } else { " !" };
        Cell { text: format!("{}{ignored}{mark}", count.passed), ..Cell::from_details(details) }
    }

    /// Tests that passed, over all crates.
    pub(crate) fn total(&self) -> usize {
        self.counts.values().map(|c| c.passed).sum()
    }
}

/// The command `cargo xtask test-count`: compares a run with the recorded number, or records it.
pub(crate) fn count(workspace: &Workspace, log: &Path, record: bool) -> Result<bool> {
    let now = TestLog::read(workspace, log)?.total();
    let file = workspace.root.join(COUNT_FILE);
    if record {
        std::fs::write(&file, format!("{now}\n")).with_context(|| format!("writing {COUNT_FILE}"))?;
        println!("{now} tests recorded in {COUNT_FILE}");
        return Ok(true);
    }
    let text = std::fs::read_to_string(&file).with_context(|| format!("reading {COUNT_FILE}"))?;
    let before: usize = text.trim().parse().with_context(|| format!("{COUNT_FILE} must hold one number"))?;
    println!("{now} tests passed, {before} recorded");
    if now < before {
        println!("tests were lost; if that is meant: cargo xtask test-count --record {}", log.display());
    }
    Ok(now >= before)
}

/// Something that cargo runs tests from.
struct Target {
    package: String,
    /// Source file relative to its package, with forward slashes.
    source: String,
    /// Name of the test binary and of the library: dashes are underscores there.
    binary: String,
    library: bool,
}

fn targets(workspace: &Workspace) -> Vec<Target> {
    let mut found = Vec::new();
    for package in workspace.members() {
        let folder = folder(package);
        for target in &package.targets {
            let source = target.src_path.as_std_path();
            found.push(Target {
                package: package.name.to_string(),
                source: source.strip_prefix(&folder).unwrap_or(source).to_string_lossy().replace('\\', "/"),
                binary: target.name.replace('-', "_"),
                library: target.is_lib(),
            });
        }
    }
    found
}

/// Counts results by crate. Cargo runs the targets of a crate one after the other, so a file name that several
/// crates have belongs to the crate that is being tested.
fn parse(log: &str, targets: &[Target]) -> BTreeMap<String, Count> {
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    let mut current = String::new();
    for line in log.lines() {
        let line = strip_colors(line);
        let line = line.trim();
        if let Some(package) = started(line, &current, targets) {
            current = package;
        } else if let Some(count) = result(line) {
            let sum = counts.entry(current.clone()).or_default();
            sum.passed += count.passed;
            sum.failed += count.failed;
            sum.ignored += count.ignored;
        } else if let Some(package) = broken(line) {
            // a target that crashed has no result line; one that failed is not counted twice
            let sum = counts.entry(package).or_default();
            sum.failed = sum.failed.max(1);
        }
    }
    counts
}

/// The crate that `Running tests/a.rs (target/release/deps/a-123)` or `Doc-tests sim_core` begins.
fn started(line: &str, current: &str, targets: &[Target]) -> Option<String> {
    if let Some(name) = line.strip_prefix("Doc-tests ") {
        return targets.iter().find(|t| t.library && t.binary == name.replace('-', "_")).map(|t| t.package.clone());
    }
    let (source, program) = line.strip_prefix("Running ")?.split_once(" (")?;
    let source = source.trim_start_matches("unittests ").replace('\\', "/");
    let program = program.trim_end_matches(')').trim_end_matches(".exe").replace('\\', "/");
    let (binary, _) = program.rsplit('/').next()?.rsplit_once('-')?;
    let mut fitting = targets.iter().filter(|t| t.source == source && t.binary == binary.replace('-', "_"));
    let first = fitting.next()?;
    let same = std::iter::once(first).chain(fitting).find(|t| t.package == current);
    Some(same.unwrap_or(first).package.clone())
}

/// The numbers in `test result: ok. 24 passed; 0 failed; 1 ignored; …`.
fn result(line: &str) -> Option<Count> {
    let (_, numbers) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let number =
        |word: &str| numbers.split(';').find_map(|part| part.trim().strip_suffix(word)?.trim().parse::<usize>().ok());
    Some(Count { passed: number("passed")?, failed: number("failed")?, ignored: number("ignored")? })
}

/// The crate that cargo names as failed or as not compiling.
fn broken(line: &str) -> Option<String> {
    let word = |text: &str| {
        let end = text.find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).unwrap_or(text.len());
        (end > 0).then(|| text[..end].to_owned())
    };
    if let Some(name) = line.strip_prefix("error: could not compile `") {
        return word(name);
    }
    let rerun = line
        .strip_prefix("error: test failed, to rerun pass ")
        .or(line.strip_prefix("error: doctest failed, to rerun pass "));
    word(rerun.unwrap_or(line).strip_prefix("`-p ")?)
}

/// The line without terminal colours.
fn strip_colors(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            chars.by_ref().find(char::is_ascii_alphabetic);
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets() -> Vec<Target> {
        let target = |package: &str, source: &str, binary: &str| Target {
            package: package.to_owned(),
            source: source.to_owned(),
            binary: binary.to_owned(),
            library: source == "src/lib.rs",
        };
        vec![
            target("sim-cli", "src/main.rs", "sim"),
            target("sim-cli", "tests/errors.rs", "errors"),
            target("sim-core", "src/lib.rs", "sim_core"),
            target("sim-core", "tests/errors.rs", "errors"),
        ]
    }

    fn count(passed: usize, failed: usize, ignored: usize) -> Count {
        Count { passed, failed, ignored }
    }

    #[test]
    fn results_go_to_the_crate_that_was_running() {
        let log = "\
     Running unittests src/main.rs (target/release/deps/sim-0a1b)
test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s
     Running tests/errors.rs (target/release/deps/errors-0a1c)
test result: ok. 4 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s
     Running unittests src/lib.rs (target/release/deps/sim_core-0a1d)
test result: ok. 10 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s
     Running tests/errors.rs (target\\release\\deps\\errors-0a1e.exe)
test result: FAILED. 5 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s
\u{1b}[1m\u{1b}[32m   Doc-tests\u{1b}[0m sim_core
test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s
error: test failed, to rerun pass `-p sim-core --test errors`
";
        let counts = parse(log, &targets());
        assert_eq!(counts["sim-cli"], count(7, 0, 1));
        assert_eq!(counts["sim-core"], count(16, 2, 0));
    }

    #[test]
    fn a_crash_and_a_compile_error_count_as_failures() {
        let crash = "     Running unittests src/lib.rs (target/release/deps/sim_core-0a1d)\n\
            error: 1 target failed:\n    `-p sim-core --lib`\n";
        assert_eq!(parse(crash, &targets())["sim-core"], count(0, 1, 0));
        let compile = "error: could not compile `sim-core` (lib test) due to 1 previous error\n";
        assert_eq!(parse(compile, &targets())["sim-core"], count(0, 1, 0));
    }

    #[test]
    fn a_crate_with_code_needs_a_test() {
        let log = TestLog { counts: BTreeMap::from([("sim-core".to_owned(), count(2, 0, 0))]) };
        assert!(log.cell("sim-core", 9).ok);
        assert!(!log.cell("sim-types", 9).ok);
        assert!(log.cell("sim-gpu", 0).ok, "a skeleton has nothing to test");
    }
}
