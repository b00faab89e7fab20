//! A part of a tree, cut out to be attached once or many times.

use super::adopt::Namespace;
use super::kinds::{Placed, Refers, with_fixed_lists};
use super::{Body, Camera, Frame, Geom, Joint, Light, Site, Spec};

/// What to attach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Everything under the world, which itself is left out.
    World,
    /// A body with everything below it.
    Body(usize),
    /// A frame with everything that stands in it.
    Frame(usize),
}

/// Where to attach it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Body.
    pub body: usize,
    /// Frame of that body, if it is to stand in one.
    pub frame: Option<usize>,
}

/// Clones of all elements of a part. Indices are local: body 0 is the place, body `i` is `bodies[i - 1]`.
#[derive(Default)]
pub(crate) struct Cutting {
    bodies: Vec<Body>,
    frames: Vec<Frame>,
    joints: Vec<Joint>,
    geoms: Vec<Geom>,
    sites: Vec<Site>,
    cameras: Vec<Camera>,
    lights: Vec<Light>,
    /// Where the bodies and joints come from.
    pub(crate) body_source: Vec<usize>,
    pub(crate) joint_source: Vec<usize>,
}

/// Where the elements of a part went.
#[derive(Clone, Copy)]
pub(crate) struct Landed {
    pub(crate) body: usize,
    pub(crate) frame: usize,
    pub(crate) joint: usize,
}

/// How class and origin change on the way.
pub(crate) struct Shift<'a> {
    /// Added to classes.
    pub(crate) class: usize,
    /// New origin of every old one; empty when they stay.
    pub(crate) origins: &'a [usize],
}

impl Cutting {
    /// Clones the elements of a part; `None` if there is no such part.
    pub(crate) fn of(spec: &Spec, part: Part) -> Option<Self> {
        let member = Members::of(spec, part)?;
        let mut cut = Self::default();

        // what stands in a frame that is left behind stands in the place
        let mut frame_to = vec![None; spec.frames.len()];
        for (i, frame) in spec.frames.iter().enumerate() {
            if member.has(frame.body, Some(i)) {
                let mut frame = frame.clone();
                frame.body = member.local[frame.body].unwrap_or(0);
                frame.frame = frame.frame.and_then(|outer| frame_to.get(outer).copied().flatten());
                frame_to[i] = Some(cut.frames.len());
                cut.frames.push(frame);
            }
        }
        for (i, body) in spec.bodies.iter().enumerate() {
            if member.local[i].is_some_and(|local| local > 0) {
                let mut body = body.clone();
                let root = part == Part::Body(i);
                body.parent = if root { 0 } else { member.local.get(body.parent).copied().flatten().unwrap_or(0) };
                body.frame = if root { None } else { inner(&frame_to, body.frame) };
                cut.bodies.push(body);
                cut.body_source.push(i);
            }
        }
        macro_rules! fixed {
            ($($list:ident)*) => {
                $(for element in &spec.$list {
                    if member.has(element.body(), element.frame()) {
                        let mut element = element.clone();
                        *element.body_mut() = member.local[element.body()].unwrap_or(0);
                        *element.frame_mut() = inner(&frame_to, element.frame());
                        cut.$list.push(element);
                    }
                })*
            };
        }
        with_fixed_lists!(fixed);
        let joints = spec.joints.iter().enumerate();
        cut.joint_source = joints.filter(|(_, j)| member.has(j.body, j.frame)).map(|(i, _)| i).collect();
        Some(cut)
    }

    /// Number of bodies.
    pub(crate) fn bodies(&self) -> usize {
        self.bodies.len()
    }

    /// Number of elements of all kinds.
    pub(crate) fn len(&self) -> usize {
        macro_rules! sum {
            ($($list:ident)*) => { 0 $(+ self.$list.len())* };
        }
        self.bodies.len() + self.frames.len() + with_fixed_lists!(sum)
    }

    /// True if a joint of the part stands in a body of the part, not directly in the place.
    pub(crate) fn joint_is_deep(&self, joint: usize) -> bool {
        self.joints.get(joint).is_some_and(|j| j.body > 0)
    }

    /// Moves the outermost frames; they are those of the part itself.
    pub(crate) fn set_pose(&mut self, pose: (sim_types::Vec3, sim_types::Quat)) {
        if let Some(frame) = self.frames.first_mut() {
            (frame.pos, frame.quat, frame.alt) = (pose.0, pose.1, None);
        }
    }

    /// Puts a copy into a spec.
    pub(crate) fn plant(&self, spec: &mut Spec, place: Place, namespace: &Namespace<'_>, shift: &Shift<'_>) -> Landed {
        let landed = Landed { body: spec.bodies.len(), frame: spec.frames.len(), joint: spec.joints.len() };
        let body_to = |local: usize| if local == 0 { place.body } else { landed.body + local - 1 };
        let frame_to = |body: usize, frame: Option<usize>| match frame {
            Some(frame) => Some(landed.frame + frame),
            None if body == 0 => place.frame,
            None => None,
        };
        for body in &self.bodies {
            let mut body = body.clone();
            body.frame = frame_to(body.parent, body.frame);
            body.parent = body_to(body.parent);
            namespace.rename(&mut body);
            shift.apply(&mut body);
            spec.bodies.push(body);
        }
        macro_rules! copy {
            ($($list:ident)*) => {
                $(for element in &self.$list {
                    let mut element = element.clone();
                    *element.frame_mut() = frame_to(element.body(), element.frame());
                    *element.body_mut() = body_to(element.body());
                    namespace.rename(&mut element);
                    namespace.rename_references(&mut element);
                    shift.apply(&mut element);
                    spec.$list.push(element);
                })*
            };
        }
        copy! { frames }
        with_fixed_lists!(copy);
        landed
    }
}

impl Shift<'_> {
    pub(crate) fn apply<T: Refers>(&self, record: &mut T) {
        record.for_each_index(&mut |class| *class = class.saturating_add(self.class), &mut |origin| {
            *origin = self.origins.get(*origin).copied().unwrap_or(*origin);
        });
    }
}

/// Which elements belong to a part.
struct Members {
    /// Local index of every body; 0 for the body that holds the part.
    local: Vec<Option<usize>>,
    /// Frames of the holding body that belong to the part.
    frames: Vec<bool>,
    /// Whether everything in the holding body belongs to it.
    all: bool,
}

impl Members {
    fn of(spec: &Spec, part: Part) -> Option<Self> {
        let mut frames = vec![false; spec.frames.len()];
        let mut member = vec![false; spec.bodies.len()];
        let (holder, all) = match part {
            Part::World => {
                frames.fill(true);
                (Some(Spec::WORLD), true)
            }
            Part::Body(body) => {
                *member.get_mut(body)? = true;
                (None, false)
            }
            Part::Frame(frame) => {
                let holder = spec.frames.get(frame)?.body;
                for (i, inner) in spec.frames.iter().enumerate().skip(frame) {
                    frames[i] = i == frame || inner.frame.is_some_and(|outer| outer < i && frames[outer]);
                }
                (Some(holder), false)
            }
        };

        // bodies below those that belong to it, in any order
        let mut children = vec![Vec::new(); spec.bodies.len()];
        for (i, body) in spec.bodies.iter().enumerate().skip(1) {
            let direct =
                Some(body.parent) == holder && (all || body.frame.is_some_and(|f| frames.get(f) == Some(&true)));
            member[i] |= direct;
            if let Some(list) = children.get_mut(body.parent) {
                list.push(i);
            }
        }
        let mut todo: Vec<usize> = (0..member.len()).filter(|&i| member[i]).collect();
        while let Some(body) = todo.pop() {
            for &child in &children[body] {
                if !member[child] {
                    member[child] = true;
                    todo.push(child);
                }
            }
        }

        let mut count = 0;
        let mut local: Vec<Option<usize>> = Vec::with_capacity(member.len());
        for &is_member in &member {
            count += usize::from(is_member);
            local.push(is_member.then_some(count));
        }
        if let Some(place) = holder.and_then(|holder| local.get_mut(holder)) {
            *place = Some(0);
        }
        Some(Self { local, frames, all })
    }

    /// Whether an element of that body and frame belongs to it.
    fn has(&self, body: usize, frame: Option<usize>) -> bool {
        match self.local.get(body).copied().flatten() {
            None => false,
            Some(0) => self.all || frame.is_some_and(|f| self.frames.get(f) == Some(&true)),
            Some(_) => true,
        }
    }
}

fn inner(frame_to: &[Option<usize>], frame: Option<usize>) -> Option<usize> {
    frame.and_then(|f| frame_to.get(f).copied().flatten())
}
