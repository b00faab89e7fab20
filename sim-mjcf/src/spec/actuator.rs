//! Actuators.

use super::Limited;
use crate::error::Location;
use sim_types::{BiasType, DynType, GainType, TrnType};

/// How a delay buffer is read between two samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interp {
    /// The last sample holds.
    #[default]
    Zoh,
    /// A straight line.
    Linear,
    /// A cubic spline.
    Cubic,
}

record! {
    /// An actuator (`mjsActuator`). Shortcuts such as `motor` only fill in these fields.
    #[doc(alias = "mjsActuator")]
    Actuator {
        /// Name; empty if it has none.
        name: String = String::new(),
        /// Default class.
        class: usize = 0,
        /// Kind of object it acts on.
        trntype: TrnType = TrnType::Undefined,
        /// Name of that object.
        target: String = String::new(),
        /// Name of the slider's site, for slider-cranks.
        slidersite: String = String::new(),
        /// Name of the reference site, for sites; empty if there is none.
        refsite: String = String::new(),
        /// Length of the rod of a slider-crank.
        cranklength: f64 = 0.0,
        /// Scale of length and force.
        gear: [f64; 6] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        /// Reachable lengths; zeros mean "to be found".
        lengthrange: [f64; 2] = [0.0; 2],
        /// Activation dynamics.
        dyntype: DynType = DynType::None,
        /// Parameters of the dynamics.
        dynprm: [f64; 10] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        /// Number of activations; −1 means what the dynamics need.
        actdim: i32 = -1,
        /// Whether the force uses the next activation.
        actearly: bool = false,
        /// Gain.
        gaintype: GainType = GainType::Fixed,
        /// Parameters of the gain.
        gainprm: [f64; 10] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        /// Bias.
        biastype: BiasType = BiasType::None,
        /// Parameters of the bias.
        biasprm: [f64; 10] = [0.0; 10],
        /// Whether `ctrlrange` is enforced.
        ctrllimited: Limited = Limited::Auto,
        /// Range of the control.
        ctrlrange: [f64; 2] = [0.0; 2],
        /// Whether `forcerange` is enforced.
        forcelimited: Limited = Limited::Auto,
        /// Range of the force.
        forcerange: [f64; 2] = [0.0; 2],
        /// Whether `actrange` is enforced.
        actlimited: Limited = Limited::Auto,
        /// Range of the activation.
        actrange: [f64; 2] = [0.0; 2],
        /// For position servos: width of the control range relative to that of the target; 0 means "not taken over".
        inheritrange: f64 = 0.0,
        /// Samples in the delay buffer.
        nsample: i32 = 0,
        /// How the delay buffer is read.
        interp: Interp = Interp::Zoh,
        /// Delay of the control in seconds.
        delay: f64 = 0.0,
        /// Group for display and disabling.
        group: i32 = 0,
        /// User numbers.
        user: Vec<f64> = Vec::new(),
        /// Whose compiler settings it is read with; see [`super::Spec::compiler_of`].
        origin: usize = 0,
        /// Where it was written.
        at: Location = Location::default(),
    }
}
