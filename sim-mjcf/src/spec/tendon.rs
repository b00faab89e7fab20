//! Tendons and the paths they take.

use super::Limited;
use crate::error::Location;
use sim_types::option::{SOLIMP_DEFAULT, SOLREF_DEFAULT};
use sim_types::{SolImp, SolRef};

record! {
    /// A tendon (`mjsTendon`): a weighted sum of joints, or a string through sites and around geoms.
    #[doc(alias = "mjsTendon")]
    Tendon {
        /// Name; empty if it has none.
        name: String = String::new(),
        /// Default class.
        class: usize = 0,
        /// What it goes through, in order. A path that starts with a joint is fixed, any other is spatial.
        path: Vec<Wrap> = Vec::new(),
        /// Whether `range` is enforced.
        limited: Limited = Limited::Auto,
        /// Limits of the length.
        range: [f64; 2] = [0.0; 2],
        /// Distance at which a limit becomes active.
        margin: f64 = 0.0,
        /// Solver reference of the limit.
        solref_limit: SolRef = SOLREF_DEFAULT,
        /// Solver impedance of the limit.
        solimp_limit: SolImp = SOLIMP_DEFAULT,
        /// Whether `actfrcrange` is enforced; unlike that of joints it is off unless asked for.
        actfrclimited: Limited = Limited::False,
        /// Limits of the total actuator force on the tendon.
        actfrcrange: [f64; 2] = [0.0; 2],
        /// Spring stiffness.
        stiffness: f64 = 0.0,
        /// Lengths between which the spring is slack; −1 −1 means the length where joint springs rest.
        springlength: [f64; 2] = [-1.0; 2],
        /// Damping.
        damping: f64 = 0.0,
        /// Inertia along the tendon.
        armature: f64 = 0.0,
        /// Dry friction.
        frictionloss: f64 = 0.0,
        /// Solver reference of dry friction.
        solref_friction: SolRef = SOLREF_DEFAULT,
        /// Solver impedance of dry friction.
        solimp_friction: SolImp = SOLIMP_DEFAULT,
        /// Visibility group.
        group: i32 = 0,
        /// Width for display.
        width: f64 = 0.003,
        /// Name of the material.
        material: String = String::new(),
        /// Colour.
        rgba: [f32; 4] = [0.5, 0.5, 0.5, 1.0],
        /// User numbers.
        user: Vec<f64> = Vec::new(),
        /// Whose compiler settings it is read with; see [`super::Spec::compiler_of`].
        origin: usize = 0,
        /// Where it was written.
        at: Location = Location::default(),
    }
}

record! {
    /// One object on the path of a tendon (`mjsWrap`).
    #[doc(alias = "mjsWrap")]
    Wrap {
        /// The object.
        object: PathObject = PathObject::Pulley { divisor: 1.0 },
        /// Where it was written.
        at: Location = Location::default(),
    }
}

/// What a tendon goes through.
#[derive(Clone, Debug, PartialEq)]
pub enum PathObject {
    /// A joint of a fixed tendon.
    Joint {
        /// Name of the joint.
        joint: String,
        /// Weight of its position.
        coef: f64,
    },
    /// A site that the string passes through.
    Site {
        /// Name of the site.
        site: String,
    },
    /// A sphere or cylinder that the string wraps around.
    Geom {
        /// Name of the geom.
        geom: String,
        /// Name of the site that shows on which side to pass; empty if there is none.
        sidesite: String,
    },
    /// The start of a branch whose length counts only in part.
    Pulley {
        /// What the length of the branch is divided by.
        divisor: f64,
    },
}
