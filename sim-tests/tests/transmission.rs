//! Moments of every kind of transmission against difference quotients of the actuator's length; actuators of the user.

use sim_core::actuation::{ActuatorGainModel, ActuatorInput};
use sim_core::constraint::MujocoSolver;
use sim_core::integrate::integrate_pos;
use sim_core::pipeline::{self, Hooks, Skip};
use sim_core::{Data, Kit, Model};
use sim_mjcf::load_model;
use sim_tests::fd::central;
use sim_tests::{Tol, assert_close, engine};

/// Hinges, a slide, a ball and a free body, with sites for everything that can pull on them.
fn machine(actuator: &str) -> Model {
    load_model(&format!(
        "<mujoco><option><flag contact='disable'/></option><worldbody>
           <site name='fixed' pos='.3 .2 .4' euler='10 20 30'/>
           <body name='a' pos='0 0 1'>
             <joint name='hinge' axis='1 2 3'/><geom name='drum' type='cylinder' size='.1 .3'/>
             <site name='hook' pos='.4 0 .1'/><site name='rail' pos='0 .1 0' euler='0 90 0'/>
             <body name='b' pos='.5 .1 0'>
               <joint name='slide' type='slide' axis='0 1 1'/><joint name='knee' axis='0 1 0' pos='.1 0 0'/>
               <geom size='.1'/><site name='tip' pos='.2 .1 -.3' euler='40 0 0'/>
               <body name='c' pos='0 0 -.4'><joint name='ball' type='ball'/><geom size='.1'/></body>
             </body>
           </body>
           <body name='d' pos='2 0 1'><freejoint name='free'/><geom size='.1'/><site name='far' pos='.1 0 0'/></body>
         </worldbody>
         <tendon>
           <fixed name='sum'><joint joint='hinge' coef='2'/><joint joint='knee' coef='-.5'/></fixed>
           <spatial name='rope'><site site='fixed'/><geom geom='drum'/><site site='tip'/><pulley divisor='2'/>
             <site site='hook'/><site site='far'/></spatial>
         </tendon>
         <actuator>{actuator}</actuator></mujoco>"
    ))
    .unwrap()
}

/// The machine away from its reference, ball and free body as they are.
fn moved(m: &Model) -> Data {
    let mut d = m.make_data();
    for (dof, angle) in [(0, 0.4), (1, 0.1), (2, -0.7)] {
        d.qpos[dof] = angle;
    }
    d.forward(m).unwrap();
    d
}

/// Moments by differences of the length.
fn slopes(m: &Model, d: &Data) -> Vec<f64> {
    central(m.nv, 1e-6, |dof, h| {
        let mut near = d.clone();
        let mut direction = vec![0.0; m.nv];
        direction[dof] = 1.0;
        integrate_pos(m, &mut near.qpos, &direction, h);
        near.forward(m).unwrap();
        near.actuator_length.clone()
    })
}

#[test]
fn the_moment_of_a_transmission_is_the_slope_of_its_length() {
    for actuator in [
        "<motor joint='hinge' gear='3'/>",
        "<motor joint='slide' gear='-2'/>",
        "<motor joint='ball' gear='1 2 3'/>",
        "<motor jointinparent='knee' gear='2'/>",
        "<motor jointinparent='ball' gear='1 2 3'/>",
        "<motor tendon='sum' gear='1.5'/>",
        "<motor tendon='rope' gear='2'/>",
        "<motor site='tip' refsite='fixed' gear='1 2 3 0 0 0'/>",
        "<motor site='far' refsite='fixed' gear='3 -1 2 0 0 0'/>",
        "<motor cranksite='tip' slidersite='fixed' cranklength='2' gear='2'/>",
        "<motor cranksite='hook' slidersite='rail' cranklength='1'/>",
    ] {
        let m = machine(actuator);
        let d = moved(&m);
        let moment = engine::read(&m, &d, "actuator_moment");
        assert!(moment.iter().any(|x| *x != 0.0), "{actuator}");
        assert_close(actuator, &moment, &slopes(&m, &d), Tol::DIFFERENCE.scaled(&moment));
    }
}

/// What has no length: a wrench in the frame of the site, a force on a free body.
#[test]
fn transmissions_without_a_length_push_along_their_gear() {
    let gear = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    for joint in ["joint", "jointinparent"] {
        let m = machine(&format!("<motor {joint}='free' gear='1 2 3 4 5 6'/>"));
        let d = moved(&m);
        assert_eq!(d.actuator_length, [0.0]);
        assert_close(joint, &engine::read(&m, &d, "actuator_moment")[6..], &gear, Tol::FORWARD);
    }
    let m = machine("<motor site='far' gear='1 2 3 0 0 0'/>");
    let d = moved(&m);
    assert_eq!(d.actuator_length, [0.0]);
    // the lever of the site is along x
    let want = [1.0, 2.0, 3.0, 0.0, -0.3, 0.2];
    assert_close("site", &engine::read(&m, &d, "actuator_moment")[6..], &want, Tol::FORWARD);
}

/// An actuator of which everything is the user's: control, two activations, gain and bias.
struct Own;

impl Hooks for Own {
    fn control(&self, _m: &Model, d: &mut Data) {
        d.ctrl[0] = 0.3 - d.qpos[0];
    }

    fn activation(&self, m: &Model, d: &mut Data, actuator: usize, ctrl: f64) {
        let Some(slots) = m.actuator_acts(actuator) else { return };
        let [x, v] = [d.act[slots.start], d.act[slots.start + 1]];
        d.act_dot[slots].copy_from_slice(&[v, ctrl - 0.5 * v - 4.0 * x]);
    }

    fn actuator_bias(&self, _m: &Model, d: &Data, actuator: usize) -> f64 {
        -0.2 * d.actuator_velocity[actuator]
    }
}

impl ActuatorGainModel for Own {
    fn gain(&self, _m: &Model, _actuator: usize, input: &ActuatorInput) -> f64 {
        1.5 + input.length
    }

    fn dgain_dvel(&self, _m: &Model, _actuator: usize, _input: &ActuatorInput) -> f64 {
        0.0
    }
}

/// The same functions as callbacks of MuJoCo gave these numbers.
#[test]
fn an_actuator_of_the_user_moves_as_in_mujoco() {
    let m = load_model(
        "<mujoco><option gravity='0 0 0'/><worldbody><body>
           <joint name='j' axis='0 1 0' limited='true' range='-57.29577951308232 57.29577951308232'/>
           <inertial pos='0 0 0' mass='1' diaginertia='0.1 0.1 0.1'/></body></worldbody>
         <actuator><general joint='j' dyntype='user' actdim='2' gaintype='user' biastype='user' gear='2'/></actuator>
         </mujoco>",
    )
    .unwrap();
    let mut parts = Kit { hooks: Own, gain: Own, contact_solver: MujocoSolver };
    let mut d = m.make_data();
    (d.qpos[0], d.qvel[0]) = (0.1, -0.2);
    d.act.copy_from_slice(&[0.4, -0.3]);
    pipeline::forward(&m, &mut d, &mut parts, Skip::Nothing).unwrap();
    assert_close("force", &d.actuator_force, &[-0.43], Tol::FORWARD);
    for _ in 0..50 {
        pipeline::step(&m, &mut d, &mut parts).unwrap();
    }
    let want =
        [0.040_908_149_324_071_864, -0.919_578_011_701_314_4, 0.364_238_410_127_675_16, -0.413_190_202_906_931_04];
    let got = [d.qpos[0], d.qvel[0], d.act[0], d.act[1]];
    assert_close("state", &got, &want, Tol::FORWARD);
}
