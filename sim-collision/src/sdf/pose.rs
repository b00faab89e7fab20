//! Relative poses by way of quaternions, rounded as MuJoCo rounds them.
//!
//! A descent on a distance field magnifies the last bit, so these repeat the order of operations exactly.

use sim_types::{Mat3, Quat, Vec3};

use crate::Posed;
use crate::convex::rotate;

/// A position and an orientation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pose {
    pub(super) pos: Vec3,
    quat: Quat,
}

/// A rotation followed by a shift.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transform {
    pub(super) pos: Vec3,
    pub(super) mat: Mat3,
}

impl Pose {
    /// The pose of a shape.
    pub(super) fn new(posed: &Posed<'_>) -> Self {
        Self { pos: posed.pos, quat: quat_of(&posed.mat) }
    }

    /// A vector of this frame in world axes.
    pub(super) fn rotate(&self, v: &Vec3) -> Vec3 {
        rotate_by(&self.quat, v)
    }

    /// What takes points of this frame to the frame of `other`.
    pub(super) fn seen_from(&self, other: &Self) -> Transform {
        let back = other.quat.conj();
        let origin = -rotate_by(&back, &other.pos);
        let quat = (back * self.quat).normalized();
        Transform { pos: rotate_by(&back, &self.pos) + origin, mat: quat.to_mat() }
    }
}

impl Transform {
    /// The point in the other frame.
    #[inline]
    pub(super) fn apply(&self, p: &Vec3) -> Vec3 {
        rotate(&self.mat, p) + self.pos
    }
}

/// The quaternion of a rotation matrix.
fn quat_of(m: &Mat3) -> Quat {
    let quarter = |x: f64, by: f64| 0.25 * x / by;
    let (m00, m11, m22) = (m[(0, 0)], m[(1, 1)], m[(2, 2)]);
    let (x, y, z) = (m[(2, 1)] - m[(1, 2)], m[(0, 2)] - m[(2, 0)], m[(1, 0)] - m[(0, 1)]);
    let (xy, xz, yz) = (m[(0, 1)] + m[(1, 0)], m[(0, 2)] + m[(2, 0)], m[(1, 2)] + m[(2, 1)]);
    let quat = if m00 + m11 + m22 > 0.0 {
        let q = 0.5 * (1.0 + m00 + m11 + m22).sqrt();
        Quat::new(q, quarter(x, q), quarter(y, q), quarter(z, q))
    } else if m00 > m11 && m00 > m22 {
        let q = 0.5 * (1.0 + m00 - m11 - m22).sqrt();
        Quat::new(quarter(x, q), q, quarter(xy, q), quarter(xz, q))
    } else if m11 > m22 {
        let q = 0.5 * (1.0 - m00 + m11 - m22).sqrt();
        Quat::new(quarter(y, q), quarter(xy, q), q, quarter(yz, q))
    } else {
        let q = 0.5 * (1.0 - m00 - m11 + m22).sqrt();
        Quat::new(quarter(z, q), quarter(xz, q), quarter(yz, q), q)
    };
    quat.normalized()
}

/// `v` turned by a unit quaternion.
fn rotate_by(q: &Quat, v: &Vec3) -> Vec3 {
    let t = Vec3::new(
        q.w * v.x + q.y * v.z - q.z * v.y,
        q.w * v.y + q.z * v.x - q.x * v.z,
        q.w * v.z + q.x * v.y - q.y * v.x,
    );
    Vec3::new(
        v.x + 2.0 * (q.y * t.z - q.z * t.y),
        v.y + 2.0 * (q.z * t.x - q.x * t.z),
        v.z + 2.0 * (q.x * t.y - q.y * t.x),
    )
}
