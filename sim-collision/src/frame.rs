//! Contact frames.

use sim_types::{MINVAL, Mat3, Vec3};

/// The contact frame with the given normal, axes as rows.
///
/// `tangent` guides the second axis; when it is (nearly) zero, the y axis of the world does, or the z axis when the
/// normal is close to y.
#[doc(alias = "mju_makeFrame")]
pub fn make_frame(normal: &Vec3, tangent: &Vec3) -> Mat3 {
    let mut x = *normal;
    normalize(&mut x);

    let mut y = *tangent;
    if y.norm_squared() < 0.25 {
        y = if x.y < 0.5 && x.y > -0.5 { Vec3::y() } else { Vec3::z() };
    }
    y -= x * x.dot(&y);
    normalize(&mut y);

    let z = x.cross(&y);
    Mat3::from_rows(&[x.transpose(), y.transpose(), z.transpose()])
}

/// Scales `v` to length one and returns the length it had; a vector shorter than [`MINVAL`] becomes (1, 0, 0).
///
/// Multiplies by the reciprocal, as MuJoCo does: a tangent that is nearly parallel to the normal is what rounding leaves
/// of it, so the last bit decides its direction.
#[inline]
pub(crate) fn normalize(v: &mut Vec3) -> f64 {
    let length = v.norm();
    if length < MINVAL {
        *v = Vec3::x();
    } else {
        *v *= 1.0 / length;
    }
    length
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
