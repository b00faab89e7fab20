//! Keyframes and custom data.

use crate::error::Location;
use sim_types::ObjType;

record! {
    /// A keyframe: a state to reset to (`mjsKey`). An absent vector means the initial state.
    #[doc(alias = "mjsKey")]
    Key {
        /// Name; empty if it has none.
        name: String = String::new(),
        /// Time.
        time: f64 = 0.0,
        /// Positions.
        qpos: Vec<f64> = Vec::new(),
        /// Velocities.
        qvel: Vec<f64> = Vec::new(),
        /// Actuator activations.
        act: Vec<f64> = Vec::new(),
        /// Positions of mocap bodies.
        mpos: Vec<f64> = Vec::new(),
        /// Orientations of mocap bodies.
        mquat: Vec<f64> = Vec::new(),
        /// Controls.
        ctrl: Vec<f64> = Vec::new(),
        /// Where it was written.
        at: Location = Location::default(),
    }
}

record! {
    /// A named array of numbers (`mjsNumeric`).
    #[doc(alias = "mjsNumeric")]
    Numeric {
        /// Name.
        name: String = String::new(),
        /// Length; absent means as long as `data`.
        size: Option<i32> = None,
        /// First numbers; the rest is zero.
        data: Vec<f64> = Vec::new(),
        /// Where it was written.
        at: Location = Location::default(),
    }
}

record! {
    /// A named text (`mjsText`).
    #[doc(alias = "mjsText")]
    Text {
        /// Name.
        name: String = String::new(),
        /// The text.
        data: String = String::new(),
        /// Where it was written.
        at: Location = Location::default(),
    }
}

record! {
    /// A named list of objects (`mjsTuple`).
    #[doc(alias = "mjsTuple")]
    Tuple {
        /// Name.
        name: String = String::new(),
        /// The objects.
        elements: Vec<TupleElement> = Vec::new(),
        /// Where it was written.
        at: Location = Location::default(),
    }
}

record! {
    /// One object of a tuple.
    TupleElement {
        /// Kind of object.
        objtype: ObjType = ObjType::Unknown,
        /// Name of the object.
        objname: String = String::new(),
        /// A number that goes with it.
        prm: f64 = 0.0,
        /// Where it was written.
        at: Location = Location::default(),
    }
}
