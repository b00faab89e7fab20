//! Plane against cylinder.

use crate::{ContactBuf, Posed, RawContact, Shape};
use sim_types::math::normalize3;
use sim_types::{MINVAL, Vec3};

/// The deepest point of the lower rim, the same point of the upper rim, and two more of the lower rim, 120° away.
#[doc(alias = "mjc_PlaneCylinder")]
pub fn plane_cylinder(a: &Posed<'_>, b: &Posed<'_>, margin: f64, out: &mut ContactBuf) {
    let (Shape::Plane { .. }, Shape::Cylinder { radius, half }) = (&a.shape, &b.shape) else { return };
    let normal = a.axis();

    // axis towards the plane
    let mut axis = b.axis();
    let mut axis_height = normal.dot(&axis);
    if axis_height > 0.0 {
        axis = -axis;
        axis_height = -axis_height;
    }

    // radial direction towards the plane; any when the caps are parallel to it
    let mut radial = axis * axis_height - normal;
    let len2 = radial.norm_squared();
    if len2 >= MINVAL * MINVAL {
        radial *= radius / len2.sqrt();
    } else {
        radial = b.mat.column(0) * *radius;
    }
    let radial_height = radial.dot(&normal);
    let height = (b.pos - a.pos).dot(&normal);
    axis *= *half;
    axis_height *= half;

    let mut push = |dist: f64, point: Vec3| {
        out.push(RawContact { dist, pos: point - normal * (dist * 0.5), normal, tangent: Vec3::zeros() })
    };

    // deepest point; without it there is nothing
    let dist = height + axis_height + radial_height;
    if dist > margin {
        return;
    }
    push(dist, b.pos + radial + axis);

    // the point above it
    let dist = height - axis_height + radial_height;
    if dist <= margin {
        push(dist, b.pos + radial - axis);
    }

    // the other corners of the triangle in the lower rim
    let dist = height + axis_height - radial_height * 0.5;
    if dist <= margin {
        let mut side = radial.cross(&axis);
        normalize3(&mut side);
        side *= radius * 3.0_f64.sqrt() / 2.0;
        push(dist, b.pos + side + axis - radial * 0.5);
        push(dist, b.pos - side + axis - radial * 0.5);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::*;

    const UP: [f64; 3] = [0.0, 0.0, 1.0];

    #[test]
    fn a_standing_cylinder_has_a_triangle() {
        let contacts = run(&plane(), &at(cylinder(0.2, 0.5), [0.0, 0.0, 0.49]), 0.0);
        let s = 0.1 * 3.0_f64.sqrt();
        let want = [[0.2, 0.0, -0.005], [-0.1, s, -0.005], [-0.1, -s, -0.005]];
        assert_contacts(&contacts, &want.map(|pos| (-0.01, pos, UP)));
    }

    #[test]
    fn a_lying_cylinder_has_one_contact_per_rim() {
        let lying = turned(cylinder(0.2, 0.5), [0.0, 0.0, 0.19], [0.0, 1.0, 0.0], -90.0);
        let contacts = run(&plane(), &lying, 0.0);
        assert_contacts(&contacts, &[(-0.01, [0.5, 0.0, -0.005], UP), (-0.01, [-0.5, 0.0, -0.005], UP)]);
    }

    #[test]
    fn a_tilted_cylinder_stands_on_its_rim() {
        let tilted = turned(cylinder(0.2, 0.5), [0.0, 0.0, 0.5], [0.0, 1.0, 0.0], 30.0);
        let (sin, cos) = 30.0_f64.to_radians().sin_cos();
        let lowest = 0.5 - 0.5 * cos - 0.2 * sin;
        let contacts = run(&plane(), &tilted, 0.0);
        assert_contacts(&contacts, &[(lowest, [0.2 * cos - 0.5 * sin, 0.0, lowest / 2.0], UP)]);
    }
}
