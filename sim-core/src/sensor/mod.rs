//! Sensors: when each one is computed, delays, cutoffs.

mod contact;
mod frame;
mod noise;
mod range;
mod tactile;
mod value;

use sim_types::math::clip;
use sim_types::{DataType, DisableFlags, SensorType, Stage};

use crate::actuation::{Interpolation, history_insert, history_read};
use crate::data::Data;
use crate::island::sensor_sleeps;
use crate::model::Model;
use crate::pipeline::{Hooks, Parts};
use crate::{energy, smooth};

pub use noise::SensorNoise;
pub(crate) use value::is_supported;

/// Computes the sensors of one stage.
///
/// Reads what their types need; writes their part of `sensordata`. Noise is added by [`SensorNoise`] only.
#[doc(alias("mj_sensorPos", "mj_sensorVel", "mj_sensorAcc"))]
pub fn sensors<P: Parts>(m: &Model, d: &mut Data, parts: &P, stage: Stage) {
    if m.nsensor == 0 || !m.opt.has(DisableFlags::SENSOR) {
        return;
    }
    let mut user = false;
    for sensor in 0..m.nsensor {
        if m.sensor_needstage[sensor] != stage || sensor_sleeps(m, d, sensor) {
            continue;
        }
        if m.sensor_type[sensor] == SensorType::User {
            user = true;
            let range = m.sensor_range(sensor);
            d.sensordata[range].fill(0.0);
        } else {
            compute_or_read(m, d, sensor);
        }
    }
    if user {
        prepare_for_user(m, d, stage);
        parts.hooks().sensor(m, d, stage);
        for sensor in 0..m.nsensor {
            if m.sensor_type[sensor] == SensorType::User && m.sensor_needstage[sensor] == stage {
                cut_off(m, sensor, &mut d.sensordata[m.sensor_range(sensor)]);
            }
        }
    }
}

/// Writes the delay buffers of all sensors, at the time before the step.
pub(crate) fn record_history(m: &Model, d: &mut Data) {
    for sensor in 0..m.nsensor {
        let Some(adr) = m.sensor_historyadr[sensor].get() else { continue };
        let (n, dim) = (m.sensor_history[sensor][0] as usize, m.sensor_dim[sensor] as usize);
        let period = m.sensor_interval[sensor][0];
        if period > 0.0 {
            // a sample is due once per period
            if d.history[adr] + period > d.time {
                continue;
            }
            d.history[adr] += period;
        }
        let range = m.sensor_range(sensor);
        let mut values = std::mem::take(&mut d.scratch.sensor);
        if m.sensor_delay[sensor] > 0.0 {
            // what is read is old; what is stored is the present value
            let shown = &mut values[..2 * dim];
            shown[dim..].copy_from_slice(&d.sensordata[range.clone()]);
            compute(m, d, sensor);
            values[..dim].copy_from_slice(&d.sensordata[range.clone()]);
            d.sensordata[range].copy_from_slice(&values[dim..2 * dim]);
        } else {
            values[..dim].copy_from_slice(&d.sensordata[range]);
        }
        let time = d.time;
        let buf = &mut d.history[adr..adr + 2 + n + n * dim];
        let slot = history_insert(buf, n, dim, time);
        buf[slot].copy_from_slice(&values[..dim]);
        d.scratch.sensor = values;
    }
}

/// The value now, or the value that delay and interval allow.
fn compute_or_read(m: &Model, d: &mut Data, sensor: usize) {
    let (delay, period) = (m.sensor_delay[sensor], m.sensor_interval[sensor][0]);
    let waiting = |adr: usize| period > 0.0 && d.history[adr] + period > d.time;
    match m.sensor_historyadr[sensor].get() {
        Some(adr) if delay > 0.0 || waiting(adr) => {
            let [n, interp] = m.sensor_history[sensor];
            let (n, dim) = (n as usize, m.sensor_dim[sensor] as usize);
            let buf = &d.history[adr..adr + 2 + n + n * dim];
            let out = &mut d.sensordata[m.sensor_range(sensor)];
            history_read(buf, n, out, d.time - delay, Interpolation::from_number(interp));
        }
        _ => compute(m, d, sensor),
    }
}

/// The value now, cut off.
#[doc(alias = "mj_computeSensor")]
fn compute(m: &Model, d: &mut Data, sensor: usize) {
    prepare(m, d, sensor);
    let mut data = std::mem::take(&mut d.sensordata);
    let mut work = d.scratch.collision.take().unwrap_or_default();
    let out = &mut data[m.sensor_range(sensor)];
    value::evaluate(m, d, &mut work, sensor, out);
    cut_off(m, sensor, out);
    d.scratch.collision = Some(work);
    d.sensordata = data;
}

/// Computes the lazy quantities that a sensor reads.
fn prepare(m: &Model, d: &mut Data, sensor: usize) {
    match m.sensor_type[sensor] {
        SensorType::SubtreeLinVel | SensorType::SubtreeAngMom if !d.lazy.subtreevel => smooth::subtree_vel(m, d),
        SensorType::EPotential if !d.lazy.energypos => energy::energy_pos(m, d),
        SensorType::EKinetic if !d.lazy.energyvel => energy::energy_vel(m, d),
        SensorType::Accelerometer
        | SensorType::Force
        | SensorType::Torque
        | SensorType::FrameLinAcc
        | SensorType::FrameAngAcc
            if !d.lazy.rnepost =>
        {
            smooth::rne_post(m, d);
        }
        _ => {}
    }
}

fn prepare_for_user(m: &Model, d: &mut Data, stage: Stage) {
    match stage {
        Stage::Vel if !d.lazy.subtreevel => smooth::subtree_vel(m, d),
        Stage::Acc if !d.lazy.rnepost => smooth::rne_post(m, d),
        _ => {}
    }
}

/// Limits real values to ± the cutoff and positive ones from above.
fn cut_off(m: &Model, sensor: usize, out: &mut [f64]) {
    let cutoff = m.sensor_cutoff[sensor];
    if cutoff <= 0.0 || matches!(m.sensor_type[sensor], SensorType::Contact | SensorType::GeomFromTo) {
        return;
    }
    for x in out {
        match m.sensor_datatype[sensor] {
            DataType::Real => *x = clip(*x, -cutoff, cutoff),
            DataType::Positive => *x = if *x > cutoff { cutoff } else { *x },
            DataType::Axis | DataType::Quaternion => {}
        }
    }
}
