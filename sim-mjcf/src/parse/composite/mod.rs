//! `composite`: a chain of bodies that stands for a cable. The other kinds are no longer part of MuJoCo.
//!
//! It is expanded while the tree is read. Its geoms, joints and sites start from MuJoCo's own defaults, not from a
//! class.

mod cable;
mod skin;

#[cfg(test)]
mod tests;

use super::{Reader, geom, joint, site};
use crate::number::words;
use crate::spec::{Geom, Joint, Limited, Site};
use crate::xml::Element;
use sim_types::{GeomType, MINVAL, Quat, Vec3};

/// Group of joints and sites.
const GROUP: i32 = 3;

/// One coordinate of the curve that a cable follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Curve {
    Zero,
    Line,
    Cos,
    Sin,
}

/// What a `composite` says.
struct Composite {
    prefix: String,
    count: [i32; 3],
    offset: Vec3,
    quat: Quat,
    initial: String,
    curve: [Curve; 3],
    size: [f64; 3],
    /// Points along the cable, three numbers each.
    vertex: Vec<f32>,
    skin: skin::Settings,
    joint: Joint,
    geom: Geom,
    site: Site,
}

/// Where the composite stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) body: usize,
    pub(super) frame: Option<usize>,
    pub(super) class: usize,
}

/// Reads a `composite` and adds the bodies it stands for.
pub(super) fn composite(reader: &mut Reader<'_>, element: Element<'_>, place: Place) {
    if let Some(plugin) = element.children().find(|c| c.name() == "plugin") {
        return reader.unsupported(plugin);
    }
    let instead = match element.attribute("type") {
        Some("particle") => "replicate",
        Some("grid" | "cloth") => "a flexcomp of dim 2",
        Some("loop") => "a flexcomp of dim 1",
        Some("rope") => "type=\"cable\"",
        _ => "",
    };
    if !instead.is_empty() {
        reader.fields(element).wrong("type", format!("cable; MuJoCo no longer has this type, use {instead}"));
        return;
    }
    let before = reader.problems.len();
    let mut comp = read(reader, element, place);
    if reader.problems.len() > before {
        return;
    }
    if let Err(message) = make(reader, &mut comp, place) {
        reader.fields(element).refuse(&message);
    }
}

fn read(reader: &mut Reader<'_>, element: Element<'_>, place: Place) -> Composite {
    let at = element.at();
    let class = place.class;
    let mut comp = Composite {
        prefix: String::new(),
        count: [1; 3],
        offset: Vec3::zeros(),
        quat: Quat::IDENTITY,
        initial: "ball".to_owned(),
        curve: [Curve::Zero; 3],
        size: [1.0, 0.0, 0.0],
        vertex: Vec::new(),
        skin: skin::Settings::default(),
        joint: Joint { class, group: GROUP, at: at.clone(), ..Joint::default() },
        geom: Geom { class, at: at.clone(), ..Geom::default() },
        site: Site { class, group: GROUP, at, ..Site::default() },
    };
    let mut f = reader.fields(element);
    f.get("prefix", &mut comp.prefix);
    f.overlay("count", &mut comp.count);
    f.get("offset", &mut comp.offset);
    f.get("quat", &mut comp.quat);
    f.get("initial", &mut comp.initial);
    f.overlay("size", &mut comp.size);
    f.get("vertex", &mut comp.vertex);
    let shapes: Vec<&str> = words(element.attribute("curve").unwrap_or_default()).collect();
    if shapes.len() > 3 {
        f.wrong("curve", "at most three of s, cos(s), sin(s), 0");
    }
    for (curve, shape) in comp.curve.iter_mut().zip(shapes) {
        *curve = match shape {
            "s" => Curve::Line,
            "cos(s)" => Curve::Cos,
            "sin(s)" => Curve::Sin,
            "0" => Curve::Zero,
            _ => {
                f.wrong("curve", "at most three of s, cos(s), sin(s), 0");
                Curve::Zero
            }
        };
    }

    let mut joints = 0;
    for child in element.children() {
        match child.name() {
            "joint" => {
                joints += 1;
                joint(child, &mut comp.joint, reader.problems);
                // MuJoCo looks for it in the wrong element
                comp.joint.limited = Limited::Auto;
            }
            "geom" => geom(child, &mut comp.geom, reader.problems),
            "site" => site(child, &mut comp.site, reader.problems),
            "skin" => comp.skin.read(&mut reader.fields(child)),
            _ => {}
        }
    }
    if joints > 1 {
        reader.fields(element).refuse("a cable has one kind of joint");
    }
    comp
}

/// Checks what is written, then builds.
#[doc(alias = "mjCComposite::Make")]
fn make(reader: &mut Reader<'_>, comp: &mut Composite, place: Place) -> Result<(), String> {
    let refuse = |message: &str| Err(message.to_owned());
    if comp.count.iter().any(|n| *n < 1) {
        return refuse("every count must be positive");
    }
    let length: f64 = comp.size.iter().map(|x| x * x).sum();
    if length < MINVAL && comp.vertex.is_empty() {
        return refuse("size must not be zero");
    }
    if !comp.vertex.is_empty() {
        if comp.count[0] > 1 {
            return refuse("either vertex or count is given, not both");
        }
        comp.count = [i32::try_from(comp.vertex.len() / 3).unwrap_or(i32::MAX), 1, comp.count[2]];
    }
    if comp.count[0] < 2 || comp.count[1] > 1 || comp.count[2] > 1 {
        return refuse("a cable has at least two points along one dimension: count=\"n 1 1\" with n > 1");
    }
    if !matches!(comp.geom.r#type, GeomType::Cylinder | GeomType::Capsule | GeomType::Box) {
        return refuse("the geoms of a cable are capsules, cylinders or boxes: give geom type");
    }
    let bodies = comp.count[0] as usize - 1;
    let limit = reader.context.limits.bodies;
    if reader.spec.bodies.len() + bodies > limit {
        return Err(format!("with its {bodies} bodies the model has more than {limit}"));
    }
    let made = if comp.geom.r#type == GeomType::Box { Some(skin::skin(comp, reader.context.limits)?) } else { None };
    cable::cable(&mut reader.spec, comp, place);
    reader.spec.skins.extend(made);
    Ok(())
}
