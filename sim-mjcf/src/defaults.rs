//! Default classes: what an element starts from before its own attributes are read.
//!
//! A class starts as a copy of the class it is nested in, taken after that class has been read completely. A second
//! top-level `<default>` changes `main` only: classes that exist keep their copy.

use crate::error::{MjcfErrorKind, Problems};
use crate::parse;
use crate::schema::nearest;
use crate::spec::Spec;
use crate::xml::Element;
use std::collections::HashMap;

/// Classes by name.
pub(crate) struct Classes {
    by_name: HashMap<String, usize>,
    /// Whether a name has changed hands.
    shadowed: bool,
}

impl Classes {
    /// Only `main`.
    pub(crate) fn new() -> Self {
        Self { by_name: HashMap::from([("main".to_owned(), Spec::MAIN)]), shadowed: false }
    }

    /// Adds the classes of a spec from `first` on. One that has the name of another takes its place.
    pub(crate) fn learn(&mut self, spec: &Spec, first: usize) {
        for (i, class) in spec.defaults.iter().enumerate().skip(first) {
            self.shadowed |= self.by_name.insert(class.name.clone(), i).is_some();
        }
    }

    /// The class that now has the name of `class`: MuJoCo looks classes up by name for every element.
    pub(crate) fn current(&self, spec: &Spec, class: usize) -> usize {
        let name = spec.defaults.get(class).filter(|_| self.shadowed).map(|c| c.name.as_str());
        name.and_then(|name| self.find(name)).unwrap_or(class)
    }

    /// Index of the class called `name`.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The problem of a class that does not exist.
    pub(crate) fn undefined(&self, name: &str) -> MjcfErrorKind {
        // in a fixed order, so that the same file always gets the same suggestion
        let mut names: Vec<&str> = self.by_name.keys().map(String::as_str).collect();
        names.sort_unstable();
        let suggestion = nearest(name, names);
        MjcfErrorKind::UndefinedName { kind: "default class".into(), name: name.into(), suggestion }
    }
}

/// Reads a top-level `<default>` and the classes nested in it.
pub(crate) fn read(spec: &mut Spec, classes: &mut Classes, section: Element<'_>, problems: &mut Problems) {
    // document order, without recursion; every nested class knows its parent
    let mut todo = vec![(section, None)];
    while let Some((element, parent)) = todo.pop() {
        let Some(class) = open(spec, classes, element, parent, problems) else { continue };
        for child in element.children() {
            read_into(spec, class, child, problems);
        }
        let first = todo.len();
        todo.extend(element.children().filter(|c| c.name() == "default").map(|c| (c, Some(class))));
        todo[first..].reverse();
    }
}

/// The class that a `<default>` describes: `main` at the top, a new one below.
fn open(
    spec: &mut Spec,
    classes: &mut Classes,
    element: Element<'_>,
    parent: Option<usize>,
    problems: &mut Problems,
) -> Option<usize> {
    let name = element.attribute("class").unwrap_or_default();
    let Some(parent) = parent else {
        if !name.is_empty() && name != "main" {
            problems.invalid(
                &element.at(),
                "default",
                "",
                "the top-level class is 'main' and cannot have another name",
            );
        }
        return Some(Spec::MAIN);
    };
    if name.is_empty() {
        problems.push(
            &element.at(),
            MjcfErrorKind::MissingAttribute { element: "default".into(), attribute: "class".into() },
        );
        return None;
    }
    if let Some(first) = classes.find(name) {
        let first = spec.defaults.get(first).map(|class| class.at.clone()).unwrap_or_default();
        let kind = MjcfErrorKind::DuplicateName { kind: "default class".into(), name: name.into(), first };
        problems.push(&element.attribute_at("class"), kind);
        return None;
    }
    let class = spec.add_class(parent, name);
    if let Some(record) = spec.defaults.get_mut(class) {
        record.at = element.at();
    }
    classes.by_name.insert(name.to_owned(), class);
    Some(class)
}

/// Reads one element of a class into its record: all actuators share one. What the class says about elements that are
/// not built is not kept: without such elements it has no effect.
fn read_into(spec: &mut Spec, class: usize, element: Element<'_>, problems: &mut Problems) {
    let Some(record) = spec.defaults.get_mut(class) else { return };
    match element.name() {
        "joint" => parse::joint(element, &mut record.joint, problems),
        "geom" => parse::geom(element, &mut record.geom, problems),
        "site" => parse::site(element, &mut record.site, problems),
        "camera" => parse::camera(element, &mut record.camera, problems),
        "light" => parse::light(element, &mut record.light, problems),
        "mesh" => parse::mesh_class(element, &mut record.mesh, problems),
        "material" => parse::material(element, &mut record.material, problems),
        "pair" => parse::pair(element, &mut record.pair, problems),
        "equality" => parse::equality(element, &mut record.equality, problems),
        "tendon" => parse::tendon(element, &mut record.tendon, problems),
        "general" | "motor" | "position" | "velocity" | "intvelocity" | "damper" | "cylinder" | "muscle"
        | "adhesion" => parse::actuator(element, &mut record.actuator, problems),
        _ => {}
    }
}
