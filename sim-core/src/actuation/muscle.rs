//! Muscles: activation dynamics, force–length–velocity curve, passive force.
//!
//! MuJoCo: `mju_muscleGain`, `mju_muscleBias`, `mju_muscleDynamics`.

use sim_types::MINVAL;
use sim_types::math::clip;

use crate::model::Model;

/// The curve of one muscle, scaled to its actuator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Curve {
    /// Length and operating range that normalise lengths.
    length0: f64,
    origin: f64,
    range0: f64,
    peak: f64,
    lmin: f64,
    lmax: f64,
    vmax: f64,
    fpmax: f64,
    fvmax: f64,
}

impl Curve {
    /// Parameters: range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax. A negative force means `scale / acc0`.
    pub(crate) fn new(m: &Model, actuator: usize, prm: &[f64; 10]) -> Self {
        let [low, high] = m.actuator_lengthrange[actuator];
        let peak = if prm[2] < 0.0 { prm[3] / m.actuator_acc0[actuator].max(MINVAL) } else { prm[2] };
        Self {
            length0: (high - low) / (prm[1] - prm[0]).max(MINVAL),
            origin: low,
            range0: prm[0],
            peak,
            lmin: prm[4],
            lmax: prm[5],
            vmax: prm[6],
            fpmax: prm[7],
            fvmax: prm[8],
        }
    }

    /// Length in units of the resting length.
    fn normalized(&self, length: f64) -> f64 {
        self.range0 + (length - self.origin) / self.length0.max(MINVAL)
    }

    /// Active force per activation, negative because muscles pull.
    pub(crate) fn gain(&self, length: f64, velocity: f64) -> f64 {
        let v = velocity / (self.length0 * self.vmax).max(MINVAL);
        -self.peak * self.force_length(self.normalized(length)) * self.force_velocity(v)
    }

    /// Derivative of [`Curve::gain`] by velocity.
    pub(crate) fn gain_slope(&self, length: f64, velocity: f64) -> f64 {
        let scale = (self.length0 * self.vmax).max(MINVAL);
        let (v, y) = (velocity / scale, self.fvmax - 1.0);
        let slope = if v <= -1.0 {
            0.0
        } else if v <= 0.0 {
            2.0 * v + 2.0
        } else if v <= y {
            2.0 * (y - v) / y.max(MINVAL)
        } else {
            0.0
        };
        -self.peak * self.force_length(self.normalized(length)) * slope / scale
    }

    /// Force of the stretched muscle without activation.
    pub(crate) fn passive_force(&self, length: f64) -> f64 {
        let l = self.normalized(length);
        let b = 0.5 * (1.0 + self.lmax);
        if l <= 1.0 {
            0.0
        } else if l <= b {
            let x = (l - 1.0) / (b - 1.0).max(MINVAL);
            -self.peak * self.fpmax * 0.5 * x * x
        } else {
            let x = (l - b) / (b - 1.0).max(MINVAL);
            -self.peak * self.fpmax * (0.5 + x)
        }
    }

    /// Piecewise quadratic: 0 at `lmin` and `lmax`, 1 at 1.
    fn force_length(&self, l: f64) -> f64 {
        if l < self.lmin || l > self.lmax {
            return 0.0;
        }
        let (a, b) = (0.5 * (self.lmin + 1.0), 0.5 * (1.0 + self.lmax));
        let part = |x: f64, width: f64| {
            let x = x / width.max(MINVAL);
            0.5 * x * x
        };
        if l <= a {
            part(l - self.lmin, a - self.lmin)
        } else if l <= 1.0 {
            1.0 - part(1.0 - l, 1.0 - a)
        } else if l <= b {
            1.0 - part(l - 1.0, b - 1.0)
        } else {
            part(self.lmax - l, self.lmax - b)
        }
    }

    /// Piecewise quadratic: 0 at full shortening speed, 1 at rest, `fvmax` when lengthening.
    fn force_velocity(&self, v: f64) -> f64 {
        let y = self.fvmax - 1.0;
        if v <= -1.0 {
            0.0
        } else if v <= 0.0 {
            (v + 1.0) * (v + 1.0)
        } else if v <= y {
            self.fvmax - (y - v) * (y - v) / y.max(MINVAL)
        } else {
            self.fvmax
        }
    }
}

/// Rate of activation: fast to rise, slow to fall, both depending on activation. Parameters: time constants of rise and
/// fall, width of the smooth transition between them.
#[doc(alias = "mju_muscleDynamics")]
pub(crate) fn dynamics(ctrl: f64, act: f64, prm: &[f64; 10]) -> f64 {
    let (u, clamped) = (clip(ctrl, 0.0, 1.0), clip(act, 0.0, 1.0));
    let rise = prm[0] * (0.5 + 1.5 * clamped);
    let fall = prm[1] / (0.5 + 1.5 * clamped);
    let error = u - act;
    let tau = if prm[2] < MINVAL {
        if error > 0.0 { rise } else { fall }
    } else {
        fall + (rise - fall) * smooth_step(error / prm[2] + 0.5)
    };
    error / tau.max(MINVAL)
}

/// From 0 to 1 with two flat derivatives at both ends.
fn smooth_step(x: f64) -> f64 {
    if x <= 0.0 {
        0.0
    } else if x >= 1.0 {
        1.0
    } else {
        x * x * x * (3.0 * x * (2.0 * x - 5.0) + 10.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STANDARD: Curve = Curve {
        length0: 1.0,
        origin: 0.75,
        range0: 0.75,
        peak: 100.0,
        lmin: 0.5,
        lmax: 1.6,
        vmax: 1.5,
        fpmax: 1.3,
        fvmax: 1.2,
    };

    #[test]
    fn peak_force_at_rest_length() {
        assert!((STANDARD.gain(1.0, 0.0) + 100.0).abs() < 1e-12);
        assert_eq!(STANDARD.gain(0.4, 0.0), 0.0);
        assert_eq!(STANDARD.gain(1.0, -2.0), 0.0);
        assert!((STANDARD.gain(1.0, 10.0) + 120.0).abs() < 1e-12);
    }

    #[test]
    fn gain_slope_is_the_difference_quotient() {
        for v in [-1.2, -0.7, -0.1, 0.1, 0.25, 0.6] {
            let h = 1e-6;
            let want = (STANDARD.gain(0.9, v + h) - STANDARD.gain(0.9, v - h)) / (2.0 * h);
            assert!((STANDARD.gain_slope(0.9, v) - want).abs() < 1e-5, "v = {v}");
        }
    }

    #[test]
    fn passive_force_is_continuous() {
        let b = 0.5 * (1.0 + 1.6);
        assert_eq!(STANDARD.passive_force(0.9), 0.0);
        let (below, above) = (STANDARD.passive_force(b - 1e-9), STANDARD.passive_force(b + 1e-9));
        assert!((below - above).abs() < 1e-5 && (below + 65.0).abs() < 1e-5);
    }

    #[test]
    fn activation_rises_faster_than_it_falls() {
        let prm = [0.01, 0.04, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        assert!((dynamics(1.0, 0.0, &prm) - 1.0 / 0.005).abs() < 1e-9);
        assert!((dynamics(0.0, 1.0, &prm) + 1.0 / 0.02).abs() < 1e-9);
        let smooth = [0.01, 0.04, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        assert!((dynamics(0.5, 0.5, &smooth)).abs() < 1e-12);
    }
}
