//! Derivatives of actuator forces by velocity.

use sim_types::{BiasType, DisableFlags};

use super::add_outer;
use crate::actuation::{ActuatorGainModel, ActuatorInput, is_disabled, next_activation};
use crate::data::Data;
use crate::model::Model;
use crate::pipeline::Parts;

/// Adds the derivatives of actuator forces to `qDeriv`. An actuator at the end of its force range adds nothing.
#[doc(alias = "mjd_actuator_vel")]
pub(super) fn actuator_vel<P: Parts>(m: &Model, d: &mut Data, parts: &P, dense: &mut [f64]) {
    if !m.opt.has(DisableFlags::ACTUATION) {
        return;
    }
    for actuator in 0..m.nu {
        let ([low, high], force) = (m.actuator_forcerange[actuator], d.actuator_force[actuator]);
        let clamped = m.actuator_forcelimited[actuator] && (force <= low || force >= high);
        if clamped || is_disabled(m, actuator) {
            continue;
        }
        let slope = force_slope(m, d, parts, actuator);
        if slope != 0.0 {
            let entries = m.moment_row(actuator);
            let row = &d.actuator_moment[entries.clone()];
            add_outer(m, &mut d.qDeriv, row, &m.moment_colind[entries], slope, dense);
        }
    }
}

/// Derivative of the force of an actuator by its velocity. The control is the given one, before delay and clamping, as
/// in MuJoCo.
fn force_slope<P: Parts>(m: &Model, d: &Data, parts: &P, actuator: usize) -> f64 {
    let bias = match m.actuator_biastype[actuator] {
        BiasType::Affine => m.actuator_biasprm[actuator][2],
        BiasType::None | BiasType::Muscle | BiasType::User => 0.0,
    };
    let act = m.actuator_acts(actuator).map_or(d.ctrl[actuator], |slots| {
        let last = slots.end - 1;
        if m.actuator_actearly[actuator] { next_activation(m, d, actuator, last, d.act_dot[last]) } else { d.act[last] }
    });
    let input = ActuatorInput {
        length: d.actuator_length[actuator],
        velocity: d.actuator_velocity[actuator],
        act,
        ctrl: d.ctrl[actuator],
        timestep: m.opt.timestep,
    };
    let bias = bias + parts.gain().doffset_dvel(m, actuator, &input);
    match parts.gain().dgain_dvel(m, actuator, &input) {
        0.0 => bias,
        gain => bias + gain * act,
    }
}
