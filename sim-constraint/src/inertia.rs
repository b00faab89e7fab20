//! Products with the inertia: dense when it is small, along the tree when it is large.
//!
//! A small inertia is cheaper whole, zeros included: its rows are groups of four numbers without indices, and the
//! Hessian starts as a copy of it.

use crate::blocks::Blocks;
use crate::kernel::Four;
use crate::lane::Simd;
use crate::problem::Problem;

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

    /// `out = M·x`, both padded.
    #[inline(always)]
    pub(crate) fn mul<T: Simd>(&self, t: T, p: &Problem<'_>, x: &[Four], out: &mut [Four]) {
        if !self.full.is_empty() {
            mul_full(t, &self.full, x, out);
        } else if !self.blocks.is_empty() {
            self.blocks.mul(x.as_flattened(), out.as_flattened_mut());
        } else {
            let nv = p.nv();
            p.pattern.mul(p.m, &x.as_flattened()[..nv], &mut out.as_flattened_mut()[..nv]);
        }
    }
}

/// `out = a·x` for rows of as many groups as `x` has, four rows per group.
#[inline(always)]
pub(crate) fn mul_full<T: Simd>(t: T, a: &[Four], x: &[Four], out: &mut [Four]) {
    let nc = x.len();
    for q in 0..out.len() {
        let rows = &a[4 * q * nc..][..4 * nc];
        let (r0, r1, r2, r3) = (&rows[..nc], &rows[nc..2 * nc], &rows[2 * nc..3 * nc], &rows[3 * nc..]);
        let mut s = [t.splat(0.0); 4];
        for c in 0..nc {
            let v = t.load(&x[c]);
            s[0] = t.add_mul(s[0], t.load(&r0[c]), v);
            s[1] = t.add_mul(s[1], t.load(&r1[c]), v);
            s[2] = t.add_mul(s[2], t.load(&r2[c]), v);
            s[3] = t.add_mul(s[3], t.load(&r3[c]), v);
        }
        t.store(t.sums(s), &mut out[q]);
    }
}
