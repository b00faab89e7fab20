//! Sensors of frames: poses, velocities and accelerations of bodies, geoms, sites and cameras.

use sim_types::{SensorType, Vec3};

use crate::data::Data;
use crate::model::Model;
use crate::object::{self, Frame};

/// The frame a sensor is attached to, and the one it is measured in.
fn frames(m: &Model, d: &Data, sensor: usize) -> Option<(Frame, Option<Frame>)> {
    let own = object::frame(m, d, m.sensor_objtype[sensor], m.sensor_objid[sensor].get()?)?;
    let reference = m.sensor_refid[sensor].get().and_then(|id| object::frame(m, d, m.sensor_reftype[sensor], id));
    Some((own, reference))
}

/// Writes the value of a frame sensor.
pub(super) fn evaluate(m: &Model, d: &Data, sensor: usize, out: &mut [f64]) {
    if m.sensor_type[sensor] == SensorType::FrameQuat {
        return quaternion(m, d, sensor, out);
    }
    let Some((own, reference)) = frames(m, d, sensor) else { return };
    let in_reference = |v: Vec3| reference.map_or(v, |r| r.mat.tr_mul(&v));
    let value = match m.sensor_type[sensor] {
        SensorType::FramePos => in_reference(reference.map_or(own.pos, |r| own.pos - r.pos)),
        SensorType::FrameXAxis => in_reference(own.mat.column(0).into_owned()),
        SensorType::FrameYAxis => in_reference(own.mat.column(1).into_owned()),
        SensorType::FrameZAxis => in_reference(own.mat.column(2).into_owned()),
        SensorType::FrameLinVel => {
            let mut vel = object::velocity(m, d, &own).lin;
            if let Some(r) = &reference {
                // the reference frame moves and turns
                let base = object::velocity(m, d, r);
                vel += (own.pos - r.pos).cross(&base.rot) - base.lin;
            }
            in_reference(vel)
        }
        SensorType::FrameAngVel => {
            let base = reference.map_or(Vec3::zeros(), |r| object::velocity(m, d, &r).rot);
            in_reference(object::velocity(m, d, &own).rot - base)
        }
        SensorType::FrameLinAcc => object::acceleration(m, d, &own).lin,
        SensorType::FrameAngAcc => object::acceleration(m, d, &own).rot,
        _ => return,
    };
    out.copy_from_slice(value.as_slice());
}

fn quaternion(m: &Model, d: &Data, sensor: usize, out: &mut [f64]) {
    let own = m.sensor_objid[sensor].get().and_then(|id| object::orientation(m, d, m.sensor_objtype[sensor], id));
    let reference = m.sensor_refid[sensor].get().and_then(|id| object::orientation(m, d, m.sensor_reftype[sensor], id));
    if let Some(own) = own {
        let value = reference.map_or(own, |r| r.conj() * own);
        out.copy_from_slice(&value.to_array());
    }
}
