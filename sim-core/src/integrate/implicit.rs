//! Euler with forces that are implicit in velocity.

use sim_types::Integrator;

use super::{Rates, finite, move_state};
use crate::data::Data;
use crate::derivative::smooth_vel;
use crate::error::StepError;
use crate::model::Model;
use crate::pipeline::Parts;

/// Solves `(M − h·∂f/∂v)·a = f` for the acceleration of the step. With [`Integrator::Implicit`] the derivative is
/// complete and unsymmetric, with [`Integrator::ImplicitFast`] it leaves the bias force out and its lower triangle
/// stands for both. `reuse` keeps the factor of the last step.
///
/// Reads `qfrc_smooth`, `qfrc_constraint`, `M`; writes `qDeriv`, and `qLU` or `qH`.
#[doc(alias = "mj_implicitSkip")]
pub(super) fn implicit<P: Parts>(m: &Model, d: &mut Data, parts: &mut P, reuse: bool) -> Result<(), StepError> {
    let full = m.opt.integrator == Integrator::Implicit;
    if !reuse {
        factor(m, d, parts, full)?;
    }
    let mut qacc = std::mem::take(&mut d.scratch.qacc);
    qacc.clear();
    qacc.extend(d.qfrc_smooth.iter().zip(&d.qfrc_constraint).map(|(smooth, constraint)| smooth + constraint));
    if full {
        m.d_pattern().solve(&d.qLU, &mut qacc);
    } else {
        m.m_pattern().solve(&d.qH, &d.qHDiagInv, &mut qacc);
    }
    let done = finite("implicit acceleration", &qacc)
        .and_then(|()| move_state(m, d, parts, &Rates { act: None, vel: &qacc, pos: None }));
    d.scratch.qacc = qacc;
    done
}

fn factor<P: Parts>(m: &Model, d: &mut Data, parts: &P, full: bool) -> Result<(), StepError> {
    smooth_vel(m, d, parts, full);
    if full {
        full_matrix(m, d);
        m.d_pattern().factor(&mut d.qLU).map_err(StepError::singular_step)
    } else {
        lower_matrix(m, d);
        m.m_pattern().factor(&mut d.qH, &mut d.qHDiagInv);
        Ok(())
    }
}

/// `qLU = M − h·qDeriv`, both triangles.
pub(crate) fn full_matrix(m: &Model, d: &mut Data) {
    for ((x, at), slope) in d.qLU.iter_mut().zip(&m.mapM2D).zip(&d.qDeriv) {
        *x = at.get().map_or(0.0, |at| d.M[at]) - m.opt.timestep * slope;
    }
}

/// `qH = M − h·qDeriv`, lower triangle on the pattern of `M`.
pub(crate) fn lower_matrix(m: &Model, d: &mut Data) {
    for ((x, inertia), at) in d.qH.iter_mut().zip(&d.M).zip(&m.mapD2M) {
        *x = inertia - m.opt.timestep * d.qDeriv[*at as usize];
    }
}
