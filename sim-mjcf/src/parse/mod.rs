//! A checked document becomes a [`Spec`].
//!
//! The order of sections in the file never matters: they are read in the order below, so that classes exist before the
//! elements that use them. Elements of one kind keep their order across repeated sections.

mod actuator;
mod asset;
mod body;
mod camera;
mod composite;
mod contact;
mod custom;
mod deformable;
mod equality;
mod flexcomp;
mod geom;
mod joint;
mod model;
mod option;
mod replicate;
mod sensor;
mod tendon;
mod visual;

use crate::Context;
use crate::attr::Fields;
use crate::defaults::Classes;
use crate::error::{Location, MjcfErrorKind, Problems};
use crate::source;
use crate::spec::{Orientation, Spec};
use crate::xml::{Document, Element, NodeId};
use std::collections::HashSet;

pub(crate) use actuator::actuator;
pub(crate) use asset::{material, mesh_class};
pub(crate) use camera::{camera, light};
pub(crate) use contact::pair;
pub(crate) use custom::object_word;
pub(crate) use equality::equality;
pub(crate) use geom::{geom, site};
pub(crate) use joint::joint;
pub(crate) use model::Nest;
pub(crate) use sensor::sensor_word;
pub(crate) use tendon::tendon;

/// Reads the model under `root`, which must have passed the check against the grammar.
///
/// `nest` knows the file it comes from.
pub(crate) fn parse(
    doc: &Document,
    root: NodeId,
    context: Context<'_>,
    nest: &Nest<'_>,
    problems: &mut Problems,
) -> Spec {
    let mut reader = Reader::new(Spec::default(), context, nest, problems);
    source::directory(nest.path()).clone_into(&mut reader.spec.dir);
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
        ("extension", extension),
        ("custom", custom::custom),
        ("asset", asset::asset),
        ("contact", contact::contact),
        ("deformable", deformable::deformable),
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
    reader.spec
}

/// Reads the settings that a file of another kind may hold into a spec: `compiler`, `option` and `size`.
pub(crate) fn settings(
    spec: Spec,
    [compiler, option, size]: [Option<Element<'_>>; 3],
    context: Context<'_>,
    nest: &Nest<'_>,
    problems: &mut Problems,
) -> Spec {
    let mut reader = Reader::new(spec, context, nest, problems);
    let sections: [(_, ReadSection); 3] =
        [(compiler, option::compiler), (option, option::option), (size, option::size)];
    for (section, read) in sections {
        if let Some(section) = section {
            read(&mut reader, section);
        }
    }
    reader.spec
}

/// Reads one section.
type ReadSection = fn(&mut Reader<'_>, Element<'_>);

/// What the sections are read into.
pub(crate) struct Reader<'p> {
    spec: Spec,
    classes: Classes,
    /// Models that can be attached.
    models: Vec<Spec>,
    /// What was said about attaching: once is enough for a model that is attached a hundred times.
    told: HashSet<(Location, String)>,
    context: Context<'p>,
    /// Plugin instances that the model declares, and their plugins.
    instances: Vec<(String, String)>,
    nest: &'p Nest<'p>,
    problems: &'p mut Problems,
}

impl<'p> Reader<'p> {
    fn new(spec: Spec, context: Context<'p>, nest: &'p Nest<'p>, problems: &'p mut Problems) -> Self {
        let (models, instances, told) = (Vec::new(), Vec::new(), HashSet::new());
        Self { spec, classes: Classes::new(), models, told, instances, context, nest, problems }
    }

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

    /// The plugin that an element asks for, by its own name or by that of an instance.
    fn plugin_name(&self, element: Element<'_>) -> String {
        let instance = element.attribute("instance").unwrap_or_default();
        let declared = self.instances.iter().find(|(name, _)| name == instance).map(|(_, plugin)| plugin.as_str());
        element.attribute("plugin").or(declared).unwrap_or(instance).to_owned()
    }

    /// Notes an element that is valid but not built.
    fn unsupported(&mut self, element: Element<'_>) {
        let kind = match element.name() {
            "plugin" => MjcfErrorKind::Plugin { plugin: self.plugin_name(element) },
            name => MjcfErrorKind::Unsupported { element: name.into() },
        };
        self.problems.push(&element.at(), kind);
    }
}

fn default(reader: &mut Reader<'_>, section: Element<'_>) {
    crate::defaults::read(&mut reader.spec, &mut reader.classes, section, reader.problems);
}

/// Remembers the plugin instances; a plugin that nothing uses changes nothing.
fn extension(reader: &mut Reader<'_>, section: Element<'_>) {
    for plugin in section.children() {
        let name = plugin.attribute("plugin").unwrap_or_default();
        for instance in plugin.children() {
            reader.instances.push((instance.attribute("name").unwrap_or_default().to_owned(), name.to_owned()));
        }
        reader.problems.warn(&plugin.at(), format!("the plugin '{name}' is not part of this engine"));
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
