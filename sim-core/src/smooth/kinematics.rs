//! Poses of bodies, joints, geoms and sites.

use sim_types::cast::must_cast_ref;
use sim_types::math::normalize3;
use sim_types::{JointType, Lane, Mat3, Quat, SameFrame, Vec3, lane};

use super::view::View;
use crate::data::Data;
use crate::model::Model;

/// Computes the world poses of bodies, inertial frames, joint axes, geoms and sites.
///
/// Reads `qpos`, `mocap_pos`, `mocap_quat`; writes `xpos`, `xquat`, `xmat`, `xipos`, `ximat`, `xanchor`, `xaxis`,
/// `geom_xpos`, `geom_xmat`, `site_xpos`, `site_xmat`. Quaternions in `qpos` are normalised on the way, not in place.
#[doc(alias = "mj_kinematics")]
pub fn kinematics(m: &Model, d: &mut Data) {
    poses(m, &mut View::of(d));
}

/// [`kinematics`] of any lanes.
#[inline(always)]
pub(crate) fn poses<T: Lane>(m: &Model, a: &mut View<'_, T>) {
    let (zero, one) = (T::splat(0.0), T::splat(1.0));
    a.xpos[0] = [zero; 3];
    a.xquat[0] = [one, zero, zero, zero];
    a.xmat[0] = [one, zero, zero, zero, one, zero, zero, zero, one];
    for body in 1..m.nbody {
        let (pos, quat) = body_pose(m, a, body);
        let quat = lane::normalized(quat);
        a.xpos[body] = pos;
        a.xquat[body] = quat;
        a.xmat[body] = lane::to_mat(quat);
    }
    attached_frames(m, a);
}

/// The pose of a body whose parent is done; stores anchors and axes of its joints.
#[inline(always)]
fn body_pose<T: Lane>(m: &Model, a: &mut View<'_, T>, body: usize) -> ([T; 3], [T; 4]) {
    let jnts = m.body_jnts(body);

    // a free body ignores its parent
    if jnts.len() == 1 && m.jnt_type[jnts.start] == JointType::Free {
        let jnt = jnts.start;
        let adr = m.jnt_qposadr[jnt] as usize;
        let q = &a.qpos[adr..adr + 7];
        let pos = [q[0], q[1], q[2]];
        let quat = lane::normalized([q[3], q[4], q[5], q[6]]);
        a.xanchor[jnt] = pos;
        a.xaxis[jnt] = lane::splat(must_cast_ref(&m.jnt_axis[jnt]));
        return (pos, quat);
    }

    // fixed offset from the parent, or the pose the user gives to a mocap body
    let (local_pos, local_quat) = match m.body_mocapid[body].get() {
        Some(id) => (a.mocap_pos[id], lane::normalized(a.mocap_quat[id])),
        None => (lane::splat(must_cast_ref(&m.body_pos[body])), lane::splat(must_cast_ref(&m.body_quat[body]))),
    };
    let parent = m.body_parentid[body] as usize;
    let (mut pos, mut quat) = if parent == 0 {
        (local_pos, local_quat)
    } else {
        let moved = lane::add(lane::mul_vec(&a.xmat[parent], local_pos), a.xpos[parent]);
        (moved, lane::mul_quat(a.xquat[parent], local_quat))
    };

    // each joint moves what the joints before it left
    for jnt in jnts {
        let adr = m.jnt_qposadr[jnt] as usize;
        let local_axis = must_cast_ref(&m.jnt_axis[jnt]);
        let axis = lane::rotate(quat, lane::splat(local_axis));
        // most joints are at the origin of their body
        let off_centre = m.jnt_pos[jnt] != Vec3::zeros();
        let local_anchor = lane::splat(must_cast_ref(&m.jnt_pos[jnt]));
        let anchor = if off_centre { lane::add(lane::rotate(quat, local_anchor), pos) } else { pos };
        a.xanchor[jnt] = anchor;
        a.xaxis[jnt] = axis;
        let turn = match m.jnt_type[jnt] {
            JointType::Slide => {
                let along = a.qpos[adr] - T::splat(m.qpos0[adr]);
                pos = lane::add(pos, lane::scale(axis, along));
                continue;
            }
            JointType::Hinge => lane::from_axis_angle(local_axis, a.qpos[adr] - T::splat(m.qpos0[adr])),
            JointType::Ball => {
                let q = &a.qpos[adr..adr + 4];
                lane::normalized([q[0], q[1], q[2], q[3]])
            }
            // a free joint is always alone; the model check and the compiler see to it
            JointType::Free => continue,
        };
        quat = lane::mul_quat(quat, turn);
        if off_centre {
            pos = lane::sub(anchor, lane::rotate(quat, local_anchor));
        }
    }
    (pos, quat)
}

/// Inertial frames, geoms and sites: fixed in their bodies.
#[inline(always)]
fn attached_frames<T: Lane>(m: &Model, a: &mut View<'_, T>) {
    a.xipos[0] = a.xpos[0];
    a.ximat[0] = a.xmat[0];
    for body in 1..m.nbody {
        let local = (&m.body_ipos[body], &m.body_iquat[body], m.body_sameframe[body]);
        (a.xipos[body], a.ximat[body]) = place(a, body, local);
    }
    for geom in 0..m.ngeom {
        let local = (&m.geom_pos[geom], &m.geom_quat[geom], m.geom_sameframe[geom]);
        (a.geom_xpos[geom], a.geom_xmat[geom]) = place(a, m.geom_bodyid[geom] as usize, local);
    }
    for site in 0..m.nsite {
        let local = (&m.site_pos[site], &m.site_quat[site], m.site_sameframe[site]);
        (a.site_xpos[site], a.site_xmat[site]) = place(a, m.site_bodyid[site] as usize, local);
    }
}

/// World pose of a frame in a body, taking what is shared instead of computing it.
#[doc(alias = "mj_local2Global")]
#[inline(always)]
fn place<T: Lane>(a: &View<'_, T>, body: usize, local: (&Vec3, &Quat, SameFrame)) -> ([T; 3], [T; 9]) {
    let (pos, quat, same) = local;
    match same {
        SameFrame::Body => return (a.xpos[body], a.xmat[body]),
        SameFrame::Inertia => return (a.xipos[body], a.ximat[body]),
        SameFrame::None | SameFrame::BodyRot | SameFrame::InertiaRot => {}
    }
    let pos = lane::add(lane::mul_vec(&a.xmat[body], lane::splat(must_cast_ref(pos))), a.xpos[body]);
    let mat = match same {
        SameFrame::InertiaRot => a.ximat[body],
        SameFrame::None => lane::to_mat(lane::mul_quat(a.xquat[body], lane::splat(must_cast_ref(quat)))),
        SameFrame::BodyRot | SameFrame::Body | SameFrame::Inertia => a.xmat[body],
    };
    (pos, mat)
}

/// The frame of one body, for what is fixed in it.
pub(super) struct BodyFrame<'a> {
    pos: &'a Vec3,
    quat: &'a Quat,
    mat: &'a Mat3,
}

impl<'a> BodyFrame<'a> {
    pub(super) fn of(d: &'a Data, body: usize) -> Self {
        Self { pos: &d.xpos[body], quat: &d.xquat[body], mat: &d.xmat[body] }
    }

    /// World position of a local one.
    pub(super) fn point(&self, pos: &Vec3) -> Vec3 {
        self.mat * pos + self.pos
    }

    /// World axes of local ones.
    pub(super) fn axes(&self, quat: &Quat) -> Mat3 {
        (*self.quat * *quat).to_mat()
    }

    /// World direction of a local one.
    pub(super) fn direction(&self, dir: &Vec3) -> Vec3 {
        self.quat.rotate(dir)
    }
}

/// The unit vector along `v`; x for a vector of no length.
pub(super) fn unit(mut v: Vec3) -> Vec3 {
    normalize3(&mut v);
    v
}
