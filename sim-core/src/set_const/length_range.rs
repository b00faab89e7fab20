//! The range of lengths that an actuator can reach, found by pulling and pushing it.

use sim_types::math::exp;
use sim_types::{DisableFlags, EnableFlags, MINVAL};

use crate::error::ModelError;
use crate::model::Model;
use crate::smooth::solve_m;

/// How the range is searched (`mjLROpt`).
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "mjLROpt")]
pub struct LengthRangeSearch {
    /// Acceleration aimed at when the force is chosen.
    pub accel: f64,
    /// Largest force; zero for no limit.
    pub maxforce: f64,
    /// Time constant with which velocities decay.
    pub timeconst: f64,
    /// Timestep; zero for the model's.
    pub timestep: f64,
    /// Simulated time.
    pub inttotal: f64,
    /// Time at the end in which the length must be steady.
    pub interval: f64,
    /// Allowed change in that time, relative to the range.
    pub tolrange: f64,
}

/// More steps than this are not simulated.
const MAX_STEPS: f64 = 1e5;

/// The shortest and the longest length of an actuator: it is pulled from the reference pose, then pushed, without contacts,
/// gravity, springs, dampers, dry friction and other actuators, until its length is steady.
#[doc(alias = "mj_setLengthRange")]
pub fn find_length_range(m: &Model, actuator: usize, search: &LengthRangeSearch) -> Result<[f64; 2], ModelError> {
    let mut m = m.clone();
    m.opt.disableflags = DisableFlags::FRICTIONLOSS
        | DisableFlags::CONTACT
        | DisableFlags::SPRING
        | DisableFlags::DAMPER
        | DisableFlags::GRAVITY
        | DisableFlags::ACTUATION
        | DisableFlags::SENSOR;
    m.opt.enableflags.remove(EnableFlags::SLEEP);
    if search.timestep > 0.0 {
        m.opt.timestep = search.timestep;
    }
    let steps = search.inttotal / m.opt.timestep;
    let wrong = |what: String| ModelError::Inconsistent { what: format!("lengthrange: {what}") };
    if !steps.is_finite() || steps > MAX_STEPS {
        return Err(wrong(format!("inttotal must be at most {MAX_STEPS} timesteps, is {steps:.0}")));
    }
    let pulled = pull(&m, actuator, search, -1.0).map_err(wrong)?;
    let pushed = pull(&m, actuator, search, 1.0).map_err(wrong)?;

    let range = [pulled[0], pushed[1]];
    let width = range[1] - range[0];
    if width.is_nan() || width <= 0.0 {
        return Err(wrong(format!("the range found, {} to {}, is empty", range[0], range[1])));
    }
    for [low, high] in [pulled, pushed] {
        if high - low > search.tolrange * width {
            let [a, b] = range;
            return Err(wrong(format!(
                "did not become steady: {low} to {high} at the end of the search from {a} to {b}"
            )));
        }
    }
    Ok(range)
}

/// Least and largest length while the actuator is steady at one end.
fn pull(m: &Model, actuator: usize, search: &LengthRangeSearch, sign: f64) -> Result<[f64; 2], String> {
    let mut d = m.make_data();
    let mut seen: Option<[f64; 2]> = None;
    let decay = exp(-m.opt.timestep / larger(0.01, search.timeconst));
    let mut moment = vec![0.0; m.nv];
    while d.time < search.inttotal {
        for v in &mut d.qvel {
            *v *= decay;
        }
        d.step1(m).map_err(|e| e.to_string())?;

        // the force along the moment arms that gives the acceleration aimed at
        moment.fill(0.0);
        let entries = m.moment_row(actuator);
        for (x, &col) in d.actuator_moment[entries.clone()].iter().zip(&m.moment_colind[entries]) {
            moment[col as usize] = *x;
        }
        let mut response = moment.clone();
        solve_m(m, &d, &mut response);
        let mut scale = sign * search.accel / larger(MINVAL, norm(&response));
        let force = norm(&moment) * scale.abs();
        if search.maxforce > 0.0 && force > search.maxforce {
            scale *= search.maxforce / larger(MINVAL, force);
        }
        for (f, x) in d.qfrc_applied.iter_mut().zip(&moment) {
            *f = scale * x;
        }
        d.step2(m).map_err(|e| e.to_string())?;
        if d.warning.any() {
            return Err("the simulation is not stable".to_owned());
        }
        if d.time > search.inttotal - search.interval {
            let length = d.actuator_length[actuator];
            let [low, high] = seen.unwrap_or([length; 2]);
            seen = Some([if length < low { length } else { low }, if length > high { length } else { high }]);
        }
    }
    Ok(seen.unwrap_or_default())
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The larger of a floor and `x`; the floor when `x` is NaN.
fn larger(floor: f64, x: f64) -> f64 {
    if x > floor { x } else { floor }
}
