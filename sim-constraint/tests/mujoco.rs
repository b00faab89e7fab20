//! Every solver against MuJoCo 3.5.0: the same iterates, the same forces, the same statistics.

#![expect(clippy::unwrap_used, reason = "helpers of tests may unwrap as tests do")]

mod common;

use common::{Case, Got, read};
use sim_constraint::{Mujoco, Work};
use sim_types::Solver;

macro_rules! cases {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            compare(stringify!($name), include_str!(concat!("data/", stringify!($name), ".txt")));
        }
    )*};
}

cases! {
    chain
    boxes_pyramidal boxes_elliptic boxes_elliptic_stiff
    roll_pyramidal roll_elliptic
    loop_pyramidal loop_elliptic
    figure_pyramidal figure_elliptic
}

fn compare(file: &str, text: &str) {
    let (p, cases) = read(text);
    let elliptic = p.contacts.iter().any(|c| c.dim > 1 && c.elliptic);
    let mut work = Work::default();
    assert!(!cases.is_empty());
    for case in &cases {
        let label = format!("{file}, {}", case.name);
        let got = p.solve(&Mujoco, &case.settings, true, &mut work).unwrap();
        assert_eq!(got.solved.niter, case.niter, "{label}: iterations");
        close(&label, "qacc", &got.qacc, &case.qacc);
        close(&label, "qfrc_constraint", &got.qfrc_constraint, &case.qfrc_constraint);
        close(&label, "force", &got.force, &case.force);

        // a sliding contact lies on its cone by construction: dual states of elliptic contacts depend on rounding
        let dual = case.settings.solver == Solver::Pgs || case.settings.noslip_iterations > 0;
        if !(dual && elliptic) {
            assert_eq!(got.state, case.state, "{label}: states");
        }
        statistics(&label, &got, case, dual && elliptic);
    }
}

/// Accepts a difference of 1e-9 of the largest number, the rounding that a problem of condition 1e6 leaves.
fn close(label: &str, what: &str, got: &[f64], want: &[f64]) {
    assert_eq!(got.len(), want.len(), "{label}: length of {what}");
    let scale = want.iter().fold(1.0_f64, |a, x| a.max(x.abs()));
    for (i, (g, w)) in got.iter().zip(want).enumerate() {
        assert!((g - w).abs() <= 1e-9 * scale, "{label}: {what}[{i}] is {g}, MuJoCo has {w}");
    }
}

fn statistics(label: &str, got: &Got, case: &Case, rounding: bool) {
    for (i, (g, w)) in got.stat.iter().zip(&case.stat).enumerate() {
        if !rounding {
            assert_eq!((g.nactive, g.nchange), (w.nactive, w.nchange), "{label}: active, changed rows, iteration {i}");
        }
        assert_eq!(g.nupdate, w.nupdate, "{label}: updates, iteration {i}");
        assert_eq!(g.neval, w.neval, "{label}: evaluations, iteration {i}");
        for (g, w) in [(g.improvement, w.improvement), (g.gradient, w.gradient)] {
            assert!((g - w).abs() <= 1e-6 * w.abs() + 1e-9, "{label}: iteration {i}: {g}, MuJoCo has {w}");
        }
    }
}
