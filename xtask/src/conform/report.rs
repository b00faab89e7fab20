//! Verdicts as text: one line each, a table by stage, and the document.

use super::{Kind, Verdict};
use crate::grade::align;
use crate::python::MUJOCO;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The stages in the order of the pipeline.
const STAGES: [&str; 16] = [
    "load",
    "refused",
    "model",
    "kinematics",
    "inertia",
    "tendon",
    "transmission",
    "velocity",
    "passive",
    "actuation",
    "contact",
    "constraint",
    "solution",
    "sensor",
    "energy",
    "step",
];

/// Failures that a line or a document names.
const NAMED: usize = 3;

/// The verdicts on one file or folder.
pub(crate) struct Judged {
    pub(crate) title: String,
    pub(crate) root: PathBuf,
    pub(crate) verdicts: Vec<Verdict>,
}

impl Judged {
    /// Whether everything that was judged agrees.
    pub(crate) fn agrees(&self) -> bool {
        self.verdicts.iter().all(|v| v.kind != Kind::Failed && v.failures.is_empty())
    }

    fn count(&self, kind: Kind) -> usize {
        self.verdicts.iter().filter(|v| v.kind == kind).count()
    }

    /// Fields that agree and fields compared, by stage.
    fn stages(&self) -> BTreeMap<&str, (usize, usize)> {
        let mut sums: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (stage, (passed, total)) in self.verdicts.iter().flat_map(|v| &v.stages) {
            let sum = sums.entry(stage).or_default();
            *sum = (sum.0 + passed, sum.1 + total);
        }
        sums
    }
}

/// One line about one file.
pub(crate) fn line(verdict: &Verdict, root: &Path) -> String {
    let (passed, total) = verdict.stages.values().fold((0, 0), |sum, s| (sum.0 + s.0, sum.1 + s.1));
    let head = match verdict.kind {
        Kind::Judged if verdict.failures.is_empty() => format!("ok    {passed:4}/{total:<4}"),
        Kind::Judged | Kind::Failed => format!("FAIL  {passed:4}/{total:<4}"),
        Kind::NotCovered | Kind::LeftOut => "-              ".to_owned(),
    };
    let mut parts = vec![format!("{head} {}", name(verdict, root))];
    parts.extend((!verdict.why.is_empty()).then(|| verdict.why.clone()));
    parts.extend(verdict.failures.iter().take(NAMED).map(|f| format!("{} {:.1e}", f.field, f.error)));
    parts.join("  ")
}

/// The table by stage, and one sentence.
pub(crate) fn summary(groups: &[Judged]) -> String {
    let mut out = String::new();
    for group in groups {
        let rows: Vec<Vec<String>> = stage_rows(group);
        out.extend([&group.title, "\n", &align(&rows), &sentence(group), "\n"]);
    }
    out
}

/// The whole document.
pub(crate) fn markdown(groups: &[Judged]) -> String {
    let mut out = format!(
        "# Conformance\n\nWritten by `cargo xtask conform --report`; do not edit. Each field is compared with MuJoCo \
         {MUJOCO} on the same states; a field counts as agreeing only if it does at every state of a model.\n"
    );
    for group in groups {
        out.extend(["\n## ", &group.title, "\n\n", &sentence(group)]);
        let rows = stage_rows(group);
        if !rows.is_empty() {
            out.push_str("\n| stage | agree | of | |\n|---|---:|---:|---:|\n");
        }
        for row in rows {
            out.extend(["| ", &row.join(" | "), " |\n"]);
        }
        let bad: Vec<&Verdict> =
            group.verdicts.iter().filter(|v| v.kind == Kind::Failed || !v.failures.is_empty()).collect();
        if !bad.is_empty() {
            out.push_str("\n| differs | where | error | tolerance |\n|---|---|---:|---:|\n");
        }
        for verdict in bad {
            out.push_str(&failure_rows(verdict, &group.root));
        }
    }
    out
}

fn failure_rows(verdict: &Verdict, root: &Path) -> String {
    let name = name(verdict, root);
    if verdict.failures.is_empty() {
        return format!("| {name} | {} | | |\n", verdict.why.replace('|', "/"));
    }
    let row = |f: &super::Failure| format!("| {name} | {} | {:.1e} | {:.1e} |\n", f.field, f.error, f.tolerance);
    verdict.failures.iter().take(NAMED).map(row).collect::<Vec<_>>().concat()
}

fn stage_rows(group: &Judged) -> Vec<Vec<String>> {
    let sums = group.stages();
    let row = |stage: &str| {
        let (passed, total) = sums.get(stage).copied().filter(|s| s.1 > 0)?;
        // rounded down: 100 % means all
        let percent = (1e4 * passed as f64 / total as f64).floor() / 100.0;
        Some(vec![stage.to_owned(), passed.to_string(), total.to_string(), format!("{percent:.2} %")])
    };
    STAGES.iter().filter_map(|stage| row(stage)).collect()
}

fn sentence(group: &Judged) -> String {
    let judged = group.count(Kind::Judged) + group.count(Kind::Failed);
    let full = group.verdicts.iter().filter(|v| v.kind == Kind::Judged && v.failures.is_empty()).count();
    let first = format!("{full} of {judged} models judged agree in every field.");
    let others = [
        (
            group.verdicts.iter().filter(|v| v.partial).count(),
            "of them need a stage that is missing and are judged without what depends on it",
        ),
        (group.count(Kind::NotCovered), "use elements that are not supported yet"),
        (group.count(Kind::LeftOut), "left out, because they use plugins"),
        (group.verdicts.iter().map(|v| v.ill_posed).sum(), "comparisons left out at ill-posed states"),
    ];
    let others = others.iter().filter(|o| o.0 > 0).map(|(count, what)| format!(" {count} {what}."));
    std::iter::once(first).chain(others).chain(["\n".to_owned()]).collect()
}

/// The file relative to its group.
fn name(verdict: &Verdict, root: &Path) -> String {
    let relative = verdict.file.strip_prefix(root).ok().filter(|p| p.iter().next().is_some());
    let fallback = || verdict.file.file_name().map(PathBuf::from).unwrap_or_default();
    relative.map_or_else(fallback, Path::to_owned).to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group() -> Judged {
        let lines = [
            r#"{"file":"/m/a.xml","kind":"judged","why":"","stages":{"load":[1,1],"step":[3,3]},"failures":[],"partial":true,"ill_posed":2}"#,
            r#"{"file":"/m/x/b.xml","kind":"judged","why":"","stages":{"load":[1,1],"step":[2,3]},
                "failures":[{"field":"step.qvel","error":0.5,"tolerance":1e-6}],"ill_posed":0}"#,
            r#"{"file":"/m/c.xml","kind":"not covered","why":"not supported yet: <tendon>"}"#,
            r#"{"file":"/m/d.xml","kind":"failed","why":"exit code 101: crashed","stages":{"load":[0,1]},"failures":[]}"#,
        ];
        let verdicts = lines.iter().map(|l| serde_json::from_str(l).unwrap()).collect();
        Judged { title: "m".into(), root: "/m".into(), verdicts }
    }

    #[test]
    fn a_line_names_the_file_and_its_worst_field() {
        let group = group();
        assert_eq!(line(&group.verdicts[0], &group.root), "ok       4/4    a.xml");
        assert_eq!(line(&group.verdicts[1], &group.root), "FAIL     3/4    x/b.xml  step.qvel 5.0e-1");
        assert_eq!(line(&group.verdicts[2], &group.root), "-               c.xml  not supported yet: <tendon>");
    }

    #[test]
    fn percentages_are_rounded_down() {
        let rows = stage_rows(&group());
        assert_eq!(rows[0], ["load", "2", "3", "66.66 %"]);
        assert_eq!(rows[1], ["step", "5", "6", "83.33 %"]);
    }

    #[test]
    fn the_document_counts_every_kind_of_verdict() {
        let text = markdown(&[group()]);
        let sentence = "1 of 3 models judged agree in every field. 1 of them need a stage that is missing and \
                        are judged without what depends on it. 1 use elements that are not supported yet. \
                        2 comparisons left out at ill-posed states.";
        assert!(text.contains(sentence), "{text}");
        assert!(text.contains("| x/b.xml | step.qvel | 5.0e-1 | 1.0e-6 |"), "{text}");
        assert!(text.contains("| d.xml | exit code 101: crashed | | |"), "{text}");
        assert!(!group().agrees());
    }
}
