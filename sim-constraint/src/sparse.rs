//! Large sparse Hessian: dense blocks in a sparse pattern, and their Cholesky factor.
//!
//! The panel of a block holds its rows of the upper factor: its own columns, then those of the blocks below. A block
//! that is finished is subtracted from the panels of the blocks below, in runs of columns that are neighbours in both.

use crate::hessian::{Assemble, Change, Jacobian};
use crate::lane::Simd;
use crate::packed::Block;
use crate::problem::Problem;
use crate::symbolic::{Panel, Symbolic};
use crate::wide;
use sim_types::MINVAL;
use sim_types::linalg::dot;

/// Sparse Hessian and its factor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sparse {
    h: Matrix,
    /// Factor, in the same panels.
    u: Vec<f64>,
    inv: Vec<f64>,
    x: Vec<f64>,
    buffer: Vec<f64>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Matrix {
    symbolic: Symbolic,
    a: Vec<f64>,
    wj: Vec<f64>,
    parts: Vec<Part>,
}

/// A run of columns of a row that lies in one block.
#[derive(Clone, Copy, Debug)]
struct Part {
    block: usize,
    from: usize,
    to: usize,
}

impl Sparse {
    /// Starts again from the inertia.
    pub(crate) fn reset(&mut self, p: &Problem<'_>) {
        self.h.symbolic.fit(p);
        let s = &self.h.symbolic;
        self.h.a.clear();
        self.h.a.resize(s.len, 0.0);
        self.inv.resize(p.nv(), 0.0);
        self.x.resize(p.nv(), 0.0);
        for i in 0..p.nv() {
            let (adr, nnz) = (p.pattern.rowadr[i] as usize, p.pattern.rownnz[i] as usize);
            for (v, &j) in p.m[adr..adr + nnz].iter().zip(&p.pattern.colind[adr..adr + nnz]) {
                if let Some(k) = address(s, i, j as usize) {
                    self.h.a[k] = *v;
                }
            }
        }
    }

    /// Adds the rows whose weight changed.
    pub(crate) fn add_rows(&mut self, jac: Jacobian<'_>, change: Change<'_>) {
        wide::add_rows_sparse(&mut self.h, jac, change);
    }

    /// Factors; with cones when there are any. Returns false when rank was lost.
    pub(crate) fn factor(&mut self, jac: Jacobian<'_>, jar: &[f64], state: &[u8], ncone: usize) -> bool {
        self.u.clone_from(&self.h.a);
        if ncone > 0 {
            std::mem::swap(&mut self.u, &mut self.h.a);
            wide::add_cones_sparse(&mut self.h, jac, jar, state);
            std::mem::swap(&mut self.u, &mut self.h.a);
        }
        wide::factor_panels(&self.h.symbolic, &mut self.u, &mut self.inv)
    }

    /// `out = H⁻¹·b`.
    pub(crate) fn solve(&mut self, b: &[f64], out: &mut [f64]) {
        let s = &self.h.symbolic;
        for (x, &dof) in self.x.iter_mut().zip(&s.order) {
            *x = b[dof as usize];
        }
        for panel in &s.panels {
            forward(s, panel, &self.u, &self.inv, &mut self.x, &mut self.buffer);
        }
        for panel in s.panels.iter().rev() {
            backward(s, panel, &self.u, &self.inv, &mut self.x, &mut self.buffer);
        }
        for (x, &dof) in self.x.iter().zip(&s.order) {
            out[dof as usize] = *x;
        }
    }

    /// Multiplications of one factorisation.
    pub(crate) fn work(&mut self, p: &Problem<'_>) -> u64 {
        self.h.symbolic.fit(p);
        let panels = self.h.symbolic.panels.iter();
        panels.map(|panel| (panel.size * panel.width) as u64 * panel.width as u64 / 2).fold(0, u64::saturating_add)
    }

    /// Number of entries of matrix and factor.
    pub(crate) fn nnz(&self) -> usize {
        2 * self.h.symbolic.len
    }
}

/// Factors all panels in place; `inv` receives the inverse of the diagonal. Returns false when rank was lost.
#[inline(always)]
pub(crate) fn factor_panels<T: Simd>(_t: T, s: &Symbolic, u: &mut [f64], inv: &mut [f64]) -> bool {
    let mut full_rank = true;
    for (k, panel) in s.panels.iter().enumerate() {
        let (head, tail) = u.split_at_mut(panel.value + panel.size * panel.width);
        let own = &mut head[panel.value..];
        full_rank &= factor_panel(own, panel.width, &mut inv[panel.first..panel.first + panel.size]);
        spread_panel(s, k, own, tail);
    }
    full_rank
}

/// Solves for the dofs of one block, and subtracts them from the blocks below.
fn forward(s: &Symbolic, panel: &Panel, u: &[f64], inv: &[f64], x: &mut [f64], buffer: &mut Vec<f64>) {
    let n = panel.size;
    buffer.clear();
    buffer.resize(panel.width - n, 0.0);
    for t in 0..n {
        let row = &u[panel.value + t * panel.width..][..panel.width];
        let y = x[panel.first + t] * inv[panel.first + t];
        x[panel.first + t] = y;
        for l in t + 1..n {
            x[panel.first + l] -= row[l] * y;
        }
        for (b, u) in buffer.iter_mut().zip(&row[n..]) {
            *b += u * y;
        }
    }
    for &(to, column) in &s.below[panel.below.0..panel.below.1] {
        let to = &s.panels[to as usize];
        for (x, b) in x[to.first..to.first + to.size].iter_mut().zip(&buffer[column as usize - n..]) {
            *x -= b;
        }
    }
}

/// Solves for the dofs of one block, given those of the blocks below.
fn backward(s: &Symbolic, panel: &Panel, u: &[f64], inv: &[f64], x: &mut [f64], buffer: &mut Vec<f64>) {
    let n = panel.size;
    buffer.clear();
    for &(to, _) in &s.below[panel.below.0..panel.below.1] {
        let to = &s.panels[to as usize];
        buffer.extend_from_slice(&x[to.first..to.first + to.size]);
    }
    for t in (0..n).rev() {
        let row = &u[panel.value + t * panel.width..][..panel.width];
        let mut y = x[panel.first + t] - dot(&row[n..], buffer);
        for l in t + 1..n {
            y -= row[l] * x[panel.first + l];
        }
        x[panel.first + t] = y * inv[panel.first + t];
    }
}

/// Address of the entry of two dofs.
fn address(s: &Symbolic, i: usize, j: usize) -> Option<usize> {
    let (a, b) = if s.place[i] <= s.place[j] { (s.place[i], s.place[j]) } else { (s.place[j], s.place[i]) };
    let panel = &s.panels[a.0 as usize];
    let column = s.column(a.0 as usize, b.0 as usize)?;
    Some(panel.value + a.1 as usize * panel.width + column + b.1 as usize)
}

/// Factors the rows of one block in place.
#[inline(always)]
fn factor_panel(own: &mut [f64], width: usize, inv: &mut [f64]) -> bool {
    let mut full_rank = true;
    for t in 0..inv.len() {
        let (row, rest) = own[t * width..].split_at_mut(width);
        let mut pivot = row[t];
        if pivot < MINVAL {
            pivot = MINVAL;
            full_rank = false;
        }
        let root = pivot.sqrt();
        inv[t] = 1.0 / root;
        for x in &mut row[t..] {
            *x *= inv[t];
        }
        row[t] = root;
        for (l, other) in rest.chunks_exact_mut(width).enumerate().take(inv.len() - t - 1) {
            let s = row[t + 1 + l];
            if s != 0.0 {
                for (o, r) in other[t + 1 + l..].iter_mut().zip(&row[t + 1 + l..]) {
                    *o -= s * r;
                }
            }
        }
    }
    full_rank
}

/// Subtracts a finished block from the panels of the blocks below it; `tail` begins after its own panel.
#[inline(always)]
fn spread_panel(s: &Symbolic, k: usize, own: &[f64], tail: &mut [f64]) {
    let panel = &s.panels[k];
    let below = &s.below[panel.below.0..panel.below.1];
    let shift = panel.value + panel.size * panel.width;
    for (n, &(to, column)) in below.iter().enumerate() {
        let target = &s.panels[to as usize];
        let values = &mut tail[target.value - shift..][..target.size * target.width];
        let theirs = &s.below[target.below.0..target.below.1];

        // the block itself, then the blocks after it, in runs
        let (mut from, mut at, mut len, mut next) = (column as usize, 0, target.size, 0);
        for &(other, column) in &below[n + 1..] {
            while theirs.get(next).is_some_and(|x| x.0 < other) {
                next += 1;
            }
            let Some(&(_, place)) = theirs.get(next) else { break };
            if place as usize != at + len {
                subtract(
                    values,
                    target.width,
                    own,
                    panel,
                    Tile { rows: (column_of(below, n), target.size), from, at, len },
                );
                (from, at, len) = (column as usize, place as usize, 0);
            }
            len += s.panels[other as usize].size;
        }
        subtract(values, target.width, own, panel, Tile { rows: (column_of(below, n), target.size), from, at, len });
    }
}

#[inline]
fn column_of(below: &[(u32, u32)], n: usize) -> usize {
    below[n].1 as usize
}

/// Part of an update: `rows` of the target come from these columns of the source, `len` columns go from `from` to `at`.
#[derive(Clone, Copy)]
struct Tile {
    rows: (usize, usize),
    from: usize,
    at: usize,
    len: usize,
}

/// `target[:, at..] −= ownᵀ[rows]·own[from..]`, in tiles of three rows by four columns and what is left of both.
#[inline(always)]
fn subtract(values: &mut [f64], width: usize, own: &[f64], panel: &Panel, t: Tile) {
    let mut r = 0;
    while r < t.rows.1 {
        let three = r + 3 <= t.rows.1;
        let mut c = 0;
        while c < t.len {
            let (at, from, row) = (r * width + t.at + c, t.from + c, t.rows.0 + r);
            let left = t.len - c;
            c += match (three, left) {
                (true, 4..) => tile::<3, 4>(&mut values[at..], width, own, panel, (row, from)),
                (true, 2..) => tile::<3, 2>(&mut values[at..], width, own, panel, (row, from)),
                (true, _) => tile::<3, 1>(&mut values[at..], width, own, panel, (row, from)),
                (false, 4..) => tile::<1, 4>(&mut values[at..], width, own, panel, (row, from)),
                (false, 2..) => tile::<1, 2>(&mut values[at..], width, own, panel, (row, from)),
                (false, _) => tile::<1, 1>(&mut values[at..], width, own, panel, (row, from)),
            };
        }
        r += if three { 3 } else { 1 };
    }
}

/// One tile of an update; returns its width.
#[inline(always)]
fn tile<const R: usize, const W: usize>(
    out: &mut [f64],
    width: usize,
    own: &[f64],
    panel: &Panel,
    (row, from): (usize, usize),
) -> usize {
    let mut acc = [[0.0; W]; R];
    for i in 0..R {
        acc[i].copy_from_slice(&out[i * width..][..W]);
    }
    for p in 0..panel.size {
        let source = &own[p * panel.width..][..panel.width];
        let (s, x) = (&source[row..][..R], &source[from..][..W]);
        for i in 0..R {
            for l in 0..W {
                acc[i][l] -= s[i] * x[l];
            }
        }
    }
    for i in 0..R {
        out[i * width..][..W].copy_from_slice(&acc[i]);
    }
    W
}

impl Assemble for Matrix {
    #[inline(always)]
    fn add<T: Simd, const D: usize>(&mut self, _t: T, block: Block<'_, D>, w: &[[f64; D]; D]) {
        let (j, columns) = (block.j, block.columns);
        let n = columns.len();
        if n == 0 {
            return;
        }
        self.wj.clear();
        for w in w {
            let from = self.wj.len();
            self.wj.extend(j[..n].iter().map(|x| w[0] * x));
            for (l, row) in j.chunks_exact(n).enumerate().skip(1) {
                for (out, x) in self.wj[from..].iter_mut().zip(row) {
                    *out += w[l] * x;
                }
            }
        }

        // runs of columns in one block
        let s = &self.symbolic;
        self.parts.clear();
        for (e, &c) in columns.iter().enumerate() {
            let block = s.place[c as usize].0 as usize;
            match self.parts.last_mut() {
                Some(part) if part.block == block => part.to = e + 1,
                _ => self.parts.push(Part { block, from: e, to: e + 1 }),
            }
        }
        for a in 0..self.parts.len() {
            for b in a..self.parts.len() {
                let (x, y) = if self.parts[a].block <= self.parts[b].block { (a, b) } else { (b, a) };
                let (x, y) = (self.parts[x], self.parts[y]);
                let Some(column) = s.column(x.block, y.block) else { continue };
                let panel = &s.panels[x.block];
                let place = |f: usize| s.place[columns[f] as usize].1 as usize;
                let len = y.to - y.from;
                let dense = place(y.to - 1) - place(y.from) == len - 1;
                for e in x.from..x.to {
                    let scale: [f64; D] = std::array::from_fn(|k| j[k * n + e]);
                    let out = &mut self.a[panel.value + place(e) * panel.width + column..];

                    // whole rows of a block, also below its diagonal, where nobody reads
                    match (dense, len) {
                        (true, 6) => accumulate::<D, 6>(&mut out[place(y.from)..], &scale, &self.wj[y.from..], n),
                        (true, 3) => accumulate::<D, 3>(&mut out[place(y.from)..], &scale, &self.wj[y.from..], n),
                        _ => {
                            for f in y.from..y.to {
                                accumulate::<D, 1>(&mut out[place(f)..], &scale, &self.wj[f..], n);
                            }
                        }
                    }
                }
            }
        }
    }

    fn add_diagonal(&mut self, dof: usize, value: f64) {
        if let Some(k) = address(&self.symbolic, dof, dof) {
            self.a[k] += value;
        }
    }
}

/// `out += scaleᵀ·wj` in `N` columns, for rows of `wj` that are `n` apart.
#[inline(always)]
fn accumulate<const D: usize, const N: usize>(out: &mut [f64], scale: &[f64; D], wj: &[f64], n: usize) {
    let Some(out) = out.first_chunk_mut::<N>() else { return };
    let mut sum = *out;
    for k in 0..D {
        let Some(x) = wj[k * n..].first_chunk::<N>() else { return };
        for l in 0..N {
            sum[l] += scale[k] * x[l];
        }
    }
    *out = sum;
}
