//! Plane against capsule.

use super::plane_sphere::plane_ball;
use crate::{ContactBuf, Posed, RawContact, Shape};

/// One contact per end, the end in direction of the axis first; the first tangent follows the axis.
#[doc(alias = "mjc_PlaneCapsule")]
pub fn plane_capsule(a: &Posed<'_>, b: &Posed<'_>, margin: f64, out: &mut ContactBuf) {
    let (Shape::Plane { .. }, Shape::Capsule { radius, half }) = (&a.shape, &b.shape) else { return };
    let (normal, axis) = (a.axis(), b.axis());
    let segment = axis * *half;
    for end in [b.pos + segment, b.pos - segment] {
        if let Some(contact) = plane_ball(&a.pos, &normal, &end, *radius, margin) {
            out.push(RawContact { tangent: axis, ..contact });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::*;
    use sim_types::Vec3;

    #[test]
    fn a_lying_capsule_has_two_contacts_and_tangents_along_its_axis() {
        let lying = turned(capsule(0.1, 0.5), [0.0, 0.0, 0.09], [0.0, 1.0, 0.0], 90.0);
        let contacts = run(&plane(), &lying, 0.0);
        let up = [0.0, 0.0, 1.0];
        assert_contacts(&contacts, &[(-0.01, [0.5, 0.0, -0.005], up), (-0.01, [-0.5, 0.0, -0.005], up)]);
        assert!(contacts.iter().all(|c| (c.tangent - Vec3::x()).norm() < 1e-12));
    }

    #[test]
    fn a_standing_capsule_touches_with_its_lower_end() {
        let contacts = run(&plane(), &at(capsule(0.1, 0.5), [0.0, 0.0, 0.55]), 0.0);
        assert_contacts(&contacts, &[(-0.05, [0.0, 0.0, -0.025], [0.0, 0.0, 1.0])]);
    }
}
