//! Bodies, their inertia, and frames.

use crate::error::Location;
use sim_types::{Quat, SleepPolicy, Vec3};

/// An orientation that is not given as a quaternion; angles are in the compiler's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "mjsOrientation")]
pub enum Orientation {
    /// Rotation axis and angle.
    AxisAngle([f64; 4]),
    /// The x axis, then any vector in the positive half of the xy plane.
    XyAxes([f64; 6]),
    /// The z axis; the rest is the smallest rotation that reaches it.
    ZAxis(Vec3),
    /// Three angles about the axes of [`super::Compiler::eulerseq`].
    Euler(Vec3),
}

record! {
    /// A body (`mjsBody`).
    #[doc(alias = "mjsBody")]
    Body {
        /// Name; empty if it has none.
        name: String = String::new(),
        /// Parent body; ignored for the world.
        parent: usize = 0,
        /// Frame of the parent body it stands in.
        frame: Option<usize> = None,
        /// Default class of the elements inside, unless they name one.
        childclass: Option<usize> = None,
        /// Position in the parent.
        pos: Vec3 = Vec3::zeros(),
        /// Orientation in the parent, used when `alt` is absent.
        quat: Quat = Quat::IDENTITY,
        /// Orientation in the parent, given another way; beats `quat`.
        alt: Option<Orientation> = None,
        /// Explicit mass and inertia; absent means from geoms.
        inertial: Option<Inertial> = None,
        /// Whether its pose is set by the user through the mocap arrays.
        mocap: bool = false,
        /// Share of its weight that is compensated; 1 is all of it.
        gravcomp: f64 = 0.0,
        /// Sleep policy of the tree that starts here.
        sleep: SleepPolicy = SleepPolicy::Auto,
        /// User numbers.
        user: Vec<f64> = Vec::new(),
        /// Whose compiler settings it is read with; see [`super::Spec::compiler_of`].
        origin: usize = 0,
        /// Where it was written.
        at: Location = Location::default(),
    }
}

record! {
    /// Explicit mass and inertia of a body (`inertial`).
    Inertial {
        /// Position of the inertial frame in the body.
        pos: Vec3 = Vec3::zeros(),
        /// Orientation of the inertial frame, used when `alt` is absent.
        quat: Quat = Quat::IDENTITY,
        /// Orientation of the inertial frame, given another way.
        alt: Option<Orientation> = None,
        /// Mass.
        mass: f64 = 0.0,
        /// Moments of inertia about the axes of the inertial frame.
        diaginertia: Vec3 = Vec3::zeros(),
        /// Full inertia: xx, yy, zz, xy, xz, yz. Excludes `diaginertia` and any orientation.
        fullinertia: Option<[f64; 6]> = None,
        /// Where it was written.
        at: Location = Location::default(),
    }
}

record! {
    /// A frame: a pose applied to everything that stands in it, gone after compilation (`mjsFrame`).
    #[doc(alias = "mjsFrame")]
    Frame {
        /// Name; empty if it has none.
        name: String = String::new(),
        /// Body it stands in.
        body: usize = 0,
        /// Enclosing frame of the same body; its index is smaller than that of this frame.
        frame: Option<usize> = None,
        /// Default class of the elements inside, unless they name one.
        childclass: Option<usize> = None,
        /// Position in the enclosing frame or body.
        pos: Vec3 = Vec3::zeros(),
        /// Orientation, used when `alt` is absent.
        quat: Quat = Quat::IDENTITY,
        /// Orientation, given another way; beats `quat`.
        alt: Option<Orientation> = None,
        /// Whose compiler settings it is read with; see [`super::Spec::compiler_of`].
        origin: usize = 0,
        /// Where it was written.
        at: Location = Location::default(),
    }
}
