//! Poses of bodies, joints, geoms and sites.

use sim_types::math::normalize3;
use sim_types::{JointType, Mat3, Quat, SameFrame, Vec3};

use crate::data::Data;
use crate::model::Model;

/// Computes the world poses of bodies, inertial frames, joint axes, geoms and sites.
///
/// Reads `qpos`, `mocap_pos`, `mocap_quat`; writes `xpos`, `xquat`, `xmat`, `xipos`, `ximat`, `xanchor`, `xaxis`,
/// `geom_xpos`, `geom_xmat`, `site_xpos`, `site_xmat`. Quaternions in `qpos` are normalised on the way, not in place.
#[doc(alias = "mj_kinematics")]
pub fn kinematics(m: &Model, d: &mut Data) {
    d.xpos[0] = Vec3::zeros();
    d.xquat[0] = Quat::IDENTITY;
    d.xmat[0] = Mat3::identity();
    for body in 1..m.nbody {
        let (pos, quat) = body_pose(m, d, body);
        let quat = quat.normalized();
        d.xpos[body] = pos;
        d.xquat[body] = quat;
        d.xmat[body] = quat.to_mat();
    }
    attached_frames(m, d);
}

/// The pose of a body whose parent is done; stores anchors and axes of its joints.
fn body_pose(m: &Model, d: &mut Data, body: usize) -> (Vec3, Quat) {
    let jnts = m.body_jnts(body);

    // a free body ignores its parent
    if jnts.len() == 1 && m.jnt_type[jnts.start] == JointType::Free {
        let jnt = jnts.start;
        let q = &d.qpos[m.jnt_qposadr[jnt] as usize..][..7];
        let pos = Vec3::new(q[0], q[1], q[2]);
        let quat = Quat::new(q[3], q[4], q[5], q[6]).normalized();
        d.xanchor[jnt] = pos;
        d.xaxis[jnt] = m.jnt_axis[jnt];
        return (pos, quat);
    }

    // fixed offset from the parent, or the pose the user gives to a mocap body
    let (local_pos, local_quat) = match m.body_mocapid[body].get() {
        Some(id) => (d.mocap_pos[id], d.mocap_quat[id].normalized()),
        None => (m.body_pos[body], m.body_quat[body]),
    };
    let parent = m.body_parentid[body] as usize;
    let (mut pos, mut quat) = if parent == 0 {
        (local_pos, local_quat)
    } else {
        (d.xmat[parent] * local_pos + d.xpos[parent], d.xquat[parent] * local_quat)
    };

    // each joint moves what the joints before it left
    for jnt in jnts {
        let adr = m.jnt_qposadr[jnt] as usize;
        let axis = quat.rotate(&m.jnt_axis[jnt]);
        // most joints are at the origin of their body
        let off_centre = m.jnt_pos[jnt] != Vec3::zeros();
        let anchor = if off_centre { quat.rotate(&m.jnt_pos[jnt]) + pos } else { pos };
        let turn = match m.jnt_type[jnt] {
            JointType::Slide => {
                pos += axis * (d.qpos[adr] - m.qpos0[adr]);
                None
            }
            JointType::Hinge => Some(Quat::from_axis_angle(&m.jnt_axis[jnt], d.qpos[adr] - m.qpos0[adr])),
            JointType::Ball => Quat::from_slice(&d.qpos[adr..]).map(Quat::normalized),
            // a free joint is always alone; the model check and the compiler see to it
            JointType::Free => None,
        };
        if let Some(turn) = turn {
            quat = quat * turn;
            if off_centre {
                pos = anchor - quat.rotate(&m.jnt_pos[jnt]);
            }
        }
        d.xanchor[jnt] = anchor;
        d.xaxis[jnt] = axis;
    }
    (pos, quat)
}

/// Inertial frames, geoms and sites: fixed in their bodies.
fn attached_frames(m: &Model, d: &mut Data) {
    d.xipos[0] = Vec3::zeros();
    d.ximat[0] = Mat3::identity();
    for body in 1..m.nbody {
        let frames = BodyFrames::of(d, body);
        let (pos, mat) = frames.place(&m.body_ipos[body], &m.body_iquat[body], m.body_sameframe[body]);
        d.xipos[body] = pos;
        d.ximat[body] = mat;
    }
    for geom in 0..m.ngeom {
        let frames = BodyFrames::of(d, m.geom_bodyid[geom] as usize);
        let (pos, mat) = frames.place(&m.geom_pos[geom], &m.geom_quat[geom], m.geom_sameframe[geom]);
        d.geom_xpos[geom] = pos;
        d.geom_xmat[geom] = mat;
    }
    for site in 0..m.nsite {
        let frames = BodyFrames::of(d, m.site_bodyid[site] as usize);
        let (pos, mat) = frames.place(&m.site_pos[site], &m.site_quat[site], m.site_sameframe[site]);
        d.site_xpos[site] = pos;
        d.site_xmat[site] = mat;
    }
}

/// The frames of one body that its geoms, sites and cameras may share.
pub(super) struct BodyFrames<'a> {
    pos: &'a Vec3,
    quat: &'a Quat,
    mat: &'a Mat3,
    ipos: &'a Vec3,
    imat: &'a Mat3,
}

impl<'a> BodyFrames<'a> {
    #[inline]
    pub(super) fn of(d: &'a Data, body: usize) -> Self {
        Self {
            pos: &d.xpos[body],
            quat: &d.xquat[body],
            mat: &d.xmat[body],
            ipos: &d.xipos[body],
            imat: &d.ximat[body],
        }
    }

    /// World pose of a local frame, taking what is shared instead of computing it.
    #[doc(alias = "mj_local2Global")]
    #[inline]
    pub(super) fn place(&self, pos: &Vec3, quat: &Quat, same: SameFrame) -> (Vec3, Mat3) {
        let offset = || self.mat * pos + self.pos;
        match same {
            SameFrame::None => (offset(), (*self.quat * *quat).to_mat()),
            SameFrame::Body => (*self.pos, *self.mat),
            SameFrame::Inertia => (*self.ipos, *self.imat),
            SameFrame::BodyRot => (offset(), *self.mat),
            SameFrame::InertiaRot => (offset(), *self.imat),
        }
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
