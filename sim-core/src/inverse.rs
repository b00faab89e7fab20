//! Inverse dynamics: from acceleration to the force that it needs.

use sim_constraint::ForceWork;
use sim_types::{DisableFlags, EnableFlags, Integrator, Stage};

use crate::data::Data;
use crate::derivative::smooth_vel;
use crate::error::StepError;
use crate::integrate::{full_matrix, lower_matrix, spring_damper};
use crate::model::Model;
use crate::pipeline::{self, Mujoco, Parts, Skip};
use crate::{collision, constraint, energy, sensor, smooth};

/// Computes the force that the accelerations in `d.qacc` need, besides passive and constraint forces.
///
/// With the flag `invdiscrete` these are differences of velocities over one step of the model's integrator, which
/// Runge–Kutta does not allow.
///
/// Reads the state and `qacc`; writes everything that depends on positions and velocities, `efc.force`,
/// `qfrc_constraint`, `qfrc_inverse`, and sensors.
#[doc(alias = "mj_inverse")]
pub fn inverse<P: Parts>(m: &Model, d: &mut Data, parts: &mut P) -> Result<(), StepError> {
    pipeline::check_runnable(m, d)?;
    inverse_skip(m, d, parts, Skip::Nothing, true)
}

/// As [`inverse`], running every stage there is, also for a model that needs stages this version does not have.
pub fn inverse_partial<P: Parts>(m: &Model, d: &mut Data, parts: &mut P) -> Result<(), StepError> {
    d.fits(m)?;
    inverse_skip(m, d, parts, Skip::Nothing, true)
}

/// Memory of inverse dynamics; holds nothing between steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scratch {
    qacc: Vec<f64>,
    product: Vec<f64>,
    applied: Vec<f64>,
    qfrc_constraint: Vec<f64>,
    efc_force: Vec<f64>,
    pub(crate) work: ForceWork,
}

/// Inverse dynamics of data that fits, skipping stages whose inputs did not change.
#[doc(alias = "mj_inverseSkip")]
pub(crate) fn inverse_skip<P: Parts>(
    m: &Model,
    d: &mut Data,
    parts: &mut P,
    skip: Skip,
    sensors: bool,
) -> Result<(), StepError> {
    let with_energy = m.opt.enabled(EnableFlags::ENERGY);
    if skip < Skip::Position {
        position(m, d, parts);
        if sensors {
            sensor::sensors(m, d, parts, Stage::Pos);
        }
        if with_energy && !d.lazy.energypos {
            energy::energy_pos(m, d);
        }
    }
    if skip < Skip::Velocity {
        pipeline::velocity(m, d, parts, sensors);
    }

    let mut scratch = std::mem::take(&mut d.scratch.inverse);
    let discrete = m.opt.enabled(EnableFlags::INVDISCRETE);
    let mut done = Ok(());
    if discrete {
        scratch.qacc.clone_from(&d.qacc);
        done = continuous_acceleration(m, d, parts, &mut scratch.product);
    }
    if done.is_ok() {
        constraint_forces(d, &mut scratch.work);
        if sensors {
            d.lazy.rnepost = false;
            sensor::sensors(m, d, parts, Stage::Acc);
        }
        let product = &mut scratch.product;
        product.resize(m.nv, 0.0);
        smooth::mul_m(m, d, &d.qacc, product);
        for dof in 0..m.nv {
            let inertial = d.qfrc_bias[dof] + product[dof];
            d.qfrc_inverse[dof] = inertial - d.qfrc_passive[dof] - d.qfrc_constraint[dof];
        }
    }
    if discrete {
        d.qacc.copy_from_slice(&scratch.qacc);
    }
    d.scratch.inverse = scratch;
    done
}

/// Compares the forces of the last forward pass with those of inverse dynamics, without changing them; nothing to
/// compare without constraints.
///
/// Writes `solver_fwdinv`, `qfrc_inverse`.
#[doc(alias = "mj_compareFwdInv")]
pub fn compare<P: Parts>(m: &Model, d: &mut Data, parts: &mut P) -> Result<(), StepError> {
    d.solver_fwdinv = [0.0; 2];
    if d.efc.nefc == 0 {
        return Ok(());
    }
    let mut scratch = std::mem::take(&mut d.scratch.inverse);
    scratch.applied.clear();
    scratch.applied.extend(d.qfrc_applied.iter().zip(&d.qfrc_actuator).map(|(a, b)| a + b));
    smooth::add_applied(m, d, &mut scratch.applied);
    scratch.qfrc_constraint.clone_from(&d.qfrc_constraint);
    scratch.efc_force.clone_from(&d.efc.force);
    d.scratch.inverse = scratch;

    let done = inverse_skip(m, d, parts, Skip::Velocity, false);
    let scratch = &d.scratch.inverse;
    d.solver_fwdinv =
        [distance(&scratch.qfrc_constraint, &d.qfrc_constraint), distance(&scratch.applied, &d.qfrc_inverse)];
    d.qfrc_constraint.copy_from_slice(&scratch.qfrc_constraint);
    d.efc.force.clone_from(&scratch.efc_force);
    done
}

/// What depends on positions; nothing wakes up or falls asleep, and there are no islands.
fn position<P: Parts>(m: &Model, d: &mut Data, parts: &P) {
    d.lazy.energypos = false;
    smooth::kinematics(m, d);
    smooth::com_pos(m, d);
    smooth::cam_light(m, d);
    smooth::tendon(m, d);
    smooth::crb(m, d);
    smooth::tendon_armature(m, d);
    smooth::factor_m(m, d);
    collision::collision(m, d, parts);
    constraint::make(m, d);
    d.island.clear();
    smooth::transmission(m, d);
}

/// Turns `qacc` from a difference of velocities over one step into the acceleration that causes it.
#[doc(alias = "mj_discreteAcc")]
fn continuous_acceleration<P: Parts>(
    m: &Model,
    d: &mut Data,
    parts: &P,
    force: &mut Vec<f64>,
) -> Result<(), StepError> {
    force.clear();
    force.resize(m.nv, 0.0);
    match m.opt.integrator {
        Integrator::Rk4 => {
            let what =
                "discrete inverse dynamics with the integrator RK4; choose another integrator, or no `invdiscrete`";
            return Err(StepError::Unsupported { what: what.to_owned() });
        }
        Integrator::Euler => {
            // the flag that disables dampers does not count here, as in MuJoCo
            if !m.opt.has(DisableFlags::EULERDAMP) || m.dof_damping.iter().all(|x| *x <= 0.0) {
                return Ok(());
            }
            smooth::mul_m(m, d, &d.qacc, force);
            for dof in 0..m.nv {
                force[dof] += m.opt.timestep * m.dof_damping[dof] * d.qacc[dof];
            }
        }
        Integrator::Implicit => {
            smooth_vel(m, d, parts, true);
            full_matrix(m, d);
            m.d_pattern().mul(&d.qLU, &d.qacc, force);
        }
        Integrator::ImplicitFast => {
            smooth_vel(m, d, parts, false);
            lower_matrix(m, d);
            m.m_pattern().mul(&d.qH, &d.qacc, force);
        }
        Integrator::ImplicitSpringDamper => {
            smooth::mul_m(m, d, &d.qacc, force);
            for dof in 0..m.nv {
                let (stiffness, matrix) = spring_damper(m, dof);
                force[dof] += matrix * d.qacc[dof] + m.opt.timestep * stiffness * d.qvel[dof];
            }
        }
    }
    smooth::solve_m(m, d, force);
    d.qacc.copy_from_slice(force);
    Ok(())
}

/// The forces of the constraints at `qacc`.
#[doc(alias = "mj_invConstraint")]
fn constraint_forces(d: &mut Data, work: &mut ForceWork) {
    if d.efc.nefc == 0 {
        d.qfrc_constraint.fill(0.0);
        return;
    }
    let (mut force, mut state) = (std::mem::take(&mut d.efc.force), std::mem::take(&mut d.efc.state));
    force.resize(d.efc.nefc, 0.0);
    state.resize(d.efc.nefc, 0);
    sim_constraint::forces(&d.efc.rows(), &d.qacc, &mut force, &mut state, &mut d.qfrc_constraint, work);
    (d.efc.force, d.efc.state) = (force, state);
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

impl Data {
    /// Computes the force that the accelerations in `qacc` need; see [`inverse`].
    ///
    /// ```
    /// # fn computed_torque(m: &sim_core::Model) -> Result<(), sim_core::StepError> {
    /// let mut d = m.make_data();
    /// d.qacc.fill(0.5); // the acceleration that is wanted
    /// d.inverse(m)?;
    /// let torque = d.qfrc_inverse.clone();
    /// d.qfrc_applied.copy_from_slice(&torque); // applied, it gives that acceleration
    /// # Ok(())
    /// # }
    /// # assert!(computed_torque(&sim_core::Model::default()).is_err(), "a model without a world");
    /// ```
    #[doc(alias = "mj_inverse")]
    pub fn inverse(&mut self, m: &Model) -> Result<(), StepError> {
        inverse(m, self, &mut Mujoco::default())
    }
}
