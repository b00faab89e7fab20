//! Editing specs in code: attach, copy, delete, compile again. What comes out is checked against what MuJoCo 3.5.0 keeps.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use proptest::prelude::*;
use sim_mjcf::spec::{Body, Geom, Joint, Part, Place, Spec};
use sim_mjcf::{Limits, LoadOptions, Memory, MjcfError, compile, load_spec, load_with};
use sim_types::{JointType, ObjType, Vec3};
use std::time::{Duration, Instant};

/// Two bodies that refer to each other in every way, and one that stands alone.
const CHILD: &str = r#"
<mujoco model="child">
  <compiler angle="radian"/>
  <default>
    <geom size="0.1"/>
    <default class="wheel"><geom size="0.2"/><joint damping="3"/></default>
  </default>
  <asset><texture name="tex" builtin="flat" width="4" height="4"/><material name="mat" texture="tex"/></asset>
  <worldbody>
    <geom name="rock"/>
    <body name="base">
      <joint name="turn" range="-1 1"/>
      <geom name="hull" material="mat"/>
      <site name="front"/>
      <frame name="mount" pos="0 0 1">
        <body name="wheel" childclass="wheel">
          <joint name="spin"/>
          <geom name="tire"/>
          <site name="hub"/>
        </body>
      </frame>
    </body>
    <body name="loose"><joint name="slip" type="slide"/><geom/><site name="end"/></body>
  </worldbody>
  <contact>
    <pair name="touch" geom1="hull" geom2="tire"/>
    <pair name="ground" geom1="hull" geom2="rock"/>
    <exclude name="ignore" body1="base" body2="wheel"/>
  </contact>
  <tendon>
    <fixed name="sum"><joint joint="turn" coef="1"/><joint joint="spin" coef="2"/></fixed>
    <spatial name="long"><site site="front"/><site site="end"/></spatial>
    <spatial name="wrapped"><site site="front"/><geom geom="tire"/><site site="hub"/></spatial>
  </tendon>
  <equality>
    <joint name="tie" joint1="turn" joint2="spin"/>
    <weld name="hold" body1="loose"/>
  </equality>
  <actuator>
    <motor name="drive" joint="spin"/>
    <position name="servo" joint="turn" timeconst="0.1"/>
    <motor name="slider" joint="slip"/>
    <motor name="pull" tendon="sum"/>
  </actuator>
  <sensor>
    <jointpos name="angle" joint="spin"/>
    <actuatorfrc name="effort" actuator="drive"/>
    <jointpos name="gone" joint="slip"/>
    <clock name="time"/>
  </sensor>
  <keyframe><key name="start" qpos="0.5 0.6 0.7" ctrl="1 2 3 4" act="0.9"/></keyframe>
</mujoco>"#;

fn child() -> Spec {
    Spec::parse(CHILD).unwrap().0
}

fn names<T>(list: &[T], name: impl Fn(&T) -> &String) -> Vec<&str> {
    list.iter().map(|e| name(e).as_str()).collect()
}

#[test]
fn a_deleted_body_takes_along_what_refers_to_it() {
    let mut spec = child();
    spec.delete_body(spec.find_body("wheel").unwrap()).unwrap();
    assert_eq!(names(&spec.bodies, |b| &b.name), ["world", "base", "loose"]);
    assert_eq!(names(&spec.pairs, |p| &p.name), ["ground"]);
    assert!(spec.excludes.is_empty());
    assert_eq!(names(&spec.tendons, |t| &t.name), ["long"]);
    assert_eq!(names(&spec.equalities, |e| &e.name), ["hold"]);
    assert_eq!(names(&spec.actuators, |a| &a.name), ["servo", "slider"]);
    assert_eq!(names(&spec.sensors, |s| &s.name), ["gone", "time"]);

    // the keyframe keeps what belongs to the others
    let m = spec.compile().unwrap();
    assert_eq!(m.key_qpos, [0.5, 0.7]);
    assert_eq!(m.key_ctrl, [2.0, 3.0]);
    assert_eq!(m.key_act, [0.9]);
    assert_eq!(m.names.name(ObjType::Key, 0), Some("start"));
}

#[test]
fn what_was_broken_before_stays_when_a_body_goes() {
    let mut spec = child();
    spec.pairs[0].geom1 = "nobody".to_owned();
    spec.delete_body(spec.find_body("loose").unwrap()).unwrap();
    assert_eq!(names(&spec.pairs, |p| &p.name), ["touch", "ground"]);
    assert!(spec.compile().unwrap_err().to_string().contains("nobody"));
}

#[test]
fn the_world_and_unknown_bodies_cannot_be_deleted() {
    let mut spec = child();
    assert!(spec.delete_body(Spec::WORLD).is_err());
    assert!(spec.delete_body(99).is_err());
    assert_eq!(spec, child());
}

#[test]
fn single_elements_classes_and_frames_can_be_deleted() {
    let mut spec = child();
    spec.delete_sensor(spec.find_sensor("angle").unwrap()).unwrap();
    spec.delete_frame(spec.find_frame("mount").unwrap()).unwrap();
    assert_eq!(spec.bodies[spec.find_body("wheel").unwrap()].frame, None);
    spec.delete_class(spec.find_class("wheel").unwrap()).unwrap();
    assert_eq!(spec.find_class("wheel"), None);
    assert!(spec.delete_class(Spec::MAIN).is_none());
    assert!(spec.delete_key(7).is_none());
    let m = spec.compile().unwrap();
    let tire = m.names.id(ObjType::Geom, "tire").unwrap();
    assert!((m.geom_size[tire].x - 0.2).abs() < 1e-15, "what the class gave stays");
    let wheel = m.names.id(ObjType::Body, "wheel").unwrap();
    assert!(m.body_pos[wheel].norm() < 1e-15, "the frame's pose is gone");
}

#[test]
fn an_attached_body_brings_what_belongs_to_it_and_says_what_it_leaves() {
    let child = child();
    let mut spec = Spec::new();
    let base = child.find_body("base").unwrap();
    let attached = spec.attach(Place::default(), &child, Part::Body(base), "p_", "_s").unwrap();
    assert_eq!(spec.bodies[attached.index].name, "p_base_s");
    assert_eq!(names(&spec.frames, |f| &f.name), ["p_mount_s"]);
    assert_eq!(names(&spec.pairs, |p| &p.name), ["p_touch_s"]);
    assert_eq!(names(&spec.excludes, |p| &p.name), ["p_ignore_s"]);
    // a wrapping geom without a side site is not found again, as in MuJoCo
    assert_eq!(names(&spec.tendons, |t| &t.name), ["p_sum_s"]);
    assert_eq!(names(&spec.equalities, |e| &e.name), ["p_tie_s"]);
    assert_eq!(names(&spec.actuators, |a| &a.name), ["p_drive_s", "p_servo_s", "p_pull_s"]);
    assert_eq!(names(&spec.sensors, |s| &s.name), ["p_angle_s", "p_effort_s", "p_time_s"]);
    assert_eq!(names(&spec.textures, |t| &t.name), ["p_tex_s"]);
    assert_eq!(spec.materials[0].textures[1], "p_tex_s");
    assert_eq!(names(&spec.defaults, |d| &d.name), ["main", "p_main_s", "p_wheel_s"]);
    let left: Vec<&str> = attached.warnings.iter().map(|w| w.message.as_str()).collect();
    assert!(left.iter().any(|m| m.starts_with("actuator 'slider' is not attached")), "{left:?}");
    assert_eq!(left.len(), 6, "{left:?}");
    assert!(attached.warnings.iter().all(|w| w.at.line > 0));

    // the child's angles are radians, this spec's are degrees
    let m = spec.compile().unwrap();
    assert!((m.jnt_range[0][1] - 1.0).abs() < 1e-15);
    assert_eq!(m.key_qpos, [0.5, 0.6]);
    assert_eq!(m.names.name(ObjType::Key, 0), Some("p_start_s"));
    for (kind, name) in [
        (ObjType::Texture, "p_tex_s"),
        (ObjType::Material, "p_mat_s"),
        (ObjType::Pair, "p_touch_s"),
        (ObjType::Exclude, "p_ignore_s"),
        (ObjType::Equality, "p_tie_s"),
        (ObjType::Tendon, "p_sum_s"),
        (ObjType::Actuator, "p_pull_s"),
        (ObjType::Sensor, "p_time_s"),
    ] {
        let id = m.names.id(kind, name);
        assert_eq!(id.and_then(|id| m.names.name(kind, id)), Some(name), "{kind:?}");
    }
}

#[test]
fn a_name_that_is_taken_is_refused() {
    let child = child();
    let mut spec = Spec::new();
    let part = |name: &str| Part::Body(child.find_body(name).unwrap());
    spec.attach(Place::default(), &child, part("base"), "p_", "").unwrap();
    let error = spec.attach(Place::default(), &child, part("loose"), "p_", "").unwrap_err();
    assert!(error.to_string().contains("there is already a texture called 'p_tex'"), "{error}");
    assert!(spec.attach(Place { body: 77, frame: None }, &child, Part::World, "q_", "").is_err());
    assert!(spec.attach(Place { body: 0, frame: Some(0) }, &child, Part::World, "q_", "").is_err());
    assert!(spec.attach(Place::default(), &child, Part::Frame(9), "q_", "").is_err());
}

#[test]
fn a_copy_shares_assets_and_gets_references_of_its_own() {
    let mut spec = child();
    let base = spec.find_body("base").unwrap();
    spec.duplicate(Place::default(), Part::Body(base), "", "2").unwrap();
    assert_eq!(spec.materials.len(), 1);
    assert!(spec.find_actuator("drive2").is_some() && spec.find_pair("ground2").is_some());
    assert!(spec.find_actuator("slider2").is_none());
    let m = spec.compile().unwrap();
    assert_eq!((m.nu, m.nkey), (7, 2));
}

#[test]
fn a_frame_can_be_attached_with_what_stands_in_it() {
    let child = child();
    let mut spec = Spec::new();
    let arm = spec.add_body(Spec::WORLD, "arm");
    let mount = child.find_frame("mount").unwrap();
    let attached = spec.attach(Place { body: arm, frame: None }, &child, Part::Frame(mount), "p_", "").unwrap();
    assert_eq!(spec.frames[attached.index].name, "p_mount");
    let m = spec.compile().unwrap();
    let wheel = m.names.id(ObjType::Body, "p_wheel").unwrap();
    assert_eq!(m.body_pos[wheel], Vec3::z());
    assert_eq!(m.names.id(ObjType::Body, "p_base"), None);
}

#[test]
fn compiling_again_keeps_the_state_by_name() {
    let mut spec = child();
    let source = Memory::new();
    let old = spec.compile().unwrap();
    let mut data = old.make_data();
    (data.time, data.qpos, data.qvel) = (2.5, vec![0.1, 0.2, 0.3], vec![1.0, 2.0, 3.0]);
    (data.ctrl, data.act) = (vec![4.0, 5.0, 6.0, 7.0], vec![0.4]);

    // one body less in the middle, one more in front of the others
    spec.delete_body(spec.find_body("wheel").unwrap()).unwrap();
    spec.bodies.insert(1, Body { name: "new".to_owned(), ..Body::default() });
    for body in spec.bodies.iter_mut().skip(2).filter(|b| b.parent > 0) {
        body.parent += 1;
    }
    spec.joints.iter_mut().for_each(|j| j.body += 1);
    spec.geoms.iter_mut().filter(|g| g.body > 0).for_each(|g| g.body += 1);
    spec.sites.iter_mut().filter(|s| s.body > 0).for_each(|s| s.body += 1);
    spec.joints.push(Joint { body: 1, name: "first".to_owned(), r#ref: 0.9, ..Joint::default() });
    spec.geoms.push(Geom { body: 1, size: [0.1, 0.0, 0.0], ..Geom::default() });
    let (m, d) = spec.recompile((&old, &data), &source, LoadOptions::default()).unwrap();
    assert_eq!(m.names.all(ObjType::Joint), ["first", "turn", "slip"]);
    assert_eq!((d.time, d.qpos.as_slice(), d.qvel.as_slice()), (2.5, &[0.9, 0.1, 0.3][..], &[0.0, 1.0, 3.0][..]));
    assert_eq!((d.ctrl.as_slice(), d.act.as_slice()), (&[5.0, 6.0][..], &[0.4][..]));

    // a joint of another type starts anew
    spec.joints[0].r#type = JointType::Ball;
    spec.joints[0].range = [0.0; 2];
    let (_, d) = spec.recompile((&m, &d), &source, LoadOptions::default()).unwrap();
    assert_eq!(d.qpos, [0.9, 1.0, 0.0, 0.0, 0.0, 0.3]);
}

fn replicated(count: u32, inside: &str, rest: &str) -> String {
    format!("<mujoco>{rest}<worldbody>\n<replicate count='{count}'>{inside}</replicate></worldbody></mujoco>")
}

fn load(xml: &str, options: LoadOptions) -> Result<sim_mjcf::Loaded, MjcfError> {
    load_with(&Memory::from([("m.xml", xml), ("c.xml", CHILD)]), "m.xml", options)
}

#[test]
fn copies_stop_at_the_limit_before_they_are_made() {
    let body = "<body name='b'><joint name='j'/><geom size='1'/></body>";
    let nested = format!("<replicate count='30000'><replicate count='30000'>{body}</replicate></replicate>");
    // sensors without an object double with every copy, in MuJoCo until the memory is gone
    let clock = "<sensor><clock/></sensor>";
    let keys = "<keyframe><key name='k' qpos='1'/></keyframe>";
    for (xml, what) in [
        (replicated(2_147_483_647, body, ""), "bodies"),
        (replicated(2_147_483_647, "<geom size='1'/>", ""), "elements"),
        (replicated(2_147_483_647, "", ""), "elements"),
        (replicated(2, &nested, ""), "bodies"),
        (replicated(20_000, body, keys), "keyframes"),
        (replicated(60, body, clock), "elements"),
    ] {
        let start = Instant::now();
        let limits = Limits { elements: 200_000, ..Limits::default() };
        let error = load(&xml, LoadOptions { limits, ..LoadOptions::default() }).unwrap_err();
        assert!(error.to_string().contains(what), "{error}");
        assert_eq!((error.problems[0].at.line, &*error.problems[0].at.file), (2, "m.xml"), "{error}");
        assert!(start.elapsed() < Duration::from_secs(20), "{what} took {:?}", start.elapsed());
    }
}

#[test]
fn what_is_dropped_is_a_warning_or_an_error() {
    let attach = "<mujoco><asset><model name='c' file='c.xml'/></asset><worldbody>
        <attach model='c' body='base' prefix='p_'/></worldbody></mujoco>";
    let replicate = "<mujoco><worldbody><body name='w'><joint name='w'/><geom size='1'/></body>
        <replicate count='2'><body name='b'><joint name='j'/><geom size='1'/></body></replicate></worldbody>
        <equality><joint name='e' joint1='j' joint2='w'/></equality></mujoco>";
    let padded = "<mujoco><worldbody><body><joint/><joint axis='1 0 0'/><geom size='1'/></body></worldbody>
        <keyframe><key name='k' qpos='1'/></keyframe></mujoco>";
    let frame = "<mujoco><worldbody><frame><geom size='1' colour='red'/></frame></worldbody></mujoco>";
    for (xml, message) in [
        (attach, "actuator 'slider' is not attached"),
        (replicate, "equality constraint 'e' is dropped"),
        (padded, "keyframe 'k': qpos has 1 of 2 numbers"),
        (frame, "colour"),
    ] {
        let loaded = load(xml, LoadOptions::default()).unwrap();
        let warning = loaded.report.warnings.iter().find(|w| w.message.contains(message));
        let warning = warning.unwrap_or_else(|| panic!("{message}: {:?}", loaded.report));
        assert!(warning.at.line > 0 && warning.at.file.contains(".xml"), "{warning}");
        let strict = LoadOptions { strict: true, ..LoadOptions::default() };
        assert!(load(xml, strict).unwrap_err().to_string().contains(message));
    }
}

/// The files of an attached model are looked for where that model stands, not where the parent does.
#[test]
fn assets_of_an_attached_file_are_found_beside_it() {
    let main = "<mujoco><compiler meshdir='nowhere'/><asset><model name='c' file='sub/child.xml'/></asset>
        <worldbody><attach model='c' prefix='p_'/></worldbody></mujoco>";
    let child = "<mujoco><compiler meshdir='shapes'/>
        <asset><mesh file='tet.obj'/><hfield name='h' nrow='2' ncol='2' size='1 1 1 1'/></asset>
        <worldbody><geom type='mesh' mesh='tet'/><geom type='hfield' hfield='h'/></worldbody></mujoco>";
    let tet = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    let source = Memory::from([("m/main.xml", main), ("m/sub/child.xml", child), ("m/sub/shapes/tet.obj", tet)]);
    let m = load_with(&source, "m/main.xml", LoadOptions::default()).unwrap().model;
    assert_eq!(m.names.id(ObjType::Mesh, "p_tet"), Some(0));
    assert_eq!(m.names.id(ObjType::Hfield, "p_h"), Some(0));
    assert_eq!(m.assets.nmeshvert, 4);
}

#[test]
fn flexes_and_skins_come_along_under_their_own_names() {
    let child = "<mujoco model='c'><worldbody><body name='b'>
        <flexcomp name='f' type='grid' count='2 2 1' spacing='1 1 1' dim='2' mass='1'/></body></worldbody>
        <deformable><skin name='s' vertex='0 0 0 1 0 0 0 1 0' face='0 1 2'>
        <bone body='b' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/></skin></deformable></mujoco>";
    let (child, _) = Spec::parse(child).unwrap();
    let mut spec = Spec::new();
    spec.attach(Place::default(), &child, Part::World, "p_", "").unwrap();
    assert_eq!((&*spec.flexes[0].name, &*spec.flexes[0].vertbody[3]), ("f", "p_f_3"));
    assert_eq!((&*spec.skins[0].name, &*spec.skins[0].bones[0].body), ("s", "p_b"));
    let error = spec.attach(Place::default(), &child, Part::World, "q_", "").unwrap_err();
    assert!(error.to_string().contains("already a skin called 's'"), "{error}");
}

#[test]
fn a_model_that_needs_itself_is_refused() {
    let needs = |file: &str| format!("<mujoco><asset><model file='{file}'/><model file='{file}'/></asset></mujoco>");
    let cycle = Memory::from([("a.xml", needs("b.xml")), ("b.xml", needs("a.xml"))]);
    let error = load_with(&cycle, "a.xml", LoadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("needs itself"), "{error}");

    // every file needs the next one twice
    let mut chain = Memory::new();
    for i in 0..30 {
        chain.insert(&format!("{i}.xml"), needs(&format!("{}.xml", i + 1)));
    }
    chain.insert("30.xml", "<mujoco/>");
    let error = load_with(&chain, "0.xml", LoadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("too many model files"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Whatever is done to a spec, it compiles or says why not.
    #[test]
    fn any_sequence_of_edits_compiles_or_is_refused(steps in prop::collection::vec((0_usize..14, 0_usize..12, 0_usize..12), 1..12)) {
        let (child, _) = load_spec(&Memory::from([("c.xml", CHILD)]), "c.xml", LoadOptions::default()).unwrap();
        let mut spec = child.clone();
        for (step, a, b) in steps {
            let place = Place { body: a % 6, frame: if b % 3 == 0 { Some(b / 3) } else { None } };
            match step {
                0 => _ = spec.delete_body(a),
                1 => _ = spec.attach(place, &child, Part::World, ["", "p_"][b % 2], ["", "_s"][a % 2]),
                2 => _ = spec.attach(place, &child, Part::Body(b % 5), "q", &b.to_string()),
                3 => _ = spec.attach(place, &child, Part::Frame(b % 2), "", "f"),
                4 => _ = spec.duplicate(place, Part::Body(b), "", &a.to_string()),
                5 => _ = spec.duplicate(place, Part::Frame(b % 3), "d", ""),
                6 => _ = spec.duplicate(place, Part::World, "w", ""),
                7 => _ = spec.delete_joint(a),
                8 => _ = spec.delete_actuator(a),
                9 => _ = spec.delete_frame(a % 3),
                10 => _ = spec.delete_class(a % 4),
                11 => spec.bodies.get_mut(a).into_iter().for_each(|body| body.parent = b),
                12 => spec.joints.get_mut(a).into_iter().for_each(|joint| joint.body = b),
                _ => spec.keys.iter_mut().for_each(|key| key.qpos.truncate(a)),
            }
            if spec.bodies.len() > 300 {
                break;
            }
        }
        let source = Memory::new();
        if let Ok(loaded) = compile(&spec, &source, LoadOptions::default()) {
            let data = loaded.model.make_data();
            prop_assert!(spec.recompile((&loaded.model, &data), &source, LoadOptions::default()).is_ok());
        }
    }
}
