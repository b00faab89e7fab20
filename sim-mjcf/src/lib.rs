//! MJCF in, Model out: the XML front end and the model compiler.

#![forbid(unsafe_code)]

mod attr;
mod defaults;
mod error;
mod include;
mod keywords;
mod number;
mod parse;
mod schema;
mod source;
pub mod spec;
mod xml;

pub use error::{LoadReport, Location, MjcfError, MjcfErrorKind, Problem, Problems, Warning};
#[cfg(not(target_arch = "wasm32"))]
pub use source::Files;
pub use source::{Memory, Source};
