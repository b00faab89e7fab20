//! Tendon paths in, length and gradient out.
//!
//! A spatial tendon is a string pulled tight over sites and wrapping bodies. [`wrap`] answers one question: between two
//! points and one body, where does the string touch, and how long is it there? [`Spring`] is the spring of a tendon,
//! slack between two lengths. How a path is walked and how its gradient falls on the dofs needs the kinematic tree and
//! lives in `sim_core::smooth`.

#![forbid(unsafe_code)]

mod circle;
mod spring;
mod wrap;

pub use spring::Spring;
pub use wrap::{Obstacle, Wrap, wrap};
