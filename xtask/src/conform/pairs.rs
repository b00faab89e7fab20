//! `cargo xtask conform-pairs`: contacts of every pair of shapes against an installed MuJoCo at random poses.

use super::{REPORT, build_sim};
use crate::grade::align;
use crate::python::{MUJOCO, Python};
use crate::workspace::Workspace;
use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Stdio;

const SCRIPT: &str = "xtask/python/pairs.py";
/// The part of the report that belongs to this command; it stands at the end.
const TITLE: &str = "\n## Pairs of shapes\n";
/// Poses with the same number of contacts, at least.
const SAME_COUNT: f64 = 0.999;

/// What to compare.
#[derive(Default)]
pub(crate) struct Request {
    pub(crate) sim: Option<PathBuf>,
    /// Poses per pair, as the script takes it.
    pub(crate) poses: Option<String>,
    /// One pair, such as `capsule-box`.
    pub(crate) only: Option<String>,
    pub(crate) report: bool,
}

/// What the script says about one pair.
#[derive(Debug, Deserialize)]
struct Verdict {
    pair: String,
    /// Whether the pair has a formula; else it is searched.
    formula: bool,
    poses: usize,
    redrawn: usize,
    contacts: usize,
    same_count: usize,
    same_depth: usize,
    depth: f64,
    pos: f64,
    normal: f64,
    why: String,
}

impl Verdict {
    fn agrees(&self) -> bool {
        let poses = self.poses as f64;
        self.why.is_empty()
            && self.poses > 0
            && self.same_count as f64 >= SAME_COUNT * poses
            && self.same_depth == self.same_count
    }

    fn row(&self) -> Vec<String> {
        if !self.why.is_empty() {
            return vec![self.pair.clone(), self.why.replace('|', "/")];
        }
        let share = (1e4 * self.same_count as f64 / self.poses.max(1) as f64).floor() / 100.0;
        vec![
            self.pair.clone(),
            if self.formula { "formula" } else { "search" }.to_owned(),
            self.poses.to_string(),
            self.redrawn.to_string(),
            self.contacts.to_string(),
            format!("{share:.2} %"),
            format!("{:.1e}", self.depth),
            format!("{:.1e}", self.pos),
            format!("{:.1e}", self.normal),
        ]
    }
}

/// Compares and prints; true when every pair agrees.
pub(crate) fn run(workspace: &Workspace, python: &Python, request: &Request) -> Result<bool> {
    let sim = match &request.sim {
        Some(sim) => std::fs::canonicalize(sim).with_context(|| format!("no program {}", sim.display()))?,
        None => build_sim(workspace)?,
    };
    let mut command = python.script(&workspace.root.join(SCRIPT), &workspace.scratch()?);
    command.arg("--sim").arg(sim).stdout(Stdio::piped());
    for (option, value) in [("--poses", &request.poses), ("--only", &request.only)] {
        if let Some(value) = value {
            command.arg(option).arg(value);
        }
    }
    let mut child = command.spawn().with_context(|| format!("running {SCRIPT}"))?;
    let stdout = child.stdout.take().context("no way to hear the script")?;
    let mut verdicts = Vec::new();
    for line in BufReader::new(stdout).lines() {
        let verdict: Verdict = serde_json::from_str(&line?).with_context(|| format!("reading what {SCRIPT} says"))?;
        print!("{} {}", if verdict.agrees() { "ok  " } else { "FAIL" }, align(&[verdict.row()]));
        verdicts.push(verdict);
    }
    if !child.wait()?.success() || verdicts.is_empty() {
        bail!("{SCRIPT} failed");
    }
    if request.report {
        let path = workspace.root.join(REPORT);
        let old = std::fs::read_to_string(&path).unwrap_or_default();
        std::fs::write(&path, replaced(&old, &markdown(&verdicts))).with_context(|| format!("writing {REPORT}"))?;
        println!("written: {REPORT}");
    }
    Ok(verdicts.iter().all(Verdict::agrees))
}

/// The part of a report that belongs to this command, or nothing.
pub(crate) fn part(report: &str) -> &str {
    report.find(TITLE).map_or("", |at| &report[at..])
}

/// The report with this command's part replaced.
fn replaced(report: &str, new: &str) -> String {
    let kept = report.find(TITLE).map_or(report, |at| &report[..at]);
    format!("{}\n{new}", kept.trim_end())
}

fn markdown(verdicts: &[Verdict]) -> String {
    let agree = verdicts.iter().filter(|v| v.agrees()).count();
    let mut out = format!(
        "{TITLE}\nWritten by `cargo xtask conform-pairs --report`; do not edit. Contacts of two shapes compared with MuJoCo \
         {MUJOCO} at random poses: a third apart within the margin, a third touching, a third deep. Poses where MuJoCo \
         differs from itself in the 14th digit were drawn again, but not with distance fields (sdf): every pose counts there. \
         {agree} of {} pairs agree: the same number of contacts in \
         99.9 % of the poses, and there depths within 1e-9 (formula) or 1e-6 (search). Errors are the largest of all poses \
         with the same number of contacts.\n\n| pair | by | poses | drawn again | contacts | same number | depth | position | \
         normal |\n|---|---|---:|---:|---:|---:|---:|---:|---:|\n",
        verdicts.len()
    );
    for verdict in verdicts {
        out.extend(["| ", &verdict.row().join(" | "), " |\n"]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(same_count: usize, depth: f64) -> Verdict {
        let text = format!(
            r#"{{"pair":"box-box","formula":true,"poses":1000,"redrawn":3,"contacts":4000,"same_count":{same_count},
                "same_depth":{same_count},"depth":{depth},"pos":0.1,"normal":0.2,"why":""}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn one_pose_in_a_thousand_may_differ() {
        assert!(verdict(999, 1e-12).agrees());
        assert!(!verdict(998, 1e-12).agrees());
        assert!(!Verdict { same_depth: 998, ..verdict(999, 1e-3) }.agrees());
        assert!(!Verdict { why: "crashed".into(), ..verdict(1000, 0.0) }.agrees());
    }

    #[test]
    fn the_other_parts_of_the_report_stay() {
        let report = "# Conformance\n\nText.\n";
        let once = replaced(report, &markdown(&[verdict(1000, 1e-12)]));
        assert!(
            once.starts_with(report) && once.contains("| box-box | formula | 1000 | 3 | 4000 | 100.00 % | 1.0e-12 |")
        );
        let twice = replaced(&once, &markdown(&[verdict(999, 1e-12)]));
        assert_eq!(twice.matches("## Pairs of shapes").count(), 1);
        assert!(twice.contains("99.90 %"));
        assert_eq!(part(&once), markdown(&[verdict(1000, 1e-12)]));
        assert_eq!(part(report), "");
    }
}
