//! Actuators: from control and activation to force on the dofs.

mod dynamics;
mod gain;
mod history;
mod muscle;

pub(crate) use dynamics::advance as advance_activations;
pub use dynamics::next_activation;
pub use gain::{ActuatorGainModel, ActuatorInput, DefaultGain, SeriesElasticGain};
pub use history::{Interpolation, read_ctrl};
pub(crate) use history::{insert as history_insert, read as history_read, record_controls, reset as history_reset};

use sim_types::math::{clip, is_bad};
use sim_types::{BiasType, DisableFlags, DynType, MINVAL, TrnType, Vec3};

use crate::data::Data;
use crate::model::Model;
use crate::pipeline::{Hooks, Parts};
use crate::warning::Warning;

/// Computes activation rates, actuator forces and the force they exert on the dofs.
///
/// Reads `ctrl`, `act`, `actuator_length`, `actuator_velocity`, `actuator_moment`, `qfrc_gravcomp`; writes `act_dot`,
/// `actuator_force`, `qfrc_actuator`. `ctrl` itself is never changed: clamping and delays act on a copy.
#[doc(alias = "mj_fwdActuation")]
pub fn actuation<P: Parts>(m: &Model, d: &mut Data, parts: &P) {
    d.actuator_force.fill(0.0);
    d.qfrc_actuator.fill(0.0);
    if m.nu == 0 || !m.opt.has(DisableFlags::ACTUATION) {
        return;
    }
    let mut ctrl = std::mem::take(&mut d.scratch.nu);
    effective_controls(m, d, &mut ctrl);
    if m.na > 0 {
        activation_rates(m, d, parts, &ctrl);
    }
    forces(m, d, parts, &ctrl);
    d.scratch.nu = ctrl;

    if m.ntendon > 0 {
        limit_tendon_forces(m, d);
    }
    for (actuator, force) in d.actuator_force.iter_mut().enumerate() {
        if m.actuator_forcelimited[actuator] {
            let [low, high] = m.actuator_forcerange[actuator];
            *force = clip(*force, low, high);
        }
    }

    // moments spread the forces over the dofs
    for (actuator, force) in d.actuator_force.iter().enumerate() {
        let row = m.moment_row(actuator);
        for (moment, &col) in d.actuator_moment[row.clone()].iter().zip(&m.moment_colind[row]) {
            d.qfrc_actuator[col as usize] += moment * force;
        }
    }
    joint_forces(m, d);
}

/// True when the actuator's group is switched off.
#[doc(alias = "mj_actuatorDisabled")]
pub fn is_disabled(m: &Model, actuator: usize) -> bool {
    if m.opt.disableactuator == 0 {
        return false;
    }
    let group = m.actuator_group[actuator];
    (0..=30).contains(&group) && m.opt.disableactuator & (1 << group) != 0
}

/// Controls after delay and clamping; one bad number switches all of them off.
pub(crate) fn effective_controls(m: &Model, d: &mut Data, ctrl: &mut [f64]) {
    let clamps = m.opt.has(DisableFlags::CLAMPCTRL);
    ctrl.copy_from_slice(&d.ctrl);
    if m.nhistory > 0 {
        for actuator in (0..m.nu).filter(|&actuator| m.actuator_delay[actuator] != 0.0) {
            ctrl[actuator] = read_ctrl(m, d, actuator, d.time);
        }
    }
    if clamps {
        let ranges = m.actuator_ctrllimited.iter().zip(&m.actuator_ctrlrange);
        for (u, (limited, [low, high])) in ctrl.iter_mut().zip(ranges) {
            if *limited {
                *u = clip(*u, *low, *high);
            }
        }
    }
    if let Some(actuator) = ctrl.iter().position(|u| is_bad(*u)) {
        d.warning.raise(Warning::BadCtrl, actuator);
        ctrl.fill(0.0);
    }
}

fn activation_rates<P: Parts>(m: &Model, d: &mut Data, parts: &P, ctrl: &[f64]) {
    for actuator in 0..m.nu {
        let Some(slots) = m.actuator_acts(actuator) else { continue };
        // the rates of sleepers stay as they were
        if d.actuator_sleeps(m, actuator) {
            continue;
        }
        d.act_dot[slots.clone()].fill(0.0);
        let last = slots.end - 1;
        let (u, act) = (ctrl[actuator], d.act[last]);
        let prm = &m.actuator_dynprm[actuator];
        match m.actuator_dyntype[actuator] {
            DynType::None => {}
            DynType::Integrator => d.act_dot[last] = u,
            DynType::Filter | DynType::FilterExact => d.act_dot[last] = (u - act) / prm[0].max(MINVAL),
            DynType::Muscle => d.act_dot[last] = muscle::dynamics(u, act, prm),
            DynType::User => parts.hooks().activation(m, d, actuator, u),
        }
    }
}

fn forces<P: Parts>(m: &Model, d: &mut Data, parts: &P, ctrl: &[f64]) {
    for actuator in 0..m.nu {
        if is_disabled(m, actuator) || d.actuator_sleeps(m, actuator) {
            continue;
        }
        let slots = m.actuator_acts(actuator);
        let act = slots.map_or(ctrl[actuator], |slots| {
            let last = slots.end - 1;
            if m.actuator_actearly[actuator] {
                next_activation(m, d, actuator, last, d.act_dot[last])
            } else {
                d.act[last]
            }
        });
        let input = ActuatorInput {
            length: d.actuator_length[actuator],
            velocity: d.actuator_velocity[actuator],
            act,
            ctrl: ctrl[actuator],
            timestep: m.opt.timestep,
        };
        let gain = parts.gain().gain(m, actuator, &input);
        let offset = parts.gain().offset(m, actuator, &input);
        d.actuator_force[actuator] = gain * act + (bias(m, d, parts, actuator, &input) + offset);
    }
}

fn bias<P: Parts>(m: &Model, d: &Data, parts: &P, actuator: usize, input: &ActuatorInput) -> f64 {
    let prm = &m.actuator_biasprm[actuator];
    match m.actuator_biastype[actuator] {
        BiasType::None => 0.0,
        BiasType::Affine => prm[0] + prm[1] * input.length + prm[2] * input.velocity,
        BiasType::Muscle => muscle::Curve::new(m, actuator, prm).passive_force(input.length),
        BiasType::User => parts.hooks().actuator_bias(m, d, actuator),
    }
}

/// Scales the forces of actuators that pull on one tendon, when their sum is out of its range.
fn limit_tendon_forces(m: &Model, d: &mut Data) {
    let limited = |actuator: usize| {
        let tendon = m.actuator_trnid[actuator][0].get()?;
        let on_tendon = m.actuator_trntype[actuator] == TrnType::Tendon && m.tendon_actfrclimited[tendon];
        on_tendon.then_some(tendon)
    };
    if !(0..m.nu).any(|actuator| !is_disabled(m, actuator) && limited(actuator).is_some()) {
        return;
    }
    let total = &mut d.scratch.ntendon;
    total.fill(0.0);
    for actuator in 0..m.nu {
        if let Some(tendon) = limited(actuator) {
            total[tendon] += d.actuator_force[actuator];
        }
    }
    for actuator in 0..m.nu {
        if let Some(tendon) = limited(actuator) {
            let (sum, [low, high]) = (total[tendon], m.tendon_actfrcrange[tendon]);
            if sum != 0.0 && sum < low {
                d.actuator_force[actuator] *= low / sum;
            } else if sum != 0.0 && sum > high {
                d.actuator_force[actuator] *= high / sum;
            }
        }
    }
}

/// Gravity compensation of actuated joints, then the joints' own force limits.
fn joint_forces(m: &Model, d: &mut Data) {
    let lifts = m.ngravcomp > 0 && m.opt.has(DisableFlags::GRAVITY) && m.opt.gravity != Vec3::zeros();
    for jnt in 0..m.njnt {
        let dof = m.jnt_dofadr[jnt] as usize;
        if lifts && m.jnt_actgravcomp[jnt] {
            for k in dof..dof + m.jnt_type[jnt].nv() {
                d.qfrc_actuator[k] += d.qfrc_gravcomp[k];
            }
        }
        if m.jnt_actfrclimited[jnt] {
            let [low, high] = m.jnt_actfrcrange[jnt];
            d.qfrc_actuator[dof] = clip(d.qfrc_actuator[dof], low, high);
        }
    }
}
