//! What is written reads back the same.

use crate::spec::{Actuator, Frame, Geom, Orientation, Site, Spec};
use crate::{LoadOptions, Memory, load_model, load_spec, model_to_mjcf};
use sim_types::{BiasType, Quat, TrnType, Vec3};

fn spec(xml: &str) -> Spec {
    let source = Memory::from([("m.xml", xml)]);
    let mut spec = load_spec(&source, "m.xml", LoadOptions::default()).unwrap().0;
    forget_places(&mut spec);
    spec
}

/// Takes out what a text cannot keep: where things were written.
fn forget_places(spec: &mut Spec) {
    macro_rules! forget {
        ($($list:ident)*) => { $(spec.$list.iter_mut().for_each(|e| e.at = crate::Location::default());)* };
    }
    forget!(defaults bodies frames joints geoms sites cameras lights materials textures pairs excludes equalities);
    forget!(tendons actuators sensors numerics texts tuples keys meshes hfields skins flexes);
    spec.bodies.iter_mut().filter_map(|b| b.inertial.as_mut()).for_each(|i| i.at = crate::Location::default());
    spec.tendons.iter_mut().flat_map(|t| &mut t.path).for_each(|w| w.at = crate::Location::default());
    spec.tuples.iter_mut().flat_map(|t| &mut t.elements).for_each(|e| e.at = crate::Location::default());
    spec.size.at = crate::Location::default();
}

#[test]
fn a_spec_reads_back_equal() {
    let xml = r#"<mujoco model="a &lt; b">
        <compiler angle="radian" eulerseq="ZYX"><lengthrange mode="all"/></compiler>
        <option timestep="0.1" solver="CG" actuatorgroupdisable="1 30"><flag contact="disable" energy="enable"/></option>
        <size memory="1M" nkey="3" nuser_geom="2"/>
        <visual><rgba fog="0 0 1 1"/></visual>
        <statistic extent="3"/>
        <default>
          <geom friction="3" mass="2"/>
          <default class="a"><geom type="box" euler="0 0 1"/><camera user="1"/>
            <position kp="7" inheritrange="0.5"/>
            <default class="b"><joint damping="1"/><general biastype="none"/></default>
          </default>
        </default>
        <asset><texture name="t" builtin="flat" width="2" height="2" gridsize="1 2" gridlayout="RL"/>
          <material name="m" texture="t"/><material name="n"><layer role="orm" texture="t"/></material></asset>
        <asset><mesh name="tet" scale="2 2 2" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><mesh name="ball" builtin="sphere" params="1"/>
          <hfield name="hills" size="1 1 1 1" nrow="2" ncol="2" elevation="1 2 3 4"/></asset>
        <deformable><flex name="line" dim="1" body="x free" element="0 1"><contact internal="true"/><edge damping="1"/></flex>
          <skin name="skin" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"><bone body="x" bindpos="0 0 0" bindquat="1 0 0 0"
            vertid="0 1 2" vertweight="1 1 1"/></skin></deformable>
        <worldbody>
          <geom name="g0" size="1"/>
          <frame name="f" pos="1 2 3" childclass="a">
            <geom size="1 1 1" material="m"/>
            <body name="x" zaxis="1 1 0">
              <inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0.1"/>
              <joint name="j" class="b" range="-1 1"/>
              <frame euler="1 0 0"><site name="s" class="main" fromto="0 0 0 0 0 1" type="capsule" size="0.1"/></frame>
              <camera name="c" sensorsize="0.1 0.2" focal="0.1 0.1" output="depth rgb"/>
              <light target="x" type="point"/>
            </body>
          </frame>
          <geom name="g1" size="1"/>
          <body name="free"><freejoint align="true"/><geom name="g2" size="1" quat="1 2 3 4"/></body>
        </worldbody>
        <contact><pair geom1="g1" geom2="g2" friction="2"/><exclude body1="x" body2="free"/></contact>
        <equality><weld body1="x" anchor="1 2 3" torquescale="0.5"/><joint joint1="j" polycoef="1 2"/>
          <connect body1="x" body2="free" anchor="0 0 0"/></equality>
        <tendon><fixed name="t" class="b"><joint joint="j" coef="-0"/></fixed></tendon>
        <actuator><position class="a" joint="j"/><general class="b" joint="j"/><motor joint="j"/>
          <position class="a" joint="j" inheritrange="0.25" kv="3"/>
          <intvelocity joint="j" inheritrange="0.1" dampratio="1"/></actuator>
        <sensor><framepos objtype="xbody" objname="x" reftype="site" refname="s"/>
          <contact subtree1="x" geom2="g1" data="found pos" num="2" reduce="netforce"/>
          <rangefinder site="s"/><user dim="2" needstage="vel"/></sensor>
        <custom><numeric name="n" size="3" data="1"/><text name="x" data="&quot;&#10;"/>
          <tuple name="t"><element objtype="body" objname="x" prm="2"/></tuple></custom>
        <keyframe><key name="k" time="1" qpos="0.5"/></keyframe>
      </mujoco>"#;
    let first = spec(xml);
    let text = first.to_xml();
    let second = spec(&text);
    assert_eq!(second.to_xml(), text);
    // frames come in the order they are written in, all else is equal
    assert_eq!(second, first, "{text}");
}

#[test]
fn order_within_a_kind_wins_over_frames() {
    let mut spec = Spec::default();
    let frame = |frame| Frame { frame, name: "f".to_owned(), pos: Vec3::x(), ..Frame::default() };
    spec.frames = vec![frame(None), Frame { name: String::new(), ..frame(Some(0)) }];
    let geom = |name: &str, frame| Geom { name: name.to_owned(), frame, size: [1.0; 3], ..Geom::default() };
    spec.geoms = vec![geom("a", Some(1)), geom("b", None), geom("c", Some(0)), geom("d", Some(1))];
    spec.sites = vec![Site { name: "s".to_owned(), frame: Some(0), ..Site::default() }];
    let model = load_model(&spec.to_xml()).unwrap();
    assert_eq!(model.names.all(sim_types::ObjType::Geom), ["a", "b", "c", "d"]);
    assert_eq!(model.geom_pos.iter().map(|p| p.x).collect::<Vec<_>>(), [2.0, 0.0, 1.0, 2.0]);
    assert_eq!(model.site_pos[0].x, 1.0);
}

#[test]
fn an_element_can_take_back_what_its_class_says() {
    let mut spec = Spec::default();
    let class = spec.add_class(Spec::MAIN, "c");
    let record = &mut spec.defaults[class].geom;
    record.mass = Some(3.0);
    record.fromto = Some([0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    record.alt = Some(Orientation::ZAxis(Vec3::x()));
    record.user = vec![1.0];
    let quat = Quat { w: 0.5, x: 0.5, y: 0.5, z: 0.5 };
    spec.geoms.push(Geom { class, quat, size: [1.0; 3], ..Geom::default() });
    let text = spec.to_xml();
    let m = load_model(&text).unwrap();
    assert!((m.geom_quat[0].to_array().map(|x| x - 0.5)).iter().all(|x| x.abs() < 1e-15), "{text}");
    assert_eq!(m.geom_user, [0.0]);
}

#[test]
fn broken_specs_are_written_without_their_broken_parts() {
    let mut spec = Spec::default();
    let a = spec.add_body(0, "a");
    spec.bodies[a].parent = a;
    spec.frames =
        vec![Frame { frame: Some(0), ..Frame::default() }, Frame { frame: Some(7), body: 9, ..Frame::default() }];
    spec.geoms.push(Geom { body: 5, ..Geom::default() });
    spec.sites.push(Site { frame: Some(1), class: 8, ..Site::default() });
    spec.actuators.push(Actuator {
        class: 9,
        biastype: BiasType::Affine,
        trntype: TrnType::Joint,
        ..Actuator::default()
    });
    let text = spec.to_xml();
    assert!(text.contains("<site/>") && text.contains("<frame/>") && !text.contains("<geom"), "{text}");
    assert!(Spec { bodies: Vec::new(), defaults: Vec::new(), ..spec }.to_xml().starts_with("<mujoco"));
}

#[test]
fn a_model_without_names_for_what_it_refers_to_cannot_be_written() {
    let xml = "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>
        <actuator><motor joint='j'/></actuator></mujoco>";
    let mut m = load_model(xml).unwrap();
    m.names.set(sim_types::ObjType::Joint, vec![String::new()]).unwrap();
    let error = model_to_mjcf(&m).unwrap_err().to_string();
    assert!(error.contains("joint 0"), "{error}");
    m.jnt_pos.clear();
    assert!(model_to_mjcf(&m).is_err());
}

#[test]
fn files_of_attached_models_are_found_again() {
    let child = "<mujoco><compiler meshdir='shapes'/><asset><mesh name='m' file='t.obj'/></asset>
        <worldbody><body name='b'><geom type='mesh' mesh='m'/></body></worldbody></mujoco>";
    let main = "<mujoco><asset><model name='c' file='sub/child.xml'/></asset>
        <worldbody><body><attach model='c' body='b' prefix='p_'/></body></worldbody></mujoco>";
    let mesh = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    let mut source = Memory::from([("main.xml", main), ("sub/child.xml", child), ("sub/shapes/t.obj", mesh)]);
    let (spec, _) = load_spec(&source, "main.xml", LoadOptions::default()).unwrap();
    let model = crate::compile(&spec, &source, LoadOptions::default()).unwrap().model;
    let mut flat = spec.flattened(&model).unwrap();
    flat.map_files(str::to_owned);
    let xml = flat.to_xml();
    assert!(xml.contains("\"sub/shapes/t.obj\""), "{xml}");
    source.insert("flat.xml", xml);
    let again = crate::load_with(&source, "flat.xml", LoadOptions::default()).unwrap().model;
    assert_eq!(again.assets.mesh_vert, model.assets.mesh_vert);
    assert_eq!(again.body_inertia, model.body_inertia);
}

#[test]
fn a_primitive_keeps_the_mesh_it_was_fitted_to() {
    let xml = "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 2 0 0 0 3'/></asset><worldbody><body pos='1 0 0'>
        <geom type='box' mesh='m' pos='3 2 1' quat='1 2 3 4' fitscale='1.5'/><geom size='1'/></body></worldbody></mujoco>";
    let source = Memory::from([("m.xml", xml)]);
    let (spec, _) = load_spec(&source, "m.xml", LoadOptions::default()).unwrap();
    let model = crate::compile(&spec, &source, LoadOptions::default()).unwrap().model;
    let again = load_model(&spec.flattened(&model).unwrap().to_xml()).unwrap();
    assert!(model.geom_dataid[0].get().is_some());
    assert_eq!(again.geom_dataid, model.geom_dataid);
    assert_eq!(again.geom_size, model.geom_size);
    for (a, b) in again.geom_pos.iter().zip(&model.geom_pos) {
        assert!((a - b).norm() < 1e-14, "{a} {b}");
    }
}

#[test]
fn a_flex_with_nodes_in_one_body_is_not_written_as_another_model() {
    let xml = "<mujoco><worldbody><flexcomp name='jelly' type='grid' count='3 3 3' spacing='.1 .1 .1' dim='3' radius='.01'
        mass='1' dof='trilinear' rigid='false'><contact selfcollide='none'/><pin id='0'/></flexcomp></worldbody></mujoco>";
    let (spec, _) = Spec::parse(xml).unwrap();
    let model = spec.compile().unwrap();
    assert!(model.flex_node.iter().any(|pos| pos.norm() > 0.0));
    let error = spec.flattened(&model).unwrap_err().to_string();
    assert_eq!(error, "MJCF cannot say where the nodes of flex 'jelly' are in their bodies");
}
