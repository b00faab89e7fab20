//! Tasks for reinforcement learning.

#![forbid(unsafe_code)]

mod env;
mod error;
pub mod policy;
mod rng;
pub mod search;
mod slot;
mod space;
pub mod tasks;
mod vec_env;

pub use env::{Done, Env};
pub use error::EnvError;
pub use rng::Rng;
pub use slot::Episode;
pub use space::Space;
pub use vec_env::{Settings, VecEnv};
