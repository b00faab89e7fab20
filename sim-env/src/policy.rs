//! A linear policy on normalised observations.

use sim_types::math;

use crate::space::Space;

/// Normalised observations beyond this are clipped, so that one outlier does not decide the action.
const CLIP: f64 = 5.0;

/// Actions are linear in the normalised observation, with a constant term, clamped to their ranges.
///
/// An output of 0 is the middle of the range and ±1 its ends; without bounds it is the action itself.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearPolicy {
    /// One row per action: a weight per observed number, and the constant term.
    pub weights: Vec<f64>,
    /// Subtracted from each observed number.
    mean: Vec<f64>,
    /// Multiplied with each observed number after that.
    scale: Vec<f64>,
    space: Space,
}

impl LinearPolicy {
    /// The policy whose outputs are all zero.
    pub fn zero(observation: usize, space: Space) -> Self {
        let weights = vec![0.0; space.size() * (observation + 1)];
        Self { weights, mean: vec![0.0; observation], scale: vec![1.0; observation], space }
    }

    /// Writes the action for an observation.
    pub fn act(&self, observation: &[f64], action: &mut [f64]) {
        let row = self.mean.len() + 1;
        for (a, (weights, (low, high))) in
            action.iter_mut().zip(self.weights.chunks_exact(row).zip(self.space.low.iter().zip(&self.space.high)))
        {
            let (linear, constant) = weights.split_at(row - 1);
            let mut sum = constant[0];
            for (((w, x), mean), scale) in linear.iter().zip(observation).zip(&self.mean).zip(&self.scale) {
                sum += w * ((x - mean) * scale).clamp(-CLIP, CLIP);
            }
            let half = 0.5 * (high - low);
            *a = if half.is_finite() { low + half * (1.0 + sum.clamp(-1.0, 1.0)) } else { sum.max(*low).min(*high) };
        }
    }

    /// Normalises by what was seen, as if nothing varied by less than `floor`. The weights keep their values, so the
    /// policy changes a little.
    pub(crate) fn normalise(&mut self, seen: &Moments, floor: f64) {
        self.mean.copy_from_slice(&seen.mean);
        for (scale, square) in self.scale.iter_mut().zip(&seen.squares) {
            let deviation = math::sqrt(square / seen.count.max(1.0));
            // a number that never changes says nothing
            *scale = if deviation > 0.0 { 1.0 / deviation.max(floor) } else { 0.0 };
        }
    }
}

/// Mean and spread of vectors, one at a time (Welford) and merged (Chan, Golub and LeVeque).
#[derive(Clone, Debug)]
pub(crate) struct Moments {
    count: f64,
    mean: Vec<f64>,
    /// Sums of squared differences from the mean.
    squares: Vec<f64>,
}

impl Moments {
    pub(crate) fn new(size: usize) -> Self {
        Self { count: 0.0, mean: vec![0.0; size], squares: vec![0.0; size] }
    }

    pub(crate) fn clear(&mut self) {
        self.count = 0.0;
        self.mean.fill(0.0);
        self.squares.fill(0.0);
    }

    pub(crate) fn add(&mut self, x: &[f64]) {
        self.count += 1.0;
        for ((x, mean), square) in x.iter().zip(&mut self.mean).zip(&mut self.squares) {
            let before = x - *mean;
            *mean += before / self.count;
            *square += before * (x - *mean);
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        let count = self.count + other.count;
        if other.count == 0.0 {
            return;
        }
        for k in 0..self.mean.len() {
            let apart = other.mean[k] - self.mean[k];
            self.mean[k] += apart * other.count / count;
            self.squares[k] += other.squares[k] + apart * apart * self.count * other.count / count;
        }
        self.count = count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_merge_to_those_of_all() {
        let x = [[1.0, 5.0], [2.0, 5.0], [4.0, 5.0], [9.0, 5.0]];
        let (mut a, mut b) = (Moments::new(2), Moments::new(2));
        a.add(&x[0]);
        for x in &x[1..] {
            b.add(x);
        }
        a.merge(&b);
        assert_eq!(a.count, 4.0);
        assert!((a.mean[0] - 4.0).abs() < 1e-12 && (a.squares[0] - 38.0).abs() < 1e-12);
        let mut policy = LinearPolicy::zero(2, Space::uniform(1, -1.0, 1.0));
        policy.normalise(&a, 0.1);
        assert!((policy.scale[0] - 1.0 / 9.5_f64.sqrt()).abs() < 1e-12);
        assert_eq!(policy.scale[1], 0.0, "a constant says nothing");
        policy.normalise(&a, 10.0);
        assert_eq!(policy.scale[0], 0.1);
    }

    #[test]
    fn outputs_fill_the_range_of_the_action() {
        let mut policy =
            LinearPolicy::zero(1, Space { low: vec![0.0, f64::NEG_INFINITY], high: vec![10.0, f64::INFINITY] });
        let mut action = [f64::NAN; 2];
        policy.act(&[0.3], &mut action);
        assert_eq!(action, [5.0, 0.0]);
        policy.weights.copy_from_slice(&[1.0, 0.5, 20.0, 0.0]);
        policy.act(&[0.3], &mut action);
        assert_eq!(action, [9.0, 6.0]);
        policy.act(&[100.0], &mut action);
        assert_eq!(action, [10.0, 100.0], "clipped at five deviations");
    }
}
