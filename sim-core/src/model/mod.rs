//! The model: what is simulated, as plain data.

mod access;
mod assets;
mod check;
mod check_flex;
#[cfg(feature = "serde")]
mod file;
mod grid;
mod table;

pub use assets::Assets;
#[cfg(feature = "serde")]
pub use file::ModelFileError;
pub use table::Model;
