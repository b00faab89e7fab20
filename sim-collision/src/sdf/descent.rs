//! Descent to where two fields overlap.

use sim_types::math::normalize3;
use sim_types::{MAXVAL, Vec3};

use super::field::Field;
use super::pose::Transform;
use crate::convex::{ConvexScratch, rotate_t};

/// Two fields in the frame of the first.
#[derive(Debug)]
pub(super) struct Overlap<'a, 's> {
    /// The field in whose frame points are.
    pub(super) near: Field<'a>,
    /// The other field.
    pub(super) far: Field<'a>,
    /// From the frame of the near field to that of the far one.
    pub(super) to_far: Transform,
    /// Memory for fields that need a search.
    pub(super) scratch: &'s mut ConvexScratch,
}

/// What is made small.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Goal {
    /// The sum of both distances and the size of the larger one: leads into the overlap.
    Overlap,
    /// The larger of both distances: leads to the deepest common point.
    Intersection,
}

impl Overlap<'_, '_> {
    /// Moves `x` down for at most `steps` steps and returns the last value; [`MAXVAL`] when there is no direction.
    #[doc(alias = "stepGradient")]
    pub(super) fn descend(&mut self, goal: Goal, x: &mut Vec3, steps: usize) -> f64 {
        // decrease asked for, and shortest step, of the line search
        const SHARE: f64 = 0.1;
        const SHORTEST: f64 = 1e-4;
        let mut value = MAXVAL;
        for _ in 0..steps {
            let grad = self.gradient(goal, x);
            if grad.iter().any(|g| g.is_nan() || *g > MAXVAL || *g < -MAXVAL) {
                return MAXVAL;
            }
            let start = *x;
            let before = self.value(goal, &start);
            let mut step = 2.0;
            let mut wanted = -SHARE * step * (grad.x * grad.x + grad.y * grad.y + grad.z * grad.z);
            loop {
                step *= 0.5;
                wanted *= 0.5;
                *x = start + grad * -step;
                value = self.value(goal, x);
                let go_on = step > SHORTEST && value - before > wanted;
                if !go_on {
                    break;
                }
            }
            if before < value {
                return value;
            }
        }
        value
    }

    /// Direction across the surface where both distances are equal, out of the near field.
    pub(super) fn middle_normal(&mut self, x: &Vec3) -> Vec3 {
        let mut near = self.near.gradient(x, self.scratch);
        normalize3(&mut near);
        let mut far = self.far_gradient(&self.to_far.apply(x));
        normalize3(&mut far);
        let mut across = near - far;
        normalize3(&mut across);
        across
    }

    fn value(&mut self, goal: Goal, x: &Vec3) -> f64 {
        let (near, far) = self.distances(x);
        let larger = if near > far { near } else { far };
        match goal {
            Goal::Overlap => near + far + larger.abs(),
            Goal::Intersection => larger,
        }
    }

    fn gradient(&mut self, goal: Goal, x: &Vec3) -> Vec3 {
        let (near, far) = self.distances(x);
        let y = self.to_far.apply(x);
        match goal {
            Goal::Intersection if near > far => self.near.gradient(x, self.scratch),
            Goal::Intersection => self.far_gradient(&y),
            Goal::Overlap => {
                let (grad1, grad2) = (self.near.gradient(x, self.scratch), self.far_gradient(&y));
                let (larger, grad) = if near > far { (near, grad1) } else { (far, grad2) };
                grad1 + grad2 + grad * if larger > 0.0 { 1.0 } else { -1.0 }
            }
        }
    }

    fn distances(&mut self, x: &Vec3) -> (f64, f64) {
        let near = self.near.distance(x, self.scratch);
        (near, self.far.distance(&self.to_far.apply(x), self.scratch))
    }

    /// Gradient of the far field at a point of its frame, in the frame of the near one.
    fn far_gradient(&mut self, y: &Vec3) -> Vec3 {
        rotate_t(&self.to_far.mat, &self.far.gradient(y, self.scratch))
    }
}
