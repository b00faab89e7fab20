//! Noise of sensors, for those who ask for it.

use sim_types::math::{cos, log, normalize3, sin, sqrt};
use sim_types::{DataType, Quat, Vec3};

use crate::data::Data;
use crate::model::Model;

/// A seeded source of Gaussian noise for `sensordata`. A step never uses it.
///
/// Call [`add`](Self::add) once after a step or a forward pass. The same seed gives the same noise on every machine.
#[derive(Clone, Debug, PartialEq)]
pub struct SensorNoise {
    state: u64,
    spare: Option<f64>,
}

impl SensorNoise {
    /// A source that always gives the same sequence for the same seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed, spare: None }
    }

    /// Adds noise with the standard deviation `sensor_noise` to every sensor that has one.
    ///
    /// Real and positive numbers get a number each, and positive ones stay positive. Axes are moved and made unit length
    /// again; quaternions are turned about a random axis.
    pub fn add(&mut self, m: &Model, d: &mut Data) {
        for sensor in 0..m.nsensor {
            let sigma = m.sensor_noise[sensor];
            if sigma.is_nan() || sigma <= 0.0 {
                continue;
            }
            let out = &mut d.sensordata[m.sensor_range(sensor)];
            match m.sensor_datatype[sensor] {
                DataType::Real => out.iter_mut().for_each(|x| *x += sigma * self.gauss()),
                DataType::Positive => out.iter_mut().for_each(|x| *x = (*x + sigma * self.gauss()).max(0.0)),
                DataType::Axis => out.chunks_exact_mut(3).for_each(|axis| self.tilt(axis, sigma)),
                DataType::Quaternion => out.chunks_exact_mut(4).for_each(|quat| self.turn(quat, sigma)),
            }
        }
    }

    fn tilt(&mut self, axis: &mut [f64], sigma: f64) {
        let mut v = Vec3::new(axis[0], axis[1], axis[2]) + self.vector() * sigma;
        normalize3(&mut v);
        axis.copy_from_slice(v.as_slice());
    }

    fn turn(&mut self, quat: &mut [f64], sigma: f64) {
        let mut axis = self.vector();
        let angle = normalize3(&mut axis) * sigma;
        let by = Quat::from_axis_angle(&axis, angle);
        let q = Quat::new(quat[0], quat[1], quat[2], quat[3]);
        quat.copy_from_slice(&(q * by).to_array());
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.gauss(), self.gauss(), self.gauss())
    }

    /// A number of the standard normal distribution, by the method of Box and Muller.
    fn gauss(&mut self) -> f64 {
        if let Some(x) = self.spare.take() {
            return x;
        }
        let radius = sqrt(-2.0 * log(1.0 - self.uniform()));
        let angle = std::f64::consts::TAU * self.uniform();
        self.spare = Some(radius * sin(angle));
        radius * cos(angle)
    }

    /// A number from 0 to 1, without 1, by SplitMix64.
    fn uniform(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_has_mean_zero_and_variance_one() {
        let mut noise = SensorNoise::new(1);
        let x: Vec<f64> = (0..100_000).map(|_| noise.gauss()).collect();
        let mean = x.iter().sum::<f64>() / 1e5;
        let variance = x.iter().map(|x| x * x).sum::<f64>() / 1e5;
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
    }
}
