//! Semi-implicit Euler.

use sim_types::DisableFlags;

use super::{Rates, move_state};
use crate::data::Data;
use crate::error::StepError;
use crate::model::Model;
use crate::pipeline::Parts;

/// Positions follow the velocity at the end of the step; joint damping is implicit unless disabled. `reuse` keeps the
/// factor of the last step.
#[doc(alias = "mj_EulerSkip")]
pub(super) fn euler<P: Parts>(m: &Model, d: &mut Data, parts: &mut P, reuse: bool) -> Result<(), StepError> {
    let mut qacc = std::mem::take(&mut d.scratch.qacc);
    qacc.clear();
    if m.opt.has(DisableFlags::EULERDAMP) && m.opt.has(DisableFlags::DAMPER) && m.dof_damping.iter().any(|x| *x > 0.0) {
        qacc.resize(m.nv, 0.0);
        damped_acceleration(m, d, &mut qacc, reuse);
    } else {
        qacc.extend_from_slice(&d.qacc);
    }
    let done = move_state(m, d, parts, &Rates { act: None, vel: &qacc, pos: None });
    d.scratch.qacc = qacc;
    done
}

/// The acceleration with the damping force of the end of the step: `(M + h·damping)⁻¹ (all forces)`.
fn damped_acceleration(m: &Model, d: &mut Data, qacc: &mut [f64], reuse: bool) {
    let pattern = m.m_pattern();
    if !reuse {
        d.qH.copy_from_slice(&d.M);
        for dof in 0..m.nv {
            let diagonal = (m.M_rowadr[dof] + m.M_rownnz[dof] - 1) as usize;
            d.qH[diagonal] += m.opt.timestep * m.dof_damping[dof];
        }
        pattern.factor(&mut d.qH, &mut d.qHDiagInv);
    }
    for (x, (smooth, constraint)) in qacc.iter_mut().zip(d.qfrc_smooth.iter().zip(&d.qfrc_constraint)) {
        *x = smooth + constraint;
    }
    pattern.solve(&d.qH, &d.qHDiagInv, qacc);
}
