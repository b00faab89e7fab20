//! Derivatives of a step by implicit differentiation of the converged constraint solve.
//!
//! A step solves two systems of equations. The acceleration `a` is where the constraint problem has its minimum, and the
//! integrator turns it into the acceleration `s` that it applies:
//!
//! ```text
//! r₁ = M·a − τ − Jᵀ·f(J·a − aref) = 0          M, τ, J, aref depend on the state, τ on the control as well
//! r₂ = Â·s − M·a = 0                           Â = M, M + h·D, or M − h·∂τ/∂v, by the integrator
//! ```
//!
//! With the rows of the constraints kept in the states that the solution has (open, pressing, sliding), `f` is smooth and
//! `∂r₁/∂a = M + JᵀWJ`, the Hessian of Newton's method, with a block of `W` per friction cone. So for any input `x`
//!
//! ```text
//! (M + JᵀWJ)·∂a/∂x = −∂r₁/∂x      Â·∂s/∂x = M·∂a/∂x − ∂r₂/∂x      ∂v⁺ = ∂v + h·∂s      ∂q⁺ = T·∂q + h·Jᵣ·∂v⁺
//! ```
//!
//! where `T` and `Jᵣ` turn the tangents of quaternions. One factor serves all columns, and no solver runs.
//!
//! Where the partial derivatives come from:
//!
//! - by velocity: in closed form (the smooth forces on the tree, actuators, tendons, and `JᵀWBJ` of the rows)
//! - by position: central differences of `r₁` and `r₂` at fixed `a` and `s`
//! - by control and activation: differences of the actuator forces alone, which are linear in them almost everywhere
//! - of sensors: central differences along the direction in which `a` moves
//!
//! Velocity falls back to differences of `r₁` and `r₂` for tendons with armature or a limited actuator force, for
//! implicit integrators with a medium or muscles, and when sensors are asked for.

mod active;
mod chain;
mod column;
mod point;
mod system;
mod velocity;

use sim_types::math::is_bad;

use super::Transition;
use super::transition::{check_sizes, refuse};
use crate::data::Data;
use crate::error::StepError;
use crate::model::Model;
use crate::pipeline::{self, Parts, Skip};
use active::ActiveSet;
use chain::Chain;
use point::Residual;
use system::System;

/// Size of differences: half of the digits for a function of order one and third derivatives of order one.
const EPS: f64 = 1e-6;

/// Memory of [`transition_analytic`]; keeps its capacity from call to call and holds nothing between them.
#[derive(Clone, Debug, Default)]
pub struct AnalyticWork {
    sensors: bool,
    /// The solution that is differentiated: `a` and `s`.
    qacc: Vec<f64>,
    step: Vec<f64>,
    qpos: Vec<f64>,
    qfrc_constraint: Vec<f64>,
    active: ActiveSet,
    system: System,
    chain: Chain,
    nominal: Residual,
    plus: Residual,
    minus: Residual,
    /// Derivative of `r₁` by velocity, row-major.
    by_vel: Vec<f64>,
    direction: Vec<f64>,
    product: Vec<f64>,
    /// `r₁` while the acceleration is refined.
    refined: Vec<f64>,
    column: Vec<f64>,
    ctrl: Vec<f64>,
    dense: Vec<f64>,
}

/// Computes the derivatives of a step analytically, through active constraints, in the layout of
/// [`transition_fd`](super::transition_fd): `δx⁺ = A·δx + B·δu`, `δs = C·δx + D·δu`.
///
/// The derivative is that of the converged solve with its set of active constraints kept: where a contact is about to
/// open or a friction force about to slip, it is the derivative on this side. Contacts that appear when the state is
/// moved do not count; where one disappears the difference is taken on the other side.
///
/// Controls are not moved out of their range, as in `transition_fd`. What user hooks compute from positions is seen,
/// what they compute from velocities is not.
///
/// The state of `d` is kept; what is computed from it belongs to the last perturbation. Runge–Kutta, delays, the
/// noslip solver, sleeping trees and states that a step would reset are refused, and so is a result that is not finite.
///
/// ```
/// use sim_core::derivative::{AnalyticWork, Transition, transition_analytic};
/// # fn linearise(m: &sim_core::Model) -> Result<(), sim_core::StepError> {
/// let mut d = m.make_data();
/// let nx = 2 * m.nv + m.na;
/// let (mut a, mut b) = (vec![0.0; nx * nx], vec![0.0; nx * m.nu]);
/// let mut work = AnalyticWork::default(); // reused from step to step
/// let mut out = Transition { a: Some(&mut a), b: Some(&mut b), ..Transition::default() };
/// transition_analytic(m, &mut d, &mut sim_core::Mujoco::default(), &mut work, &mut out)?;
/// # Ok(())
/// # }
/// # assert!(linearise(&sim_core::Model::default()).is_err(), "a model without a world");
/// ```
pub fn transition_analytic<P: Parts>(
    m: &Model,
    d: &mut Data,
    parts: &mut P,
    work: &mut AnalyticWork,
    out: &mut Transition<'_>,
) -> Result<(), StepError> {
    pipeline::check_runnable(m, d)?;
    refuse(m)?;
    check_sizes(m, out)?;
    let refused = |what: &str| Err(StepError::Unsupported { what: what.to_owned() });
    if m.opt.noslip_iterations > 0 {
        return refused("analytic derivatives of a step with the noslip solver");
    }
    if d.awake.some_sleep {
        return refused("analytic derivatives of a step with sleeping trees");
    }
    check_numbers("qpos", &d.qpos)?;
    check_numbers("qvel", &d.qvel)?;
    check_numbers("act", &d.act)?;
    let (warning, time) = (d.warning, d.time);
    let done = work.solve(m, d, parts, out.c.is_some() || out.d.is_some());
    let done = done.and_then(|()| work.columns(m, d, parts, out));
    (d.warning, d.time) = (warning, time);
    done
}

fn check_numbers(what: &'static str, numbers: &[f64]) -> Result<(), StepError> {
    match numbers.iter().position(|x| is_bad(*x)) {
        None => Ok(()),
        Some(index) => Err(StepError::BadState { what, index, value: numbers[index] }),
    }
}

impl AnalyticWork {
    /// The step itself: its solution, its active set, and the matrices of both systems.
    fn solve<P: Parts>(&mut self, m: &Model, d: &mut Data, parts: &mut P, sensors: bool) -> Result<(), StepError> {
        self.sensors = sensors;
        pipeline::stages_with(m, d, parts, Skip::Nothing, sensors)?;
        check_numbers("qacc", &d.qacc)?;
        self.qpos.clone_from(&d.qpos);
        self.qacc.clone_from(&d.qacc);
        self.active.record(d, &self.qacc);
        self.qfrc_constraint.clone_from(&d.qfrc_constraint);
        self.system.prepare(m, d, parts)?;
        self.system.hessian(m, d, &self.qacc, &mut self.active)?;

        // what the integrator applies, for M·a = τ + Jᵀf
        self.step.clear();
        self.step.extend(d.qfrc_smooth.iter().zip(&d.qfrc_constraint).map(|(a, b)| a + b));
        self.system.integrator_force(m, &d.qvel, &mut self.step);
        self.system.solve_step(m, &self.qacc, &mut self.step);
        check_numbers("qacc", &self.step)?;
        self.chain.prepare(m, &d.qvel, &self.step);

        let mut nominal = std::mem::take(&mut self.nominal);
        self.evaluate(m, d, parts, Skip::Velocity, &mut nominal);
        self.nominal = nominal;
        Ok(())
    }
}
