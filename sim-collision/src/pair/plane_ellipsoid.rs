//! Plane against ellipsoid.

use crate::convex::rotate_t;
use crate::{ContactBuf, Posed, RawContact, Shape};
use sim_types::Vec3;
use sim_types::math::normalize3;

/// One contact below the lowest point.
#[doc(alias = "mjc_PlaneConvex")]
pub fn plane_ellipsoid(a: &Posed<'_>, b: &Posed<'_>, margin: f64, out: &mut ContactBuf) {
    let (Shape::Plane { .. }, Shape::Ellipsoid { size }) = (&a.shape, &b.shape) else { return };
    let normal = a.axis();

    // where the unit sphere, stretched to the ellipsoid, has the direction as its normal
    let mut unit = rotate_t(&b.mat, &-normal).component_mul(size);
    normalize3(&mut unit);
    let lowest = b.to_world(&unit.component_mul(size));

    let dist = normal.dot(&(lowest - a.pos));
    if dist <= margin {
        out.push(RawContact { dist, pos: lowest - normal * (0.5 * dist), normal, tangent: Vec3::zeros() });
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::*;

    #[test]
    fn a_tilted_ellipsoid_reaches_down_by_its_support() {
        let (sizes, angle) = ([0.3, 0.2, 0.1], 40.0_f64);
        let tilted = turned(ellipsoid(sizes), [0.0, 0.0, 0.2], [0.0, 1.0, 0.0], angle);
        let (sin, cos) = angle.to_radians().sin_cos();
        let reach = ((0.3 * sin).powi(2) + (0.1 * cos).powi(2)).sqrt();
        let x = (0.01 - 0.09) * sin * cos / reach;
        let contacts = run(&plane(), &tilted, 0.0);
        assert_contacts(&contacts, &[(0.2 - reach, [-x, 0.0, (0.2 - reach) / 2.0], [0.0, 0.0, 1.0])]);
    }
}
