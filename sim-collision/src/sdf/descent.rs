//! Descent to where two fields overlap.

use sim_types::math::normalize3;
use sim_types::{MAXVAL, Vec3};

use super::field::{Field, Memory};
use super::pose::Transform;
use crate::convex::{ConvexScratch, rotate_t};

/// Two fields in the frame of the first.
#[derive(Debug)]
pub(super) struct Overlap<'a, 's> {
    /// The field in whose frame points are.
    near: Field<'a>,
    /// The other field.
    far: Field<'a>,
    /// From the frame of the near field to that of the far one.
    to_far: Transform,
    /// Memory for fields that need a search.
    scratch: &'s mut ConvexScratch,
    /// What both fields remember.
    memory: [Memory; 2],
    /// The last point whose distances were asked for, and these: it is mostly asked for again.
    last: (Vec3, (f64, f64)),
}

/// What is made small.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Goal {
    /// The sum of both distances and the size of the larger one: leads into the overlap.
    Overlap,
    /// The larger of both distances: leads to the deepest common point.
    Intersection,
}

impl<'a, 's> Overlap<'a, 's> {
    /// Two fields; points are in the frame of the near one.
    pub(super) fn new(near: Field<'a>, far: Field<'a>, to_far: Transform, scratch: &'s mut ConvexScratch) -> Self {
        Self { near, far, to_far, scratch, memory: Default::default(), last: (Vec3::repeat(f64::NAN), (0.0, 0.0)) }
    }

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
        let mut near = self.near_gradient(x);
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
            Goal::Intersection if near > far => self.near_gradient(x),
            Goal::Intersection => self.far_gradient(&y),
            Goal::Overlap => {
                let (grad1, grad2) = (self.near_gradient(x), self.far_gradient(&y));
                let (larger, grad) = if near > far { (near, grad1) } else { (far, grad2) };
                grad1 + grad2 + grad * if larger > 0.0 { 1.0 } else { -1.0 }
            }
        }
    }

    fn distances(&mut self, x: &Vec3) -> (f64, f64) {
        if self.last.0 != *x {
            let near = self.near.distance(x, &mut self.memory[0], self.scratch);
            let far = self.far.distance(&self.to_far.apply(x), &mut self.memory[1], self.scratch);
            self.last = (*x, (near, far));
        }
        self.last.1
    }

    fn near_gradient(&mut self, x: &Vec3) -> Vec3 {
        self.near.gradient(x, &mut self.memory[0], self.scratch)
    }

    /// Gradient of the far field at a point of its frame, in the frame of the near one.
    fn far_gradient(&mut self, y: &Vec3) -> Vec3 {
        rotate_t(&self.to_far.mat, &self.far.gradient(y, &mut self.memory[1], self.scratch))
    }
}
