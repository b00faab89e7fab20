//! Poses of cameras and lights.

use sim_types::{CamLightMode, Mat3, Vec3};

use super::kinematics::{BodyFrame, unit};
use crate::data::Data;
use crate::model::Model;

/// Computes the world poses of cameras and lights in their tracking modes.
///
/// Reads `xpos`, `xquat`, `xmat`, `subtree_com`; writes `cam_xpos`, `cam_xmat`, `light_xpos`, `light_xdir`.
#[doc(alias = "mj_camlight")]
pub fn cam_light(m: &Model, d: &mut Data) {
    for cam in 0..m.ncam {
        camera(m, d, cam, m.cam_mode[cam]);
    }
    for light in 0..m.nlight {
        one_light(m, d, light, m.light_mode[light]);
    }
}

/// As [`cam_light`], with every camera and light fixed in its body: the poses that tracking is measured from.
pub fn cam_light_fixed(m: &Model, d: &mut Data) {
    for cam in 0..m.ncam {
        camera(m, d, cam, CamLightMode::Fixed);
    }
    for light in 0..m.nlight {
        one_light(m, d, light, CamLightMode::Fixed);
    }
}

fn camera(m: &Model, d: &mut Data, cam: usize, mode: CamLightMode) {
    let body = m.cam_bodyid[cam] as usize;
    let frame = BodyFrame::of(d, body);
    let fixed = (frame.point(&m.cam_pos[cam]), frame.axes(&m.cam_quat[cam]));
    let (pos, mat) = match mode {
        CamLightMode::Fixed => fixed,
        CamLightMode::Track => (d.xpos[body] + m.cam_pos0[cam], m.cam_mat0[cam]),
        CamLightMode::TrackCom => (d.subtree_com[body] + m.cam_poscom0[cam], m.cam_mat0[cam]),
        CamLightMode::TargetBody | CamLightMode::TargetBodyCom => match m.cam_targetbodyid[cam].get() {
            Some(target) => (fixed.0, looking_at(&fixed.0, &target_point(d, target, mode))),
            None => fixed,
        },
    };
    d.cam_xpos[cam] = pos;
    d.cam_xmat[cam] = mat;
}

fn one_light(m: &Model, d: &mut Data, light: usize, mode: CamLightMode) {
    let body = m.light_bodyid[light] as usize;
    let frame = BodyFrame::of(d, body);
    let fixed_pos = frame.point(&m.light_pos[light]);
    let fixed_dir = frame.direction(&m.light_dir[light]);
    let (pos, dir) = match mode {
        CamLightMode::Fixed => (fixed_pos, fixed_dir),
        CamLightMode::Track => (d.xpos[body] + m.light_pos0[light], m.light_dir0[light]),
        CamLightMode::TrackCom => (d.subtree_com[body] + m.light_poscom0[light], m.light_dir0[light]),
        CamLightMode::TargetBody | CamLightMode::TargetBodyCom => match m.light_targetbodyid[light].get() {
            Some(target) => (fixed_pos, target_point(d, target, mode) - fixed_pos),
            None => (fixed_pos, fixed_dir),
        },
    };
    d.light_xpos[light] = pos;
    d.light_xdir[light] = unit(dir);
}

fn target_point(d: &Data, body: usize, mode: CamLightMode) -> Vec3 {
    if mode == CamLightMode::TargetBody { d.xpos[body] } else { d.subtree_com[body] }
}

/// A camera at `eye` with its z axis away from `target` and its x axis level.
fn looking_at(eye: &Vec3, target: &Vec3) -> Mat3 {
    let z = unit(eye - target);
    let x = unit(Vec3::z().cross(&z));
    let y = unit(z.cross(&x));
    Mat3::from_columns(&[x, y, z])
}
