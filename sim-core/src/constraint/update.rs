//! Forces and cost of the constraints at given residuals.

use sim_constraint::{RowState, cone_hessian, forces_at_residual};

use super::Efc;
use crate::data::Data;
use crate::error::StepError;
use crate::model::Model;

/// Computes forces, states and cost of the constraints at the residuals `jar`, one per row as MuJoCo counts them, as a
/// solver does in every iteration. [`Efc::residual`] gives those of an acceleration. Returns the cost.
///
/// `hessians`, one per contact where they are wanted, receive the second derivative of the cost by the contact's
/// residuals, `dim × dim` numbers row-major; zeros for a contact that is not on the surface of an elliptic cone.
///
/// Reads `efc`, so that a forward pass must have made the rows; writes `efc.force`, `efc.state`, `qfrc_constraint`.
#[doc(alias = "mj_constraintUpdate")]
pub fn constraint_update(
    m: &Model,
    d: &mut Data,
    jar: &[f64],
    hessians: Option<&mut [[f64; 36]]>,
) -> Result<f64, StepError> {
    d.fits(m)?;
    let lengths = [("jar", jar.len(), d.efc.nefc)];
    let wanted = hessians.as_ref().map(|h| ("hessians", h.len(), d.contact.len()));
    for (array, got, want) in lengths.into_iter().chain(wanted) {
        if got != want {
            return Err(StepError::WrongSize { array, got, want });
        }
    }

    let mut work = std::mem::take(&mut d.scratch.inverse.work);
    let (mut force, mut state) = (std::mem::take(&mut d.efc.force), std::mem::take(&mut d.efc.state));
    force.resize(d.efc.nefc, 0.0);
    state.resize(d.efc.nefc, 0);
    let cost = forces_at_residual(&d.efc.rows(), jar, &mut force, &mut state, &mut d.qfrc_constraint, &mut work);
    (d.efc.force, d.efc.state) = (force, state);
    d.scratch.inverse.work = work;
    if let Some(hessians) = hessians {
        fill(&d.efc, jar, hessians);
    }
    Ok(cost)
}

fn fill(efc: &Efc, jar: &[f64], hessians: &mut [[f64; 36]]) {
    hessians.fill([0.0; 36]);
    for con in &efc.contacts {
        let (base, row) = (con.base as usize, con.row as usize);
        if efc.state[row] == RowState::Cone as i32
            && let Some(out) = hessians.get_mut(efc.id[base] as usize)
        {
            *out = cone_hessian(con, efc.D[base], &jar[row..]);
        }
    }
}

impl Efc {
    /// `J·qacc − aref` of all rows, as MuJoCo counts them; empty without rows, or when `qacc` is too short for them.
    pub fn residual(&self, qacc: &[f64]) -> Vec<f64> {
        let inside = self.colind.iter().all(|c| (*c as usize) < qacc.len());
        if !inside || self.aref.len() != self.nbase() {
            return Vec::new();
        }
        let mut base = vec![0.0; self.nbase()];
        self.mul_j(qacc, &mut base);
        for (x, aref) in base.iter_mut().zip(&self.aref) {
            *x -= aref;
        }
        self.expand(&base)
    }
}

impl Data {
    /// Computes forces, states and cost of the constraints at residuals, one per row; see [`constraint_update`].
    ///
    /// ```
    /// # fn cost(m: &sim_core::Model) -> Result<(), sim_core::StepError> {
    /// let mut d = m.make_data();
    /// d.forward(m)?;
    /// let jar = d.efc.residual(&d.qacc);
    /// let cost = d.constraint_update(m, &jar)?;
    /// # assert!(cost >= 0.0);
    /// # Ok(())
    /// # }
    /// # assert!(cost(&sim_core::Model::default()).is_err(), "a model without a world");
    /// ```
    #[doc(alias = "mj_constraintUpdate")]
    pub fn constraint_update(&mut self, m: &Model, jar: &[f64]) -> Result<f64, StepError> {
        constraint_update(m, self, jar, None)
    }
}
