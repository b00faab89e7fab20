//! Delay buffers of controls and sensors.
//!
//! A buffer is a ring of timed samples inside `Data::history`: one user number, the physical index of the newest sample,
//! `n` times, `n` values of `dim` numbers. Logical index 0 is the oldest sample.

use sim_types::MINVAL;
use sim_types::math::ceil;

use crate::data::Data;
use crate::model::Model;

/// How a value between two samples is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// The sample before.
    Hold,
    /// On the line between both.
    Linear,
    /// On a cubic through both, with slopes from their neighbours.
    Cubic,
}

impl Interpolation {
    /// From MuJoCo's number.
    pub const fn from_number(number: u32) -> Self {
        match number {
            0 => Self::Hold,
            1 => Self::Linear,
            _ => Self::Cubic,
        }
    }
}

/// The control of a delayed actuator as it was `actuator_delay` before `time`.
#[doc(alias = "mj_readCtrl")]
pub fn read_ctrl(m: &Model, d: &Data, actuator: usize, time: f64) -> f64 {
    let [n, interp] = m.actuator_history[actuator];
    let Some(adr) = m.actuator_historyadr[actuator].get() else { return d.ctrl[actuator] };
    let mut value = [0.0];
    let buf = &d.history[adr..adr + 2 + 2 * n as usize];
    read(buf, n as usize, &mut value, time - m.actuator_delay[actuator], Interpolation::from_number(interp));
    value[0]
}

/// Stores the present controls, as they were given, at the time before the step.
pub(crate) fn record_controls(m: &Model, d: &mut Data) {
    for actuator in 0..m.nu {
        if let Some(adr) = m.actuator_historyadr[actuator].get() {
            let n = m.actuator_history[actuator][0] as usize;
            let buf = &mut d.history[adr..adr + 2 + 2 * n];
            let slot = insert(buf, n, 1, d.time);
            buf[slot.start] = d.ctrl[actuator];
        }
    }
}

/// Back to a buffer of zeros with times that end just before zero.
pub(crate) fn reset(m: &Model, history: &mut [f64]) {
    let h = m.opt.timestep;
    for actuator in 0..m.nu {
        if let Some(adr) = m.actuator_historyadr[actuator].get() {
            let n = m.actuator_history[actuator][0] as usize;
            init(&mut history[adr..], n, 0.0, |k| -h * (n - k) as f64);
        }
    }
    for sensor in 0..m.nsensor {
        if let Some(adr) = m.sensor_historyadr[sensor].get() {
            let n = m.sensor_history[sensor][0] as usize;
            let [period, phase] = m.sensor_interval[sensor];
            if period > 0.0 {
                let last = if phase == 0.0 { -period } else { phase };
                init(&mut history[adr..], n, last, |k| ceil((last - (n - 1 - k) as f64 * period) / h) * h);
            } else {
                init(&mut history[adr..], n, -h, |k| -h * (n - k) as f64);
            }
        }
    }
}

fn init(buf: &mut [f64], n: usize, user: f64, time: impl Fn(usize) -> f64) {
    buf[0] = user;
    buf[1] = n.saturating_sub(1) as f64;
    for k in 0..n {
        buf[2 + k] = time(k);
    }
}

/// The slot for a sample at time `t`, as a range of `buf`; makes room by dropping the oldest sample where needed.
pub(crate) fn insert(buf: &mut [f64], n: usize, dim: usize, t: f64) -> std::ops::Range<usize> {
    let cursor = buf[1] as usize;
    let values = 2 + n;
    let slot = |physical: usize| values + physical * dim..values + (physical + 1) * dim;
    let at = find(buf, n, t);
    if at < n {
        let physical = place(cursor, n, at);
        if (t - buf[2 + physical]).abs() < MINVAL {
            return slot(physical);
        }
    }
    let target = if at == n {
        // newer than everything: overwrite the oldest
        let next = (cursor + 1) % n;
        buf[1] = next as f64;
        next
    } else if at == 0 {
        place(cursor, n, 0)
    } else {
        // in between: drop the oldest and close ranks
        for k in 0..at - 1 {
            let (from, to) = (place(cursor, n, k + 1), place(cursor, n, k));
            buf[2 + to] = buf[2 + from];
            buf.copy_within(slot(from), slot(to).start);
        }
        place(cursor, n, at - 1)
    };
    buf[2 + target] = t;
    slot(target)
}

/// The value at time `t`; constant before the oldest and after the newest sample.
pub(crate) fn read(buf: &[f64], n: usize, out: &mut [f64], t: f64, interp: Interpolation) {
    let dim = out.len();
    let cursor = buf[1] as usize;
    let time = |logical: usize| buf[2 + place(cursor, n, logical)];
    let value = |logical: usize| {
        let start = 2 + n + place(cursor, n, logical) * dim;
        &buf[start..start + dim]
    };
    if t <= time(0) + MINVAL {
        return out.copy_from_slice(value(0));
    }
    if t >= time(n - 1) - MINVAL {
        return out.copy_from_slice(value(n - 1));
    }
    let hi = find(buf, n, t);
    if (t - time(hi)).abs() < MINVAL {
        return out.copy_from_slice(value(hi));
    }
    let lo = hi - 1;
    let dt = time(hi) - time(lo);
    let x = (t - time(lo)) / dt;
    match interp {
        Interpolation::Hold => out.copy_from_slice(value(lo)),
        Interpolation::Linear => {
            for (k, y) in out.iter_mut().enumerate() {
                *y = value(lo)[k] + x * (value(hi)[k] - value(lo)[k]);
            }
        }
        Interpolation::Cubic => {
            let (x2, x3) = (x * x, x * x * x);
            for (k, y) in out.iter_mut().enumerate() {
                let slope = |a: usize, b: usize| (value(b)[k] - value(a)[k]) / (time(b) - time(a));
                let at_lo = if hi > 1 { slope(hi - 2, hi) } else { 0.0 };
                let at_hi = if hi < n - 1 { slope(lo, hi + 1) } else { 0.0 };
                *y = (2.0 * x3 - 3.0 * x2 + 1.0) * value(lo)[k]
                    + (x3 - 2.0 * x2 + x) * dt * at_lo
                    + (-2.0 * x3 + 3.0 * x2) * value(hi)[k]
                    + (x3 - x2) * dt * at_hi;
            }
        }
    }
}

/// Physical index of a logical one.
fn place(cursor: usize, n: usize, logical: usize) -> usize {
    (cursor + 1 + logical) % n
}

/// The first logical index whose time is not before `t`; `n` when all are.
fn find(buf: &[f64], n: usize, t: f64) -> usize {
    let cursor = buf[1] as usize;
    let (mut lo, mut hi) = (0, n);
    while lo < hi {
        let mid = usize::midpoint(lo, hi);
        if buf[2 + place(cursor, n, mid)] < t { lo = mid + 1 } else { hi = mid }
    }
    lo
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three samples of one number at −0.3, −0.2, −0.1.
    fn buffer() -> Vec<f64> {
        let mut buf = vec![0.0; 2 + 3 + 3];
        init(&mut buf, 3, 0.0, |k| -0.1 * (3 - k) as f64);
        buf
    }

    fn put(buf: &mut [f64], t: f64, x: f64) {
        let slot = insert(buf, 3, 1, t);
        buf[slot.start] = x;
    }

    fn get(buf: &[f64], t: f64, interp: Interpolation) -> f64 {
        let mut out = [0.0];
        read(buf, 3, &mut out, t, interp);
        out[0]
    }

    #[test]
    fn new_samples_push_out_the_oldest() {
        let mut buf = buffer();
        for k in 0..4 {
            put(&mut buf, 0.1 * k as f64, k as f64);
        }
        assert_eq!(get(&buf, -1.0, Interpolation::Hold), 1.0, "older than all: the oldest");
        assert_eq!(get(&buf, 9.0, Interpolation::Hold), 3.0);
        assert_eq!(get(&buf, 0.25, Interpolation::Hold), 2.0);
        assert!((get(&buf, 0.25, Interpolation::Linear) - 2.5).abs() < 1e-12);
    }

    #[test]
    fn a_sample_in_between_drops_the_oldest() {
        let mut buf = buffer();
        for (t, x) in [(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)] {
            put(&mut buf, t, x);
        }
        put(&mut buf, 1.5, 7.0);
        assert_eq!(get(&buf, 0.0, Interpolation::Hold), 1.0);
        assert_eq!(get(&buf, 1.7, Interpolation::Hold), 7.0);
        put(&mut buf, 1.5, 8.0);
        assert_eq!(get(&buf, 1.5, Interpolation::Hold), 8.0, "the same time is overwritten");
    }

    #[test]
    fn cubic_reproduces_a_line_inside() {
        let mut buf = vec![0.0; 2 + 4 + 4];
        init(&mut buf, 4, 0.0, |k| -0.1 * (4 - k) as f64);
        for k in 0..4 {
            let slot = insert(&mut buf, 4, 1, f64::from(k));
            buf[slot.start] = 2.0 * f64::from(k);
        }
        let mut out = [0.0];
        read(&buf, 4, &mut out, 1.3, Interpolation::Cubic);
        assert!((out[0] - 2.6).abs() < 1e-12);
    }
}
