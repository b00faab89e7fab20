//! Sparse `LᵀDL` of matrices whose pattern is a forest: the joint-space inertia.
//!
//! Row `i` holds the columns of the ancestors of dof `i` in increasing order, then the diagonal. Factoring from the
//! leaves to the roots creates no fill-in (Featherstone 2008, chapter 6). Dofs are numbered depth first, so two things
//! need no search and no index: the descendants of a dof are the rows behind it that are longer, and the ancestors of
//! the next dof are the path that leads to it, of which a copy is kept while walking.

use crate::lane::Lane;

/// Where the entries of a tree-sparse matrix are: compressed rows one after the other, columns increasing, diagonal last.
///
/// Rows are numbered depth first: the descendants of a row follow it without a gap.
#[derive(Clone, Copy, Debug)]
pub struct TreeSparse<'a> {
    /// Number of entries of each row.
    pub rownnz: &'a [u32],
    /// Address of the first entry of each row.
    pub rowadr: &'a [u32],
    /// Column of each entry.
    pub colind: &'a [u32],
}

/// Longest path from a root that is kept while walking; longer ones are looked up column by column.
const PATH: usize = 64;

impl TreeSparse<'_> {
    /// Number of rows.
    pub fn n(&self) -> usize {
        self.rownnz.len()
    }

    #[inline]
    fn row(&self, i: usize) -> (usize, usize) {
        (self.rowadr[i] as usize, self.rownnz[i] as usize)
    }

    /// True when no row has an ancestor: entry i is the diagonal of row i.
    #[inline]
    fn is_diagonal<T>(&self, m: &[T]) -> bool {
        m.len() == self.n()
    }

    /// True when every path from a root fits into [`PATH`].
    #[inline]
    fn is_shallow(&self) -> bool {
        self.rownnz.iter().all(|&nnz| nnz as usize <= PATH)
    }

    /// Factors `M = LᵀDL` in place: `L` (unit diagonal, not stored) in the off-diagonal entries, `D` on the diagonal,
    /// and `1/D` in `diaginv`.
    ///
    /// There is no guard against small pivots, as in MuJoCo: a singular matrix gives infinities, which the checks on
    /// accelerations catch.
    #[doc(alias = "mj_factorI")]
    pub fn factor(&self, m: &mut [f64], diaginv: &mut [f64]) {
        self.factor_lanes(m, diaginv);
    }

    /// As [`factor`](Self::factor), for any lanes.
    #[inline(always)]
    pub fn factor_lanes<T: Lane>(&self, m: &mut [T], diaginv: &mut [T]) {
        let n = self.n();
        let (rownnz, rowadr) = (&self.rownnz[..n], &self.rowadr[..n]);
        let diaginv = &mut diaginv[..n];
        for i in (0..n).rev() {
            let (adr, nnz) = (rowadr[i] as usize, rownnz[i] as usize);
            let behind = i + 1;
            let mut end = behind;
            while end < n && rownnz[end] as usize > nnz {
                end += 1;
            }
            let (above, below) = m.split_at_mut(adr + nnz);
            let row = &mut above[adr..];
            if end > behind {
                let down = Descendants {
                    rowadr: &rowadr[behind..end],
                    diaginv: &diaginv[behind..end],
                    values: below,
                    first: adr + nnz,
                    depth: nnz - 1,
                };
                let mut done = 0;
                while done < nnz {
                    let row = &mut row[done..];
                    match row.len() {
                        1 => down.subtract::<1>(row, done),
                        2 => down.subtract::<2>(row, done),
                        3 => down.subtract::<3>(row, done),
                        4 => down.subtract::<4>(row, done),
                        5 => down.subtract::<5>(row, done),
                        6 => down.subtract::<6>(row, done),
                        7 => down.subtract::<7>(row, done),
                        _ => down.subtract::<8>(row, done),
                    }
                    done += 8;
                }
            }
            diaginv[i] = T::splat(1.0) / row[nnz - 1];
        }
        for i in 0..n {
            let (adr, nnz) = (rowadr[i] as usize, rownnz[i] as usize);
            let inv = diaginv[i];
            for x in &mut m[adr..adr + nnz - 1] {
                *x = *x * inv;
            }
        }
    }

    /// Solves `LᵀDL·x = b` in place.
    #[doc(alias = "mj_solveLD")]
    pub fn solve(&self, ld: &[f64], diaginv: &[f64], x: &mut [f64]) {
        self.solve_lanes(ld, diaginv, x);
    }

    /// As [`solve`](Self::solve), for any lanes.
    #[inline(always)]
    pub fn solve_lanes<T: Lane>(&self, ld: &[T], diaginv: &[T], x: &mut [T]) {
        if !self.is_diagonal(ld) {
            self.lt_lanes(ld, x);
        }
        for (x, d) in x.iter_mut().zip(diaginv) {
            *x = *x * *d;
        }
        if !self.is_diagonal(ld) {
            self.l_lanes(ld, x);
        }
    }

    /// `x ← L⁻ᵀx`.
    pub fn solve_lt(&self, ld: &[f64], x: &mut [f64]) {
        self.lt_lanes(ld, x);
    }

    #[inline(always)]
    fn lt_lanes<T: Lane>(&self, ld: &[T], x: &mut [T]) {
        if !self.is_shallow() {
            return self.solve_lt_by_column(ld, x);
        }
        // what the descendants take from each dof of the path; zero again once it was taken
        let mut path = [T::splat(0.0); PATH];
        for i in (0..self.n()).rev() {
            let (adr, nnz) = self.row(i);
            let (above, own) = path[..nnz].split_at_mut(nnz - 1);
            let xi = x[i] - own[0];
            own[0] = T::splat(0.0);
            x[i] = xi;
            add_scaled(above, xi, &ld[adr..adr + nnz - 1]);
        }
    }

    /// `x ← L⁻¹x`.
    pub fn solve_l(&self, ld: &[f64], x: &mut [f64]) {
        self.l_lanes(ld, x);
    }

    #[inline(always)]
    fn l_lanes<T: Lane>(&self, ld: &[T], x: &mut [T]) {
        if !self.is_shallow() {
            return self.solve_l_by_column(ld, x);
        }
        let mut path = [T::splat(0.0); PATH];
        for i in 0..self.n() {
            let (adr, nnz) = self.row(i);
            let (above, own) = path[..nnz].split_at_mut(nnz - 1);
            let xi = x[i] - short_dot(&ld[adr..adr + nnz - 1], above);
            own[0] = xi;
            x[i] = xi;
        }
    }

    /// `res = M·x` for the symmetric matrix whose lower triangle is stored.
    #[doc(alias = "mj_mulM")]
    pub fn mul(&self, m: &[f64], x: &[f64], res: &mut [f64]) {
        if self.is_diagonal(m) {
            for ((res, m), x) in res.iter_mut().zip(m).zip(x) {
                *res = m * x;
            }
            return;
        }
        if !self.is_shallow() {
            return self.mul_by_column(m, x, res);
        }
        // below the diagonal, then above it
        let mut path = [0.0; PATH];
        for i in 0..self.n() {
            let (adr, nnz) = self.row(i);
            let (above, own) = path[..nnz].split_at_mut(nnz - 1);
            own[0] = x[i];
            res[i] = m[adr + nnz - 1] * x[i] + short_dot(&m[adr..adr + nnz - 1], above);
        }
        path.fill(0.0);
        for i in (0..self.n()).rev() {
            let (adr, nnz) = self.row(i);
            let (above, own) = path[..nnz].split_at_mut(nnz - 1);
            res[i] += own[0];
            own[0] = 0.0;
            add_scaled(above, x[i], &m[adr..adr + nnz - 1]);
        }
    }

    fn solve_lt_by_column<T: Lane>(&self, ld: &[T], x: &mut [T]) {
        for i in (0..self.n()).rev() {
            let (adr, nnz) = self.row(i);
            let xi = x[i];
            for (l, &j) in ld[adr..adr + nnz - 1].iter().zip(&self.colind[adr..adr + nnz - 1]) {
                x[j as usize] = x[j as usize] - *l * xi;
            }
        }
    }

    fn solve_l_by_column<T: Lane>(&self, ld: &[T], x: &mut [T]) {
        for i in 0..self.n() {
            let (adr, nnz) = self.row(i);
            let mut xi = x[i];
            for (l, &j) in ld[adr..adr + nnz - 1].iter().zip(&self.colind[adr..adr + nnz - 1]) {
                xi = xi - *l * x[j as usize];
            }
            x[i] = xi;
        }
    }

    fn mul_by_column(&self, m: &[f64], x: &[f64], res: &mut [f64]) {
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

/// The rows below one row in its tree, factored but for the scaling of `L`.
struct Descendants<'a, T> {
    rowadr: &'a [u32],
    diaginv: &'a [T],
    /// Entries from address `first` on.
    values: &'a [T],
    first: usize,
    /// Place of the row above in each of these rows.
    depth: usize,
}

impl<T: Lane> Descendants<'_, T> {
    /// Subtracts from `W` columns of the row above, the first being column `done`, what the rows below take; deepest
    /// rows first. The columns stay in registers.
    #[inline(always)]
    fn subtract<const W: usize>(&self, row: &mut [T], done: usize) {
        let Some(row) = row.first_chunk_mut::<W>() else { return };
        let mut acc = *row;
        for (&adr, inv) in self.rowadr.iter().zip(self.diaginv).rev() {
            let other = &self.values[adr as usize - self.first..];
            let scale = other[self.depth] * *inv;
            let Some(columns) = other[done..].first_chunk::<W>() else { return };
            for k in 0..W {
                acc[k] = acc[k] - scale * columns[k];
            }
        }
        *row = acc;
    }
}

/// Calls a function for the width of a short row, so that its loop has no end to look for; `$rest` for a longer one.
macro_rules! by_width {
    ($n:expr, $f:ident($($arg:expr),*), $rest:expr) => {
        match $n {
            0 => {}
            1 => $f::<T, 1>($($arg),*),
            2 => $f::<T, 2>($($arg),*),
            3 => $f::<T, 3>($($arg),*),
            4 => $f::<T, 4>($($arg),*),
            5 => $f::<T, 5>($($arg),*),
            6 => $f::<T, 6>($($arg),*),
            7 => $f::<T, 7>($($arg),*),
            8 => $f::<T, 8>($($arg),*),
            9 => $f::<T, 9>($($arg),*),
            10 => $f::<T, 10>($($arg),*),
            11 => $f::<T, 11>($($arg),*),
            12 => $f::<T, 12>($($arg),*),
            13 => $f::<T, 13>($($arg),*),
            14 => $f::<T, 14>($($arg),*),
            15 => $f::<T, 15>($($arg),*),
            16 => $f::<T, 16>($($arg),*),
            _ => $rest,
        }
    };
}

/// `a += s·b` for short rows of the same length.
#[inline(always)]
fn add_scaled<T: Lane>(a: &mut [T], s: T, b: &[T]) {
    by_width!(a.len(), add_fixed(a, s, b), {
        for (a, b) in a.iter_mut().zip(b) {
            *a = *a + s * *b;
        }
    });
}

#[inline(always)]
fn add_fixed<T: Lane, const W: usize>(a: &mut [T], s: T, b: &[T]) {
    if let (Some(a), Some(b)) = (a.first_chunk_mut::<W>(), b.first_chunk::<W>()) {
        for k in 0..W {
            a[k] = a[k] + s * b[k];
        }
    }
}

/// Dot product of short rows of the same length, in two running sums.
#[inline(always)]
fn short_dot<T: Lane>(a: &[T], b: &[T]) -> T {
    let mut sum = [T::splat(0.0); 2];
    by_width!(a.len(), dot_fixed(&mut sum, a, b), {
        let (pairs_a, last_a) = a.as_chunks::<2>();
        let (pairs_b, last_b) = b.as_chunks::<2>();
        for (a, b) in pairs_a.iter().zip(pairs_b) {
            sum[0] = sum[0] + a[0] * b[0];
            sum[1] = sum[1] + a[1] * b[1];
        }
        if let ([a], [b]) = (last_a, last_b) {
            sum[0] = sum[0] + *a * *b;
        }
    });
    sum[0] + sum[1]
}

#[inline(always)]
fn dot_fixed<T: Lane, const W: usize>(sum: &mut [T; 2], a: &[T], b: &[T]) {
    if let (Some(a), Some(b)) = (a.first_chunk::<W>(), b.first_chunk::<W>()) {
        for k in 0..W / 2 {
            sum[0] = sum[0] + a[2 * k] * b[2 * k];
            sum[1] = sum[1] + a[2 * k + 1] * b[2 * k + 1];
        }
        if W % 2 == 1 {
            sum[0] = sum[0] + a[W - 1] * b[W - 1];
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

    /// A chain longer than the kept path gives what short ones give.
    #[test]
    fn deep_chains_solve_what_they_multiply() {
        for n in [PATH - 1, PATH, PATH + 1, PATH + 9] {
            let rownnz: Vec<u32> = (1..=n as u32).collect();
            let rowadr: Vec<u32> = (0..n as u32).map(|i| i * (i + 1) / 2).collect();
            let colind: Vec<u32> = (0..n as u32).flat_map(|i| 0..=i).collect();
            let s = TreeSparse { rownnz: &rownnz, rowadr: &rowadr, colind: &colind };
            let entry = |i: usize, j: usize| if i == j { n as f64 } else { ((i * 7 + j * 3) % 5) as f64 / 5.0 - 0.4 };
            let m: Vec<f64> = (0..n).flat_map(|i| (0..=i).map(move |j| entry(i, j))).collect();
            let x: Vec<f64> = (0..n).map(|i| (i % 7) as f64 - 3.0).collect();
            let mut b = vec![0.0; n];
            s.mul(&m, &x, &mut b);
            let (mut ld, mut inv) = (m.clone(), vec![0.0; n]);
            s.factor(&mut ld, &mut inv);
            s.solve(&ld, &inv, &mut b);
            for i in 0..n {
                assert!((b[i] - x[i]).abs() < 1e-12, "n {n}: x[{i}] = {} for {}", b[i], x[i]);
            }
        }
    }
}
