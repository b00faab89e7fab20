//! What the compiler makes of each model: every array, option, statistic and name, against MuJoCo.

use sim_core::Model;
use sim_tests::tol::{compare, signs_like};
use sim_tests::{Golden, Tol, engine};
use sim_types::ObjType;

#[test]
fn every_model_array_is_mujocos() {
    let mut wrong = Vec::new();
    for golden in Golden::all().unwrap() {
        match engine::load(&golden.name) {
            Ok(m) => wrong.extend(model_errors(&m, &golden)),
            Err(e) => wrong.push(e.to_string()),
        }
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

fn model_errors(m: &Model, golden: &Golden) -> Vec<String> {
    let mut wrong = Vec::new();
    for (field, want) in golden.section("model") {
        // when MuJoCo fuses bodies it leaves stale bounding volumes behind, which nothing uses
        let fused = golden.name.starts_with("fuse_") || ["urdf_joints", "urdf_static"].contains(&golden.name.as_str());
        if fused && ["bvh_", "nbvh", "mesh_bvhadr"].iter().any(|p| field.starts_with(p)) {
            continue;
        }
        let Some(got) = values(m, field) else {
            wrong.push(format!("{}: the engine does not have it", golden.label("model", field)));
            continue;
        };
        let got = if field.ends_with("quat") { signs_like(&got, &want.data) } else { got };
        let label = golden.label("model", field);
        wrong.extend(compare(&label, &got, &want.data, Tol::MODEL.scaled(&want.data)).err());
    }
    wrong
}

/// Numbers of a size, an array or a setting by the golden's name.
fn values(m: &Model, field: &str) -> Option<Vec<f64>> {
    match field.split_once('.') {
        Some(("opt", name)) => option(m, name),
        Some(("stat", name)) => setting(&serde_json::to_value(&m.stat).unwrap()[name]),
        Some(("vis", name)) => {
            let (part, name) = name.split_once('.')?;
            setting(&serde_json::to_value(&m.vis).unwrap()[part][name])
        }
        _ => match field {
            "njmax" => Some(vec![m.njmax as f64]),
            "nconmax" => Some(vec![m.nconmax as f64]),
            _ => Some(m.array(field)?.data),
        },
    }
}

fn option(m: &Model, name: &str) -> Option<Vec<f64>> {
    let o = &m.opt;
    Some(match name {
        "integrator" => vec![f64::from(o.integrator as i32)],
        "cone" => vec![f64::from(o.cone as i32)],
        "jacobian" => vec![f64::from(o.jacobian as i32)],
        "solver" => vec![f64::from(o.solver as i32)],
        "disableflags" => vec![f64::from(o.disableflags.bits())],
        "enableflags" => vec![f64::from(o.enableflags.bits())],
        _ => return setting(&serde_json::to_value(o).unwrap()[name]),
    })
}

/// Numbers of a serialised setting: a number, a flag, or an array of numbers.
fn setting(value: &serde_json::Value) -> Option<Vec<f64>> {
    match value {
        serde_json::Value::Number(x) => Some(vec![x.as_f64()?]),
        serde_json::Value::Bool(x) => Some(vec![f64::from(u8::from(*x))]),
        serde_json::Value::Array(a) => a.iter().map(serde_json::Value::as_f64).collect(),
        _ => None,
    }
}

#[test]
fn every_name_is_mujocos() {
    let kinds = [
        ("body", ObjType::Body),
        ("joint", ObjType::Joint),
        ("geom", ObjType::Geom),
        ("site", ObjType::Site),
        ("camera", ObjType::Camera),
        ("light", ObjType::Light),
        ("numeric", ObjType::Numeric),
        ("text", ObjType::Text),
        ("tuple", ObjType::Tuple),
        ("key", ObjType::Key),
        ("mesh", ObjType::Mesh),
        ("hfield", ObjType::Hfield),
        ("texture", ObjType::Texture),
        ("material", ObjType::Material),
        ("flex", ObjType::Flex),
        ("skin", ObjType::Skin),
    ];
    for golden in Golden::all().unwrap() {
        let m = engine::load(&golden.name).unwrap();
        for (kind, obj) in kinds {
            let names = golden.names.get(kind).cloned().unwrap_or_default();
            assert_eq!(m.names.all(obj), names, "{} {kind}", golden.name);
            for (id, name) in names.iter().enumerate().filter(|(_, n)| !n.is_empty()) {
                assert_eq!(m.names.id(obj, name), Some(id), "{} {kind} '{name}'", golden.name);
            }
        }
    }
}

/// A model file gives the same model back, bit for bit.
#[test]
fn a_binary_file_keeps_every_model() {
    for golden in Golden::all().unwrap() {
        let m = engine::load(&golden.name).unwrap();
        let again = Model::from_bytes(&m.to_bytes().unwrap()).unwrap();
        assert_eq!(m, again, "{}", golden.name);
    }
}

/// "None" is one number. With another one, two chains of dofs that end at the world seem to end in different places, and
/// walking up both never meets.
#[test]
fn a_file_with_a_parent_below_minus_one_does_not_panic_in_a_step() {
    let m = engine::load("pendulum").unwrap();
    let mut file = serde_json::to_value(&m).unwrap();
    assert!(serde_json::from_value::<Model>(file.clone()).is_ok());
    assert_eq!(file["dof_parentid"][0], -1);
    file["dof_parentid"][0] = (-3).into();
    let error = serde_json::from_value::<Model>(file).unwrap_err().to_string();
    assert!(error.contains("-3 is neither an id nor -1"), "{error}");
}
