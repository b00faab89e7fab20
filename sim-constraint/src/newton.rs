//! Newton's method: search directions from the exact Hessian.

use crate::hessian::{Change, Dense, Jacobian};
use crate::inertia::{DENSE, is_dense};
use crate::primal::{Descent, Point};
use crate::problem::Problem;
use crate::sparse::Sparse;

/// Hessian and its factor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Newton {
    dense: Dense,
    sparse: Sparse,
}

impl Descent for Newton {
    fn first(&mut self, p: &Problem<'_>, s: &mut Point) {
        self.rebuild(p, s);
        self.direction(s);
    }

    fn next(&mut self, p: &Problem<'_>, s: &mut Point) {
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
        self.direction(s);
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

    fn direction(&mut self, s: &mut Point) {
        if s.grad.len() <= DENSE {
            self.dense.solve(&s.grad, &mut s.mgrad);
        } else {
            self.sparse.solve(&s.grad, &mut s.mgrad);
        }
        for (search, g) in s.search.as_flattened_mut().iter_mut().zip(&s.mgrad) {
            *search = -g;
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
