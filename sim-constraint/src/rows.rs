//! The way between base rows and MuJoCo's rows.

use crate::problem::{ContactRows, Rows};

/// From base rows to MuJoCo's rows: an edge of a pyramid is `normal ± μ_k·tangent_k`.
pub(crate) fn expand(rows: &Rows<'_>, base: &[f64], out: &mut [f64]) {
    // a pyramid has more rows than base rows: there is none
    if rows.nefc == rows.nbase() {
        out.copy_from_slice(base);
        return;
    }
    let nscalar = rows.ne + rows.nf + rows.nl;
    out[..nscalar].copy_from_slice(&base[..nscalar]);
    for con in rows.contacts {
        if con.dim == 1 {
            out[con.row as usize] = base[con.base as usize];
            continue;
        }
        let b = &base[con.base as usize..][..con.dim as usize];
        let out = &mut out[con.row as usize..][..con.nrow()];
        if con.is_pyramid() {
            let normal = b[0];
            for ((edges, t), mu) in out.as_chunks_mut::<2>().0.iter_mut().zip(&b[1..]).zip(&con.friction) {
                let side = mu * t;
                *edges = [normal + side, normal - side];
            }
        } else {
            copy_few(b, out);
        }
    }
}

/// From forces of MuJoCo's rows to forces of base rows, the transpose of [`expand`].
pub(crate) fn collapse(rows: &Rows<'_>, force: &[f64], base: &mut [f64]) {
    if rows.nefc == rows.nbase() {
        base.copy_from_slice(force);
        return;
    }
    let nscalar = rows.ne + rows.nf + rows.nl;
    base[..nscalar].copy_from_slice(&force[..nscalar]);
    for con in rows.contacts {
        if con.dim == 1 {
            base[con.base as usize] = force[con.row as usize];
            continue;
        }
        let f = &force[con.row as usize..][..con.nrow()];
        let b = &mut base[con.base as usize..][..con.dim as usize];
        if con.is_pyramid() {
            let mut normal = 0.0;
            for ((edges, t), mu) in f.as_chunks::<2>().0.iter().zip(&mut b[1..]).zip(&con.friction) {
                normal += edges[0] + edges[1];
                *t = mu * (edges[0] - edges[1]);
            }
            b[0] = normal;
        } else {
            copy_few(f, b);
        }
    }
}

/// Copies at most six numbers; a call of the library's copy would take longer.
#[inline(always)]
fn copy_few(from: &[f64], to: &mut [f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
}

/// Copies a quantity that is equal in all rows of a pyramid, `D` or `R`, to MuJoCo's rows.
pub(crate) fn spread(rows: &Rows<'_>, base: &[f64], out: &mut Vec<f64>) {
    let nscalar = rows.ne + rows.nf + rows.nl;
    out.clear();
    out.extend_from_slice(&base[..nscalar]);
    for con in rows.contacts {
        let b = &base[con.base as usize..][..con.dim as usize];
        if con.dim == 1 {
            out.push(b[0]);
        } else if con.is_pyramid() {
            out.resize(out.len() + con.nrow(), b[0]);
        } else {
            out.extend_from_slice(b);
        }
    }
}

/// The first MuJoCo row of a base row.
pub(crate) fn row_of(contacts: &[ContactRows], nscalar: usize, base: usize) -> usize {
    if base < nscalar {
        return base;
    }
    let k = contacts.partition_point(|c| c.base as usize <= base);
    contacts.get(k.wrapping_sub(1)).map_or(base, |c| c.row as usize)
}
