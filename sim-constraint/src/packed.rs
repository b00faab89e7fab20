//! The Jacobian in groups of four neighbouring columns, so that products need no gathers.
//!
//! A block is one scalar row or all rows of a contact; its rows share their columns. A group begins at the first column
//! that the groups before it do not cover, or early enough to end with the padded vector; missing columns within a
//! group are zero. Rows with a single entry are not packed.

use crate::kernel::Four;
use crate::lane::{Simd, four};
use crate::problem::Rows;
use crate::rows::{Run, Runs};

/// Packed Jacobian.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packed {
    /// First column of each group.
    groups: Vec<u32>,
    /// Values: per group, one entry per row of the block.
    values: Vec<Four>,
    /// First group and first value of each block, and the end.
    blocks: Vec<(u32, u32)>,
    /// Number of values in use.
    end: usize,
    /// Contacts of one kind.
    pub(crate) runs: Runs,
}

/// Rows of one block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<'a, const D: usize> {
    /// First column of each group.
    pub(crate) groups: &'a [u32],
    /// Values of each group.
    pub(crate) values: &'a [[Four; D]],
    /// The same rows as they were given, one after the other.
    pub(crate) j: &'a [f64],
    /// Their columns.
    pub(crate) columns: &'a [u32],
}

impl Packed {
    /// Packs all blocks.
    #[inline(always)]
    pub(crate) fn build<T: Simd>(&mut self, t: T, rows: &Rows<'_>, nv: usize) {
        let last = (nv.next_multiple_of(4) as u32).saturating_sub(4);
        self.groups.clear();
        self.blocks.clear();
        self.end = 0;
        self.runs.find(rows);

        // no more groups than entries
        if self.values.len() < rows.j.len() {
            self.values.resize(rows.j.len(), [0.0; 4]);
        }
        for i in 0..rows.ne + rows.nf + rows.nl {
            self.blocks.push((self.groups.len() as u32, self.end as u32));
            if rows.rownnz[i] > 1 {
                self.push::<T, 1>(t, rows, i, last);
            }
        }
        for c in rows.contacts {
            self.blocks.push((self.groups.len() as u32, self.end as u32));
            match c.dim {
                1 => self.push::<T, 1>(t, rows, c.base as usize, last),
                3 => self.push::<T, 3>(t, rows, c.base as usize, last),
                4 => self.push::<T, 4>(t, rows, c.base as usize, last),
                _ => self.push::<T, 6>(t, rows, c.base as usize, last),
            }
        }
        self.blocks.push((self.groups.len() as u32, self.end as u32));
    }

    #[inline(always)]
    fn push<T: Simd, const D: usize>(&mut self, t: T, rows: &Rows<'_>, base: usize, last: u32) {
        let (j, columns) = given::<D>(rows, base);
        let n = columns.len();
        let mut e = 0;
        while e < n {
            let first = columns[e].min(last);
            self.groups.push(first);
            let Some(values) = self.values[self.end..].first_chunk_mut::<D>() else { return };
            self.end += D;
            if columns.get(e + 3) == Some(&(first + 3)) {
                // columns increase: four neighbours
                for k in 0..D {
                    t.store(t.load(four(j, k * n + e)), &mut values[k]);
                }
                e += 4;
                continue;
            }
            let mut count = 1;
            while count < 4 && e + count < n && columns[e + count] < first + 4 {
                count += 1;
            }
            if columns[e + count - 1] == first + count as u32 - 1 {
                // neighbours from the first column on
                for k in 0..D {
                    t.store(t.load_part(&j[k * n + e..][..count]), &mut values[k]);
                }
            } else {
                *values = [[0.0; 4]; D];
                for e in e..e + count {
                    let lane = (columns[e] - first) as usize % 4;
                    for k in 0..D {
                        values[k][lane] = j[k * n + e];
                    }
                }
            }
            e += count;
        }
    }

    /// Rows of block `b`, which starts at base row `base`.
    #[inline(always)]
    pub(crate) fn block<'a, const D: usize>(&'a self, rows: &Rows<'a>, b: usize, base: usize) -> Block<'a, D> {
        let ((g0, v0), (g1, v1)) = (self.blocks[b], self.blocks[b + 1]);
        let (j, columns) = given::<D>(rows, base);
        Block {
            groups: &self.groups[g0 as usize..g1 as usize],
            values: self.values[v0 as usize..v1 as usize].as_chunks().0,
            j,
            columns,
        }
    }

    /// Groups and values of block `b`.
    #[inline(always)]
    fn view<const D: usize>(&self, b: usize) -> (&[u32], &[[Four; D]]) {
        let ((g0, v0), (g1, v1)) = (self.blocks[b], self.blocks[b + 1]);
        (&self.groups[g0 as usize..g1 as usize], self.values[v0 as usize..v1 as usize].as_chunks().0)
    }

    /// `out = J·x` in MuJoCo's rows, or `J·x − aref`, for `X` vectors at once; they are padded to a multiple of four.
    #[inline(always)]
    pub(crate) fn mul<T: Simd, const X: usize, const AREF: bool>(
        &self,
        t: T,
        rows: &Rows<'_>,
        x: [&[Four]; X],
        out: [&mut [f64]; X],
    ) {
        let (mut out, mut flat) = (out, [[].as_slice(); X]);
        for v in 0..X {
            flat[v] = x[v].as_flattened();
        }
        let nscalar = rows.ne + rows.nf + rows.nl;
        for i in 0..nscalar {
            let mut y = [[0.0]; X];
            if rows.rownnz[i] == 1 {
                let (j, c) = single(rows, i);
                for v in 0..X {
                    y[v][0] = j * flat[v][c];
                }
            } else {
                let (groups, values) = self.view(i);
                y = mul_block::<T, 1, X>(t, groups, values, flat);
            }
            for v in 0..X {
                out[v][i] = if AREF { y[v][0] - rows.aref[i] } else { y[v][0] };
            }
        }
        for run in &self.runs.runs {
            match run.dim {
                1 => self.mul_run::<T, 1, X, AREF>(t, rows, run, flat, &mut out),
                3 => self.mul_run::<T, 3, X, AREF>(t, rows, run, flat, &mut out),
                4 => self.mul_run::<T, 4, X, AREF>(t, rows, run, flat, &mut out),
                _ => self.mul_run::<T, 6, X, AREF>(t, rows, run, flat, &mut out),
            }
        }
    }

    #[inline(always)]
    fn mul_run<T: Simd, const D: usize, const X: usize, const AREF: bool>(
        &self,
        t: T,
        rows: &Rows<'_>,
        run: &Run,
        x: [&[f64]; X],
        out: &mut [&mut [f64]; X],
    ) {
        let nscalar = rows.ne + rows.nf + rows.nl;
        let mut walk = self.walk::<D>(nscalar + run.first, run.count);
        let aref = rows.aref[run.base..run.base + D * run.count].as_chunks::<D>().0;
        let contacts = run.contacts(rows);
        let (nrow, mut row) = (run.nrow(), run.row);
        for k in 0..contacts.len().min(aref.len()) {
            let Some((groups, values)) = walk.next() else { return };
            let mut y = mul_block::<T, D, X>(t, groups, values, x);
            for v in 0..X {
                if AREF {
                    for l in 0..D {
                        y[v][l] -= aref[k][l];
                    }
                }
                let out = &mut out[v][row..row + nrow];
                if !run.pyramid {
                    out.copy_from_slice(&y[v]);
                } else if let (edges, []) = out.as_chunks_mut::<2>() {
                    for l in 1..D.min(edges.len() + 1) {
                        let side = contacts[k].friction[l - 1] * y[v][l];
                        edges[l - 1] = [y[v][0] + side, y[v][0] - side];
                    }
                }
            }
            row += nrow;
        }
    }

    /// `out = Jᵀ·f`, with `f` in MuJoCo's rows; `out` is padded to a multiple of four.
    #[inline(always)]
    pub(crate) fn mul_t<T: Simd>(&self, t: T, rows: &Rows<'_>, f: &[f64], out: &mut [Four]) {
        out.fill([0.0; 4]);
        let out = out.as_flattened_mut();
        let nscalar = rows.ne + rows.nf + rows.nl;
        for i in 0..nscalar {
            if f[i] == 0.0 {
                continue;
            }
            if rows.rownnz[i] == 1 {
                let (j, c) = single(rows, i);
                out[c] += j * f[i];
            } else {
                let (groups, values) = self.view(i);
                mul_t_block(t, groups, values, &[f[i]], out);
            }
        }
        for run in &self.runs.runs {
            match run.dim {
                1 => self.mul_t_run::<T, 1>(t, rows, run, f, out),
                3 => self.mul_t_run::<T, 3>(t, rows, run, f, out),
                4 => self.mul_t_run::<T, 4>(t, rows, run, f, out),
                _ => self.mul_t_run::<T, 6>(t, rows, run, f, out),
            }
        }
    }

    #[inline(always)]
    fn mul_t_run<T: Simd, const D: usize>(&self, t: T, rows: &Rows<'_>, run: &Run, f: &[f64], out: &mut [f64]) {
        let nscalar = rows.ne + rows.nf + rows.nl;
        let mut walk = self.walk::<D>(nscalar + run.first, run.count);
        let contacts = run.contacts(rows);
        let (nrow, mut row) = (run.nrow(), run.row);
        for k in 0..contacts.len() {
            let Some((groups, values)) = walk.next() else { return };
            let own = &f[row..row + nrow];
            row += nrow;
            let mut force = [0.0; D];
            if !run.pyramid {
                force.copy_from_slice(own);
            } else if let (edges, []) = own.as_chunks::<2>() {
                for l in 1..D.min(edges.len() + 1) {
                    force[0] += edges[l - 1][0] + edges[l - 1][1];
                    force[l] = contacts[k].friction[l - 1] * (edges[l - 1][0] - edges[l - 1][1]);
                }
            }
            let mut any = false;
            for l in 0..D {
                any |= force[l] != 0.0;
            }
            if any {
                mul_t_block(t, groups, values, &force, out);
            }
        }
    }

    /// Blocks `first..first + count`, all of `D` rows.
    #[inline(always)]
    fn walk<const D: usize>(&self, first: usize, count: usize) -> Walk<'_, D> {
        let blocks = &self.blocks[first..=first + count];
        let (group, value) = blocks.first().map_or((0, 0), |b| (b.0 as usize, b.1 as usize));
        Walk { blocks, groups: &self.groups[group..], values: self.values[value..].as_chunks().0 }
    }
}

/// Blocks one after the other.
struct Walk<'a, const D: usize> {
    blocks: &'a [(u32, u32)],
    groups: &'a [u32],
    values: &'a [[Four; D]],
}

impl<'a, const D: usize> Walk<'a, D> {
    /// Groups and values of the next block.
    #[inline(always)]
    fn next(&mut self) -> Option<(&'a [u32], &'a [[Four; D]])> {
        let [here, next, ..] = self.blocks else { return None };
        let n = (next.0 - here.0) as usize;
        self.blocks = &self.blocks[1..];
        let (groups, rest) = self.groups.split_at_checked(n)?;
        self.groups = rest;
        let (values, rest) = self.values.split_at_checked(n)?;
        self.values = rest;
        Some((groups, values))
    }
}

/// `J·x` of one block.
#[inline(always)]
fn mul_block<T: Simd, const D: usize, const X: usize>(
    t: T,
    groups: &[u32],
    values: &[[Four; D]],
    x: [&[f64]; X],
) -> [[f64; D]; X] {
    let mut sum = [[t.splat(0.0); D]; X];
    for i in 0..groups.len().min(values.len()) {
        for v in 0..X {
            let x = t.load(four(x[v], groups[i] as usize));
            for k in 0..D {
                sum[v][k] = t.add_mul(sum[v][k], t.load(&values[i][k]), x);
            }
        }
    }
    let mut out = [[0.0; D]; X];
    for v in 0..X {
        for k in 0..D {
            out[v][k] = t.sum(sum[v][k]);
        }
    }
    out
}

/// Adds `Jᵀ·f` of one block.
#[inline(always)]
fn mul_t_block<T: Simd, const D: usize>(t: T, groups: &[u32], values: &[[Four; D]], f: &[f64; D], out: &mut [f64]) {
    for i in 0..groups.len().min(values.len()) {
        let mut sum = t.mul(t.splat(f[0]), t.load(&values[i][0]));
        for k in 1..D {
            sum = t.add_mul(sum, t.splat(f[k]), t.load(&values[i][k]));
        }
        if let Some(out) = out[groups[i] as usize..].first_chunk_mut() {
            t.store(t.add(t.load(out), sum), out);
        }
    }
}

/// Value and column of a row with one entry.
#[inline(always)]
pub(crate) fn single(rows: &Rows<'_>, i: usize) -> (f64, usize) {
    let adr = rows.rowadr[i] as usize;
    (rows.j[adr], rows.colind[adr] as usize)
}

/// Entries of `D` rows, one after the other, and their columns.
#[inline(always)]
fn given<'a, const D: usize>(rows: &Rows<'a>, base: usize) -> (&'a [f64], &'a [u32]) {
    let (adr, n) = (rows.rowadr[base] as usize, rows.rownnz[base] as usize);
    (&rows.j[adr..adr + D * n], &rows.colind[adr..adr + n])
}

/// Copies to groups of four, the last padded with zeros.
#[inline(always)]
pub(crate) fn pad<T: Simd>(t: T, x: &[f64], out: &mut Vec<Four>) {
    let (whole, rest) = x.as_chunks::<4>();
    out.resize(x.len().div_ceil(4), [0.0; 4]);
    out[..whole.len()].copy_from_slice(whole);
    if let (Some(last), false) = (out.last_mut(), rest.is_empty()) {
        t.store(t.load_part(rest), last);
    }
}
