//! Newton's method: search directions from the exact Hessian.

use crate::hessian::{Change, Dense, Jacobian};
use crate::inertia::is_dense;
use crate::lane::Simd;
use crate::primal::{Descent, Point};
use crate::problem::Problem;
use crate::sparse::Sparse;
use crate::vector;

/// Hessian and its factor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Newton {
    dense: Dense,
    sparse: Sparse,
}

impl Descent for Newton {
    #[inline(always)]
    fn first<T: Simd>(&mut self, t: T, p: &Problem<'_>, s: &mut Point) {
        self.rebuild(p, s);
        self.direction(t, p, s);
    }

    #[inline(always)]
    fn next<T: Simd>(&mut self, t: T, p: &Problem<'_>, s: &mut Point) {
        let jac = Jacobian { rows: &p.rows, packed: &s.packed };
        let change = Change { old: Some(&s.old), new: &s.state };
        let full_rank = if is_dense(p) {
            self.dense.add_rows(jac, change);
            self.dense.factor(jac, &s.jar, &s.state, s.rows.ncone)
        } else {
            self.sparse.add_rows(jac, change);
            self.sparse.factor(jac, &s.jar, &s.state, s.rows.ncone)
        };
        if !full_rank {
            self.rebuild(p, s);
        }
        self.direction(t, p, s);
    }

    const UPDATES: bool = true;
}

impl Newton {
    /// Assembles the Hessian from nothing.
    fn rebuild(&mut self, p: &Problem<'_>, s: &Point) {
        let jac = Jacobian { rows: &p.rows, packed: &s.packed };
        let change = Change { old: None, new: &s.state };
        if is_dense(p) {
            self.dense.reset(p, s.inertia.full());
            self.dense.add_rows(jac, change);
            self.dense.factor(jac, &s.jar, &s.state, s.rows.ncone);
        } else {
            self.sparse.reset(p);
            self.sparse.add_rows(jac, change);
            self.sparse.factor(jac, &s.jar, &s.state, s.rows.ncone);
        }
    }

    /// `search = −H⁻¹·grad`.
    #[inline(always)]
    fn direction<T: Simd>(&mut self, t: T, p: &Problem<'_>, s: &mut Point) {
        if is_dense(p) {
            vector::negate(t, &s.grad, &mut s.search);
            self.dense.solve(&mut s.search);
        } else {
            let nv = p.nv();
            self.sparse.solve(&s.grad.as_flattened()[..nv], &mut s.mgrad.as_flattened_mut()[..nv]);
            vector::negate(t, &s.mgrad, &mut s.search);
        }
    }

    /// Multiplications of one factorisation, as an estimate.
    pub(crate) fn work(&mut self, p: &Problem<'_>) -> u64 {
        if is_dense(p) { (p.nv() as u64).saturating_pow(3) / 6 } else { self.sparse.work(p) }
    }

    /// Number of entries of the Hessian.
    pub(crate) fn nnz(&self, p: &Problem<'_>) -> usize {
        if is_dense(p) { p.nv() * p.nv() } else { self.sparse.nnz() }
    }
}
