//! Bodies, joints, dofs and trees.

use super::super::pose::{EPS, Pose, same_quat, same_vec};
use super::super::tree::{Body, Joint};
use super::{address, each, user};
use crate::error::Problems;
use sim_core::Model;
use sim_types::{JointType, OptId, Quat, SameFrame, SleepPolicy, Vec3, WrapType};

/// Arrays of bodies, except what needs dofs or physics.
pub(super) fn bodies(bodies: &[Body<'_>], m: &mut Model) {
    m.body_parentid = each(bodies, |b| b.parent as u32);
    m.body_pos = each(bodies, |b| b.pose.pos);
    m.body_quat = each(bodies, |b| b.pose.quat);
    m.body_ipos = each(bodies, |b| b.inertial.pos);
    m.body_iquat = each(bodies, |b| b.inertial.quat);
    m.body_mass = each(bodies, |b| b.mass);
    m.body_inertia = each(bodies, |b| b.inertia);
    m.body_gravcomp = each(bodies, |b| b.spec.gravcomp);
    m.body_user = user(bodies.iter().map(|b| &b.spec.user), m.nuser_body);
    m.body_contype = each(bodies, |b| b.contype);
    m.body_conaffinity = each(bodies, |b| b.conaffinity);
    m.body_margin = each(bodies, |b| b.margin);
    m.body_plugin = vec![OptId::NONE; m.nbody];
    m.body_subtreemass = vec![0.0; m.nbody];
    m.body_invweight0 = vec![[0.0; 2]; m.nbody];
    m.body_sameframe = each(bodies, |b| match b.inertial {
        i if i.is_null() => SameFrame::Body,
        i if same_quat(i.quat, Quat::IDENTITY) => SameFrame::BodyRot,
        _ => SameFrame::None,
    });

    let (mut jnt, mut dof, mut geom, mut mocap) = (0, 0, 0, 0);
    for (id, body) in bodies.iter().enumerate() {
        // root: the ancestor below the world; weld: the nearest ancestor that can move, itself included
        let parent = body.parent;
        m.body_rootid.push(if parent == 0 { id as u32 } else { m.body_rootid[parent] });
        let moves = !body.joints.is_empty();
        m.body_weldid.push(if moves || id == 0 { id as u32 } else { m.body_weldid[parent] });

        let dofs = body.dofnum();
        m.body_jntnum.push(body.joints.len() as u32);
        m.body_jntadr.push(address(jnt, body.joints.len()));
        m.body_dofnum.push(dofs as u32);
        m.body_dofadr.push(address(dof, dofs));
        m.body_geomnum.push(body.geoms.len() as u32);
        m.body_geomadr.push(address(geom, body.geoms.len()));
        m.body_mocapid.push(if body.spec.mocap { OptId::some(mocap) } else { OptId::NONE });
        jnt += body.joints.len();
        dof += dofs;
        geom += body.geoms.len();
        mocap += usize::from(body.spec.mocap);
    }
}

/// Arrays of joints and their dofs, and the reference configurations.
pub(super) fn joints(bodies: &[Body<'_>], m: &mut Model) {
    let joints = || bodies.iter().flat_map(|b| &b.joints);
    m.jnt_type = each(joints(), |j| j.spec.r#type);
    m.jnt_group = each(joints(), |j| j.spec.group);
    m.jnt_limited = each(joints(), |j| j.limited);
    m.jnt_actfrclimited = each(joints(), |j| j.actfrclimited);
    m.jnt_actgravcomp = each(joints(), |j| j.spec.actgravcomp);
    m.jnt_solref = each(joints(), |j| j.spec.solref_limit);
    m.jnt_solimp = each(joints(), |j| j.spec.solimp_limit);
    m.jnt_pos = each(joints(), |j| j.spec.pos);
    m.jnt_axis = each(joints(), |j| j.spec.axis);
    m.jnt_stiffness = each(joints(), |j| j.spec.stiffness);
    m.jnt_range = each(joints(), |j| j.spec.range);
    m.jnt_actfrcrange = each(joints(), |j| j.spec.actfrcrange);
    m.jnt_margin = each(joints(), |j| j.spec.margin);
    m.jnt_user = user(joints().map(|j| &j.spec.user), m.nuser_jnt);

    // the dof each body's children continue from
    let mut last = Vec::with_capacity(bodies.len());
    for (id, body) in bodies.iter().enumerate() {
        let mut parent = if id == 0 { OptId::NONE } else { last[body.parent] };
        for joint in &body.joints {
            m.jnt_bodyid.push(id as u32);
            m.jnt_qposadr.push(m.qpos0.len() as u32);
            m.jnt_dofadr.push(m.dof_bodyid.len() as u32);
            reference(body, joint, m);
            let jnt = m.jnt_bodyid.len() as u32 - 1;
            for _ in 0..joint.spec.r#type.nv() {
                m.dof_parentid.push(parent);
                parent = OptId::some(m.dof_bodyid.len());
                m.dof_bodyid.push(id as u32);
                m.dof_jntid.push(jnt);
                m.dof_solref.push(joint.spec.solref_friction);
                m.dof_solimp.push(joint.spec.solimp_friction);
                m.dof_frictionloss.push(joint.spec.frictionloss);
                m.dof_armature.push(joint.spec.armature);
                m.dof_damping.push(joint.spec.damping);
            }
        }
        last.push(parent);
    }
    m.dof_invweight0 = vec![0.0; m.nv];
    m.dof_M0 = vec![0.0; m.nv];
    m.dof_length = vec![0.0; m.nv];
}

/// Trees of dofs, and the sleep policy of each.
pub(super) fn trees(bodies: &[Body<'_>], m: &mut Model, problems: &mut Problems) {
    for parent in &m.dof_parentid {
        m.ntree += usize::from(parent.is_none());
        m.dof_treeid.push(m.ntree as u32 - 1);
    }
    m.tree_bodyadr = vec![0; m.ntree];
    m.tree_bodynum = vec![0; m.ntree];
    m.tree_dofadr = vec![0; m.ntree];
    m.tree_dofnum = vec![0; m.ntree];
    m.tree_sleep_policy = vec![SleepPolicy::Auto; m.ntree];
    for id in 0..bodies.len() {
        let dof = m.body_dofadr[m.body_weldid[id] as usize].get();
        let tree = dof.map(|dof| m.dof_treeid[dof] as usize);
        m.body_treeid.push(OptId::from(tree));

        // only the first body of a tree may say how the tree sleeps
        let spec = bodies[id].spec;
        if id > 0 && spec.sleep != SleepPolicy::Auto {
            match tree {
                Some(tree) if m.body_treeid[id - 1].get() != Some(tree) => m.tree_sleep_policy[tree] = spec.sleep,
                _ => {
                    let message = "sleep is only for the first moving body of a tree";
                    problems.invalid(&spec.at, "body", &spec.name, message);
                }
            }
        }
    }
}

/// Which bodies have a diagonal block in M, and the runs of their dofs.
#[doc(alias = "mjCModel::FinalizeSimple")]
pub(super) fn simple(bodies: &[Body<'_>], m: &mut Model) {
    for (id, body) in bodies.iter().enumerate() {
        let parent = body.parent;
        let on_fixed_child = bodies[parent].parent == 0 && bodies[parent].joints.is_empty();
        let candidate = body.inertial.is_null() && (parent == 0 || on_fixed_child);
        let level = match body.joints.as_slice() {
            _ if !candidate || !joints_allow_simple(&body.joints) => 0,
            [] => 1,
            joints if joints.iter().all(|j| j.spec.r#type == JointType::Slide) => 2,
            _ => 1,
        };
        m.body_simple.push(level);
        if parent > 0 {
            m.body_simple[parent] = 0;
        }
        debug_assert_eq!(m.body_simple.len(), id + 1);
    }

    // inertia along a tendon couples what it passes through
    for tendon in (0..m.ntendon).filter(|t| m.tendon_armature[*t] != 0.0) {
        for object in m.tendon_objects(tendon) {
            let body = match (m.wrap_type[object], m.wrap_objid[object].get()) {
                (WrapType::Site, Some(site)) => m.site_bodyid[site],
                (WrapType::Sphere | WrapType::Cylinder, Some(geom)) => m.geom_bodyid[geom],
                _ => continue,
            };
            m.body_simple[body as usize] = 0;
        }
    }

    let mut run = 0;
    m.dof_simplenum = vec![0; m.nv];
    for dof in (0..m.nv).rev() {
        run = if m.body_simple[m.dof_bodyid[dof] as usize] == 0 { 0 } else { run + 1 };
        m.dof_simplenum[dof] = run;
    }
}

/// False when a rotation is followed by another joint, an anchor is off the origin, or an axis is not one of x, y, z.
fn joints_allow_simple(joints: &[Joint]) -> bool {
    let mut rotated = false;
    joints.iter().all(|j| {
        let kind = j.spec.r#type;
        let aligned = j.spec.axis.iter().filter(|x| x.abs() > EPS).count() == 1;
        let scalar = matches!(kind, JointType::Hinge | JointType::Slide);
        let fine = !rotated && same_vec(&j.spec.pos, &Vec3::zeros()) && (aligned || !scalar);
        rotated |= matches!(kind, JointType::Ball | JointType::Hinge);
        fine
    })
}

/// Adds the joint's part of `qpos0` and `qpos_spring`.
fn reference(body: &Body<'_>, joint: &Joint, m: &mut Model) {
    let Pose { pos, quat } = body.pose;
    let start = m.qpos0.len();
    match joint.spec.r#type {
        JointType::Free => {
            m.qpos0.extend_from_slice(pos.as_slice());
            m.qpos0.extend_from_slice(&quat.to_array());
        }
        JointType::Ball => m.qpos0.extend_from_slice(&Quat::IDENTITY.to_array()),
        JointType::Slide | JointType::Hinge => {
            m.qpos0.push(joint.spec.r#ref);
            m.qpos_spring.push(joint.spec.springref);
            return;
        }
    }
    m.qpos_spring.extend_from_slice(&m.qpos0[start..]);
}
