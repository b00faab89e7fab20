//! Conjugate gradients of Polak and Ribière, preconditioned by the inertia.

use crate::blocks::Blocks;
use crate::primal::{Descent, Point};
use crate::problem::Problem;
use crate::wide;
use sim_types::MINVAL;

/// Gradients before the last step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cg {
    grad: Vec<f64>,
    mgrad: Vec<f64>,
    /// Inverse of the inertia, where its trees are small.
    inverse: Blocks,
}

impl Descent for Cg {
    fn first(&mut self, p: &Problem<'_>, s: &mut Point) {
        self.inverse.fit_inverse(p);
        self.precondition(p, s);
        for (search, g) in s.search.as_flattened_mut().iter_mut().zip(&s.mgrad) {
            *search = -g;
        }
    }

    fn save(&mut self, s: &mut Point) {
        self.grad.resize(s.grad.len(), 0.0);
        self.mgrad.resize(s.mgrad.len(), 0.0);
        std::mem::swap(&mut self.grad, &mut s.grad);
        std::mem::swap(&mut self.mgrad, &mut s.mgrad);
    }

    fn next(&mut self, p: &Problem<'_>, s: &mut Point) {
        self.precondition(p, s);
        let [up, mut down] = wide::polak_ribiere([&s.grad, &self.grad], [&s.mgrad, &self.mgrad]);
        if down < MINVAL {
            down = MINVAL;
        }
        let beta = up / down;
        let beta = if beta < 0.0 { 0.0 } else { beta };
        for (search, g) in s.search.as_flattened_mut().iter_mut().zip(&s.mgrad) {
            *search = -g + beta * *search;
        }
    }
}

impl Cg {
    /// `mgrad = M⁻¹·grad`.
    fn precondition(&self, p: &Problem<'_>, s: &mut Point) {
        if self.inverse.is_empty() {
            s.mgrad.copy_from_slice(&s.grad);
            p.pattern.solve(p.ld, p.diaginv, &mut s.mgrad);
        } else {
            self.inverse.mul(&s.grad, &mut s.mgrad);
        }
    }
}
