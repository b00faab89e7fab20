//! The matrix of a small dual problem as a whole: `A = J·M⁻¹·Jᵀ` in base rows, with `y = A·f` kept while forces change.
//!
//! A block then reads its part of `y` instead of multiplying its rows, so one block waits for the one before it only
//! through the few numbers it changed. The matrix takes room and time with the square of the number of rows.

use crate::kernel::Four;
use crate::lane::Simd;
use crate::problem::{ContactRows, Problem};
use crate::wide;

/// Number of base rows up to which the matrix is formed.
pub(crate) const ROWS: usize = 128;

/// The matrix, and its product with the forces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gram {
    /// Groups of four per row.
    ng: usize,
    /// Rows of the matrix.
    a: Vec<Four>,
    /// `A·f`.
    y: Vec<Four>,
    /// `Jᵀ`, then `(J·L⁻¹·D^(−½))ᵀ`: per dof a row of groups.
    scaled: Vec<Four>,
    /// Dofs that some row moves.
    used: Vec<bool>,
    /// Pyramids: per block one [`Edges`] of its size.
    edges: Vec<f64>,
}

impl Gram {
    /// Forms the matrix; `root` is `D^(−½)`.
    pub(crate) fn build(&mut self, p: &Problem<'_>, root: &[f64]) {
        let (nv, n) = (p.nv(), p.rows.nbase());
        self.ng = n.div_ceil(4);
        self.edges.clear();
        self.scaled.clear();
        self.scaled.resize(nv * self.ng, [0.0; 4]);
        self.used.clear();
        self.used.resize(nv, false);
        let stride = 4 * self.ng;
        let flat = self.scaled.as_flattened_mut();
        for i in 0..n {
            let (j, columns) = p.rows.row(i);
            for (j, &c) in j.iter().zip(columns) {
                flat[c as usize * stride + i] = *j;
                self.used[c as usize] = true;
            }
        }
        self.a.resize(stride * self.ng, [0.0; 4]);
        wide::gram(self, p, root);
    }

    /// Sets `y` to the product with forces in base rows.
    pub(crate) fn sync(&mut self, base: &[f64]) {
        self.y.clear();
        self.y.resize(self.ng, [0.0; 4]);
        for (f, row) in base.iter().zip(self.a.chunks_exact(self.ng.max(1))) {
            if *f == 0.0 {
                continue;
            }
            for (y, a) in self.y.iter_mut().zip(row) {
                for l in 0..4 {
                    y[l] += f * a[l];
                }
            }
        }
    }

    /// `A·f`.
    #[inline(always)]
    pub(crate) fn y(&self) -> &[f64] {
        self.y.as_flattened()
    }

    /// Rows of the matrix from `base` on, as long as its padded width.
    #[inline(always)]
    pub(crate) fn row(&self, base: usize) -> &[f64] {
        self.a[base * self.ng..][..self.ng].as_flattened()
    }

    /// Tells `y` that the forces of the rows from `base` on grew by `delta`.
    #[inline(always)]
    pub(crate) fn add<T: Simd, const D: usize>(&mut self, t: T, base: usize, delta: &[f64; D]) {
        let ng = self.ng;
        let rows = &self.a[base * ng..][..D * ng];
        let y = &mut self.y[..ng];
        let mut s = [t.splat(0.0); D];
        for k in 0..D {
            s[k] = t.splat(delta[k]);
        }
        for g in 0..ng {
            let mut sum = t.load(&y[g]);
            for k in 0..D {
                sum = t.add_mul(sum, s[k], t.load(&rows[k * ng + g]));
            }
            t.store(sum, &mut y[g]);
        }
    }

    /// Appends the table of a pyramid whose edges have the regularisation `r`; returns its address.
    pub(crate) fn push_edges(&mut self, con: &ContactRows, r: f64) -> usize {
        let (address, base, n) = (self.edges.len(), con.base as usize, con.nrow());
        let edge = |e: usize| (1 + e / 2, if e.is_multiple_of(2) { con.friction[e / 2] } else { -con.friction[e / 2] });
        let at = |i: usize, j: usize| self.a[(base + i) * self.ng + (base + j) / 4][(base + j) % 4];
        self.edges.resize(address + n * (n + 2), 0.0);
        for e in 0..n {
            let (k, mu) = edge(e);
            let diag = at(0, 0) + 2.0 * mu * at(0, k) + mu * mu * at(k, k) + r;
            self.edges[address + e] = 1.0 / diag;
            self.edges[address + n + e] = diag;
            for other in e + 1..n {
                let (l, nu) = edge(other);
                let value = (at(0, 0) + mu * at(0, k)) + nu * (at(l, 0) + mu * at(l, k));
                self.edges[address + (e + 2) * n + other] = value;
            }
        }
        address
    }

    /// Table of a pyramid with `E` edges: inverse diagonal, diagonal, then per edge its effect on those after it.
    #[inline(always)]
    pub(crate) fn edges<const E: usize>(&self, address: usize) -> &[[f64; E]] {
        self.edges[address..][..E * (E + 2)].as_chunks().0
    }
}

/// Scales the rows of the Jacobian, and multiplies them with each other.
#[inline(always)]
pub(crate) fn build<T: Simd>(t: T, g: &mut Gram, p: &Problem<'_>, root: &[f64]) {
    let ng = g.ng;
    let used = scale_rows(t, g, p, root);
    let (a, b) = (&mut g.a[..4 * ng * ng], &g.scaled[..used * ng]);
    for q in 0..ng {
        let mut c = q;
        while c + 1 < ng {
            let mut x = [[t.splat(0.0); 2]; 4];
            let mut r = 0;
            while r < b.len() {
                let row = &b[r..r + ng];
                let (s, u, v) = (&row[q], t.load(&row[c]), t.load(&row[c + 1]));
                for k in 0..4 {
                    let s = t.splat(s[k]);
                    x[k][0] = t.add_mul(x[k][0], s, u);
                    x[k][1] = t.add_mul(x[k][1], s, v);
                }
                r += ng;
            }
            for k in 0..4 {
                t.store(x[k][0], &mut a[(4 * q + k) * ng + c]);
                t.store(x[k][1], &mut a[(4 * q + k) * ng + c + 1]);
            }
            c += 2;
        }
        if c < ng {
            let mut x = [t.splat(0.0); 4];
            let mut r = 0;
            while r < b.len() {
                let row = &b[r..r + ng];
                let (s, u) = (&row[q], t.load(&row[c]));
                for k in 0..4 {
                    x[k] = t.add_mul(x[k], t.splat(s[k]), u);
                }
                r += ng;
            }
            for k in 0..4 {
                t.store(x[k], &mut a[(4 * q + k) * ng + c]);
            }
        }

        // the other triangle
        for c in q + 1..ng {
            for k in 0..4 {
                let x = a[(4 * q + k) * ng + c];
                for l in 0..4 {
                    a[(4 * c + l) * ng + q][k] = x[l];
                }
            }
        }
    }
}

/// `Jᵀ` becomes `(J·L⁻¹·D^(−½))ᵀ`, dofs that no row moves left out; returns the number of dofs.
#[inline(always)]
fn scale_rows<T: Simd>(t: T, g: &mut Gram, p: &Problem<'_>, root: &[f64]) -> usize {
    let ng = g.ng;
    for dof in (0..p.nv()).rev() {
        if !g.used[dof] {
            continue;
        }
        let (adr, nnz) = (p.pattern.rowadr[dof] as usize, p.pattern.rownnz[dof] as usize);
        let (above, own) = g.scaled.split_at_mut(dof * ng);
        let own = &own[..ng];
        for e in adr..adr + nnz - 1 {
            let (l, up) = (t.splat(p.ld[e]), p.pattern.colind[e] as usize);
            let to = &mut above[up * ng..][..ng];
            g.used[up] = true;
            for c in 0..ng {
                let x = t.sub_mul(t.load(&to[c]), l, t.load(&own[c]));
                t.store(x, &mut to[c]);
            }
        }
    }
    let mut count = 0;
    for dof in 0..p.nv() {
        if g.used[dof] {
            let s = t.splat(root[dof]);
            for c in 0..ng {
                let x = t.mul(s, t.load(&g.scaled[dof * ng + c]));
                t.store(x, &mut g.scaled[count * ng + c]);
            }
            count += 1;
        }
    }
    count
}
