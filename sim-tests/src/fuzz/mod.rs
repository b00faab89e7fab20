//! Mutants of our own models: bad numbers, elements in the wrong place, broken files.
//!
//! - [`Seeds`]: the models and the files they read
//! - [`mutant`]: the case with a number; the same for the same seed, whoever makes it
//! - [`run`]: loads a case and steps it; says what happened, or what must not happen
//! - [`extreme`]: steps a model as it is from extreme states with extreme controls
//! - [`Case`]: the files of one case, kept as one file to reproduce a failure
//!
//! The program `fuzz` runs cases in processes of their own, because a stack overflow, an exhausted memory or an endless
//! loop cannot be caught from inside.

mod bytes;
mod case;
mod extremes;
mod mutate;
mod run;
mod seeds;
mod snippets;
mod tree;
mod values;

pub use case::Case;
pub use extremes::{EXTREMES, extreme, extreme_model};
pub use mutate::mutant;
pub use run::{MEMORY, Outcome, run};
pub use seeds::Seeds;
pub use tree::Element;

#[cfg(test)]
mod tests;
