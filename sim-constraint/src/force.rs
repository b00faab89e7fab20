//! Forces of rows at a given acceleration: the constraint side of inverse dynamics.

use crate::cost::RowForces;
use crate::problem::Rows;
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
}

/// The forces that the rows exert at acceleration `qacc`, their states, and their sum on the dofs; returns their cost.
///
/// `force` and `state` have one entry per row as MuJoCo counts them, `qacc` and `qfrc` one per dof.
#[doc(alias = "mj_constraintUpdate")]
pub fn forces(
    rows: &Rows<'_>,
    qacc: &[f64],
    force: &mut [f64],
    state: &mut [i32],
    qfrc: &mut [f64],
    work: &mut ForceWork,
) -> f64 {
    work.residual(rows, qacc);
    spread(rows, &work.runs, rows.d, &mut work.d);
    work.state.resize(rows.nefc, 0);
    work.old.resize(rows.nefc, 0);
    let out = RowForces { force, state: &mut work.state, old: &work.old };
    let cost = wide::update(rows, &work.runs, &work.d, &mut work.jar, None, out).cost;
    for (state, new) in state.iter_mut().zip(&work.state) {
        *state = i32::from(*new);
    }
    collapse(rows, &work.runs, force, &mut work.base);
    work.add_up(rows, qfrc);
    cost
}
