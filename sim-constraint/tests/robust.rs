//! Bad input gives an error that names its place, or a finite result; never a panic, never an endless loop.

#![expect(clippy::unwrap_used, reason = "helpers of tests may unwrap as tests do")]

mod common;

use common::Owned;
use common::random::{Kind, random};
use proptest::prelude::*;
use sim_constraint::{ContactSolver, Mujoco, Settings, SolveError, Work, XpbdSolver};
use sim_types::Solver;

const KIND: Kind = Kind { seed: 5, nv: 9, scalars: [2, 2, 2], contacts: 4, elliptic: true };
const SOLVERS: [Solver; 3] = [Solver::Newton, Solver::Cg, Solver::Pgs];

fn with(solver: Solver) -> Settings {
    Settings { solver, noslip_iterations: 2, ..Settings::default() }
}

#[test]
fn no_rows_gives_the_smooth_acceleration() {
    let p = random(Kind { scalars: [0; 3], contacts: 0, ..KIND });
    for solver in SOLVERS {
        let got = p.solve(&Mujoco, &with(solver), true, &mut Work::default()).unwrap();
        assert_eq!(got.qacc, p.qacc_smooth);
        assert_eq!((got.solved.niter, got.solved.converged), (0, true));
    }
}

#[test]
fn no_dofs_is_a_problem_too() {
    let p = Owned { scale: 1.0, ..Owned::default() };
    assert!(p.solve(&Mujoco, &with(Solver::Newton), true, &mut Work::default()).is_ok());
}

#[test]
fn nan_force_names_its_dof() {
    for solver in SOLVERS {
        let mut p = random(KIND);
        p.qfrc_smooth[3] = f64::NAN;
        let got = p.solve(&Mujoco, &with(solver), false, &mut Work::default());
        assert!(!matches!(&got, Err(e) if *e != SolveError::BadDof { dof: 3 }), "{solver:?}: {got:?}");
        p.qacc_smooth[3] = f64::NAN;
        let got = p.solve(&Mujoco, &with(solver), true, &mut Work::default());
        assert_eq!(got.err(), Some(SolveError::BadDof { dof: 3 }), "{solver:?}");
    }
}

#[test]
fn nan_reference_names_its_row() {
    for solver in SOLVERS {
        let mut p = random(KIND);
        p.aref[1] = f64::NAN;
        let got = p.solve(&Mujoco, &with(solver), true, &mut Work::default());
        assert_eq!(got.err(), Some(SolveError::BadRow { row: 1 }), "{solver:?}");
    }
}

#[test]
fn zero_inertia_is_an_error_or_finite() {
    for solver in SOLVERS {
        let mut p = random(KIND);
        p.m.fill(0.0);
        p.complete();
        if let Err(e) = p.solve(&Mujoco, &with(solver), true, &mut Work::default()) {
            assert_eq!(e, SolveError::BadDof { dof: 0 }, "{solver:?}");
        }
    }
}

#[test]
fn inconsistent_arrays_are_named() {
    let breaks: [fn(&mut Owned); 8] = [
        |p| p.colind[3] = 99,
        |p| p.colind[3] = u32::MAX,
        |p| p.rownnz[4] += 1000,
        |p| p.aref.truncate(2),
        |p| p.contacts[1].dim = 5,
        |p| p.contacts[1].row += 1,
        |p| p.sizes[3] -= 1,
        |p| p.m_colind[2] = 77,
    ];
    for (k, broken) in breaks.iter().enumerate() {
        for solver in SOLVERS {
            let mut p = random(KIND);
            broken(&mut p);
            let got = p.solve(&Mujoco, &with(solver), true, &mut Work::default());
            assert!(matches!(got, Err(SolveError::Shape { .. })), "{k}, {solver:?}: {got:?}");
            let got = p.solve(&XpbdSolver::default(), &with(solver), true, &mut Work::default());
            assert!(matches!(got, Err(SolveError::Shape { .. })), "{k}, XPBD: {got:?}");
        }
    }
}

#[test]
fn strict_reports_and_gives_no_forces() {
    let p = random(Kind { nv: 18, contacts: 8, ..KIND });
    for solver in SOLVERS {
        let opt = Settings { solver, iterations: 1, tolerance: 1e-15, strict: true, ..Settings::default() };
        let got = p.solve(&Mujoco, &opt, false, &mut Work::default()).unwrap();
        assert_eq!((got.solved.niter, got.solved.converged), (1, false), "{solver:?}");
        assert!(got.force.iter().all(|&f| f == 0.0), "{solver:?}");
        assert_eq!(got.qacc, p.qacc_smooth, "{solver:?}");
        let relaxed = Settings { iterations: 5000, tolerance: 1e-12, ..opt };
        let got = p.solve(&Mujoco, &relaxed, false, &mut Work::default()).unwrap();
        assert!(got.solved.converged && got.force.iter().any(|&f| f != 0.0), "{solver:?}");
    }
}

#[test]
fn solvers_can_be_switched_at_run_time() {
    let p = random(KIND);
    let solvers: [Box<dyn ContactSolver>; 2] = [Box::new(Mujoco), Box::new(XpbdSolver { iterations: 100 })];
    let mut work = Work::default();
    let direct = p.solve(&Mujoco, &Settings::default(), true, &mut Work::default()).unwrap();
    for _ in 0..2 {
        let boxed = p.solve(&solvers[0], &Settings::default(), true, &mut work).unwrap();
        assert_eq!(boxed.qacc, direct.qacc);
        let xpbd = p.solve(&solvers[1], &Settings::default(), true, &mut work).unwrap();
        assert_eq!(xpbd.solved.niter, 100);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn one_bad_number_anywhere(
        (seed, place, bad) in (any::<u64>(), any::<u32>(), 0..5usize),
        elliptic in any::<bool>(),
    ) {
        let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, 0.0][bad];
        let mut p = random(Kind { seed, elliptic, ..KIND });
        let arrays = [&mut p.j, &mut p.d, &mut p.r, &mut p.aref, &mut p.m, &mut p.qfrc_smooth, &mut p.warm];
        let n = arrays.len();
        let array = arrays.into_iter().nth(place as usize % n).unwrap();
        let at = place as usize / n % array.len();
        array[at] = bad;
        p.complete();
        for solver in SOLVERS {
            if let Ok(got) = p.solve(&Mujoco, &with(solver), true, &mut Work::default()) {
                prop_assert!(got.qacc.iter().chain(&got.force).all(|x| x.is_finite()));
            }
        }
        if let Ok(got) = p.solve(&XpbdSolver::default(), &with(Solver::Newton), true, &mut Work::default()) {
            prop_assert!(got.qacc.iter().chain(&got.force).all(|x| x.is_finite()));
        }
    }

    /// Coulomb friction on sticking contacts is the convex optimum; on others it stays in its cone.
    #[test]
    fn xpbd_satisfies_equalities_and_cones(seed in any::<u64>(), elliptic in any::<bool>()) {
        // sweeps over equalities alone converge
        let p = random(Kind { seed, elliptic, scalars: [2, 0, 0], contacts: 0, ..KIND });
        let got = p.solve(&XpbdSolver { iterations: 3000 }, &Settings::default(), true, &mut Work::default()).unwrap();
        let rows = p.view().rows;
        for i in 0..2 {
            let (j, c) = rows.row(i);
            let residual = j.iter().zip(c).map(|(j, &c)| j * got.qacc[c as usize]).sum::<f64>() - p.aref[i];
            prop_assert!((residual + p.r[i] * got.force[i]).abs() < 1e-6, "row {i}: {residual}");
        }

        let p = random(Kind { seed, elliptic, scalars: [2, 1, 2], ..KIND });
        let got = p.solve(&XpbdSolver { iterations: 100 }, &Settings::default(), true, &mut Work::default()).unwrap();
        for c in &p.contacts {
            let f = &got.force[c.row as usize..][..c.nrow()];
            if c.is_elliptic() {
                let t: f64 = f[1..].iter().zip(&c.friction).map(|(f, mu)| (f / mu).powi(2)).sum();
                prop_assert!(f[0] >= 0.0 && t.sqrt() <= f[0] * (1.0 + 1e-9) + 1e-12);
            } else {
                prop_assert!(f.iter().all(|&f| f >= 0.0));
            }
        }
    }
}
