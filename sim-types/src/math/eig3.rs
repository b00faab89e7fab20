//! Eigenvalues and eigenvectors of a symmetric 3×3 matrix.

use super::{Mat3, Quat, Vec3};

const TOLERANCE: f64 = 1e-12;

#[expect(clippy::approx_constant, reason = "MuJoCo's own digits")]
const COS_45: f64 = 0.707106781186548;

/// Eigenvalues in decreasing order, and the rotation whose columns are the eigenvectors.
///
/// Signs, order and the basis of repeated values are free, and MuJoCo's choice is made here: Jacobi rotations gathered in
/// a quaternion, always at the largest entry off the diagonal. What is not a number comes back after a few rotations.
#[doc(alias = "mju_eig3")]
pub fn eig3(a: &Mat3) -> (Vec3, Mat3) {
    let mut quat = Quat::IDENTITY;
    let mut values = a.diagonal();
    for _ in 0..500 {
        let v = quat.to_mat();
        let d = v.transpose() * a * v;
        values = d.diagonal();
        match jacobi(&d) {
            Some(turn) => quat = (quat * turn).normalized(),
            None => break,
        }
    }

    // quarter turns sort the values; equal ones stay
    for lead in [0, 1, 0] {
        if values[lead] + TOLERANCE < values[lead + 1] {
            values.swap_rows(lead, lead + 1);
            let mut turn = [COS_45, 0.0, 0.0, 0.0];
            turn[(lead + 2) % 3 + 1] = turn[0];
            quat = (quat * Quat::new(turn[0], turn[1], turn[2], turn[3])).normalized();
        }
    }
    (values, quat.to_mat())
}

/// The rotation that removes the largest entry off the diagonal; `None` when there is nothing left to remove.
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
    if pivot.abs() < TOLERANCE || pivot.is_nan() {
        return None;
    }

    // symmetric Schur decomposition of the 2×2 block
    let tau = (d[(col, col)] - d[(row, row)]) / (2.0 * pivot);
    let root = (1.0 + tau * tau).sqrt();
    let t = if tau >= 0.0 { 1.0 / (tau + root) } else { -1.0 / (-tau + root) };
    let c = 1.0 / (1.0 + t * t).sqrt();
    if c > 1.0 - TOLERANCE || c.is_nan() {
        return None;
    }

    // half the angle; about y it has the other sense
    let s = (0.5 - 0.5 * c).sqrt();
    let s = if (tau >= 0.0) == (axis == 1) { s } else { -s };
    let mut q = [(1.0 - s * s).sqrt(), 0.0, 0.0, 0.0];
    q[axis + 1] = s;
    Some(Quat::new(q[0], q[1], q[2], q[3]).normalized())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rotate_diagonal;
    use proptest::prelude::*;

    #[test]
    fn a_diagonal_matrix_is_only_sorted() {
        let (values, axes) = eig3(&Mat3::from_diagonal(&Vec3::new(3.0, 2.0, 1.0)));
        assert_eq!((values, axes), (Vec3::new(3.0, 2.0, 1.0), Mat3::identity()));
        let (values, axes) = eig3(&Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 3.0)));
        assert_eq!(values, Vec3::new(3.0, 2.0, 1.0));
        assert!((axes.column(0).z.abs() - 1.0).abs() < 1e-12, "{axes}");
    }

    #[test]
    fn what_is_not_a_number_ends() {
        let (values, _) = eig3(&Mat3::repeat(f64::NAN));
        assert!(values.x.is_nan());
        eig3(&Mat3::repeat(f64::INFINITY));
    }

    proptest! {
        #[test]
        fn the_parts_make_the_whole(x in prop::array::uniform6(-5.0..5.0f64)) {
            let a = Mat3::new(x[0], x[3], x[4], x[3], x[1], x[5], x[4], x[5], x[2]);
            let (values, axes) = eig3(&a);
            // a rotation by less than about 1e-6 is not made
            prop_assert!((rotate_diagonal(&axes, &values) - a).norm() < 1e-5 * a.norm());
            prop_assert!(values.x + 1e-9 >= values.y && values.y + 1e-9 >= values.z);
        }
    }
}
