//! Factorizations against nalgebra's, on random matrices and on MuJoCo's own inertia matrices.

use nalgebra::{DMatrix, DVector};
use sim_tests::{Golden, Rng, Tol, assert_close};
use sim_types::linalg::TreeSparse;
use sim_types::linalg::dense::{cholesky, cholesky_solve};

/// Random, symmetric, and positive definite by its heavy diagonal.
fn random_spd(n: usize, rng: &mut Rng) -> DMatrix<f64> {
    let a = DMatrix::from_vec(n, n, rng.vector(n * n));
    &a * a.transpose() + DMatrix::identity(n, n) * 0.1 * n as f64
}

fn row_major(a: &DMatrix<f64>) -> Vec<f64> {
    a.transpose().as_slice().to_vec()
}

#[test]
fn cholesky_in_place_solves_as_nalgebra_does() {
    let mut rng = Rng::new(7);
    for n in 1..=20 {
        let a = random_spd(n, &mut rng);
        let b = rng.vector(n);
        let want = a.clone().cholesky().unwrap().solve(&DVector::from_vec(b.clone()));

        let (mut l, mut x) = (row_major(&a), b);
        cholesky(&mut l, n).unwrap();
        cholesky_solve(&l, &mut x);
        assert_close(&format!("solution of size {n}"), &x, want.as_slice(), Tol::LINALG.scaled(want.as_slice()));
    }
}

/// The solve reads the lower triangle only, so what stays in the upper one does not matter.
#[test]
fn cholesky_ignores_the_upper_triangle() {
    let a = random_spd(6, &mut Rng::new(8));
    let (mut clean, mut dirty) = (row_major(&a), row_major(&a));
    for i in 0..6 {
        for j in i + 1..6 {
            dirty[i * 6 + j] = f64::NAN;
        }
    }
    cholesky(&mut clean, 6).unwrap();
    cholesky(&mut dirty, 6).unwrap();
    let (mut x, mut y) = ([1.0; 6], [1.0; 6]);
    cholesky_solve(&clean, &mut x);
    cholesky_solve(&dirty, &mut y);
    assert_eq!(x, y);
}

/// Pattern and values of the inertia matrix at one golden state.
struct Inertia {
    rownnz: Vec<u32>,
    rowadr: Vec<u32>,
    colind: Vec<u32>,
    values: Vec<f64>,
    dense: DMatrix<f64>,
}

impl Inertia {
    fn of(golden: &Golden, state: &str) -> Self {
        let ids = |field: &str| golden.get("model", field).iter().map(|&x| x as u32).collect::<Vec<_>>();
        let (rownnz, rowadr, colind) = (ids("M_rownnz"), ids("M_rowadr"), ids("M_colind"));
        let n = rownnz.len();
        let dense = DMatrix::from_row_slice(n, n, golden.get(&format!("forward {state}"), "M"));
        let mut values = vec![0.0; colind.len()];
        for i in 0..n {
            for k in rowadr[i]..rowadr[i] + rownnz[i] {
                values[k as usize] = dense[(i, colind[k as usize] as usize)];
            }
        }
        Self { rownnz, rowadr, colind, values, dense }
    }

    fn pattern(&self) -> TreeSparse<'_> {
        TreeSparse { rownnz: &self.rownnz, rowadr: &self.rowadr, colind: &self.colind }
    }
}

/// A hinge, two links, a branching tree, a chain of balls, free bodies with limbs, and every other model.
#[test]
fn sparse_factor_solves_as_dense_cholesky_does() {
    let mut rng = Rng::new(9);
    let mut sizes = Vec::new();
    for golden in Golden::moving().unwrap() {
        for state in &golden.states {
            let inertia = Inertia::of(&golden, state);
            let n = inertia.rownnz.len();
            if n == 0 {
                continue;
            }
            let b = rng.vector(n);
            let want = inertia.dense.clone().cholesky().unwrap().solve(&DVector::from_vec(b.clone()));

            let (mut ld, mut diaginv, mut x) = (inertia.values.clone(), vec![0.0; n], b);
            inertia.pattern().factor(&mut ld, &mut diaginv);
            inertia.pattern().solve(&ld, &diaginv, &mut x);
            assert_close(&golden.label(state, "x"), &x, want.as_slice(), Tol::LINALG.scaled(want.as_slice()));
            sizes.push(n);
        }
    }
    for n in [1, 2, 3, 9, 16] {
        assert!(sizes.contains(&n), "no model with {n} degrees of freedom is left");
    }
}

#[test]
fn sparse_factor_is_mujocos() {
    for golden in Golden::moving().unwrap() {
        for state in &golden.states {
            let inertia = Inertia::of(&golden, state);
            let section = format!("forward {state}");
            let (mut ld, mut diaginv) = (inertia.values.clone(), vec![0.0; inertia.rownnz.len()]);
            inertia.pattern().factor(&mut ld, &mut diaginv);
            for (field, got) in [("qLD", &ld), ("qLDiagInv", &diaginv)] {
                let want = golden.get(&section, field);
                assert_close(&golden.label(&section, field), got, want, Tol::STAGE.scaled(want));
            }
        }
    }
}

#[test]
fn sparse_product_is_the_dense_product() {
    for golden in Golden::moving().unwrap() {
        let inertia = Inertia::of(&golden, "thrown");
        let n = inertia.rownnz.len();
        let x = Rng::new(10).vector(n);
        let want = &inertia.dense * DVector::from_vec(x.clone());
        let mut got = vec![0.0; n];
        inertia.pattern().mul(&inertia.values, &x, &mut got);
        assert_close(&golden.label("thrown", "M·x"), &got, want.as_slice(), Tol::EXACT.scaled(want.as_slice()));
    }
}
