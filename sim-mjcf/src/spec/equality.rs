//! Equality constraints.

use crate::error::Location;
use sim_types::option::{SOLIMP_DEFAULT, SOLREF_DEFAULT};
use sim_types::{EqType, ObjType, SolImp, SolRef};

record! {
    /// An equality constraint (`mjsEquality`).
    #[doc(alias = "mjsEquality")]
    Equality {
        /// Name; empty if it has none.
        name: String = String::new(),
        /// Default class.
        class: usize = 0,
        /// Kind of constraint.
        r#type: EqType = EqType::Connect,
        /// For `connect` and `weld`: whether the objects are bodies or sites.
        objtype: ObjType = ObjType::Unknown,
        /// Name of the first object.
        name1: String = String::new(),
        /// Name of the second object; empty means the world, or a constant.
        name2: String = String::new(),
        /// Numbers of the constraint: anchor, relative pose and torque scale, or the coefficients of a polynomial.
        data: [f64; 11] = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
        /// Whether it is active after a reset.
        active: bool = true,
        /// Solver reference.
        solref: SolRef = SOLREF_DEFAULT,
        /// Solver impedance.
        solimp: SolImp = SOLIMP_DEFAULT,
        /// Where it was written.
        at: Location = Location::default(),
    }
}
