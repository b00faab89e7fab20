//! Plane against box.

use crate::convex::rotate;
use crate::{ContactBuf, Posed, RawContact, Shape};
use sim_types::Vec3;

/// Most contacts of a box on a plane.
const MAX_CONTACTS: usize = 4;

/// The corners in the lower half of the box that are within the margin: the first four, not the deepest.
#[doc(alias = "mjc_PlaneBox")]
pub fn plane_box(a: &Posed<'_>, b: &Posed<'_>, margin: f64, out: &mut ContactBuf) {
    let (Shape::Plane { .. }, Shape::Box { size }) = (&a.shape, &b.shape) else { return };
    let normal = a.axis();
    let height = (b.pos - a.pos).dot(&normal);
    let mut count = 0;
    for code in 0..8 {
        let corner = rotate(&b.mat, &corner(size, code));
        let lower = normal.dot(&corner);
        let dist = height + lower;
        if dist > margin || lower > 0.0 {
            continue;
        }
        let pos = (corner + b.pos) + normal * (-dist / 2.0);
        out.push(RawContact { dist, pos, normal, tangent: Vec3::zeros() });
        count += 1;
        if count == MAX_CONTACTS {
            return;
        }
    }
}

/// Corner of a box: bit k of the code chooses the positive side of axis k.
#[inline]
pub(super) fn corner(size: &Vec3, code: usize) -> Vec3 {
    let side = |k: usize| if code >> k & 1 == 1 { size[k] } else { -size[k] };
    Vec3::new(side(0), side(1), side(2))
}

#[cfg(test)]
mod tests {
    use crate::testing::*;

    const UP: [f64; 3] = [0.0, 0.0, 1.0];

    #[test]
    fn a_resting_box_touches_with_four_corners() {
        let contacts = run(&plane(), &at(cuboid([0.1, 0.2, 0.3]), [0.0, 0.0, 0.29]), 0.0);
        let want = [[-0.1, -0.2], [0.1, -0.2], [-0.1, 0.2], [0.1, 0.2]];
        assert_contacts(&contacts, &want.map(|[x, y]| (-0.01, [x, y, -0.005], UP)));
    }

    #[test]
    fn a_sunk_box_still_has_only_its_lower_corners() {
        let contacts = run(&plane(), &at(cuboid([0.1, 0.2, 0.3]), [0.0, 0.0, -2.0]), 0.0);
        assert_eq!(contacts.len(), 4);
        assert!(contacts.iter().all(|c| (c.dist + 2.3).abs() < 1e-12));
    }

    #[test]
    fn a_box_on_its_corner() {
        let half = 0.1 * 3.0_f64.sqrt();
        let tip = (1.0_f64 / 3.0).sqrt().acos().to_degrees();
        let standing = turned(cuboid([0.1; 3]), [0.0, 0.0, half - 0.01], [1.0, -1.0, 0.0], tip);
        assert_contacts(&run(&plane(), &standing, 0.0), &[(-0.01, [0.0, 0.0, -0.005], UP)]);
    }
}
