//! Products with the inertia: dense when it is small, along the tree when it is large.
//!
//! A small inertia is cheaper whole, zeros included: its rows are groups of four numbers without indices, and the
//! Hessian starts as a copy of it.

use crate::kernel::{Four, sum4};
use crate::problem::Problem;
use crate::wide;

/// Number of dofs up to which matrices are dense.
pub(crate) const DENSE: usize = 64;

/// True when the matrices of a problem are dense.
pub(crate) fn is_dense(p: &Problem<'_>) -> bool {
    p.nv() <= DENSE
}

/// The whole symmetric inertia by rows of groups, padded with ones on the diagonal; empty when it is large.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inertia {
    full: Vec<Four>,
}

impl Inertia {
    /// Takes the inertia of a problem.
    pub(crate) fn fit(&mut self, p: &Problem<'_>) {
        self.full.clear();
        if !is_dense(p) {
            return;
        }
        let n = p.nv();
        let nc = n.div_ceil(4);
        self.full.resize(4 * nc * nc, [0.0; 4]);
        let stride = 4 * nc;
        let flat = self.full.as_flattened_mut();
        for i in 0..n {
            let (adr, nnz) = (p.pattern.rowadr[i] as usize, p.pattern.rownnz[i] as usize);
            let (own, columns) = (&p.m[adr..adr + nnz], &p.pattern.colind[adr..adr + nnz]);
            for (v, &j) in own.iter().zip(columns) {
                flat[i * stride + j as usize] = *v;
                flat[j as usize * stride + i] = *v;
            }
        }
        for i in n..stride {
            flat[i * stride + i] = 1.0;
        }
    }

    /// The rows of a small inertia.
    pub(crate) fn full(&self) -> &[Four] {
        &self.full
    }

    /// `out = M·x`; `padded` holds `x` in groups.
    pub(crate) fn mul(&self, p: &Problem<'_>, x: &[f64], padded: &[Four], out: &mut [f64]) {
        if self.full.is_empty() {
            p.pattern.mul(p.m, x, out);
        } else {
            wide::mul_full(&self.full, padded, out);
        }
    }
}

/// `out = a·x` for rows of as many groups as `x` has, padded to a multiple of four.
#[inline(always)]
pub(crate) fn mul_full(a: &[Four], x: &[Four], out: &mut [f64]) {
    let nc = x.len();
    if nc == 0 {
        return;
    }
    let mut first = 0;
    while first < out.len() {
        let rows = &a[first * nc..][..4 * nc];
        let (r0, r1, r2, r3) = (&rows[..nc], &rows[nc..2 * nc], &rows[2 * nc..3 * nc], &rows[3 * nc..]);
        let mut s = [[0.0; 4]; 4];
        for c in 0..nc {
            for l in 0..4 {
                s[0][l] += r0[c][l] * x[c][l];
                s[1][l] += r1[c][l] * x[c][l];
                s[2][l] += r2[c][l] * x[c][l];
                s[3][l] += r3[c][l] * x[c][l];
            }
        }
        for l in 0..4 {
            if first + l < out.len() {
                out[first + l] = sum4(s[l]);
            }
        }
        first += 4;
    }
}
