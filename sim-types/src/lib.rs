//! Types and arithmetic shared by every crate of the engine.
//!
//! - [`math`]: vectors, matrices, [`Quat`], elementary functions with the same bits on every target
//! - [`spatial`]: 6-vectors ([`Motion`], [`Force`]) and [`Inertia`]
//! - [`lane`]: the same arithmetic for one environment and for four at once
//! - [`linalg`]: dense Cholesky, tree-sparse `LᵀDL`
//! - [`enums`], [`flags`], [`option`]: MuJoCo's constants by their numbers
//! - [`contact`]: one contact point
//! - [`ids`]: what name lookups return
//!
//! Conventions: quaternions are (w, x, y, z); 6-vectors have rotation first; units are those of the model, angles in
//! radians. `Mat3` is nalgebra's column-major matrix; flat exports are row-major, as in MuJoCo.

#![forbid(unsafe_code)]

pub mod cast;
pub mod contact;
pub mod enums;
pub mod flags;
pub mod ids;
pub mod item;
pub mod lane;
pub mod linalg;
pub mod math;
pub mod option;
pub mod spatial;
pub mod visual;

pub use contact::Contact;
pub use enums::*;
pub use flags::{DisableFlags, EnableFlags};
pub use ids::*;
pub use item::Item;
pub use lane::Lane;
pub use math::{Mat3, Quat, Vec3};
pub use option::{Options, SolImp, SolRef, Statistic};
pub use spatial::{Force, Inertia, Motion};
pub use visual::Visual;

/// Numbers below this are treated as zero by the engine (`mjMINVAL`).
pub const MINVAL: f64 = 1e-15;
/// Largest magnitude accepted in positions, velocities and accelerations (`mjMAXVAL`).
pub const MAXVAL: f64 = 1e10;
