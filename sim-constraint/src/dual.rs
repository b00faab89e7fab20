//! Forces as unknowns: what PGS, noslip and XPBD share.
//!
//! The matrix of the dual problem, `A = J·M⁻¹·Jᵀ`, is never formed. Rows are scaled to `B = J·L⁻¹·D^(−½)`, so that
//! `A = B·Bᵀ`, and `z = Bᵀ·f` is kept while forces change: `A·f` of a block is `B_block·z`. Only the small diagonal
//! blocks of `A` are stored. This visits a row in time of its length instead of the number of rows, and gives the same
//! iterates up to rounding. A small problem that is swept many times has the whole matrix instead: see [`Gram`].

use crate::cost::{self, CONE, LINEARNEG, LINEARPOS, QUADRATIC, SATISFIED};
use crate::gram::Gram;
use crate::kernel::{Four, sum4};
use crate::lane::{Plain, Simd};
use crate::packed::Packed;
use crate::problem::{ContactRows, Problem, Rows, Solution};
use crate::rows::{collapse, spread};
use crate::wide;
use sim_types::linalg::dot;

/// Memory of dual solvers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dual {
    pub(crate) blocks: Vec<Block>,
    /// Columns of the block that is being built.
    columns: Vec<u32>,
    /// Numbers of the groups of four columns that each block has.
    groups: Vec<u32>,
    /// Rows of `B`: per group of a block, one entry per row.
    values: Vec<Four>,
    diagonal: Vec<f64>,
    /// The whole matrix, where it is used.
    pub(crate) whole: Gram,
    pub(crate) is_whole: bool,
    /// `Bᵀ·f`.
    z: Vec<Four>,
    /// `D^(−½)`.
    root: Vec<Four>,
    /// `J·qacc_smooth − aref` per row.
    pub(crate) b: Vec<f64>,
    /// Regularisation per row.
    pub(crate) r: Vec<f64>,
    pub(crate) force: Vec<f64>,
    pub(crate) state: Vec<u8>,
    pub(crate) scratch_rows: Vec<f64>,
    pub(crate) old: Vec<u8>,
    pub(crate) packed: Packed,
    x: Vec<Four>,
    base: Vec<f64>,
    scratch: Vec<Four>,
    mark: Vec<u32>,
}

/// One scalar row or one contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    /// First row.
    pub(crate) row: usize,
    /// First base row.
    pub(crate) base: usize,
    /// Number of base rows.
    pub(crate) dim: usize,
    /// Table of edges of a pyramid, in [`Dual::whole`].
    pub(crate) edges: usize,
    /// Index of the contact, if it is one.
    pub(crate) contact: Option<usize>,
    group: usize,
    ngroup: usize,
    value: usize,
    diagonal: usize,
}

impl Dual {
    /// Computes scaled rows, their products within blocks, and the linear term.
    pub(crate) fn build(&mut self, p: &Problem<'_>, whole: bool) {
        self.blocks.clear();
        self.groups.clear();
        self.values.clear();
        self.diagonal.clear();
        self.scratch.clear();
        self.scratch.resize(p.nv().div_ceil(4), [0.0; 4]);
        wide::pad(p.diaginv, &mut self.root);
        for x in self.root.as_flattened_mut() {
            *x = x.sqrt();
        }
        self.is_whole = whole;
        if whole {
            self.whole.build(p, self.root.as_flattened());
        } else {
            self.mark.clear();
            self.mark.resize(p.nv(), 0);
        }
        let nscalar = p.rows.ne + p.rows.nf + p.rows.nl;
        for i in 0..nscalar {
            self.push(p, (i, i), 1, None);
        }
        for (k, c) in p.rows.contacts.iter().enumerate() {
            self.push(p, (c.base as usize, c.row as usize), c.dim as usize, Some(k));
        }
        wide::pack(&mut self.packed, &p.rows, p.nv());
        spread(&p.rows, &self.packed.runs, p.rows.r, &mut self.r);
        let mut b = std::mem::take(&mut self.b);
        self.residual(p, p.qacc_smooth, &mut b);
        self.b = b;
        self.state.resize(p.rows.nefc, 0);
        self.old.resize(p.rows.nefc, 0);
        self.force.resize(p.rows.nefc, 0.0);
    }

    /// `J·a − aref` per row.
    pub(crate) fn residual(&mut self, p: &Problem<'_>, a: &[f64], out: &mut Vec<f64>) {
        out.resize(p.rows.nefc, 0.0);
        wide::pad(a, &mut self.x);
        wide::residual(&self.packed, &p.rows, [&self.x], [out]);
    }

    /// Appends the block of base rows `base..base + dim`, which starts at MuJoCo's row `row`.
    fn push(&mut self, p: &Problem<'_>, (base, row): (usize, usize), dim: usize, contact: Option<usize>) {
        let (group, value, diagonal) = (self.groups.len(), self.values.len(), self.diagonal.len());
        let mut block = Block { row, base, dim, contact, group, value, diagonal, ngroup: 0, edges: 0 };
        if self.is_whole {
            for i in base..base + dim {
                self.diagonal.extend_from_slice(&self.whole.row(i)[base..base + dim]);
            }
            if let Some(con) = contact.map(|c| &p.rows.contacts[c]).filter(|c| c.is_pyramid()) {
                block.edges = self.whole.push_edges(con, p.rows.r[base]);
            }
            self.blocks.push(block);
            return;
        }
        self.find_columns(p, base);
        for &c in &self.columns {
            if self.groups[group..].last() != Some(&(c / 4)) {
                self.groups.push(c / 4);
            }
        }
        let groups = &self.groups[group..];
        let ngroup = groups.len();
        block.ngroup = ngroup;
        self.values.resize(value + dim * ngroup, [0.0; 4]);

        for k in 0..dim {
            let scratch = self.scratch.as_flattened_mut();
            let (j, c) = p.rows.row(base + k);
            for (j, c) in j.iter().zip(c) {
                scratch[*c as usize] = *j;
            }
            for &i in self.columns.iter().rev() {
                let x = scratch[i as usize];
                let (adr, nnz) = (p.pattern.rowadr[i as usize] as usize, p.pattern.rownnz[i as usize] as usize);
                if x != 0.0 && nnz > 1 {
                    let above = &p.pattern.colind[adr..adr + nnz - 1];
                    for (l, &a) in p.ld[adr..adr + nnz - 1].iter().zip(above) {
                        scratch[a as usize] -= l * x;
                    }
                }
            }
            for (i, &g) in groups.iter().enumerate() {
                let (x, root) = (self.scratch[g as usize], &self.root[g as usize]);
                self.values[value + i * dim + k] = std::array::from_fn(|l| x[l] * root[l]);
                self.scratch[g as usize] = [0.0; 4];
            }
        }
        for i in 0..dim {
            for j in 0..dim {
                let product = if j < i {
                    self.diagonal[diagonal + j * dim + i]
                } else {
                    strided_dot(&self.values[value..], dim, ngroup, (i, j))
                };
                self.diagonal.push(product);
            }
        }
        self.blocks.push(block);
    }

    /// Columns of a row and their ancestors, increasing.
    fn find_columns(&mut self, p: &Problem<'_>, base: usize) {
        self.columns.clear();
        let stamp = self.blocks.len() as u32 + 1;
        for &c in p.rows.row(base).1 {
            // the ancestors of a column that is there are there too
            let (adr, nnz) = (p.pattern.rowadr[c as usize] as usize, p.pattern.rownnz[c as usize] as usize);
            for &a in p.pattern.colind[adr..adr + nnz].iter().rev() {
                if self.mark[a as usize] == stamp {
                    break;
                }
                self.mark[a as usize] = stamp;
                self.columns.push(a);
            }
        }
        self.columns.sort_unstable();
    }

    /// Recomputes from the forces what is kept while they change.
    pub(crate) fn sync(&mut self, rows: &Rows<'_>) {
        self.base.resize(rows.nbase(), 0.0);
        collapse(rows, &self.packed.runs, &self.force, &mut self.base);
        if self.is_whole {
            self.whole.sync(&self.base);
            return;
        }
        self.z.clear();
        self.z.resize(self.scratch.len(), [0.0; 4]);
        let mut base = 0;
        for k in 0..self.blocks.len() {
            let mut f = [0.0; 6];
            let dim = self.blocks[k].dim;
            f[..dim].copy_from_slice(&self.base[base..base + dim]);
            base += dim;
            self.add(Plain, k, &f);
        }
    }

    /// `A·f` of a block, in base rows.
    #[inline(always)]
    pub(crate) fn product<T: Simd>(&self, t: T, k: usize) -> [f64; 6] {
        let block = &self.blocks[k];
        let mut y = [0.0; 6];
        if self.is_whole {
            y[..block.dim].copy_from_slice(&self.whole.y()[block.base..block.base + block.dim]);
            return y;
        }
        match block.dim {
            1 => self.product_of::<T, 1>(t, block, &mut y),
            3 => self.product_of::<T, 3>(t, block, &mut y),
            4 => self.product_of::<T, 4>(t, block, &mut y),
            _ => self.product_of::<T, 6>(t, block, &mut y),
        }
        y
    }

    #[inline(always)]
    fn product_of<T: Simd, const D: usize>(&self, t: T, block: &Block, y: &mut [f64; 6]) {
        let groups = &self.groups[block.group..][..block.ngroup];
        let values = &self.values[block.value..][..D * block.ngroup].as_chunks::<D>().0[..block.ngroup];
        let mut sum = [t.splat(0.0); D];
        for i in 0..block.ngroup {
            let z = t.load(&self.z[groups[i] as usize]);
            for k in 0..D {
                sum[k] = t.add_mul(sum[k], t.load(&values[i][k]), z);
            }
        }
        for k in 0..D {
            y[k] = t.sum(sum[k]);
        }
    }

    /// Takes note that the forces of a block grew by `delta`, in base rows.
    #[inline(always)]
    pub(crate) fn add<T: Simd>(&mut self, t: T, k: usize, delta: &[f64; 6]) {
        match self.blocks[k].dim {
            1 => self.add_of::<T, 1>(t, k, delta),
            3 => self.add_of::<T, 3>(t, k, delta),
            4 => self.add_of::<T, 4>(t, k, delta),
            _ => self.add_of::<T, 6>(t, k, delta),
        }
    }

    #[inline(always)]
    fn add_of<T: Simd, const D: usize>(&mut self, t: T, k: usize, delta: &[f64; 6]) {
        let mut any = false;
        for k in 0..D {
            any |= delta[k] != 0.0;
        }
        if !any {
            return;
        }
        let block = self.blocks[k];
        if let (true, Some(delta)) = (self.is_whole, delta.first_chunk::<D>()) {
            self.whole.add(t, block.base, delta);
            return;
        }
        let groups = &self.groups[block.group..][..block.ngroup];
        let values = &self.values[block.value..][..D * block.ngroup].as_chunks::<D>().0[..block.ngroup];
        for i in 0..block.ngroup {
            let z = &mut self.z[groups[i] as usize];
            let mut sum = t.load(z);
            for k in 0..D {
                sum = t.add_mul(sum, t.load(&values[i][k]), t.splat(delta[k]));
            }
            t.store(sum, z);
        }
    }

    /// Diagonal block of `A`, row-major.
    #[inline]
    pub(crate) fn gram(&self, k: usize) -> &[f64] {
        self.diagonal_of(&self.blocks[k])
    }

    /// As [`gram`](Self::gram).
    #[inline]
    pub(crate) fn diagonal_of(&self, block: &Block) -> &[f64] {
        &self.diagonal[block.diagonal..][..block.dim * block.dim]
    }

    /// `½fᵀ(A + R)f + fᵀb`, for the forces of the last [`sync`](Self::sync).
    pub(crate) fn cost(&self) -> f64 {
        let product = if self.is_whole { dot(&self.base, self.whole.y()) } else { group_dot(&self.z, &self.z) };
        let mut cost = 0.5 * product;
        for ((f, r), b) in self.force.iter().zip(&self.r).zip(&self.b) {
            cost += 0.5 * f * f * r + f * b;
        }
        cost
    }

    /// Sets the states that belong to the forces; returns the number of active and of changed rows.
    pub(crate) fn classify(&mut self, rows: &Rows<'_>) -> (usize, usize) {
        std::mem::swap(&mut self.old, &mut self.state);
        let mut nactive = rows.ne + rows.nf;
        for i in 0..rows.ne + rows.nf {
            self.state[i] = scalar_state(rows, i, self.force[i]);
        }
        let end = self.packed.runs.one_sided;
        nactive += self.classify_one_sided(rows.ne + rows.nf..end);
        if end < rows.nefc {
            for c in rows.contacts {
                let i = c.row as usize..c.row as usize + c.nrow();
                if !c.is_elliptic() {
                    nactive += self.classify_one_sided(i);
                    continue;
                }
                let s = cone_state(c, &self.force[i.clone()]);
                nactive += if s == SATISFIED { 0 } else { i.len() };
                self.state[i].fill(s);
            }
        }
        let nchange: usize = self.old.iter().zip(&self.state).map(|(a, b)| usize::from(a != b)).sum();
        (nactive, nchange)
    }

    /// States of rows that push in one direction; returns the number of active ones.
    fn classify_one_sided(&mut self, range: std::ops::Range<usize>) -> usize {
        let (mut count, state) = (0, &mut self.state[range.clone()]);
        for (s, f) in state.iter_mut().zip(&self.force[range]) {
            *s = if *f <= 0.0 { SATISFIED } else { QUADRATIC };
            count += usize::from(*s);
        }
        count
    }

    /// Forces on the dofs, acceleration, and everything else the caller reads.
    pub(crate) fn finish(&mut self, p: &Problem<'_>, out: &mut Solution<'_>) {
        self.x.resize(p.nv().div_ceil(4), [0.0; 4]);
        wide::mul_t(&self.packed, &p.rows, &self.force, &mut self.x);
        out.qfrc_constraint.copy_from_slice(&self.x.as_flattened()[..p.nv()]);
        out.qacc.copy_from_slice(out.qfrc_constraint);
        p.pattern.solve(p.ld, p.diaginv, out.qacc);
        for (a, smooth) in out.qacc.iter_mut().zip(p.qacc_smooth) {
            *a += smooth;
        }
        out.force.copy_from_slice(&self.force);
        for (out, s) in out.state.iter_mut().zip(&self.state) {
            *out = i32::from(*s);
        }
    }
}

/// Dot product of rows in groups of four.
#[inline]
fn group_dot(a: &[Four], b: &[Four]) -> f64 {
    let mut s = [0.0; 4];
    for (a, b) in a.iter().zip(b) {
        for l in 0..4 {
            s[l] += a[l] * b[l];
        }
    }
    sum4(s)
}

/// Dot product of rows `i` and `j` of a block of `dim` rows.
#[inline]
fn strided_dot(values: &[Four], dim: usize, ngroup: usize, (i, j): (usize, usize)) -> f64 {
    let mut s = [0.0; 4];
    for row in values.chunks_exact(dim).take(ngroup) {
        for l in 0..4 {
            s[l] += row[i][l] * row[j][l];
        }
    }
    sum4(s)
}

/// State of a row without cone, from its force.
fn scalar_state(rows: &Rows<'_>, i: usize, f: f64) -> u8 {
    if i < rows.ne {
        QUADRATIC
    } else if i < rows.ne + rows.nf {
        let loss = rows.frictionloss[i];
        if f <= -loss {
            LINEARPOS
        } else if f >= loss {
            LINEARNEG
        } else {
            QUADRATIC
        }
    } else if f <= 0.0 {
        SATISFIED
    } else {
        QUADRATIC
    }
}

/// State of an elliptic contact, from its force.
fn cone_state(c: &ContactRows, force: &[f64]) -> u8 {
    let mut t = [0.0; 5];
    for ((t, f), mu) in t.iter_mut().zip(&force[1..]).zip(&c.friction) {
        *t = f / mu;
    }
    let (n, t) = (force[0] / c.mu, cost::norm(&t[..force.len() - 1]));
    if c.mu * n >= t {
        SATISFIED
    } else if n + c.mu * t <= 0.0 {
        QUADRATIC
    } else {
        CONE
    }
}

/// A change of the dual cost that is taken back.
pub(crate) const WORSE: f64 = 1e-10;

/// Change of the dual cost of a block; a change for the worse is taken back. `a` is row-major.
#[inline(always)]
pub(crate) fn accept(a: &[f64], force: &mut [f64], old: &[f64], res: &[f64]) -> f64 {
    let n = force.len();
    let mut change = 0.0;
    for i in 0..n {
        let d = force[i] - old[i];
        let mut ad = 0.0;
        for j in 0..n {
            ad += a[i * n + j] * (force[j] - old[j]);
        }
        change += 0.5 * d * ad + d * res[i];
    }
    if change > WORSE {
        force.copy_from_slice(&old[..n]);
        change = 0.0;
    }
    change
}
