//! The model while it is compiled: bodies in their final order, each with the elements fixed to it.

use super::pose::{self, Pose};
use crate::error::{Location, Problems};
use crate::spec::{self, Spec};
use sim_types::Vec3;

/// MuJoCo packs two body ids into 32 bits, and keeps two values for itself.
const MAX_BODIES: usize = 65534;

/// MuJoCo refuses deeper trees.
const MAX_DEPTH: usize = 1024;

/// A body and everything fixed to it. Lists are in document order.
pub(super) struct Body<'a> {
    pub(super) spec: &'a spec::Body,
    /// Parent in the final order; the world's is itself.
    pub(super) parent: usize,
    /// Pose in the parent.
    pub(super) pose: Pose,
    /// Inertial frame in the body.
    pub(super) inertial: Pose,
    pub(super) mass: f64,
    pub(super) inertia: Vec3,
    /// Rigidly attached to the world.
    pub(super) fixed: bool,
    /// Has no child bodies as written.
    pub(super) leaf: bool,
    pub(super) contype: i32,
    pub(super) conaffinity: i32,
    pub(super) margin: f64,
    pub(super) joints: Vec<Joint>,
    pub(super) geoms: Vec<Geom>,
    pub(super) sites: Vec<spec::Site>,
    pub(super) cameras: Vec<Camera>,
    pub(super) lights: Vec<spec::Light>,
}

/// A joint with its limits decided; pose and angles in `spec` are final after compilation.
pub(super) struct Joint {
    pub(super) spec: spec::Joint,
    pub(super) limited: bool,
    pub(super) actfrclimited: bool,
}

/// A geom and what its shape gives; pose and size in `spec` are final after compilation.
pub(super) struct Geom {
    pub(super) spec: spec::Geom,
    pub(super) mass: f64,
    pub(super) inertia: Vec3,
    /// Referred to by something that needs it, so that it is not only for show.
    pub(super) used: bool,
    /// Its mesh or height field.
    pub(super) data: Option<usize>,
    /// Centre and half sizes of its box.
    pub(super) aabb: [f64; 6],
    /// Radius of its bounding sphere; zero for a plane.
    pub(super) rbound: f64,
}

impl Geom {
    pub(super) fn new(spec: spec::Geom) -> Self {
        let (mass, inertia) = (0.0, Vec3::zeros());
        Self { spec, mass, inertia, used: false, data: None, aabb: [0.0; 6], rbound: 0.0 }
    }

    /// True when it neither collides nor is used.
    pub(super) fn is_visual(&self) -> bool {
        self.spec.contype == 0 && self.spec.conaffinity == 0 && !self.used
    }

    pub(super) fn pose(&self) -> Pose {
        Pose::new(self.spec.pos, self.spec.quat)
    }

    pub(super) fn set_pose(&mut self, pose: &Pose) {
        (self.spec.pos, self.spec.quat) = (pose.pos, pose.quat);
    }
}

/// A camera and its intrinsics; the pose in `spec` is final after compilation.
pub(super) struct Camera {
    pub(super) spec: spec::Camera,
    pub(super) intrinsic: [f32; 4],
}

impl Body<'_> {
    pub(super) fn dofnum(&self) -> usize {
        self.joints.iter().map(|j| j.spec.r#type.nv()).sum()
    }
}

/// Puts bodies into depth-first order and hands every element to its body; nothing is computed yet.
///
/// References inside the spec that do not make a tree are problems; the result is then incomplete.
#[doc(alias = "mjCModel::MakeTreeLists")]
pub(super) fn build<'a>(spec: &'a Spec, problems: &mut Problems) -> Vec<Body<'a>> {
    let Some((order, parents, position)) = depth_first(spec, problems) else { return Vec::new() };
    let mut bodies: Vec<Body<'a>> = Vec::with_capacity(order.len());
    for (&at, &parent) in order.iter().zip(&parents) {
        bodies.push(empty(&spec.bodies[at], parent));
    }
    for i in 1..bodies.len() {
        let parent = bodies[i].parent;
        bodies[parent].leaf = false;
    }

    // a body is fixed when it and everything above it has no joints
    let mut jointed = vec![false; spec.bodies.len()];
    for joint in &spec.joints {
        if let Some(flag) = jointed.get_mut(joint.body) {
            *flag = true;
        }
    }
    for i in 1..bodies.len() {
        bodies[i].fixed = !jointed[order[i]] && bodies[bodies[i].parent].fixed;
    }

    hand_out(spec, &mut bodies, &position, problems);
    bodies
}

/// Poses of all frames in their bodies, outer frames first.
#[doc(alias = "mjCFrame::Compile")]
pub(super) fn frames(spec: &Spec, problems: &mut Problems) -> Vec<Pose> {
    let mut poses: Vec<Pose> = Vec::with_capacity(spec.frames.len());
    for (i, frame) in spec.frames.iter().enumerate() {
        let outer = match frame.frame {
            None => None,
            Some(f) if f < i && spec.frames[f].body == frame.body => poses.get(f),
            Some(_) => {
                problems.invalid(
                    &frame.at,
                    "frame",
                    &frame.name,
                    "the enclosing frame must come first in the same body",
                );
                None
            }
        };
        let quat = pose::orientation(frame.quat, frame.alt, spec.compiler_of(frame.origin)).unwrap_or_else(|message| {
            problems.invalid(&frame.at, "frame", &frame.name, message);
            frame.quat
        });
        let own = Pose::new(frame.pos, quat);
        let all = outer.map_or(own, |outer| outer.compose(&own));
        poses.push(Pose::new(all.pos, pose::normalized(all.quat)));
    }
    poses
}

fn empty(spec: &spec::Body, parent: usize) -> Body<'_> {
    Body {
        spec,
        parent,
        pose: Pose::default(),
        inertial: Pose::default(),
        mass: 0.0,
        inertia: Vec3::zeros(),
        fixed: true,
        leaf: true,
        contype: 0,
        conaffinity: 0,
        margin: 0.0,
        joints: Vec::new(),
        geoms: Vec::new(),
        sites: Vec::new(),
        cameras: Vec::new(),
        lights: Vec::new(),
    }
}

/// Spec index of every body in final order, parent of each in that order, and the way back.
type Order = (Vec<usize>, Vec<usize>, Vec<usize>);

fn depth_first(spec: &Spec, problems: &mut Problems) -> Option<Order> {
    let n = spec.bodies.len();
    let nowhere = Location::default();
    if n == 0 || n >= MAX_BODIES {
        let message = format!("a model has at least the world and fewer than {MAX_BODIES} bodies, not {n}");
        problems.invalid(&nowhere, "worldbody", "", message);
        return None;
    }

    // children in document order
    let mut children = vec![Vec::new(); n];
    for (i, body) in spec.bodies.iter().enumerate().skip(1) {
        match children.get_mut(body.parent) {
            Some(list) => list.push(i),
            None => problems.invalid(&body.at, "body", &body.name, format!("there is no parent body {}", body.parent)),
        }
    }

    let (mut order, mut parents, mut position) = (Vec::with_capacity(n), Vec::with_capacity(n), vec![usize::MAX; n]);
    let mut stack = vec![(0, 0, 0)];
    while let Some((body, parent, depth)) = stack.pop() {
        if depth >= MAX_DEPTH {
            let (name, at) = (&spec.bodies[body].name, &spec.bodies[body].at);
            problems.invalid(at, "body", name, format!("bodies may be nested at most {} deep", MAX_DEPTH - 1));
            return None;
        }
        position[body] = order.len();
        stack.extend(children[body].iter().rev().map(|&child| (child, order.len(), depth + 1)));
        order.push(body);
        parents.push(parent);
    }
    for (body, place) in spec.bodies.iter().zip(&position) {
        if *place == usize::MAX {
            problems.invalid(&body.at, "body", &body.name, "its chain of parents does not reach the world");
        }
    }
    problems.is_empty().then_some((order, parents, position))
}

/// Clones every element into the body it belongs to, after checking what it refers to.
fn hand_out(spec: &Spec, bodies: &mut [Body<'_>], position: &[usize], problems: &mut Problems) {
    /// The body's place, if body, frame and class exist and fit together.
    macro_rules! place {
        ($element:expr, $kind:literal) => {{
            let e = $element;
            let frame = e.frame.map(|f| spec.frames.get(f).map(|f| f.body));
            let problem = match (position.get(e.body), frame) {
                (None, _) => Some(format!("there is no body {}", e.body)),
                (_, Some(None)) => Some("its frame does not exist".to_owned()),
                (_, Some(Some(body))) if body != e.body => Some("its frame belongs to another body".to_owned()),
                _ => None,
            };
            match problem {
                Some(message) => {
                    problems.invalid(&e.at, $kind, &e.name, message);
                    None
                }
                None => position.get(e.body).and_then(|&i| bodies.get_mut(i)),
            }
        }};
    }

    for (i, body) in spec.bodies.iter().enumerate().skip(1) {
        let fits = body.frame.is_none_or(|f| spec.frames.get(f).is_some_and(|f| f.body == body.parent));
        if !fits || i == body.parent {
            problems.invalid(&body.at, "body", &body.name, "its frame does not belong to the parent body");
        }
    }
    for joint in &spec.joints {
        if joint.body == Spec::WORLD {
            problems.invalid(&joint.at, "joint", &joint.name, "the world cannot have joints");
        } else if let Some(body) = place!(joint, "joint") {
            body.joints.push(Joint { spec: joint.clone(), limited: false, actfrclimited: false });
        }
    }
    for geom in &spec.geoms {
        if let Some(body) = place!(geom, "geom") {
            body.geoms.push(Geom::new(geom.clone()));
        }
    }
    for site in &spec.sites {
        if let Some(body) = place!(site, "site") {
            body.sites.push(site.clone());
        }
    }
    for camera in &spec.cameras {
        if let Some(body) = place!(camera, "camera") {
            body.cameras.push(Camera { spec: camera.clone(), intrinsic: [0.0; 4] });
        }
    }
    for light in &spec.lights {
        if let Some(body) = place!(light, "light") {
            body.lights.push(light.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(spec: &Spec) -> Vec<String> {
        let mut problems = Problems::new();
        build(spec, &mut problems).iter().map(|b| b.spec.name.clone()).collect()
    }

    #[test]
    fn bodies_come_depth_first_whatever_the_order_they_were_added_in() {
        let mut spec = Spec::default();
        let a = spec.add_body(0, "a");
        spec.add_body(0, "b");
        spec.add_body(a, "c");
        assert_eq!(order(&spec), ["world", "a", "c", "b"]);
    }

    #[test]
    fn impossible_trees_are_errors() {
        let fails = |edit: &dyn Fn(&mut Spec)| {
            let mut spec = Spec::default();
            let a = spec.add_body(0, "a");
            spec.add_body(a, "b");
            edit(&mut spec);
            let mut problems = Problems::new();
            build(&spec, &mut problems);
            !problems.is_empty()
        };
        assert!(!fails(&|_| {}));
        assert!(fails(&|s| s.bodies[1].parent = 2), "a cycle");
        assert!(fails(&|s| s.bodies[1].parent = 7), "no such parent");
        assert!(fails(&|s| s.bodies.clear()), "no world");
        assert!(fails(&|s| s.joints.push(spec::Joint::default())), "a joint in the world");
        assert!(fails(&|s| s.sites.push(spec::Site { body: 9, ..Default::default() })), "no such body");
        let chain = |s: &mut Spec| (0..2000).fold(0, |parent, _| s.add_body(parent, ""));
        assert!(fails(&|s| _ = chain(s)), "too deep");
    }
}
