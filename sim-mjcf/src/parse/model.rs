//! `<model>`: another file, read to be attached. `<attach>`: a part of it, in the tree.

use super::Reader;
use super::body::Place;
use crate::error::{MjcfErrorKind, Problem, Warning};
use crate::source;
use crate::spec::adopt::Namespace;
use crate::spec::attach::Graft;
use crate::spec::{self, Part, Spec};
use crate::xml::Element;
use std::cell::Cell;
use std::io;

/// Model files one model may read, repeats counted.
const MAX_MODELS: usize = 1000;

/// Models inside of models.
const MAX_DEPTH: usize = 32;

/// The file that is being read, and those on the way to it.
#[derive(Clone, Copy)]
pub(crate) struct Nest<'a> {
    path: &'a str,
    outer: Option<&'a Self>,
    depth: usize,
    left: &'a Cell<usize>,
}

impl<'a> Nest<'a> {
    /// How many more files may be read.
    pub(crate) fn budget() -> Cell<usize> {
        Cell::new(MAX_MODELS)
    }

    /// The main file.
    pub(crate) fn main(path: &'a str, left: &'a Cell<usize>) -> Self {
        Self { path, outer: None, depth: 0, left }
    }

    /// A file that is read for a `<model>`, or why it may not be.
    fn inner(&'a self, path: &'a str) -> Result<Self, &'static str> {
        let mut files = std::iter::successors(Some(self), |nest| nest.outer);
        if files.any(|nest| nest.path == path) {
            return Err("the file needs itself, directly or through others");
        }
        if self.left.get() == 0 || self.depth >= MAX_DEPTH {
            return Err("too many model files are read for one model");
        }
        self.left.set(self.left.get() - 1);
        Ok(Self { path, outer: Some(self), depth: self.depth + 1, left: self.left })
    }

    /// The file that is being read.
    pub(crate) fn path(&self) -> &'a str {
        self.path
    }
}

/// Reads the file of a `<model>`; it is attached later, or never.
pub(super) fn model(reader: &mut Reader<'_>, element: Element<'_>) {
    let (mut file, mut content_type) = (String::new(), String::new());
    let mut f = reader.fields(element);
    f.get("file", &mut file);
    f.get("content_type", &mut content_type);
    let extension = file.rsplit_once('.').map(|(_, extension)| extension);
    if content_type != "text/xml" && !matches!(extension, Some("xml" | "urdf")) {
        f.wrong("file", "a file ending in .xml, or content_type=\"text/xml\"");
        return;
    }
    match child(reader, element, &file) {
        Ok(mut child) => {
            if let Some(name) = element.attribute("name") {
                name.clone_into(&mut child.model_name);
            }
            reader.models.push(child);
        }
        Err(problems) => problems.into_iter().for_each(|problem| reader.problems.add(problem)),
    }
}

fn child(reader: &mut Reader<'_>, element: Element<'_>, file: &str) -> Result<Spec, Vec<Problem>> {
    let at = element.at();
    let at_file = element.attribute_at("file");

    // beside the main file, else beside the file that this element was included from
    let source = reader.context.source;
    let mut path = source::join(&reader.spec.dir, file);
    let mut text = source.read(&path);
    if text.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        let beside = source::join(source::directory(&at.file), file);
        if beside != path {
            (text, path) = (source.read(&beside), beside);
        }
    }
    let text = text.map_err(|error| {
        let kind = MjcfErrorKind::Read { path: path.clone(), message: error.to_string() };
        vec![Problem { at: at_file.clone(), kind }]
    })?;

    let nest = reader.nest;
    let nest = nest.inner(&path).map_err(|message| vec![Problem::invalid(&at, "model", file, message)])?;
    let (child, mut report) = crate::read_text(reader.context, &text, &nest).map_err(|error| error.problems)?;
    for warning in report.warnings.drain(..) {
        reader.problems.warn(&warning.at, warning.message);
    }
    Ok(child)
}

/// Attaches a part of a model that was read before.
///
/// A body that is there already, because it was attached before, only moves to the frame that is named now.
pub(super) fn attach(reader: &mut Reader<'_>, element: Element<'_>, place: Place) {
    let (mut model, mut body, mut prefix) = (String::new(), String::new(), String::new());
    let mut f = reader.fields(element);
    f.get("model", &mut model);
    f.get("body", &mut body);
    f.get("prefix", &mut prefix);
    let at = element.at();
    let target = format!("{prefix}{body}");
    let existing = reader.spec.bodies.iter().position(|b| b.name == target);
    if let Some(existing) = existing {
        return reattach(reader, element, existing, place);
    }
    let Some(index) = reader.models.iter().position(|m| m.model_name == model) else {
        let kind = MjcfErrorKind::UndefinedName { kind: "model".into(), name: model, suggestion: None };
        return reader.problems.push(&element.attribute_at("model"), kind);
    };
    let child = &mut reader.models[index];
    let part = if body.is_empty() { Some(Part::World) } else { child.find_body(&body).map(Part::Body) };
    let Some(part) = part else {
        let kind =
            MjcfErrorKind::UndefinedName { kind: format!("body in model '{model}'"), name: body, suggestion: None };
        return reader.problems.push(&element.attribute_at("body"), kind);
    };

    let classes = reader.spec.defaults.len();
    let place = spec::Place { body: place.body, frame: place.frame };
    let namespace = Namespace { prefix: &prefix, suffix: "", foreign: true };
    match Graft::new(&mut reader.spec, reader.context.limits).foreign(place, child, part, namespace) {
        Ok(attached) => {
            for Warning { at, message } in attached.warnings {
                if reader.told.insert((at.clone(), message.clone())) {
                    reader.problems.warn(&at, message);
                }
            }
        }
        Err(message) => reader.problems.invalid(&at, "attach", "", message),
    }
    // keyframes that the child could not put together come along only once
    child.pending = spec::Pending::default();
    reader.classes.learn(&reader.spec, classes);
}

fn reattach(reader: &mut Reader<'_>, element: Element<'_>, body: usize, place: Place) {
    let at = element.at();
    let record = &mut reader.spec.bodies[body];
    if body == Spec::WORLD || record.parent != place.body {
        let message = format!("body '{}' is already attached, to another body", record.name);
        return reader.problems.invalid(&at, "attach", "", message);
    }
    record.frame = place.frame;
    let message = format!("body '{}' is there already; it moves here and nothing is attached", record.name);
    reader.problems.warn(&at, message);
}
