//! Conjugate gradients of Polak and Ribière, preconditioned by the inertia.

use crate::primal::{Descent, Point};
use crate::problem::Problem;
use sim_types::MINVAL;
use sim_types::linalg::dot;

/// Gradients before the last step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cg {
    grad: Vec<f64>,
    mgrad: Vec<f64>,
}

impl Descent for Cg {
    fn first(&mut self, p: &Problem<'_>, s: &mut Point) {
        precondition(p, s);
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
        precondition(p, s);
        let (mut up, mut down) = ([0.0; 4], dot(&self.grad, &self.mgrad));
        for (i, ((g, m), old)) in s.grad.iter().zip(&s.mgrad).zip(&self.mgrad).enumerate() {
            up[i % 4] += g * (m - old);
        }
        if down < MINVAL {
            down = MINVAL;
        }
        let beta = ((up[0] + up[2]) + (up[1] + up[3])) / down;
        let beta = if beta < 0.0 { 0.0 } else { beta };
        for (search, g) in s.search.as_flattened_mut().iter_mut().zip(&s.mgrad) {
            *search = -g + beta * *search;
        }
    }
}

/// `mgrad = M⁻¹·grad`.
fn precondition(p: &Problem<'_>, s: &mut Point) {
    s.mgrad.copy_from_slice(&s.grad);
    p.pattern.solve(p.ld, p.diaginv, &mut s.mgrad);
}
