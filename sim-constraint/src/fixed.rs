//! Rows whose states are given: their force is a smooth function of the residual then, with the derivative `−W`.
//!
//! `W` is block-diagonal in base rows, one block per scalar row and per contact. With the states of a solution,
//! `M + JᵀWJ` is the Hessian of the cost there.

use crate::cost::{CONE, LINEARNEG, LINEARPOS, QUADRATIC, cone_force, cone_hessian};
use crate::force::ForceWork;
use crate::problem::{ContactRows, Rows};
use crate::rows::{collapse, spread};

/// As [`forces`](crate::forces), in the states that are given instead of those that follow from the acceleration.
pub fn forces_in_state(
    rows: &Rows<'_>,
    qacc: &[f64],
    state: &[i32],
    force: &mut [f64],
    qfrc: &mut [f64],
    work: &mut ForceWork,
) {
    work.residual(rows, qacc);
    spread(rows, &work.runs, rows.d, &mut work.d);
    for (i, force) in force.iter_mut().enumerate().take(rows.nefc) {
        *force = match state[i] as u8 {
            QUADRATIC => -work.d[i] * work.jar[i],
            LINEARNEG => rows.frictionloss[i],
            LINEARPOS => -rows.frictionloss[i],
            _ => 0.0,
        };
    }
    for con in rows.contacts.iter().filter(|con| on_cone(con, state)) {
        let own = con.row as usize..con.row as usize + con.nrow();
        cone_force(con, work.d[own.start], &work.jar[own.clone()], &mut force[own]);
    }
    collapse(rows, &work.runs, force, &mut work.base);
    work.add_up(rows, qfrc);
}

/// Calls `each` with the first base row, the size `n` and the block `n × n` of `W`, for every block that is not zero.
pub fn weights(
    rows: &Rows<'_>,
    qacc: &[f64],
    state: &[i32],
    work: &mut ForceWork,
    mut each: impl FnMut(usize, usize, &[f64]),
) {
    work.residual(rows, qacc);
    let quadratic = |row: usize| state[row] as u8 == QUADRATIC;
    for row in (0..rows.ne + rows.nf + rows.nl).filter(|row| quadratic(*row)) {
        each(row, 1, &rows.d[row..=row]);
    }
    for con in rows.contacts {
        let (base, row, dim) = (con.base as usize, con.row as usize, con.dim as usize);
        let mut w = [0.0; 36];
        if con.is_pyramid() {
            for k in 1..dim {
                let side = |edge: usize| f64::from(u8::from(quadratic(row + 2 * k - 2 + edge)));
                let (plus, minus, mu) = (side(0), side(1), con.friction[k - 1]);
                w[0] += rows.d[base] * (plus + minus);
                w[k] = rows.d[base] * mu * (plus - minus);
                w[k * dim] = w[k];
                w[k * dim + k] = rows.d[base] * mu * mu * (plus + minus);
            }
        } else if on_cone(con, state) {
            cone_hessian(con, rows.d[base], &work.jar[row..row + dim], &mut w);
        } else if quadratic(row) {
            for k in 0..dim {
                w[k * dim + k] = rows.d[base + k];
            }
        }
        if w != [0.0; 36] {
            each(base, dim, &w[..dim * dim]);
        }
    }
}

fn on_cone(con: &ContactRows, state: &[i32]) -> bool {
    con.is_elliptic() && state[con.row as usize] as u8 == CONE
}
