//! Random numbers that depend on a seed and a stream, and on nothing else.
//!
//! A generator of our own rather than a crate: it is a dozen lines, its numbers are part of what "the same seed gives
//! the same bits" means and must not change with somebody's release, and normal numbers use the elementary functions
//! of `sim_types`, which give the same bits on every machine.

use sim_types::math;

/// The fraction of the golden ratio in 64 bits: the step of SplitMix64.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// SplitMix64 (Steele, Lea and Flood): passes the usual test batteries; its state is one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// The generator of one stream of a seed. Environments use their index as the stream.
    pub fn new(seed: u64, stream: u64) -> Self {
        // streams begin at places of the one long cycle that have nothing to do with each other
        Self { state: mix(mix(seed.wrapping_add(STEP)) ^ mix(stream.wrapping_mul(STEP) ^ STEP.rotate_left(32))) }
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mix(self.state)
    }

    /// A number from 0 to below 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number between `low` and `high`.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A normal number: mean 0, deviation 1 (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        // 1 − unit is never zero
        let radius = math::sqrt(-2.0 * math::log(1.0 - self.unit()));
        radius * math::cos(std::f64::consts::TAU * self.unit())
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(seed: u64, stream: u64) -> Vec<u64> {
        let mut rng = Rng::new(seed, stream);
        (0..100).map(|_| rng.bits()).collect()
    }

    #[test]
    fn seed_and_stream_decide_everything() {
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
        assert_ne!(draw(1, 2), draw(2, 2));
        assert_ne!(draw(1, 2), draw(2, 1));
    }

    #[test]
    fn the_numbers_of_a_seed_never_change() {
        assert_eq!(draw(0, 0)[..2], [17688127548310600438, 10719958699399159115]);
    }

    #[test]
    fn mean_and_deviation_are_right() {
        let mut rng = Rng::new(7, 0);
        let n = 100_000;
        let moments = |draw: &mut dyn FnMut() -> f64| {
            let x: Vec<f64> = (0..n).map(|_| draw()).collect();
            let mean = x.iter().sum::<f64>() / f64::from(n);
            (mean, x.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / f64::from(n))
        };
        // five deviations of the estimate
        let (mean, variance) = moments(&mut || rng.normal());
        assert!(mean.abs() < 0.016 && (variance - 1.0).abs() < 0.023, "{mean} {variance}");
        let (mean, variance) = moments(&mut || rng.uniform(-1.0, 3.0));
        assert!((mean - 1.0).abs() < 0.019 && (variance - 4.0 / 3.0).abs() < 0.019, "{mean} {variance}");
    }
}
