//! One body with everything fixed to it: pose, inertia, then geoms, joints, sites, cameras and lights.

use super::asset::Assets;
use super::pose::{Pose, normalized, orientation};
use super::tree::Body;
use super::{camera, eig3, geom, inertia, joint};
use crate::error::Problems;
use crate::spec::{AlignFree, Compiler, InertiaFromGeom, Spec};
use sim_types::{JointType, Quat, Vec3};

/// Compiles body `id`. `frames` are the poses of all frames, `assets` what geoms may name; problems are noted and the rest goes on.
#[doc(alias = "mjCBody::Compile")]
pub(super) fn compile(
    spec: &Spec,
    id: usize,
    body: &mut Body<'_>,
    (frames, assets): (&[Pose], &Assets<'_>),
    problems: &mut Problems,
) {
    let compiler = spec.compiler_of(body.spec.origin);
    let is_world = id == Spec::WORLD;
    let frame = |f: Option<usize>| f.and_then(|f| frames.get(f));

    // pose as written, inertia as written
    if !is_world {
        match orientation(normalized(body.spec.quat), body.spec.alt, compiler) {
            Ok(quat) => body.pose = Pose::new(body.spec.pos, quat),
            Err(message) => problems.invalid(&body.spec.at, "body", &body.spec.name, message),
        }
    }
    let explicit = explicit_inertia(is_world, body, compiler, problems);

    // geoms, which may give the inertia
    let [low, high] = compiler.inertiagrouprange;
    let from_geoms = !is_world && (!explicit || compiler.inertiafromgeom == InertiaFromGeom::True);
    for g in &mut body.geoms {
        let infer = from_geoms && (low..=high).contains(&g.spec.group);
        let Some(asset) = assets.of_geom(&g.spec, problems) else { continue };
        if let Err(message) =
            geom::compile_geom(g, &asset, frame(g.spec.frame), spec.compiler_of(g.spec.origin), body.fixed, infer)
        {
            problems.invalid(&g.spec.at, "geom", &g.spec.name, message);
        }
    }
    let mut has_inertial = explicit;
    if from_geoms && compiler.inertiafromgeom != InertiaFromGeom::False {
        has_inertial |= inertia::from_geoms(body, [low, high], problems);
    }

    // with neither, MuJoCo takes the pose in the parent as inertial frame
    if !has_inertial {
        body.inertial = body.pose;
    }
    if !is_world {
        inertia::bound(body, compiler, problems);
    }

    if let Some(frame) = frame(body.spec.frame) {
        body.pose = frame.compose(&body.pose);
    }
    contact_bits(body);
    compile_joints(spec, body, frames, problems);
    check_joints(is_world, body, problems);
    for s in &mut body.sites {
        if let Err(message) = geom::compile_site(s, frame(s.frame), spec.compiler_of(s.origin)) {
            problems.invalid(&s.at, "site", &s.name, message);
        }
    }
    for c in &mut body.cameras {
        let settings = spec.compiler_of(c.spec.origin);
        if let Err(message) = camera::compile_camera(c, frame(c.spec.frame), settings, spec.visual.map.znear) {
            problems.invalid(&c.spec.at, "camera", &c.spec.name, message);
        }
    }
    for l in &mut body.lights {
        if let Err(message) = camera::compile_light(l, frame(l.frame)) {
            problems.invalid(&l.at, "light", &l.name, message);
        }
    }
    if should_align(body, compiler) {
        align(body, &spec.compiler);
    }
}

/// Unions of the contact bits and the largest margin of the geoms.
pub(super) fn contact_bits(body: &mut Body<'_>) {
    body.contype = body.geoms.iter().fold(0, |bits, g| bits | g.spec.contype);
    body.conaffinity = body.geoms.iter().fold(0, |bits, g| bits | g.spec.conaffinity);
    body.margin = body.geoms.iter().fold(0.0, |margin: f64, g| margin.max(g.spec.margin));
}

/// Reads the `inertial` record; false when there is none.
fn explicit_inertia(is_world: bool, body: &mut Body<'_>, compiler: &Compiler, problems: &mut Problems) -> bool {
    let Some(inertial) = body.spec.inertial.as_ref().filter(|i| !i.pos.x.is_nan()) else { return false };
    let mut refuse = |message: &str| problems.invalid(&inertial.at, "inertial", "", message);
    if is_world {
        refuse("the world cannot have mass");
        return true;
    }
    body.mass = inertial.mass;
    body.inertial = Pose::new(inertial.pos, normalized(inertial.quat));
    body.inertia = inertial.diaginertia;
    if let Some(full) = inertial.fullinertia.filter(|full| !full[0].is_nan()) {
        if inertial.alt.is_some() || inertial.quat != Quat::IDENTITY {
            refuse("fullinertia and an orientation cannot both be given");
        } else if inertial.diaginertia != Vec3::zeros() {
            refuse("fullinertia and diaginertia cannot both be given");
        } else if let Some((moments, axes)) = eig3::principal(full) {
            (body.inertia, body.inertial.quat) = (moments, axes);
        } else {
            refuse("fullinertia must have positive eigenvalues");
        }
    } else {
        match orientation(body.inertial.quat, inertial.alt, compiler) {
            Ok(quat) => body.inertial.quat = quat,
            Err(message) => refuse(message),
        }
    }
    true
}

fn compile_joints(spec: &Spec, body: &mut Body<'_>, frames: &[Pose], problems: &mut Problems) {
    for j in &mut body.joints {
        let frame = j.spec.frame.and_then(|f| frames.get(f));
        if let Err(message) = joint::compile(j, frame, spec.compiler_of(j.spec.origin)) {
            problems.invalid(&j.spec.at, "joint", &j.spec.name, message);
        }
    }
}

/// Rules about the joints of one body together.
fn check_joints(is_world: bool, body: &Body<'_>, problems: &mut Problems) {
    let mut refuse = |message: String| problems.invalid(&body.spec.at, "body", &body.spec.name, message);
    let dofs = body.dofnum();
    let top_level = body.parent == Spec::WORLD;
    if dofs > 6 {
        refuse(format!("a body can have at most 6 degrees of freedom, not {dofs}"));
    }
    let kinds = || body.joints.iter().map(|j| j.spec.r#type);
    let turns_after_ball =
        kinds().skip_while(|k| *k != JointType::Ball).skip(1).any(|k| matches!(k, JointType::Ball | JointType::Hinge));
    if turns_after_ball {
        refuse("a ball joint cannot be followed by a ball or hinge joint".to_owned());
    }
    if kinds().any(|k| k == JointType::Free) && body.joints.len() > 1 {
        refuse("a free joint must be the only joint of its body".to_owned());
    }
    if body.spec.mocap && (is_world || dofs > 0 || !top_level) {
        refuse("a mocap body must be a child of the world without joints".to_owned());
    }
}

/// Notes free joints below the top level. Merging static bodies may bring one up, so this comes after it.
pub(super) fn check_free(bodies: &[Body<'_>], problems: &mut Problems) {
    for body in bodies.iter().filter(|body| body.parent != Spec::WORLD) {
        if body.joints.iter().any(|j| j.spec.r#type == JointType::Free) {
            let message = "a free joint is only allowed in a child of the world";
            problems.invalid(&body.spec.at, "body", &body.spec.name, message);
        }
    }
}

/// True for a free body without children that asks for its frame to be the inertial frame.
fn should_align(body: &Body<'_>, compiler: &Compiler) -> bool {
    let [joint] = body.joints.as_slice() else { return false };
    let asked = match joint.spec.align {
        AlignFree::True => true,
        AlignFree::False => false,
        AlignFree::Auto => compiler.alignfree,
    };
    joint.spec.r#type == JointType::Free && body.leaf && asked
}

/// Moves the body frame to the inertial frame; what is fixed to the body stays where it is.
fn align(body: &mut Body<'_>, compiler: &Compiler) {
    let inverse = body.inertial.inverse();
    body.pose = body.pose.compose(&body.inertial);
    body.inertial = Pose::default();
    for g in &mut body.geoms {
        let pose = inverse.compose(&g.pose());
        g.set_pose(&pose);
    }
    for s in &mut body.sites {
        let pose = inverse.compose(&Pose::new(s.pos, s.quat));
        (s.pos, s.quat) = (pose.pos, pose.quat);
    }

    // MuJoCo compiles cameras and lights a second time when it fuses bodies, which undoes their part of the alignment
    if compiler.fusestatic {
        return;
    }
    for c in &mut body.cameras {
        let pose = inverse.compose(&Pose::new(c.spec.pos, c.spec.quat));
        (c.spec.pos, c.spec.quat) = (pose.pos, pose.quat);
    }
    for l in &mut body.lights {
        l.pos = inverse.apply(&l.pos);
        l.dir = inverse.quat.rotate(&l.dir);
    }
}
