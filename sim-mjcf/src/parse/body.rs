//! The body tree.

use super::composite::{self, composite};
use super::flexcomp::flexcomp;
use super::joint::freejoint;
use super::model::attach;
use super::replicate;
use super::{Reader, camera, geom, joint, light, orientation, site};
use crate::attr::Fields;
use crate::keywords;
use crate::spec::{Body, Camera, Frame, Geom, Joint, Light, Site, Spec};
use crate::xml::Element;
use sim_types::JointType;

/// Where an element stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) body: usize,
    pub(super) frame: Option<usize>,
    /// Class of elements that do not name one.
    pub(super) class: usize,
    /// The same for the body, whatever frames inside it say.
    pub(super) body_class: usize,
}

/// What is still to be read.
enum Todo<'d> {
    Element(Element<'d>, Place),
    /// The contents of a replicate have been read.
    Close(replicate::Open<'d>),
}

/// Reads the bodies of a `worldbody`, in document order and without recursion.
pub(super) fn worldbody(reader: &mut Reader<'_>, section: Element<'_>) {
    let mut todo = Vec::new();
    push_children(
        &mut todo,
        section,
        Place { body: Spec::WORLD, frame: None, class: Spec::MAIN, body_class: Spec::MAIN },
    );
    while let Some(next) = todo.pop() {
        if reader.problems.is_full() {
            return;
        }
        let (element, place) = match next {
            Todo::Element(element, place) => (element, place),
            Todo::Close(open) => {
                replicate::close(reader, &open);
                continue;
            }
        };
        let class = reader.class(element, "class").unwrap_or_else(|| reader.classes.current(&reader.spec, place.class));
        let place = Place { class, ..place };
        if element.name() == "replicate" {
            let (open, inner) = replicate::open(reader, element, place);
            todo.push(Todo::Close(open));
            push_children(&mut todo, element, inner);
        } else if let Some(inner) = child(reader, element, place) {
            push_children(&mut todo, element, inner);
        }
    }
}

/// Puts the elements inside `element` on the list; they stand in `place`.
fn push_children<'d>(todo: &mut Vec<Todo<'d>>, element: Element<'d>, place: Place) {
    let first = todo.len();
    todo.extend(element.children().map(|child| Todo::Element(child, place)));
    todo[first..].reverse();
}

/// Reads one element; returns the place of the elements inside it, if it holds bodies.
fn child(reader: &mut Reader<'_>, element: Element<'_>, place: Place) -> Option<Place> {
    let Place { body, frame, class, body_class } = place;
    let at = element.at();
    let world = body == Spec::WORLD;
    let problems = &mut *reader.problems;
    let spec = &mut reader.spec;
    let defaults = spec.defaults.get(class);
    match element.name() {
        "inertial" | "joint" | "freejoint" if world => {
            problems.invalid(&at, element.name(), "", "the world cannot move: put it inside a <body>");
        }
        "inertial" => inertial(reader, element, body),
        "joint" => {
            let start = defaults.map(|d| d.joint.clone()).unwrap_or_default();
            let mut record = Joint { body, frame, class, at, ..start };
            joint(element, &mut record, problems);
            spec.joints.push(record);
        }
        "freejoint" => {
            let (kind, own) = (JointType::Free, Joint::default());
            let mut record = Joint { body, frame, class, at, r#type: kind, freejoint: true, ..own };
            freejoint(element, &mut record, problems);
            spec.joints.push(record);
        }
        "geom" => {
            let start = defaults.map(|d| d.geom.clone()).unwrap_or_default();
            let mut record = Geom { body, frame, class, at, ..start };
            geom(element, &mut record, problems);
            spec.geoms.push(record);
            if let Some(plugin) = element.children().find(|c| c.name() == "plugin") {
                reader.unsupported(plugin);
            }
        }
        "site" => {
            let start = defaults.map(|d| d.site.clone()).unwrap_or_default();
            let mut record = Site { body, frame, class, at, ..start };
            site(element, &mut record, problems);
            spec.sites.push(record);
        }
        "camera" => {
            let start = defaults.map(|d| d.camera.clone()).unwrap_or_default();
            let mut record = Camera { body, frame, class, at, ..start };
            camera(element, &mut record, problems);
            spec.cameras.push(record);
        }
        "light" => {
            let start = defaults.map(|d| d.light.clone()).unwrap_or_default();
            let mut record = Light { body, frame, class, at, ..start };
            light(element, &mut record, problems);
            spec.lights.push(record);
        }
        "body" => return Some(new_body(reader, element, place)),
        "frame" => return Some(new_frame(reader, element, place)),
        "composite" => composite(reader, element, composite::Place { body, frame, class }),
        "flexcomp" => {
            if frame.is_some() {
                problems.warn(&at, "the frame around a flexcomp has no effect on it, as in MuJoCo");
            }
            flexcomp(reader, element, body, body_class);
        }
        "attach" => attach(reader, element, place),
        _ => reader.unsupported(element),
    }
    None
}

fn new_body(reader: &mut Reader<'_>, element: Element<'_>, place: Place) -> Place {
    let childclass = reader.class(element, "childclass");
    let mut body = Body { parent: place.body, frame: place.frame, childclass, at: element.at(), ..Body::default() };
    let mut f = reader.fields(element);
    f.get("name", &mut body.name);
    f.get("pos", &mut body.pos);
    f.get("quat", &mut body.quat);
    f.get("mocap", &mut body.mocap);
    orientation(&mut f, &mut body.alt);
    f.get("gravcomp", &mut body.gravcomp);
    f.key("sleep", &mut body.sleep, &keywords::SLEEP);
    f.get("user", &mut body.user);
    reader.spec.bodies.push(body);
    let class = childclass.unwrap_or(place.class);
    Place { body: reader.spec.bodies.len() - 1, frame: None, class, body_class: class }
}

fn new_frame(reader: &mut Reader<'_>, element: Element<'_>, place: Place) -> Place {
    let childclass = reader.class(element, "childclass");
    let mut frame = Frame { body: place.body, frame: place.frame, childclass, at: element.at(), ..Frame::default() };
    let mut f = reader.fields(element);
    f.get("name", &mut frame.name);
    f.get("pos", &mut frame.pos);
    f.get("quat", &mut frame.quat);
    orientation(&mut f, &mut frame.alt);
    reader.spec.frames.push(frame);
    let frame = Some(reader.spec.frames.len() - 1);
    Place { frame, class: childclass.unwrap_or(place.class), ..place }
}

fn inertial(reader: &mut Reader<'_>, element: Element<'_>, body: usize) {
    let Some(body) = reader.spec.bodies.get_mut(body) else { return };
    // inside frames a second one is allowed and adds to the first
    let record = body.inertial.get_or_insert_default();
    record.at = element.at();
    let mut f = Fields::new(element, reader.problems);
    f.get("pos", &mut record.pos);
    f.get("quat", &mut record.quat);
    f.get("mass", &mut record.mass);
    f.get("diaginertia", &mut record.diaginertia);
    let oriented = orientation(&mut f, &mut record.alt);
    let full = f.maybe("fullinertia", &mut record.fullinertia);
    if full && oriented {
        f.refuse("fullinertia already gives the orientation: leave quat, axisangle, xyaxes, zaxis, euler out");
    }
}
