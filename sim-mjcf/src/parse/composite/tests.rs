//! What cables become, and which are refused.

use crate::{LoadOptions, Memory, Spec, load_spec};

fn read(inside: &str) -> Result<Spec, String> {
    let xml = format!("<mujoco><worldbody>{inside}</worldbody></mujoco>");
    let source = Memory::from([("m.xml", xml.as_str())]);
    load_spec(&source, "m.xml", LoadOptions::default()).map(|(spec, _)| spec).map_err(|e| e.to_string())
}

#[test]
fn a_cable_is_a_chain_of_named_bodies() {
    let spec = read(
        "<composite type='cable' prefix='c' count='4 1 1' curve='s' size='3 0 0' initial='free'>
         <joint kind='main' damping='2'/><geom type='capsule' size='.1'/></composite>",
    );
    let spec = spec.unwrap();
    let names: Vec<&str> = spec.bodies[1..].iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["cB_first", "cB_1", "cB_last"]);
    assert_eq!(spec.bodies[3].pos.x, 1.0);
    assert_eq!((spec.joints[0].damping, spec.joints[1].damping, spec.joints[1].group), (0.0, 2.0, 3));
    assert_eq!((spec.excludes.len(), spec.excludes[1].body2.as_str()), (2, "cB_last"));
    assert_eq!((spec.sites[0].name.as_str(), spec.sites[1].pos.x), ("cS_first", 1.0));
    assert_eq!((spec.texts[0].name.as_str(), spec.texts[0].data.as_str()), ("composite_c", "rope_c"));
}

#[test]
fn the_weights_of_a_fine_skin_add_up() {
    let spec = read(
        "<composite type='cable' count='5 1 1' curve='s' size='1 0 0'><geom type='box' size='.1 .2 .01'/>
         <skin subgrid='2' texcoord='true'/></composite>",
    );
    let skin = &spec.unwrap().skins[0];
    let vertices = skin.vert.len() / 3;
    assert_eq!((vertices, skin.texcoord.len()), (2 * 13 * 7, 2 * vertices));
    let mut total = vec![0.0; vertices];
    for bone in &skin.bones {
        for (id, weight) in bone.vertid.iter().zip(&bone.vertweight) {
            total[*id as usize] += weight;
        }
    }
    assert!(total.iter().all(|w| (w - 1.0).abs() < 1e-5), "{total:?}");
}

#[test]
fn what_mujoco_refuses_is_refused() {
    let geom = "<geom type='capsule' size='.1'/>";
    for (inside, expected) in [
        (format!("<composite type='rope' count='4 1 1'>{geom}</composite>"), "type=\"cable\""),
        (format!("<composite type='particle' count='4 1 1'>{geom}</composite>"), "replicate"),
        (format!("<composite type='cable' count='4 4 1' curve='s'>{geom}</composite>"), "one dimension"),
        (format!("<composite type='cable' count='1 1 1' curve='s'>{geom}</composite>"), "one dimension"),
        (format!("<composite type='cable' count='0 1 1' curve='s'>{geom}</composite>"), "positive"),
        (format!("<composite type='cable' count='4 1 1' curve='t'>{geom}</composite>"), "cos(s)"),
        (format!("<composite type='cable' count='4 1 1' curve='s' size='0 0 0'>{geom}</composite>"), "zero"),
        (format!("<composite type='cable' count='4 1 1' vertex='0 0 0 1 1 1'>{geom}</composite>"), "not both"),
        ("<composite type='cable' count='4 1 1' curve='s'/>".to_owned(), "capsules"),
        (
            format!("<composite type='cable' count='4 1 1'>{geom}<joint kind='main'/><joint kind='main'/></composite>"),
            "one kind of joint",
        ),
    ] {
        let error = read(&inside).expect_err(&inside);
        assert!(error.contains(expected), "{inside}: {error}");
    }
}
