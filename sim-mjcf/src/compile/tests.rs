//! Whole models built in code, against numbers printed by MuJoCo 3.5.0 for the same model in MJCF.

use crate::error::MjcfError;
use crate::spec::*;
use crate::{LoadOptions, Memory, compile};
use sim_core::Model;
use sim_types::{GeomType, JointType, ObjType, Quat, Vec3};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_6};

fn compiled(spec: &Spec) -> Result<Model, MjcfError> {
    compile(spec, &Memory::new(), LoadOptions::default()).map(|loaded| loaded.model)
}

fn build(spec: &Spec) -> Model {
    compiled(spec).unwrap()
}

fn refuse(spec: &Spec) -> MjcfError {
    compiled(spec).unwrap_err()
}

fn v(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(x, y, z)
}

#[track_caller]
fn close<'a>(got: impl IntoIterator<Item = &'a f64>, want: &[f64]) {
    let got: Vec<f64> = got.into_iter().copied().collect();
    assert_eq!(got.len(), want.len(), "{got:?}");
    for (a, b) in got.iter().zip(want) {
        assert!((a - b).abs() <= 1e-12 * b.abs().max(1.0), "got {got:?}, want {want:?}");
    }
}

fn quat(q: Quat) -> [f64; 4] {
    q.to_array()
}

fn ball(body: usize, r: f64, pos: Vec3) -> Geom {
    Geom { body, size: [r, 0.0, 0.0], pos, ..Geom::default() }
}

fn joint(body: usize, kind: JointType) -> Joint {
    Joint { body, r#type: kind, ..Joint::default() }
}

/// Two rotated parts below a free body; the second is named and looked at, so it stays.
#[test]
fn fusing_adds_inertia_as_mujoco_does() {
    let mut spec = Spec::default();
    spec.compiler.fusestatic = true;
    let a = spec.add_body(0, "a");
    let part = spec.add_body(a, "");
    let tip = spec.add_body(part, "");
    let keep = spec.add_body(a, "keep");
    spec.joints.extend([joint(a, JointType::Free), joint(tip, JointType::Hinge)]);
    let cuboid = |body, size| Geom { body, r#type: GeomType::Box, size, ..Geom::default() };
    spec.geoms.push(cuboid(a, [0.1, 0.2, 0.3]));
    let turned = Quat::new(1.0, 1.0, 0.0, 0.0);
    spec.geoms.push(Geom { pos: v(0.0, 0.2, 0.0), quat: turned, ..cuboid(part, [0.1, 0.1, 0.3]) });
    spec.geoms.extend([ball(tip, 0.1, Vec3::zeros()), ball(keep, 0.05, Vec3::zeros())]);
    spec.bodies[part].pos = Vec3::x();
    spec.bodies[part].alt = Some(Orientation::Euler(v(0.0, 0.0, 30.0)));
    spec.bodies[tip].pos = v(0.0, 0.0, 0.5);
    spec.bodies[keep].pos = Vec3::y();
    spec.sites.push(Site { body: part, pos: Vec3::z(), ..Site::default() });
    spec.cameras.push(Camera { target: "keep".to_owned(), ..Camera::default() });
    spec.lights.push(Light { body: part, ..Light::default() });

    let m = build(&spec);
    assert_eq!(m.nbody, 4);
    close(m.body_ipos[1].iter(), &[0.3333333333333332, 0.06666666666666667, 0.0]);
    let axes = [0.44451466419606306, 0.44451466419606306, 0.5499151873831661, 0.5499151873831661];
    close(&quat(m.body_iquat[1]), &axes);
    close(&m.body_mass, &[0.0, 72.0, 8.0 * FRAC_PI_6, FRAC_PI_6]);
    close(m.body_inertia[1].iter(), &[18.446048936561954, 18.24, 2.8339510634380476]);
    close(m.body_pos[2].iter(), &[1.0, 0.0, 0.5]);
    close(m.geom_pos[1].iter(), &[0.9, 0.17320508075688776, 0.0]);
    close(m.site_pos[0].iter(), &[1.0, 0.0, 1.0]);
    assert_eq!(m.cam_targetbodyid[0].get(), Some(3));
    // the light moved along; MuJoCo would crash here
    assert_eq!(m.light_bodyid, [1]);
    close(m.light_pos[0].iter(), &[1.0, 0.0, 0.0]);
}

#[test]
fn a_free_body_is_aligned_with_its_inertia() {
    let mut spec = Spec::default();
    spec.compiler.alignfree = true;
    let b = spec.add_body(0, "");
    spec.bodies[b].pos = v(1.0, 2.0, 3.0);
    spec.bodies[b].alt = Some(Orientation::Euler(v(0.0, 90.0, 0.0)));
    spec.joints.push(joint(b, JointType::Free));
    spec.geoms.extend([ball(b, 0.1, Vec3::x()), ball(b, 0.1, v(0.0, 0.0, 2.0))]);
    spec.sites.push(Site { body: b, pos: Vec3::y(), ..Site::default() });
    spec.lights.push(Light { body: b, pos: Vec3::z(), ..Light::default() });

    let m = build(&spec);
    close(m.body_pos[1].iter(), &[2.0, 2.0, 2.5]);
    close(&quat(m.body_quat[1]), &[0.85065080835204, 0.0, 0.5257311121191335, 0.0]);
    close(&m.qpos0, &[2.0, 2.0, 2.5, 0.85065080835204, 0.0, 0.5257311121191335, 0.0]);
    close(m.geom_pos[0].iter(), &[0.0, 0.0, -1.118033988749895]);
    close(&quat(m.geom_quat[1]), &[0.9732489894677301, 0.0, 0.2297529205473612, 0.0]);
    close(m.site_pos[0].iter(), &[-0.8944271909999159, 1.0, -0.6708203932499368]);
    close(m.light_pos[0].iter(), &[-0.44721359549995787, 0.0, 0.22360679774997894]);
    close(m.light_dir[0].iter(), &[-0.447213595499958, 0.0, -0.8944271909999159]);
    assert_eq!(m.body_simple[1], 1);
}

#[test]
fn a_springdamper_is_resolved_with_the_inertia_the_joint_sees() {
    let mut spec = Spec::default();
    let b = spec.add_body(0, "");
    let nothing = spec.add_body(0, "");
    spec.bodies[b].pos = v(1.0, 2.0, 3.0);
    spec.bodies[nothing].pos = v(4.0, 5.0, 6.0);
    let diaginertia = v(1.0, 2.0, 2.5);
    spec.bodies[b].inertial = Some(Inertial { mass: 2.0, diaginertia, pos: v(0.0, 0.0, 0.1), ..Default::default() });
    spec.joints.push(Joint { axis: Vec3::x(), ..joint(b, JointType::Slide) });
    spec.joints.push(Joint { axis: Vec3::y(), springdamper: [0.1, 0.5], ..joint(b, JointType::Hinge) });

    let m = build(&spec);
    close(&m.dof_invweight0, &[0.505, 0.5]);
    close(&m.jnt_stiffness, &[0.0, 800.0]);
    close(&m.dof_damping, &[0.0, 40.0]);
    // a body with neither mass nor geoms has its pose in the parent as inertial frame
    close(m.body_ipos[2].iter(), &[4.0, 5.0, 6.0]);
    close([&m.stat.meaninertia, &m.stat.extent], &[2.01, 9.0]);
    close(m.stat.center.iter(), &[4.5, 6.0, 7.5]);

    spec.statistic = StatisticOverride { extent: Some(3.0), center: Some([1.0; 3]), ..Default::default() };
    let m = build(&spec);
    close([&m.stat.meaninertia, &m.stat.extent], &[2.01, 3.0]);
    close(m.stat.center.iter(), &[1.0; 3]);
}

#[test]
fn keyframes_are_padded_with_the_model_as_written() {
    let mut spec = Spec::default();
    let free = spec.add_body(0, "");
    let hinged = spec.add_body(0, "");
    let mocap = spec.add_body(0, "");
    spec.bodies[free].pos = v(1.0, 2.0, 3.0);
    spec.bodies[mocap].pos = v(7.0, 8.0, 9.0);
    spec.bodies[mocap].mocap = true;
    spec.joints.extend([joint(free, JointType::Free), Joint { r#ref: 90.0, ..joint(hinged, JointType::Hinge) }]);
    spec.geoms.extend([ball(free, 1.0, Vec3::zeros()), ball(hinged, 1.0, Vec3::zeros())]);
    spec.keys.push(Key { qpos: vec![1.0, 2.0, 3.0], ..Key::default() });
    spec.keys.push(Key { name: "b".to_owned(), qvel: vec![1.0], mquat: vec![0.0; 4], ..Key::default() });
    spec.size.nkey = 3;

    let m = build(&spec);
    assert_eq!(m.nkey, 3);
    close(&m.key_qpos[..8], &[1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0, 90.0]);
    close(&m.key_qpos[8..16], &[1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0, FRAC_PI_2]);
    close(&m.key_qpos[16..], &m.key_qpos[8..16]);
    close(&m.key_qvel[7..14], &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(m.key_mpos, vec![v(7.0, 8.0, 9.0); 3]);
    // a zero quaternion of a mocap body stays zero
    assert_eq!(m.key_mquat[1], Quat::new(0.0, 0.0, 0.0, 0.0));
    assert_eq!(m.names.id(ObjType::Key, "b"), Some(1));

    spec.keys[0].qpos = vec![0.0; 9];
    assert!(refuse(&spec).to_string().contains("qpos must have 8 numbers, not 9"));
}

#[test]
fn total_mass_and_bounds_are_set() {
    let mut spec = Spec::default();
    for r in [0.1, 0.2] {
        let b = spec.add_body(0, "");
        spec.joints.push(joint(b, JointType::Free));
        spec.geoms.push(ball(b, r, Vec3::zeros()));
    }
    spec.compiler.settotalmass = 9.0;
    let m = build(&spec);
    close(&m.body_mass, &[0.0, 1.0, 8.0]);
    close(m.body_inertia[2].iter(), &[0.128; 3]);
    spec.compiler.settotalmass = -1.0;
    (spec.compiler.boundmass, spec.compiler.boundinertia) = (10.0, 0.2);
    let m = build(&spec);
    assert_eq!(m.body_mass[1], 10.0);
    close(m.body_inertia[1].iter(), &[0.2; 3]);
}

#[test]
fn visual_geoms_are_dropped_but_their_inertia_stays() {
    let mut spec = Spec::default();
    let b = spec.add_body(0, "b");
    spec.joints.push(joint(b, JointType::Free));
    let visual = |name: &str| Geom { name: name.to_owned(), contype: 0, conaffinity: 0, ..ball(b, 0.1, Vec3::x()) };
    spec.geoms.extend([visual("seen"), visual("used"), ball(b, 0.1, Vec3::zeros())]);
    let element = |objtype, objname: &str| TupleElement { objtype, objname: objname.to_owned(), ..Default::default() };
    let elements = vec![element(ObjType::Geom, "used"), element(ObjType::Body, "b")];
    spec.tuples.push(Tuple { name: "t".to_owned(), elements, ..Tuple::default() });
    let all = build(&spec);
    spec.compiler.discardvisual = true;
    let m = build(&spec);
    assert_eq!((all.ngeom, m.ngeom), (3, 2));
    assert_eq!(m.body_mass, all.body_mass);
    assert_eq!(m.names.id(ObjType::Geom, "used"), Some(0));
    assert_eq!(m.tuple_objid.iter().map(|id| id.raw()).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(m.bvh_nodeid[0].get(), Some(1));
}

#[test]
fn several_mistakes_are_reported_together_and_where_they_are() {
    let mut spec = Spec::default();
    let b = spec.add_body(0, "b");
    spec.joints.extend([joint(b, JointType::Ball), joint(b, JointType::Hinge)]);
    spec.geoms.push(Geom { condim: 2, name: "g".to_owned(), ..ball(b, 0.1, Vec3::zeros()) });
    spec.sites.push(Site { body: b, size: [-1.0; 3], ..Site::default() });
    let error = refuse(&spec);
    assert_eq!(error.problems.len(), 3, "{error}");
    let text = error.to_string();
    assert!(text.contains("<geom name=\"g\">: condim must be 1, 3, 4 or 6, not 2"), "{text}");
    assert!(text.contains("a ball joint cannot be followed"), "{text}");
}

#[test]
fn rules_about_bodies() {
    let model = |edit: &dyn Fn(&mut Spec, usize)| {
        let mut spec = Spec::default();
        let b = spec.add_body(0, "b");
        spec.geoms.push(ball(b, 0.1, Vec3::zeros()));
        edit(&mut spec, b);
        compiled(&spec).map_err(|e| e.to_string())
    };
    assert!(model(&|s, b| s.joints.push(joint(b, JointType::Free))).is_ok());
    let massless = model(&|s, b| {
        s.joints.push(joint(b, JointType::Hinge));
        s.geoms.clear();
    });
    assert!(massless.unwrap_err().contains("needs mass"));
    // …but something fixed to it may have the mass
    let carried = model(&|s, b| {
        s.joints.push(joint(b, JointType::Hinge));
        let child = s.add_body(b, "");
        s.geoms[0].body = child;
    });
    assert!(carried.is_ok());
    let nested = model(&|s, b| {
        let child = s.add_body(b, "");
        s.joints.push(joint(child, JointType::Free));
        s.geoms[0].body = child;
    });
    assert!(nested.unwrap_err().contains("child of the world"));
    let mocap = model(&|s, b| {
        s.bodies[b].mocap = true;
        s.joints.push(joint(b, JointType::Hinge));
    });
    assert!(mocap.unwrap_err().contains("mocap"));
    let seven = model(&|s, b| s.joints.extend((0..7).map(|_| joint(b, JointType::Slide))));
    assert!(seven.unwrap_err().contains("at most 6"));
    let target = model(&|s, _| s.cameras.push(Camera { target: "x".to_owned(), ..Camera::default() }));
    assert!(target.unwrap_err().contains("no body named 'x'"));
}

#[test]
fn sizes_that_would_exhaust_the_memory_are_refused() {
    let mut spec = Spec::default();
    spec.size.nkey = i32::MAX;
    spec.size.nuser_body = Some(i32::MAX);
    let error = refuse(&spec).to_string();
    assert!(error.contains("nkey") && error.contains("nuser_body"), "{error}");
    spec.size = Size { nuser_body: Some(1), ..Size::default() };
    spec.add_body(0, "");
    spec.bodies[1].user = vec![1.0, 2.0];
    assert!(refuse(&spec).to_string().contains("nuser_body is 1"));
}

#[test]
fn the_empty_model_compiles() {
    let m = build(&Spec::default());
    assert_eq!((m.nbody, m.nq, m.nv, m.ngeom), (1, 0, 0, 0));
    assert_eq!(m.body_simple, [1]);
    assert_eq!(m.modelname, "MuJoCo Model");
    assert!(m.check().is_ok());
}

mod hostile {
    use super::*;
    use proptest::prelude::*;

    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![
            4 => -2.0..2.0f64,
            1 => prop::sample::select(vec![0.0, -0.0, 1e-9, 1e-320, 1e300, -1e300, f64::NAN, f64::INFINITY]),
        ]
    }

    prop_compose! {
        fn vec3()(a in prop::array::uniform3(number())) -> Vec3 { Vec3::from(a) }
    }

    prop_compose! {
        fn quat4()(q in prop::array::uniform4(number())) -> Quat { Quat::new(q[0], q[1], q[2], q[3]) }
    }

    fn alt() -> impl Strategy<Value = Option<Orientation>> {
        prop_oneof![
            Just(None),
            prop::array::uniform4(number()).prop_map(|a| Some(Orientation::AxisAngle(a))),
            prop::array::uniform6(number()).prop_map(|a| Some(Orientation::XyAxes(a))),
            vec3().prop_map(|a| Some(Orientation::ZAxis(a))),
            vec3().prop_map(|a| Some(Orientation::Euler(a))),
        ]
    }

    prop_compose! {
        fn body()(parent in 0..5usize, pos in vec3(), quat in quat4(), alt in alt(), mocap in prop::bool::weighted(0.1),
                  full in prop::option::of(prop::array::uniform6(number())), explicit in any::<bool>(),
                  (mass, diaginertia) in (number(), vec3())) -> Body {
            let inertial = Inertial { mass, diaginertia, fullinertia: full, pos, ..Inertial::default() };
            Body { parent, pos, quat, alt, mocap, inertial: explicit.then_some(inertial), ..Default::default() }
        }
    }

    prop_compose! {
        fn geom()(body in 0..6usize, kind in prop::sample::select(GeomType::ALL), size in prop::array::uniform3(number()),
                  pos in vec3(), alt in alt(), fromto in prop::option::weighted(0.3, prop::array::uniform6(number())),
                  mass in prop::option::of(number()), shell in any::<bool>(), fluid_ellipsoid in any::<bool>()) -> Geom {
            let typeinertia = if shell { GeomInertia::Shell } else { GeomInertia::Volume };
            Geom { body, r#type: kind, size, pos, alt, fromto, mass, typeinertia, fluid_ellipsoid, ..Geom::default() }
        }
    }

    prop_compose! {
        fn any_joint()(body in 0..6usize, kind in prop::sample::select(JointType::ALL), pos in vec3(), axis in vec3(),
                       range in prop::array::uniform2(number()), springdamper in prop::array::uniform2(number())) -> Joint {
            Joint { body, r#type: kind, pos, axis, range, springdamper, ..Joint::default() }
        }
    }

    prop_compose! {
        fn any_spec()(bodies in prop::collection::vec(body(), 0..5), geoms in prop::collection::vec(geom(), 0..6),
                      joints in prop::collection::vec(any_joint(), 0..5), flags in any::<[bool; 5]>(),
                      (bound, total) in (number(), number()), key in prop::collection::vec(number(), 0..9)) -> Spec {
            let mut spec = Spec { joints, geoms, ..Spec::default() };
            spec.bodies.extend(bodies);
            spec.compiler.fusestatic = flags[0];
            spec.compiler.alignfree = flags[1];
            spec.compiler.discardvisual = flags[2];
            spec.compiler.balanceinertia = flags[3];
            (spec.compiler.boundmass, spec.compiler.boundinertia) = (bound, bound);
            spec.compiler.settotalmass = if flags[4] { total } else { -1.0 };
            spec.keys.push(Key { qpos: key, ..Key::default() });
            spec
        }
    }

    proptest! {
        /// Whatever is in the spec, the answer is an error or a model whose arrays fit together.
        #[test]
        fn any_spec_is_refused_or_compiled(spec in any_spec()) {
            match compiled(&spec) {
                Ok(m) => prop_assert!(m.check().is_ok()),
                Err(error) => prop_assert!(!error.problems.is_empty()),
            }
        }
    }
}

#[test]
fn an_element_is_read_with_the_settings_of_its_origin() {
    let mut spec = Spec::default();
    let radian = Compiler { degree: false, ..Compiler::default() };
    spec.origins = vec![Origin { compiler: radian, dir: "child/".to_owned() }];
    for origin in [0, 1] {
        let body = spec.add_body(Spec::WORLD, "");
        spec.geoms.push(Geom { body, size: [0.1, 0.0, 0.0], ..Geom::default() });
        spec.joints.push(Joint { body, range: [-1.0, 1.0], r#ref: 0.5, origin, ..Joint::default() });
    }
    let m = build(&spec);
    close(&[m.jnt_range[0][1], m.jnt_range[1][1]], &[1.0_f64.to_radians(), 1.0]);
    close(&m.qpos0, &[0.5_f64.to_radians(), 0.5]);
    assert_eq!([spec.dir_of(0), spec.dir_of(1), spec.dir_of(2)], ["", "child/", ""]);
}

/// The numbers are MuJoCo's.
#[test]
fn short_keyframes_take_a_freejoint_for_a_hinge() {
    let key = |joint: &str| {
        let xml = format!(
            "<mujoco><default><joint type='free'/></default><worldbody><body pos='1 2 3' quat='0 1 0 0'>{joint}\
             <geom size='1'/></body></worldbody><keyframe><key qpos='9'/></keyframe></mujoco>"
        );
        crate::load_model(&xml).unwrap().key_qpos
    };
    assert_eq!(key("<freejoint/>"), [9.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(key("<joint type='free'/>"), [9.0, 2.0, 3.0, 0.0, 1.0, 0.0, 0.0]);
}
