//! Files and texts that cannot be a model: always an error with its place, never a panic, a hang or a flood of memory.

use std::fs;

use sim_mjcf::{load_file, load_model};
use sim_tests::{Rng, files, models_dir};

/// Every file in `bad` says on its first line at which line it is refused.
#[test]
fn every_bad_file_is_refused_at_its_place() {
    let paths = files(&models_dir().join("bad"), "xml").unwrap();
    assert!(paths.len() >= 30);
    let mut wrong = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let noted: i64 =
            text.strip_prefix("<!-- refused at line ").unwrap().split(':').next().unwrap().parse().unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        let Err(error) = load_file(&path) else {
            wrong.push(format!("{name}: accepted"));
            continue;
        };
        let problem = &error.problems[0];
        let near = (i64::from(problem.at.line) - noted).abs() <= 2;
        // a problem of the whole file has no line
        let line = if problem.at.line > 0 { format!("{}:", problem.at.line) } else { String::new() };
        let printed = format!("{}:{line}", problem.at.file);
        if !near || !problem.at.file.contains(".xml") || !error.to_string().contains(&printed) {
            wrong.push(format!("{name}: expected a problem near line {noted}, got {error}"));
        }
    }
    assert!(wrong.is_empty(), "{} files:\n{}", wrong.len(), wrong.join("\n"));
}

/// A file cut off anywhere, or with a byte changed, is refused or is another model.
#[test]
fn damaged_files_do_not_panic() {
    let mut rng = Rng::new(11);
    for path in files(&models_dir(), "xml").unwrap() {
        let text = fs::read(&path).unwrap();
        for _ in 0..12 {
            let cut = rng.bits() as usize % text.len();
            let _ = load_model(&String::from_utf8_lossy(&text[..cut]));
            let mut damaged = text.clone();
            damaged[cut] = b"<>\"'/=&; x09.-e\0"[rng.bits() as usize % 16];
            let _ = load_model(&String::from_utf8_lossy(&damaged));
        }
    }
}

fn world(content: &str) -> String {
    format!("<mujoco><option><flag contact=\"disable\"/></option><worldbody>{content}</worldbody></mujoco>")
}

/// A free body with this element in it.
fn body(content: &str) -> String {
    world(&format!("<body><freejoint/>{content}</body>"))
}

fn hinge(attributes: &str) -> String {
    world(&format!("<body><joint {attributes}/><geom size=\".1\"/></body>"))
}

/// Numbers that MuJoCo takes at face value; the model may be useless, stepping it may fail, nothing may panic.
#[test]
fn extreme_numbers_are_accepted_as_mujoco_accepts_them() {
    let accepted = [
        body("<geom size=\".1\" mass=\"1e300\"/>"),
        body("<geom size=\"1e300\"/>"),
        body("<geom size=\".1\" mass=\"inf\"/>"),
        body("<geom size=\".1\" mass=\"nan\"/>"),
        body("<geom size=\".1\" friction=\"nan\" gap=\"-1\" margin=\"-1\"/>"),
        world("<geom size=\"1e300\"/>"),
        world("<body pos=\"1e300 0 0\"><freejoint/><geom size=\".1\"/></body>"),
        world("<body pos=\"nan 0 0\"><freejoint/><geom size=\".1\"/></body>"),
        world("<body pos=\"inf 0 0\"><freejoint/><geom size=\".1\"/></body>"),
        world("<body quat=\"nan 0 0 0\"><freejoint/><geom size=\".1\"/></body>"),
        world("<body euler=\"nan 0 0\"><freejoint/><geom size=\".1\"/></body>"),
        world("<geom type=\"capsule\" size=\".1\" fromto=\"0 0 0 inf 0 0\"/>"),
        world("<geom type=\"plane\" size=\"-1 -1 1\"/>"),
        world(
            "<camera fovy=\"-1\" resolution=\"-1 5\"/><site size=\"nan\"/><light attenuation=\"nan 0 0\" cutoff=\"-3\"/>",
        ),
        hinge("axis=\"nan 0 0\""),
        hinge("axis=\"inf 0 0\""),
        hinge("axis=\"1e300 0 0\""),
        hinge("stiffness=\"nan\""),
        hinge("damping=\"1e300\""),
        hinge("armature=\"1e300\""),
        hinge("armature=\"nan\""),
        hinge("armature=\"-100\""),
        hinge("springdamper=\"nan 1\""),
        "<mujoco><option gravity=\"nan 0 0\" timestep=\"-1\"/></mujoco>".to_owned(),
        "<mujoco><statistic extent=\"inf\"/><size nkey=\"-5\"/><compiler boundmass=\"-1\"/></mujoco>".to_owned(),
        "\u{feff}<mujoco/>".to_owned(),
        "<!DOCTYPE a [<!ENTITY b \"x\">]><mujoco model=\"&b;\"/>".to_owned(),
    ];
    for text in accepted {
        let result = load_model(&text);
        assert!(result.is_ok(), "{text}\n{}", result.unwrap_err());
        let m = result.unwrap();
        let mut d = m.make_data();
        for _ in 0..5 {
            let _ = d.step(&m);
        }
    }
}

#[test]
fn extreme_numbers_are_refused_as_mujoco_refuses_them() {
    let refused = [
        body("<inertial pos=\"0 0 0\" mass=\"nan\" diaginertia=\"1 1 1\"/>"),
        body("<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 nan 1\"/>"),
        body("<inertial pos=\"0 0 0\" mass=\"1\" fullinertia=\"1 1 1 nan 0 0\"/>"),
        body("<inertial pos=\"0 0 0\" mass=\"1\" fullinertia=\"1e300 1e300 1e300 1e300 0 0\"/>"),
        body("<geom size=\".1\" density=\"1e-18\"/>"),
        world("<geom type=\"capsule\" size=\".1\" fromto=\"0 0 0 nan 0 0\"/>"),
        world("<body pos=\"1e-320 0 0\"/>"),
        world("<body pos=\"1e999 0 0\"/>"),
        world("<site size=\"0\"/>"),
        "<mujoco><size nuser_body=\"-2\"/></mujoco>".to_owned(),
        "<mujoco><size memory=\"100E\"/></mujoco>".to_owned(),
        "<mujoco><custom><numeric name=\"a\" size=\"501\"/></custom></mujoco>".to_owned(),
        "<mujoco>\0</mujoco>".to_owned(),
        "<mujoco model=a/>".to_owned(),
    ];
    for text in refused {
        assert!(load_model(&text).is_err(), "accepted: {text}");
    }
}

/// Sizes that would need more memory than there is are refused before it is asked for.
#[test]
fn sizes_without_bound_are_refused() {
    for size in
        ["nkey=\"2000000000\"", "nuserdata=\"2147483647\"", "nuser_body=\"2147483647\"", "nuser_geom=\"2000000000\""]
    {
        let text = format!(
            "<mujoco><size {size}/><worldbody><body><freejoint/><geom size=\".1\"/></body></worldbody></mujoco>"
        );
        assert!(load_model(&text).is_err(), "accepted: {size}");
    }
}

/// MuJoCo's XML reader goes 500 levels deep; deeper trees are refused, and dropping them overflows no stack.
#[test]
fn nesting_without_bound_is_refused() {
    for depth in [501, 10_000, 1_000_000] {
        for tag in ["body", "frame", "default"] {
            let text =
                format!("<mujoco>{}{}</mujoco>", format!("<{tag}>").repeat(depth), format!("</{tag}>").repeat(depth));
            assert!(load_model(&text).is_err(), "{depth} nested {tag}");
            let unclosed = format!("<mujoco>{}", format!("<{tag}>").repeat(depth));
            assert!(load_model(&unclosed).is_err(), "{depth} unclosed {tag}");
        }
    }
}

/// Long names, many attributes, many elements: linear work.
#[test]
fn large_files_take_linear_time() {
    let long = "x".repeat(1 << 20);
    assert!(load_model(&world(&format!("<body name=\"{long}\"/>"))).is_ok());
    assert!(load_model(&world(&format!("<{long}/>"))).is_err());
    let many: Vec<String> = (0..20_000).map(|i| format!("<site name=\"s{i}\"/>")).collect();
    assert_eq!(load_model(&world(&many.concat())).unwrap().nsite, 20_000);
    let wrong = "<site nam=\"s\"/>".repeat(100_000);
    let error = load_model(&world(&wrong)).unwrap_err();
    assert!(error.to_string().len() < 1 << 20, "an error message of {} bytes", error.to_string().len());
}
