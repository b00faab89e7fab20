//! Sparse `LᵀDL` of matrices whose pattern is a forest: the joint-space inertia.
//!
//! Row `i` holds the columns of the ancestors of dof `i` in increasing order, then the diagonal. Factoring from the
//! leaves to the roots creates no fill-in (Featherstone 2008, chapter 6), and because the first entries of a row are
//! exactly the row of each of its ancestors, no column search is needed.

/// Where the entries of a tree-sparse matrix are: compressed rows, columns increasing, diagonal last.
#[derive(Clone, Copy, Debug)]
pub struct TreeSparse<'a> {
    /// Number of entries of each row.
    pub rownnz: &'a [u32],
    /// Address of the first entry of each row.
    pub rowadr: &'a [u32],
    /// Column of each entry.
    pub colind: &'a [u32],
}

impl TreeSparse<'_> {
    /// Number of rows.
    pub fn n(&self) -> usize {
        self.rownnz.len()
    }

    #[inline]
    fn row(&self, i: usize) -> (usize, usize) {
        (self.rowadr[i] as usize, self.rownnz[i] as usize)
    }

    /// Factors `M = LᵀDL` in place: `L` (unit diagonal, not stored) in the off-diagonal entries, `D` on the diagonal,
    /// and `1/D` in `diaginv`.
    ///
    /// There is no guard against small pivots, as in MuJoCo: a singular matrix gives infinities, which the checks on
    /// accelerations catch.
    #[doc(alias = "mj_factorI")]
    pub fn factor(&self, m: &mut [f64], diaginv: &mut [f64]) {
        for k in (0..self.n()).rev() {
            let (adr, nnz) = self.row(k);
            let (above, rest) = m.split_at_mut(adr);
            let row_k = &mut rest[..nnz];
            let (off, diag) = row_k.split_at_mut(nnz - 1);
            let inv = 1.0 / diag[0];
            diaginv[k] = inv;

            // row_i -= (M_ki / D_k) row_k, for every ancestor i; its columns are the first ones of row k
            let cols = &self.colind[adr..adr + nnz - 1];
            for (c, &i) in cols.iter().enumerate().rev() {
                let scale = off[c] * inv;
                let (adr_i, nnz_i) = self.row(i as usize);
                let row_i = &mut above[adr_i..adr_i + nnz_i];
                for (a, b) in row_i.iter_mut().zip(&off[..=c]) {
                    *a -= scale * b;
                }
            }
            for x in off {
                *x *= inv;
            }
        }
    }

    /// Solves `LᵀDL·x = b` in place.
    #[doc(alias = "mj_solveLD")]
    pub fn solve(&self, ld: &[f64], diaginv: &[f64], x: &mut [f64]) {
        self.solve_lt(ld, x);
        for (x, d) in x.iter_mut().zip(diaginv) {
            *x *= d;
        }
        self.solve_l(ld, x);
    }

    /// `x ← L⁻ᵀx`.
    pub fn solve_lt(&self, ld: &[f64], x: &mut [f64]) {
        for i in (0..self.n()).rev() {
            let (adr, nnz) = self.row(i);
            let xi = x[i];
            if nnz > 1 && xi != 0.0 {
                for (l, &j) in ld[adr..adr + nnz - 1].iter().zip(&self.colind[adr..adr + nnz - 1]) {
                    x[j as usize] -= l * xi;
                }
            }
        }
    }

    /// `x ← L⁻¹x`.
    pub fn solve_l(&self, ld: &[f64], x: &mut [f64]) {
        for i in 0..self.n() {
            let (adr, nnz) = self.row(i);
            let mut xi = x[i];
            for (l, &j) in ld[adr..adr + nnz - 1].iter().zip(&self.colind[adr..adr + nnz - 1]) {
                xi -= l * x[j as usize];
            }
            x[i] = xi;
        }
    }

    /// `res = M·x` for the symmetric matrix whose lower triangle is stored.
    #[doc(alias = "mj_mulM")]
    pub fn mul(&self, m: &[f64], x: &[f64], res: &mut [f64]) {
        for i in 0..self.n() {
            let (adr, nnz) = self.row(i);
            let xi = x[i];
            let mut sum = m[adr + nnz - 1] * xi;
            for (v, &j) in m[adr..adr + nnz - 1].iter().zip(&self.colind[adr..adr + nnz - 1]) {
                sum += v * x[j as usize];
                res[j as usize] += v * xi;
            }
            res[i] = sum;
        }
    }

    /// Writes the whole symmetric matrix, row-major, into `out` (`n × n`).
    #[doc(alias = "mj_fullM")]
    pub fn to_dense(&self, m: &[f64], out: &mut [f64]) {
        let n = self.n();
        out.fill(0.0);
        for i in 0..n {
            let (adr, nnz) = self.row(i);
            for (v, &j) in m[adr..adr + nnz].iter().zip(&self.colind[adr..adr + nnz]) {
                out[i * n + j as usize] = *v;
                out[j as usize * n + i] = *v;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root with two branches: dofs 0 ← 1 ← 2 and 0 ← 3.
    const ROWNNZ: [u32; 4] = [1, 2, 3, 2];
    const ROWADR: [u32; 4] = [0, 1, 3, 6];
    const COLIND: [u32; 8] = [0, 0, 1, 0, 1, 2, 0, 3];

    #[test]
    fn branching_tree_solves_what_it_multiplies() {
        let s = TreeSparse { rownnz: &ROWNNZ, rowadr: &ROWADR, colind: &COLIND };
        let m = [9.0, 1.0, 7.0, 0.5, 2.0, 6.0, -1.5, 5.0];
        let x = [1.0, -2.0, 3.0, 0.25];
        let mut b = [0.0; 4];
        s.mul(&m, &x, &mut b);

        let mut dense = [0.0; 16];
        s.to_dense(&m, &mut dense);
        for i in 0..4 {
            assert_eq!(b[i], (0..4).map(|j| dense[i * 4 + j] * x[j]).sum::<f64>());
        }

        let (mut ld, mut inv) = (m, [0.0; 4]);
        s.factor(&mut ld, &mut inv);
        s.solve(&ld, &inv, &mut b);
        for i in 0..4 {
            assert!((b[i] - x[i]).abs() < 1e-15, "{b:?}");
        }
    }

    #[test]
    fn singular_gives_infinity_not_a_panic() {
        let s = TreeSparse { rownnz: &[1], rowadr: &[0], colind: &[0] };
        let (mut ld, mut inv, mut x) = ([0.0], [0.0], [1.0]);
        s.factor(&mut ld, &mut inv);
        s.solve(&ld, &inv, &mut x);
        assert!(x[0].is_infinite());
    }
}
