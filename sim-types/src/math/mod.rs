//! Vectors, matrices and elementary functions.
//!
//! `sin`, `cos` and their kin come from here and from nowhere else: they are the same software on every target, so
//! results agree bit for bit between machines. `sqrt` and the four operations are exact by IEEE 754 anyway.

mod eig3;
mod quat;

pub use eig3::eig3;
pub use libm::{acos, asin, atan2, atan2f, ceil, cos, exp, fabs, floor, log, pow, sin, sincos, sqrt, tan};
pub use quat::Quat;

use crate::MINVAL;

/// Three numbers: a point, a direction, half sizes.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A 3×3 matrix, usually a rotation. Stored by columns; exported by rows.
pub type Mat3 = nalgebra::Matrix3<f64>;

/// Scales `v` to length one and returns the length it had; a vector shorter than [`MINVAL`] becomes (1, 0, 0).
///
/// Multiplies by the reciprocal, as MuJoCo does: a tangent that is nearly parallel to a normal is what rounding leaves of
/// it, so the last bit decides its direction.
#[doc(alias = "mju_normalize3")]
#[inline]
pub fn normalize3(v: &mut Vec3) -> f64 {
    let norm = v.norm();
    if norm < MINVAL {
        *v = Vec3::new(1.0, 0.0, 0.0);
    } else {
        *v *= 1.0 / norm;
    }
    norm
}

/// The symmetric matrix `R·diag(d)·Rᵀ`.
pub fn rotate_diagonal(r: &Mat3, d: &Vec3) -> Mat3 {
    let scaled = Mat3::from_columns(&[r.column(0) * d.x, r.column(1) * d.y, r.column(2) * d.z]);
    scaled * r.transpose()
}

/// `x` held between `low` and `high`; NaN stays NaN, and nothing panics when the bounds are reversed.
#[doc(alias = "mju_clip")]
#[inline]
pub fn clip(x: f64, low: f64, high: f64) -> f64 {
    if x < low {
        low
    } else if x > high {
        high
    } else {
        x
    }
}

/// True when the number could not be a healthy state: NaN or larger than [`crate::MAXVAL`].
#[doc(alias = "mju_isBad")]
pub fn is_bad(x: f64) -> bool {
    x.is_nan() || x.abs() > crate::MAXVAL
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalize3_of_nothing_is_x() {
        let mut v = Vec3::zeros();
        assert_eq!(normalize3(&mut v), 0.0);
        assert_eq!(v, Vec3::x());
    }

    #[test]
    fn rotate_diagonal_turns_the_axes() {
        let r = Quat::from_axis_angle(&Vec3::z(), std::f64::consts::FRAC_PI_2).to_mat();
        let m = rotate_diagonal(&r, &Vec3::new(1.0, 2.0, 3.0));
        let want = Mat3::from_diagonal(&Vec3::new(2.0, 1.0, 3.0));
        assert!((m - want).norm() < 1e-15);
    }

    #[test]
    fn bad_numbers() {
        assert!(is_bad(f64::NAN) && is_bad(f64::INFINITY) && is_bad(-1.1e10));
        assert!(!is_bad(1e10) && !is_bad(0.0));
    }
}
