//! URDF in, [`Spec`] out, by MuJoCo's rules.
//!
//! Links become bodies, in a tree that the joints make; a link called `world` is the world. Roots stand still. Static
//! bodies are merged and what is only for show is dropped unless `<mujoco><compiler …/></mujoco>` in the file says
//! otherwise; angles are radians. Whatever is not named here (`mimic`, `transmission`, `safety_controller`, …) has no
//! effect, as in MuJoCo.

mod joint;
mod link;

#[cfg(test)]
mod tests;

use crate::Context;
use crate::attr::{Fields, FromText};
use crate::compile::orientation;
use crate::error::{MjcfErrorKind, Problems};
use crate::number::words;
use crate::schema::{nearest, warn_unread};
use crate::spec::{Compiler, Orientation, Spec};
use crate::xml::{Document, Element, NodeId};
use crate::{parse, source};
use sim_types::{Quat, Vec3};
use std::collections::{HashMap, HashSet};

/// True if an element is the root of a URDF file.
pub(crate) fn is_robot(root: Element<'_>) -> bool {
    root.name().eq_ignore_ascii_case("robot")
}

/// Reads the robot under `root`; `nest` says which file it comes from.
#[doc(alias = "mjXURDF")]
pub(crate) fn parse(
    doc: &Document,
    root: NodeId,
    context: Context<'_>,
    nest: &parse::Nest<'_>,
    problems: &mut Problems,
) -> Spec {
    let root = doc.element(root);
    let mut spec = Spec { dir: source::directory(nest.path()).to_owned(), ..Spec::default() };
    let compiler = &mut spec.compiler;
    (compiler.strippath, compiler.fusestatic, compiler.discardvisual) = (true, true, true);
    if let Some(block) = child(root, "mujoco", problems) {
        warn_unread(block, problems);
        let names = ["compiler", "option", "size"];
        let sections = names.map(|name| child(block, name, problems));
        spec = parse::settings(spec, sections, context, nest, problems);
    }
    spec.compiler.degree = false;
    if let Some(name) = root.attribute("name") {
        name.clone_into(&mut spec.model_name);
    }

    let mut robot = Robot {
        spec,
        links: HashMap::new(),
        bodies: Vec::new(),
        colors: HashMap::new(),
        geom_names: HashSet::new(),
        meshes: HashMap::new(),
        problems,
    };
    robot.materials(root);
    let links: Vec<Element<'_>> = root.raw_children().filter(|e| e.name() == "link").collect();
    let joints: Vec<Element<'_>> = root.raw_children().filter(|e| e.name() == "joint").collect();
    if robot.tree(&links, &joints).is_some() && robot.problems.is_empty() {
        for (i, link) in links.iter().enumerate() {
            robot.link(i, *link);
        }
        for joint in joints {
            robot.joint(joint);
        }
    }
    robot.spec
}

/// A robot while it is read.
struct Robot<'p> {
    spec: Spec,
    /// Index of every link in the file, by name.
    links: HashMap<String, usize>,
    /// Body of every link.
    bodies: Vec<usize>,
    /// Colours of the materials that have one, by name.
    colors: HashMap<String, [f32; 4]>,
    /// Names that geoms have.
    geom_names: HashSet<String>,
    /// Scales of every mesh file, by its name without directory and extension.
    meshes: HashMap<String, Vec<Vec3>>,
    problems: &'p mut Problems,
}

impl Robot<'_> {
    /// Finds the colours of all materials in the file; the first one of a name counts.
    fn materials(&mut self, root: Element<'_>) {
        let mut todo = vec![root];
        while let Some(element) = todo.pop() {
            let name = element.attribute("name").filter(|_| element.name() == "material");
            if let Some(name) = name.filter(|name| !self.colors.contains_key(*name))
                && let Some(color) = self.child(element, "color")
            {
                let mut rgba = [0.0; 4];
                if self.required(color, "rgba", &mut rgba) {
                    self.colors.insert(name.to_owned(), rgba);
                }
            }
            // the first child comes next
            let first = todo.len();
            todo.extend(element.raw_children());
            todo[first..].reverse();
        }
    }

    /// Makes the bodies: depth first, children in the order of their joints. `None` if there is no tree.
    fn tree(&mut self, links: &[Element<'_>], joints: &[Element<'_>]) -> Option<()> {
        for (i, link) in links.iter().enumerate() {
            let name = self.text(*link, "name")?;
            if let Some(first) = self.links.insert(name.to_owned(), i) {
                let (kind, name, first) = ("link".to_owned(), name.to_owned(), links[first].at());
                self.problems.push(&link.at(), MjcfErrorKind::DuplicateName { kind, name, first });
                return None;
            }
        }
        let mut has_parent = vec![false; links.len()];
        let mut children = vec![Vec::new(); links.len()];
        for joint in joints {
            let parent = self.end(*joint, "parent")?;
            let child = self.end(*joint, "child")?;
            if std::mem::replace(&mut has_parent[child], true) {
                let name = links[child].attribute("name").unwrap_or_default();
                self.problems.invalid(&joint.at(), "joint", "", format!("link '{name}' has a parent already"));
                return None;
            }
            children[parent].push(child);
        }

        self.bodies = vec![usize::MAX; links.len()];
        let mut todo: Vec<(usize, usize)> =
            (0..links.len()).rev().filter(|i| !has_parent[*i]).map(|i| (i, Spec::WORLD)).collect();
        while let Some((link, parent)) = todo.pop() {
            let name = links[link].attribute("name").unwrap_or_default();
            let is_world = name == "world";
            self.bodies[link] = if is_world { Spec::WORLD } else { self.spec.add_body(parent, name) };
            self.spec.bodies[self.bodies[link]].at = links[link].at();
            todo.extend(children[link].iter().rev().map(|child| (*child, self.bodies[link])));
        }
        let lost = self.bodies.iter().position(|body| *body == usize::MAX);
        if let Some(link) = lost.map(|i| links[i]) {
            let name = link.attribute("name").unwrap_or_default();
            self.problems.invalid(&link.at(), "link", name, "its chain of parents is a circle");
        }
        lost.is_none().then_some(())
    }

    /// The link at one end of a joint.
    fn end(&mut self, joint: Element<'_>, which: &'static str) -> Option<usize> {
        let element = self.required_child(joint, which)?;
        let name = self.text(element, "link")?;
        let found = self.links.get(name).copied();
        if found.is_none() {
            // in a fixed order, so that the same file always gets the same suggestion
            let mut names: Vec<&str> = self.links.keys().map(String::as_str).collect();
            names.sort_unstable();
            let (kind, suggestion) = ("link".to_owned(), nearest(name, names));
            let kind = MjcfErrorKind::UndefinedName { kind, name: name.to_owned(), suggestion };
            self.problems.push(&element.attribute_at("link"), kind);
        }
        found
    }

    /// Pose given by the `origin` inside an element.
    fn origin(&mut self, element: Element<'_>) -> (Vec3, Quat) {
        let (mut pos, mut angles, mut quat) = (Vec3::zeros(), Vec3::zeros(), Quat::IDENTITY);
        if let Some(origin) = self.child(element, "origin") {
            let mut f = Fields::new(origin, self.problems);
            f.get("xyz", &mut pos);
            if f.get("rpy", &mut angles) {
                // roll, pitch and yaw are about fixed axes
                let compiler = Compiler { degree: false, eulerseq: ['X', 'Y', 'Z'], ..Compiler::default() };
                match orientation(Quat::IDENTITY, Some(Orientation::Euler(angles)), &compiler) {
                    Ok(turned) => quat = turned,
                    Err(message) => f.refuse(message),
                }
            }
        }
        (pos, quat)
    }

    /// The only child with that name, which may be absent.
    fn child<'d>(&mut self, element: Element<'d>, name: &str) -> Option<Element<'d>> {
        child(element, name, self.problems)
    }

    /// The only child with that name.
    fn required_child<'d>(&mut self, element: Element<'d>, name: &'static str) -> Option<Element<'d>> {
        let found = self.child(element, name);
        if found.is_none() {
            let message = format!("<{name}> is missing inside");
            self.problems.invalid(
                &element.at(),
                element.name(),
                element.attribute("name").unwrap_or_default(),
                message,
            );
        }
        found
    }

    /// Reads an attribute that must be given; true if it is.
    fn required<T: FromText>(&mut self, element: Element<'_>, name: &str, field: &mut T) -> bool {
        if element.attribute(name).is_none_or(|text| words(text).next().is_none()) {
            self.missing(element, name);
            return false;
        }
        Fields::new(element, self.problems).get(name, field)
    }

    /// A text that must be given.
    fn text<'d>(&mut self, element: Element<'d>, name: &str) -> Option<&'d str> {
        let text = element.attribute(name);
        if text.is_none() {
            self.missing(element, name);
        }
        text
    }

    fn missing(&mut self, element: Element<'_>, name: &str) {
        let (at, element, attribute) = (element.at(), element.name().to_owned(), name.to_owned());
        self.problems.push(&at, MjcfErrorKind::MissingAttribute { element, attribute });
    }
}

/// The child with that name; a second one is a problem.
fn child<'d>(element: Element<'d>, name: &str, problems: &mut Problems) -> Option<Element<'d>> {
    let mut found = element.raw_children().filter(|c| c.name() == name);
    let first = found.next();
    if let Some(second) = found.next() {
        let (element, parent) = (name.to_owned(), element.name().to_owned());
        let kind = MjcfErrorKind::RepeatedElement { element, parent, count: 2 + found.count() };
        problems.push(&second.at(), kind);
    }
    first
}
