//! Random problems: every solver reaches the same optimum, with forces inside their cones.

#![expect(clippy::unwrap_used, reason = "helpers of tests may unwrap as tests do")]

mod common;

use common::random::{Kind, cost, random};
use common::{Got, Owned};
use proptest::prelude::*;
use sim_constraint::{ContactRows, Mujoco, Settings, Work};
use sim_types::Solver;

fn kinds(nv: std::ops::Range<usize>) -> impl Strategy<Value = Kind> {
    (any::<u64>(), nv, [0..4usize, 0..4, 0..4], 0..6usize, any::<bool>())
        .prop_map(|(seed, nv, scalars, contacts, elliptic)| Kind { seed, nv, scalars, contacts, elliptic })
}

fn settings(solver: Solver) -> Settings {
    Settings { solver, iterations: 20_000, tolerance: 1e-16, ls_tolerance: 1e-3, ..Settings::default() }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The gradient vanishes, up to rounding of the largest force.
fn check_optimum(p: &Owned, got: &Got, what: &str, tolerance: f64) -> f64 {
    let (value, grad) = cost(p, &got.qacc);
    let scale = 1.0 + norm(&got.qfrc_constraint) + norm(&p.qfrc_smooth);
    assert!(norm(&grad) <= tolerance * scale, "{what}: gradient {} of {scale}", norm(&grad));
    value
}

fn check_cones(p: &Owned, got: &Got, what: &str) {
    let [ne, nf, nl, _] = p.sizes;
    for i in ne..ne + nf {
        assert!(got.force[i].abs() <= p.frictionloss[i] * (1.0 + 1e-12), "{what}: friction loss");
    }
    assert!(got.force[ne + nf..ne + nf + nl].iter().all(|&f| f >= 0.0), "{what}: limit pulls");
    for c in &p.contacts {
        let f = &got.force[c.row as usize..][..c.nrow()];
        if c.is_elliptic() {
            let t: f64 = f[1..].iter().zip(&c.friction).map(|(f, mu)| (f / mu).powi(2)).sum();
            assert!(f[0] >= 0.0 && t.sqrt() <= f[0] * (1.0 + 1e-6) + 1e-9, "{what}: {f:?} leaves its cone");
        } else {
            assert!(f.iter().all(|&f| f >= 0.0), "{what}: {f:?} pulls");
        }
    }
}

/// PGS, as MuJoCo has it, leaves an elliptic contact without force alone while its normal residual is positive, though
/// sliding may call for a force.
fn stuck(p: &Owned, pgs: &Got, newton: &Got) -> bool {
    let free = |got: &Got, c: &ContactRows| got.force[c.row as usize] < 1e-9;
    p.contacts.iter().any(|c| c.is_elliptic() && free(pgs, c) && !free(newton, c))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn three_solvers_one_optimum(kind in kinds(1..20)) {
        let p = random(kind);
        let mut work = Work::default();
        let mut values = Vec::new();
        let newton = p.solve(&Mujoco, &settings(Solver::Newton), true, &mut work).unwrap();
        for (solver, tolerance) in [(Solver::Newton, 1e-8), (Solver::Cg, 1e-6), (Solver::Pgs, 1e-5)] {
            let got = p.solve(&Mujoco, &settings(solver), true, &mut work).unwrap();
            check_cones(&p, &got, &format!("{solver:?}"));
            if solver != Solver::Pgs || !stuck(&p, &got, &newton) {
                values.push(check_optimum(&p, &got, &format!("{solver:?}"), tolerance));
            }
        }
        for v in &values {
            prop_assert!((v - values[0]).abs() <= 1e-8 * (1.0 + values[0].abs()), "{:?}", values);
        }
    }

    /// Above the limit of the dense Hessian the sparse one is used; it must find what CG finds.
    #[test]
    fn large_problems_are_solved_sparsely(mut kind in kinds(65..140)) {
        kind.contacts *= 4;
        let p = random(kind);
        let mut work = Work::default();
        let newton = p.solve(&Mujoco, &settings(Solver::Newton), true, &mut work).unwrap();
        let value = check_optimum(&p, &newton, "Newton", 1e-8);
        let cg = p.solve(&Mujoco, &settings(Solver::Cg), true, &mut work).unwrap();
        let other = check_optimum(&p, &cg, "CG", 1e-6);
        prop_assert!((value - other).abs() <= 1e-8 * (1.0 + value.abs()), "{value} {other}");
    }

    /// A workspace that has seen other problems gives the same bits as a new one.
    #[test]
    fn memory_does_not_remember(a in kinds(1..100), b in kinds(1..100)) {
        let (a, b) = (random(a), random(b));
        let mut used = Work::default();
        for solver in [Solver::Newton, Solver::Cg, Solver::Pgs] {
            let opt = Settings { solver, noslip_iterations: 2, ..Settings::default() };
            a.solve(&Mujoco, &opt, true, &mut used).unwrap();
            let one = b.solve(&Mujoco, &opt, true, &mut used).unwrap();
            let two = b.solve(&Mujoco, &opt, true, &mut Work::default()).unwrap();
            prop_assert_eq!(one.qacc, two.qacc);
            prop_assert_eq!(one.force, two.force);
            prop_assert_eq!(one.solved, two.solved);
        }
    }
}
