//! Malformed and hostile models: an error with its place, or MuJoCo's model, never a panic, a hang or a full memory.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use sim_mjcf::{Limits, LoadOptions, Memory, MjcfError, MjcfErrorKind, load_model, load_with};
use std::time::{Duration, Instant};

const ARM: &str = r#"<?xml version="1.0"?>
<mujoco model="arm">
  <compiler angle="radian"/>
  <option timestep="0.01"><flag contact="disable"/></option>
  <default>
    <geom friction="1 0.1 0.1"/>
    <default class="link"><joint damping="0.5"/></default>
  </default>
  <worldbody>
    <body name="upper" pos="0 0 1" childclass="link">
      <joint name="shoulder" axis="0 1 0" range="-1 1"/>
      <geom name="bone" type="capsule" fromto="0 0 0 0 0 -0.5" size="0.05"/>
      <frame pos="0 0 -0.5" euler="0 0 1">
        <body name="lower">
          <inertial pos="0 0 -0.2" mass="1" diaginertia="1 1 1"/>
          <joint name="elbow" type="ball"/>
          <site name="hand" size="0.1"/>
        </body>
      </frame>
    </body>
  </worldbody>
  <custom><numeric name="n" data="1 2"/></custom>
  <keyframe><key name="home" time="1"/></keyframe>
</mujoco>
"#;

fn error(xml: &str) -> MjcfError {
    load_model(xml).map(|_| ()).unwrap_err()
}

fn world(inside: &str) -> String {
    format!("<mujoco><worldbody>{inside}</worldbody></mujoco>")
}

fn ball(attributes: &str) -> String {
    world(&format!("<body><freejoint/><geom {attributes}/></body>"))
}

#[test]
fn the_sound_model_loads() {
    let model = load_model(ARM).unwrap();
    assert_eq!((model.nbody, model.nq, model.nv, model.ngeom), (3, 5, 4, 1));
}

#[test]
fn a_truncated_file_is_an_error_wherever_it_ends() {
    let root = ARM.find("<mujoco").unwrap();
    let end = ARM.rfind('>').unwrap();
    for length in (0..=end).filter(|&n| ARM.is_char_boundary(n)) {
        let message = error(&ARM[..length]).to_string();
        assert!(message.starts_with("<string>"), "{length}: {message}");
        assert!(length <= root + 7 || message.contains("not well-formed XML"), "{length}: {message}");
    }
    assert!(load_model(&ARM[..=end]).is_ok());
}

#[test]
fn wrong_nesting_names_both_tags() {
    let text = "<mujoco>\n <worldbody>\n  <body>\n </worldbody></body></mujoco>";
    assert_eq!(
        error(text).to_string(),
        "<string>:4:2: not well-formed XML: '</worldbody>' closes <body>, opened at <string>:3:3"
    );
}

#[test]
fn a_million_open_elements_stop_early() {
    let start = Instant::now();
    let open = "<body>".repeat(1_000_000);
    let text = error(&format!("<mujoco><worldbody>{open}")).to_string();
    assert!(text.contains("elements are nested deeper than 498"), "{text}");
    // the deepest tree that is allowed is read, compiled and dropped
    let deepest = format!("<mujoco><worldbody>{}{}</worldbody></mujoco>", "<body>".repeat(496), "</body>".repeat(496));
    assert_eq!(load_model(&deepest).unwrap().nbody, 497);
    let classes: Vec<String> = (0..496).map(|i| format!("<default class='c{i}'>")).collect();
    let nested = format!("<mujoco><default>{}{}</default></mujoco>", classes.concat(), "</default>".repeat(496));
    assert!(load_model(&nested).is_ok());
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn numbers_without_meaning_are_refused() {
    for (attributes, message) in [
        ("size='nan'", "size"),
        ("size='1e-300'", "mass"),
        ("size='1e400'", "too large or too close to zero"),
        ("size='1e-320'", "too large or too close to zero"),
        ("size='0'", "size"),
        ("size='-1'", "size"),
        ("size='1,2,3' type='box'", "'1,2,3' is not one"),
        ("size='1 2 3 4'", "at most 3 numbers, found 4"),
        ("size='1' mass='-1'", "negative"),
        ("size='1' pos='0 0'", "3 numbers, found 2"),
        ("size='1' quat='0 0 0 0'", "a quaternion that is not zero"),
        ("size='1' condim='1.0'", "one integer"),
        ("size='1' condim='2'", "condim"),
        ("size='1' type='Sphere'", "one of plane, hfield, sphere"),
    ] {
        let text = error(&ball(attributes)).to_string();
        assert!(text.contains(message), "{attributes}: {text}");
        assert!(text.starts_with("<string>:1:"), "{attributes}: {text}");
    }
}

#[test]
fn numbers_that_mujoco_accepts_are_accepted() {
    for attributes in
        ["size='0x1p-1'", "size='1e300'", "size='1' mass='nan'", "size='1' rgba=''", "size='1' user='inf'"]
    {
        assert!(load_model(&ball(attributes)).is_ok(), "{attributes}");
    }
    let source = Memory::from([("m.xml", ball("size='1' mass='nan'"))]);
    let loaded = load_with(&source, "m.xml", LoadOptions::default()).unwrap();
    assert_eq!(loaded.report.warnings[0].to_string(), "m.xml:1:53: warning: <geom mass> holds a NaN");
}

#[test]
fn repeated_names_point_at_the_first() {
    let text = world("\n<body name='a'/>\n<body name='a'/>");
    assert_eq!(error(&text).to_string(), "<string>:3:1: body 'a' is already defined at <string>:2:1");
    let names = ["joint", "geom", "site", "camera", "light"].map(|kind| {
        format!("<{kind} name='x' {0}/><{kind} name='x' {0}/>", if kind == "geom" { "size='1'" } else { "" })
    });
    let error = error(&world(&format!("<body>{}</body>", names.concat())));
    assert_eq!(error.problems.len(), 5, "{error}");
    assert!(error.problems.iter().all(|p| matches!(p.kind, MjcfErrorKind::DuplicateName { .. })));
}

#[test]
fn mistyped_names_are_suggested() {
    for (inside, suggestion) in [
        ("<worldbody><geom siez='1'/></worldbody>", "'size'"),
        ("<worldbody><goem size='1'/></worldbody>", "'geom'"),
        ("<option timestp='1'/>", "'timestep'"),
        ("<option><flag contcat='disable'/></option>", "'contact'"),
        ("<wordlbody/>", "'worldbody'"),
        ("<default><default class='arm'/></default><worldbody><geom class='amr'/></worldbody>", "'arm'"),
    ] {
        let text = error(&format!("<mujoco>{inside}</mujoco>")).to_string();
        assert!(text.ends_with(&format!("; did you mean {suggestion}?")), "{text}");
    }
}

#[test]
fn several_mistakes_are_reported_together_up_to_a_limit() {
    let three = error(&ball("size='a' pos='1' foo='2'"));
    assert_eq!(three.problems.len(), 3);
    let columns: Vec<u32> = three.problems.iter().map(|p| p.at.column).collect();
    assert!(columns.is_sorted() && columns[0] > 1, "{columns:?}");
    let many = error(&world(&"<geom size='a'/>".repeat(1000)));
    assert_eq!((many.problems.len(), many.truncated), (20, true));
    assert!(many.to_string().ends_with("the search stopped after 20 problems"));
}

#[test]
fn includes_that_go_in_circles_stop() {
    let include = |file: &str| format!("<mujoco><include file='{file}'/></mujoco>");
    let files = Memory::from([("a.xml", include("b.xml")), ("b.xml", include("c.xml")), ("c.xml", include("b.xml"))]);
    let text = load_with(&files, "a.xml", LoadOptions::default()).unwrap_err().to_string();
    assert!(text.starts_with("c.xml:1:9: <include file=\"b.xml\">: the file includes itself"), "{text}");
    // a model given as text has no files around it
    assert!(error(&include("b.xml")).to_string().contains("cannot read 'b.xml'"));
}

#[test]
fn warnings_become_errors_when_asked() {
    let source = Memory::from([("m.xml", world("<frame foo='1'><geom size='1'/></frame>"))]);
    let loaded = load_with(&source, "m.xml", LoadOptions::default()).unwrap();
    assert_eq!((loaded.model.ngeom, loaded.report.warnings.len()), (1, 1));
    let error = load_with(&source, "m.xml", LoadOptions { strict: true, ..LoadOptions::default() }).unwrap_err();
    assert!(matches!(error.problems[0].kind, MjcfErrorKind::Warning { .. }));
    assert!(error.to_string().starts_with("m.xml:1:27: <frame> has no attribute 'foo'"), "{error}");
}

#[test]
fn what_is_not_built_is_named_with_its_place() {
    let text = error("<mujoco>\n <actuator>\n  <plugin plugin='pid' joint='a'/>\n </actuator>\n</mujoco>").to_string();
    assert_eq!(text, "<string>:3:3: the plugin 'pid' is not part of this engine");
}

#[test]
fn an_empty_file_says_what_a_model_is() {
    for text in ["", "  \n", "<!-- nothing -->"] {
        assert!(error(text).to_string().contains("a model starts with <mujoco>"), "{text}");
    }
    let nowhere = load_with(&Memory::new(), "none.xml", LoadOptions::default()).unwrap_err();
    assert_eq!(nowhere.to_string(), "none.xml: cannot read 'none.xml': no such file");
}

#[test]
fn large_flat_models_take_linear_time() {
    let start = Instant::now();
    let geoms: Vec<String> = (0..20_000).map(|i| format!("<geom name='g{i}' size='1'/>")).collect();
    assert_eq!(load_model(&world(&geoms.concat())).unwrap().ngeom, 20_000);
    let unknown: Vec<String> = (0..20_000).map(|i| format!("<geom class='k{i}'/>")).collect();
    assert_eq!(error(&world(&unknown.concat())).problems.len(), 20);
    assert!(start.elapsed() < Duration::from_secs(20));
}

/// Every budget can be set, and passing it is an error at the element that does.
#[test]
fn passing_a_budget_names_the_element() {
    let bodies = world("<body/>\n<body/>\n<replicate count='3'><body name='much'/></replicate>");
    let elements = world("<geom size='1'/>\n<replicate count='300'><geom name='much' size='1'/></replicate>");
    let mesh = "<mujoco><asset><mesh name='few' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>
        <mesh name='much' builtin='sphere' params='3'/></asset></mujoco>";
    let skin = "<mujoco><worldbody><body name='b'><geom size='1'/></body></worldbody><deformable>
        <skin name='much' vertex='0 0 0 1 0 0 0 1 0 0 0 1 0 1 1 1 1 1' face='0 1 2 3 4 5'><bone body='b' bindpos='0 0 0'
        bindquat='1 0 0 0' vertid='0 1 2 3 4 5' vertweight='1 1 1 1 1 1'/></skin></deformable></mujoco>";
    let texture = "<mujoco><asset><texture name='few' type='2d' builtin='flat' width='2' height='2'/>
        <texture name='much' type='2d' builtin='flat' width='20' height='20'/></asset></mujoco>";
    let field = "<mujoco><asset><hfield name='few' nrow='2' ncol='2' size='1 1 1 1'/>
        <hfield name='much' nrow='20' ncol='20' size='1 1 1 1'/></asset></mujoco>";
    let memory = "<mujoco><size nuserdata='100000'/>
        <worldbody><body name='much'><freejoint/><geom size='1'/></body></worldbody></mujoco>";
    let base = Limits::default();
    for (xml, limits, word) in [
        (&*bodies, Limits { bodies: 5, ..base }, "bodies"),
        (&elements, Limits { elements: 200, ..base }, "elements"),
        (mesh, Limits { vertices: 20, ..base }, "<mesh"),
        (skin, Limits { vertices: 5, ..base }, "<skin"),
        (texture, Limits { pixels: 100, ..base }, "<texture"),
        (field, Limits { pixels: 100, ..base }, "<hfield"),
        (memory, Limits { memory: 100_000, ..base }, "<size"),
    ] {
        let load =
            |limits| load_with(&Memory::from([("m.xml", xml)]), "m.xml", LoadOptions { limits, ..Default::default() });
        assert!(load(base).is_ok(), "{xml}");
        let error = load(limits).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(word) && error.contains("m.xml:"), "{error}");
    }
}

/// A change of masses by hand, after `set_const`, is the model that says so from the start.
#[test]
fn constants_follow_masses_that_were_changed() {
    let xml = |scale: f64| {
        let (heavy, light) = (3.0 * scale, 0.5 * scale);
        format!(
            "<mujoco><worldbody><body name='a'><joint name='j'/><geom size='.1' pos='.2 0 0' mass='{heavy}'/>
               <body pos='.4 0 0'><joint axis='0 1 0'/><geom type='box' size='.1 .2 .3' mass='{light}'/></body></body>
             </worldbody><actuator><motor joint='j'/></actuator></mujoco>"
        )
    };
    let (mut m, want) = (load_model(&xml(1.0)).unwrap(), load_model(&xml(2.0)).unwrap());
    m.body_mass.iter_mut().for_each(|mass| *mass *= 2.0);
    m.body_inertia.iter_mut().for_each(|inertia| *inertia *= 2.0);
    assert_ne!(m.dof_invweight0, want.dof_invweight0);
    m.set_const().unwrap();
    assert_eq!(m, want);
}
