//! MuJoCo's physics in pure Rust: one dependency that re-exports the crates of the engine.
//!
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

#[cfg(not(target_arch = "wasm32"))]
pub use sim_mjcf::load_file;
pub use sim_mjcf::{LoadOptions, LoadReport, Loaded, MjcfError, load_model, load_with};

pub use sim_core::*;

/// The XML front end and the model compiler: specs, sources, problems with their places.
pub use sim_mjcf as mjcf;
/// Vectors, quaternions, 6-vectors, options, and MuJoCo's constants.
pub use sim_types as types;
