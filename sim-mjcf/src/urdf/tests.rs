//! Robots that MuJoCo reads in ways of its own, and robots that it refuses. Numbers are pinned by goldens elsewhere.

use crate::{LoadOptions, Memory, load_model, load_with};
use sim_types::ObjType;

const INERTIAL: &str = "<inertial><mass value='2'/>\
    <inertia ixx='1' iyy='1.5' izz='2' ixy='0' ixz='0' iyz='0'/></inertial>";

/// Two links joined by a joint of this type, with more inside of the joint.
fn pair(kind: &str, more: &str) -> String {
    format!(
        "<robot name='r'><link name='a'/><link name='b'>{INERTIAL}</link>
           <joint name='j' type='{kind}'>\n<parent link='a'/><child link='b'/>{more}</joint></robot>"
    )
}

#[test]
fn joints_have_mujocos_names_and_kinds() {
    for (kind, names) in [
        ("revolute", vec!["j"]),
        ("continuous", vec!["j"]),
        ("prismatic", vec!["j"]),
        ("floating", vec!["j"]),
        ("spherical", vec!["j"]),
        ("planar", vec!["j_TX", "j_TY", "j_RZ"]),
    ] {
        let m = load_model(&pair(kind, "")).unwrap_or_else(|e| panic!("{kind}: {e}"));
        assert_eq!(m.names.all(ObjType::Joint), names, "{kind}");
    }
    // a fixed joint merges its links, and nothing is left
    let m = load_model(&pair("fixed", "")).unwrap();
    assert_eq!((m.nbody, m.njnt, m.modelname.as_str()), (1, 0, "r"));
}

#[test]
fn limits_count_only_when_whole() {
    let limited = |limit: &str| {
        let m = load_model(&pair("revolute", limit)).unwrap();
        (m.jnt_limited[0], m.jnt_range[0], m.jnt_actfrclimited[0])
    };
    assert_eq!(limited("<limit lower='-1' upper='2' effort='-3'/>"), (true, [-1.0, 2.0], true));
    assert_eq!(limited("<limit upper='2'/>"), (false, [0.0, 2.0], false));
    assert_eq!(limited("<limit lower='2' upper='1'/>"), (false, [2.0, 1.0], false));
    assert_eq!(limited("<limit lower='0' upper='0' effort='0'/>"), (false, [0.0, 0.0], false));
}

#[test]
fn shapes_for_show_are_kept_on_request() {
    let robot = |settings: &str| {
        format!(
            "<robot><mujoco><compiler {settings}/></mujoco><material name='red'><color rgba='1 0 0 1'/></material>
               <link name='world'><visual name='v'><geometry><sphere radius='1'/></geometry><material name='red'/></visual>
               <collision name='v'><geometry><box size='2 4 6'/></geometry></collision></link></robot>"
        )
    };
    let m = load_model(&robot("")).unwrap();
    assert_eq!(m.names.all(ObjType::Geom), ["v"]);
    assert_eq!((m.geom_size[0].z, m.geom_rgba[0]), (3.0, [1.0, 0.0, 0.0, 1.0]));
    let m = load_model(&robot("discardvisual='false'")).unwrap();
    assert_eq!(m.names.all(ObjType::Geom), ["v", ""]);
    assert_eq!((m.geom_group[0], m.geom_contype[0], m.geom_contype[1]), (1, 0, 1));
}

#[test]
fn what_has_no_effect_is_a_warning() {
    let robot = format!(
        "<robot><link name='base'/><link name='world'>{INERTIAL}</link>
           <joint name='j' type='fixed'><origin xyz='1 0 0'/><parent link='base'/><child link='world'/></joint></robot>"
    );
    let source = Memory::from([("r.urdf", robot)]);
    let loaded = load_with(&source, "r.urdf", LoadOptions::default()).unwrap();
    assert_eq!(loaded.report.warnings.len(), 2, "{:?}", loaded.report.warnings);
}

/// MuJoCo reads all of this and says nothing.
#[test]
fn unknown_settings_are_warnings_with_their_place() {
    let robot = "<robot><mujoco model='m'>\n<compiler angels='radian'/>\n<option timestep='0.01' gravi='1'>\n\
        <flag contact='disable' hoho='1'/><x/></option>\n<size nn='3'/><zzz/></mujoco><link name='a'/></robot>";
    let source = Memory::from([("r.urdf", robot.to_owned())]);
    let loaded = load_with(&source, "r.urdf", LoadOptions::default()).unwrap();
    assert_eq!(loaded.model.opt.timestep, 0.01);
    let said: Vec<String> = loaded.report.warnings.iter().map(ToString::to_string).collect();
    let want = [(1, "model"), (2, "angels"), (3, "gravi"), (4, "hoho"), (4, "<x>"), (5, "nn"), (5, "<zzz>")];
    assert_eq!(said.len(), want.len(), "{said:?}");
    for (line, word) in want {
        let at = format!("r.urdf:{line}:");
        assert!(said.iter().any(|w| w.starts_with(&at) && w.contains(word)), "{line} {word}: {said:?}");
    }
}

#[test]
fn wrong_robots_are_refused_with_their_place() {
    let link = |inside: &str| format!("<robot><link name='a'>\n{inside}</link></robot>");
    let shape = |inside: &str| link(&format!("<collision><geometry>{inside}</geometry></collision>"));
    let cases = [
        (pair("hinge", ""), "revolute"),
        (pair("fixed", "<parent link='a'/>"), "<parent> may appear once in <joint>"),
        (pair("fixed", "<parent link='a'/>"), ":3:"),
        (pair("revolute", "<axis/>"), "xyz"),
        (pair("revolute", "<axis xyz='0 0 0'/>"), "axis"),
        (pair("revolute", "<origin rpy='1 2'/>"), "rpy"),
        ("<robot><link/></robot>".to_owned(), "name"),
        ("<robot><link name='a'/><link name='a'/></robot>".to_owned(), "already defined"),
        (
            "<robot><link name='a'/><joint name='j' type='fixed'><parent link='a'/><child link='c'/></joint></robot>"
                .to_owned(),
            "'c'",
        ),
        (
            "<robot><link name='a'/><joint name='j' type='fixed'><parent link='a'/><child link='a'/></joint></robot>"
                .to_owned(),
            "circle",
        ),
        (
            "<robot><link name='a'/><joint name='j' type='fixed'><child link='a'/></joint></robot>".to_owned(),
            "<parent>",
        ),
        ("<robot><mujoco/><mujoco/></robot>".to_owned(), "mujoco"),
        ("<robot><mujoco><compiler angle='none'/></mujoco></robot>".to_owned(), "degree"),
        (link("<inertial/>"), "<mass>"),
        (link("<inertial><mass/><inertia/></inertial>"), "value"),
        (link("<collision/>"), "<geometry>"),
        (shape(""), "<box>"),
        (shape("<box/>"), "size"),
        (shape("<sphere radius='-1'/>"), "geom"),
        (shape("<cylinder radius='1'/>"), "length"),
        (link("<visual><geometry/><material/></visual>"), "name"),
        (link("<visual><geometry/><material name='x'><color/></material></visual>"), "rgba"),
    ];
    for (robot, part) in cases {
        match load_model(&robot) {
            Err(error) => assert!(error.to_string().contains(part), "{robot}: {error}"),
            Ok(_) => panic!("{robot} was accepted"),
        }
    }
}
