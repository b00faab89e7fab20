//! Integration in time.

mod euler;
mod implicit;
mod position;
mod runge_kutta;
mod spring_damper;

pub(crate) use euler::{damped_acceleration, damped_matrix};
pub(crate) use implicit::{full_matrix, lower_matrix};
use position::integrate_joint;
pub use position::{differentiate_pos, integrate_pos};
pub use runge_kutta::Stages as RungeKuttaScratch;
pub(crate) use spring_damper::spring_damper;

use sim_types::{DisableFlags, Integrator};

use crate::data::Data;
use crate::error::StepError;
use crate::island::{update_sleep, wake};
use crate::model::Model;
use crate::pipeline::{Envs, Hooks, Parts, Skip, StageName, stages};
use crate::{actuation, sensor};

/// Advances positions, velocities, activations and time by one step, with the given method. Trees that have come to
/// rest fall asleep, where that is enabled.
///
/// `skip` says what did not change since the last step; factors that depend only on that are used again.
///
/// Reads `qacc`, `act_dot`, `qfrc_smooth`, `qfrc_constraint`, `M`; writes `qpos`, `qvel`, `act`, `time`,
/// `qacc_warmstart`, `history`, and the factors `qH` or `qLU`.
pub fn advance<P: Parts>(
    m: &Model,
    d: &mut Data,
    parts: &mut P,
    integrator: Integrator,
    skip: Skip,
) -> Result<(), StepError> {
    advance_envs(m, d, parts, integrator, skip)
}

/// As [`advance`], for one environment or several.
pub(crate) fn advance_envs<E: Envs, P: Parts>(
    m: &Model,
    e: &mut E,
    parts: &mut P,
    integrator: Integrator,
    skip: Skip,
) -> Result<(), StepError> {
    parts.hooks().stage(StageName::Integrate);
    let (reuse, all) = (skip >= Skip::Position, skip >= Skip::Velocity);
    match integrator {
        Integrator::Euler => euler::euler(m, e, parts, reuse),
        Integrator::Rk4 => runge_kutta::runge_kutta(m, e, parts),
        Integrator::Implicit | Integrator::ImplicitFast => e.attempt(|d| implicit::implicit(m, d, parts, all)),
        Integrator::ImplicitSpringDamper => e.attempt(|d| spring_damper::implicit_spring_damper(m, d, parts, reuse)),
    }
}

/// The rates of change over a step.
struct Rates<'a> {
    /// Of the activations; `None` for those in `act_dot`.
    act: Option<&'a [f64]>,
    /// Of the velocities.
    vel: &'a [f64],
    /// Of the positions; `None` for the velocity at the end of the step.
    pos: Option<&'a [f64]>,
}

/// Moves the state along `rates` for one timestep.
#[doc(alias = "mj_advance")]
fn move_state<P: Parts>(m: &Model, d: &mut Data, parts: &mut P, rates: &Rates<'_>) -> Result<(), StepError> {
    let h = m.opt.timestep;
    record_history(m, d);
    if m.na > 0 && m.opt.has(DisableFlags::ACTUATION) {
        let own = std::mem::take(&mut d.act_dot);
        actuation::advance_activations(m, d, rates.act.unwrap_or(&own));
        d.act_dot = own;
    }
    let mut done = Ok(());
    if wake::fall_asleep(m, d) > 0 {
        // the velocities of sleepers are zero now: what depends on them is computed again
        done = stages(m, d, parts, Skip::Position);
        update_sleep(m, d, false);
    }

    if d.awake.some_sleep {
        for &dof in &d.dof_awake_ind[..d.awake.nv] {
            d.qvel[dof as usize] += rates.vel[dof as usize] * h;
        }
        let awake = |jnt: &usize| d.tree_awake[m.dof_treeid[m.jnt_dofadr[*jnt] as usize] as usize];
        for jnt in (0..m.njnt).filter(awake) {
            integrate_joint(m, jnt, &mut d.qpos, rates.pos.unwrap_or(&d.qvel), h);
        }
    } else {
        add_scaled(&mut d.qvel, rates.vel, h);
        integrate_pos(m, &mut d.qpos, rates.pos.unwrap_or(&d.qvel), h);
    }
    d.time += h;
    d.qacc_warmstart.copy_from_slice(&d.qacc);
    done
}

/// Writes controls and sensors of this step into their delay buffers.
fn record_history(m: &Model, d: &mut Data) {
    if m.nhistory == 0 {
        return;
    }
    actuation::record_controls(m, d);
    sensor::record_history(m, d);
}

fn add_scaled(x: &mut [f64], y: &[f64], scale: f64) {
    for (x, y) in x.iter_mut().zip(y) {
        *x += y * scale;
    }
}

/// An error when one of the numbers is not finite.
fn finite(what: &str, numbers: &[f64]) -> Result<(), StepError> {
    match numbers.iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(dof) => Err(StepError::Unsolvable { what: format!("{what} of dof {dof} is not finite"), dof: Some(dof) }),
    }
}
