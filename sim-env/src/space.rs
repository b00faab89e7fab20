//! How many numbers there are, and their ranges.

use sim_core::Model;

/// Vectors of a fixed length with a range per number, as gymnasium's `Box`.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    /// Smallest values.
    pub low: Vec<f64>,
    /// Largest values, as many.
    pub high: Vec<f64>,
}

impl Space {
    /// `size` numbers without bounds.
    pub fn unbounded(size: usize) -> Self {
        Self { low: vec![f64::NEG_INFINITY; size], high: vec![f64::INFINITY; size] }
    }

    /// `size` numbers between `low` and `high`.
    pub fn uniform(size: usize, low: f64, high: f64) -> Self {
        Self { low: vec![low; size], high: vec![high; size] }
    }

    /// The controls of a model, with the ranges of those that are clamped.
    pub fn controls(m: &Model) -> Self {
        let range = |u: usize| {
            if m.actuator_ctrllimited[u] { m.actuator_ctrlrange[u] } else { [f64::NEG_INFINITY, f64::INFINITY] }
        };
        Self { low: (0..m.nu).map(|u| range(u)[0]).collect(), high: (0..m.nu).map(|u| range(u)[1]).collect() }
    }

    /// How many numbers.
    pub fn size(&self) -> usize {
        self.low.len()
    }

    /// Moves every number into its range; one that is not a number goes to the middle, or to zero without bounds.
    pub fn clamp(&self, numbers: &mut [f64]) {
        for ((x, low), high) in numbers.iter_mut().zip(&self.low).zip(&self.high) {
            if x.is_nan() {
                let middle = f64::midpoint(*low, *high);
                *x = if middle.is_finite() { middle } else { 0.0 };
            }
            *x = x.max(*low).min(*high);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_moved_into_their_ranges() {
        let space = Space { low: vec![-1.0, 2.0, f64::NEG_INFINITY], high: vec![1.0, 4.0, f64::INFINITY] };
        let mut x = [-7.0, f64::NAN, 1e9];
        space.clamp(&mut x);
        assert_eq!(x, [-1.0, 3.0, 1e9]);
        let mut nan = [f64::NAN; 3];
        Space::unbounded(3).clamp(&mut nan);
        assert_eq!(nan, [0.0; 3]);
    }

    #[test]
    fn controls_have_the_ranges_of_the_model() {
        let m = sim_mjcf::load_model(
            "<mujoco><worldbody><body><joint name='a'/><geom size='.1'/></body></worldbody>
             <actuator><motor joint='a' ctrlrange='-2 3'/><motor joint='a'/></actuator></mujoco>",
        )
        .unwrap();
        let space = Space::controls(&m);
        assert_eq!((space.low[0], space.high[0]), (-2.0, 3.0));
        assert_eq!((space.low[1], space.high[1]), (f64::NEG_INFINITY, f64::INFINITY));
    }
}
