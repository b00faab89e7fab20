//! Plane against ball.

use crate::{ContactBuf, Posed, RawContact, Shape};
use sim_types::Vec3;

/// One contact below the centre of the ball.
#[doc(alias = "mjc_PlaneSphere")]
pub fn plane_sphere(a: &Posed<'_>, b: &Posed<'_>, margin: f64, out: &mut ContactBuf) {
    if let (Shape::Plane { .. }, Shape::Sphere { radius }) = (&a.shape, &b.shape)
        && let Some(contact) = plane_ball(&a.pos, &a.axis(), &b.pos, *radius, margin)
    {
        out.push(contact);
    }
}

/// Contact of the half space below `origin`, where `normal` points out of it, with a ball.
pub(super) fn plane_ball(origin: &Vec3, normal: &Vec3, centre: &Vec3, radius: f64, margin: f64) -> Option<RawContact> {
    let height = (centre - origin).dot(normal);
    if height > margin + radius {
        return None;
    }
    let dist = height - radius;
    let pos = centre + normal * (-dist / 2.0 - radius);
    Some(RawContact { dist, pos, normal: *normal, tangent: Vec3::zeros() })
}

#[cfg(test)]
mod tests {
    use crate::testing::*;

    #[test]
    fn a_ball_sunk_by_a_tenth() {
        let contacts = run(&plane(), &at(sphere(0.5), [1.0, 2.0, 0.4]), 0.0);
        assert_contacts(&contacts, &[(-0.1, [1.0, 2.0, -0.05], [0.0, 0.0, 1.0])]);
    }

    #[test]
    fn a_ball_counts_up_to_the_margin() {
        let hover = at(sphere(0.5), [0.0, 0.0, 0.75]);
        assert_eq!(run(&plane(), &hover, 0.2).len(), 0);
        assert_contacts(&run(&plane(), &hover, 0.25), &[(0.25, [0.0, 0.0, 0.125], [0.0, 0.0, 1.0])]);
    }

    #[test]
    fn everything_below_the_plane_penetrates() {
        let deep = at(sphere(0.5), [0.0, 0.0, -1e3]);
        assert_contacts(&run(&plane(), &deep, 0.0), &[(-1000.5, [0.0, 0.0, -500.25], [0.0, 0.0, 1.0])]);
    }
}
