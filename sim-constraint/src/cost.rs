//! Cost of rows: states, forces, cone Hessians.
//!
//! All functions work on MuJoCo's rows: pyramids are expanded, `d` is per row.
//!
//! MuJoCo: `engine_core_constraint.c`, `mj_constraintUpdate_impl`.

use crate::lane::Simd;
use crate::passes::{self, OneSided, Sums};
use crate::problem::{ContactRows, RowState, Rows};
use crate::rows::Runs;

pub(crate) const SATISFIED: u8 = RowState::Satisfied as u8;
pub(crate) const QUADRATIC: u8 = RowState::Quadratic as u8;
pub(crate) const LINEARNEG: u8 = RowState::LinearNeg as u8;
pub(crate) const LINEARPOS: u8 = RowState::LinearPos as u8;
pub(crate) const CONE: u8 = RowState::Cone as u8;

/// Where forces and states of rows go.
pub(crate) struct RowForces<'a> {
    pub(crate) force: &'a mut [f64],
    pub(crate) state: &'a mut [u8],
    /// States to count changes from.
    pub(crate) old: &'a [u8],
}

/// The cost, and what happened to the rows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Updated {
    pub(crate) cost: f64,
    /// Rows that are not satisfied.
    pub(crate) nactive: usize,
    /// Rows on a cone.
    pub(crate) ncone: usize,
    /// Rows whose state changed.
    pub(crate) nchange: usize,
    /// Rank-one updates MuJoCo would make: rows that enter or leave the quadratic state, rows on a cone.
    pub(crate) nupdate: usize,
}

impl Updated {
    /// Counts rows of one state.
    fn count(&mut self, new: u8, old: &[u8]) {
        let n = old.len();
        self.nactive += if new == SATISFIED { 0 } else { n };
        self.ncone += if new == CONE { n } else { 0 };
        self.nupdate += if new == CONE { n } else { 0 };
        for &old in old {
            self.nchange += usize::from(old != new);
            self.nupdate += usize::from((old == QUADRATIC) != (new == QUADRATIC));
        }
    }

    fn add(&mut self, sums: Sums) {
        self.cost += sums.cost;
        self.nactive += sums.nactive;
        self.nchange += sums.nchange;
        self.nupdate += sums.nchange;
    }
}

/// Moves the residual `jar` by a step, if there is one, and computes forces and states there.
#[inline(always)]
pub(crate) fn update<T: Simd>(
    t: T,
    rows: &Rows<'_>,
    runs: &Runs,
    d: &[f64],
    jar: &mut [f64],
    step: Option<(f64, &[f64])>,
    out: RowForces<'_>,
) -> Updated {
    let (ne, nf, n) = (rows.ne, rows.nf, rows.nefc);
    let (d, jar) = (&d[..n], &mut jar[..n]);
    let RowForces { force, state, old } = out;
    let (force, state, old) = (&mut force[..n], &mut state[..n], &old[..n]);
    let (k, end) = (ne + nf, runs.one_sided);
    if let Some((alpha, jv)) = step {
        axpy(&mut jar[..k], alpha, &jv[..k]);
        axpy(&mut jar[end..], alpha, &jv[end..n]);
    }

    let mut sum = Updated { nactive: ne, ..Updated::default() };
    for i in 0..ne {
        force[i] = -d[i] * jar[i];
        state[i] = QUADRATIC;
        sum.cost += 0.5 * d[i] * jar[i] * jar[i];
    }
    for i in ne..k {
        let (s, f, c) = dry_friction(d[i], rows.r[i], rows.frictionloss[i], jar[i]);
        (state[i], force[i]) = (s, f);
        sum.cost += c;
        sum.count(s, &old[i..=i]);
    }
    sum.add(passes::forces(
        t,
        OneSided {
            d: &d[k..end],
            jar: &mut jar[k..end],
            step: step.map(|(alpha, jv)| (alpha, &jv[k..end])),
            force: &mut force[k..end],
            state: &mut state[k..end],
            old: &old[k..end],
        },
    ));
    if end < n {
        for con in rows.contacts {
            let i = con.row as usize..con.row as usize + con.nrow();
            let (d, jar, force) = (&d[i.clone()], &mut jar[i.clone()], &mut force[i.clone()]);
            let (state, old) = (&mut state[i.clone()], &old[i]);
            if con.is_elliptic() {
                let (s, c) = elliptic(con, d, jar, force);
                state.fill(s);
                sum.cost += c;
                sum.count(s, old);
            } else {
                sum.add(passes::forces(t, OneSided { d, jar, step: None, force, state, old }));
            }
        }
    }
    sum
}

/// `y += alpha·x`.
#[inline(always)]
fn axpy(y: &mut [f64], alpha: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += alpha * x;
    }
}

/// Cost at the residual `jar`.
#[inline(always)]
pub(crate) fn total<T: Simd>(t: T, rows: &Rows<'_>, runs: &Runs, d: &[f64], jar: &[f64]) -> f64 {
    let (ne, nf) = (rows.ne, rows.nf);
    let mut cost = 0.0;
    for i in 0..ne {
        cost += 0.5 * d[i] * jar[i] * jar[i];
    }
    for i in ne..ne + nf {
        cost += dry_friction(d[i], rows.r[i], rows.frictionloss[i], jar[i]).2;
    }
    let end = runs.one_sided;
    cost += passes::cost(t, &d[ne + nf..end], &jar[ne + nf..end]);
    if end < rows.nefc {
        let mut force = [0.0; 6];
        for con in rows.contacts {
            let i = con.row as usize..con.row as usize + con.nrow();
            let (d, jar) = (&d[i.clone()], &jar[i]);
            cost += if con.is_elliptic() {
                elliptic(con, d, jar, &mut force[..con.dim as usize]).1
            } else {
                passes::cost(t, d, jar)
            };
        }
    }
    cost
}

/// State, force and cost of a friction loss row.
#[inline]
fn dry_friction(d: f64, r: f64, loss: f64, x: f64) -> (u8, f64, f64) {
    if x <= -r * loss {
        (LINEARNEG, loss, -0.5 * r * loss * loss - loss * x)
    } else if x >= r * loss {
        (LINEARPOS, -loss, -0.5 * r * loss * loss + loss * x)
    } else {
        (QUADRATIC, -d * x, 0.5 * d * x * x)
    }
}

/// State, force and cost of an elliptic contact.
fn elliptic(con: &ContactRows, d: &[f64], jar: &[f64], force: &mut [f64]) -> (u8, f64) {
    let (mu, dim) = (con.mu, con.dim as usize);
    let (normal, tangent) = regular(con, jar);
    let (n, t) = (normal, norm(&tangent[..dim - 1]));

    if n >= mu * t || (t <= 0.0 && n >= 0.0) {
        force.fill(0.0);
        (SATISFIED, 0.0)
    } else if mu * n + t <= 0.0 || (t <= 0.0 && n < 0.0) {
        let mut cost = 0.0;
        for k in 0..dim {
            force[k] = -d[k] * jar[k];
            cost += 0.5 * d[k] * jar[k] * jar[k];
        }
        (QUADRATIC, cost)
    } else {
        (CONE, cone_force(con, d[0], jar, force))
    }
}

/// Force of an elliptic contact in cone state; returns the cost.
#[inline]
pub(crate) fn cone_force(con: &ContactRows, d0: f64, jar: &[f64], force: &mut [f64]) -> f64 {
    let (mu, dim) = (con.mu, con.dim as usize);
    let (n, tangent) = regular(con, jar);
    let t = norm(&tangent[..dim - 1]);
    let dm = cone_weight(d0, mu);
    let q = n - mu * t;
    force[0] = -dm * q * mu;
    let share = if t == 0.0 { 0.0 } else { -force[0] / t };
    for k in 1..dim {
        force[k] = share * tangent[k - 1] * con.friction[k - 1];
    }
    0.5 * dm * q * q
}

/// Hessian of a contact in cone state, `dim × dim`, row-major.
pub(crate) fn cone_hessian(con: &ContactRows, d0: f64, jar: &[f64], h: &mut [f64; 36]) {
    let (mu, dim) = (con.mu, con.dim as usize);
    let (n, tangent) = regular(con, jar);
    let t = norm(&tangent[..dim - 1]);
    let dm = cone_weight(d0, mu);
    let scale = |k: usize| if k == 0 { mu } else { con.friction[k - 1] };

    h[0] = 1.0;
    for k in 1..dim {
        h[k] = -mu / t * tangent[k - 1];
    }
    for j in 1..dim {
        for k in j..dim {
            h[j * dim + k] = mu * n / (t * t * t) * tangent[j - 1] * tangent[k - 1];
        }
        h[j * dim + j] += mu * mu - mu * n / t;
    }
    for j in 0..dim {
        for k in j..dim {
            let x = h[j * dim + k] * dm * scale(j) * scale(k);
            h[j * dim + k] = x;
            h[k * dim + j] = x;
        }
    }
}

/// Weight of the cost on the surface of a cone.
#[inline]
pub(crate) fn cone_weight(d0: f64, mu: f64) -> f64 {
    d0 / (mu * mu * (1.0 + mu * mu))
}

/// Residual of a contact, scaled so that its cone is circular: normal, tangents.
#[inline]
fn regular(con: &ContactRows, jar: &[f64]) -> (f64, [f64; 5]) {
    let mut tangent = [0.0; 5];
    for ((t, x), mu) in tangent.iter_mut().zip(&jar[1..con.dim as usize]).zip(&con.friction) {
        *t = x * mu;
    }
    (jar[0] * con.mu, tangent)
}

/// Length of a short vector.
#[inline]
pub(crate) fn norm(x: &[f64]) -> f64 {
    sim_types::linalg::dot(x, x).sqrt()
}
