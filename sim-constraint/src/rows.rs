//! The way between base rows and MuJoCo's rows.

use crate::problem::{ContactRows, Rows};

/// Neighbouring contacts of one kind. A loop over a run need not look at each contact to know how long it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// Base rows of each contact.
    pub(crate) dim: usize,
    /// Contacts have edges.
    pub(crate) pyramid: bool,
    /// First contact.
    pub(crate) first: usize,
    /// Number of contacts.
    pub(crate) count: usize,
    /// First base row.
    pub(crate) base: usize,
    /// First row, as MuJoCo counts.
    pub(crate) row: usize,
}

/// The contacts of a problem in runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Runs {
    pub(crate) runs: Vec<Run>,
    /// End of the one-sided rows that need no look at contacts: all rows, or the limits when there are elliptic contacts.
    pub(crate) one_sided: usize,
}

impl Runs {
    /// Finds the runs.
    pub(crate) fn find(&mut self, rows: &Rows<'_>) {
        self.runs.clear();
        self.one_sided = rows.nefc;
        for (k, c) in rows.contacts.iter().enumerate() {
            if c.is_elliptic() {
                self.one_sided = rows.ne + rows.nf + rows.nl;
            }
            let (dim, pyramid) = (c.dim as usize, c.is_pyramid());
            match self.runs.last_mut() {
                Some(run) if run.dim == dim && run.pyramid == pyramid => run.count += 1,
                _ => {
                    let (base, row) = (c.base as usize, c.row as usize);
                    self.runs.push(Run { dim, pyramid, first: k, count: 1, base, row });
                }
            }
        }
    }
}

impl Run {
    /// Contacts of the run.
    pub(crate) fn contacts<'a>(&self, rows: &Rows<'a>) -> &'a [ContactRows] {
        &rows.contacts[self.first..self.first + self.count]
    }

    /// Rows of each contact, as MuJoCo counts.
    pub(crate) fn nrow(&self) -> usize {
        if self.pyramid { 2 * (self.dim - 1) } else { self.dim }
    }

    /// Base rows of the run, and MuJoCo's rows.
    fn ranges(&self) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        (self.base..self.base + self.count * self.dim, self.row..self.row + self.count * self.nrow())
    }
}

/// From base rows to MuJoCo's rows: an edge of a pyramid is `normal ± μ_k·tangent_k`.
pub(crate) fn expand(rows: &Rows<'_>, runs: &Runs, base: &[f64], out: &mut [f64]) {
    let nscalar = rows.ne + rows.nf + rows.nl;
    out[..nscalar].copy_from_slice(&base[..nscalar]);
    for run in &runs.runs {
        let (from, to) = run.ranges();
        let (base, out) = (&base[from], &mut out[to]);
        if !run.pyramid {
            out.copy_from_slice(base);
            continue;
        }
        let contacts = run.contacts(rows).iter().zip(base.chunks_exact(run.dim));
        for ((con, b), out) in contacts.zip(out.chunks_exact_mut(run.nrow())) {
            let normal = b[0];
            for ((edges, t), mu) in out.as_chunks_mut::<2>().0.iter_mut().zip(&b[1..]).zip(&con.friction) {
                let side = mu * t;
                *edges = [normal + side, normal - side];
            }
        }
    }
}

/// From forces of MuJoCo's rows to forces of base rows, the transpose of [`expand`].
pub(crate) fn collapse(rows: &Rows<'_>, runs: &Runs, force: &[f64], base: &mut [f64]) {
    let nscalar = rows.ne + rows.nf + rows.nl;
    base[..nscalar].copy_from_slice(&force[..nscalar]);
    for run in &runs.runs {
        let (to, from) = run.ranges();
        let (force, base) = (&force[from], &mut base[to]);
        if !run.pyramid {
            base.copy_from_slice(force);
            continue;
        }
        let contacts = run.contacts(rows).iter().zip(force.chunks_exact(run.nrow()));
        for ((con, f), b) in contacts.zip(base.chunks_exact_mut(run.dim)) {
            let mut normal = 0.0;
            for ((edges, t), mu) in f.as_chunks::<2>().0.iter().zip(&mut b[1..]).zip(&con.friction) {
                normal += edges[0] + edges[1];
                *t = mu * (edges[0] - edges[1]);
            }
            b[0] = normal;
        }
    }
}

/// Copies a quantity that is equal in all rows of a pyramid, `D` or `R`, to MuJoCo's rows.
pub(crate) fn spread(rows: &Rows<'_>, runs: &Runs, base: &[f64], out: &mut Vec<f64>) {
    let nscalar = rows.ne + rows.nf + rows.nl;
    out.clear();
    out.extend_from_slice(&base[..nscalar]);
    for run in &runs.runs {
        let base = &base[run.ranges().0];
        if !run.pyramid {
            out.extend_from_slice(base);
            continue;
        }
        for b in base.chunks_exact(run.dim) {
            out.resize(out.len() + run.nrow(), b[0]);
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
