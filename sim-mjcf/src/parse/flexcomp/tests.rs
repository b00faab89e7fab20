//! What flexcomps become, and which are refused.

use super::gmsh;
use crate::{Limits, LoadOptions, Memory, Spec, load_spec, load_with};

const TRIANGLE: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n\
                        $Elements\n1\n1 2 2 0 1 1 2 3\n$EndElements\n";

fn read(inside: &str) -> Result<Spec, String> {
    let xml = format!("<mujoco><worldbody>{inside}</worldbody></mujoco>");
    let source = Memory::from([("m.xml", xml.as_str()), ("a.msh", TRIANGLE)]);
    load_spec(&source, "m.xml", LoadOptions::default()).map(|(spec, _)| spec).map_err(|e| e.to_string())
}

#[test]
fn a_sheet_has_one_body_per_vertex() {
    let spec = read("<flexcomp name='f' count='3 2 1' spacing='.1 .1 .1' mass='6'/>").unwrap();
    assert_eq!((spec.bodies.len(), spec.joints.len(), spec.flexes.len()), (7, 18, 1));
    let flex = &spec.flexes[0];
    assert_eq!(flex.elem, [0, 2, 3, 0, 3, 1, 2, 4, 5, 2, 5, 3]);
    assert_eq!((flex.vertbody[5].as_str(), flex.vert.len()), ("f_5", 0));
    let inertial = spec.bodies[1].inertial.as_ref().unwrap();
    assert!((inertial.mass - 1.0).abs() < 1e-12);
}

#[test]
fn pinned_vertices_stay_with_the_parent() {
    let spec = read("<flexcomp name='f' count='3 2 1'><pin grid='0 0' range='4 5'/></flexcomp>").unwrap();
    let homes: Vec<&str> = spec.flexes[0].vertbody.iter().map(String::as_str).collect();
    assert_eq!(homes, ["world", "f_1", "f_2", "f_3", "world", "world"]);
    let all = read("<flexcomp name='f' count='3 2 1'><edge equality='true'/><pin range='0 5'/></flexcomp>").unwrap();
    assert_eq!((all.flexes[0].vertbody.len(), all.bodies.len(), all.equalities.len()), (1, 1, 0), "rigid");
}

#[test]
fn joints_take_the_class_of_the_body_and_not_of_a_frame() {
    let xml = "<mujoco><default><default class='a'><joint damping='5'/></default><default class='b'/></default>
        <worldbody><body name='q' childclass='a'><frame childclass='b' pos='0 0 1'>
        <flexcomp name='f' count='2 2 1'/></frame></body></worldbody></mujoco>";
    let source = Memory::from([("m.xml", xml)]);
    let (spec, report) = load_spec(&source, "m.xml", LoadOptions::default()).unwrap();
    assert!(spec.joints.iter().all(|j| j.damping == 5.0 && j.frame.is_none()));
    assert!(report.warnings[0].message.contains("frame"), "{}", report.warnings[0]);
}

#[test]
fn points_that_no_element_uses_are_left_out() {
    let spec = read(
        "<flexcomp name='f' type='direct' dim='1' point='9 9 9 0 0 0 1 0 0' element='1 2'><pin id='1'/></flexcomp>",
    );
    let spec = spec.unwrap();
    assert_eq!(spec.flexes[0].elem, [0, 1]);
    assert_eq!(spec.flexes[0].vertbody, ["world", "f_1"]);
}

#[test]
fn what_mujoco_refuses_is_refused() {
    for (inside, expected) in [
        ("<flexcomp name='f' dim='4'/>", "dim must be"),
        ("<flexcomp name='f' count='0 1 1'/>", "at least 1"),
        ("<flexcomp name='f' spacing='.001 1 1'/>", "spacing"),
        ("<flexcomp name='f' scale='1 0 1'/>", "scale"),
        ("<flexcomp name='f' mass='0'/>", "mass"),
        ("<flexcomp name='f' type='box' count='1 3 3'/>", "at least 2"),
        ("<flexcomp name='f' count='1 1 1'/>", "no elements"),
        ("<flexcomp name='f' type='direct'/>", "points and elements"),
        ("<flexcomp name='f' type='direct' dim='1' point='0 0 0 1 1' element='0 1'/>", "three numbers"),
        ("<flexcomp name='f' type='direct' dim='1' point='0 0 0' element='0 1'/>", "point 1"),
        ("<flexcomp name='f' type='direct' dim='1' point='0 0 0' element='0 -1'/>", "point -1"),
        ("<flexcomp name='f' type='mesh'/>", "needs a file"),
        ("<flexcomp name='f' type='mesh' file='a.msh'/>", "MSH"),
        ("<flexcomp name='f' type='mesh' dim='3' file='a.obj'/>", "origin"),
        ("<flexcomp name='f' type='gmsh' file='b.msh'/>", "cannot read"),
        ("<flexcomp name='f' count='2 2 1'><pin id='4'/></flexcomp>", "not one of the 4 points"),
        ("<flexcomp name='f' count='2 2 1'><pin id='-1'/></flexcomp>", "pin -1"),
        ("<flexcomp name='f' count='2 2 1'><pin grid='2 0'/></flexcomp>", "not on the grid"),
        ("<flexcomp name='f' count='2 2 1'><pin range='1'/></flexcomp>", "two numbers"),
        ("<flexcomp name='f' type='disc' count='3 3 1'><pin grid='0 0'/></flexcomp>", "only for type"),
        ("<flexcomp name='f' count='2 1 1' dim='1'><pin gridrange='0 1'/></flexcomp>", "dim=\"2\""),
        ("<flexcomp name='f'><edge equality='true'/><elasticity elastic2d='stretch'/></flexcomp>", "cannot both"),
        ("<body><flexcomp name='f' count='2 2 1'/></body>", "needs a name"),
    ] {
        let error = read(inside).expect_err(inside);
        assert!(error.contains(expected), "{inside}: {error}");
    }
}

#[test]
fn a_few_bytes_cannot_ask_for_all_memory() {
    for inside in [
        "<flexcomp name='f' dim='3' count='2000000000 2000000000 2000000000'/>",
        "<flexcomp name='f' dim='1' count='2147483647 1 1'/>",
        "<flexcomp name='f' type='box' dim='3' count='65000 65000 65000'/>",
        "<flexcomp name='f' count='300 300 1'/>",
        "<composite type='cable' count='2147483647' curve='s'><geom type='capsule' size='.1'/></composite>",
    ] {
        assert!(read(inside).is_err(), "{inside}");
    }
    let xml = "<mujoco><worldbody><flexcomp name='f' count='4 4 1'/></worldbody></mujoco>";
    let source = Memory::from([("m.xml", xml)]);
    let few = Limits { vertices: 15, ..Limits::default() };
    assert!(load_with(&source, "m.xml", LoadOptions { limits: few, ..LoadOptions::default() }).is_err());
}

#[test]
fn gmsh_files_are_read_to_the_end_of_their_sections() {
    let found = gmsh::load(TRIANGLE.as_bytes()).unwrap();
    assert_eq!((found.dim, found.element), (2, vec![0, 1, 2]));
    for (from, to) in [
        ("2.2 0", "3.0 0"),
        ("$Nodes\n3", "$Nodes\n4"),
        ("$Nodes\n3", "$Nodes\nthree"),
        ("1 2 2 0 1", "1 5 2 0 1"),
        ("1 1 2 3\n$End", "1 1 2 4\n$End"),
        ("$EndElements", "$Finished"),
    ] {
        assert!(TRIANGLE.contains(from));
        assert!(gmsh::load(TRIANGLE.replace(from, to).as_bytes()).is_err(), "{to}");
    }
    for cut in 0..TRIANGLE.len() - 1 {
        assert!(gmsh::load(&TRIANGLE.as_bytes()[..cut]).is_err(), "{cut} bytes");
    }
}

/// The same triangle in every layout.
#[test]
fn binary_gmsh_files_are_the_same_triangle() {
    let corners = [0.0f64, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let ints = |list: &[i32]| list.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let longs = |list: &[i64]| list.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let file = |version: &str, nodes: Vec<u8>, elements: Vec<u8>| {
        let mut bytes = format!("$MeshFormat\n{version} 1 8\n$EndMeshFormat\n$Nodes\n").into_bytes();
        bytes.extend(nodes);
        bytes.extend(b"\n$EndNodes\n$Elements\n");
        bytes.extend(elements);
        bytes.extend(b"\n$EndElements\n");
        bytes
    };

    let header = |n: i64, kind: i32| [longs(&[1, n, 1, n]), ints(&[2, 1, kind]), longs(&[n])].concat();
    let xyz: Vec<u8> = corners.iter().flat_map(|x| x.to_le_bytes()).collect();
    let new =
        file("4.1", [header(3, 0), longs(&[1, 2, 3]), xyz].concat(), [header(1, 2), longs(&[1, 1, 2, 3])].concat());

    let mut nodes = b"3\n".to_vec();
    for (tag, p) in corners.chunks(3).enumerate() {
        nodes.extend(ints(&[tag as i32 + 1]));
        nodes.extend(p.iter().flat_map(|x| x.to_le_bytes()));
    }
    let old = file("2.2", nodes, [b"1\n".to_vec(), ints(&[2, 1, 2, 1, 0, 1, 1, 2, 3])].concat());
    for bytes in [new, old] {
        let found = gmsh::load(&bytes).unwrap();
        assert_eq!((found.dim, found.point, found.element), (2, corners.to_vec(), vec![0, 1, 2]));
        for cut in 0..bytes.len() - 1 {
            assert!(gmsh::load(&bytes[..cut]).is_err(), "{cut} bytes");
        }
    }
}
