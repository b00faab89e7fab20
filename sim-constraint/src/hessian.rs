//! Second derivative of the cost, `H = M + JᵀWJ`: assembly from rows, and its dense form.
//!
//! `W` is block-diagonal: one number per scalar row, a small matrix per contact. Edges of a pyramid that are active
//! give their contact a weight in base rows; a contact on its elliptic cone gives the cone's own Hessian.

use crate::cost::{CONE, QUADRATIC, cone_hessian};
use crate::kernel::Four;
use crate::lane::Simd;
use crate::packed::{Block, Packed, single};
use crate::problem::{ContactRows, Problem, Rows};
use crate::wide;

/// A matrix that contributions of rows are added to.
pub(crate) trait Assemble {
    /// Adds `jᵀ·w·j` of a block.
    fn add<T: Simd, const D: usize>(&mut self, t: T, block: Block<'_, D>, w: &[[f64; D]; D]);

    /// Adds to one entry of the diagonal.
    fn add_diagonal(&mut self, dof: usize, value: f64);
}

/// Rows, and the same packed.
#[derive(Clone, Copy)]
pub(crate) struct Jacobian<'a> {
    pub(crate) rows: &'a Rows<'a>,
    pub(crate) packed: &'a Packed,
}

/// States of rows before and after a change. Rows in quadratic state have weight; before the first iteration none has.
#[derive(Clone, Copy)]
pub(crate) struct Change<'a> {
    pub(crate) old: Option<&'a [u8]>,
    pub(crate) new: &'a [u8],
}

impl Change<'_> {
    /// New minus old weight of a row, in units of its `D`.
    #[inline]
    fn of(&self, i: usize) -> f64 {
        let quad = |s: u8| f64::from(u8::from(s == QUADRATIC));
        quad(self.new[i]) - self.old.map_or(0.0, |old| quad(old[i]))
    }
}

/// Adds `JᵀDJ` of the rows whose weight changed.
#[inline(always)]
pub(crate) fn add_rows<T: Simd, H: Assemble>(t: T, h: &mut H, jac: Jacobian<'_>, change: Change<'_>) {
    let rows = jac.rows;
    let nscalar = rows.ne + rows.nf + rows.nl;
    for i in 0..nscalar {
        let s = change.of(i);
        if s == 0.0 {
            continue;
        }
        if rows.rownnz[i] == 1 {
            let (j, c) = single(rows, i);
            h.add_diagonal(c, s * rows.d[i] * j * j);
        } else {
            h.add(t, jac.packed.block::<1>(rows, i, i), &[[s * rows.d[i]]]);
        }
    }
    for (k, con) in rows.contacts.iter().enumerate() {
        match con.dim {
            1 => add_contact::<T, 1, H>(t, h, jac, (nscalar + k, con), change),
            3 => add_contact::<T, 3, H>(t, h, jac, (nscalar + k, con), change),
            4 => add_contact::<T, 4, H>(t, h, jac, (nscalar + k, con), change),
            _ => add_contact::<T, 6, H>(t, h, jac, (nscalar + k, con), change),
        }
    }
}

/// Adds the Hessians of contacts that are on their cone.
#[inline(always)]
pub(crate) fn add_cones<T: Simd, H: Assemble>(t: T, h: &mut H, jac: Jacobian<'_>, jar: &[f64], state: &[u8]) {
    let nscalar = jac.rows.ne + jac.rows.nf + jac.rows.nl;
    for (k, con) in jac.rows.contacts.iter().enumerate() {
        if con.is_elliptic() && state[con.row as usize] == CONE {
            match con.dim {
                3 => add_cone::<T, 3, H>(t, h, jac, (nscalar + k, con), jar),
                4 => add_cone::<T, 4, H>(t, h, jac, (nscalar + k, con), jar),
                _ => add_cone::<T, 6, H>(t, h, jac, (nscalar + k, con), jar),
            }
        }
    }
}

/// A contact and the number of its block.
type Numbered<'a> = (usize, &'a ContactRows);

#[inline(always)]
fn add_contact<T: Simd, const D: usize, H: Assemble>(
    t: T,
    h: &mut H,
    jac: Jacobian<'_>,
    (block, con): Numbered<'_>,
    change: Change<'_>,
) {
    let rows = jac.rows;
    let (base, row) = (con.base as usize, con.row as usize);
    let mut w = [[0.0; D]; D];
    let mut any = false;
    if con.is_pyramid() {
        let d = rows.d[base];
        for k in 1..D {
            let (plus, minus) = (change.of(row + 2 * k - 2), change.of(row + 2 * k - 1));
            if plus != 0.0 || minus != 0.0 {
                let mu = con.friction[k - 1];
                w[0][0] += d * (plus + minus);
                w[0][k] = d * mu * (plus - minus);
                w[k][0] = w[0][k];
                w[k][k] = d * mu * mu * (plus + minus);
                any = true;
            }
        }
    } else {
        let s = change.of(row);
        any = s != 0.0;
        for k in 0..D {
            w[k][k] = s * rows.d[base + k];
        }
    }
    if any {
        h.add(t, jac.packed.block::<D>(rows, block, base), &w);
    }
}

#[inline(always)]
fn add_cone<T: Simd, const D: usize, H: Assemble>(
    t: T,
    h: &mut H,
    jac: Jacobian<'_>,
    (block, con): Numbered<'_>,
    jar: &[f64],
) {
    let rows = jac.rows;
    let (base, row) = (con.base as usize, con.row as usize);
    let mut flat = [0.0; 36];
    cone_hessian(con, rows.d[base], &jar[row..row + D], &mut flat);
    let mut w = [[0.0; D]; D];
    for k in 0..D {
        w[k].copy_from_slice(&flat[k * D..(k + 1) * D]);
    }
    h.add(t, jac.packed.block::<D>(rows, block, base), &w);
}

/// Dense Hessian and its factor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dense {
    /// Groups of four per row.
    nc: usize,
    /// `M + JᵀDJ` of quadratic rows, upper triangle.
    h: Matrix,
    /// The same with cones.
    cones: Matrix,
    u: Vec<Four>,
    inv: Vec<f64>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Matrix {
    nc: usize,
    a: Vec<Four>,
    wj: Vec<Four>,
}

impl Dense {
    /// Starts again from the inertia.
    pub(crate) fn reset(&mut self, p: &Problem<'_>, inertia: &[Four]) {
        let nc = p.nv().div_ceil(4);
        self.nc = nc;
        self.h.nc = nc;
        self.h.a.clear();
        self.h.a.extend_from_slice(inertia);
        self.u.resize(4 * nc * nc, [0.0; 4]);
        self.inv.resize(4 * nc, 0.0);
    }

    /// Adds the rows whose weight changed.
    pub(crate) fn add_rows(&mut self, jac: Jacobian<'_>, change: Change<'_>) {
        wide::add_rows(&mut self.h, jac, change);
    }

    /// Factors; with cones when there are any. Returns false when rank was lost.
    pub(crate) fn factor(&mut self, jac: Jacobian<'_>, jar: &[f64], state: &[u8], ncone: usize) -> bool {
        if ncone == 0 {
            return wide::cholesky(&self.h.a, &mut self.u, &mut self.inv, self.nc);
        }
        self.cones.nc = self.nc;
        self.cones.a.clone_from(&self.h.a);
        wide::add_cones(&mut self.cones, jac, jar, state);
        wide::cholesky(&self.cones.a, &mut self.u, &mut self.inv, self.nc)
    }

    /// `x = H⁻¹·x`, padded.
    pub(crate) fn solve(&self, x: &mut [Four]) {
        wide::cholesky_solve(&self.u, &self.inv, x, self.nc);
    }
}

impl Assemble for Matrix {
    #[inline(always)]
    fn add<T: Simd, const D: usize>(&mut self, t: T, block: Block<'_, D>, w: &[[f64; D]; D]) {
        let (groups, values) = (block.groups, block.values);
        let count = groups.len().min(values.len());
        if self.wj.len() < D * count {
            self.wj.resize(D * count, [0.0; 4]);
        }

        // weighted rows
        let wj = &mut self.wj.as_chunks_mut::<D>().0[..count];
        for i in 0..count {
            for k in 0..D {
                let mut sum = t.mul(t.splat(w[k][0]), t.load(&values[i][0]));
                for l in 1..D {
                    sum = t.add_mul(sum, t.splat(w[k][l]), t.load(&values[i][l]));
                }
                t.store(sum, &mut wj[i][k]);
            }
        }

        // rows of the upper triangle, from their own group on; entries of that group below the diagonal are never read
        let (stride, a) = (4 * self.nc, self.a.as_flattened_mut());
        for i in 0..count {
            let rows = &mut a[groups[i] as usize * stride..][..4 * stride];
            for m in 0..4 {
                let row = &mut rows[m * stride..][..stride];
                let mut s = [t.splat(0.0); D];
                let mut any = false;
                for k in 0..D {
                    s[k] = t.splat(values[i][k][m]);
                    any |= values[i][k][m] != 0.0;
                }
                if !any {
                    continue;
                }
                for u in i..count {
                    let Some(out) = row[groups[u] as usize..].first_chunk_mut() else { continue };
                    let mut sum = t.load(out);
                    for k in 0..D {
                        sum = t.add_mul(sum, s[k], t.load(&wj[u][k]));
                    }
                    t.store(sum, out);
                }
            }
        }
    }

    #[inline]
    fn add_diagonal(&mut self, dof: usize, value: f64) {
        self.a[dof * self.nc + dof / 4][dof % 4] += value;
    }
}
