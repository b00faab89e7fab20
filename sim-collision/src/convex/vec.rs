//! Vector arithmetic of the convex code, with one written order of operations.

use sim_types::{MINVAL, Mat3, Vec3};

/// Squares of lengths below this count as zero.
pub(crate) const MINVAL2: f64 = MINVAL * MINVAL;

/// `m·v`, each row summed from left to right.
#[inline]
pub(crate) fn rotate(m: &Mat3, v: &Vec3) -> Vec3 {
    Vec3::new(
        m[(0, 0)] * v.x + m[(0, 1)] * v.y + m[(0, 2)] * v.z,
        m[(1, 0)] * v.x + m[(1, 1)] * v.y + m[(1, 2)] * v.z,
        m[(2, 0)] * v.x + m[(2, 1)] * v.y + m[(2, 2)] * v.z,
    )
}

/// `mᵀ·v`, each row summed from left to right.
#[inline]
pub(crate) fn rotate_t(m: &Mat3, v: &Vec3) -> Vec3 {
    Vec3::new(
        m[(0, 0)] * v.x + m[(1, 0)] * v.y + m[(2, 0)] * v.z,
        m[(0, 1)] * v.x + m[(1, 1)] * v.y + m[(2, 1)] * v.z,
        m[(0, 2)] * v.x + m[(1, 2)] * v.y + m[(2, 2)] * v.z,
    )
}

/// `v·w`.
#[inline]
pub(crate) fn dot(v: &Vec3, w: &Vec3) -> f64 {
    v.x * w.x + v.y * w.y + v.z * w.z
}

/// `v × w`.
#[inline]
pub(crate) fn cross(v: &Vec3, w: &Vec3) -> Vec3 {
    Vec3::new(v.y * w.z - v.z * w.y, v.z * w.x - v.x * w.z, v.x * w.y - v.y * w.x)
}

/// Length of `v`.
#[inline]
pub(crate) fn norm(v: &Vec3) -> f64 {
    dot(v, v).sqrt()
}

/// `u·(v × w)`: six times the volume of the tetrahedron on these vectors.
#[inline]
pub(crate) fn det(u: &Vec3, v: &Vec3, w: &Vec3) -> f64 {
    u.x * (v.y * w.z - v.z * w.y) + u.y * (v.z * w.x - v.x * w.z) + u.z * (v.x * w.y - v.y * w.x)
}

/// `v` at length one; a vector shorter than [`MINVAL`] becomes (1, 0, 0).
#[inline]
pub(crate) fn normalized(v: &Vec3) -> Vec3 {
    let length = norm(v);
    if length < MINVAL { Vec3::new(1.0, 0.0, 0.0) } else { v * (1.0 / length) }
}

/// True when no component differs by [`MINVAL`] or more.
#[inline]
pub(crate) fn same_point(v: &Vec3, w: &Vec3) -> bool {
    (v.x - w.x).abs() < MINVAL && (v.y - w.y).abs() < MINVAL && (v.z - w.z).abs() < MINVAL
}
