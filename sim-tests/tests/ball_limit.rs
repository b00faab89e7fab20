//! Limits of ball joints: the whole rotation stays inside a cone.

use sim_core::{Data, Model};
use sim_types::{ConstraintType, Quat, Vec3};

/// Balls without gravity, each on a joint written as given.
fn model(joints: &[&str]) -> Model {
    let body =
        |joint: &&str| ["<body>", joint, "<geom type='sphere' size='0.1' mass='1' contype='0'/></body>"].concat();
    let bodies = joints.iter().map(body).collect::<Vec<_>>().concat();
    let xml = format!("<mujoco><option timestep=\"0.001\" gravity=\"0 0 0\"/><worldbody>{bodies}</worldbody></mujoco>");
    sim_mjcf::load_model(&xml).unwrap()
}

fn ball(range: &str) -> String {
    format!("<joint type=\"ball\" limited=\"true\" range=\"{range}\"/>")
}

/// The first joint turned by `degrees` about `axis`, everything computed.
fn turned(m: &Model, axis: [f64; 3], degrees: f64) -> Data {
    let mut d = m.make_data();
    set(m, &mut d, 0, Quat::from_axis_angle(&Vec3::from(axis), degrees.to_radians()));
    d.forward(m).unwrap();
    d
}

fn set(m: &Model, d: &mut Data, jnt: usize, quat: Quat) {
    let adr = m.jnt_qposadr[jnt] as usize;
    d.qpos[adr..adr + 4].copy_from_slice(&quat.to_array());
}

fn angle(d: &Data) -> f64 {
    Quat::from_slice(&d.qpos).unwrap().to_velocity(1.0).norm().to_degrees()
}

#[track_caller]
fn assert_row(d: &Data, row: usize, degrees: f64, jacobian: [f64; 3], tol: f64) {
    assert_eq!(d.efc.kind[row], ConstraintType::LimitJoint);
    assert!((d.efc.pos[row].to_degrees() - degrees).abs() < tol.to_degrees(), "dist {}", d.efc.pos[row].to_degrees());
    let j = &d.efc.J[d.efc.entries(row)];
    assert!(j.iter().zip(jacobian).all(|(a, b)| (a - b).abs() < tol), "{j:?}");
}

#[test]
fn ac1_the_cone_holds_against_a_torque() {
    let m = model(&[&ball("0 60")]);
    let mut d = m.make_data();
    d.qfrc_applied[0] = 0.1;
    for _ in 0..3000 {
        d.step(&m).unwrap();
    }
    assert!(angle(&d) < 62.0 && angle(&d) > 59.0, "{}", angle(&d));
}

#[test]
fn t7_a_start_beyond_the_limit_is_pushed_back() {
    let m = model(&[&ball("0 30")]);
    let mut d = m.make_data();
    set(&m, &mut d, 0, Quat::from_axis_angle(&Vec3::x(), 35f64.to_radians()));
    d.qvel[0] = -2.0;
    for _ in 0..500 {
        d.step(&m).unwrap();
        assert!(angle(&d) < 36.0);
    }
    assert!(angle(&d) < 32.0, "{}", angle(&d));
}

/// The larger bound counts whatever their order; the compiler refuses the reversed one, as MuJoCo's does.
#[test]
fn ac2_the_larger_bound_counts() {
    let mut m = model(&[&ball("0 45")]);
    m.jnt_range[0].reverse();
    assert_row(&turned(&m, [1.0, 0.0, 0.0], 60.0), 0, -15.0, [-1.0, 0.0, 0.0], 1e-4);
    let xml = "<mujoco><worldbody><body><joint type=\"ball\" limited=\"true\" range=\"45 0\"/>\
               <geom size=\"0.1\"/></body></worldbody></mujoco>";
    assert!(sim_mjcf::load_model(xml).is_err());
}

#[test]
fn ac3_the_row_points_back() {
    let m = model(&[&ball("0 45")]);
    assert_row(&turned(&m, [1.0, 0.0, 0.0], 60.0), 0, -15.0, [-1.0, 0.0, 0.0], 1e-4);
}

#[test]
fn ac4_a_turn_beyond_half_is_seen_from_the_other_side() {
    let m = model(&[&ball("0 150")]);
    assert_row(&turned(&m, [0.0, 0.0, 1.0], 200.0), 0, -10.0, [0.0, 0.0, 1.0], 1e-4);
}

#[test]
fn ac5_ac6_ac7_no_rows_without_a_violated_limit() {
    let free = model(&["<freejoint/>"]);
    assert_eq!(turned(&free, [1.0, 0.0, 0.0], 0.0).efc.nefc, 0);
    let m = model(&[&ball("0 45")]);
    assert_eq!(turned(&m, [1.0, 0.0, 0.0], 0.0).efc.nefc, 0);
    let unlimited = model(&["<joint type=\"ball\" limited=\"false\" range=\"0 45\"/>"]);
    assert_eq!(turned(&unlimited, [1.0, 0.0, 0.0], 170.0).efc.nefc, 0);
}

#[test]
fn ac8_an_oblique_axis() {
    let m = model(&[&ball("0 45")]);
    let mut d = turned(&m, [0.6, 0.8, 0.0], 50.0);
    assert_eq!(d.efc.nefc, 1);
    assert_row(&d, 0, -5.0, [-0.6, -0.8, 0.0], 1e-4);
    d.qvel.copy_from_slice(&[1.0, 2.0, 0.5]);
    d.forward(&m).unwrap();
    assert!((d.efc.vel[0] + 2.2).abs() < 1e-4);
}

#[test]
fn ac10_ac17_several_joints() {
    let (limited, free) = (ball("0 45"), "<joint type=\"ball\"/>".to_owned());
    let m = model(&[&limited, &limited, &free]);
    let mut d = turned(&m, [1.0, 0.0, 0.0], 60.0);
    assert_eq!((d.efc.nefc, d.efc.id[0]), (1, 0));
    set(&m, &mut d, 1, Quat::from_axis_angle(&Vec3::y(), 50f64.to_radians()));
    d.forward(&m).unwrap();
    assert_eq!(d.efc.id, [0, 1]);
    assert_row(&d, 0, -15.0, [-1.0, 0.0, 0.0], 1e-4);
    assert_row(&d, 1, -5.0, [0.0, -1.0, 0.0], 1e-4);
}

#[test]
fn ac11_the_force_of_the_limit() {
    let m = model(&[&ball("0 45")]);
    let d = turned(&m, [1.0, 0.0, 0.0], 60.0);
    assert!(d.jnt_limit_force(0) > 1e-10);
    assert!((d.jnt_limit_force(0) - d.efc.force[0]).abs() < 1e-15);
}

#[test]
fn ac12_a_hinge_and_a_ball() {
    let m = model(&["<joint axis=\"0 0 1\" limited=\"true\" range=\"-30 30\"/>", &ball("0 45")]);
    let mut d = m.make_data();
    d.qpos[0] = 40f64.to_radians();
    set(&m, &mut d, 1, Quat::from_axis_angle(&Vec3::y(), 60f64.to_radians()));
    d.forward(&m).unwrap();
    assert_eq!(d.efc.id, [0, 1]);
    assert!((d.efc.J[0] + 1.0).abs() < 1e-10);
    assert_row(&d, 1, -15.0, [0.0, -1.0, 0.0], 1e-4);
}

#[test]
fn ac13_an_empty_range_locks() {
    let m = model(&[&ball("0 0")]);
    let mut d = turned(&m, [1.0, 0.0, 0.0], 20.0);
    assert!(d.efc.nefc == 1 && d.efc.pos[0] < -0.3);
    for _ in 0..200 {
        d.step(&m).unwrap();
    }
    assert!(angle(&d) < 5.0, "{}", angle(&d));
}

#[test]
fn ac14_near_half_a_turn() {
    let m = model(&[&ball("0 170")]);
    let mut d = turned(&m, [1.0, 0.0, 0.0], 175.0);
    assert_row(&d, 0, -5.0, [-1.0, 0.0, 0.0], 1e-4);
    for _ in 0..200 {
        d.step(&m).unwrap();
    }
    assert!(angle(&d) < 173.0, "{}", angle(&d));
}

#[test]
fn ac15_ac21_just_inside_and_just_outside() {
    let m = model(&[&ball("0 45")]);
    assert_eq!(turned(&m, [1.0, 0.0, 0.0], 44.5).efc.nefc, 0);
    assert_eq!(turned(&m, [1.0, 0.0, 0.0], 44.999).efc.nefc, 0);
    let d = turned(&m, [1.0, 0.0, 0.0], 45.5);
    assert_eq!(d.efc.nefc, 1);
    assert_row(&d, 0, -0.5, [-1.0, 0.0, 0.0], 1e-6);
}

#[test]
fn ac16_ac19_sign_and_length_of_the_quaternion_do_not_matter() {
    let m = model(&[&ball("0 45")]);
    let want = turned(&m, [0.6, 0.0, 0.8], 60.0);
    let q = Quat::from_axis_angle(&Vec3::new(0.6, 0.0, 0.8), 60f64.to_radians());
    for (scale, tol) in [(-1.0, 1e-10), (1.05, 1e-8)] {
        let mut d = m.make_data();
        set(&m, &mut d, 0, Quat::new(scale * q.w, scale * q.x, scale * q.y, scale * q.z));
        d.forward(&m).unwrap();
        assert!((d.efc.pos[0] - want.efc.pos[0]).abs() < tol);
        assert!(d.efc.J.iter().zip(&want.efc.J).all(|(a, b)| (a - b).abs() < tol));
    }
}

#[test]
fn ac18_the_velocity_of_the_row_has_the_sign_of_the_distance() {
    let m = model(&[&ball("0 45")]);
    for (speed, want) in [(2.0, -2.0), (-2.0, 2.0)] {
        let mut d = turned(&m, [1.0, 0.0, 0.0], 60.0);
        d.qvel[0] = speed;
        d.forward(&m).unwrap();
        assert!((d.efc.vel[0] - want).abs() < 1e-4);
    }
}
