//! Ball against box.

use super::within;
use crate::{ContactBuf, Posed, RawContact, Shape};
use sim_types::math::normalize3;
use sim_types::{MINVAL, Vec3};

/// One contact with the nearest point of the box; from inside, with the nearest face.
#[doc(alias = "mjc_SphereBox")]
pub fn sphere_box(a: &Posed<'_>, b: &Posed<'_>, margin: f64, out: &mut ContactBuf) {
    if let (Shape::Sphere { radius }, Shape::Box { size }) = (&a.shape, &b.shape) {
        ball_box(&a.pos, *radius, b, size, margin, out);
    }
}

/// Contact of a ball with the box of half sizes `size` at the pose of `cuboid`.
pub(super) fn ball_box(centre: &Vec3, radius: f64, cuboid: &Posed<'_>, size: &Vec3, margin: f64, out: &mut ContactBuf) {
    let centre = cuboid.to_local(centre);
    let clamped = Vec3::new(within(centre.x, size.x), within(centre.y, size.y), within(centre.z, size.z));
    let mut normal = clamped - centre;
    let mut dist = normalize3(&mut normal);
    if dist - radius > margin {
        return;
    }

    let local;
    if dist <= MINVAL {
        let (depth, inward) = nearest_face(&centre, size);
        normal = inward;
        local = centre + inward * ((radius - depth) / 2.0);
        dist = -depth;
    } else {
        local = clamped * 0.5 + (centre + normal * radius) * 0.5;
    }
    let pos = cuboid.to_world(&local);
    out.push(RawContact { dist: dist - radius, pos, normal: cuboid.mat * normal, tangent: Vec3::zeros() });
}

/// Depth of a point below the nearest face of a box, and the direction into the box there.
///
/// The first of equally near faces counts, in the order −x, +x, −y, +y, −z, +z.
fn nearest_face(point: &Vec3, size: &Vec3) -> (f64, Vec3) {
    let mut best = ((-size[0] - point[0]).abs(), Vec3::x());
    for face in 1..6 {
        let (axis, side) = (face / 2, if face % 2 == 1 { 1.0 } else { -1.0 });
        let depth = (side * size[axis] - point[axis]).abs();
        if depth < best.0 {
            let mut inward = Vec3::zeros();
            inward[axis] = -side;
            best = (depth, inward);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use crate::testing::*;

    #[test]
    fn face_edge_and_corner() {
        let cuboid = at(cuboid([0.1, 0.2, 0.3]), [0.0; 3]);
        let face = run(&at(sphere(0.1), [0.05, 0.25, 0.1]), &cuboid, 0.0);
        assert_contacts(&face, &[(-0.05, [0.05, 0.175, 0.1], [0.0, -1.0, 0.0])]);
        let edge = run(&at(sphere(0.1), [0.13, 0.24, 0.1]), &cuboid, 0.0);
        assert_contacts(&edge, &[(-0.05, [0.085, 0.18, 0.1], [-0.6, -0.8, 0.0])]);
        let corner = run(&at(sphere(0.2), [0.2, 0.3, -0.4]), &cuboid, 0.0);
        let s = (1.0_f64 / 3.0).sqrt();
        let inset = 0.5 * (0.2 * s - 0.1);
        let pos = [0.1 - inset, 0.2 - inset, -0.3 + inset];
        assert_contacts(&corner, &[(0.1 / s - 0.2, pos, [-s, -s, s])]);
    }

    #[test]
    fn from_inside_the_nearest_face_counts() {
        let cuboid = at(cuboid([0.1, 0.2, 0.3]), [0.0; 3]);
        let inside = run(&at(sphere(0.05), [-0.08, 0.0, 0.0]), &cuboid, 0.0);
        assert_contacts(&inside, &[(-0.07, [-0.065, 0.0, 0.0], [1.0, 0.0, 0.0])]);
    }

    #[test]
    fn in_the_middle_of_a_cube_the_first_face_counts() {
        let contacts = run(&at(sphere(0.1), [0.0; 3]), &at(cuboid([0.2; 3]), [0.0; 3]), 0.0);
        assert_contacts(&contacts, &[(-0.3, [-0.05, 0.0, 0.0], [1.0, 0.0, 0.0])]);
    }
}
