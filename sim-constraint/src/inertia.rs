//! Products with the inertia: dense when it is small, along the tree when it is large.
//!
//! A small inertia is cheaper whole, zeros included: its rows are groups of four numbers without indices, and the
//! Hessian starts as a copy of it.

use crate::blocks::Blocks;
use crate::kernel::Four;
use crate::lane::Simd;
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
    /// A large inertia of small trees.
    blocks: Blocks,
}

impl Inertia {
    /// Takes the inertia of a problem.
    pub(crate) fn fit(&mut self, p: &Problem<'_>) {
        self.full.clear();
        if !is_dense(p) {
            self.blocks.fit_inertia(p);
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
            let (above, row) = flat.split_at_mut(i * stride);
            for (v, &j) in own.iter().zip(columns) {
                row[j as usize] = *v;
                if let Some(x) = above.get_mut(j as usize * stride + i) {
                    *x = *v;
                }
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
        if !self.full.is_empty() {
            wide::mul_full(&self.full, padded, out);
        } else if !self.blocks.is_empty() {
            self.blocks.mul(x, out);
        } else {
            p.pattern.mul(p.m, x, out);
        }
    }
}

/// `out = a·x` for rows of as many groups as `x` has, padded to a multiple of four.
#[inline(always)]
pub(crate) fn mul_full<T: Simd>(t: T, a: &[Four], x: &[Four], out: &mut [f64]) {
    let nc = x.len();
    let mut first = 0;
    while first < out.len() {
        let rows = &a[first * nc..][..4 * nc];
        let (r0, r1, r2, r3) = (&rows[..nc], &rows[nc..2 * nc], &rows[2 * nc..3 * nc], &rows[3 * nc..]);
        let (mut s0, mut s1, mut s2, mut s3) = (t.splat(0.0), t.splat(0.0), t.splat(0.0), t.splat(0.0));
        for c in 0..nc {
            let v = t.load(&x[c]);
            s0 = t.add_mul(s0, t.load(&r0[c]), v);
            s1 = t.add_mul(s1, t.load(&r1[c]), v);
            s2 = t.add_mul(s2, t.load(&r2[c]), v);
            s3 = t.add_mul(s3, t.load(&r3[c]), v);
        }
        let y = [t.sum(s0), t.sum(s1), t.sum(s2), t.sum(s3)];
        for l in 0..4 {
            if first + l < out.len() {
                out[first + l] = y[l];
            }
        }
        first += 4;
    }
}
