//! Poses while compiling: normalisation, composition, and the many ways to write an orientation.
//!
//! The compiler's tolerances differ from the engine's: a vector counts as zero when its *squared* length is below
//! [`EPS`], and every product of quaternions is normalised.

use crate::spec::{Compiler, Orientation};
use sim_types::math::{atan2, cos, sin};
use sim_types::{Mat3, Quat, Vec3};

/// Numbers below this are treated as zero by the compiler.
#[doc(alias = "mjEPS")]
pub(super) const EPS: f64 = 1e-14;

/// Difference below which two frames count as the same.
const SAME_FRAME: f64 = 1e-6;

/// A position and an orientation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Pose {
    pub(super) pos: Vec3,
    pub(super) quat: Quat,
}

impl Pose {
    pub(super) fn new(pos: Vec3, quat: Quat) -> Self {
        Self { pos, quat }
    }

    /// The pose `child`, given in this frame, in the frame this pose is given in.
    pub(super) fn compose(&self, child: &Self) -> Self {
        Self { pos: self.apply(&child.pos), quat: mul(self.quat, child.quat) }
    }

    /// The point `p`, given in this frame, in the frame this pose is given in.
    pub(super) fn apply(&self, p: &Vec3) -> Vec3 {
        self.pos + self.quat.to_mat() * p
    }

    /// The pose that undoes this one.
    pub(super) fn inverse(&self) -> Self {
        let quat = self.quat.conj();
        Self { pos: -(quat.to_mat() * self.pos), quat }
    }

    /// True when this is the null pose, up to [`SAME_FRAME`].
    pub(super) fn is_null(&self) -> bool {
        same_vec(&self.pos, &Vec3::zeros()) && same_quat(self.quat, Quat::IDENTITY)
    }
}

/// True when both vectors are the same, up to [`SAME_FRAME`] per component.
pub(super) fn same_vec(a: &Vec3, b: &Vec3) -> bool {
    (a - b).iter().all(|x| x.abs() < SAME_FRAME)
}

/// True when both quaternions are the same rotation, up to [`SAME_FRAME`] per component and up to sign.
pub(super) fn same_quat(a: Quat, b: Quat) -> bool {
    let pairs = || a.to_array().into_iter().zip(b.to_array());
    pairs().all(|(x, y)| (x - y).abs() < SAME_FRAME) || pairs().all(|(x, y)| (x + y).abs() < SAME_FRAME)
}

/// Scales `v` to length one and returns the length it had; a vector shorter than 1e-7 is left alone and returns zero.
#[doc(alias = "mjuu_normvec")]
pub(crate) fn normalize(v: &mut [f64]) -> f64 {
    let squared: f64 = v.iter().map(|x| x * x).sum();
    if squared < EPS {
        return 0.0;
    }
    let norm = squared.sqrt();
    if (norm - 1.0).abs() > EPS {
        for x in v {
            *x /= norm;
        }
    }
    norm
}

/// The quaternion at length one, by the rules of [`normalize`].
pub(crate) fn normalized(q: Quat) -> Quat {
    let mut a = q.to_array();
    normalize(&mut a);
    let [w, x, y, z] = a;
    Quat::new(w, x, y, z)
}

/// The product of two rotations, normalised.
#[doc(alias = "mjuu_mulquat")]
pub(crate) fn mul(a: Quat, b: Quat) -> Quat {
    normalized(a * b)
}

/// The orientation of an element: the alternative if one is given, else its quaternion, not yet normalised.
///
/// The error says which part is too small.
#[doc(alias = "ResolveOrientation")]
pub(crate) fn orientation(quat: Quat, alt: Option<Orientation>, compiler: &Compiler) -> Result<Quat, &'static str> {
    match alt {
        None => Ok(quat),
        Some(Orientation::AxisAngle(a)) => axis_angle(a, compiler),
        Some(Orientation::XyAxes(a)) => xy_axes(a),
        Some(Orientation::ZAxis(mut z)) => {
            nonzero(&mut z, "the z axis has no length")?;
            Ok(z_to(&z))
        }
        Some(Orientation::Euler(angles)) => euler(&angles, compiler),
    }
}

/// The smallest rotation that takes the z axis to the unit vector `v`.
#[doc(alias = "mjuu_z2quat")]
pub(crate) fn z_to(v: &Vec3) -> Quat {
    let mut axis = Vec3::z().cross(v);
    let sine = normalize(axis.as_mut_slice());
    if sine < 1e-10 {
        axis = Vec3::x();
    }
    let half = 0.5 * atan2(sine, v.z);
    let s = sin(half);
    Quat::new(cos(half), axis.x * s, axis.y * s, axis.z * s)
}

/// An angle in radians.
fn radians(angle: f64, compiler: &Compiler) -> f64 {
    if compiler.degree { angle / 180.0 * std::f64::consts::PI } else { angle }
}

fn nonzero(v: &mut Vec3, message: &'static str) -> Result<(), &'static str> {
    if normalize(v.as_mut_slice()) < EPS { Err(message) } else { Ok(()) }
}

fn axis_angle(a: [f64; 4], compiler: &Compiler) -> Result<Quat, &'static str> {
    let mut axis = Vec3::new(a[0], a[1], a[2]);
    nonzero(&mut axis, "the axis of axisangle has no length")?;
    let half = 0.5 * radians(a[3], compiler);
    let s = sin(half);
    Ok(Quat::new(cos(half), s * axis.x, s * axis.y, s * axis.z))
}

fn xy_axes(a: [f64; 6]) -> Result<Quat, &'static str> {
    let mut x = Vec3::new(a[0], a[1], a[2]);
    nonzero(&mut x, "the x axis of xyaxes has no length")?;

    // the part of y at right angles to x
    let mut y = Vec3::new(a[3], a[4], a[5]);
    y -= x * x.dot(&y);
    nonzero(&mut y, "the y axis of xyaxes is parallel to the x axis")?;
    let mut z = x.cross(&y);
    nonzero(&mut z, "the axes of xyaxes are parallel")?;
    Ok(normalized(Quat::from_mat(&Mat3::from_columns(&[x, y, z]))))
}

fn euler(angles: &Vec3, compiler: &Compiler) -> Result<Quat, &'static str> {
    let mut q = Quat::IDENTITY;
    for (&axis, &angle) in compiler.eulerseq.iter().zip(angles.iter()) {
        let half = 0.5 * radians(angle, compiler);
        let (c, s) = (cos(half), sin(half));
        let turn = match axis.to_ascii_lowercase() {
            'x' => Quat::new(c, s, 0.0, 0.0),
            'y' => Quat::new(c, 0.0, s, 0.0),
            'z' => Quat::new(c, 0.0, 0.0, s),
            _ => return Err("the compiler's eulerseq may only contain x, y, z, X, Y, Z"),
        };
        // lower case turns about the moving axes, upper case about the fixed ones
        q = if axis.is_ascii_lowercase() { mul(q, turn) } else { mul(turn, q) };
    }
    Ok(normalized(q))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2};

    fn close(a: Quat, b: Quat) -> bool {
        a.to_array().into_iter().zip(b.to_array()).all(|(x, y)| (x - y).abs() < 1e-14)
    }

    fn resolve(alt: Orientation, compiler: &Compiler) -> Quat {
        orientation(Quat::IDENTITY, Some(alt), compiler).unwrap()
    }

    #[test]
    fn euler_sequences_turn_about_moving_or_fixed_axes() {
        let mut compiler = Compiler { degree: false, ..Compiler::default() };
        let angles = Vec3::new(0.3, -0.7, 1.1);
        let about = |axis: Vec3, angle| Quat::from_axis_angle(&axis, angle);
        let (x, y, z) = (about(Vec3::x(), 0.3), about(Vec3::y(), -0.7), about(Vec3::z(), 1.1));
        assert!(close(resolve(Orientation::Euler(angles), &compiler), x * y * z));
        compiler.eulerseq = ['X', 'Y', 'Z'];
        assert!(close(resolve(Orientation::Euler(angles), &compiler), z * y * x));
        compiler.eulerseq = ['z', 'Y', 'x'];
        let (a, b, c) = (about(Vec3::z(), 0.3), about(Vec3::y(), -0.7), about(Vec3::x(), 1.1));
        assert!(close(resolve(Orientation::Euler(angles), &compiler), b * a * c));
        compiler.eulerseq = ['x', 'w', 'z'];
        assert!(orientation(Quat::IDENTITY, Some(Orientation::Euler(angles)), &compiler).is_err());
    }

    #[test]
    fn degrees_and_radians_agree() {
        let degree = Compiler::default();
        let radian = Compiler { degree: false, ..Compiler::default() };
        let a = resolve(Orientation::AxisAngle([0.0, 3.0, 0.0, 90.0]), &degree);
        let b = resolve(Orientation::AxisAngle([0.0, 1.0, 0.0, FRAC_PI_2]), &radian);
        assert!(close(a, b) && close(a, Quat::new(FRAC_1_SQRT_2, 0.0, FRAC_1_SQRT_2, 0.0)));
    }

    #[test]
    fn axes_are_reached() {
        let compiler = Compiler::default();
        let v = Vec3::new(0.2, -0.5, 0.4);
        let q = resolve(Orientation::ZAxis(v), &compiler);
        assert!((q.rotate(&Vec3::z()) - v.normalize()).norm() < 1e-14);
        assert!(close(resolve(Orientation::ZAxis(-Vec3::z()), &compiler), Quat::new(0.0, 1.0, 0.0, 0.0)));
        let q = resolve(Orientation::XyAxes([0.0, 2.0, 0.0, -1.0, 1.0, 0.0]), &compiler);
        assert!((q.rotate(&Vec3::x()) - Vec3::y()).norm() < 1e-14);
        assert!((q.rotate(&Vec3::y()) + Vec3::x()).norm() < 1e-14);
    }

    #[test]
    fn too_small_is_measured_on_the_square() {
        let compiler = Compiler::default();
        let axis = |x: f64| orientation(Quat::IDENTITY, Some(Orientation::ZAxis(Vec3::new(x, 0.0, 0.0))), &compiler);
        assert!(axis(0.9e-7).is_err());
        assert!(axis(2e-7).is_ok());
        let parallel = Orientation::XyAxes([1.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
        assert!(orientation(Quat::IDENTITY, Some(parallel), &compiler).is_err());
    }

    #[test]
    fn compose_and_inverse_cancel() {
        let q = normalized(Quat::new(0.3, -0.4, 0.5, 0.6));
        let pose = Pose::new(Vec3::new(1.0, 2.0, 3.0), q);
        assert!(pose.compose(&pose.inverse()).is_null());
        assert!(pose.inverse().compose(&pose).is_null());
        assert!(!pose.is_null());
    }
}
