//! Activation in time.

use sim_types::math::{clip, exp};
use sim_types::{DynType, MINVAL};

use crate::data::Data;
use crate::model::Model;

/// The activation in slot `act` after one step at the rate `act_dot`, clamped where the actuator asks for it.
#[doc(alias = "mj_nextActivation")]
pub fn next_activation(m: &Model, d: &Data, actuator: usize, act: usize, act_dot: f64) -> f64 {
    let h = m.opt.timestep;
    let next = if m.actuator_dyntype[actuator] == DynType::FilterExact {
        let tau = m.actuator_dynprm[actuator][0].max(MINVAL);
        d.act[act] + act_dot * tau * (1.0 - exp(-h / tau))
    } else {
        d.act[act] + act_dot * h
    };
    if m.actuator_actlimited[actuator] {
        let [low, high] = m.actuator_actrange[actuator];
        clip(next, low, high)
    } else {
        next
    }
}

/// Advances all activations by one step at the rates `act_dot`. Those of disabled groups stay, but are still clamped.
pub(crate) fn advance(m: &Model, d: &mut Data, act_dot: &[f64]) {
    for actuator in 0..m.nu {
        if let Some(slots) = m.actuator_acts(actuator) {
            let frozen = super::is_disabled(m, actuator);
            for act in slots {
                let rate = if frozen { 0.0 } else { act_dot[act] };
                d.act[act] = next_activation(m, d, actuator, act, rate);
            }
        }
    }
}
