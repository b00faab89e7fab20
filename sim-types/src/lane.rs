//! Arithmetic on one number, or on the same number of several environments at once.
//!
//! The kernels of smooth dynamics are written once, for any [`Lane`]: with `f64` they step one environment, with a vector
//! of four numbers they step four. Every lane gets the operations of the single number in the same order, so its bits
//! are those of a step on its own.
//!
//! Everything here is inlined without exception: a kernel is compiled for wide registers only as far as its callees
//! are a part of it. Vectors are arrays; matrices are stored by columns, as [`Mat3`](crate::Mat3).

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::MINVAL;

/// One number per environment.
pub trait Lane:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self> + 'static
{
    /// One truth value per environment.
    type Mask: Copy;

    /// The same number for all.
    fn splat(x: f64) -> Self;
    /// Square roots.
    #[must_use]
    fn sqrt(self) -> Self;
    /// Magnitudes.
    #[must_use]
    fn abs(self) -> Self;
    /// Where this is less.
    fn lt(self, other: Self) -> Self::Mask;
    /// Where this is less or equal.
    fn le(self, other: Self) -> Self::Mask;
    /// Where both are equal.
    fn eq(self, other: Self) -> Self::Mask;
    /// `yes` where the mask is true, `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Whether the mask is true everywhere.
    fn all(mask: Self::Mask) -> bool;
    /// Sines and cosines, those of [`math::sincos`](crate::math::sincos).
    fn sincos(self) -> (Self, Self);
}

impl Lane for f64 {
    type Mask = bool;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        x
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        f64::abs(self)
    }
    #[inline(always)]
    fn lt(self, other: Self) -> bool {
        self < other
    }
    #[inline(always)]
    fn le(self, other: Self) -> bool {
        self <= other
    }
    #[inline(always)]
    fn eq(self, other: Self) -> bool {
        self == other
    }
    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
    #[inline(always)]
    fn all(mask: bool) -> bool {
        mask
    }
    #[inline(always)]
    fn sincos(self) -> (Self, Self) {
        crate::math::sincos(self)
    }
}

/// The same vector for all.
#[inline(always)]
pub fn splat<T: Lane, const K: usize>(v: &[f64; K]) -> [T; K] {
    let mut out = [T::splat(0.0); K];
    for k in 0..K {
        out[k] = T::splat(v[k]);
    }
    out
}

/// `a + b`.
#[inline(always)]
pub fn add<T: Lane, const K: usize>(a: [T; K], b: [T; K]) -> [T; K] {
    let mut out = a;
    for k in 0..K {
        out[k] = a[k] + b[k];
    }
    out
}

/// `a − b`.
#[inline(always)]
pub fn sub<T: Lane, const K: usize>(a: [T; K], b: [T; K]) -> [T; K] {
    let mut out = a;
    for k in 0..K {
        out[k] = a[k] - b[k];
    }
    out
}

/// `v·s`.
#[inline(always)]
pub fn scale<T: Lane, const K: usize>(v: [T; K], s: T) -> [T; K] {
    let mut out = v;
    for k in 0..K {
        out[k] = v[k] * s;
    }
    out
}

/// `yes` where the mask is true, `no` elsewhere.
#[inline(always)]
pub fn select<T: Lane, const K: usize>(mask: T::Mask, yes: [T; K], no: [T; K]) -> [T; K] {
    let mut out = no;
    for k in 0..K {
        out[k] = T::select(mask, yes[k], no[k]);
    }
    out
}

/// The product with a sum of three terms.
#[inline(always)]
pub fn dot<T: Lane>(a: [T; 3], b: [T; 3]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The vector product.
#[inline(always)]
pub fn cross<T: Lane>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// `m·v`.
#[inline(always)]
pub fn mul_vec<T: Lane>(m: &[T; 9], v: [T; 3]) -> [T; 3] {
    [
        m[0] * v[0] + m[3] * v[1] + m[6] * v[2],
        m[1] * v[0] + m[4] * v[1] + m[7] * v[2],
        m[2] * v[0] + m[5] * v[1] + m[8] * v[2],
    ]
}

/// The upper triangle of `R·diag(d)·Rᵀ`: xx, yy, zz, xy, xz, yz.
#[inline(always)]
pub fn rotate_diagonal<T: Lane>(r: &[T; 9], d: &[f64; 3]) -> [T; 6] {
    let d: [T; 3] = splat(d);
    // rows of the matrix with scaled columns
    let x = [r[0] * d[0], r[3] * d[1], r[6] * d[2]];
    let y = [r[1] * d[0], r[4] * d[1], r[7] * d[2]];
    let z = [r[2] * d[0], r[5] * d[1], r[8] * d[2]];
    let (rx, ry, rz) = ([r[0], r[3], r[6]], [r[1], r[4], r[7]], [r[2], r[5], r[8]]);
    [dot(x, rx), dot(y, ry), dot(z, rz), dot(x, ry), dot(x, rz), dot(y, rz)]
}

/// The product of two quaternions.
#[inline(always)]
pub fn mul_quat<T: Lane>(a: [T; 4], b: [T; 4]) -> [T; 4] {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

/// `v` turned by the unit quaternion `q`.
#[inline(always)]
pub fn rotate<T: Lane>(q: [T; 4], v: [T; 3]) -> [T; 3] {
    let u = [q[1], q[2], q[3]];
    let t = add(scale(v, q[0]), cross(u, v));
    add(v, scale(cross(u, t), T::splat(2.0)))
}

/// The rotation matrix of a unit quaternion.
#[inline(always)]
pub fn to_mat<T: Lane>(q: [T; 4]) -> [T; 9] {
    let [w, x, y, z] = q;
    let two = T::splat(2.0);
    let (ww, xx, yy, zz) = (w * w, x * x, y * y, z * z);
    let (wx, wy, wz, xy, xz, yz) = (w * x, w * y, w * z, x * y, x * z, y * z);
    [
        ww + xx - yy - zz,
        two * (xy + wz),
        two * (xz - wy),
        two * (xy - wz),
        ww - xx + yy - zz,
        two * (yz + wx),
        two * (xz + wy),
        two * (yz - wx),
        ww - xx - yy + zz,
    ]
}

/// A quaternion at unit norm; see [`Quat::normalized`](crate::Quat::normalized).
///
/// One that is near enough is kept. Most are, and nothing then waits for a root and a division.
#[inline(always)]
pub fn normalized<T: Lane>(q: [T; 4]) -> [T; 4] {
    let square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    // the square of a number near one is twice as far from it
    let near = (square - T::splat(1.0)).abs().le(T::splat(2.0 * MINVAL));
    if T::all(near) {
        return q;
    }
    let norm = square.sqrt();
    let scaled = scale(q, T::splat(1.0) / norm);
    let kept = select(near, q, scaled);
    select(norm.lt(T::splat(MINVAL)), splat(&[1.0, 0.0, 0.0, 0.0]), kept)
}

/// The rotation by `angle` about a unit vector; see [`Quat::from_axis_angle`](crate::Quat::from_axis_angle).
#[inline(always)]
pub fn from_axis_angle<T: Lane>(axis: &[f64; 3], angle: T) -> [T; 4] {
    let (s, c) = (T::splat(0.5) * angle).sincos();
    let turn = [c, T::splat(axis[0]) * s, T::splat(axis[1]) * s, T::splat(axis[2]) * s];
    select(angle.eq(T::splat(0.0)), splat(&[1.0, 0.0, 0.0, 0.0]), turn)
}

/// Rotation and translation of a 6-vector.
#[inline(always)]
pub fn halves<T: Lane>(v: &[T; 6]) -> ([T; 3], [T; 3]) {
    ([v[0], v[1], v[2]], [v[3], v[4], v[5]])
}

/// A 6-vector of rotation and translation.
#[inline(always)]
pub fn join<T: Lane>(rot: [T; 3], lin: [T; 3]) -> [T; 6] {
    [rot[0], rot[1], rot[2], lin[0], lin[1], lin[2]]
}

/// Power of a wrench along a motion.
#[inline(always)]
pub fn power<T: Lane>(motion: &[T; 6], force: &[T; 6]) -> T {
    let ((w, v), (t, f)) = (halves(motion), halves(force));
    dot(w, t) + dot(v, f)
}

/// Rate of change of the motion `s` when it is carried along with velocity `v`.
#[inline(always)]
pub fn cross_motion<T: Lane>(v: &[T; 6], s: &[T; 6]) -> [T; 6] {
    let ((rot, lin), (s_rot, s_lin)) = (halves(v), halves(s));
    join(cross(rot, s_rot), add(cross(rot, s_lin), cross(lin, s_rot)))
}

/// Rate of change of the wrench `f` when it is carried along with velocity `v`.
#[inline(always)]
pub fn cross_force<T: Lane>(v: &[T; 6], f: &[T; 6]) -> [T; 6] {
    let ((rot, lin), (torque, force)) = (halves(v), halves(f));
    join(add(cross(rot, torque), cross(lin, force)), cross(rot, force))
}

/// Momentum of a body with this inertia that moves with `v`.
#[inline(always)]
pub fn mul_inertia<T: Lane>(inertia: &[T; 10], v: &[T; 6]) -> [T; 6] {
    let [xx, yy, zz, xy, xz, yz, mx, my, mz, mass] = *inertia;
    let (moment, (w, lin)) = ([mx, my, mz], halves(v));
    let turned =
        [xx * w[0] + xy * w[1] + xz * w[2], xy * w[0] + yy * w[1] + yz * w[2], xz * w[0] + yz * w[1] + zz * w[2]];
    join(add(turned, cross(moment, lin)), sub(scale(lin, mass), cross(moment, w)))
}

/// Inertia of a body about a point from which its centre of mass is `offset` away; `about_com` as
/// [`rotate_diagonal`] gives it.
#[inline(always)]
pub fn inertia<T: Lane>(about_com: [T; 6], mass: f64, offset: [T; 3]) -> [T; 10] {
    let mass = T::splat(mass);
    let [x, y, z] = offset;
    let (xx, yy, zz) = (x * x, y * y, z * z);
    let moment = scale(offset, mass);
    [
        about_com[0] + mass * (yy + zz),
        about_com[1] + mass * (xx + zz),
        about_com[2] + mass * (xx + yy),
        about_com[3] - mass * x * y,
        about_com[4] - mass * x * z,
        about_com[5] - mass * y * z,
        moment[0],
        moment[1],
        moment[2],
        mass,
    ]
}

/// Largest angle that [`sincos_small`] is for: up to here `math::sincos` does not reduce its argument.
pub const SMALL_ANGLE: f64 = f64::from_bits(0x3fe9_21fb_ffff_ffff);

/// Sines and cosines of angles of at most [`SMALL_ANGLE`] with the bits of [`math::sincos`](crate::math::sincos): the
/// same polynomials (FreeBSD's `k_sin.c` and `k_cos.c`) in the same order.
#[inline(always)]
pub fn sincos_small<T: Lane>(x: T) -> (T, T) {
    let (one, half) = (T::splat(1.0), T::splat(0.5));
    let z = x * x;
    let w = z * z;

    let [s1, s2, s3]: [T; 3] =
        [constant(0xbfc5_5555_5555_5549), constant(0x3f81_1111_1110_f8a6), constant(0xbf2a_01a0_19c1_61d5)];
    let [s4, s5, s6]: [T; 3] =
        [constant(0x3ec7_1de3_57b1_fe7d), constant(0xbe5a_e5e6_8a2b_9ceb), constant(0x3de5_d93a_5acf_d57c)];
    let r = s2 + z * (s3 + z * s4) + z * w * (s5 + z * s6);
    let sin = x + z * x * (s1 + z * r);

    let [c1, c2, c3]: [T; 3] =
        [constant(0x3fa5_5555_5555_554c), constant(0xbf56_c16c_16c1_5177), constant(0x3efa_01a0_19cb_1590)];
    let [c4, c5, c6]: [T; 3] =
        [constant(0xbe92_7e4f_809c_52ad), constant(0x3e21_ee9e_bdb4_b1c4), constant(0xbda8_fae9_be88_38d4)];
    let r = z * (c1 + z * (c2 + z * c3)) + w * w * (c4 + z * (c5 + z * c6));
    let hz = half * z;
    let near = one - hz;
    let cos = near + (((one - near) - hz) + (z * r - x * T::splat(0.0)));

    // below this the angle is its own sine
    let tiny = x.abs().lt(constant(0x3e46_a09e_0000_0000));
    (T::select(tiny, x, sin), T::select(tiny, one, cos))
}

#[inline(always)]
fn constant<T: Lane>(bits: u64) -> T {
    T::splat(f64::from_bits(bits))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::math::sincos;

    fn bits((s, c): (f64, f64)) -> [u64; 2] {
        [s.to_bits(), c.to_bits()]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn small_angles_have_the_bits_of_all_angles(x in -SMALL_ANGLE..SMALL_ANGLE, power in 0..60i32) {
            for x in [x, x / f64::from(power).exp2()] {
                prop_assert_eq!(bits(sincos_small(x)), bits(sincos(x)), "{:e}", x);
            }
        }
    }

    #[test]
    fn edges_of_small_angles_have_the_bits_of_all_angles() {
        let next = |x: f64| f64::from_bits(x.to_bits() + 1);
        let tiny = f64::from_bits(0x3e46_a09e_0000_0000);
        for x in [0.0, SMALL_ANGLE, tiny, next(tiny), tiny / 1.0000001, f64::MIN_POSITIVE, 5e-324] {
            assert_eq!(bits(sincos_small(x)), bits(sincos(x)), "{x:e}");
            assert_eq!(bits(sincos_small(-x)), bits(sincos(-x)), "{x:e}");
        }
        assert!(bits(sincos(next(SMALL_ANGLE))) != [0, 0], "beyond, the argument is reduced");
    }
}
