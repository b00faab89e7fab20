//! A double pendulum swings for ten seconds; its energy stays nearly the same.
//!
//! `cargo run --release -p sim-physics --example pendulum`

#![allow(clippy::print_stdout, reason = "a program for people")]

use std::error::Error;

use sim_physics::load_model;

const MODEL: &str = r#"
<mujoco model="double pendulum">
  <option timestep="0.0005">
    <flag contact="disable" energy="enable"/>
  </option>
  <worldbody>
    <body name="upper" pos="0 0 2">
      <joint name="shoulder" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0  0.5 0 0" size="0.04"/>
      <body name="lower" pos="0.5 0 0">
        <joint name="elbow" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0  0.5 0 0" size="0.03"/>
      </body>
    </body>
  </worldbody>
</mujoco>"#;

fn main() -> Result<(), Box<dyn Error>> {
    let model = load_model(MODEL)?;
    let mut data = model.make_data();
    let lower = model.body_id("lower").ok_or("no body 'lower'")?.0;

    println!("{:>6} {:>10} {:>10} {:>12}", "time", "shoulder", "elbow", "energy");
    for second in 1..=10 {
        while data.time < f64::from(second) {
            data.step(&model)?;
        }
        let energy = data.energy[0] + data.energy[1];
        println!("{:>6.2} {:>10.4} {:>10.4} {:>12.6}", data.time, data.qpos[0], data.qpos[1], energy);
    }
    println!("the lower arm ends at {:.3?}", data.xpos[lower].as_slice());
    Ok(())
}
