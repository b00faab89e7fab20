//! Integration in time.

mod position;

pub use position::{differentiate_pos, integrate_pos};

use sim_types::DisableFlags;

use crate::data::Data;
use crate::model::Model;
use crate::pipeline::{Hooks, Parts, StageName};
use crate::{actuation, sensor};

/// Advances positions, velocities and time with the semi-implicit Euler method; joint damping is implicit unless
/// disabled.
///
/// Reads `qacc`, `qfrc_smooth`, `qfrc_constraint`, `M`; writes `qpos`, `qvel`, `time`, `qacc_warmstart`, `qH`.
#[doc(alias = "mj_Euler")]
pub fn advance<P: Parts>(m: &Model, d: &mut Data, parts: &P) {
    parts.hooks().stage(StageName::Integrate);
    record_history(m, d);
    if m.na > 0 && m.opt.has(DisableFlags::ACTUATION) {
        let rates = std::mem::take(&mut d.act_dot);
        actuation::advance_activations(m, d, &rates);
        d.act_dot = rates;
    }
    let damped =
        m.opt.has(DisableFlags::EULERDAMP) && m.opt.has(DisableFlags::DAMPER) && m.dof_damping.iter().any(|x| *x > 0.0);
    if damped {
        let mut qacc = std::mem::take(&mut d.scratch.nv);
        damped_acceleration(m, d, &mut qacc);
        add_scaled(&mut d.qvel, &qacc, m.opt.timestep);
        d.scratch.nv = qacc;
    } else {
        add_scaled(&mut d.qvel, &d.qacc, m.opt.timestep);
    }

    // positions follow the new velocity
    integrate_pos(m, &mut d.qpos, &d.qvel, m.opt.timestep);
    d.time += m.opt.timestep;
    d.qacc_warmstart.copy_from_slice(&d.qacc);
}

/// Writes controls and sensors of this step into their delay buffers.
fn record_history(m: &Model, d: &mut Data) {
    if m.nhistory == 0 {
        return;
    }
    actuation::record_controls(m, d);
    sensor::record_history(m, d);
}

/// The acceleration with the damping force of the end of the step: `(M + h·damping)⁻¹ (all forces)`.
fn damped_acceleration(m: &Model, d: &mut Data, qacc: &mut [f64]) {
    let pattern = m.m_pattern();
    d.qH.copy_from_slice(&d.M);
    for dof in 0..m.nv {
        let diagonal = (m.M_rowadr[dof] + m.M_rownnz[dof] - 1) as usize;
        d.qH[diagonal] += m.opt.timestep * m.dof_damping[dof];
        qacc[dof] = d.qfrc_smooth[dof] + d.qfrc_constraint[dof];
    }
    pattern.factor(&mut d.qH, &mut d.qHDiagInv);
    pattern.solve(&d.qH, &d.qHDiagInv, qacc);
}

fn add_scaled(x: &mut [f64], y: &[f64], scale: f64) {
    for (x, y) in x.iter_mut().zip(y) {
        *x += y * scale;
    }
}
