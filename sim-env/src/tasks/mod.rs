//! Ready-made tasks, with models written for them.

mod cart_pole;
mod humanoid;

pub use cart_pole::CartPole;
pub use humanoid::HumanoidRun;

use sim_core::Model;

/// Whether a model has so many positions, velocities and controls.
fn sizes(m: &Model, (nq, nv, nu): (usize, usize, usize)) -> Result<(), String> {
    if (m.nq, m.nv, m.nu) == (nq, nv, nu) {
        return Ok(());
    }
    Err(format!("nq = {nq}, nv = {nv}, nu = {nu}; this one has {}, {}, {}", m.nq, m.nv, m.nu))
}
