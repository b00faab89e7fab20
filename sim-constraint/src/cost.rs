//! Cost of rows: states, forces, cone Hessians.
//!
//! All functions work on MuJoCo's rows: pyramids are expanded, `d` is per row.
//!
//! MuJoCo: `engine_core_constraint.c`, `mj_constraintUpdate_impl`.

use crate::problem::{ContactRows, RowState, Rows};
use crate::rows::Runs;

pub(crate) const SATISFIED: u8 = RowState::Satisfied as u8;
pub(crate) const QUADRATIC: u8 = RowState::Quadratic as u8;
pub(crate) const LINEARNEG: u8 = RowState::LinearNeg as u8;
pub(crate) const LINEARPOS: u8 = RowState::LinearPos as u8;
pub(crate) const CONE: u8 = RowState::Cone as u8;

/// Forces and states at the residual `jar`; returns the cost.
pub(crate) fn update(rows: &Rows<'_>, runs: &Runs, d: &[f64], jar: &[f64], force: &mut [f64], state: &mut [u8]) -> f64 {
    let (ne, nf, n) = (rows.ne, rows.nf, rows.nefc);
    let (d, jar, force, state) = (&d[..n], &jar[..n], &mut force[..n], &mut state[..n]);
    let mut cost = 0.0;

    for i in 0..ne {
        force[i] = -d[i] * jar[i];
        state[i] = QUADRATIC;
        cost += 0.5 * d[i] * jar[i] * jar[i];
    }
    for i in ne..ne + nf {
        let (s, f, c) = dry_friction(d[i], rows.r[i], rows.frictionloss[i], jar[i]);
        (state[i], force[i]) = (s, f);
        cost += c;
    }
    let (k, end) = (ne + nf, runs.one_sided);
    cost += one_sided(&d[k..end], &jar[k..end], &mut force[k..end], &mut state[k..end]);
    if end < n {
        for con in rows.contacts {
            let i = con.row as usize..con.row as usize + con.nrow();
            let (d, jar, force, state) = (&d[i.clone()], &jar[i.clone()], &mut force[i.clone()], &mut state[i]);
            if con.is_elliptic() {
                let (s, c) = elliptic(con, d, jar, force);
                state.fill(s);
                cost += c;
            } else {
                cost += one_sided(d, jar, force, state);
            }
        }
    }
    cost
}

/// Cost at the residual `jar`.
pub(crate) fn total(rows: &Rows<'_>, runs: &Runs, d: &[f64], jar: &[f64]) -> f64 {
    let (ne, nf) = (rows.ne, rows.nf);
    let mut cost = 0.0;
    for i in 0..ne {
        cost += 0.5 * d[i] * jar[i] * jar[i];
    }
    for i in ne..ne + nf {
        cost += dry_friction(d[i], rows.r[i], rows.frictionloss[i], jar[i]).2;
    }
    let end = runs.one_sided;
    cost += one_sided_cost(&d[ne + nf..end], &jar[ne + nf..end]);
    if end < rows.nefc {
        let mut force = [0.0; 6];
        for con in rows.contacts {
            let i = con.row as usize..con.row as usize + con.nrow();
            let (d, jar) = (&d[i.clone()], &jar[i]);
            cost += if con.is_elliptic() {
                elliptic(con, d, jar, &mut force[..con.dim as usize]).1
            } else {
                one_sided_cost(d, jar)
            };
        }
    }
    cost
}

/// Cost of rows that push in one direction, without forces.
fn one_sided_cost(d: &[f64], jar: &[f64]) -> f64 {
    let mut sum = [0.0; 4];
    let n = d.len().min(jar.len());
    for i in 0..n {
        let m = if jar[i] >= 0.0 { 0.0 } else { jar[i] };
        sum[i % 4] += d[i] * m * m;
    }
    0.5 * ((sum[0] + sum[2]) + (sum[1] + sum[3]))
}

/// Rows that push in one direction: limits, frictionless contacts, edges of pyramids.
fn one_sided(d: &[f64], jar: &[f64], force: &mut [f64], state: &mut [u8]) -> f64 {
    let n = d.len();
    let (jar, force, state) = (&jar[..n], &mut force[..n], &mut state[..n]);
    for i in 0..n {
        force[i] = if jar[i] >= 0.0 { 0.0 } else { -d[i] * jar[i] };
        state[i] = if jar[i] >= 0.0 { SATISFIED } else { QUADRATIC };
    }
    -0.5 * sim_types::linalg::dot(force, jar)
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

/// Number of rows that are not satisfied, and number in cone state.
pub(crate) fn count(state: &[u8]) -> (usize, usize) {
    let active: usize = state.iter().map(|&s| usize::from(s != SATISFIED)).sum();
    let cone: usize = state.iter().map(|&s| usize::from(s == CONE)).sum();
    (active, cone)
}
