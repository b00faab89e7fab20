//! Poses, velocities and accelerations of anything that has a frame.

use sim_types::{Mat3, Motion, ObjType, Quat, Vec3};

use crate::data::Data;
use crate::model::Model;

/// An object with a frame, seen from the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// The body that carries it.
    pub body: usize,
    /// Position.
    pub pos: Vec3,
    /// Orientation.
    pub mat: Mat3,
}

/// The frame of an object: `Body` is the inertial frame of a body, `XBody` its own. `None` for kinds without a frame and
/// ids out of range.
pub fn frame(m: &Model, d: &Data, kind: ObjType, id: usize) -> Option<Frame> {
    let (body, pos, mat) = match kind {
        ObjType::Body => (id, d.xipos.get(id)?, d.ximat.get(id)?),
        ObjType::XBody => (id, d.xpos.get(id)?, d.xmat.get(id)?),
        ObjType::Geom => (*m.geom_bodyid.get(id)? as usize, &d.geom_xpos[id], &d.geom_xmat[id]),
        ObjType::Site => (*m.site_bodyid.get(id)? as usize, &d.site_xpos[id], &d.site_xmat[id]),
        ObjType::Camera => (*m.cam_bodyid.get(id)? as usize, &d.cam_xpos[id], &d.cam_xmat[id]),
        _ => return None,
    };
    Some(Frame { body, pos: *pos, mat: *mat })
}

/// The orientation of an object as a quaternion, composed from its body's. A tracking camera counts as fixed in its body,
/// as in MuJoCo.
pub fn orientation(m: &Model, d: &Data, kind: ObjType, id: usize) -> Option<Quat> {
    let on = |body: u32, local: Quat| d.xquat[body as usize] * local;
    Some(match kind {
        ObjType::Body => *d.xquat.get(id)? * m.body_iquat[id],
        ObjType::XBody => *d.xquat.get(id)?,
        ObjType::Geom => on(*m.geom_bodyid.get(id)?, m.geom_quat[id]),
        ObjType::Site => on(*m.site_bodyid.get(id)?, m.site_quat[id]),
        ObjType::Camera => on(*m.cam_bodyid.get(id)?, m.cam_quat[id]),
        _ => return None,
    })
}

/// Velocity of a frame, at its origin and with world axes; zero for static bodies.
///
/// Reads `cvel`, `subtree_com`.
#[doc(alias = "mj_objectVelocity")]
pub fn velocity(m: &Model, d: &Data, frame: &Frame) -> Motion {
    if m.body_weldid[frame.body] == 0 {
        return Motion::ZERO;
    }
    d.cvel[frame.body].moved(&offset(m, d, frame))
}

/// Acceleration of a frame, at its origin and with world axes, gravity included; zero for static bodies.
///
/// Reads `cacc`, `cvel`, `subtree_com`: call [`rne_post`](crate::smooth::rne_post) first.
#[doc(alias = "mj_objectAcceleration")]
pub fn acceleration(m: &Model, d: &Data, frame: &Frame) -> Motion {
    if m.body_weldid[frame.body] == 0 {
        return Motion::ZERO;
    }
    let offset = offset(m, d, frame);
    let vel = d.cvel[frame.body].moved(&offset);
    let mut acc = d.cacc[frame.body].moved(&offset);
    acc.lin += vel.rot.cross(&vel.lin);
    acc
}

/// The same motion in the axes of a frame.
pub fn local(frame: &Frame, motion: &Motion) -> Motion {
    Motion::new(frame.mat.tr_mul(&motion.rot), frame.mat.tr_mul(&motion.lin))
}

/// From the tree's centre of mass to the frame.
pub(crate) fn offset(m: &Model, d: &Data, frame: &Frame) -> Vec3 {
    frame.pos - d.subtree_com[m.body_rootid[frame.body] as usize]
}
