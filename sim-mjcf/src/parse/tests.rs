//! Tests of reading: sections, classes, overlays, the body tree.

use super::*;
use crate::schema;
use crate::spec::{AlignFree, Limited};
use sim_types::{DisableFlags, EnableFlags, JointType, LightType, ObjType, Vec3};

fn read(inside: &str) -> Result<Spec, String> {
    let mut doc = Document::default();
    let root = doc.parse("m.xml", format!("<mujoco>{inside}</mujoco>").as_bytes()).unwrap().unwrap();
    let mut problems = Problems::new();
    schema::check(&doc, root, &mut problems);
    problems.check().map_err(|e| format!("grammar: {e}"))?;
    let context = Context { source: &crate::Memory::new(), limits: crate::Limits::default() };
    let spec = parse(&doc, root, context, &Nest::main("m.xml", &Nest::budget()), &mut problems);
    problems.check().map_err(|e| e.to_string())?;
    Ok(spec)
}

fn fails(inside: &str) -> String {
    let error = read(inside).unwrap_err();
    assert!(!error.starts_with("grammar"), "{error}");
    error
}

#[test]
fn sections_are_read_in_a_fixed_order() {
    let spec = read(
        "<worldbody><geom class='a' size='1'/></worldbody>\
         <default><default class='a'><geom friction='9 8 7'/></default></default>\
         <compiler angle='radian'/><compiler angle='degree'/>",
    )
    .unwrap();
    assert!(spec.compiler.degree);
    assert_eq!(spec.geoms[0].friction, [9.0, 8.0, 7.0]);
}

#[test]
fn overlays_keep_the_rest_of_the_class() {
    let spec = read(
        "<default><geom friction='9 8 7' pos='1 2 3' user='1 2 3'/></default>\
         <worldbody><geom friction='3' user='5'/><geom friction=''/></worldbody>",
    )
    .unwrap();
    assert_eq!(spec.geoms[0].friction, [3.0, 8.0, 7.0]);
    assert_eq!(spec.geoms[0].user, [5.0]);
    assert_eq!(spec.geoms[0].pos, Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(spec.geoms[1].friction, [9.0, 8.0, 7.0]);
}

#[test]
fn nested_classes_copy_their_parent_when_it_is_complete() {
    let spec = read(
        "<default><default class='a'><default class='b'/><joint damping='2'/></default><joint armature='3'/></default>\
         <default><joint armature='4'/></default>",
    )
    .unwrap();
    let by_name = |name: &str| &spec.defaults[spec.find_class(name).unwrap()].joint;
    assert_eq!((by_name("b").damping, by_name("b").armature), (2.0, 3.0));
    assert_eq!(by_name("main").armature, 4.0);
}

#[test]
fn class_mistakes_have_their_messages() {
    assert!(fails("<default class='x'/>").contains("the top-level class is 'main'"));
    assert!(fails("<default><default/></default>").contains("<default> needs the attribute 'class'"));
    assert_eq!(
        fails("<default><default class='a'/>\n<default class='a'/></default>"),
        "m.xml:2:10: default class 'a' is already defined at m.xml:1:18"
    );
    assert!(fails("<default><default class='main'/></default>").contains("already defined"));
    assert_eq!(
        fails("<default><default class='arm'/></default><worldbody><geom class='amr'/></worldbody>"),
        "m.xml:1:67: no default class named 'amr'; did you mean 'arm'?"
    );
}

#[test]
fn childclass_reaches_down_and_frames_override() {
    let spec = read(
        "<default><default class='a'><geom group='1'/></default><default class='b'><geom group='2'/></default></default>\
         <worldbody><geom/><body childclass='a'><geom/><frame childclass='b'><geom/><body><geom/></body></frame>\
         <geom class='b'/><geom class='main'/><body><geom/></body></body></worldbody>",
    )
    .unwrap();
    let groups: Vec<i32> = spec.geoms.iter().map(|g| g.group).collect();
    assert_eq!(groups, [0, 1, 2, 2, 2, 0, 1]);
    let bodies: Vec<usize> = spec.geoms.iter().map(|g| g.body).collect();
    assert_eq!(bodies, [0, 1, 1, 2, 1, 1, 3]);
    assert_eq!(spec.geoms[2].frame, Some(0));
    assert_eq!((spec.bodies[2].parent, spec.bodies[2].frame), (1, Some(0)));
    assert_eq!((spec.bodies[3].parent, spec.bodies[3].frame), (1, None));
    assert!(fails("<worldbody><body childclass='x'/></worldbody>").contains("no default class named 'x'"));
}

#[test]
fn freejoints_take_no_defaults() {
    let spec = read(
        "<default><joint damping='5' group='2'/></default>\
         <worldbody><body><freejoint align='true'/></body><body><joint type='free' limited='true'/></body></worldbody>",
    )
    .unwrap();
    let [free, joint] = spec.joints.as_slice() else { panic!() };
    assert_eq!((free.r#type, free.damping, free.group, free.align), (JointType::Free, 0.0, 0, AlignFree::True));
    assert_eq!((joint.r#type, joint.damping, joint.limited), (JointType::Free, 5.0, Limited::True));
}

#[test]
fn orientations_exclude_each_other() {
    let spec = read("<worldbody><body euler='1 2 3'/><body zaxis='0 1 0' quat=''/></worldbody>");
    assert!(spec.unwrap_err().contains("only one of quat, axisangle"));
    let spec = read("<default><geom euler='1 2 3'/></default><worldbody><geom quat='0 1 0 0'/></worldbody>").unwrap();
    assert_eq!(spec.geoms[0].alt, Some(Orientation::Euler(Vec3::new(1.0, 2.0, 3.0))));
    assert_eq!(spec.geoms[0].quat.x, 1.0);
}

#[test]
fn the_world_does_not_move() {
    for element in ["<joint/>", "<freejoint/>", "<inertial pos='0 0 0' mass='1'/>"] {
        assert!(fails(&format!("<worldbody><frame>{element}</frame></worldbody>")).contains("the world cannot move"));
    }
}

#[test]
fn flags_touch_only_their_bit() {
    let spec = read(
        "<option><flag gravity='disable' energy='enable'/></option>\
         <option actuatorgroupdisable='0 30'><flag contact='disable' gravity='enable'/></option>",
    )
    .unwrap();
    assert_eq!(spec.option.disableflags, DisableFlags::CONTACT);
    assert_eq!(spec.option.enableflags, EnableFlags::ENERGY);
    assert_eq!(spec.option.disableactuator, 1 | 1 << 30);
    assert!(fails("<option actuatorgroupdisable='31'/>").contains("groups between 0 and 30"));
}

#[test]
fn memory_has_a_suffix() {
    let bytes = |text: &str| read(&format!("<size memory='{text}'/>")).map(|s| s.size.memory);
    assert_eq!(bytes("12").unwrap(), Some(12));
    assert_eq!(bytes(" 2k ").unwrap(), Some(2048));
    assert_eq!(bytes("15E").unwrap(), Some(15 << 60));
    assert_eq!(bytes("-1").unwrap(), None);
    for text in ["16E", "", "1 M", "1KB", "-2", "1.5M", "K"] {
        assert!(bytes(text).is_err(), "{text}");
    }
    assert!(fails("<size memory='1M' njmax='5'/>").contains("memory is given already"));
    assert!(fails("<size nuser_geom='-2'/>").contains("at least -1"));
}

#[test]
fn compiler_directories_fall_back_to_assetdir() {
    let spec = read("<compiler assetdir='a' meshdir='m' eulerseq='ZyX'/>").unwrap();
    assert_eq!((spec.compiler.meshdir.as_str(), spec.compiler.texturedir.as_str()), ("m", "a"));
    assert_eq!(spec.compiler.eulerseq, ['Z', 'y', 'X']);
    assert!(fails("<compiler coordinate='global'/>").contains("no longer supported"));
    assert!(fails("<compiler eulerseq='xy'/>").contains("three letters"));
}

#[test]
fn custom_data_is_checked() {
    let spec = read(
        "<custom><numeric name='a' size='4' data='1 2'/><numeric name='b' data='1 2 3'/><text name='t' data='x'/>\
         <tuple name='u'><element objtype='xbody' objname='c' prm='2'/></tuple></custom>",
    )
    .unwrap();
    assert_eq!((spec.numerics[0].size, spec.numerics[0].data.len()), (Some(4), 2));
    assert_eq!(spec.tuples[0].elements[0].objtype, ObjType::XBody);
    for bad in [
        "<numeric name='a'/>",
        "<numeric name='a' size='501'/>",
        "<numeric name='a' size='0' data='1'/>",
        "<numeric name='a' size='1' data='1 2'/>",
        "<text name='t' data=''/>",
        "<tuple name='u'><element objtype='foo' objname='c'/></tuple>",
        "<tuple name='u'><element objtype='body' objname='c d'/></tuple>",
    ] {
        fails(&format!("<custom>{bad}</custom>"));
    }
}

#[test]
fn cameras_and_lights_have_their_quirks() {
    let spec = read(
        "<default><camera user='1 2' fovy='30'/><light directional='true'/></default>\
         <worldbody><camera output='rgb segmentation'/><light/><light directional='false'/></worldbody>",
    )
    .unwrap();
    assert_eq!((spec.cameras[0].user.len(), spec.cameras[0].output, spec.cameras[0].fovy), (0, 17, 30.0));
    assert_eq!(spec.lights[0].r#type, LightType::Directional);
    assert_eq!(spec.lights[1].r#type, LightType::Spot);
    assert!(fails("<worldbody><camera fovy='40' sensorsize='1 1'/></worldbody>").contains("only one of fovy"));
    assert!(fails("<worldbody><light type='spot' directional='true'/></worldbody>").contains("only one of type"));
}

#[test]
fn materials_keep_their_textures_by_role() {
    let spec = read(
        "<asset><texture name='t' type='2d' builtin='flat' width='2' height='2' gridsize='1 3' gridlayout='.U.'/>\
         <material name='a' texture='t' rgba='1 0 0 1'/><material name='b'><layer role='orm' texture='t'/></material></asset>",
    )
    .unwrap();
    assert_eq!(spec.materials[0].textures[1], "t");
    assert_eq!(spec.materials[1].textures[9], "t");
    assert_eq!(spec.textures[0].gridlayout, ".U..........");
    assert!(
        fails("<asset><material name='a' texture='t'><layer role='rgb' texture='t'/></material></asset>")
            .contains("layers")
    );
    assert!(
        fails("<asset><material name='a'><layer role='foo' texture='t'/></material></asset>").contains("one of rgb")
    );
    assert!(fails("<asset><texture gridsize='2 2' gridlayout='ABC'/></asset>").contains("one letter per cell"));
}

#[test]
fn what_needs_a_plugin_is_refused_by_its_name() {
    for inside in [
        "<worldbody><geom><plugin plugin='a.b'/></geom></worldbody>",
        "<worldbody><body name='b'><plugin plugin='a.b'/></body></worldbody>",
        "<worldbody><flexcomp name='f'><plugin plugin='a.b'/></flexcomp></worldbody>",
        "<worldbody><composite type='cable'><plugin plugin='a.b'/></composite></worldbody>",
        "<actuator><plugin joint='a' plugin='a.b'/></actuator>",
        "<sensor><plugin plugin='a.b'/></sensor>",
        "<asset><mesh name='m'><plugin plugin='a.b'/></mesh></asset>",
        "<worldbody><geom><plugin instance='i'/></geom></worldbody>
         <extension><plugin plugin='a.b'><instance name='i'/></plugin></extension>",
    ] {
        assert!(fails(inside).ends_with("the plugin 'a.b' is not part of this engine"), "{inside}: {}", fails(inside));
    }
    assert!(read("<extension><plugin plugin='x'/></extension>").is_ok(), "nothing needs it");
}
#[test]
fn statistics_and_visual_settings_are_bounded() {
    let spec =
        read("<statistic extent='2' center='1 2 3'/><visual><map znear='.1'/><global realtime='2'/></visual>").unwrap();
    assert_eq!((spec.statistic.extent, spec.visual.map.znear), (Some(2.0), 0.1));
    assert!(fails("<statistic extent='0'/>").contains("a positive number"));
    assert!(fails("<visual><map znear='0'/></visual>").contains("a positive number"));
    assert!(fails("<visual><global realtime='-1'/></visual>").contains("a positive number"));
}
