//! Principal axes of an inertia.
//!
//! Eigenvectors of a symmetric matrix are not unique: signs, order, and any basis of a repeated eigenvalue are free.
//! The model keeps them (`body_iquat`), so the choice has to be MuJoCo's: Jacobi rotations accumulated in a quaternion,
//! always at the largest off-diagonal entry, then sorted from largest to smallest.

use super::pose::{EPS, mul, normalized};
use sim_types::{Mat3, Quat, Vec3};

const TOLERANCE: f64 = 1e-12;

/// Sine and cosine of an eighth turn to the digits that MuJoCo writes; the difference shows in quaternions.
#[allow(clippy::approx_constant, reason = "the last digits are the point")]
const EIGHTH: f64 = 0.707106781186548;

/// Moments and axes of the inertia given as xx, yy, zz, xy, xz, yz; `None` when a moment is not positive.
#[doc(alias = "mjuu_fullInertia")]
pub(super) fn principal(full: [f64; 6]) -> Option<(Vec3, Quat)> {
    let [xx, yy, zz, xy, xz, yz] = full;
    let (moments, quat) = eig3(&Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz));
    (moments.z >= EPS || moments.z.is_nan()).then_some((moments, quat))
}

/// Eigenvalues in decreasing order, and the rotation whose columns are the eigenvectors.
#[doc(alias = "mjuu_eig3")]
pub(super) fn eig3(a: &Mat3) -> (Vec3, Quat) {
    let mut quat = Quat::IDENTITY;
    let mut values = a.diagonal();
    for _ in 0..500 {
        let v = quat.to_mat();
        let d = v.transpose() * a * v;
        values = d.diagonal();
        match jacobi(&d) {
            Some(turn) => quat = normalized(mul(quat, turn)),
            None => break,
        }
    }
    sort(values, quat)
}

/// The rotation that removes the largest off-diagonal entry of `d`; `None` when there is nothing left to remove.
fn jacobi(d: &Mat3) -> Option<Quat> {
    let (d01, d02, d12) = (d[(0, 1)].abs(), d[(0, 2)].abs(), d[(1, 2)].abs());
    let (row, col, axis) = if d01 > d02 && d01 > d12 {
        (0, 1, 2)
    } else if d02 > d12 {
        (0, 2, 1)
    } else {
        (1, 2, 0)
    };
    let pivot = d[(row, col)];
    if pivot.abs() < TOLERANCE {
        return None;
    }

    // 2×2 symmetric Schur decomposition
    let tau = (d[(col, col)] - d[(row, row)]) / (2.0 * pivot);
    let root = (1.0 + tau * tau).sqrt();
    let t = if tau >= 0.0 { 1.0 / (tau + root) } else { -1.0 / (root - tau) };
    let c = 1.0 / (1.0 + t * t).sqrt();
    if c > 1.0 - TOLERANCE {
        return None;
    }

    // the rotation by half its angle; about y it has the other sense
    let s = (0.5 - 0.5 * c).sqrt();
    let s = if (tau >= 0.0) == (axis == 1) { s } else { -s };
    let mut q = [(1.0 - s * s).sqrt(), 0.0, 0.0, 0.0];
    q[axis + 1] = s;
    Some(normalized(Quat::new(q[0], q[1], q[2], q[3])))
}

/// Sorts from largest to smallest by quarter turns; equal ones stay.
fn sort(mut values: Vec3, mut quat: Quat) -> (Vec3, Quat) {
    for lead in [0, 1, 0] {
        if values[lead] + TOLERANCE < values[lead + 1] {
            values.swap_rows(lead, lead + 1);
            let mut turn = [EIGHTH, 0.0, 0.0, 0.0];
            turn[(lead + 2) % 3 + 1] = EIGHTH;
            quat = normalized(mul(quat, Quat::new(turn[0], turn[1], turn[2], turn[3])));
        }
    }
    (values, quat)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_types::math::rotate_diagonal;

    /// A small generator of numbers in −1…1, so that the test needs no seed file.
    fn numbers(mut state: u64) -> impl Iterator<Item = f64> {
        std::iter::repeat_with(move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        })
    }

    #[test]
    fn random_matrices_are_rebuilt_from_their_parts() {
        let mut next = numbers(7);
        let mut draw = || next.next().unwrap();
        for _ in 0..500 {
            let (a, b, c, d, e, f) = (draw(), draw(), draw(), draw(), draw(), draw());
            let m = Mat3::new(a, d, e, d, b, f, e, f, c);
            let (values, quat) = eig3(&m);
            assert!(values.x + 1e-11 >= values.y && values.y + 1e-11 >= values.z, "{values:?}");
            assert!((quat.norm() - 1.0).abs() < 1e-13);
            let rebuilt = rotate_diagonal(&quat.to_mat(), &values);
            // turns with a cosine within 1e-12 of one are not made: what is left is of the order of 1e-6
            assert!((rebuilt - m).norm() < 1e-5, "{m} {rebuilt}");
        }
    }

    #[test]
    fn diagonal_input_is_sorted_by_quarter_turns() {
        let (values, quat) = principal([1.0, 2.0, 3.0, 0.0, 0.0, 0.0]).unwrap();
        assert_eq!(values, Vec3::new(3.0, 2.0, 1.0));
        let half = std::f64::consts::FRAC_1_SQRT_2;
        for (got, want) in quat.to_array().into_iter().zip([0.0, half, 0.0, half]) {
            assert!((got - want).abs() < 1e-14, "{quat:?}");
        }
    }

    #[test]
    fn equal_moments_stay_where_they_are() {
        let (values, quat) = eig3(&Mat3::from_diagonal_element(2.0));
        assert_eq!((values, quat), (Vec3::repeat(2.0), Quat::IDENTITY));
    }

    #[test]
    fn a_flat_or_negative_inertia_is_refused() {
        assert!(principal([1.0, 1.0, 0.0, 0.0, 0.0, 0.0]).is_none());
        assert!(principal([1.0, 1.0, -1.0, 0.0, 0.0, 0.0]).is_none());
    }
}
