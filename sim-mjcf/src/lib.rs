//! MJCF in, Model out: the XML front end and the model compiler.

#![forbid(unsafe_code)]

pub mod compile;
mod error;
pub mod spec;

pub use error::{LoadReport, Location, MjcfError, MjcfErrorKind, Problem, Problems, Warning};
