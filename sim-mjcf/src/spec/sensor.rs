//! Sensors.

use super::Interp;
use crate::error::Location;
use sim_types::{DataType, ObjType, SensorType, Stage};

record! {
    /// A sensor (`mjsSensor`).
    #[doc(alias = "mjsSensor")]
    Sensor {
        /// Name; empty if it has none.
        name: String = String::new(),
        /// What it measures.
        r#type: SensorType = SensorType::Touch,
        /// Kind of the object it looks at.
        objtype: ObjType = ObjType::Unknown,
        /// Name of that object.
        objname: String = String::new(),
        /// Kind of the reference object.
        reftype: ObjType = ObjType::Unknown,
        /// Name of the reference object.
        refname: String = String::new(),
        /// Rangefinder: what each ray delivers, as bits. Contact: what each contact delivers, how contacts are chosen,
        /// how many.
        intprm: [i32; 3] = [0; 3],
        /// For user sensors: how many numbers.
        dim: i32 = 0,
        /// For user sensors: what its numbers are.
        datatype: DataType = DataType::Real,
        /// For user sensors: the stage after which it can be computed.
        needstage: Stage = Stage::Acc,
        /// Limit on the output; 0 means none.
        cutoff: f64 = 0.0,
        /// Standard deviation of the noise, not applied.
        noise: f64 = 0.0,
        /// Samples in the delay buffer.
        nsample: i32 = 0,
        /// How the delay buffer is read.
        interp: Interp = Interp::Zoh,
        /// Delay in seconds.
        delay: f64 = 0.0,
        /// Period and phase in seconds.
        interval: [f64; 2] = [0.0; 2],
        /// User numbers.
        user: Vec<f64> = Vec::new(),
        /// Where it was written.
        at: Location = Location::default(),
    }
}
