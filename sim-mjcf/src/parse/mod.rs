//! A checked document becomes a [`Spec`].
//!
//! The order of sections in the file never matters: they are read in the order below, so that classes exist before the
//! elements that use them. Elements of one kind keep their order across repeated sections.

mod actuator;
mod asset;
mod body;
mod camera;
mod contact;
mod custom;
mod equality;
mod geom;
mod joint;
mod option;
mod sensor;
mod tendon;
mod visual;

use crate::attr::Fields;
use crate::defaults::Classes;
use crate::error::{MjcfErrorKind, Problems};
use crate::spec::{Orientation, Spec};
use crate::xml::{Document, Element, NodeId};

pub(crate) use actuator::actuator;
pub(crate) use asset::material;
pub(crate) use camera::{camera, light};
pub(crate) use contact::pair;
pub(crate) use equality::equality;
pub(crate) use geom::{geom, site};
pub(crate) use joint::joint;
pub(crate) use tendon::tendon;

/// Reads the model under `root`, which must have passed the check against the grammar.
pub(crate) fn parse(doc: &Document, root: NodeId, problems: &mut Problems) -> Spec {
    let mut reader = Reader { spec: Spec::default(), classes: Classes::new(), problems };
    let root = doc.element(root);
    if let Some(name) = root.attribute("model") {
        name.clone_into(&mut reader.spec.model_name);
    }
    let sections: [(&str, ReadSection); 17] = [
        ("compiler", option::compiler),
        ("option", option::option),
        ("size", option::size),
        ("visual", visual::visual),
        ("statistic", option::statistic),
        ("default", default),
        ("extension", unsupported_children),
        ("custom", custom::custom),
        ("asset", asset::asset),
        ("contact", contact::contact),
        ("deformable", unsupported_children),
        ("equality", equality::equalities),
        ("tendon", tendon::tendons),
        ("actuator", actuator::actuators),
        ("sensor", sensor::sensors),
        ("keyframe", custom::keyframe),
        ("worldbody", body::worldbody),
    ];
    for (name, read) in sections {
        for section in root.children().filter(|e| e.name() == name) {
            read(&mut reader, section);
        }
    }
    asset::check_textures(&reader.spec, reader.problems);
    reader.spec
}

/// Reads one section.
type ReadSection = fn(&mut Reader<'_>, Element<'_>);

/// What the sections are read into.
pub(crate) struct Reader<'p> {
    spec: Spec,
    classes: Classes,
    problems: &'p mut Problems,
}

impl Reader<'_> {
    /// Attributes of an element.
    fn fields<'d>(&mut self, element: Element<'d>) -> Fields<'d, '_> {
        Fields::new(element, self.problems)
    }

    /// The class that the attribute `attribute` of an element names; an unknown one is noted.
    fn class(&mut self, element: Element<'_>, attribute: &str) -> Option<usize> {
        let name = element.attribute(attribute)?;
        let found = self.classes.find(name);
        if found.is_none() {
            let kind = self.classes.undefined(name);
            self.problems.push(&element.attribute_at(attribute), kind);
        }
        found
    }

    /// Notes an element that is valid but not built.
    fn unsupported(&mut self, element: Element<'_>) {
        self.problems.push(&element.at(), MjcfErrorKind::Unsupported { element: element.name().into() });
    }
}

fn default(reader: &mut Reader<'_>, section: Element<'_>) {
    crate::defaults::read(&mut reader.spec, &mut reader.classes, section, reader.problems);
}

fn unsupported_children(reader: &mut Reader<'_>, section: Element<'_>) {
    for child in section.children() {
        reader.unsupported(child);
    }
}

/// Reads an orientation that is not a quaternion; true if any orientation is given, a quaternion included.
fn orientation(fields: &mut Fields<'_, '_>, alt: &mut Option<Orientation>) -> bool {
    let mut given = usize::from(fields.element.attribute("quat").is_some());
    let mut values = [0.0; 4];
    if fields.get("axisangle", &mut values) {
        *alt = Some(Orientation::AxisAngle(values));
        given += 1;
    }
    let mut axes = [0.0; 6];
    if fields.get("xyaxes", &mut axes) {
        *alt = Some(Orientation::XyAxes(axes));
        given += 1;
    }
    let mut vector = sim_types::Vec3::zeros();
    if fields.get("zaxis", &mut vector) {
        *alt = Some(Orientation::ZAxis(vector));
        given += 1;
    }
    if fields.get("euler", &mut vector) {
        *alt = Some(Orientation::Euler(vector));
        given += 1;
    }
    if given > 1 {
        fields.refuse("only one of quat, axisangle, xyaxes, zaxis, euler may be given");
    }
    given > 0
}

#[cfg(test)]
mod tests;
