//! Ball against capsule.

use super::sphere_sphere::Ball;
use super::within;
use crate::{ContactBuf, Posed, Shape};

/// One contact with the nearest ball in the capsule.
#[doc(alias = "mjc_SphereCapsule")]
pub fn sphere_capsule(a: &Posed<'_>, b: &Posed<'_>, margin: f64, out: &mut ContactBuf) {
    let (Shape::Sphere { radius: r1 }, Shape::Capsule { radius: r2, half }) = (&a.shape, &b.shape) else { return };
    let axis = b.axis();
    let along = within(axis.dot(&(a.pos - b.pos)), *half);
    let ball = Ball { centre: a.pos, radius: *r1, axis: a.axis() };
    let nearest = Ball { centre: axis * along + b.pos, radius: *r2, axis };
    ball.meet(&nearest, margin, out);
}

#[cfg(test)]
mod tests {
    use crate::testing::*;

    #[test]
    fn beside_and_above() {
        let capsule = at(capsule(0.1, 0.5), [0.0; 3]);
        let beside = run(&at(sphere(0.2), [0.25, 0.0, 0.3]), &capsule, 0.0);
        assert_contacts(&beside, &[(-0.05, [0.075, 0.0, 0.3], [-1.0, 0.0, 0.0])]);
        let above = run(&at(sphere(0.2), [0.0, 0.0, 0.75]), &capsule, 0.0);
        assert_contacts(&above, &[(-0.05, [0.0, 0.0, 0.575], [0.0, 0.0, -1.0])]);
    }
}
