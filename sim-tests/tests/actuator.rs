//! Actuators by hand: gains and biases, shortcuts, activations, muscles, compiled constants, extensions.

use sim_core::actuation::{ActuatorGainModel, DefaultGain, SeriesElasticGain};
use sim_core::constraint::MujocoSolver;
use sim_core::pipeline::{self, NoHooks, Skip};
use sim_core::{Data, Kit, Model};
use sim_mjcf::load_model;
use sim_types::{BiasType, DynType, GainType, Integrator};

/// A hinge with inertia 0.1 in the range ±1, and the actuator.
fn hinge(actuator: &str) -> Model {
    hinge_with("", actuator).unwrap()
}

fn hinge_with(head: &str, actuator: &str) -> Result<Model, String> {
    let xml = format!(
        "<mujoco>{head}<option gravity='0 0 0'/><worldbody><body>
           <joint name='j' axis='0 1 0' limited='true' range='-57.29577951308232 57.29577951308232'/>
           <inertial pos='0 0 0' mass='1' diaginertia='0.1 0.1 0.1'/></body></worldbody>
         <actuator>{actuator}</actuator></mujoco>"
    );
    load_model(&xml).map_err(|e| e.to_string())
}

/// The force of the first actuator.
fn force(m: &Model, qpos: f64, qvel: f64, ctrl: f64, act: f64) -> f64 {
    at(m, qpos, qvel, ctrl, act).actuator_force[0]
}

fn at(m: &Model, qpos: f64, qvel: f64, ctrl: f64, act: f64) -> Data {
    let mut d = m.make_data();
    (d.qpos[0], d.qvel[0], d.ctrl[0]) = (qpos, qvel, ctrl);
    d.act.fill(act);
    d.forward(m).unwrap();
    d
}

#[track_caller]
fn assert_near(got: f64, want: f64, tol: f64) {
    assert!((got - want).abs() <= tol, "{got} instead of {want}");
}

#[test]
fn forces_of_the_shortcuts() {
    let cases = [
        ("<motor joint='j'/>", [0.0, 0.0, 5.0, 0.0], 5.0),
        ("<position joint='j' kp='100'/>", [0.5, 0.0, 1.0, 0.0], 50.0),
        ("<position joint='j' kp='100' kv='10'/>", [0.5, 0.2, 1.0, 0.0], 48.0),
        ("<velocity joint='j' kv='10'/>", [0.0, 0.2, 1.0, 0.0], 8.0),
        ("<damper joint='j' kv='5' ctrlrange='0 1'/>", [0.0, 2.0, 0.8, 0.0], -8.0),
        // of the bias of a cylinder MuJoCo 3.5.0 keeps the first number only
        ("<cylinder joint='j' area='0.01' bias='0 0 -100'/>", [0.0, 0.1, 0.0, 500_000.0], 5000.0),
        (
            "<general joint='j' dyntype='filter' gainprm='0.01' biastype='affine' biasprm='0 0 -100'/>",
            [0.0, 0.1, 0.0, 500_000.0],
            4990.0,
        ),
        ("<intvelocity joint='j' kp='100' actrange='-1 1'/>", [0.5, 0.0, 0.0, 0.7], 20.0),
        ("<motor joint='j' ctrllimited='true' ctrlrange='-1 1'/>", [0.0, 0.0, 5.0, 0.0], 1.0),
        ("<motor joint='j' ctrllimited='false' ctrlrange='-1 1'/>", [0.0, 0.0, 5.0, 0.0], 5.0),
        ("<motor joint='j' forcelimited='true' forcerange='-100 0'/>", [0.0, 0.0, -500.0, 0.0], -100.0),
        ("<motor joint='j'/>", [0.0, 0.0, -500.0, 0.0], -500.0),
    ];
    for (actuator, [qpos, qvel, ctrl, act], want) in cases {
        assert_near(force(&hinge(actuator), qpos, qvel, ctrl, act), want, 1e-10);
    }
    assert_near(at(&hinge("<motor joint='j' gear='2'/>"), 0.0, 0.0, 0.5, 0.0).qfrc_actuator[0], 1.0, 1e-15);
}

#[test]
fn adhesion_has_its_gain() {
    let m = load_model(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body name='b' pos='0 0 0.1'><freejoint/><geom size='0.1'/></body>
         </worldbody><actuator><adhesion body='b' gain='50' ctrlrange='0 1'/></actuator></mujoco>",
    )
    .unwrap();
    let mut d = m.make_data();
    d.ctrl[0] = 1.0;
    d.forward(&m).unwrap();
    assert_eq!(d.actuator_force[0], 50.0);
    assert!(m.actuator_ctrllimited[0]);
}

#[test]
fn a_filtered_servo_follows_exactly() {
    let m = hinge("<position joint='j' kp='0' timeconst='0.1'/>");
    assert_eq!((m.actuator_dyntype[0], m.na), (DynType::FilterExact, 1));
    let mut d = m.make_data();
    d.ctrl[0] = 1.0;
    d.step(&m).unwrap();
    assert_near(d.act[0], 1.0 - (-0.02f64).exp(), 1e-15);
    for _ in 0..1000 {
        d.step(&m).unwrap();
    }
    assert_near(d.act[0], 1.0, 1e-8);
    let plain = hinge("<position joint='j' kp='1' timeconst='0'/>");
    assert_eq!((plain.actuator_dyntype[0], plain.na), (DynType::None, 0));
}

#[test]
fn defaults_of_the_shortcuts() {
    let m = hinge("<cylinder joint='j'/>");
    assert_eq!((m.actuator_dyntype[0], &m.actuator_dynprm[0][..3]), (DynType::Filter, &[1.0, 0.0, 0.0][..]));
    assert_eq!(hinge("<velocity joint='j'/>").actuator_gainprm[0][0], 1.0);
    let bare = hinge("<general joint='j'/>");
    let kinds = (bare.actuator_gaintype[0], bare.actuator_biastype[0], bare.actuator_dyntype[0]);
    assert_eq!(kinds, (GainType::Fixed, BiasType::None, DynType::None));
    assert_eq!(&bare.actuator_dynprm[0][..3], &[1.0, 0.0, 0.0]);
    assert_eq!(force(&bare, 0.0, 0.0, 5.0, 0.0), 5.0);
    // a damper pushes in one direction only: without a range, or with one below zero, it is refused
    for bad in ["<damper joint='j' kv='1' ctrlrange='-1 1'/>", "<damper joint='j' kv='-1' ctrlrange='0 1'/>"] {
        assert!(hinge_with("", bad).is_err(), "{bad}");
    }
}

#[test]
fn parameters_of_general_actuators() {
    let damper = "<general joint='j' gaintype='affine' gainprm='0 0 -5' biastype='none' ctrlrange='0 1'/>";
    assert_eq!(force(&hinge(damper), 0.0, 2.0, 0.5, 0.0), -5.0);
    let filter = hinge("<general joint='j' dyntype='filter' dynprm='0.05'/>");
    assert_eq!((filter.na, filter.actuator_dynprm[0][0]), (1, 0.05));
    assert_eq!(hinge("<general joint='j' dyntype='filter'/>").actuator_dynprm[0][0], 1.0);
    let short = hinge("<general joint='j' gainprm='50'/>");
    assert_eq!(&short.actuator_gainprm[0][..3], &[50.0, 0.0, 0.0]);
    assert_eq!(hinge("<general joint='j' gainprm='1 2 3 4 5 6 7 8 9 10'/>").actuator_gainprm[0][9], 10.0);
    let error = hinge_with("", "\n<general joint='j' gaintype='invalid'/>").unwrap_err();
    assert!(error.contains(":5:") && error.contains("gaintype") && error.contains("affine"), "{error}");
    let classes = "<default><general gainprm='7' biastype='affine' biasprm='0 -7 0'/></default>";
    let of_class = hinge_with(classes, "<general joint='j'/><general joint='j' gainprm='9'/>").unwrap();
    assert_eq!([of_class.actuator_gainprm[0][0], of_class.actuator_gainprm[1][0]], [7.0, 9.0]);
    assert_eq!(of_class.actuator_biasprm[1][1], -7.0);
}

#[test]
fn a_general_actuator_can_be_any_shortcut() {
    let general = hinge(
        "<general joint='j' gainprm='100' biastype='affine' biasprm='0 -100 -10' dyntype='filterexact' dynprm='0.01'/>",
    );
    let servo = hinge("<position joint='j' kp='100' kv='10' timeconst='0.01'/>");
    assert_eq!(force(&general, 0.3, -0.7, 0.2, 0.1), force(&servo, 0.3, -0.7, 0.2, 0.1));
    let prm = "0.75 1.05 -1 200 0.5 1.6 1.5 0.6 1.4";
    let general = hinge(&format!(
        "<general joint='j' gaintype='muscle' biastype='muscle' dyntype='muscle' gainprm='{prm}' biasprm='{prm}'
          dynprm='0.01 0.04 0' lengthrange='-1 1' ctrlrange='0 1'/>"
    ));
    let muscle = hinge("<muscle joint='j' fpmax='0.6' fvmax='1.4' lengthrange='-1 1'/>");
    for [qpos, qvel, act] in [[0.1, 0.5, 0.3], [0.9, -0.2, 1.0], [-0.8, 0.0, 0.5]] {
        assert_eq!(force(&general, qpos, qvel, 0.4, act), force(&muscle, qpos, qvel, 0.4, act));
    }
}

#[test]
fn every_kind_of_dynamics_has_its_rate() {
    let cases = [("integrator", 0.5), ("filter", (0.5 - 0.2) / 0.05), ("filterexact", (0.5 - 0.2) / 0.05)];
    for (kind, want) in cases {
        let m = hinge(&format!("<general joint='j' dyntype='{kind}' dynprm='0.05'/>"));
        assert_eq!(m.na, 1);
        assert_near(at(&m, 0.0, 0.0, 0.5, 0.2).act_dot[0], want, 1e-13);
    }
    assert_eq!(hinge("<general joint='j' dyntype='none'/>").na, 0);
}

#[test]
fn muscles_activate_faster_than_they_relax() {
    let mut m = hinge("<muscle joint='j' lengthrange='-1 1' force='0.001'/>");
    m.opt.timestep = 0.001;
    assert_eq!(m.na, 1);
    let run = |from: f64, ctrl: f64, steps: usize| {
        let mut d = m.make_data();
        (d.act[0], d.ctrl[0]) = (from, ctrl);
        (0..steps).map(|_| d.step(&m).map(|()| d.act[0]).unwrap()).collect::<Vec<_>>()
    };
    let (rise, fall) = (run(0.0, 1.0, 200), run(1.0, 0.0, 200));
    assert!(rise[99] >= 0.95 && fall[199] <= 0.10, "{} {}", rise[99], fall[199]);
    let up = rise.iter().position(|a| *a >= 0.9).unwrap();
    let down = fall.iter().position(|a| *a <= 0.1).unwrap();
    assert!(up < down, "{up} {down}");
}

#[test]
fn a_muscle_pulls_with_its_peak_force() {
    // the length range maps to the operating range: a hinge at 0 has length 1 when the optimum is in the middle
    let m = hinge("<muscle joint='j' lengthrange='-1 1' range='0.75 1.25' force='100'/>");
    assert_near(force(&m, 0.0, 0.0, 0.0, 1.0), -100.0, 1e-12);
    assert_eq!(&m.actuator_gainprm[0][..9], &[0.75, 1.25, 100.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2]);
    assert_eq!(&m.actuator_dynprm[0][..3], &[0.01, 0.04, 0.0]);
    // without a force it is scale / acc0
    let m = hinge("<muscle joint='j' lengthrange='-1 1' range='0.75 1.25' scale='200' gear='2'/>");
    assert_near(m.actuator_acc0[0], 20.0, 1e-9);
    let d = at(&m, 0.0, 0.0, 0.0, 1.0);
    assert_near(d.actuator_force[0], -200.0 / 20.0, 1e-9);
}

/// Four stages, one advance: the activation after a step of Runge–Kutta.
#[test]
fn runge_kutta_advances_an_activation_once() {
    let mut m = hinge("<muscle joint='j' lengthrange='-1 1' force='0.001'/>");
    (m.opt.timestep, m.opt.integrator) = (0.001, Integrator::Rk4);
    let mut d = m.make_data();
    (d.act[0], d.ctrl[0]) = (0.2, 1.0);
    d.step(&m).unwrap();
    let (h, rate) = (0.001, |a: f64| (1.0 - a) / (0.01 * (0.5 + 1.5 * a)));
    let k1 = rate(0.2);
    let k2 = rate(0.2 + 0.5 * h * k1);
    let k3 = rate(0.2 + 0.5 * h * k2);
    let k4 = rate(0.2 + h * k3);
    assert_near(d.act[0], 0.2 + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4), 1e-6);
}

#[test]
fn accelerations_of_actuators_at_rest() {
    assert_near(hinge("<motor joint='j' gear='2'/>").actuator_acc0[0], 20.0, 1e-6);
    assert_near(hinge("<position joint='j' kp='100' kv='10'/>").actuator_acc0[0], 10.0, 1e-6);
    let m =
        load_model("<mujoco><worldbody><site name='s'/></worldbody><actuator><motor site='s'/></actuator></mujoco>");
    assert_eq!(m.unwrap().actuator_acc0[0], 0.0);
}

#[test]
fn damping_ratios_become_damping() {
    let m = hinge("<position joint='j' kp='100' dampratio='1'/>");
    assert_near(m.actuator_biasprm[0][2], -2.0 * 10f64.sqrt(), 1e-10);
    assert_eq!(hinge("<motor joint='j'/>").actuator_biasprm[0][2], 0.0);
    assert_eq!(hinge("<position joint='j' kp='100' kv='10'/>").actuator_biasprm[0][2], -10.0);
    let error = hinge_with("", "<position joint='j' kp='100' kv='1' dampratio='1'/>").unwrap_err();
    assert!(error.contains("dampratio"), "{error}");
}

/// MuJoCo 3.5.0's numbers for two links.
#[test]
fn constants_of_a_chain() {
    let m = load_model(
        "<mujoco><worldbody><body><body><joint name='j1' axis='0 1 0'/>
           <inertial pos='0.25 0 0' mass='2' diaginertia='0.2 0.2 0.2'/><body pos='0.5 0 0'><joint name='j2' axis='0 1 0'/>
           <inertial pos='0.2 0 0' mass='1' diaginertia='0.1 0.1 0.1'/></body></body></body></worldbody>
         <actuator><position joint='j1' kp='200' dampratio='1'/><motor joint='j2' gear='3'/></actuator></mujoco>",
    )
    .unwrap();
    assert_near(m.actuator_acc0[0], 3.941_118_862_255_263_5, 1e-9);
    assert_near(m.actuator_acc0[1], 40.253_272_405_346_96, 1e-9);
    assert_near(m.actuator_biasprm[0][2], -27.055_498_516_937_362, 1e-9);
    assert_eq!(m.actuator_biasprm[1][2], 0.0);
}

#[test]
fn length_ranges_by_limits_and_by_simulation() {
    let muscle = "<muscle joint='j' gear='2'/>";
    let [low, high] = hinge(muscle).actuator_lengthrange[0];
    assert_near(high, 2.001_139_876_706_532_5, 1e-9);
    assert_near(low, -2.001_139_876_706_532_5, 1e-9);
    let by_limit = hinge_with("<compiler><lengthrange uselimit='true'/></compiler>", muscle).unwrap();
    assert_near(by_limit.actuator_lengthrange[0][1], 1.0, 1e-12);
    assert_eq!(hinge("<motor joint='j'/>").actuator_lengthrange[0], [0.0; 2]);
    // a slide without limits never settles: an error that names the actuator
    let slide = load_model(
        "<mujoco><worldbody><body><joint name='j' type='slide' axis='1 0 0'/><geom size='0.1' mass='1'/></body></worldbody>
         <actuator><muscle name='biceps' joint='j'/></actuator></mujoco>",
    );
    let error = slide.err().map(|e| e.to_string()).unwrap_or_default();
    assert!(error.contains("biceps"), "{error}");
}

/// A `muscle` pulls on no site, as in MuJoCo; a `general` actuator with a muscle's parameters does, and the range of its
/// length is found by simulation. Without a reference site the length is always zero, which is no range.
#[test]
fn a_muscle_on_a_site_is_refused_and_a_general_actuator_can_be_one() {
    let on_site = |joint: &str, actuator: &str| {
        load_model(&format!(
            "<mujoco><worldbody><body><geom size='.1'/><site name='r'/><body pos='.5 0 0'>
               <joint axis='0 1 0' {joint}/><geom type='capsule' fromto='0 0 0 .5 0 0' size='.05'/>
               <site name='s' pos='.5 0 0'/></body></body></worldbody>
             <actuator>\n{actuator}</actuator></mujoco>"
        ))
        .map_err(|e| e.to_string())
    };
    let refused = on_site("", "<muscle name='m' site='s'/>").unwrap_err();
    assert!(refused.contains("<muscle> has no attribute 'site'"), "{refused}");

    let muscle = |target: &str| {
        let prm = ".75 1.05 -1 200 .5 1.6 1.5 1.3 1.2";
        format!(
            "<general name='m' {target} dyntype='muscle' dynprm='.01 .04' gaintype='muscle' gainprm='{prm}'
                biastype='muscle' biasprm='{prm}'/>"
        )
    };
    for (joint, far) in [("", 0.499_999_999_939_369_55), ("range='-60 60'", 0.433_155_116_145_125_14)] {
        let m = on_site(joint, &muscle("site='s' refsite='r' gear='0 0 1 0 0 0'")).unwrap();
        assert_near(m.actuator_lengthrange[0][0], -far, 1e-9);
        assert_near(m.actuator_lengthrange[0][1], far, 1e-9);
        assert_near(m.actuator_acc0[0], 1.248_172_088_622_004, 1e-12);
    }
    let empty = on_site("", &muscle("site='s'")).unwrap_err();
    assert!(empty.contains("name=\"m\"") && empty.contains("lengthrange"), "{empty}");
}

#[test]
fn groups_of_actuators_are_switched_off() {
    let both = "<motor joint='j' group='1'/><motor joint='j' group='2'/>";
    let xml = |groups: &str| {
        format!(
            "<mujoco><option actuatorgroupdisable='{groups}'/><worldbody><body><joint name='j'/><geom size='0.1'/></body>
             </worldbody><actuator>{both}</actuator></mujoco>"
        )
    };
    for (groups, want) in [("", [1.0, 1.0]), ("1", [0.0, 1.0]), ("2", [1.0, 0.0]), ("1 2", [0.0, 0.0])] {
        let m = load_model(&xml(groups)).unwrap();
        let mut d = m.make_data();
        d.ctrl.fill(1.0);
        d.forward(&m).unwrap();
        assert_eq!(d.actuator_force, want, "{groups}");
    }
    assert!(load_model(&xml("31")).is_err());
}

const SPRING: SeriesElasticGain = SeriesElasticGain { stiffness: 50.0, damping: 2.0, gear_ratio: 0.5 };

fn elastic() -> Kit<NoHooks, SeriesElasticGain, MujocoSolver> {
    Kit { hooks: NoHooks, gain: SPRING, contact_solver: MujocoSolver }
}

/// The force of the spring, also without control.
#[test]
fn a_series_elastic_actuator_is_a_spring_to_its_motor() {
    let m = hinge("<general joint='j' gaintype='user'/>");
    let mut parts = elastic();
    for [qpos, qvel, ctrl] in [[0.3, 0.4, 1.0], [0.3, 0.4, 0.0], [0.0, -1.0, -0.5]] {
        let mut d = m.make_data();
        (d.qpos[0], d.qvel[0], d.ctrl[0]) = (qpos, qvel, ctrl);
        pipeline::forward(&m, &mut d, &mut parts, Skip::Nothing).unwrap();
        assert_near(d.actuator_force[0], 50.0 * (0.5 * ctrl - qpos) - 2.0 * qvel, 1e-13);
    }
    let other = hinge("<motor joint='j'/>");
    let mut d = other.make_data();
    (d.qpos[0], d.ctrl[0]) = (0.5, 3.0);
    pipeline::forward(&other, &mut d, &mut parts, Skip::Nothing).unwrap();
    assert_eq!(d.actuator_force[0], 3.0);
}

/// Implicit integration feels the damper of the spring as it feels that of a servo with the same numbers.
#[test]
fn implicit_integration_knows_the_slope_of_an_extension() {
    let (mut user, mut servo) = (
        hinge("<general joint='j' gaintype='user'/>"),
        hinge("<general joint='j' gainprm='25' biastype='affine' biasprm='0 -50 -2'/>"),
    );
    user.opt.integrator = Integrator::ImplicitFast;
    servo.opt.integrator = Integrator::ImplicitFast;
    let (mut a, mut b) = (user.make_data(), servo.make_data());
    (a.qvel[0], b.qvel[0], a.ctrl[0], b.ctrl[0]) = (3.0, 3.0, 0.1, 0.1);
    pipeline::step(&user, &mut a, &mut elastic()).unwrap();
    b.step(&servo).unwrap();
    assert_near(a.qvel[0], b.qvel[0], 1e-14);
    assert!(a.qvel[0] < 3.0);
}

#[test]
fn slopes_of_gains_are_difference_quotients() {
    let affine = hinge("<general joint='j' gaintype='affine' gainprm='1 2 3'/>");
    let muscle = hinge("<muscle joint='j' lengthrange='-1 1' force='100'/>");
    let user = hinge("<general joint='j' gaintype='user'/>");
    let input = |velocity: f64| sim_core::actuation::ActuatorInput {
        length: 0.1,
        velocity,
        act: 0.5,
        ctrl: 0.5,
        timestep: 0.002,
    };
    for m in [&affine, &muscle, &user] {
        for v in [-0.7, 0.05, 0.4] {
            let slope = (DefaultGain.gain(m, 0, &input(v + 1e-6)) - DefaultGain.gain(m, 0, &input(v - 1e-6))) / 2e-6;
            assert_near(DefaultGain.dgain_dvel(m, 0, &input(v)), slope, 1e-5);
        }
    }
    let slope = (SPRING.offset(&user, 0, &input(1.0)) - SPRING.offset(&user, 0, &input(0.0))) / 1.0;
    assert_near(SPRING.doffset_dvel(&user, 0, &input(0.5)), slope, 1e-12);
}

#[test]
fn a_delayed_control_arrives_late() {
    let m = hinge("<motor joint='j' delay='0.01' nsample='5'/>");
    let mut d = m.make_data();
    d.ctrl[0] = 1.0;
    let forces: Vec<f64> = (0..8).map(|_| d.step(&m).map(|()| d.actuator_force[0]).unwrap()).collect();
    assert_eq!(forces, [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
}

#[test]
fn bad_actuators_are_refused_with_their_place() {
    let bad = [
        "<motor joint='nobody'/>",
        "<motor tendon='nobody'/>",
        "<motor joint='j' ctrllimited='true' ctrlrange='1 -1'/>",
        "<motor joint='j' forcelimited='true' forcerange='1 -1'/>",
        "<general joint='j' dyntype='integrator' actlimited='true' actrange='1 -1'/>",
        "<motor joint='j' delay='0.01'/>",
    ];
    for actuator in bad {
        let error = hinge_with("", &format!("\n{actuator}")).err().unwrap_or_default();
        assert!(error.contains(":5:"), "{actuator}: {error}");
    }
}

/// With sleep switched on, a slider-crank between sites of the world is at rest, as in MuJoCo; a body that sleeps is not
/// pushed.
#[test]
fn actuators_of_sleepers_rest() {
    let xml = |flag: &str| {
        format!(
            "<mujoco><option gravity='0 0 0'><flag sleep='{flag}'/></option><worldbody><site name='a'/><site name='b' pos='0.1 0 0'/>
               <body sleep='init'><joint name='j' type='slide'/><geom size='0.1'/></body>
               <body pos='1 0 0'><joint name='k' type='slide'/><geom size='0.1'/></body></worldbody>
             <actuator><motor cranksite='a' slidersite='b' cranklength='0.5'/><motor joint='j'/><motor joint='k'/>
               <general joint='j' dyntype='filter' dynprm='1'/></actuator></mujoco>"
        )
    };
    for (flag, force, rate) in [("disable", [1.0, 1.0, 1.0, 0.0], 1.0), ("enable", [0.0, 0.0, 1.0, 0.0], 0.0)] {
        let m = load_model(&xml(flag)).unwrap();
        let mut d = m.make_data();
        d.ctrl.fill(1.0);
        d.forward(&m).unwrap();
        assert_eq!((d.actuator_force.as_slice(), d.act_dot[0]), (&force[..], rate), "{flag}");
    }
}
