//! The body tree, frames included.

use super::elements;
use super::text::Xml;
use crate::keywords;
use crate::spec::{AlignFree, Body, Frame, Inertial, Joint, Spec};
use sim_types::JointType;

/// Writes the bodies, without recursion.
///
/// Elements of one kind keep their order, which decides their ids. Where that order leaves a frame and comes back to
/// it, the frame is written once more, without its name.
pub(super) fn worldbody(w: &mut Xml, spec: &Spec) {
    let mut lists = Lists::new(spec);
    let mut opened = vec![false; spec.frames.len()];
    w.start("worldbody");
    let mut scopes = vec![Scope { body: Spec::WORLD, frame: None, class: Spec::MAIN }];
    while let Some(&scope) = scopes.last() {
        fixed(w, spec, &mut lists, scope);
        if let Some(body) = lists.bodies[scope.body].take_in(scope.frame) {
            scopes.push(start_body(w, spec, body, scope.class));
        } else if let Some(frame) = lists.next_frame(spec, scope, &opened) {
            let record = &spec.frames[frame];
            start_frame(w, spec, record, !opened[frame]);
            opened[frame] = true;
            let class = record.childclass.unwrap_or(scope.class);
            scopes.push(Scope { frame: Some(frame), class, ..scope });
        } else {
            scopes.pop();
            if scopes.is_empty() {
                w.end_unless_empty();
            } else {
                w.end();
            }
        }
    }
}

/// Where elements are being written.
#[derive(Clone, Copy)]
struct Scope {
    body: usize,
    frame: Option<usize>,
    /// Class of elements that do not name one.
    class: usize,
}

/// Elements of one kind in one body, with their frames, and how many are done.
#[derive(Clone, Default)]
struct List {
    items: Vec<(usize, Option<usize>)>,
    done: usize,
}

impl List {
    /// The next element and its frame; none when all are done.
    fn head(&self) -> Option<(usize, Option<usize>)> {
        self.items.get(self.done).copied()
    }

    /// The next element, if it stands directly in this frame.
    fn take_in(&mut self, frame: Option<usize>) -> Option<usize> {
        let (item, place) = self.head()?;
        (place == frame).then(|| {
            self.done += 1;
            item
        })
    }
}

/// What every body holds, by kind.
struct Lists {
    joints: Vec<List>,
    geoms: Vec<List>,
    sites: Vec<List>,
    cameras: Vec<List>,
    lights: Vec<List>,
    bodies: Vec<List>,
    /// Frames, each standing in itself.
    frames: Vec<List>,
}

impl Lists {
    fn new(spec: &Spec) -> Self {
        let n = spec.bodies.len();
        // a frame of another body does not count
        let frame_in = |body: usize, frame: Option<usize>| {
            frame.filter(|f| spec.frames.get(*f).is_some_and(|record| record.body == body))
        };
        let by_body = |items: &mut dyn Iterator<Item = (usize, usize, Option<usize>)>| {
            let mut lists = vec![List::default(); n.max(1)];
            for (item, body, frame) in items {
                if let Some(list) = lists.get_mut(body) {
                    list.items.push((item, frame_in(body, frame)));
                }
            }
            lists
        };
        macro_rules! split {
            ($list:ident) => {
                by_body(&mut spec.$list.iter().enumerate().map(|(i, e)| (i, e.body, e.frame)))
            };
        }
        Self {
            joints: split!(joints),
            geoms: split!(geoms),
            sites: split!(sites),
            cameras: split!(cameras),
            lights: split!(lights),
            bodies: by_body(&mut spec.bodies.iter().enumerate().skip(1).map(|(i, b)| (i, b.parent, b.frame))),
            frames: by_body(&mut spec.frames.iter().enumerate().map(|(i, f)| (i, f.body, Some(i)))),
        }
    }

    /// A frame directly inside the scope that holds the next element of some kind, or was never written.
    fn next_frame(&mut self, spec: &Spec, scope: Scope, opened: &[bool]) -> Option<usize> {
        let frames = &mut self.frames[scope.body];
        while let Some((frame, _)) = frames.head()
            && opened[frame]
        {
            frames.done += 1;
        }
        let kinds = [&self.joints, &self.geoms, &self.sites, &self.cameras, &self.lights, &self.bodies, &self.frames];
        kinds.into_iter().find_map(|lists| directly_inside(spec, lists[scope.body].head()?.1?, scope.frame))
    }
}

/// The frame on the way from `inner` to `outer` that is directly inside `outer`; none if `inner` is not inside.
fn directly_inside(spec: &Spec, inner: usize, outer: Option<usize>) -> Option<usize> {
    let mut frame = inner;
    while Some(frame) != outer {
        let record = spec.frames.get(frame)?;
        // an enclosing frame comes first in the same body
        let around = record.frame.filter(|f| *f < frame && spec.frames[*f].body == record.body);
        if around == outer {
            return Some(frame);
        }
        frame = around?;
    }
    None
}

/// Writes what is fixed to the body of a scope and stands directly in its frame.
fn fixed(w: &mut Xml, spec: &Spec, lists: &mut Lists, scope: Scope) {
    /// Elements of one kind, with their class.
    macro_rules! elements {
        ($list:ident, $name:literal, $field:ident, |$e:ident| $($more:expr;)*) => {
            while let Some(i) = lists.$list[scope.body].take_in(scope.frame) {
                let $e = &spec.$list[i];
                w.start($name);
                w.name("name", &$e.name);
                spec.put_class(w, $e.class, scope.class);
                if let Some(class) = spec.class_or_main($e.class) {
                    elements::$field(w, $e, &class.$field);
                }
                $($more;)*
                w.end();
            }
        };
    }
    while let Some(i) = lists.joints[scope.body].take_in(scope.frame) {
        joint(w, spec, &spec.joints[i], scope);
    }
    elements!(geoms, "geom", geom, |g|);
    elements!(sites, "site", site, |s|);
    elements!(cameras, "camera", camera, |c| w.name("target", &c.target););
    elements!(lights, "light", light, |l| w.name("target", &l.target); w.name("texture", &l.texture););
}

fn joint(w: &mut Xml, spec: &Spec, j: &Joint, scope: Scope) {
    // a free joint that says nothing else has an element of its own, which takes no defaults
    let plain = Joint {
        name: j.name.clone(),
        at: j.at.clone(),
        body: j.body,
        frame: j.frame,
        class: j.class,
        group: j.group,
        align: j.align,
        freejoint: j.freejoint,
        r#type: JointType::Free,
        ..Joint::default()
    };
    if *j == plain {
        w.start("freejoint");
        w.name("name", &j.name);
        w.diff("group", &j.group, &0);
        w.key("align", j.align, AlignFree::Auto, &keywords::ALIGN);
        return w.end();
    }
    w.start("joint");
    w.name("name", &j.name);
    spec.put_class(w, j.class, scope.class);
    if let Some(class) = spec.class_or_main(j.class) {
        elements::joint(w, j, &class.joint);
    }
    w.end();
}

fn start_body(w: &mut Xml, spec: &Spec, index: usize, class: usize) -> Scope {
    let (b, base) = (&spec.bodies[index], Body::default());
    w.start("body");
    w.name("name", &b.name);
    childclass(w, spec, b.childclass);
    w.diff("pos", &b.pos, &base.pos);
    elements::orientation(w, (b.quat, b.alt), (base.quat, None));
    w.diff("mocap", &b.mocap, &base.mocap);
    w.diff("gravcomp", &b.gravcomp, &base.gravcomp);
    w.key("sleep", b.sleep, base.sleep, &keywords::SLEEP);
    elements::user(w, &b.user, &[]);
    if let Some(record) = &b.inertial {
        inertial(w, record);
    }
    Scope { body: index, frame: None, class: b.childclass.unwrap_or(class) }
}

fn inertial(w: &mut Xml, i: &Inertial) {
    let base = Inertial::default();
    w.start("inertial");
    w.set("pos", &i.pos);
    w.set("mass", &i.mass);
    elements::orientation(w, (i.quat, i.alt), (base.quat, None));
    w.diff("diaginertia", &i.diaginertia, &base.diaginertia);
    if let Some(full) = &i.fullinertia {
        w.set("fullinertia", full);
    }
    w.end();
}

fn start_frame(w: &mut Xml, spec: &Spec, f: &Frame, named: bool) {
    let base = Frame::default();
    w.start("frame");
    if named {
        w.name("name", &f.name);
    }
    childclass(w, spec, f.childclass);
    w.diff("pos", &f.pos, &base.pos);
    elements::orientation(w, (f.quat, f.alt), (base.quat, None));
}

fn childclass(w: &mut Xml, spec: &Spec, class: Option<usize>) {
    if let Some(class) = class.and_then(|c| spec.defaults.get(c)) {
        w.set("childclass", &class.name);
    }
}
