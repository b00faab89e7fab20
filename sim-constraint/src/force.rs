//! Forces of rows at a given acceleration or residual: the constraint side of inverse dynamics.

use crate::cost::{self, RowForces};
use crate::problem::{ContactRows, Rows};
use crate::rows::{Runs, collapse, expand, spread};
use crate::wide;

/// Memory of [`forces`]; keeps its capacity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForceWork {
    pub(crate) base: Vec<f64>,
    pub(crate) jar: Vec<f64>,
    pub(crate) d: Vec<f64>,
    pub(crate) runs: Runs,
    state: Vec<u8>,
    old: Vec<u8>,
}

impl ForceWork {
    /// `jar = J·qacc − aref`, of all rows.
    pub(crate) fn residual(&mut self, rows: &Rows<'_>, qacc: &[f64]) {
        self.base.clear();
        self.base.extend((0..rows.nbase()).map(|i| {
            let (j, columns) = rows.row(i);
            j.iter().zip(columns).map(|(j, c)| j * qacc[*c as usize]).sum::<f64>() - rows.aref[i]
        }));
        self.jar.resize(rows.nefc, 0.0);
        self.runs.find(rows);
        expand(rows, &self.runs, &self.base, &mut self.jar);
    }

    /// The sum on the dofs of the forces in `base`.
    pub(crate) fn add_up(&self, rows: &Rows<'_>, qfrc: &mut [f64]) {
        qfrc.fill(0.0);
        for (i, force) in self.base.iter().enumerate().filter(|(_, force)| **force != 0.0) {
            let (j, columns) = rows.row(i);
            for (j, c) in j.iter().zip(columns) {
                qfrc[*c as usize] += j * force;
            }
        }
    }

    /// Forces, states, their sum on the dofs and the cost at the residuals in `jar`.
    fn update(&mut self, rows: &Rows<'_>, force: &mut [f64], state: &mut [i32], qfrc: &mut [f64]) -> f64 {
        spread(rows, &self.runs, rows.d, &mut self.d);
        self.state.resize(rows.nefc, 0);
        self.old.resize(rows.nefc, 0);
        let out = RowForces { force, state: &mut self.state, old: &self.old };
        let cost = wide::update(rows, &self.runs, &self.d, &mut self.jar, None, out).cost;
        for (state, new) in state.iter_mut().zip(&self.state) {
            *state = i32::from(*new);
        }
        collapse(rows, &self.runs, force, &mut self.base);
        self.add_up(rows, qfrc);
        cost
    }
}

/// The forces that the rows exert at acceleration `qacc`, their states, and their sum on the dofs; returns their cost.
///
/// `force` and `state` have one entry per row as MuJoCo counts them, `qacc` and `qfrc` one per dof.
#[doc(alias = "mj_invConstraint")]
pub fn forces(
    rows: &Rows<'_>,
    qacc: &[f64],
    force: &mut [f64],
    state: &mut [i32],
    qfrc: &mut [f64],
    work: &mut ForceWork,
) -> f64 {
    work.residual(rows, qacc);
    work.update(rows, force, state, qfrc)
}

/// As [`forces`], at the residuals `jar`, one per row as MuJoCo counts them.
#[doc(alias = "mj_constraintUpdate")]
pub fn forces_at_residual(
    rows: &Rows<'_>,
    jar: &[f64],
    force: &mut [f64],
    state: &mut [i32],
    qfrc: &mut [f64],
    work: &mut ForceWork,
) -> f64 {
    work.jar.clear();
    work.jar.extend_from_slice(jar);
    work.base.resize(rows.nbase(), 0.0);
    work.runs.find(rows);
    work.update(rows, force, state, qfrc)
}

/// The second derivative of the cost of a contact on the surface of its elliptic cone by the residuals of its rows,
/// `dim × dim`, row-major; `d` is that of its first row.
pub fn cone_hessian(con: &ContactRows, d: f64, jar: &[f64]) -> [f64; 36] {
    let mut h = [0.0; 36];
    if con.is_elliptic() && jar.len() >= con.dim as usize {
        cost::cone_hessian(con, d, jar, &mut h);
    }
    h
}
