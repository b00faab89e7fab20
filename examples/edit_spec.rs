//! Builds a walker from one leg, steps it, takes a leg off, and goes on from the same state.
//!
//! `cargo run --release -p sim-physics --example edit_spec`

#![allow(clippy::print_stdout, reason = "a program for people")]

use std::error::Error;

use sim_physics::sim_mjcf::spec::{Frame, Geom, Joint, Part, Place};
use sim_physics::sim_mjcf::{LoadOptions, Memory};
use sim_physics::sim_types::JointType;
use sim_physics::{Spec, Vec3};

const LEG: &str = r#"
<mujoco model="leg">
  <worldbody>
    <body name="thigh">
      <joint name="hip" axis="0 1 0" damping="0.1"/>
      <geom type="capsule" fromto="0 0 0  0 0 -0.2" size="0.02"/>
      <body name="shin" pos="0 0 -0.2">
        <joint name="knee" axis="0 1 0" damping="0.1"/>
        <geom type="capsule" fromto="0 0 0  0 0 -0.2" size="0.015"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="hip" joint="hip" kp="5"/>
  </actuator>
</mujoco>"#;

fn main() -> Result<(), Box<dyn Error>> {
    let (leg, _) = Spec::parse(LEG)?;
    let thigh = leg.find_body("thigh").ok_or("no body 'thigh'")?;

    // a rail with a trunk that slides on it, and four legs in frames of their own
    let mut spec = Spec::new();
    spec.option.disableflags |= sim_types::DisableFlags::CONSTRAINT;
    let trunk = spec.add_body(Spec::WORLD, "trunk");
    spec.joints.push(Joint { body: trunk, r#type: JointType::Slide, axis: Vec3::x(), ..Joint::default() });
    spec.geoms.push(Geom { body: trunk, size: [0.1, 0.0, 0.0], ..Geom::default() });
    for (i, (x, y)) in [(0.2, 0.1), (0.2, -0.1), (-0.2, 0.1), (-0.2, -0.1)].into_iter().enumerate() {
        spec.frames.push(Frame { body: trunk, pos: Vec3::new(x, y, 0.0), ..Frame::default() });
        let place = Place { body: trunk, frame: Some(i) };
        spec.attach(place, &leg, Part::Body(thigh), &format!("leg{i}_"), "")?;
    }
    let model = spec.compile()?;
    let mut data = model.make_data();
    data.ctrl.fill(0.4);
    while data.time < 0.5 {
        data.step(&model)?;
    }
    println!("{} bodies, {} actuators, trunk at {:.4}", model.nbody, model.nu, data.qpos[0]);

    // without the third leg, from where it is
    spec.delete_body(spec.find_body("leg2_thigh").ok_or("no third leg")?)?;
    let (model, mut data) = spec.recompile((&model, &data), &Memory::new(), LoadOptions::default())?;
    while data.time < 1.0 {
        data.step(&model)?;
    }
    println!("{} bodies, {} actuators, trunk at {:.4}", model.nbody, model.nu, data.qpos[0]);
    Ok(())
}
