//! Results do not depend on the CPU: whatever is computed for AVX2 has the bits of what every CPU computes.
//!
//! On a CPU without AVX2 both ways are the same one, and there is nothing to compare.

use super::*;
use crate::problem::{Settings, SolverStat};
use crate::{ContactSolver, ForceWork, Mujoco, Work, XpbdSolver, forces};
use common::random::{Kind, pile, random};
use common::{Got, Owned};
use sim_types::Solver;
use std::cell::Cell;

#[path = "../../tests/common/mod.rs"]
mod common;

thread_local! {
    /// Whether this thread is to do without AVX2.
    pub(super) static PLAIN: Cell<bool> = const { Cell::new(false) };
}

/// The result for AVX2, and for every CPU.
fn both<R>(mut compute: impl FnMut() -> R) -> [R; 2] {
    [false, true].map(|plain| {
        PLAIN.set(plain);
        let result = compute();
        PLAIN.set(false);
        result
    })
}

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

/// Sizes around those of groups, and around the limit between dense and sparse.
const SIZES: [usize; 14] = [1, 2, 3, 4, 5, 7, 8, 13, 27, 40, 63, 64, 65, 101];

#[test]
fn the_switch_takes_avx2_away() {
    let seen = both(|| {
        #[cfg(target_arch = "x86_64")]
        return avx2();
        #[cfg(not(target_arch = "x86_64"))]
        return false;
    });
    #[cfg(target_arch = "x86_64")]
    assert_eq!(seen, [std::arch::is_x86_feature_detected!("avx2"), false]);
    #[cfg(not(target_arch = "x86_64"))]
    assert_eq!(seen, [false; 2]);
}

/// Every operation on four numbers, also on zeros with a sign, infinities and what is not a number.
#[cfg(target_arch = "x86_64")]
#[test]
fn operations_of_both_registers_agree() {
    fn all<T: Simd>(t: T, x: &Four, y: &Four) -> Vec<f64> {
        let mut out = Vec::new();
        let (a, b) = (t.load(x), t.load(y));
        let results = [
            t.add(a, b),
            t.sub(a, b),
            t.mul(a, b),
            t.add_mul(a, b, t.splat(x[1])),
            t.sub_mul(a, b, t.splat(y[2])),
            t.where_negative(a, b),
            t.unless_positive(a, b),
            t.sums([a, b, t.add(a, b), t.mul(a, b)]),
        ];
        for v in results {
            let mut four = [0.0; 4];
            t.store(v, &mut four);
            out.extend(four);
        }
        let many = [x.as_slice(), y].concat();
        for n in 0..=5 {
            let mut part = [7.0; 5];
            t.store_part(t.load_part(&many[..n]), &mut part[..n]);
            out.extend(part);
            let mut four = [7.0; 4];
            t.store(t.load_part(&many[..n]), &mut four);
            out.extend(four);
        }
        out.extend([t.sum(a), t.not_positive(a) as f64]);
        out
    }
    if !avx2() {
        return;
    }
    // SAFETY: the CPU has AVX2, so it has AVX
    let token = unsafe { Avx::new() };
    let special = [0.0, -0.0, 1.5, -2.5e-308, 1e300, -1e300, f64::INFINITY, f64::NAN, 3e-324, 0.1];
    let pick = |i: usize| special[i % special.len()];
    for i in 0..1000 {
        let x = [pick(i), pick(i / 3), pick(i / 7 + 1), pick(i / 11 + 5)];
        let y = [pick(i / 10), pick(i / 5 + 2), pick(i + 4), pick(i / 100)];
        // which of two NaN a sum keeps is left open, so only that it is one counts
        let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
        let (wide, plain) = (all(token, &x, &y), all(Plain, &x, &y));
        assert!(wide.iter().zip(&plain).all(same), "{x:?} {y:?}\n{wide:?}\n{plain:?}");
    }
}

#[test]
fn factors_have_the_same_bits() {
    for n in SIZES {
        let nc = usize::div_ceil(n, 4);
        let value = |i: usize, j: usize| {
            if i == j { 3.0 + n as f64 } else { ((7 * i + 11 * j) % 13) as f64 / 13.0 - 0.3 }
        };
        let mut h = vec![[0.0; 4]; 4 * nc * nc];
        for i in 0..4 * nc {
            for j in i..4 * nc {
                h[i * nc + j / 4][j % 4] = value(i, j);
            }
        }
        let [wide, plain] = both(|| {
            let (mut u, mut inv) = (vec![[0.0; 4]; h.len()], vec![0.0; 4 * nc]);
            let mut x: Vec<Four> = (0..nc).map(|g| std::array::from_fn(|k| (g * 4 + k) as f64 - 5.5)).collect();
            assert!(cholesky(&h, &mut u, &mut inv, nc));
            cholesky_solve(&u, &inv, &mut x, nc);
            [bits(u.as_flattened()), bits(&inv), bits(x.as_flattened())]
        });
        assert_eq!(wide, plain, "{n}");
    }
}

/// Everything that a solve gives, in bits.
fn solution(got: &Got) -> (Vec<u64>, Vec<i32>) {
    let Got { qacc, qfrc_constraint, force, state, stat, solved } = got;
    let mut numbers = [bits(qacc), bits(qfrc_constraint), bits(force)].concat();
    let mut counts = state.clone();
    for SolverStat { improvement, gradient, lineslope, nactive, nchange, neval, nupdate } in stat {
        numbers.extend(bits(&[*improvement, *gradient, *lineslope]));
        counts.extend([nactive, nchange, neval, nupdate]);
    }
    counts.extend([solved.niter as i32, i32::from(solved.converged)]);
    (numbers, counts)
}

#[track_caller]
fn compare<S: ContactSolver>(p: &Owned, solver: &S, opt: &Settings, label: &str) -> Got {
    let [wide, plain] = both(|| p.solve(solver, opt, true, &mut Work::default()).unwrap());
    assert_eq!(solution(&wide), solution(&plain), "{label}");
    wide
}

/// All of MuJoCo's solvers, noslip after each of them, and XPBD.
fn compare_all(p: &Owned, label: &str) {
    for solver in [Solver::Newton, Solver::Cg, Solver::Pgs] {
        for noslip_iterations in [0, 3] {
            let opt = Settings { solver, noslip_iterations, iterations: 30, tolerance: 1e-12, ..Settings::default() };
            let got = compare(p, &Mujoco, &opt, &format!("{label}, {solver:?}, noslip {noslip_iterations}"));
            assert!(
                got.solved.niter > 0 && got.force.iter().any(|f| *f != 0.0),
                "{label}, {solver:?}: nothing to solve"
            );
        }
    }
    compare(p, &XpbdSolver { iterations: 10 }, &Settings::default(), &format!("{label}, XPBD"));
}

#[test]
fn whole_solves_have_the_same_bits() {
    for (k, nv) in SIZES.into_iter().enumerate() {
        for elliptic in [false, true] {
            // few rows, and more than PGS takes as one matrix
            for contacts in [3, 50] {
                let kind = Kind { seed: 17 + k as u64, nv, scalars: [2, 3, 2], contacts, elliptic };
                compare_all(&random(kind), &format!("{kind:?}"));
            }
        }
    }
}

/// Inertias of free bodies are blocks above the limit of the dense Hessian.
#[test]
fn piles_of_free_bodies_have_the_same_bits() {
    for bodies in [1, 3, 11, 25] {
        compare_all(&pile(bodies, 4), &format!("{bodies} bodies"));
    }
}

/// A problem as MuJoCo makes it: a figure that stands, with equalities, dry friction, limits and contacts.
#[test]
fn models_have_the_same_bits() {
    let files = [
        include_str!("../../tests/data/figure_pyramidal.txt"),
        include_str!("../../tests/data/figure_elliptic.txt"),
        include_str!("../../tests/data/roll_elliptic.txt"),
        include_str!("../../tests/data/loop_pyramidal.txt"),
    ];
    for (k, text) in files.into_iter().enumerate() {
        compare_all(&common::read(text).0, &format!("file {k}"));
    }
}

/// The constraint side of inverse dynamics.
#[test]
fn forces_at_an_acceleration_have_the_same_bits() {
    for (k, nv) in SIZES.into_iter().enumerate() {
        for elliptic in [false, true] {
            let p = random(Kind { seed: k as u64, nv, scalars: [2, 3, 2], contacts: 9, elliptic });
            let (view, n) = (p.view(), p.sizes[3]);
            let [wide, plain] = both(|| {
                let (mut force, mut state, mut qfrc) = (vec![0.0; n], vec![0; n], vec![0.0; nv]);
                let mut work = ForceWork::default();
                let cost = forces(&view.rows, &p.warm, &mut force, &mut state, &mut qfrc, &mut work);
                assert!(cost > 0.0 && force.iter().any(|f| *f != 0.0));
                (bits(&force), state, bits(&qfrc), cost.to_bits())
            });
            assert_eq!(wide, plain, "{nv}, elliptic {elliptic}");
        }
    }
}
