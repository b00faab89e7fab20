//! Semi-implicit Euler.

use sim_types::{DisableFlags, Lane};

use super::{Rates, move_state};
use crate::data::Data;
use crate::error::StepError;
use crate::model::Model;
use crate::pipeline::{Envs, Parts};

/// Positions follow the velocity at the end of the step; joint damping is implicit unless disabled. `reuse` keeps the
/// factor of the last step.
#[doc(alias = "mj_EulerSkip")]
pub(super) fn euler<E: Envs, P: Parts>(m: &Model, e: &mut E, parts: &mut P, reuse: bool) -> Result<(), StepError> {
    if m.opt.has(DisableFlags::EULERDAMP) && m.opt.has(DisableFlags::DAMPER) && m.dof_damping.iter().any(|x| *x > 0.0) {
        e.damped_acceleration(m, reuse);
    } else {
        e.each(|d| d.scratch.qacc.clone_from(&d.qacc));
    }
    e.attempt(|d| {
        let qacc = std::mem::take(&mut d.scratch.qacc);
        let done = move_state(m, d, parts, &Rates { act: None, vel: &qacc, pos: None });
        d.scratch.qacc = qacc;
        done
    })
}

/// The acceleration with the damping force of the end of the step, into `scratch.qacc`:
/// `(M + h·damping)⁻¹ (all forces)`.
pub(crate) fn damped_acceleration(m: &Model, d: &mut Data, reuse: bool) {
    let pattern = m.m_pattern();
    if !reuse {
        damped_matrix(m, &d.M, &mut d.qH);
        pattern.factor(&mut d.qH, &mut d.qHDiagInv);
    }
    let qacc = &mut d.scratch.qacc;
    qacc.resize(m.nv, 0.0);
    for (x, (smooth, constraint)) in qacc.iter_mut().zip(d.qfrc_smooth.iter().zip(&d.qfrc_constraint)) {
        *x = smooth + constraint;
    }
    pattern.solve(&d.qH, &d.qHDiagInv, qacc);
}

/// `M + h·damping`, of any lanes.
#[inline(always)]
pub(crate) fn damped_matrix<T: Lane>(m: &Model, inertia: &[T], out: &mut [T]) {
    out.copy_from_slice(inertia);
    for dof in 0..m.nv {
        let diagonal = (m.M_rowadr[dof] + m.M_rownnz[dof] - 1) as usize;
        out[diagonal] = out[diagonal] + T::splat(m.opt.timestep * m.dof_damping[dof]);
    }
}
