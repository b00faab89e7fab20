#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub use sim_core;
pub use sim_core::*;
#[cfg(not(target_arch = "wasm32"))]
pub use sim_mjcf::load_file;
pub use sim_mjcf::{self, LoadOptions, LoadReport, Loaded, MjcfError, Spec, load_model, load_with};
pub use sim_types::{self, Mat3, Quat, Vec3};
