//! The value of each kind of sensor.

use sim_types::ConstraintType::{self, LimitJoint, LimitTendon};
use sim_types::math::tan;
use sim_types::{MINVAL, ObjType, Projection, Quat, SensorType, TrnType, Vec3};

use super::{contact, frame, range, tactile};
use crate::collision::Work;
use crate::constraint::{Efc, limit_rows};
use crate::data::Data;
use crate::model::Model;
use crate::object;

/// True when this version computes sensors of this kind.
pub(crate) fn is_supported(kind: SensorType) -> bool {
    kind != SensorType::Plugin
}

/// Writes the value of a sensor into `out`, which has the sensor's dimension.
pub(super) fn evaluate(m: &Model, d: &Data, work: &mut Work, sensor: usize, out: &mut [f64]) {
    let id = m.sensor_objid[sensor].get().unwrap_or(0);
    let vector = |out: &mut [f64], v: &Vec3| out.copy_from_slice(v.as_slice());
    match m.sensor_type[sensor] {
        SensorType::Velocimeter => vector(out, &site_motion(m, d, id, object::velocity).lin),
        SensorType::Gyro => vector(out, &site_motion(m, d, id, object::velocity).rot),
        SensorType::Touch => out[0] = contact::touch(m, d, id),
        SensorType::Contact => contact::matching(m, d, sensor, out),
        SensorType::Tactile => tactile::tactile(m, d, work, sensor, out),
        SensorType::Accelerometer => vector(out, &site_motion(m, d, id, object::acceleration).lin),
        SensorType::Magnetometer => vector(out, &d.site_xmat[id].tr_mul(&m.opt.magnetic)),
        SensorType::Force => vector(out, &interaction(m, d, id).1),
        SensorType::Torque => vector(out, &interaction(m, d, id).0),
        SensorType::Rangefinder => range::rangefinder(m, d, &mut work.rays, sensor, out),
        SensorType::CamProjection => camera_projection(m, d, sensor, out),

        SensorType::JointPos => out[0] = d.qpos[m.jnt_qposadr[id] as usize],
        SensorType::JointVel => out[0] = d.qvel[m.jnt_dofadr[id] as usize],
        SensorType::JointActFrc => out[0] = d.qfrc_actuator[m.jnt_dofadr[id] as usize],
        SensorType::TendonPos => out[0] = d.ten_length[id],
        SensorType::TendonVel => out[0] = d.ten_velocity[id],
        SensorType::TendonActFrc => out[0] = tendon_actuator_force(m, d, id),
        SensorType::ActuatorPos => out[0] = d.actuator_length[id],
        SensorType::ActuatorVel => out[0] = d.actuator_velocity[id],
        SensorType::ActuatorFrc => out[0] = d.actuator_force[id],
        SensorType::JointLimitPos => out[0] = limit(d, LimitJoint, id, |efc, row| efc.pos[row] - efc.margin[row]),
        SensorType::JointLimitVel => out[0] = limit(d, LimitJoint, id, |efc, row| efc.vel[row]),
        SensorType::JointLimitFrc => out[0] = limit(d, LimitJoint, id, |efc, row| efc.force[row]),
        SensorType::TendonLimitPos => out[0] = limit(d, LimitTendon, id, |efc, row| efc.pos[row] - efc.margin[row]),
        SensorType::TendonLimitVel => out[0] = limit(d, LimitTendon, id, |efc, row| efc.vel[row]),
        SensorType::TendonLimitFrc => out[0] = limit(d, LimitTendon, id, |efc, row| efc.force[row]),
        SensorType::BallQuat => {
            let quat = Quat::from_slice(&d.qpos[m.jnt_qposadr[id] as usize..]).unwrap_or_default();
            out.copy_from_slice(&quat.normalized().to_array());
        }
        SensorType::BallAngVel => out.copy_from_slice(&d.qvel[m.jnt_dofadr[id] as usize..][..3]),

        SensorType::FramePos
        | SensorType::FrameQuat
        | SensorType::FrameXAxis
        | SensorType::FrameYAxis
        | SensorType::FrameZAxis
        | SensorType::FrameLinVel
        | SensorType::FrameAngVel
        | SensorType::FrameLinAcc
        | SensorType::FrameAngAcc => frame::evaluate(m, d, sensor, out),
        SensorType::SubtreeCom => vector(out, &d.subtree_com[id]),
        SensorType::SubtreeLinVel => vector(out, &d.subtree_linvel[id]),
        SensorType::SubtreeAngMom => vector(out, &d.subtree_angmom[id]),

        SensorType::InsideSite => range::inside_site(m, d, sensor, out),
        SensorType::GeomDist | SensorType::GeomNormal | SensorType::GeomFromTo => {
            range::geom_distance(m, d, work, sensor, out);
        }

        SensorType::EPotential => out[0] = d.energy[0],
        SensorType::EKinetic => out[0] = d.energy[1],
        SensorType::Clock => out[0] = d.time,
        // refused before a step: the stages they need are missing
        _ => {}
    }
}

/// A number of the first row of a limit; zero when the limit is not active.
fn limit(d: &Data, kind: ConstraintType, id: usize, value: fn(&Efc, usize) -> f64) -> f64 {
    limit_rows(&d.efc, kind, id).next().map_or(0.0, |row| value(&d.efc, row))
}

/// Motion of a site in its own axes.
fn site_motion(
    m: &Model,
    d: &Data,
    site: usize,
    motion: fn(&Model, &Data, &object::Frame) -> sim_types::Motion,
) -> sim_types::Motion {
    object::frame(m, d, ObjType::Site, site).map_or(sim_types::Motion::ZERO, |f| object::local(&f, &motion(m, d, &f)))
}

/// Torque and force that the parent exerts on the site's body, at the site and in its axes.
fn interaction(m: &Model, d: &Data, site: usize) -> (Vec3, Vec3) {
    object::frame(m, d, ObjType::Site, site).map_or((Vec3::zeros(), Vec3::zeros()), |f| {
        let force = d.cfrc_int[f.body].moved(&object::offset(m, d, &f));
        (f.mat.tr_mul(&force.rot), f.mat.tr_mul(&force.lin))
    })
}

fn tendon_actuator_force(m: &Model, d: &Data, tendon: usize) -> f64 {
    let on_tendon =
        |a: &usize| m.actuator_trntype[*a] == TrnType::Tendon && m.actuator_trnid[*a][0].get() == Some(tendon);
    (0..m.nu).filter(on_tendon).map(|a| d.actuator_force[a]).sum()
}

/// Pixel coordinates of a site in the image of a camera.
fn camera_projection(m: &Model, d: &Data, sensor: usize, out: &mut [f64]) {
    let (Some(site), Some(cam)) = (m.sensor_objid[sensor].get(), m.sensor_refid[sensor].get()) else { return };
    let p = d.cam_xmat[cam].tr_mul(&(d.site_xpos[site] - d.cam_xpos[cam]));
    let [width, height] = m.cam_resolution[cam].map(f64::from);
    let [fx, fy] = focal_length(m, cam);
    let depth = if p.z.abs() < MINVAL { MINVAL.copysign(p.z) } else { p.z };
    out[0] = 0.5 * width - fx * p.x / depth;
    out[1] = 0.5 * height + fy * p.y / depth;
}

/// Focal lengths and principal point of a camera in pixels. An orthographic camera has half its size as focal length.
#[doc(alias = "mju_camIntrinsics")]
pub(super) fn intrinsics(m: &Model, cam: usize) -> ([f64; 2], [f64; 2]) {
    let (sensor, principal, pixels) = (m.cam_sensorsize[cam], m.cam_intrinsic[cam], m.cam_resolution[cam]);
    let middle = pixels.map(|n| f64::from(n) / 2.0);
    if m.cam_projection[cam] == Projection::Orthographic {
        (middle, middle)
    } else if sensor[0] != 0.0 && sensor[1] != 0.0 {
        let centre = [0, 1].map(|k| f64::from(principal[k + 2] / sensor[k] * pixels[k] as f32));
        (focal_length(m, cam), centre)
    } else {
        (focal_length(m, cam), middle)
    }
}

/// Focal lengths of a camera in pixels. Intrinsics are single precision, and so is their arithmetic, as in MuJoCo.
fn focal_length(m: &Model, cam: usize) -> [f64; 2] {
    let (sensor, focal, pixels) = (m.cam_sensorsize[cam], m.cam_intrinsic[cam], m.cam_resolution[cam]);
    if sensor[0] != 0.0 && sensor[1] != 0.0 {
        [0, 1].map(|k| f64::from(focal[k] / sensor[k] * pixels[k] as f32))
    } else {
        let f = 0.5 / tan(m.cam_fovy[cam] * std::f64::consts::PI / 360.0) * f64::from(pixels[1]);
        [f, f]
    }
}
