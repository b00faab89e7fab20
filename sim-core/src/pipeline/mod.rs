//! The step, and the one list of stages.

mod check;
mod envs;
mod origin;
mod parts;

pub(crate) use check::{model as check_model, runnable as check_runnable};
pub(crate) use envs::Envs;
pub use parts::{Hooks, Kit, Mujoco, NoHooks, Parts, StageName};

use sim_types::{DisableFlags, EnableFlags, Integrator, Stage};

use crate::data::Data;
use crate::error::StepError;
use crate::island::wake;
use crate::model::Model;
use crate::{actuation, collision, constraint, energy, integrate, inverse, island, passive, sensor, smooth};

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
    check::state(m, d)?;
    let done = stages(m, d, parts, Skip::Nothing);
    check::acc(m, d, parts, done)?;
    advance(m, d, parts, m.opt.integrator)
}

/// Computes everything that follows from the state, up to `qacc`.
#[doc(alias = "mj_forward")]
pub fn forward<P: Parts>(m: &Model, d: &mut Data, parts: &mut P, skip: Skip) -> Result<(), StepError> {
    check::runnable(m, d)?;
    stages(m, d, parts, skip)
}

/// The first half of a step: everything that does not depend on control. Set `ctrl` and the applied forces, then call
/// [`step2`].
#[doc(alias = "mj_step1")]
pub fn step1<P: Parts>(m: &Model, d: &mut Data, parts: &mut P) -> Result<(), StepError> {
    check::runnable(m, d)?;
    check::state(m, d)?;
    position(m, d, parts, true);
    velocity(m, d, parts, true);
    parts.hooks().control(m, d);
    Ok(())
}

/// The second half of a step. Integrates with Euler where the model asks for Runge–Kutta, as MuJoCo does.
#[doc(alias = "mj_step2")]
pub fn step2<P: Parts>(m: &Model, d: &mut Data, parts: &mut P) -> Result<(), StepError> {
    check::runnable(m, d)?;
    let done = acceleration(m, d, parts, true);
    check::acc(m, d, parts, done)?;
    let integrator = if m.opt.integrator == Integrator::Rk4 { Integrator::Euler } else { m.opt.integrator };
    advance(m, d, parts, integrator)
}

/// Runs every stage there is, also for a model that needs stages this version does not have. For inspection: forces of
/// missing stages are zero. [`missing`](crate::support::missing) says which.
pub fn forward_partial<P: Parts>(m: &Model, d: &mut Data, parts: &mut P) -> Result<(), StepError> {
    d.fits(m)?;
    stages(m, d, parts, Skip::Nothing)
}

/// As [`step`], running every stage there is; see [`forward_partial`].
pub fn step_partial<P: Parts>(m: &Model, d: &mut Data, parts: &mut P) -> Result<(), StepError> {
    d.fits(m)?;
    check::timestep(m)?;
    step_skip(m, d, parts, Skip::Nothing, true)
}

/// A step of data that fits, which may skip stages whose inputs did not change since the last one, factors included,
/// and the sensors.
#[doc(alias = "mj_stepSkip")]
pub(crate) fn step_skip<E: Envs, P: Parts>(
    m: &Model,
    e: &mut E,
    parts: &mut P,
    skip: Skip,
    sensors: bool,
) -> Result<(), StepError> {
    e.attempt(|d| check::state(m, d))?;
    let done = stages_with(m, e, parts, skip, sensors);
    e.mend(done, |d, done| check::acc(m, d, parts, done))?;
    if skip == Skip::Nothing {
        return advance(m, e, parts, m.opt.integrator);
    }
    e.attempt(|d| compare_inverse(m, d, parts))?;
    integrate::advance_envs(m, e, parts, m.opt.integrator, skip)
}

/// Compares with inverse dynamics, where that is asked for.
fn compare_inverse<P: Parts>(m: &Model, d: &mut Data, parts: &mut P) -> Result<(), StepError> {
    if m.opt.enabled(EnableFlags::FWDINV) { inverse::compare(m, d, parts) } else { Ok(()) }
}

/// The end of a step. A step that cannot be integrated starts again from the reference pose, where that is allowed.
fn advance<E: Envs, P: Parts>(m: &Model, e: &mut E, parts: &mut P, integrator: Integrator) -> Result<(), StepError> {
    e.attempt(|d| compare_inverse(m, d, parts))?;
    let done = integrate::advance_envs(m, e, parts, integrator, Skip::Nothing);
    e.mend(done, |d, done| match done {
        Err(e @ StepError::Unsolvable { .. }) => {
            check::acc(m, d, parts, Err(e))?;
            integrate::advance(m, d, parts, integrator, Skip::Nothing)
        }
        done => done,
    })
}

/// The stages, on data that fits the model.
pub(crate) fn stages<P: Parts>(m: &Model, d: &mut Data, parts: &mut P, skip: Skip) -> Result<(), StepError> {
    stages_with(m, d, parts, skip, true)
}

/// As [`stages`], with or without sensors.
#[doc(alias = "mj_forwardSkip")]
pub(crate) fn stages_with<E: Envs, P: Parts>(
    m: &Model,
    e: &mut E,
    parts: &mut P,
    skip: Skip,
    sensors: bool,
) -> Result<(), StepError> {
    if skip < Skip::Position {
        position(m, e, parts, sensors);
    }
    if skip < Skip::Velocity {
        velocity(m, e, parts, sensors);
    }
    if m.opt.has(DisableFlags::ACTUATION) {
        e.each(|d| parts.hooks().control(m, d));
    }
    acceleration(m, e, parts, sensors)
}

/// What depends on positions.
fn position<E: Envs, P: Parts>(m: &Model, e: &mut E, parts: &P, sensors: bool) {
    let hooks = parts.hooks();
    hooks.stage(StageName::Kinematics);
    e.each(|d| {
        d.lazy.energypos = false;
        wake::remember_poses(m, d);
    });
    e.kinematics(m);
    e.each(|d| wake::by_user(m, d));
    e.com_pos(m);
    e.each(|d| smooth::cam_light(m, d));
    hooks.stage(StageName::Transmission);
    e.each(|d| {
        smooth::tendon(m, d);
        wake::by_tendon(m, d);
    });
    hooks.stage(StageName::Inertia);
    e.crb(m);
    e.each(|d| smooth::tendon_armature(m, d));
    e.factor_m(m);
    e.each(|d| contacts(m, d, parts, sensors));
}

/// The part of [`position`] that contacts are in.
fn contacts<P: Parts>(m: &Model, d: &mut Data, parts: &P, sensors: bool) {
    let hooks = parts.hooks();
    hooks.stage(StageName::Collision);
    collision::collision(m, d, parts);
    if wake::by_contact(m, d) {
        collision::collision(m, d, parts);
    }
    wake::by_equality(m, d);
    hooks.stage(StageName::Constraint);
    constraint::make(m, d);
    island::island(m, d);
    hooks.stage(StageName::Transmission);
    smooth::transmission(m, d);
    if sensors {
        hooks.stage(StageName::Sensor);
        sensor::sensors(m, d, parts, Stage::Pos);
    }
    if !d.lazy.energypos {
        if m.opt.enabled(EnableFlags::ENERGY) {
            energy::energy_pos(m, d);
        } else {
            d.energy = [0.0; 2];
        }
    }
}

/// What depends on positions and velocities.
pub(crate) fn velocity<E: Envs, P: Parts>(m: &Model, e: &mut E, parts: &P, sensors: bool) {
    parts.hooks().stage(StageName::Velocity);
    e.each(|d| {
        d.lazy.subtreevel = false;
        d.lazy.energyvel = false;
        smooth::path_vel(m, d);
    });
    e.com_vel(m);
    e.each(|d| {
        passive::passive(m, d, parts);
        constraint::reference(m, d);
    });
    e.rne(m);
    e.each(|d| {
        smooth::tendon_bias(m, d);
        if sensors {
            parts.hooks().stage(StageName::Sensor);
            sensor::sensors(m, d, parts, Stage::Vel);
        }
        if m.opt.enabled(EnableFlags::ENERGY) && !d.lazy.energyvel {
            energy::energy_vel(m, d);
        }
    });
}

/// What depends on positions, velocities and control.
fn acceleration<E: Envs, P: Parts>(m: &Model, e: &mut E, parts: &P, sensors: bool) -> Result<(), StepError> {
    e.each(|d| {
        parts.hooks().stage(StageName::Actuation);
        actuation::actuation(m, d, parts);
        parts.hooks().stage(StageName::Acceleration);
        smooth::sum_smooth(m, d);
    });
    e.acceleration(m);
    e.attempt(|d| {
        parts.hooks().stage(StageName::Constraint);
        constraint::solve(m, d, parts)?;
        if sensors {
            d.lazy.rnepost = false;
            parts.hooks().stage(StageName::Sensor);
            sensor::sensors(m, d, parts, Stage::Acc);
        }
        Ok(())
    })
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
