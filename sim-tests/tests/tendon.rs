//! Tendons by hand: fixed couplings, springs, limits, and paths pulled through a sphere or a cylinder.

use sim_core::{Data, Model};
use sim_mjcf::load_model;
use sim_types::ConstraintType;

/// Two slides coupled by a tendon with the given attributes, and whatever else.
fn coupled(coef: [f64; 2], tendon: &str, rest: &str) -> Model {
    load_model(&format!(
        "<mujoco><option gravity='0 0 0'/><worldbody>
           <body><joint name='a' type='slide' axis='1 0 0'/><geom size='0.1' mass='1' contype='0'/></body>
           <body><joint name='b' type='slide' axis='1 0 0'/><geom size='0.1' mass='1' contype='0'/></body></worldbody>
         <tendon><fixed name='t' {tendon}><joint joint='a' coef='{}'/><joint joint='b' coef='{}'/></fixed></tendon>
         {rest}</mujoco>",
        coef[0], coef[1]
    ))
    .unwrap()
}

fn at(m: &Model, qpos: [f64; 2], qvel: [f64; 2], ctrl: f64) -> Data {
    let mut d = m.make_data();
    d.qpos.copy_from_slice(&qpos);
    d.qvel.copy_from_slice(&qvel);
    d.ctrl.fill(ctrl);
    d.forward(m).unwrap();
    d
}

#[test]
fn a_difference_of_joints_is_its_length_and_velocity() {
    let m = coupled([1.0, -1.0], "", "<sensor><tendonpos tendon='t'/><tendonvel tendon='t'/></sensor>");
    let d = at(&m, [0.3, 0.1], [2.0, 0.5], 0.0);
    assert!((d.ten_length[0] - 0.2).abs() < 1e-15 && (d.ten_velocity[0] - 1.5).abs() < 1e-15);
    assert_eq!(d.ten_J, [1.0, -1.0]);
    assert_eq!(d.sensordata, [d.ten_length[0], d.ten_velocity[0]]);
}

#[test]
fn a_tendon_with_one_joint_pulls_as_an_actuator_on_the_joint() {
    let rest = "<actuator><motor tendon='t'/><motor joint='a'/></actuator>";
    let m = coupled([1.0, 0.0], "", rest);
    for (k, want) in [(0, [1.7, 0.0]), (1, [1.7, 0.0])] {
        let mut d = m.make_data();
        d.ctrl[k] = 1.7;
        d.forward(&m).unwrap();
        assert!(d.qfrc_actuator.iter().zip(want).all(|(x, y)| (x - y).abs() < 1e-14), "{:?}", d.qfrc_actuator);
    }
}

#[test]
fn an_actuator_on_a_tendon_pulls_by_its_coefficients_and_measures_with_its_gear() {
    let sensors = "<actuator><motor name='m' tendon='t' gear='2'/></actuator>
                   <sensor><actuatorpos actuator='m'/><actuatorvel actuator='m'/></sensor>";
    let m = coupled([1.0, -1.0], "", sensors);
    let d = at(&m, [0.3, 0.1], [2.0, 0.5], 0.5);
    assert_eq!(d.qfrc_actuator, [1.0, -1.0]);
    assert!((d.sensordata[0] - 0.4).abs() < 1e-15 && (d.sensordata[1] - 3.0).abs() < 1e-15);
}

#[test]
fn spring_and_damper_pull_back() {
    let m = coupled([1.0, 0.0], "stiffness='100' springlength='0'", "");
    assert!((at(&m, [0.1, 0.0], [0.0; 2], 0.0).qfrc_passive[0] + 10.0).abs() < 1e-14);
    let m = coupled([1.0, 0.0], "damping='10'", "");
    assert!((at(&m, [0.0; 2], [0.5, 0.0], 0.0).qfrc_passive[0] + 5.0).abs() < 1e-14);
}

/// Dry friction is a constraint here, as in MuJoCo: it acts with all of its force while the tendon slides.
#[test]
fn dry_friction_brakes_with_its_whole_force() {
    let m = coupled([1.0, 0.0], "frictionloss='2'", "");
    let d = at(&m, [0.0; 2], [1.0, 0.0], 0.0);
    assert_eq!(d.efc.kind, [ConstraintType::FrictionTendon]);
    assert!((d.qfrc_constraint[0] + 2.0).abs() < 1e-9, "{:?}", d.qfrc_constraint);
}

#[test]
fn limits_lengthen_and_shorten() {
    let m = coupled([1.0, 0.0], "limited='true' range='0.1 0.5'", "");
    let short = at(&m, [0.05, 0.0], [0.0; 2], 0.0);
    assert!(short.qfrc_constraint[0] > 0.0 && short.tendon_limit_force(0) == short.qfrc_constraint[0]);
    let long = at(&m, [0.6, 0.0], [0.0; 2], 0.0);
    assert!(long.qfrc_constraint[0] < 0.0 && long.tendon_limit_force(0) == -long.qfrc_constraint[0]);
    assert_eq!(at(&m, [0.3, 0.0], [0.0; 2], 0.0).tendon_limit_force(0), 0.0);
}

#[test]
fn bad_tendons_are_refused_with_their_place() {
    let bad = [
        "<fixed name='t'/>",
        "<fixed name='t'><joint joint='nobody' coef='1'/></fixed>",
        "<spatial name='t'><site site='s'/></spatial>",
        "<spatial name='t'><site site='s'/><site site='nobody'/></spatial>",
        "<fixed name='t' limited='true' range='0.5 0.1'><joint joint='a' coef='1'/></fixed>",
        "<fixed name='t' limited='true'><joint joint='a' coef='1'/></fixed>",
    ];
    for tendon in bad {
        let xml = format!(
            "<mujoco><worldbody><site name='s'/><body><joint name='a'/><geom size='0.1'/></body></worldbody>
             <tendon>\n{tendon}</tendon></mujoco>"
        );
        let error = load_model(&xml).err().map(|e| e.to_string()).unwrap_or_default();
        assert!(error.contains(":3:"), "{tendon}: {error}");
    }
}

/// A path from `s1` past a geom to `s2`, which is on a body with a joint.
fn path(geom: &str, s1: &str, side: &str, s2: &str, joint: &str) -> Model {
    load_model(&format!(
        "<mujoco><worldbody><body name='b0'><geom name='g' {geom} contype='0' conaffinity='0'/><site name='s1' pos='{s1}'/>
           {side}<body name='b1'><joint {joint}/><geom size='0.01' mass='0.1' contype='0' conaffinity='0'/>
           <site name='s2' pos='{s2}'/></body></body></worldbody>
         <tendon><spatial name='t'><site site='s1'/><geom geom='g' {}/><site site='s2'/></spatial></tendon></mujoco>",
        if side.is_empty() { "" } else { "sidesite='side'" }
    ))
    .unwrap()
}

fn side(pos: &str) -> String {
    format!("<site name='side' pos='{pos}'/>")
}

fn length(m: &Model) -> f64 {
    let mut d = m.make_data();
    d.forward(m).unwrap();
    d.ten_length[0]
}

/// The points where the path touches the geom.
fn touch(m: &Model) -> [[f64; 3]; 2] {
    let mut d = m.make_data();
    d.forward(m).unwrap();
    let points: Vec<[f64; 3]> = d.wrap_xpos.iter().flat_map(|p| [[p[0], p[1], p[2]], [p[3], p[4], p[5]]]).collect();
    [points[1], points[2]]
}

const SPHERE: &str = "type='sphere' size='0.15'";
const CYLINDER: &str = "type='cylinder' size='0.15 0.5'";

/// Where a path touches: the search for the point ends earlier than the length, which is stationary there, needs.
fn assert_at(got: &[f64; 3], want: &[f64; 3]) {
    assert!(got.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-9), "{got:?} instead of {want:?}");
}

fn assert_near(got: &[f64], want: &[f64]) {
    assert!(got.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-12), "{got:?} instead of {want:?}");
}

#[test]
fn a_path_is_pulled_through_a_sphere() {
    let m = path(SPHERE, "0.3 0 0.15", &side("0.05 0 0"), "0.3 0 -0.15", "axis='0 1 0'");
    assert_near(&[length(&m)], &[0.424_264_068_711_929]);
    let [first, second] = touch(&m);
    assert_eq!(first, second);
    assert_at(&first, &[0.15, 0.0, 0.0]);
    let centred = path(SPHERE, "0.3 0 0.15", &side("0 0 0"), "0.3 0 -0.15", "axis='0 1 0'");
    assert_near(&[length(&centred)], &[0.424_264_068_711_929]);
}

#[test]
fn a_path_is_pulled_through_a_cylinder() {
    let m = path(CYLINDER, "0.3 0.1 0.2", &side("0.05 0 0"), "0.3 -0.1 -0.2", "axis='0 0 1'");
    assert_near(&[length(&m)], &[0.538_516_480_713_450]);
    assert_at(&touch(&m)[0], &[0.15, 0.0, 0.0]);
    let oblique = path(CYLINDER, "0.3 0.05 0.3", &side("0.05 0 0"), "0.3 -0.15 -0.1", "axis='0 0 1'");
    assert_near(&[length(&oblique)], &[0.542_346_519_424_661]);
    assert_at(&touch(&oblique)[0], &[0.148_607_047_563_419, -0.020_394_739_872_909, 0.117_656_368_532_109]);
}

#[test]
fn a_side_site_far_along_a_cylinder_is_outside() {
    let thin = "type='cylinder' size='0.1 1'";
    let m = path(thin, "0.3 0.05 0.2", &side("0.05 0 5"), "0.3 -0.05 -0.2", "axis='0 0 1'");
    let without = path(thin, "0.3 0.05 0.2", "", "0.3 -0.05 -0.2", "axis='0 0 1'");
    assert_near(&[length(&m)], &[0.412_310_562_561_766]);
    assert_eq!(length(&m), length(&without));
}

#[test]
fn a_side_site_on_the_surface_wraps_outside() {
    let m = path(SPHERE, "0.3 0 0.15", &side("0.15 0 0"), "0.3 0 -0.15", "axis='0 1 0'");
    assert!(length(&m) > 0.0 && (length(&m) - 0.3).abs() < 1e-12);
}

/// A side site that moves in and out of the sphere: the length jumps where MuJoCo's does.
#[test]
fn the_way_of_wrapping_changes_at_run_time() {
    let m = load_model(
        "<mujoco><worldbody><body><geom name='g' type='sphere' size='0.15' contype='0' conaffinity='0'/>
           <site name='s1' pos='0.3 0 0.15'/><body><joint type='slide' axis='1 0 0'/>
           <geom size='0.01' mass='0.1' contype='0' conaffinity='0'/><site name='side' pos='0.16 0 0'/>
           <site name='s2' pos='0.3 0 -0.15'/></body></body></worldbody>
         <tendon><spatial name='t'><site site='s1'/><geom geom='g' sidesite='side'/><site site='s2'/></spatial></tendon></mujoco>",
    )
    .unwrap();
    let mut d = m.make_data();
    let mut at = |q: f64| {
        d.qpos[0] = q;
        d.forward(&m).unwrap();
        d.ten_length[0]
    };
    let known = [
        (-0.04, 0.397_761_312_300_161),
        (-0.02, 0.410_539_632_911_676),
        (-0.01, 0.300_166_620_396_073),
        (0.0, 0.3),
        (0.04, 0.302_654_919_008_431),
    ];
    for (q, want) in known {
        assert_near(&[at(q)], &[want]);
    }
    assert!((-50..=50).all(|k| at(f64::from(k) * 0.001) > 0.0));
}

/// The Jacobian is the slope of the length, also on a path through a geom.
#[test]
fn the_jacobian_of_a_wrapped_path_is_the_slope_of_its_length() {
    let paths = [
        [SPHERE, "0.3 0 0.15", "0.05 0 0", "0.3 0.02 -0.15", "axis='0 1 0.1'"],
        [CYLINDER, "0.3 0.05 0.3", "0.05 0 0", "0.3 -0.15 -0.1", "axis='0 0.3 1'"],
        [SPHERE, "0.3 0 0.05", "0 0.3 0", "-0.3 0.02 0.05", "axis='0 1 0.1'"],
    ];
    for (k, [geom, s1, inside, s2, joint]) in paths.into_iter().enumerate() {
        let m = &path(geom, s1, &side(inside), s2, joint);
        let mut d = m.make_data();
        let mut at = |q: f64| {
            d.qpos[0] = q;
            d.forward(m).unwrap();
            (d.ten_length[0], d.ten_J[0])
        };
        let slope = (at(0.1 + 1e-7).0 - at(0.1 - 1e-7).0) / 2e-7;
        let tol = if k < 2 { 1e-4 } else { 1e-5 };
        assert!((at(0.1).1 - slope).abs() < tol * slope.abs().max(1.0), "{k}: {} {slope}", at(0.1).1);
    }
}

/// The points of the path, for drawing: site, two points of the geom, site.
#[test]
fn paths_can_be_drawn() {
    let m = path(SPHERE, "0.3 0 0.15", &side("0.05 0 0"), "0.3 0 -0.15", "axis='0 1 0'");
    let mut d = m.make_data();
    d.forward(&m).unwrap();
    assert_eq!((d.ten_wrapadr[0], d.ten_wrapnum[0]), (0, 4));
    let objects: Vec<i32> = d.wrap_obj.iter().flatten().copied().take(4).collect();
    assert_eq!(objects, [-1, 0, 0, -1]);
}
