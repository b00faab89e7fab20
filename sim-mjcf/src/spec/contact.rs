//! Contacts that are named one by one: pairs of geoms that collide, pairs of bodies that do not.

use crate::error::Location;
use sim_types::option::{SOLIMP_DEFAULT, SOLREF_DEFAULT};
use sim_types::{SolImp, SolRef};

record! {
    /// Two geoms that collide with parameters of their own (`mjsPair`). Nothing is taken over from the geoms.
    #[doc(alias = "mjsPair")]
    Pair {
        /// Name; empty if it has none.
        name: String = String::new(),
        /// Default class.
        class: usize = 0,
        /// Name of the first geom.
        geom1: String = String::new(),
        /// Name of the second geom.
        geom2: String = String::new(),
        /// Rows of the contact: 1, 3, 4 or 6.
        condim: i32 = 3,
        /// Friction: two tangential, torsional, two rolling.
        friction: [f64; 5] = [1.0, 1.0, 0.005, 0.0001, 0.0001],
        /// Solver reference of the normal direction.
        solref: SolRef = SOLREF_DEFAULT,
        /// Solver reference of the friction directions; zeros mean "as the normal direction".
        solreffriction: SolRef = [0.0; 2],
        /// Solver impedance.
        solimp: SolImp = SOLIMP_DEFAULT,
        /// Distance at which contacts are created.
        margin: f64 = 0.0,
        /// Distance by which contacts are kept out of the solver.
        gap: f64 = 0.0,
        /// Where it was written.
        at: Location = Location::default(),
    }
}

record! {
    /// Two bodies whose geoms never collide with each other (`mjsExclude`).
    #[doc(alias = "mjsExclude")]
    Exclude {
        /// Name; empty if it has none.
        name: String = String::new(),
        /// Name of the first body.
        body1: String = String::new(),
        /// Name of the second body.
        body2: String = String::new(),
        /// Where it was written.
        at: Location = Location::default(),
    }
}
