//! Sparse `UL` of unsymmetric matrices whose pattern is that of a forest: inertia with velocity derivatives.
//!
//! Row `i` holds the columns of all ancestors and descendants of dof `i`, in increasing order. Eliminating from the
//! leaves to the roots creates no fill-in: what a row adds to that of an ancestor lies in columns the ancestor has.

/// Where the entries of the matrix are: compressed rows, columns increasing.
#[derive(Clone, Copy, Debug)]
pub struct ForestSparse<'a> {
    /// Number of entries of each row.
    pub rownnz: &'a [u32],
    /// Address of the first entry of each row.
    pub rowadr: &'a [u32],
    /// Index of the diagonal within each row.
    pub diag: &'a [u32],
    /// Column of each entry.
    pub colind: &'a [u32],
}

/// A pivot is zero, or not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("matrix is singular: pivot {index} is not a number away from zero")]
pub struct Singular {
    /// Row of the bad pivot.
    pub index: usize,
}

impl ForestSparse<'_> {
    /// Number of rows.
    pub fn n(&self) -> usize {
        self.rownnz.len()
    }

    #[inline]
    fn row(&self, i: usize) -> (usize, usize, usize) {
        (self.rowadr[i] as usize, self.rownnz[i] as usize, self.diag[i] as usize)
    }

    /// Factors in place: `(U + I)·L`, with `U` above the diagonal and `L` on and below it. No pivoting: a pivot below
    /// 1e-15 is an error.
    #[doc(alias = "mju_factorLUSparse")]
    pub fn factor(&self, a: &mut [f64]) -> Result<(), Singular> {
        for i in (0..self.n()).rev() {
            let (adr, _, diag) = self.row(i);
            let pivot = a[adr + diag];
            if pivot.is_nan() || pivot.abs() < crate::MINVAL {
                return Err(Singular { index: i });
            }

            // rows above that have column i are those of the ancestors
            let ancestors = &self.colind[adr..adr + diag];
            let (above, own) = a.split_at_mut(adr);
            let own = &own[..diag];
            for &j in ancestors {
                let (start, nnz, _) = self.row(j as usize);
                let columns = &self.colind[start..start + nnz];
                let at = columns.partition_point(|c| (*c as usize) < i);
                let row = &mut above[start..start + nnz];
                let Some(x) = row.get_mut(at) else { continue };
                *x /= pivot;
                subtract(&mut row[..=at], &columns[..at], own, ancestors);
            }
        }
        Ok(())
    }

    /// Solves in place, with what [`ForestSparse::factor`] made.
    #[doc(alias = "mju_solveLUSparse")]
    pub fn solve(&self, lu: &[f64], x: &mut [f64]) {
        for i in (0..self.n()).rev() {
            let (adr, nnz, diag) = self.row(i);
            x[i] -= self.dot(lu, adr + diag + 1..adr + nnz, x);
        }
        for i in 0..self.n() {
            let (adr, _, diag) = self.row(i);
            x[i] = (x[i] - self.dot(lu, adr..adr + diag, x)) / lu[adr + diag];
        }
    }

    /// `res = A·x`.
    pub fn mul(&self, a: &[f64], x: &[f64], res: &mut [f64]) {
        for (i, res) in res.iter_mut().enumerate().take(self.n()) {
            let (adr, nnz, _) = self.row(i);
            *res = self.dot(a, adr..adr + nnz, x);
        }
    }

    #[inline]
    fn dot(&self, a: &[f64], entries: std::ops::Range<usize>, x: &[f64]) -> f64 {
        a[entries.clone()].iter().zip(&self.colind[entries]).map(|(a, c)| a * x[*c as usize]).sum()
    }
}

/// `row −= scale·other` where both have the column; `scale` is the last entry of `row`, which stays.
fn subtract(row: &mut [f64], columns: &[u32], other: &[f64], other_columns: &[u32]) {
    let Some((scale, row)) = row.split_last_mut() else { return };
    let mut k = 0;
    for (x, column) in other.iter().zip(other_columns) {
        while k < columns.len() && columns[k] < *column {
            k += 1;
        }
        if k < columns.len() && columns[k] == *column {
            row[k] -= x * *scale;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root with two branches: dofs 0 ← 1 ← 2 and 0 ← 3.
    const ROWNNZ: [u32; 4] = [4, 3, 3, 2];
    const ROWADR: [u32; 4] = [0, 4, 7, 10];
    const DIAG: [u32; 4] = [0, 1, 2, 1];
    const COLIND: [u32; 12] = [0, 1, 2, 3, 0, 1, 2, 0, 1, 2, 0, 3];
    const A: [f64; 12] = [9.0, 1.0, 0.5, -1.5, 2.0, 7.0, 1.0, -0.5, 2.0, 6.0, 3.0, 5.0];

    fn pattern() -> ForestSparse<'static> {
        ForestSparse { rownnz: &ROWNNZ, rowadr: &ROWADR, diag: &DIAG, colind: &COLIND }
    }

    #[test]
    fn solves_what_it_multiplies() {
        let x = [1.0, -2.0, 3.0, 0.25];
        let mut b = [0.0; 4];
        pattern().mul(&A, &x, &mut b);
        assert_eq!(b, [9.0 - 2.0 + 1.5 - 0.375, 2.0 - 14.0 + 3.0, -0.5 - 4.0 + 18.0, 3.0 + 1.25]);
        let mut lu = A;
        pattern().factor(&mut lu).unwrap();
        pattern().solve(&lu, &mut b);
        for i in 0..4 {
            assert!((b[i] - x[i]).abs() < 1e-14, "{b:?}");
        }
    }

    #[test]
    fn a_zero_pivot_is_named() {
        let mut lu = A;
        (lu[5], lu[6]) = (0.0, 0.0);
        assert_eq!(pattern().factor(&mut lu), Err(Singular { index: 1 }));
        (lu[9], lu[11]) = (f64::NAN, 5.0);
        assert_eq!(pattern().factor(&mut lu), Err(Singular { index: 2 }));
    }
}
