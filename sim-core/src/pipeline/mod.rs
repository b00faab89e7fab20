//! The step, and the one list of stages.

mod check;
mod parts;

pub use parts::{Hooks, Kit, Mujoco, NoHooks, Parts, StageName};

use sim_types::{DisableFlags, EnableFlags, Stage};

use crate::data::Data;
use crate::error::StepError;
use crate::model::Model;
use crate::{actuation, energy, integrate, passive, sensor, smooth, support};

/// How much of the last forward pass is still valid, because its inputs did not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Skip {
    /// Nothing: compute everything.
    Nothing,
    /// What depends on positions only.
    Position,
    /// What depends on positions and velocities.
    Velocity,
}

/// Advances the simulation by one timestep.
#[doc(alias = "mj_step")]
pub fn step<P: Parts>(m: &Model, d: &mut Data, parts: &mut P) -> Result<(), StepError> {
    check::runnable(m, d)?;
    check::pos(m, d)?;
    check::vel(m, d)?;
    stages(m, d, parts, Skip::Nothing);
    check::acc(m, d, parts)?;
    integrate::advance(m, d, parts);
    Ok(())
}

/// Computes everything that follows from the state, up to `qacc`.
#[doc(alias = "mj_forward")]
pub fn forward<P: Parts>(m: &Model, d: &mut Data, parts: &mut P, skip: Skip) -> Result<(), StepError> {
    check::runnable(m, d)?;
    stages(m, d, parts, skip);
    Ok(())
}

/// The first half of a step: everything that does not depend on control. Set `ctrl` and the applied forces, then call
/// [`step2`].
#[doc(alias = "mj_step1")]
pub fn step1<P: Parts>(m: &Model, d: &mut Data, parts: &mut P) -> Result<(), StepError> {
    check::runnable(m, d)?;
    check::pos(m, d)?;
    check::vel(m, d)?;
    position(m, d, parts);
    velocity(m, d, parts);
    parts.hooks().control(m, d);
    Ok(())
}

/// The second half of a step. Integrates with Euler where the model asks for Runge–Kutta, as MuJoCo does.
#[doc(alias = "mj_step2")]
pub fn step2<P: Parts>(m: &Model, d: &mut Data, parts: &mut P) -> Result<(), StepError> {
    check::runnable(m, d)?;
    acceleration(m, d, parts);
    check::acc(m, d, parts)?;
    integrate::advance(m, d, parts);
    Ok(())
}

/// Runs every stage there is, also for a model that needs stages this version does not have. For inspection: forces of
/// missing stages are zero. [`missing`](crate::support::missing) says which.
pub fn forward_partial<P: Parts>(m: &Model, d: &mut Data, parts: &mut P) -> Result<(), StepError> {
    d.fits(m)?;
    stages(m, d, parts, Skip::Nothing);
    Ok(())
}

/// As [`step`], running every stage there is; see [`forward_partial`]. The integrator must exist: there is no part of it
/// to run.
pub fn step_partial<P: Parts>(m: &Model, d: &mut Data, parts: &mut P) -> Result<(), StepError> {
    d.fits(m)?;
    check::timestep(m)?;
    support::check_integrator(m)?;
    check::pos(m, d)?;
    check::vel(m, d)?;
    stages(m, d, parts, Skip::Nothing);
    check::acc(m, d, parts)?;
    integrate::advance(m, d, parts);
    Ok(())
}

/// The stages, on data that fits the model.
pub(crate) fn stages<P: Parts>(m: &Model, d: &mut Data, parts: &mut P, skip: Skip) {
    if skip < Skip::Position {
        position(m, d, parts);
    }
    if skip < Skip::Velocity {
        velocity(m, d, parts);
    }
    if m.opt.has(DisableFlags::ACTUATION) {
        parts.hooks().control(m, d);
    }
    acceleration(m, d, parts);
}

/// What depends on positions.
fn position<P: Parts>(m: &Model, d: &mut Data, parts: &P) {
    let hooks = parts.hooks();
    d.lazy.energypos = false;
    hooks.stage(StageName::Kinematics);
    smooth::kinematics(m, d);
    smooth::com_pos(m, d);
    smooth::cam_light(m, d);
    hooks.stage(StageName::Transmission);
    smooth::tendon(m, d);
    hooks.stage(StageName::Inertia);
    smooth::crb(m, d);
    smooth::tendon_armature(m, d);
    smooth::factor_m(m, d);
    hooks.stage(StageName::Transmission);
    smooth::transmission(m, d);
    hooks.stage(StageName::Sensor);
    sensor::sensors(m, d, parts, Stage::Pos);
    if !d.lazy.energypos {
        if m.opt.enabled(EnableFlags::ENERGY) {
            energy::energy_pos(m, d);
        } else {
            d.energy = [0.0; 2];
        }
    }
}

/// What depends on positions and velocities.
fn velocity<P: Parts>(m: &Model, d: &mut Data, parts: &P) {
    parts.hooks().stage(StageName::Velocity);
    d.lazy.subtreevel = false;
    d.lazy.energyvel = false;
    smooth::path_vel(m, d);
    smooth::com_vel(m, d);
    passive::passive(m, d, parts);
    smooth::rne(m, d);
    smooth::tendon_bias(m, d);
    parts.hooks().stage(StageName::Sensor);
    sensor::sensors(m, d, parts, Stage::Vel);
    if m.opt.enabled(EnableFlags::ENERGY) && !d.lazy.energyvel {
        energy::energy_vel(m, d);
    }
}

/// What depends on positions, velocities and control.
fn acceleration<P: Parts>(m: &Model, d: &mut Data, parts: &P) {
    parts.hooks().stage(StageName::Actuation);
    actuation::actuation(m, d, parts);
    parts.hooks().stage(StageName::Acceleration);
    smooth::acceleration(m, d);

    // without constraints the smooth acceleration is the acceleration
    d.qfrc_constraint.fill(0.0);
    d.qacc.copy_from_slice(&d.qacc_smooth);
    d.lazy.rnepost = false;
    parts.hooks().stage(StageName::Sensor);
    sensor::sensors(m, d, parts, Stage::Acc);
}

impl Data {
    /// Advances the simulation by one timestep, with MuJoCo's parts.
    #[doc(alias = "mj_step")]
    pub fn step(&mut self, m: &Model) -> Result<(), StepError> {
        step(m, self, &mut Mujoco::default())
    }

    /// Computes everything that follows from the state, up to `qacc`.
    #[doc(alias = "mj_forward")]
    pub fn forward(&mut self, m: &Model) -> Result<(), StepError> {
        forward(m, self, &mut Mujoco::default(), Skip::Nothing)
    }

    /// The first half of a step: everything that does not depend on control.
    #[doc(alias = "mj_step1")]
    pub fn step1(&mut self, m: &Model) -> Result<(), StepError> {
        step1(m, self, &mut Mujoco::default())
    }

    /// The second half of a step.
    #[doc(alias = "mj_step2")]
    pub fn step2(&mut self, m: &Model) -> Result<(), StepError> {
        step2(m, self, &mut Mujoco::default())
    }
}
