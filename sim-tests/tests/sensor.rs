//! Sensors by hand: what they read, limits, cutoffs, noise, user functions.

use sim_core::actuation::DefaultGain;
use sim_core::constraint::MujocoSolver;
use sim_core::pipeline::{self, Skip};
use sim_core::sensor::SensorNoise;
use sim_core::{Data, Hooks, Kit, Model};
use sim_mjcf::load_model;
use sim_types::{ObjType, SensorType, Stage};

/// A hinge between −30° and 30° with a tendon on it, and the sensors.
fn hinge(sensors: &str) -> Model {
    load_model(&format!(
        "<mujoco><option magnetic='0.1 -0.5 0.2'/><worldbody><geom name='floor' type='plane' size='9 9 1' pos='0 0 -1'/>
           <body pos='0 0 1'><site name='eye' euler='180 0 0'/></body><body name='b'><joint name='j' axis='0 1 0' range='-30 30'/>
           <joint name='free' axis='1 0 0'/><geom name='g' size='0.1' pos='0.2 0 0' mass='1'/><site name='s' pos='0.2 0 0.1'/></body>
         </worldbody><tendon><fixed name='t' range='-0.2 0.2'><joint joint='free' coef='1'/></fixed></tendon>
         <actuator><motor name='a' joint='j' gear='3'/></actuator><sensor>{sensors}</sensor></mujoco>"
    ))
    .unwrap()
}

fn at(m: &Model, qpos: f64, qvel: f64) -> Data {
    let mut d = m.make_data();
    d.qpos.fill(qpos);
    d.qvel.fill(qvel);
    d.forward(m).unwrap();
    d
}

#[test]
fn simple_sensors_read_what_they_name() {
    let m = hinge(
        "<jointpos joint='j'/><jointvel joint='j'/><tendonpos tendon='t'/><actuatorpos actuator='a'/>
         <actuatorvel actuator='a'/><framepos objtype='site' objname='s'/><magnetometer site='eye'/>",
    );
    let d = at(&m, 0.3, 0.7);
    let s = &d.site_xpos[1];
    let want = [0.3, 0.7, 0.3, 0.9, 2.1, s.x, s.y, s.z, 0.1, 0.5, -0.2];
    assert!(d.sensordata.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-12), "{:?}", d.sensordata);
    assert_eq!(
        (m.nsensor, m.nsensordata, m.sensor_type[0], m.sensor_objid[0].get()),
        (7, 11, SensorType::JointPos, Some(0))
    );
}

#[test]
fn stages_and_objects_are_mujocos() {
    let m = hinge("<touch site='s'/><magnetometer site='s'/><subtreecom body='b'/><jointlimitfrc joint='j'/>");
    assert_eq!(m.sensor_needstage, [Stage::Acc, Stage::Pos, Stage::Pos, Stage::Acc]);
    assert_eq!(m.sensor_objtype, [ObjType::Site, ObjType::Site, ObjType::Body, ObjType::Joint]);
    assert_eq!(m.opt.magnetic.as_slice(), [0.1, -0.5, 0.2]);
}

#[test]
fn a_rangefinder_looks_along_its_site() {
    let m = hinge("<rangefinder site='eye'/>");
    let d = at(&m, 0.0, 0.0);
    assert!((d.sensordata[0] - 2.0).abs() < 1e-6, "{}", d.sensordata[0]);
    let up =
        load_model("<mujoco><worldbody><site name='s'/></worldbody><sensor><rangefinder site='s'/></sensor></mujoco>");
    let up = up.unwrap();
    let mut d = up.make_data();
    d.forward(&up).unwrap();
    assert_eq!(d.sensordata[0], -1.0);
}

/// A ball at rest presses with its weight, and the force at a fixed body is what it carries.
#[test]
fn touch_and_force_are_real_forces() {
    let m = load_model(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 0.0999'><freejoint/><geom size='0.1' mass='2'/>
           <site name='skin' size='0.2'/></body><body pos='2 0 1'><site name='wrist'/><geom size='0.1' mass='3'/></body>
         </worldbody><sensor><touch site='skin'/><force site='wrist'/></sensor></mujoco>",
    )
    .unwrap();
    let mut d = m.make_data();
    for _ in 0..1000 {
        d.step(&m).unwrap();
    }
    assert!((d.sensordata[0] - 2.0 * 9.81).abs() < 1e-3, "{:?}", d.sensordata);
    assert!((d.sensordata[3] - 3.0 * 9.81).abs() < 1e-9, "{:?}", d.sensordata);
}

#[test]
fn limit_forces_are_those_of_the_rows() {
    let m = hinge(
        "<jointlimitfrc joint='j'/><tendonlimitfrc tendon='t'/><jointlimitfrc joint='j'/><jointlimitfrc joint='j' cutoff='0.5'/>",
    );
    assert_eq!((&m.sensor_dim[..], m.sensor_needstage[0]), (&[1; 4][..], Stage::Acc));
    for angle in [0.6, -0.6] {
        let d = at(&m, angle, angle);
        let rows = d.efc.ne + d.efc.nf;
        assert_eq!(d.efc.nl, 2);
        assert_eq!(&d.sensordata[..2], &d.efc.force[rows..rows + 2]);
        assert_eq!(d.sensordata[0], d.jnt_limit_force(0));
        assert_eq!(d.sensordata[1], d.tendon_limit_force(0));
        assert!(d.sensordata.iter().all(|x| *x > 0.0));
        assert_eq!((d.sensordata[2], d.sensordata[3]), (d.sensordata[0], 0.5));
    }
    // inside the limits again: nothing is left from before
    let mut d = at(&m, 0.6, 0.0);
    d.qpos.fill(0.1);
    d.forward(&m).unwrap();
    assert_eq!(d.sensordata, [0.0; 4]);
    assert_eq!(d.jnt_limit_force(1), 0.0);
}

#[test]
fn bad_sensors_are_refused_with_their_place() {
    let bad = [
        "<jointpos joint='nobody'/>",
        "<jointlimitfrc joint='nobody'/>",
        "<jointlimitfrc joint='free'/>",
        "<tendonlimitfrc tendon='nobody'/>",
        "<framepos objtype='site' objname='nobody'/>",
        "<framequat objtype='body' objname='b' cutoff='1'/>",
        "<jointpos joint='j' delay='0.1'/>",
        "<ballquat joint='j'/>",
        "<jointpos joint='j' cutoff='-1'/>",
        "<distance geom1='g' geom2='g'/>",
    ];
    let ok = "<mujoco><worldbody><body name='b'><joint name='j' range='-1 1'/><joint name='free' axis='1 0 0'/><geom name='g' size='0.1'/></body></worldbody><sensor>\n";
    for sensor in bad {
        let error = load_model(&format!("{ok}{sensor}</sensor></mujoco>")).err().map(|e| e.to_string());
        assert!(error.as_ref().is_some_and(|e| e.contains(":2:")), "{sensor}: {error:?}");
    }
}

/// Noise is there for those who ask, with a seed, and never by itself.
#[test]
fn noise_is_added_on_request_only() {
    let sensors =
        "<jointpos joint='j' noise='0.5'/><jointvel joint='j'/><framequat objtype='body' objname='b' noise='0.1'/>
                   <framezaxis objtype='site' objname='s' noise='0.1'/>";
    let m = hinge(sensors);
    let plain = at(&m, 0.2, 0.3);
    assert!((plain.sensordata[0] - 0.2).abs() < 1e-15);
    let noisy = |seed: u64| {
        let mut d = at(&m, 0.2, 0.3);
        SensorNoise::new(seed).add(&m, &mut d);
        d.sensordata
    };
    assert_eq!(noisy(1), noisy(1));
    assert_ne!(noisy(1)[0], noisy(2)[0]);
    assert_eq!(noisy(1)[1], plain.sensordata[1]);
    let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    for seed in 0..20 {
        let d = noisy(seed);
        assert!((norm(&d[2..6]) - 1.0).abs() < 1e-14 && (norm(&d[6..9]) - 1.0).abs() < 1e-14);
    }
    // the spread is the one asked for
    let mut source = SensorNoise::new(3);
    let mut sum = 0.0;
    for _ in 0..2000 {
        let mut d = plain.clone();
        source.add(&m, &mut d);
        sum += (d.sensordata[0] - 0.2).powi(2);
    }
    assert!(((sum / 2000.0).sqrt() - 0.5).abs() < 0.03, "{}", (sum / 2000.0).sqrt());
}

struct Twice;

impl Hooks for Twice {
    fn sensor(&self, m: &Model, d: &mut Data, stage: Stage) {
        if stage == Stage::Vel {
            let range = m.sensor_range(1);
            d.sensordata[range].copy_from_slice(&[2.0 * d.qvel[0], 9.0]);
        }
    }

    fn passive(&self, _m: &Model, d: &mut Data) {
        d.qfrc_passive[0] += 4.0;
    }
}

#[test]
fn user_functions_fill_sensors_and_push_dofs() {
    let m = hinge("<jointpos joint='j'/><user dim='2' needstage='vel' datatype='real' cutoff='5'/>");
    let mut parts = Kit { hooks: Twice, gain: DefaultGain, contact_solver: MujocoSolver };
    let mut d = m.make_data();
    d.qvel[0] = 1.5;
    pipeline::forward(&m, &mut d, &mut parts, Skip::Nothing).unwrap();
    assert_eq!(&d.sensordata[1..], &[3.0, 5.0]);
    assert_eq!(d.qfrc_passive[0], 4.0);
    d.forward(&m).unwrap();
    assert_eq!(&d.sensordata[1..], &[0.0, 0.0]);
}
