//! Ball against cylinder.

use super::plane_sphere::plane_ball;
use super::sphere_sphere::Ball;
use crate::{ContactBuf, Posed, RawContact, Shape};

/// One contact with the round side, a cap, or a rim; from inside, with the nearer of side and cap.
#[doc(alias = "mjc_SphereCylinder")]
pub fn sphere_cylinder(a: &Posed<'_>, b: &Posed<'_>, margin: f64, out: &mut ContactBuf) {
    let (Shape::Sphere { radius: ball_radius }, Shape::Cylinder { radius, half }) = (&a.shape, &b.shape) else {
        return;
    };
    let (radius, half) = (*radius, *half);

    // centre of the ball: along the axis and away from it
    let axis = b.axis();
    let offset = a.pos - b.pos;
    let along = axis.dot(&offset);
    let axial = axis * along;
    let radial = offset - axial;
    let radial2 = radial.norm_squared();

    let ball = Ball { centre: a.pos, radius: *ball_radius, axis: a.axis() };
    let between_caps = along.abs() < half;
    let over_cap = radial2 < radius * radius;
    let cap_is_nearer = || half - along.abs() < radius - radial2.sqrt();

    if between_caps && !(over_cap && cap_is_nearer()) {
        ball.meet(&Ball { centre: axial + b.pos, radius, axis }, margin, out);
    } else if over_cap {
        let outward = if along > 0.0 { axis } else { -axis };
        let cap = b.pos + outward * half;
        if let Some(contact) = plane_ball(&cap, &outward, &a.pos, *ball_radius, margin) {
            out.push(RawContact { normal: -contact.normal, ..contact });
        }
    } else {
        let to_rim = if radial2 > 0.0 { radius / radial2.sqrt() } else { 0.0 };
        let rim = axis * if along > 0.0 { half } else { -half } + radial * to_rim + b.pos;
        ball.meet(&Ball { centre: rim, radius: 0.0, axis }, margin, out);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::*;

    #[test]
    fn side_cap_and_rim() {
        let cylinder = at(cylinder(0.3, 0.5), [0.0; 3]);
        let side = run(&at(sphere(0.1), [0.0, 0.35, -0.2]), &cylinder, 0.0);
        assert_contacts(&side, &[(-0.05, [0.0, 0.275, -0.2], [0.0, -1.0, 0.0])]);
        let cap = run(&at(sphere(0.1), [0.1, 0.0, -0.55]), &cylinder, 0.0);
        assert_contacts(&cap, &[(-0.05, [0.1, 0.0, -0.475], [0.0, 0.0, 1.0])]);
        let rim = run(&at(sphere(0.1), [0.33, 0.0, 0.54]), &cylinder, 0.0);
        assert_contacts(&rim, &[(-0.05, [0.285, 0.0, 0.48], [-0.6, 0.0, -0.8])]);
    }

    #[test]
    fn from_inside_the_nearer_surface_counts() {
        let cylinder = at(cylinder(0.3, 0.5), [0.0; 3]);
        let near_cap = run(&at(sphere(0.1), [0.1, 0.0, 0.4]), &cylinder, 0.0);
        assert_contacts(&near_cap, &[(-0.2, [0.1, 0.0, 0.4], [0.0, 0.0, -1.0])]);
        let near_side = run(&at(sphere(0.1), [0.2, 0.0, 0.1]), &cylinder, 0.0);
        assert_contacts(&near_side, &[(-0.2, [0.2, 0.0, 0.1], [-1.0, 0.0, 0.0])]);
    }
}
