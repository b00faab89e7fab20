//! Euler with springs and dampers of joints that are implicit dof by dof; an extension, MuJoCo has no such method.

use sim_types::DisableFlags;

use super::{Rates, finite, move_state};
use crate::data::Data;
use crate::error::StepError;
use crate::model::Model;
use crate::pipeline::Parts;

/// Solves `(M + h·D + h²·K)·a = f − h·K·v`, with the diagonal stiffness `K` and damping `D` of the joints: their springs
/// and dampers act as they will at the end of the step. Everything else is explicit. `reuse` keeps the factor of the
/// last step.
///
/// Reads `qfrc_smooth`, `qfrc_constraint`, `M`, `qvel`; writes `qH`.
pub(super) fn implicit_spring_damper<P: Parts>(
    m: &Model,
    d: &mut Data,
    parts: &mut P,
    reuse: bool,
) -> Result<(), StepError> {
    let pattern = m.m_pattern();
    let mut qacc = std::mem::take(&mut d.scratch.qacc);
    qacc.clear();
    if !reuse {
        d.qH.copy_from_slice(&d.M);
    }
    for dof in 0..m.nv {
        let (stiffness, diagonal) = spring_damper(m, dof);
        if !reuse {
            d.qH[(m.M_rowadr[dof] + m.M_rownnz[dof] - 1) as usize] += diagonal;
        }
        qacc.push(d.qfrc_smooth[dof] + d.qfrc_constraint[dof] - m.opt.timestep * stiffness * d.qvel[dof]);
    }
    if !reuse {
        pattern.factor(&mut d.qH, &mut d.qHDiagInv);
    }
    pattern.solve(&d.qH, &d.qHDiagInv, &mut qacc);
    let done = finite("implicit acceleration", &qacc)
        .and_then(|()| move_state(m, d, parts, &Rates { act: None, vel: &qacc, pos: None }));
    d.scratch.qacc = qacc;
    done
}

/// Stiffness `K` of a dof, and `h·D + h²·K`; zero where springs or dampers are disabled.
pub(crate) fn spring_damper(m: &Model, dof: usize) -> (f64, f64) {
    let on = |flag, x: f64| if m.opt.has(flag) { x } else { 0.0 };
    let stiffness = on(DisableFlags::SPRING, m.jnt_stiffness[m.dof_jntid[dof] as usize]);
    let damping = on(DisableFlags::DAMPER, m.dof_damping[dof]);
    let h = m.opt.timestep;
    (stiffness, h * damping + h * h * stiffness)
}
