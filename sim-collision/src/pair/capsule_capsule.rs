//! Capsule against capsule.

use super::sphere_sphere::Ball;
use crate::{ContactBuf, Posed, Shape};
use sim_types::math::clip;
use sim_types::{MINVAL, Vec3};

/// One contact at the nearest points of the two segments; up to two, at ends, when these are parallel.
#[doc(alias = "mjc_CapsuleCapsule")]
pub fn capsule_capsule(a: &Posed<'_>, b: &Posed<'_>, margin: f64, out: &mut ContactBuf) {
    let (Shape::Capsule { radius: r1, half: h1 }, Shape::Capsule { radius: r2, half: h2 }) = (&a.shape, &b.shape)
    else {
        return;
    };
    let (axis1, axis2) = (a.axis(), b.axis());
    let (half1, half2) = (axis1 * *h1, axis2 * *h2);
    let meet = |x1: f64, x2: f64, out: &mut ContactBuf| {
        let first = Ball { centre: half1 * x1 + a.pos, radius: *r1, axis: axis1 };
        let second = Ball { centre: half2 * x2 + b.pos, radius: *r2, axis: axis2 };
        usize::from(first.meet(&second, margin, out))
    };

    let s = Segments::new(&half1, &half2, &(a.pos - b.pos));
    if let Some((x1, x2)) = s.nearest() {
        meet(x1, x2, out);
        return;
    }

    // parallel: ends of the first, then ends of the second, until two contacts are found
    let mut count = meet(1.0, s.second_at(1.0), out) + meet(-1.0, s.second_at(-1.0), out);
    for x2 in [1.0, -1.0] {
        if count < 2 {
            count += meet(s.first_at(x2), x2, out);
        }
    }
}

/// Two segments through their middles: the nearest points solve a 2×2 system in x₁, x₂ ∈ [−1, 1].
struct Segments {
    aa: f64,
    ab: f64,
    bb: f64,
    u: f64,
    v: f64,
}

impl Segments {
    fn new(half1: &Vec3, half2: &Vec3, offset: &Vec3) -> Self {
        Self {
            aa: half1.dot(half1),
            ab: -half1.dot(half2),
            bb: half2.dot(half2),
            u: -half1.dot(offset),
            v: half2.dot(offset),
        }
    }

    /// Parameters of the nearest points; none for parallel segments.
    fn nearest(&self) -> Option<(f64, f64)> {
        let det = self.aa * self.bb - self.ab * self.ab;
        if det.abs() < MINVAL {
            return None;
        }
        let mut x1 = (self.bb * self.u - self.ab * self.v) / det;
        let mut x2 = (self.aa * self.v - self.ab * self.u) / det;
        if x1 > 1.0 {
            x1 = 1.0;
            x2 = (self.v - self.ab) / self.bb;
        } else if x1 < -1.0 {
            x1 = -1.0;
            x2 = (self.v + self.ab) / self.bb;
        }
        if x2 > 1.0 {
            x2 = 1.0;
            x1 = self.first_at(1.0);
        } else if x2 < -1.0 {
            x2 = -1.0;
            x1 = self.first_at(-1.0);
        }
        Some((x1, x2))
    }

    /// The point of the first segment nearest to an end of the second.
    fn first_at(&self, x2: f64) -> f64 {
        ratio(self.u - x2 * self.ab, self.aa)
    }

    /// The point of the second segment nearest to an end of the first.
    fn second_at(&self, x1: f64) -> f64 {
        ratio(self.v - x1 * self.ab, self.bb)
    }
}

/// The quotient within [−1, 1]; the middle of a segment without length.
fn ratio(a: f64, b: f64) -> f64 {
    if b == 0.0 { 0.0 } else { clip(a / b, -1.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use crate::testing::*;

    #[test]
    fn a_cross_touches_in_the_middle() {
        let a = at(capsule(0.1, 0.5), [0.0; 3]);
        let b = turned(capsule(0.2, 0.5), [0.25, 0.0, 0.1], [1.0, 0.0, 0.0], 90.0);
        assert_contacts(&run(&a, &b, 0.0), &[(-0.05, [0.075, 0.0, 0.1], [1.0, 0.0, 0.0])]);
    }

    #[test]
    fn ends_meet_along_one_line() {
        // the axes differ by an angle: no parallel case
        let a = at(capsule(0.1, 0.5), [0.0; 3]);
        let b = turned(capsule(0.1, 0.5), [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], 60.0);
        let contacts = run(&a, &b, 0.5);
        assert_eq!(contacts.len(), 1);
        let end = (0.5_f64.powi(2) + 0.5_f64.powi(2) - 2.0 * 0.25 * 0.5).sqrt();
        assert!(contacts[0].dist <= end - 0.2 + 1e-12);
    }

    #[test]
    fn parallel_capsules_touch_at_two_ends() {
        let a = at(capsule(0.1, 0.5), [0.0; 3]);
        let b = at(capsule(0.1, 0.5), [0.15, 0.0, 0.2]);
        let x = [1.0, 0.0, 0.0];
        assert_contacts(&run(&a, &b, 0.0), &[(-0.05, [0.075, 0.0, 0.5], x), (-0.05, [0.075, 0.0, -0.3], x)]);
    }

    #[test]
    fn a_capsule_without_length_is_a_ball() {
        let a = at(capsule(0.1, 0.0), [0.0; 3]);
        let b = at(capsule(0.1, 0.5), [0.15, 0.0, 0.2]);
        let contacts = run(&a, &b, 0.0);
        assert!(!contacts.is_empty());
        assert_contacts(&contacts[..1], &[(-0.05, [0.075, 0.0, 0.0], [1.0, 0.0, 0.0])]);
    }
}
