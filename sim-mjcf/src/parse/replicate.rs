//! `<replicate>`: what stands in it, several times.
//!
//! The contents are read once, into a body and a frame of their own. Then the frame is copied into the body around the
//! element, once per copy, and the original is deleted with everything that refers to it.

use super::Reader;
use super::body::Place;
use crate::Location;
use crate::compile::orientation;
use crate::spec::{self, Body, Frame, Orientation};
use crate::xml::Element;
use sim_types::{Quat, Vec3};
use std::collections::HashSet;

/// A replicate whose contents are being read.
pub(super) struct Open<'d> {
    element: Element<'d>,
    /// Where the copies go.
    outer: Place,
    /// The body and the frame that hold the original.
    body: usize,
    frame: usize,
}

/// Opens a replicate; returns the place of its contents.
pub(super) fn open<'d>(reader: &mut Reader<'_>, element: Element<'d>, outer: Place) -> (Open<'d>, Place) {
    let childclass = reader.class(element, "childclass");
    let at = element.at();
    reader.spec.bodies.push(Body { parent: outer.body, at: at.clone(), ..Body::default() });
    let body = reader.spec.bodies.len() - 1;
    reader.spec.frames.push(Frame { body, childclass, at, ..Frame::default() });
    let frame = reader.spec.frames.len() - 1;
    let class = childclass.unwrap_or(outer.class);
    let inner = Place { body, frame: Some(frame), class, body_class: class };
    (Open { element, outer, body, frame }, inner)
}

/// Makes the copies and removes the original.
pub(super) fn close(reader: &mut Reader<'_>, open: &Open<'_>) {
    let (mut count, mut sep) = ([0_i32], String::new());
    let (mut offset, mut euler) = (Vec3::zeros(), Vec3::zeros());
    let mut f = reader.fields(open.element);
    f.get("count", &mut count);
    f.get("offset", &mut offset);
    f.get("euler", &mut euler);
    f.get("sep", &mut sep);
    let at = open.element.at();
    if !reader.problems.is_empty() {
        return;
    }

    // every copy is turned by a multiple of the angles, and stands one offset further in the frame of the one before
    let compiler = reader.spec.compiler.clone();
    let turned = |i: usize| {
        let angles = euler.map(|angle| i as f64 * angle);
        orientation(Quat::IDENTITY, Some(Orientation::Euler(angles)), &compiler)
    };
    if let Err(message) = turned(0) {
        return reader.problems.invalid(&at, "replicate", "", message);
    }
    let digits = count[0].to_string().len();
    let mut next = Vec3::zeros();
    let copy = |i: usize| {
        let (pos, quat) = (next, turned(i).unwrap_or_default());
        next += quat.rotate(&offset);
        (pos, quat, format!("{sep}{i:0digits$}"))
    };
    let place = spec::Place { body: open.outer.body, frame: open.outer.frame };
    let count = usize::try_from(count[0]).unwrap_or(0);
    let limits = reader.context.limits;
    let copied = match reader.spec.replicate(place, open.frame, count, copy, limits) {
        Ok(copied) => copied,
        Err(message) => return reader.problems.invalid(&at, "replicate", "", message),
    };
    remove(reader, open, &copied);
}

/// Deletes the original; what disappears with it without a copy is worth a warning.
fn remove(reader: &mut Reader<'_>, open: &Open<'_>, copied: &HashSet<Location>) {
    let problems = &mut *reader.problems;
    let mut gone = |at: &Location, what: String| {
        if !copied.contains(at) {
            problems.warn(at, format!("{what} is dropped: not everything it refers to has a copy"));
        }
    };
    let removed = reader.spec.remove_body(open.body, reader.context.limits, &mut gone);
    if let Err(message) = removed {
        reader.problems.invalid(&open.element.at(), "replicate", "", message);
    }
}
