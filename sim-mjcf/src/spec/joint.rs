//! Joints.

use crate::error::Location;
use sim_types::option::{SOLIMP_DEFAULT, SOLREF_DEFAULT};
use sim_types::{JointType, SolImp, SolRef, Vec3};

/// Whether a range is enforced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "mjtLimited")]
pub enum Limited {
    /// It is not.
    False,
    /// It is.
    True,
    /// It is if a range is given, provided the compiler's `autolimits` is on.
    #[default]
    Auto,
}

/// Whether the frame of a free body is moved to its inertial frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "mjtAlignFree")]
pub enum AlignFree {
    /// It is not.
    False,
    /// It is.
    True,
    /// As the compiler's `alignfree` says.
    #[default]
    Auto,
}

record! {
    /// A joint (`mjsJoint`).
    #[doc(alias = "mjsJoint")]
    Joint {
        /// Name; empty if it has none.
        name: String = String::new(),
        /// Body it moves.
        body: usize = 0,
        /// Frame of that body it stands in.
        frame: Option<usize> = None,
        /// Default class.
        class: usize = 0,
        /// Kind of motion.
        r#type: JointType = JointType::Hinge,
        /// Anchor in the body.
        pos: Vec3 = Vec3::zeros(),
        /// Axis in the body; need not have length 1.
        axis: Vec3 = Vec3::z(),
        /// Value at the pose the model is written in; an angle for hinges.
        r#ref: f64 = 0.0,
        /// For free joints: whether to move the body frame to the inertial frame.
        align: AlignFree = AlignFree::Auto,
        /// Spring stiffness.
        stiffness: f64 = 0.0,
        /// Value at which the spring is at rest; an angle for hinges.
        springref: f64 = 0.0,
        /// Time constant and damping ratio from which stiffness and damping are computed; zeros mean "not given".
        springdamper: [f64; 2] = [0.0; 2],
        /// Whether `range` is enforced.
        limited: Limited = Limited::Auto,
        /// Limits; angles for hinges and balls.
        range: [f64; 2] = [0.0; 2],
        /// Distance at which a limit becomes active.
        margin: f64 = 0.0,
        /// Solver reference of the limit.
        solref_limit: SolRef = SOLREF_DEFAULT,
        /// Solver impedance of the limit.
        solimp_limit: SolImp = SOLIMP_DEFAULT,
        /// Whether `actfrcrange` is enforced.
        actfrclimited: Limited = Limited::Auto,
        /// Limits of the total actuator force on the joint.
        actfrcrange: [f64; 2] = [0.0; 2],
        /// Rotor inertia added to the diagonal of M.
        armature: f64 = 0.0,
        /// Damping.
        damping: f64 = 0.0,
        /// Dry friction.
        frictionloss: f64 = 0.0,
        /// Solver reference of dry friction.
        solref_friction: SolRef = SOLREF_DEFAULT,
        /// Solver impedance of dry friction.
        solimp_friction: SolImp = SOLIMP_DEFAULT,
        /// Visibility group.
        group: i32 = 0,
        /// Whether gravity compensation counts as actuator force.
        actgravcomp: bool = false,
        /// User numbers.
        user: Vec<f64> = Vec::new(),
        /// Whether it is written as `<freejoint>`, which takes no defaults; short keyframes take it for a hinge.
        freejoint: bool = false,
        /// Whose compiler settings it is read with; see [`super::Spec::compiler_of`].
        origin: usize = 0,
        /// Where it was written.
        at: Location = Location::default(),
    }
}
