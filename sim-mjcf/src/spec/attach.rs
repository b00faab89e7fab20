//! Attaching a part of one spec to another, or to the same one.

use super::adopt::{Adopt, Home, Namespace};
use super::index::Index;
use super::kinds::{Record, Refers, Rename, with_asset_lists, with_fixed_lists, with_referring_lists};
use super::part::{Cutting, Landed, Part, Place, Shift};
use super::pending::Pending;
use super::{Origin, Spec};
use crate::error::{Location, MjcfError, Problem, Warning};
use crate::limits::Limits;
use sim_types::{ObjType, Quat, Vec3};
use std::collections::{HashMap, HashSet};

/// What came of attaching.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Attached {
    /// Index of the new body, or of the new frame if a frame was attached; of the first body for a whole world.
    pub index: usize,
    /// Elements that were left behind because something they refer to is not there.
    pub warnings: Vec<Warning>,
}

impl Spec {
    /// Attaches a part of `child`, with everything that belongs to it, under names with a prefix and a suffix.
    ///
    /// Along with the part come the default classes, all assets and custom data of the child, and those pairs, tendons,
    /// actuators, sensors, … whose objects are found in the result; the rest is left behind and listed. Attached elements
    /// keep the child's compiler settings. The child's keyframes become keyframes of this spec, where everything else is
    /// at its reference. Options, sizes and visual settings of the child are not taken over. Frames around the part stay
    /// behind.
    ///
    /// ```
    /// use sim_mjcf::Spec;
    /// use sim_mjcf::spec::{Part, Place};
    ///
    /// let (arm, _) = Spec::parse(
    ///     "<mujoco>
    ///        <worldbody><body name='link'><joint name='hinge'/><geom size='0.1'/></body></worldbody>
    ///        <actuator><motor name='motor' joint='hinge'/></actuator>
    ///      </mujoco>",
    /// )?;
    /// let mut robot = Spec::new();
    /// let link = arm.find_body("link").unwrap();
    /// for prefix in ["left_", "right_"] {
    ///     robot.attach(Place::default(), &arm, Part::Body(link), prefix, "")?;
    /// }
    /// assert!(robot.find_actuator("right_motor").is_some());
    /// # Ok::<(), sim_mjcf::MjcfError>(())
    /// ```
    #[doc(alias = "mjs_attach")]
    pub fn attach(
        &mut self,
        place: Place,
        child: &Self,
        part: Part,
        prefix: &str,
        suffix: &str,
    ) -> Result<Attached, MjcfError> {
        let namespace = Namespace { prefix, suffix, foreign: true };
        let mut graft = Graft::new(self, Limits::default());
        graft.foreign(place, child, part, namespace).map_err(refused)
    }

    /// Attaches a copy of a part of this spec, under names with a prefix and a suffix.
    ///
    /// Assets and default classes are shared with the original. Pairs, tendons, actuators, sensors, … are copied if the
    /// objects they refer to have copies. For every keyframe there is one more, which holds the values of the copy.
    pub fn duplicate(&mut self, place: Place, part: Part, prefix: &str, suffix: &str) -> Result<Attached, MjcfError> {
        let no_part = || refused("there is no such part to copy".to_owned());
        let cutting = Cutting::of(self, part).ok_or_else(no_part)?;
        let mut graft = Graft::new(self, Limits::default());
        let index = graft.own(place, &cutting, part, Namespace { prefix, suffix, foreign: false }).map_err(refused)?;
        Ok(Attached { index, warnings: Vec::new() })
    }

    /// Puts `count` copies of a frame, with everything that stands in it, at poses of their own.
    ///
    /// `copy` gives pose and suffix of the copy with that number. The original stays. Returns the places where elements
    /// outside of the tree were written that have copies.
    pub(crate) fn replicate(
        &mut self,
        place: Place,
        frame: usize,
        count: usize,
        mut copy: impl FnMut(usize) -> (Vec3, Quat, String),
        limits: Limits,
    ) -> Result<HashSet<Location>, String> {
        let part = Part::Frame(frame);
        let mut cutting = Cutting::of(self, part).ok_or("there is no such frame")?;
        let mut graft = Graft::new(self, limits);

        // nothing is copied if not everything can be
        let bodies = cutting.bodies().saturating_mul(count).saturating_add(graft.spec.bodies.len());
        if bodies > limits.bodies {
            return Err(format!("{count} copies would give {bodies} bodies, and the limit is {}", limits.bodies));
        }
        graft.room(cutting.len().saturating_mul(count))?;
        for i in 0..count {
            let (pos, quat, suffix) = copy(i);
            cutting.set_pose((pos, quat));
            graft.own(place, &cutting, part, Namespace { prefix: "", suffix: &suffix, foreign: false })?;
        }
        Ok(graft.copied)
    }
}

/// A spec while parts are attached to it.
pub(crate) struct Graft<'a> {
    spec: &'a mut Spec,
    index: Index,
    /// Whether there is anything that refers to names; without it they are not looked at.
    named: bool,
    limits: Limits,
    /// What the referring records refer to, by kind: the quick way to see that one cannot be copied.
    hints: HashMap<i32, Vec<Hint>>,
    total: usize,
    /// Where records were written that were copied.
    copied: HashSet<Location>,
}

/// Kinds and names that a record refers to and that change with it.
type Hint = Vec<(ObjType, String)>;

impl<'a> Graft<'a> {
    pub(crate) fn new(spec: &'a mut Spec, limits: Limits) -> Self {
        macro_rules! none {
            ($($list:ident)*) => { true $(&& spec.$list.is_empty())* };
        }
        let named = !with_referring_lists!(none);
        let index = if named { Index::of(spec) } else { Index::default() };
        let total = spec.len();
        Self { spec, index, named, limits, hints: HashMap::new(), total, copied: HashSet::new() }
    }

    /// Attaches a part of another spec.
    #[doc(alias = "mjCBody::operator+=")]
    pub(crate) fn foreign(
        &mut self,
        place: Place,
        child: &Spec,
        part: Part,
        namespace: Namespace<'_>,
    ) -> Result<Attached, String> {
        let cutting = Cutting::of(child, part).ok_or("there is no such part in the child")?;
        self.check(place, &cutting)?;
        if !self.named {
            (self.index, self.named) = (Index::of(self.spec), true);
        }

        // keyframes of the child, by element; those it could not put together itself come last, under their own names
        let mut pending = Pending { keys: Vec::new(), states: child.pending.states.clone() };
        child.store_keys(&mut pending, |name| namespace.around(name), self.limits.elements)?;
        pending.keys.extend_from_slice(&child.pending.keys);

        // classes and compiler settings, which all records refer to
        let class = self.spec.defaults.len();
        self.add_classes(child, &namespace);
        let origins = self.add_origins(child);
        let shift = Shift { class, origins: &origins };

        let landed = self.plant(place, &cutting, &namespace, &shift, Some(&pending));
        self.spec.pending.keys.append(&mut pending.keys.clone());
        let mut warnings = Vec::new();
        macro_rules! bring {
            ($($list:ident)*) => {
                $(
                    let home = Home { spec: &*self.spec, index: &self.index };
                    let mut found = Vec::new();
                    for (i, record) in child.$list.iter().enumerate() {
                        match moved(record, &namespace, &shift, home) {
                            Ok(record) => found.push((i, record)),
                            Err(reason) => warnings.push(left_behind(record, &reason)),
                        }
                    }
                    let first = self.spec.$list.len();
                    let sources = self.append(found, |spec| &mut spec.$list)?;
                    if stringify!($list) == "actuators" {
                        self.follow(&sources, first, Some(&pending));
                    }
                )*
            };
        }
        with_asset_lists!(bring);
        with_referring_lists!(bring);
        warnings.append(&mut self.spec.pad_keys());
        Ok(Attached { index: landed.index(part), warnings })
    }

    /// Attaches a copy of a part of the spec itself.
    pub(crate) fn own(
        &mut self,
        place: Place,
        cutting: &Cutting,
        part: Part,
        namespace: Namespace<'_>,
    ) -> Result<usize, String> {
        self.check(place, cutting)?;
        let mut pending = std::mem::take(&mut self.spec.pending);
        let stored = self.spec.store_keys(&mut pending, |name| namespace.around(name), self.limits.elements);
        self.spec.pending = pending;
        stored?;

        let shift = Shift { class: 0, origins: &[] };
        let landed = self.plant(place, cutting, &namespace, &shift, None);
        macro_rules! bring {
            ($($list:ident)*) => {
                $(
                    let found = self.copies(&namespace, |spec| &spec.$list)?;
                    let first = self.spec.$list.len();
                    let sources = self.append(found, |spec| &mut spec.$list)?;
                    for &source in &sources {
                        self.copied.insert(self.spec.$list[source].at.clone());
                    }
                    if stringify!($list) == "actuators" {
                        self.follow(&sources, first, None);
                    }
                )*
            };
        }
        with_referring_lists!(bring);
        self.spec.pad_keys();
        Ok(landed.index(part))
    }

    /// Refuses a place that does not exist, and more elements than are allowed.
    fn check(&self, place: Place, cutting: &Cutting) -> Result<(), String> {
        if place.body >= self.spec.bodies.len() {
            return Err(format!("there is no body {} to attach to", place.body));
        }
        let frame = place.frame.map(|f| self.spec.frames.get(f).map(|f| f.body));
        if frame.is_some_and(|body| body != Some(place.body)) {
            return Err("the frame to attach to does not stand in the body to attach to".to_owned());
        }
        let bodies = self.spec.bodies.len() + cutting.bodies();
        if bodies > self.limits.bodies {
            return Err(format!("the model would have {bodies} bodies, and the limit is {}", self.limits.bodies));
        }
        self.room(cutting.len())
    }

    /// Refuses more elements than are allowed.
    fn room(&self, more: usize) -> Result<(), String> {
        if self.total.saturating_add(more) > self.limits.elements {
            let limit = self.limits.elements;
            return Err(format!("the model would have more than {limit} elements, which is the limit"));
        }
        Ok(())
    }

    /// Adds the tree and what the keyframes say about it.
    fn plant(
        &mut self,
        place: Place,
        cutting: &Cutting,
        namespace: &Namespace<'_>,
        shift: &Shift<'_>,
        other: Option<&Pending>,
    ) -> Landed {
        macro_rules! lengths {
            ($($list:ident)*) => { [$(self.spec.$list.len()),*] };
        }
        let mut first = with_fixed_lists!(lengths).into_iter();
        let landed = cutting.plant(self.spec, place, namespace, shift);
        self.total += cutting.len();
        if self.named {
            self.index.extend(&self.spec.bodies, landed.body);
            macro_rules! extend {
                ($($list:ident)*) => { $(self.index.extend(&self.spec.$list, first.next().unwrap_or(0));)* };
            }
            with_fixed_lists!(extend);
        }

        // a body that is copied forgets, so that its next copy is at the reference
        let pending = &mut self.spec.pending;
        for (i, &source) in cutting.joint_source.iter().enumerate() {
            pending.copy_joint(other, source, landed.joint + i);
            if other.is_none() && cutting.joint_is_deep(i) {
                pending.forget_joint(source);
            }
        }
        for (i, &source) in cutting.body_source.iter().enumerate() {
            pending.copy_body(other, source, landed.body + i);
            if other.is_none() {
                pending.forget_body(source);
            }
        }
        landed
    }

    /// Adds the classes of a child; its `main` hangs below this spec's `main`.
    fn add_classes(&mut self, child: &Spec, namespace: &Namespace<'_>) {
        let first = self.spec.defaults.len();
        for class in &child.defaults {
            let mut class = class.clone();
            class.name = namespace.around(&class.name);
            class.parent = Some(class.parent.map_or(Spec::MAIN, |parent| first + parent));
            self.spec.defaults.push(class);
        }
        self.total += child.defaults.len();
    }

    /// Adds the compiler settings of a child; returns the new origin of every old one.
    fn add_origins(&mut self, child: &Spec) -> Vec<usize> {
        let own = Origin { compiler: child.compiler.clone(), dir: child.dir.clone() };
        let mut origins = Vec::with_capacity(child.origins.len() + 1);
        for origin in std::iter::once(&own).chain(&child.origins) {
            let known = self.spec.origins.iter().position(|o| o == origin);
            let index = known.unwrap_or_else(|| {
                self.spec.origins.push(origin.clone());
                self.spec.origins.len() - 1
            });
            origins.push(index + 1);
        }
        origins
    }

    /// Copies of the records of one list that can be resolved with the new names.
    fn copies<T: Adopt>(
        &mut self,
        namespace: &Namespace<'_>,
        list: impl Fn(&Spec) -> &Vec<T>,
    ) -> Result<Vec<(usize, T)>, String> {
        let source = list(self.spec);
        let hints = self.hints.entry(T::KIND.number()).or_default();
        hints.extend(source.iter().skip(hints.len()).map(hint));
        let home = Home { spec: &*self.spec, index: &self.index };
        let shift = Shift { class: 0, origins: &[] };
        let mut found = Vec::new();
        let mut scratch = String::new();
        for (i, (record, hint)) in source.iter().zip(hints.iter()).enumerate() {
            let hopeless = !hint.is_empty()
                && !hint.iter().any(|(kind, name)| {
                    scratch.clear();
                    scratch.extend([namespace.prefix, name, namespace.suffix]);
                    self.index.has(*kind, &scratch)
                });
            if hopeless {
                continue;
            }
            if let Ok(record) = moved(record, namespace, &shift, home) {
                found.push((i, record));
                if self.total + found.len() > self.limits.elements {
                    break;
                }
            }
        }
        self.room(found.len())?;
        Ok(found)
    }

    /// Adds records to their list; returns where they came from.
    fn append<T: Adopt>(
        &mut self,
        found: Vec<(usize, T)>,
        list: impl Fn(&mut Spec) -> &mut Vec<T>,
    ) -> Result<Vec<usize>, String> {
        self.room(found.len())?;
        self.total += found.len();
        let target = list(self.spec);
        let first = target.len();
        let mut sources = Vec::with_capacity(found.len());
        for (source, record) in found {
            let name = record.name();
            if !name.is_empty() && self.index.has(T::KIND, name) {
                return Err(format!("there is already a {} called '{name}'", T::WORD));
            }
            sources.push(source);
            target.push(record);
        }
        self.index.extend(target, first);
        Ok(sources)
    }

    /// Lets actuators take along what keyframes say about them.
    fn follow(&mut self, sources: &[usize], first: usize, other: Option<&Pending>) {
        for (i, &source) in sources.iter().enumerate() {
            self.spec.pending.copy_actuator(other, source, first + i);
            if other.is_none() {
                self.spec.pending.forget_actuator(source);
            }
        }
    }
}

impl Landed {
    fn index(self, part: Part) -> usize {
        if matches!(part, Part::Frame(_)) { self.frame } else { self.body }
    }
}

/// A record in its new place, or why it cannot be there.
fn moved<T: Adopt>(record: &T, namespace: &Namespace<'_>, shift: &Shift<'_>, home: Home<'_>) -> Result<T, String> {
    let mut record = record.clone();
    record.adopt(namespace, home)?;
    namespace.rename(&mut record);
    shift.apply(&mut record);
    Ok(record)
}

fn hint<T: Refers + Clone>(record: &T) -> Hint {
    let mut names = Hint::new();
    record.clone().for_each_reference(&mut |reference| {
        if reference.rename == Rename::Always {
            names.push((reference.kind, std::mem::take(reference.name)));
        }
    });
    names
}

fn left_behind<T: Record>(record: &T, reason: &str) -> Warning {
    let name = record.name();
    let quoted = if name.is_empty() { String::new() } else { format!(" '{name}'") };
    Warning { at: record.at().clone(), message: format!("{}{quoted} is not attached: {reason}", T::WORD) }
}

fn refused(message: String) -> MjcfError {
    Problem::invalid(&Location::default(), "attach", "", message).into()
}
