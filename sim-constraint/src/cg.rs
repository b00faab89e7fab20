//! Conjugate gradients of Polak and Ribière, preconditioned by the inertia.

use crate::blocks::Blocks;
use crate::kernel::Four;
use crate::lane::Simd;
use crate::primal::{Descent, Point};
use crate::problem::Problem;
use crate::vector;
use sim_types::MINVAL;

/// Gradients before the last step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cg {
    grad: Vec<Four>,
    mgrad: Vec<Four>,
    /// Inverse of the inertia, where its trees are small.
    inverse: Blocks,
}

impl Descent for Cg {
    #[inline(always)]
    fn first<T: Simd>(&mut self, _t: T, p: &Problem<'_>, s: &mut Point) {
        self.inverse.fit_inverse(p);
        self.precondition(p, s);
        for (search, g) in s.search.as_flattened_mut().iter_mut().zip(s.mgrad.as_flattened()) {
            *search = -g;
        }
    }

    #[inline(always)]
    fn save(&mut self, s: &mut Point) {
        self.grad.resize(s.grad.len(), [0.0; 4]);
        self.mgrad.resize(s.mgrad.len(), [0.0; 4]);
        std::mem::swap(&mut self.grad, &mut s.grad);
        std::mem::swap(&mut self.mgrad, &mut s.mgrad);
    }

    #[inline(always)]
    fn next<T: Simd>(&mut self, t: T, p: &Problem<'_>, s: &mut Point) {
        self.precondition(p, s);
        let [up, mut down] = vector::polak_ribiere(t, [&s.grad, &self.grad], [&s.mgrad, &self.mgrad]);
        if down < MINVAL {
            down = MINVAL;
        }
        let beta = up / down;
        let beta = if beta < 0.0 { 0.0 } else { beta };
        for (search, g) in s.search.as_flattened_mut().iter_mut().zip(s.mgrad.as_flattened()) {
            *search = -g + beta * *search;
        }
    }
}

impl Cg {
    /// `mgrad = M⁻¹·grad`.
    fn precondition(&self, p: &Problem<'_>, s: &mut Point) {
        if self.inverse.is_empty() {
            s.mgrad.copy_from_slice(&s.grad);
            p.pattern.solve(p.ld, p.diaginv, &mut s.mgrad.as_flattened_mut()[..p.nv()]);
        } else {
            // blocks may end before the padding, which may hold numbers of another problem
            if let Some(last) = s.mgrad.last_mut() {
                *last = [0.0; 4];
            }
            self.inverse.mul(s.grad.as_flattened(), s.mgrad.as_flattened_mut());
        }
    }
}
