//! MJCF in, Model out: the XML front end and the model compiler.

#![forbid(unsafe_code)]

mod error;

pub use error::{LoadReport, Location, MjcfError, MjcfErrorKind, Problem, Problems, Warning};
