//! Quaternions in MuJoCo's order (w, x, y, z), with MuJoCo's conventions at the edges.

use std::ops::Mul;

use bytemuck::{must_cast, must_cast_ref};
use nalgebra::{Quaternion, UnitQuaternion};

use super::{Mat3, Vec3, atan2, normalize3};
use crate::lane;

/// A rotation as (w, x, y, z). Not kept normalised: the functions say where they normalise.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Quat {
    /// Cosine of half the angle.
    pub w: f64,
    /// First component of the axis times the sine of half the angle.
    pub x: f64,
    /// Second component.
    pub y: f64,
    /// Third component.
    pub z: f64,
}

impl Default for Quat {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Quat {
    /// No rotation.
    pub const IDENTITY: Self = Self { w: 1.0, x: 0.0, y: 0.0, z: 0.0 };

    /// From its four components.
    pub const fn new(w: f64, x: f64, y: f64, z: f64) -> Self {
        Self { w, x, y, z }
    }

    /// From a slice that begins with (w, x, y, z); `None` when it is shorter.
    pub fn from_slice(q: &[f64]) -> Option<Self> {
        match q {
            [w, x, y, z, ..] => Some(Self::new(*w, *x, *y, *z)),
            _ => None,
        }
    }

    /// The four components (w, x, y, z).
    pub const fn to_array(self) -> [f64; 4] {
        [self.w, self.x, self.y, self.z]
    }

    const fn from_array(q: [f64; 4]) -> Self {
        Self::new(q[0], q[1], q[2], q[3])
    }

    /// The vector part.
    pub fn vec(&self) -> Vec3 {
        Vec3::new(self.x, self.y, self.z)
    }

    /// The rotation by `angle` about the unit vector `axis`.
    #[doc(alias = "mju_axisAngle2Quat")]
    pub fn from_axis_angle(axis: &Vec3, angle: f64) -> Self {
        Self::from_array(lane::from_axis_angle(must_cast_ref(axis), angle))
    }

    /// The inverse of a unit quaternion.
    #[must_use]
    pub fn conj(self) -> Self {
        Self::new(self.w, -self.x, -self.y, -self.z)
    }

    /// The Euclidean norm of the four components.
    pub fn norm(&self) -> f64 {
        (self.w * self.w + self.x * self.x + self.y * self.y + self.z * self.z).sqrt()
    }

    /// This quaternion at unit norm. Nothing (norm below [`MINVAL`](crate::MINVAL)) becomes the identity; a norm within it of
    /// one is left as it is.
    #[doc(alias = "mju_normalize4")]
    #[must_use]
    pub fn normalized(self) -> Self {
        Self::from_array(lane::normalized(self.to_array()))
    }

    /// `v` turned by this unit quaternion.
    #[doc(alias = "mju_rotVecQuat")]
    pub fn rotate(&self, v: &Vec3) -> Vec3 {
        Vec3::from(lane::rotate(self.to_array(), (*v).into()))
    }

    /// The rotation matrix of this unit quaternion.
    #[doc(alias = "mju_quat2Mat")]
    pub fn to_mat(&self) -> Mat3 {
        must_cast(lane::to_mat(self.to_array()))
    }

    /// The quaternion of a rotation matrix, by the largest of trace and diagonal.
    #[doc(alias = "mju_mat2Quat")]
    pub fn from_mat(m: &Mat3) -> Self {
        let (m00, m11, m22) = (m[(0, 0)], m[(1, 1)], m[(2, 2)]);
        let q = if m00 + m11 + m22 > 0.0 {
            let w = 0.5 * (1.0 + m00 + m11 + m22).sqrt();
            let s = 0.25 / w;
            Self::new(w, s * (m[(2, 1)] - m[(1, 2)]), s * (m[(0, 2)] - m[(2, 0)]), s * (m[(1, 0)] - m[(0, 1)]))
        } else if m00 > m11 && m00 > m22 {
            let x = 0.5 * (1.0 + m00 - m11 - m22).sqrt();
            let s = 0.25 / x;
            Self::new(s * (m[(2, 1)] - m[(1, 2)]), x, s * (m[(0, 1)] + m[(1, 0)]), s * (m[(0, 2)] + m[(2, 0)]))
        } else if m11 > m22 {
            let y = 0.5 * (1.0 - m00 + m11 - m22).sqrt();
            let s = 0.25 / y;
            Self::new(s * (m[(0, 2)] - m[(2, 0)]), s * (m[(0, 1)] + m[(1, 0)]), y, s * (m[(1, 2)] + m[(2, 1)]))
        } else {
            let z = 0.5 * (1.0 - m00 - m11 + m22).sqrt();
            let s = 0.25 / z;
            Self::new(s * (m[(1, 0)] - m[(0, 1)]), s * (m[(0, 2)] + m[(2, 0)]), s * (m[(1, 2)] + m[(2, 1)]), z)
        };
        q.normalized()
    }

    /// The shortest rotation vector of this quaternion divided by `dt`: the constant velocity that makes it in `dt`.
    #[doc(alias = "mju_quat2Vel")]
    pub fn to_velocity(&self, dt: f64) -> Vec3 {
        let mut axis = self.vec();
        let sine = normalize3(&mut axis);
        let mut angle = 2.0 * atan2(sine, self.w);
        if angle > std::f64::consts::PI {
            angle -= 2.0 * std::f64::consts::PI;
        }
        axis * (angle / dt)
    }

    /// The rotation vector, in the frame of `from`, that takes `from` to this quaternion.
    #[doc(alias = "mju_subQuat")]
    pub fn rotation_from(self, from: Self) -> Vec3 {
        (from.conj() * self).to_velocity(1.0)
    }

    /// This orientation after turning with the local angular velocity `vel` for `dt`. Normalises first.
    #[doc(alias = "mju_quatIntegrate")]
    #[must_use]
    pub fn integrate(self, vel: &Vec3, dt: f64) -> Self {
        let mut axis = *vel;
        let angle = dt * normalize3(&mut axis);
        self.normalized() * Self::from_axis_angle(&axis, angle)
    }
}

impl Mul for Quat {
    type Output = Self;

    fn mul(self, b: Self) -> Self {
        Self::from_array(lane::mul_quat(self.to_array(), b.to_array()))
    }
}

impl From<UnitQuaternion<f64>> for Quat {
    fn from(q: UnitQuaternion<f64>) -> Self {
        Self::new(q.w, q.i, q.j, q.k)
    }
}

impl From<Quat> for UnitQuaternion<f64> {
    /// Normalises.
    fn from(q: Quat) -> Self {
        Self::new_normalize(Quaternion::new(q.w, q.x, q.y, q.z))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn unit_quat() -> impl Strategy<Value = Quat> {
        prop::array::uniform4(-1.0..1.0f64)
            .prop_filter("too short", |q| q.iter().map(|x| x * x).sum::<f64>() > 0.01)
            .prop_map(|[w, x, y, z]| Quat::new(w, x, y, z).normalized())
    }

    fn vec3() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-1.5..1.5f64).prop_map(Vec3::from)
    }

    proptest! {
        /// Differentiating what was just integrated gives back the velocity, for any turn short of π.
        #[test]
        fn sub_undoes_integrate(q in unit_quat(), w in vec3(), h in 1e-4..1.0f64) {
            let back = q.integrate(&w, h).rotation_from(q) / h;
            prop_assert!((back - w).norm() < 1e-10 / h, "w = {w:?}, back = {back:?}");
        }

        /// Rotating by the quaternion, by its matrix and by nalgebra is the same.
        #[test]
        fn three_ways_to_rotate(q in unit_quat(), v in vec3()) {
            let by_quat = q.rotate(&v);
            prop_assert!((by_quat - q.to_mat() * v).norm() < 1e-14);
            prop_assert!((by_quat - UnitQuaternion::from(q) * v).norm() < 1e-14);
        }

        /// Matrix and back, up to sign.
        #[test]
        fn from_mat_undoes_to_mat(q in unit_quat()) {
            let r = Quat::from_mat(&q.to_mat());
            let dot = q.w * r.w + q.x * r.x + q.y * r.y + q.z * r.z;
            prop_assert!((dot.abs() - 1.0).abs() < 1e-12);
        }

        /// The product turns by the right factor first.
        #[test]
        fn product_is_composition(a in unit_quat(), b in unit_quat(), v in vec3()) {
            prop_assert!(((a * b).rotate(&v) - a.rotate(&b.rotate(&v))).norm() < 1e-13);
        }
    }

    #[test]
    fn normalized_edges() {
        assert_eq!(Quat::new(0.0, 0.0, 0.0, 0.0).normalized(), Quat::IDENTITY);
        let almost = Quat::new(1.0 + 2.0 * f64::EPSILON, 0.0, 0.0, 0.0);
        assert_eq!(almost.normalized(), almost, "a norm within MINVAL of one is left alone");
    }

    #[test]
    fn zero_angle_is_exactly_the_identity() {
        assert_eq!(Quat::from_axis_angle(&Vec3::x(), 0.0), Quat::IDENTITY);
        let v = Vec3::new(0.1, -0.2, 0.3);
        assert_eq!(Quat::IDENTITY.rotate(&v), v);
    }
}
