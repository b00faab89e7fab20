//! The times as text and as a page.

use super::Timing;
use crate::python::MUJOCO;
use std::fmt::Write as _;

/// How many of the slowest are named.
const SLOWEST: usize = 10;

/// What is printed.
pub(super) fn text(timings: &[Timing]) -> String {
    let mut out = String::new();
    let both = both(timings);
    let _ = writeln!(out, "{:>12} {:>12} {:>7}", "ours", "MuJoCo", "ratio");
    for (name, ours, mujoco) in slowest(&both) {
        let _ = writeln!(out, "{} {name}", row(ours, mujoco));
    }
    let (ours, mujoco) = sums(&both);
    let _ = writeln!(out, "{} sum of the {} models that both load", row(ours, mujoco), both.len());
    for (who, alone) in one_sided(timings) {
        for (name, why) in alone {
            let _ = writeln!(out, "only {who}: {name}: {why}");
        }
    }
    let neither = timings.iter().filter(|t| t.ours.is_err() && t.mujoco.is_err()).count();
    let _ = writeln!(out, "{neither} files that neither loads");
    out
}

/// The page in the documentation.
pub(super) fn markdown(timings: &[Timing], rounds: usize) -> String {
    let both = both(timings);
    let (ours, mujoco) = sums(&both);
    let mut out = format!(
        "# Load times\n\nWritten by `cargo xtask bench-load --report`; not edited by hand. Each file is loaded {rounds} times \
         by `sim` and by MuJoCo {MUJOCO}\n(`MjModel.from_xml_path`, its asset cache off), in turn; the best time of each \
         counts.\n\n| models that both load | ours | MuJoCo | ours / MuJoCo |\n|---:|---:|---:|---:|\n\
         | {} | {} | {} | {:.2} |\n\nThe slowest:\n\n| model | ours | MuJoCo | ratio |\n|---|---:|---:|---:|\n",
        both.len(),
        time(ours),
        time(mujoco),
        ours / mujoco
    );
    for (name, ours, mujoco) in slowest(&both) {
        let _ = writeln!(out, "| {name} | {} | {} | {:.2} |", time(ours), time(mujoco), ours / mujoco);
    }
    for (who, alone) in one_sided(timings) {
        let _ = writeln!(out, "\nFiles that only {who} loads: {}.", alone.len());
    }
    out
}

type Row<'a> = (&'a str, f64, f64);

fn both(timings: &[Timing]) -> Vec<Row<'_>> {
    timings.iter().filter_map(|t| Some((t.name.as_str(), *t.ours.as_ref().ok()?, *t.mujoco.as_ref().ok()?))).collect()
}

/// The slowest on our side, slowest first.
fn slowest<'a>(rows: &[Row<'a>]) -> Vec<Row<'a>> {
    let mut rows = rows.to_vec();
    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
    rows.truncate(SLOWEST);
    rows
}

fn sums(rows: &[Row<'_>]) -> (f64, f64) {
    rows.iter().fold((0.0, 0.0), |(a, b), (_, ours, mujoco)| (a + ours, b + mujoco))
}

/// Files that one side refuses, with its reason.
fn one_sided(timings: &[Timing]) -> [(&'static str, Vec<(&str, String)>); 2] {
    let first_line = |why: &String| why.lines().next().unwrap_or_default().to_owned();
    let mut alone = [("we", Vec::new()), ("MuJoCo", Vec::new())];
    for t in timings {
        match (&t.ours, &t.mujoco) {
            (Ok(_), Err(why)) => alone[0].1.push((t.name.as_str(), first_line(why))),
            (Err(why), Ok(_)) => alone[1].1.push((t.name.as_str(), first_line(why))),
            _ => {}
        }
    }
    alone
}

fn row(ours: f64, mujoco: f64) -> String {
    format!("{:>12} {:>12} {:>7.2}", time(ours), time(mujoco), ours / mujoco)
}

fn time(seconds: f64) -> String {
    if seconds < 1.0 { format!("{:.2} ms", 1e3 * seconds) } else { format!("{seconds:.2} s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_side_refuses_is_not_in_the_sum() {
        let timing = |name: &str, ours, mujoco| Timing { name: name.to_owned(), ours, mujoco };
        let timings = [
            timing("a", Ok(0.1), Ok(0.2)),
            timing("b", Ok(5.0), Err("no such file".to_owned())),
            timing("c", Ok(0.2), Ok(0.1)),
            timing("d", Err("bad\nsecond line".to_owned()), Ok(7.0)),
        ];
        let text = text(&timings);
        assert!(text.contains("300.00 ms    300.00 ms    1.00 sum of the 2 models"), "{text}");
        assert!(text.contains("only we: b: no such file") && text.contains("only MuJoCo: d: bad\n"), "{text}");
        assert!(markdown(&timings, 3).contains("| c | 200.00 ms | 100.00 ms | 2.00 |\n| a |"), "slowest first");
    }
}
