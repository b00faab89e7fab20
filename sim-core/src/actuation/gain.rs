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
/// The motor turns to `ctrl·gear_ratio` at once; the spring and damper between motor and joint transmit the force
/// `stiffness·(motor − length) − damping·velocity`. It is expressed as a gain on the activation, so it needs a control
/// that is not zero.
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
        if m.actuator_gaintype[actuator] != GainType::User {
            return DefaultGain.gain(m, actuator, input);
        }
        let stretch = input.ctrl * self.gear_ratio - input.length;
        over(self.stiffness * stretch - self.damping * input.velocity, input.act)
    }

    fn dgain_dvel(&self, m: &Model, actuator: usize, input: &ActuatorInput) -> f64 {
        if m.actuator_gaintype[actuator] != GainType::User {
            return DefaultGain.dgain_dvel(m, actuator, input);
        }
        over(-self.damping, input.act)
    }
}

/// `force / act`, zero where there is nothing to multiply.
fn over(force: f64, act: f64) -> f64 {
    if act == 0.0 { 0.0 } else { force / act }
}
