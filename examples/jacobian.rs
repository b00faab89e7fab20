//! Moves the tip of an arm to a point with the Jacobian, one damped least-squares step at a time.
//!
//! `cargo run --release -p sim-physics --example jacobian`

#![allow(clippy::print_stdout, reason = "a program for people")]

use std::error::Error;

use sim_physics::{Mat3, Vec3, integrate, jacobian, load_model};

const MODEL: &str = r#"
<mujoco model="arm">
  <option>
    <flag contact="disable"/>
  </option>
  <worldbody>
    <body>
      <joint axis="0 0 1"/>
      <joint axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0  0.4 0 0" size="0.04"/>
      <body pos="0.4 0 0">
        <joint axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0  0.4 0 0" size="0.03"/>
        <site name="tip" pos="0.4 0 0"/>
      </body>
    </body>
  </worldbody>
</mujoco>"#;

fn main() -> Result<(), Box<dyn Error>> {
    let model = load_model(MODEL)?;
    let mut data = model.make_data();
    let tip = model.site_id("tip").ok_or("no site 'tip'")?.0;
    let goal = Vec3::new(0.3, 0.4, 0.2);

    // away from the stretched pose, where the tip cannot move inwards
    data.qpos.copy_from_slice(&[0.1, -0.5, 0.9]);
    let mut jacp = vec![0.0; 3 * model.nv];
    let mut dq = vec![0.0; model.nv];
    for iteration in 0..50 {
        data.forward(&model)?;
        let error = goal - data.site_xpos[tip];
        if error.norm() < 1e-9 {
            println!("reached {:?} after {iteration} iterations", data.site_xpos[tip].as_slice());
            return Ok(());
        }

        // dq = Jᵀ (J Jᵀ + damping)⁻¹ error
        jacobian::jac_site(&model, &data, &mut jacp, &mut [], tip);
        let column = |dof: usize| Vec3::new(jacp[dof], jacp[model.nv + dof], jacp[2 * model.nv + dof]);
        let columns = (0..model.nv).map(column);
        let gram = columns.clone().fold(Mat3::identity() * 1e-6, |sum, c| sum + c * c.transpose());
        let pull = gram.try_inverse().ok_or("the Jacobian is singular")? * error;
        for (dq, c) in dq.iter_mut().zip(columns) {
            *dq = c.dot(&pull);
        }
        integrate::integrate_pos(&model, &mut data.qpos, &dq, 1.0);
    }
    Err("did not get there".into())
}
