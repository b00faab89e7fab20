//! Names: unique within their kind, found again by reference.

use super::tree::Body;
use crate::error::{Location, MjcfErrorKind, Problems};
use crate::schema::nearest;
use crate::spec::Spec;
use sim_core::names::Names;
use sim_types::ObjType;
use std::collections::HashMap;

/// Notes every name that two elements of one kind share.
#[doc(alias = "mjCModel::CheckRepeat")]
pub(super) fn check_unique(spec: &Spec, problems: &mut Problems) {
    /// One pass per kind of element.
    macro_rules! unique {
        ($($list:ident: $kind:literal),*) => {
            $(repeated($kind, spec.$list.iter().map(|e| (e.name.as_str(), &e.at)), problems);)*
        };
    }
    unique!(
        bodies: "body",
        frames: "frame",
        joints: "joint",
        geoms: "geom",
        sites: "site",
        cameras: "camera",
        lights: "light",
        meshes: "mesh",
        hfields: "height field",
        materials: "material",
        textures: "texture",
        flexes: "flex",
        pairs: "contact pair",
        excludes: "excluded body pair",
        equalities: "equality constraint",
        tendons: "tendon",
        actuators: "actuator",
        sensors: "sensor",
        numerics: "numeric",
        texts: "text",
        tuples: "tuple"
    );
    repeated("skin", spec.skins.iter().map(|s| (super::skin::name(s), &s.at)), problems);
    let attached = spec.pending.keys.iter().map(|k| (k.name.as_str(), &k.at));
    repeated("keyframe", spec.keys.iter().map(|k| (k.name.as_str(), &k.at)).chain(attached), problems);
    for material in &spec.materials {
        if material.name.is_empty() {
            problems.invalid(&material.at, "material", "", "a material needs a name");
        }
    }
}

/// The names of everything in the model, in the order of ids.
#[doc(alias = "mjCModel::CopyNames")]
pub(super) fn collect(spec: &Spec, bodies: &[Body<'_>], nkey: usize) -> Names {
    let mut names = Names::default();
    let mut set = |kind, list: Vec<String>| {
        // names were checked before, so this cannot fail
        let _ = names.set(kind, list);
    };
    set(ObjType::Body, bodies.iter().map(|b| b.spec.name.clone()).collect());
    set(ObjType::Joint, bodies.iter().flat_map(|b| &b.joints).map(|j| j.spec.name.clone()).collect());
    set(ObjType::Geom, bodies.iter().flat_map(|b| &b.geoms).map(|g| g.spec.name.clone()).collect());
    set(ObjType::Site, bodies.iter().flat_map(|b| &b.sites).map(|s| s.name.clone()).collect());
    set(ObjType::Camera, bodies.iter().flat_map(|b| &b.cameras).map(|c| c.spec.name.clone()).collect());
    set(ObjType::Light, bodies.iter().flat_map(|b| &b.lights).map(|l| l.name.clone()).collect());
    let visible = !spec.compiler.discardvisual;
    set(ObjType::Material, spec.materials.iter().filter(|_| visible).map(|m| m.name.clone()).collect());
    set(ObjType::Flex, spec.flexes.iter().map(|f| f.name.clone()).collect());
    set(ObjType::Skin, spec.skins.iter().map(|s| super::skin::name(s).to_owned()).collect());
    set(ObjType::Equality, spec.equalities.iter().map(|e| e.name.clone()).collect());
    set(ObjType::Tendon, spec.tendons.iter().map(|t| t.name.clone()).collect());
    set(ObjType::Actuator, spec.actuators.iter().map(|a| a.name.clone()).collect());
    set(ObjType::Sensor, spec.sensors.iter().map(|s| s.name.clone()).collect());
    set(ObjType::Numeric, spec.numerics.iter().map(|n| n.name.clone()).collect());
    set(ObjType::Text, spec.texts.iter().map(|t| t.name.clone()).collect());
    set(ObjType::Tuple, spec.tuples.iter().map(|t| t.name.clone()).collect());
    let mut keys: Vec<String> = spec.keys.iter().map(|k| k.name.clone()).collect();
    let pending = &spec.pending.keys;
    keys.resize(nkey.saturating_sub(pending.len()).max(keys.len()), String::new());
    keys.extend(pending.iter().map(|k| k.name.clone()));
    set(ObjType::Key, keys);
    names
}

/// Sets the names of one kind whose order is found later.
pub(super) fn replace<'a>(names: &mut Names, kind: ObjType, list: impl Iterator<Item = &'a String>) {
    // names were checked before, so this cannot fail
    let _ = names.set(kind, list.cloned().collect());
}

/// The id of the object that an element at `at` refers to; an unknown name is a problem.
pub(super) fn resolve(
    names: &Names,
    kind: (ObjType, &str),
    name: &str,
    at: &Location,
    problems: &mut Problems,
) -> Option<usize> {
    let id = names.id(kind.0, name);
    if id.is_none() {
        // the search for a similar name costs time: not for problems that nobody will see
        let candidates = if problems.is_full() { &[] } else { names.all(kind.0) };
        let suggestion = nearest(name, candidates.iter().map(String::as_str).filter(|n| !n.is_empty()));
        let kind = MjcfErrorKind::UndefinedName { kind: kind.1.to_owned(), name: name.to_owned(), suggestion };
        problems.push(at, kind);
    }
    id
}

fn repeated<'a>(kind: &str, elements: impl Iterator<Item = (&'a str, &'a Location)>, problems: &mut Problems) {
    let mut first: HashMap<&str, &Location> = HashMap::new();
    for (name, at) in elements.filter(|(name, _)| !name.is_empty()) {
        if let Some(&first) = first.get(name) {
            let (kind, name, first) = (kind.to_owned(), name.to_owned(), first.clone());
            problems.push(at, MjcfErrorKind::DuplicateName { kind, name, first });
        } else {
            first.insert(name, at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Geom, Site};

    #[test]
    fn names_are_unique_per_kind_only() {
        let mut spec = Spec::default();
        let geom = Geom { name: "a".to_owned(), ..Geom::default() };
        spec.geoms = vec![geom.clone(), Geom::default(), Geom::default()];
        spec.sites = vec![Site { name: "a".to_owned(), ..Site::default() }];
        let mut problems = Problems::new();
        check_unique(&spec, &mut problems);
        assert!(problems.is_empty());
        spec.geoms.push(geom);
        check_unique(&spec, &mut problems);
        let error = problems.check().unwrap_err();
        assert_eq!(error.problems.len(), 1);
        assert!(error.to_string().contains("geom 'a' is already defined"), "{error}");
    }
}
