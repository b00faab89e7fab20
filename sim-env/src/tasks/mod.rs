//! Ready-made tasks, with models written for them.

mod cart_pole;
mod humanoid;

pub use cart_pole::CartPole;
pub use humanoid::HumanoidRun;
