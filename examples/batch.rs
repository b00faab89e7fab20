//! A thousand copies of a cart and pole, each pushed in another way, stepped together.
//!
//! `cargo run --release -p sim-physics --example batch`

#![allow(clippy::print_stdout, reason = "a program for people")]

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use sim_physics::{BatchSim, StateBits, StepStatus, load_model};

const MODEL: &str = r#"
<mujoco model="cart and pole">
  <option>
    <flag contact="disable"/>
  </option>
  <worldbody>
    <body name="cart">
      <joint name="slider" type="slide" axis="1 0 0" damping="0.5"/>
      <geom type="box" size="0.2 0.1 0.1" mass="1"/>
      <body name="pole">
        <joint name="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0  0 0 0.6" size="0.03" mass="0.2"/>
      </body>
    </body>
  </worldbody>
</mujoco>"#;

const ENVS: usize = 1000;
const STEPS: usize = 500;

fn main() -> Result<(), Box<dyn Error>> {
    let model = Arc::new(load_model(MODEL)?);
    let threads = std::thread::available_parallelism()?.get();
    let mut sim = BatchSim::builder(model).envs(ENVS).threads(threads).build()?;
    for env in 0..ENVS {
        if let Some(state) = sim.env_mut(env) {
            state.qfrc_applied[0] = env as f64 / ENVS as f64 - 0.5;
        }
    }

    // one row of state per environment, in memory that belongs to us
    let mut rows = vec![0.0; ENVS * sim.row_size(StateBits::PHYSICS)];
    let mut status = vec![StepStatus::Ok; ENVS];
    let start = Instant::now();
    for _ in 0..STEPS {
        sim.step_into(StateBits::PHYSICS, &mut rows, &mut status)?;
    }
    let seconds = start.elapsed().as_secs_f64();
    if let Some(env) = status.iter().position(|s| !s.is_ok()) {
        return Err(format!("cart {env}: {}", status[env]).into());
    }

    let row = sim.row_size(StateBits::PHYSICS);
    let carts = rows.chunks(row).map(|state| state[0]);
    let (left, right) = carts.fold((0.0_f64, 0.0_f64), |(lo, hi), x| (lo.min(x), hi.max(x)));
    println!("{ENVS} carts on {threads} threads: {:.0} steps per second", (ENVS * STEPS) as f64 / seconds);
    println!("memory per cart, its share of the threads' included: {} bytes", sim.bytes() / ENVS);
    println!("they ended between {left:.3} m and {right:.3} m");
    Ok(())
}
