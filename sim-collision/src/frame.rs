//! Contact frames.

use sim_types::math::normalize3;
use sim_types::{Mat3, Vec3};

/// The contact frame with the given normal, axes as rows.
///
/// `tangent` guides the second axis; when it is (nearly) zero, the y axis of the world does, or the z axis when the
/// normal is close to y.
#[doc(alias = "mju_makeFrame")]
#[inline]
pub fn make_frame(normal: &Vec3, tangent: &Vec3) -> Mat3 {
    let mut x = *normal;
    normalize3(&mut x);

    let mut y = *tangent;
    if y.norm_squared() < 0.25 {
        y = if x.y < 0.5 && x.y > -0.5 { Vec3::y() } else { Vec3::z() };
    }
    y -= x * x.dot(&y);
    normalize3(&mut y);

    let z = x.cross(&y);
    Mat3::new(x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn default_tangents() {
        let f = make_frame(&Vec3::z(), &Vec3::zeros());
        assert_eq!(f, Mat3::new(0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0));
        let f = make_frame(&Vec3::y(), &Vec3::zeros());
        assert_eq!(f, Mat3::new(0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0));
    }

    proptest! {
        #[test]
        fn frames_are_rotations(n in prop::array::uniform3(-1.0..1.0f64), t in prop::array::uniform3(-1.0..1.0f64)) {
            prop_assume!(Vec3::from(n).norm() > 1e-3 && Vec3::from(n).cross(&Vec3::from(t)).norm() > 1e-3);
            let f = make_frame(&n.into(), &t.into());
            prop_assert!((f * f.transpose() - Mat3::identity()).norm() < 1e-12);
            prop_assert!((f.determinant() - 1.0).abs() < 1e-12);
            prop_assert!((f.row(0).transpose() - Vec3::from(n).normalize()).norm() < 1e-12);
        }
    }
}
