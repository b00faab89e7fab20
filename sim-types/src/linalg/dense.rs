//! Dense Cholesky, in place, row-major.

use super::{NotPositiveDefinite, dot};

/// Factors the symmetric `n × n` matrix `a = L·Lᵀ`; `L` replaces the lower triangle, the upper one is left as it was.
///
/// Only the lower triangle is read. A pivot that is not a positive number (zero, negative, NaN) is an error.
pub fn cholesky(a: &mut [f64], n: usize) -> Result<(), NotPositiveDefinite> {
    for i in 0..n {
        let (done, rest) = a.split_at_mut(i * n);
        let row_i = &mut rest[..n];
        for j in 0..i {
            let row_j = &done[j * n..=j * n + j];
            row_i[j] = (row_i[j] - dot(&row_i[..j], &row_j[..j])) / row_j[j];
        }
        let d = row_i[i] - dot(&row_i[..i], &row_i[..i]);
        if d.is_nan() || d <= 0.0 {
            return Err(NotPositiveDefinite { index: i });
        }
        row_i[i] = d.sqrt();
    }
    Ok(())
}

/// Solves `L·Lᵀ·x = b` in place, with `L` from [`cholesky`].
pub fn cholesky_solve(l: &[f64], x: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        let row = &l[i * n..=i * n + i];
        x[i] = (x[i] - dot(&row[..i], &x[..i])) / row[i];
    }
    for i in (0..n).rev() {
        let row = &l[i * n..=i * n + i];
        x[i] /= row[i];
        let xi = x[i];
        for (xj, lij) in x[..i].iter_mut().zip(&row[..i]) {
            *xj -= lij * xi;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_by_two_by_hand() {
        let mut a = [4.0, 0.0, 2.0, 5.0];
        cholesky(&mut a, 2).unwrap();
        assert_eq!(a, [2.0, 0.0, 1.0, 2.0]);
        let mut x = [8.0, 9.0];
        cholesky_solve(&a, &mut x);
        assert!((x[0] - 1.375).abs() < 1e-15 && (x[1] - 1.25).abs() < 1e-15);
    }

    #[test]
    fn indefinite_and_nan_are_named() {
        assert_eq!(cholesky(&mut [1.0, 0.0, 2.0, 1.0], 2), Err(NotPositiveDefinite { index: 1 }));
        assert_eq!(cholesky(&mut [f64::NAN], 1), Err(NotPositiveDefinite { index: 0 }));
        assert_eq!(cholesky(&mut [0.0], 1), Err(NotPositiveDefinite { index: 0 }));
    }
}
