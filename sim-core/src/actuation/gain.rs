//! What multiplies control or activation.

use sim_types::GainType;

use super::muscle;
use crate::model::Model;

/// What an actuator knows when its force is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ActuatorInput {
    /// Length.
    pub length: f64,
    /// Velocity.
    pub velocity: f64,
    /// Activation; the control for actuators without one.
    pub act: f64,
    /// Control after delay and clamping.
    pub ctrl: f64,
    /// Timestep.
    pub timestep: f64,
}

/// The gain of actuators. The force of an actuator is `gain·act + bias`.
pub trait ActuatorGainModel {
    /// The gain of one actuator.
    fn gain(&self, m: &Model, actuator: usize, input: &ActuatorInput) -> f64;

    /// Its derivative by velocity, for implicit integration.
    fn dgain_dvel(&self, m: &Model, actuator: usize, input: &ActuatorInput) -> f64;

    /// Force that does not depend on the activation, beside the bias that the actuator's `biastype` gives.
    #[inline]
    fn offset(&self, _m: &Model, _actuator: usize, _input: &ActuatorInput) -> f64 {
        0.0
    }

    /// Its derivative by velocity.
    #[inline]
    fn doffset_dvel(&self, _m: &Model, _actuator: usize, _input: &ActuatorInput) -> f64 {
        0.0
    }
}

/// MuJoCo's gains, by `actuator_gaintype`. User gains are 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DefaultGain;

impl ActuatorGainModel for DefaultGain {
    #[inline]
    fn gain(&self, m: &Model, actuator: usize, input: &ActuatorInput) -> f64 {
        let prm = &m.actuator_gainprm[actuator];
        match m.actuator_gaintype[actuator] {
            GainType::Fixed => prm[0],
            GainType::Affine => prm[0] + prm[1] * input.length + prm[2] * input.velocity,
            GainType::Muscle => muscle::Curve::new(m, actuator, prm).gain(input.length, input.velocity),
            GainType::User => 1.0,
        }
    }

    #[inline]
    fn dgain_dvel(&self, m: &Model, actuator: usize, input: &ActuatorInput) -> f64 {
        let prm = &m.actuator_gainprm[actuator];
        match m.actuator_gaintype[actuator] {
            GainType::Fixed | GainType::User => 0.0,
            GainType::Affine => prm[2],
            GainType::Muscle => muscle::Curve::new(m, actuator, prm).gain_slope(input.length, input.velocity),
        }
    }
}

/// A motor behind a spring, for actuators with `gaintype="user"`; the others keep MuJoCo's gain.
///
/// The motor is at `act·gear_ratio`, where `act` is the control of an actuator without activation. The spring and damper
/// between motor and joint transmit the force `stiffness·(motor − length) − damping·velocity`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeriesElasticGain {
    /// Stiffness of the spring.
    pub stiffness: f64,
    /// Damping beside it.
    pub damping: f64,
    /// Motor position per control.
    pub gear_ratio: f64,
}

impl ActuatorGainModel for SeriesElasticGain {
    fn gain(&self, m: &Model, actuator: usize, input: &ActuatorInput) -> f64 {
        match m.actuator_gaintype[actuator] {
            GainType::User => self.stiffness * self.gear_ratio,
            _ => DefaultGain.gain(m, actuator, input),
        }
    }

    fn dgain_dvel(&self, m: &Model, actuator: usize, input: &ActuatorInput) -> f64 {
        DefaultGain.dgain_dvel(m, actuator, input)
    }

    fn offset(&self, m: &Model, actuator: usize, input: &ActuatorInput) -> f64 {
        match m.actuator_gaintype[actuator] {
            GainType::User => -self.stiffness * input.length - self.damping * input.velocity,
            _ => 0.0,
        }
    }

    fn doffset_dvel(&self, m: &Model, actuator: usize, _input: &ActuatorInput) -> f64 {
        if m.actuator_gaintype[actuator] == GainType::User { -self.damping } else { 0.0 }
    }
}
