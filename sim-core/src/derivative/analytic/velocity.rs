//! The derivative of `r₁` by velocity in closed form.

use sim_types::{BiasType, DisableFlags, GainType, Integrator, TrnType};

use super::AnalyticWork;
use super::system::Form;
use crate::actuation::{self, ActuatorGainModel, ActuatorInput};
use crate::data::Data;
use crate::derivative::{Block6, fluid, tree};
use crate::integrate::spring_damper;
use crate::model::Model;
use crate::pipeline::Parts;
use crate::smooth;

/// True when velocity derivatives have a closed form; see the module's documentation for what does not.
pub(super) fn has_closed_form(m: &Model) -> bool {
    let implicit = matches!(m.opt.integrator, Integrator::Implicit | Integrator::ImplicitFast);
    let curved = |gain: &GainType| matches!(gain, GainType::Muscle | GainType::User);
    let limited = |actuator: usize| {
        let tendon = m.actuator_trnid[actuator][0].get();
        m.actuator_trntype[actuator] == TrnType::Tendon && tendon.is_some_and(|t| m.tendon_actfrclimited[t])
    };
    m.tendon_armature.iter().all(|x| *x == 0.0)
        && !(0..m.nu).any(limited)
        && !(implicit && (m.opt.viscosity > 0.0 || m.opt.density > 0.0 || m.actuator_gaintype.iter().any(curved)))
}

impl AnalyticWork {
    /// Fills `by_vel` with `∂r₁/∂v`.
    pub(super) fn residual_by_velocity<P: Parts>(&mut self, m: &Model, d: &mut Data, parts: &P) {
        let mut out = std::mem::take(&mut self.by_vel);
        out.clear();
        out.resize(m.nv * m.nv, 0.0);
        self.smooth_by_velocity(m, d, parts, &mut out);
        for x in &mut out {
            *x = -*x;
        }
        self.system.add_damping(d, &self.qacc, &mut self.active, &mut out);
        self.by_vel = out;
    }

    /// Fills `dense` with `∂r₂/∂v`, and says whether it is not zero. The velocities of bodies are others afterwards.
    pub(super) fn step_by_velocity(&mut self, m: &Model, d: &mut Data) -> bool {
        self.dense.clear();
        self.dense.resize(m.nv * m.nv, 0.0);
        match self.system.form {
            Form::Same | Form::Damped | Form::Lower => return false,
            Form::SpringDamper => {
                for dof in 0..m.nv {
                    self.dense[dof * m.nv + dof] = m.opt.timestep * spring_damper(m, dof).0;
                }
            }
            Form::Full => {
                // the bias force is quadratic in velocity, so the derivative of ∂τ/∂v·s by v is ∂τ/∂v at velocity s
                std::mem::swap(&mut d.qvel, &mut self.step);
                smooth::com_vel(m, d);
                tree_part(m, d, false);
                std::mem::swap(&mut d.qvel, &mut self.step);
                scatter(m, &d.qDeriv, -m.opt.timestep, &mut self.dense);
            }
        }
        true
    }

    /// Adds the derivative of the smooth force, entries between branches included.
    fn smooth_by_velocity<P: Parts>(&mut self, m: &Model, d: &mut Data, parts: &P, out: &mut [f64]) {
        let passive = m.opt.has(DisableFlags::SPRING) || m.opt.has(DisableFlags::DAMPER);
        tree_part(m, d, passive && (m.opt.viscosity > 0.0 || m.opt.density > 0.0));
        scatter(m, &d.qDeriv, 1.0, out);
        if m.opt.has(DisableFlags::DAMPER) {
            for dof in 0..m.nv {
                out[dof * m.nv + dof] -= m.dof_damping[dof];
            }
            for tendon in (0..m.ntendon).filter(|t| m.tendon_damping[*t] != 0.0) {
                let row = m.ten_j_row(tendon);
                let (values, columns) = (&d.ten_J[row.clone()], &m.ten_J_colind[row]);
                add_outer(m.nv, values, columns, -m.tendon_damping[tendon], |_| true, out);
            }
        }
        if m.opt.has(DisableFlags::ACTUATION) {
            self.ctrl.clear();
            self.ctrl.resize(m.nu, 0.0);
            actuation::effective_controls(m, d, &mut self.ctrl);
            self.add_actuators(m, d, parts, out);
        }
    }

    fn add_actuators<P: Parts>(&self, m: &Model, d: &Data, parts: &P, out: &mut [f64]) {
        for actuator in 0..m.nu {
            let ([low, high], force) = (m.actuator_forcerange[actuator], d.actuator_force[actuator]);
            let clamped = m.actuator_forcelimited[actuator] && (force <= low || force >= high);
            if clamped || actuation::is_disabled(m, actuator) {
                continue;
            }
            let slope = force_slope(m, d, parts, actuator, self.ctrl[actuator]);
            if slope != 0.0 {
                let row = m.moment_row(actuator);
                let (values, columns) = (&d.actuator_moment[row.clone()], &m.moment_colind[row]);
                add_outer(m.nv, values, columns, slope, |dof| !joint_clamps(m, d, dof), out);
            }
        }
    }
}

/// The force on a dof is at the end of what its joint allows.
fn joint_clamps(m: &Model, d: &Data, dof: usize) -> bool {
    let jnt = m.dof_jntid[dof] as usize;
    let ([low, high], force) = (m.jnt_actfrcrange[jnt], d.qfrc_actuator[dof]);
    m.jnt_actfrclimited[jnt] && m.jnt_dofadr[jnt] as usize == dof && (force <= low || force >= high)
}

/// Derivative of the force of an actuator by its velocity.
fn force_slope<P: Parts>(m: &Model, d: &Data, parts: &P, actuator: usize, ctrl: f64) -> f64 {
    let act = m.actuator_acts(actuator).map_or(ctrl, |slots| {
        let last = slots.end - 1;
        if m.actuator_actearly[actuator] {
            actuation::next_activation(m, d, actuator, last, d.act_dot[last])
        } else {
            d.act[last]
        }
    });
    let input = ActuatorInput {
        length: d.actuator_length[actuator],
        velocity: d.actuator_velocity[actuator],
        act,
        ctrl,
        timestep: m.opt.timestep,
    };
    let bias = match m.actuator_biastype[actuator] {
        BiasType::Affine => m.actuator_biasprm[actuator][2],
        BiasType::None | BiasType::Muscle | BiasType::User => 0.0,
    };
    parts.gain().dgain_dvel(m, actuator, &input) * act + bias
}

/// Fills `qDeriv` with minus the derivative of the bias force, and with that of the medium.
fn tree_part(m: &Model, d: &mut Data, medium: bool) {
    let mut scratch = std::mem::take(&mut d.scratch.derivative);
    d.qDeriv.fill(0.0);
    scratch.subtree.clear();
    scratch.subtree.resize(m.nbody, Block6::ZERO);
    if medium {
        fluid::fluid_vel(m, d, false, &mut scratch.subtree);
    }
    tree::add(m, d, &mut scratch, true);
    d.scratch.derivative = scratch;
}

/// Adds a matrix on the pattern of dofs to a dense one.
fn scatter(m: &Model, values: &[f64], scale: f64, out: &mut [f64]) {
    for dof in 0..m.nv {
        for k in m.d_row(dof) {
            out[dof * m.nv + m.D_colind[k] as usize] += scale * values[k];
        }
    }
}

/// Adds `scale·jᵀj` of one sparse row to a dense matrix, to the rows that are wanted.
fn add_outer(nv: usize, j: &[f64], columns: &[u32], scale: f64, wanted: impl Fn(usize) -> bool, out: &mut [f64]) {
    for (x, &row) in j.iter().zip(columns).filter(|(_, row)| wanted(**row as usize)) {
        let own = &mut out[row as usize * nv..(row as usize + 1) * nv];
        for (y, &c) in j.iter().zip(columns) {
            own[c as usize] += scale * x * y;
        }
    }
}
