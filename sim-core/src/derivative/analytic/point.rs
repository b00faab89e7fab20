//! The equations of a step at a state that was moved, with the accelerations as they were.

use sim_types::{DisableFlags, EnableFlags, GainType, Stage, TrnType};

use super::AnalyticWork;
use crate::data::Data;
use crate::model::Model;
use crate::pipeline::{self, Parts, Skip};
use crate::{actuation, collision, constraint, energy, sensor, smooth};

/// Steps of Newton's method, with the Hessian of the solution, from a moved state to its acceleration. Each gains the
/// digits of the move; stiff contacts multiply what is left by a million.
const REFINEMENTS: usize = 3;

/// Both residuals, the activations after the step, and the sensors.
#[derive(Clone, Debug, Default)]
pub(super) struct Residual {
    /// `r₁`.
    pub(super) force: Vec<f64>,
    /// `r₂`.
    pub(super) step: Vec<f64>,
    pub(super) act: Vec<f64>,
    pub(super) sensor: Vec<f64>,
}

impl AnalyticWork {
    /// Computes the residuals of the state in the data; `skip` says what did not move. False when a constraint that
    /// presses is gone: its force is missing then.
    pub(super) fn evaluate<P: Parts>(
        &mut self,
        m: &Model,
        d: &mut Data,
        parts: &P,
        skip: Skip,
        out: &mut Residual,
    ) -> bool {
        let mut complete = true;
        if skip < Skip::Position {
            // contacts that did not press are not looked for, unless something else asks for them
            let contacts = self.sensors || self.active.contacts_press() || m.actuator_trntype.contains(&TrnType::Body);
            position(m, d, parts, (self.sensors, contacts));
            complete = self.active.find(d);
        }
        if skip < Skip::Velocity {
            pipeline::velocity(m, d, parts, self.sensors);
        }
        actuation::actuation(m, d, parts);
        self.active.forces(d, &self.qacc);
        self.residual(m, d, parts, skip, out);
        if self.sensors {
            self.read_sensors(m, d, parts, out);
        }
        complete
    }

    /// As [`evaluate`](Self::evaluate) after it, with the constraint force of the solution.
    pub(super) fn evaluate_held<P: Parts>(&mut self, m: &Model, d: &mut Data, parts: &P, out: &mut Residual) {
        d.qfrc_constraint.copy_from_slice(&self.qfrc_constraint);
        self.residual(m, d, parts, Skip::Nothing, out);
    }

    fn residual<P: Parts>(&mut self, m: &Model, d: &mut Data, parts: &P, skip: Skip, out: &mut Residual) {
        out.force.resize(m.nv, 0.0);
        smooth::mul_m(m, d, &self.qacc, &mut out.force);
        self.product.clear();
        self.product.resize(m.nv, 0.0);
        smooth::add_applied(m, d, &mut self.product);
        for dof in 0..m.nv {
            let smooth = d.qfrc_passive[dof] - d.qfrc_bias[dof] + d.qfrc_actuator[dof] + self.product[dof];
            out.force[dof] -= smooth + d.qfrc_constraint[dof];
        }
        if skip == Skip::Velocity && !self.nominal.step.is_empty() && !slopes_follow_control(m) {
            out.step.clone_from(&self.nominal.step);
        } else {
            out.step.resize(m.nv, 0.0);
            self.system.residual(m, d, parts, (&self.qacc, &self.step), &mut out.step);
        }
        next_activations(m, d, &mut out.act);
    }

    /// Sensors, with the acceleration that follows from the residual.
    fn read_sensors<P: Parts>(&mut self, m: &Model, d: &mut Data, parts: &P, out: &mut Residual) {
        let mut qacc = std::mem::take(&mut d.qacc);
        qacc.clone_from(&self.qacc);
        // Newton's method from the solution; the first call is the solution itself
        let solved = self.nominal.force.is_empty();
        self.refined.clone_from(&out.force);
        for _ in 0..if solved { 0 } else { REFINEMENTS } {
            self.product.clear();
            self.product.extend(self.refined.iter().zip(&self.nominal.force).map(|(x, nominal)| x - nominal));
            self.system.solve_constraints(&mut self.product);
            for (a, change) in qacc.iter_mut().zip(&self.product) {
                *a -= change;
            }
            // what the change of acceleration does to the residual
            self.direction.resize(m.nv, 0.0);
            smooth::mul_m(m, d, &self.product, &mut self.direction);
            for dof in 0..m.nv {
                self.refined[dof] += d.qfrc_constraint[dof] - self.direction[dof];
            }
            self.active.forces(d, &qacc);
            for (x, force) in self.refined.iter_mut().zip(&d.qfrc_constraint) {
                *x -= force;
            }
        }
        d.qacc = qacc;
        d.lazy.rnepost = false;
        sensor::sensors(m, d, parts, Stage::Acc);
        out.sensor.clone_from(&d.sensordata);
    }
}

/// What depends on positions and is needed here: no factor, no islands, nothing wakes up.
fn position<P: Parts>(m: &Model, d: &mut Data, parts: &P, (sensors, contacts): (bool, bool)) {
    d.lazy.energypos = false;
    smooth::kinematics(m, d);
    smooth::com_pos(m, d);
    if sensors {
        smooth::cam_light(m, d);
    }
    smooth::tendon(m, d);
    smooth::crb(m, d);
    smooth::tendon_armature(m, d);
    if contacts {
        collision::collision(m, d, parts);
    } else {
        d.contact.clear();
    }
    constraint::make(m, d);
    smooth::transmission(m, d);
    if sensors {
        sensor::sensors(m, d, parts, Stage::Pos);
        if m.opt.enabled(EnableFlags::ENERGY) && !d.lazy.energypos {
            energy::energy_pos(m, d);
        }
    }
}

/// True when the derivative of actuator forces by velocity depends on control or activation.
fn slopes_follow_control(m: &Model) -> bool {
    m.actuator_gaintype.iter().any(|gain| *gain != GainType::Fixed)
}

fn next_activations(m: &Model, d: &Data, out: &mut Vec<f64>) {
    out.clone_from(&d.act);
    if !m.opt.has(DisableFlags::ACTUATION) {
        return;
    }
    for actuator in 0..m.nu {
        if let Some(slots) = m.actuator_acts(actuator) {
            let frozen = actuation::is_disabled(m, actuator);
            for act in slots {
                let rate = if frozen { 0.0 } else { d.act_dot[act] };
                out[act] = actuation::next_activation(m, d, actuator, act, rate);
            }
        }
    }
}
