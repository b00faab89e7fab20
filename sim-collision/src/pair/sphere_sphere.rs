//! Ball against ball.

use crate::{ContactBuf, Posed, RawContact, Shape};
use sim_types::math::normalize3;
use sim_types::{MINVAL, Vec3};

/// One contact between the centres.
#[doc(alias = "mjc_SphereSphere")]
pub fn sphere_sphere(a: &Posed<'_>, b: &Posed<'_>, margin: f64, out: &mut ContactBuf) {
    if let (Shape::Sphere { radius: r1 }, Shape::Sphere { radius: r2 }) = (&a.shape, &b.shape) {
        let first = Ball { centre: a.pos, radius: *r1, axis: a.axis() };
        let second = Ball { centre: b.pos, radius: *r2, axis: b.axis() };
        first.meet(&second, margin, out);
    }
}

/// A ball, and the z axis of the shape it stands for.
pub(super) struct Ball {
    pub(super) centre: Vec3,
    pub(super) radius: f64,
    pub(super) axis: Vec3,
}

impl Ball {
    /// Adds the contact from this ball to the other, if they are within the margin; returns whether they were.
    ///
    /// With equal centres the normal is perpendicular to both axes.
    #[inline(always)]
    pub(super) fn meet(&self, other: &Self, margin: f64, out: &mut ContactBuf) -> bool {
        let mut normal = other.centre - self.centre;
        let dist2 = normal.norm_squared();
        let reach = margin + self.radius + other.radius;
        if dist2 > reach * reach {
            return false;
        }
        let dist = dist2.sqrt() - self.radius - other.radius;
        if normalize3(&mut normal) < MINVAL {
            normal = self.axis.cross(&other.axis);
            normalize3(&mut normal);
        }
        let pos = normal * (self.radius + dist / 2.0) + self.centre;
        out.push(RawContact { dist, pos, normal, tangent: Vec3::zeros() })
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::*;

    #[test]
    fn overlapping_balls() {
        let contacts = run(&at(sphere(0.3), [0.0; 3]), &at(sphere(0.2), [0.4, 0.0, 0.0]), 0.0);
        assert_contacts(&contacts, &[(-0.1, [0.25, 0.0, 0.0], [1.0, 0.0, 0.0])]);
    }

    #[test]
    fn balls_apart_count_within_the_margin() {
        let (a, b) = (at(sphere(0.3), [0.0; 3]), at(sphere(0.2), [0.0, 0.6, 0.0]));
        assert_eq!(run(&a, &b, 0.05).len(), 0);
        assert_contacts(&run(&a, &b, 0.11), &[(0.1, [0.0, 0.35, 0.0], [0.0, 1.0, 0.0])]);
    }

    #[test]
    fn equal_centres_have_a_normal_across_the_axes() {
        let b = turned(sphere(0.2), [0.0; 3], [1.0, 0.0, 0.0], 90.0);
        let contacts = run(&at(sphere(0.3), [0.0; 3]), &b, 0.0);
        assert_contacts(&contacts, &[(-0.5, [0.05, 0.0, 0.0], [1.0, 0.0, 0.0])]);
        let parallel = run(&at(sphere(0.3), [0.0; 3]), &at(sphere(0.2), [0.0; 3]), 0.0);
        assert_contacts(&parallel, &[(-0.5, [0.05, 0.0, 0.0], [1.0, 0.0, 0.0])]);
    }
}
