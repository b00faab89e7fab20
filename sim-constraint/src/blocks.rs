//! Block-diagonal matrices with blocks of at most eight rows: the inertia of small trees, and its inverse.
//!
//! A free body has six dofs, and its product with a vector is six columns times a number each, without indices. Walking
//! along the tree takes several times as many instructions, most of them for rows of different lengths.

use crate::kernel::Four;
use crate::lane::Simd;
use crate::problem::Problem;
use crate::wide;

/// Largest block.
const SIZE: usize = 8;

/// A symmetric block-diagonal matrix.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blocks {
    blocks: Vec<Tree>,
    /// Columns of all blocks, each in one or two groups.
    columns: Vec<Four>,
}

/// Rows of one tree.
#[derive(Clone, Copy, Debug)]
struct Tree {
    first: usize,
    size: usize,
    column: usize,
}

impl Tree {
    /// Groups of a column.
    #[inline(always)]
    fn groups(&self) -> usize {
        if self.size > 4 { 2 } else { 1 }
    }
}

impl Blocks {
    /// True when there is no matrix.
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Takes the inertia of a problem, if its trees are small and not all of one dof.
    pub(crate) fn fit_inertia(&mut self, p: &Problem<'_>) {
        self.find(p);
        let at = |columns: &mut [Four], tree: &Tree, i: usize, j: usize, x: f64| {
            columns[tree.column + j * tree.groups() + i / 4][i % 4] = x;
        };
        for tree in &self.blocks {
            for i in 0..tree.size {
                let (adr, nnz) = entries(p, tree.first + i);
                for (v, &c) in p.m[adr..adr + nnz].iter().zip(&p.pattern.colind[adr..adr + nnz]) {
                    let j = (c as usize).wrapping_sub(tree.first).min(tree.size - 1);
                    at(&mut self.columns, tree, i, j, *v);
                    at(&mut self.columns, tree, j, i, *v);
                }
            }
        }
    }

    /// Takes the inverse of the inertia, under the same conditions.
    pub(crate) fn fit_inverse(&mut self, p: &Problem<'_>) {
        self.find(p);
        if !self.is_empty() {
            wide::invert_blocks(self, p);
        }
    }

    /// Finds the trees: a root has no dof above it. Columns are zero.
    fn find(&mut self, p: &Problem<'_>) {
        self.blocks.clear();
        self.columns.clear();
        if p.m.len() == p.nv() {
            return;
        }
        let mut length = 0;
        for (dof, &nnz) in p.pattern.rownnz.iter().enumerate() {
            match self.blocks.last_mut() {
                Some(tree) if nnz > 1 => tree.size += 1,
                _ => self.blocks.push(Tree { first: dof, size: 1, column: 0 }),
            }
        }
        for tree in &mut self.blocks {
            tree.column = length;
            length += tree.size * tree.groups();
        }
        if self.blocks.iter().any(|tree| tree.size > SIZE) {
            self.blocks.clear();
            return;
        }
        self.columns.resize(length, [0.0; 4]);
    }

    /// `out = A·x`.
    pub(crate) fn mul(&self, x: &[f64], out: &mut [f64]) {
        wide::mul_blocks(self, x, out);
    }
}

/// Address and number of the entries of a row.
#[inline(always)]
fn entries(p: &Problem<'_>, dof: usize) -> (usize, usize) {
    (p.pattern.rowadr[dof] as usize, p.pattern.rownnz[dof] as usize)
}

/// Solves for the columns of the inverse, all of a block at once.
#[inline(always)]
pub(crate) fn invert<T: Simd>(t: T, a: &mut Blocks, p: &Problem<'_>) {
    for b in 0..a.blocks.len() {
        let tree = a.blocks[b];
        let (n, groups) = (tree.size, tree.groups());
        let x = &mut a.columns[tree.column..][..n * groups];
        for i in 0..n {
            x[i * groups + i / 4][i % 4] = 1.0;
        }
        for i in (0..n).rev() {
            let (adr, nnz) = entries(p, tree.first + i);
            for e in adr..adr + nnz - 1 {
                let up = (p.pattern.colind[e] as usize).wrapping_sub(tree.first).min(tree.size - 1);
                subtract(t, x, groups, (up, i), p.ld[e]);
            }
        }
        for i in 0..n {
            let scale = t.splat(p.diaginv[tree.first + i]);
            for g in 0..groups {
                let y = t.mul(scale, t.load(&x[i * groups + g]));
                t.store(y, &mut x[i * groups + g]);
            }
            let (adr, nnz) = entries(p, tree.first + i);
            for e in adr..adr + nnz - 1 {
                let up = (p.pattern.colind[e] as usize).wrapping_sub(tree.first).min(tree.size - 1);
                subtract(t, x, groups, (i, up), p.ld[e]);
            }
        }
    }
}

/// Subtracts a multiple of row `from` from row `to`.
#[inline(always)]
fn subtract<T: Simd>(t: T, x: &mut [Four], groups: usize, (to, from): (usize, usize), scale: f64) {
    for g in 0..groups {
        let y = t.sub_mul(t.load(&x[to * groups + g]), t.splat(scale), t.load(&x[from * groups + g]));
        t.store(y, &mut x[to * groups + g]);
    }
}

/// `out = A·x`.
#[inline(always)]
pub(crate) fn mul<T: Simd>(t: T, a: &Blocks, x: &[f64], out: &mut [f64]) {
    for b in 0..a.blocks.len() {
        let tree = &a.blocks[b];
        let own = &x[tree.first..tree.first + tree.size];
        if tree.groups() == 2 {
            let columns = a.columns[tree.column..].as_chunks::<2>().0;
            let (mut y, mut z) = (t.splat(0.0), t.splat(0.0));
            for k in 0..own.len().min(columns.len()) {
                let s = t.splat(own[k]);
                y = t.add_mul(y, s, t.load(&columns[k][0]));
                z = t.add_mul(z, s, t.load(&columns[k][1]));
            }
            put(t, y, out, tree.first, 4);
            put(t, z, out, tree.first + 4, tree.size - 4);
        } else {
            let columns = &a.columns[tree.column..][..own.len()];
            let mut y = t.splat(0.0);
            for k in 0..own.len() {
                y = t.add_mul(y, t.splat(own[k]), t.load(&columns[k]));
            }
            put(t, y, out, tree.first, tree.size);
        }
    }
}

/// Writes four numbers where there is room, else those that count. What is written beyond them belongs to the next
/// block, which writes after this one.
#[inline(always)]
fn put<T: Simd>(t: T, v: T::V, out: &mut [f64], first: usize, count: usize) {
    if let Some(out) = out.get_mut(first..).and_then(|out| out.first_chunk_mut()) {
        t.store(v, out);
        return;
    }
    let mut y = [0.0; 4];
    t.store(v, &mut y);
    for (out, y) in out[first..].iter_mut().zip(&y).take(count) {
        *out = *y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Rows;
    use sim_types::linalg::TreeSparse;

    /// Two trees of six dofs in a row each, one of one dof, and one of three with two branches.
    #[test]
    fn products_are_those_along_the_tree() {
        let (mut rownnz, mut rowadr, mut colind, mut m) = (vec![], vec![], vec![], vec![]);
        let mut push = |columns: &[u32]| {
            rowadr.push(m.len() as u32);
            rownnz.push(columns.len() as u32);
            for (k, &c) in columns.iter().enumerate() {
                colind.push(c);
                m.push(if k + 1 == columns.len() { 3.0 + f64::from(c) } else { 0.25 - 0.1 * k as f64 });
            }
        };
        for first in [0, 6] {
            (0..6).for_each(|i| push(&(first..=first + i).collect::<Vec<u32>>()));
        }
        push(&[12]);
        push(&[13]);
        push(&[13, 14]);
        push(&[13, 15]);
        let n = rownnz.len();
        let pattern = TreeSparse { rownnz: &rownnz, rowadr: &rowadr, colind: &colind };
        let (mut ld, mut diaginv) = (m.clone(), vec![0.0; n]);
        pattern.factor(&mut ld, &mut diaginv);
        let x: Vec<f64> = (0..n).map(|i| 1.0 - 0.3 * i as f64).collect();
        let p = Problem {
            timestep: 0.01,
            scale: 1.0,
            pattern,
            m: &m,
            ld: &ld,
            diaginv: &diaginv,
            qfrc_smooth: &x,
            qacc_smooth: &x,
            rows: Rows::default(),
        };
        let mut want = vec![0.0; n];
        pattern.mul(&m, &x, &mut want);
        let (mut a, mut got) = (Blocks::default(), vec![0.0; n]);
        a.fit_inertia(&p);
        assert!(!a.is_empty());
        a.mul(&x, &mut got);
        assert!(want.iter().zip(&got).all(|(a, b)| (a - b).abs() < 1e-13), "{want:?} {got:?}");
        let mut back = vec![0.0; n];
        a.fit_inverse(&p);
        a.mul(&want, &mut back);
        assert!(x.iter().zip(&back).all(|(a, b)| (a - b).abs() < 1e-13), "{x:?} {back:?}");
    }
}
