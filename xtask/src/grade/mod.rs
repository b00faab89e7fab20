//! The quality gate: one row per crate, one column per criterion, one letter.
//!
//! A means that everything holds. Each broken criterion costs a letter, a failing test all of them. Anything below A
//! fails the command.

mod compiler;
mod deps;
mod layers;
pub(crate) mod tests_log;
mod wasm;

use crate::tidy::{self, Rule, Tidy};
use crate::workspace::Workspace;
use anyhow::Result;
use layers::Layers;
use std::path::Path;
use std::time::Instant;
use tests_log::TestLog;

/// One criterion for one crate.
pub(crate) struct Cell {
    /// Whether it holds.
    ok: bool,
    /// What the table shows.
    text: String,
    /// What to mend, one line each.
    details: Vec<String>,
}

impl Cell {
    fn ok(text: impl Into<String>) -> Self {
        Self { ok: true, text: text.into(), details: Vec::new() }
    }

    /// Holds when there is nothing to mend.
    fn from_details(details: Vec<String>) -> Self {
        let text = if details.is_empty() { "ok".to_owned() } else { format!("{} !", details.len()) };
        Self { ok: details.is_empty(), text, details }
    }
}

const COLUMNS: [&str; 8] = ["tests", "clippy", "docs", "safety", "deps", "layers", "tidy", "wasm"];

struct Row {
    package: String,
    cells: [Cell; COLUMNS.len()],
}

impl Row {
    fn letter(&self) -> char {
        let broken = self.cells.iter().filter(|c| !c.ok).count();
        match broken {
            _ if !self.cells[0].ok => 'F',
            0 => 'A',
            1 => 'B',
            2 => 'C',
            3 => 'D',
            _ => 'F',
        }
    }
}

/// The command `cargo xtask grade`: prints the table and says whether every crate has an A.
///
/// `log` is the recorded output of the test run; without it the tests are run here.
pub(crate) fn run(workspace: &Workspace, log: Option<&Path>) -> Result<bool> {
    let start = Instant::now();
    let progress = |what: &str| eprintln!("grade: {what} ({:.0} s)", start.elapsed().as_secs_f64());

    progress("reading sources");
    let tidy = tidy::check(workspace)?;
    let layers = Layers::load(workspace)?;
    let tests = if let Some(log) = log {
        TestLog::read(workspace, log)?
    } else {
        progress("running tests; `--tests FILE` takes the output of a run instead");
        TestLog::run(workspace)?
    };
    progress("clippy");
    let clippy = compiler::clippy(workspace)?;
    progress("docs");
    let docs = compiler::docs(workspace)?;
    progress("wasm32");
    let wasm = wasm::check(workspace)?;
    progress("done");

    let rows: Vec<Row> = tidy
        .iter()
        .map(|tidy| {
            let name = tidy.package.as_str();
            let cells = [
                tests.cell(name, tidy.functions),
                clippy.cell(name),
                docs.cell(name),
                Cell::from_details(broken(tidy, Rule::Safety)),
                deps::cell(workspace, name),
                layers.cell(name),
                Cell::from_details(broken(tidy, Rule::Tidy)),
                wasm.cell(name, broken(tidy, Rule::Wasm)),
            ];
            Row { package: name.to_owned(), cells }
        })
        .collect();
    print!("{}", render(&rows));
    for note in wasm.notes() {
        println!("{note}");
    }
    let count = tests.total();
    println!("{count} tests passed");
    Ok(rows.iter().all(|r| r.letter() == 'A'))
}

fn broken(tidy: &Tidy, rule: Rule) -> Vec<String> {
    tidy.findings.iter().filter(|f| f.rule == rule).map(ToString::to_string).collect()
}

/// The table, then what to mend.
fn render(rows: &[Row]) -> String {
    let mut lines = vec![std::iter::once("crate").chain(COLUMNS).chain(["grade"]).map(str::to_owned).collect()];
    for row in rows {
        let mut line = vec![row.package.clone()];
        line.extend(row.cells.iter().map(|c| c.text.clone()));
        line.push(row.letter().to_string());
        lines.push(line);
    }
    let mut out = align(&lines);
    for row in rows {
        for (column, cell) in COLUMNS.iter().zip(&row.cells) {
            for detail in &cell.details {
                out.extend([&row.package, " ", column, ": ", detail, "\n"]);
            }
        }
    }
    out
}

/// Columns padded to their widest entry.
pub(crate) fn align(lines: &[Vec<String>]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |k: usize| lines.iter().filter_map(|l| l.get(k)).map(|s| s.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for line in lines {
        let cells: Vec<String> = line.iter().zip(&widths).map(|(cell, w)| format!("{cell:w$}")).collect();
        out.push_str(cells.join("  ").trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(broken: &[usize]) -> Row {
        let cell = |k| Cell::from_details(if broken.contains(&k) { vec!["mend me".to_owned()] } else { Vec::new() });
        Row { package: "sim-core".to_owned(), cells: std::array::from_fn(cell) }
    }

    #[test]
    fn letters_fall_with_every_broken_criterion() {
        let letter = |broken: &[usize]| row(broken).letter();
        assert_eq!([letter(&[]), letter(&[2]), letter(&[2, 3]), letter(&[2, 3, 4])], ['A', 'B', 'C', 'D']);
        assert_eq!(letter(&[1, 2, 3, 4]), 'F');
        assert_eq!(letter(&[0]), 'F', "a failing test");
    }

    #[test]
    fn the_table_says_what_to_mend() {
        let text = render(&[row(&[]), row(&[1])]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("crate     tests"), "{text}");
        assert!(lines[1].ends_with('A') && lines[2].ends_with('B'), "{text}");
        assert_eq!(lines[3], "sim-core clippy: mend me");
    }
}
