//! The spring of a tendon: slack inside a band of lengths.

/// A spring that pulls back into a band of lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Stiffness.
    pub stiffness: f64,
    /// Below this length the spring pushes.
    pub lower: f64,
    /// Above this length the spring pulls.
    pub upper: f64,
}

impl Spring {
    /// Distance from the band with the sign of the force: positive when too short.
    fn gap(&self, length: f64) -> f64 {
        if length > self.upper {
            self.upper - length
        } else if length < self.lower {
            self.lower - length
        } else {
            0.0
        }
    }

    /// Force along the tendon; negative shortens it.
    pub fn force(&self, length: f64) -> f64 {
        self.stiffness * self.gap(length)
    }

    /// Stored energy.
    pub fn energy(&self, length: f64) -> f64 {
        let gap = self.gap(length);
        0.5 * self.stiffness * gap * gap
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slack_inside_the_band_linear_outside() {
        let s = Spring { stiffness: 10.0, lower: 1.0, upper: 2.0 };
        assert_eq!((s.force(0.5), s.force(1.5), s.force(2.5)), (5.0, 0.0, -5.0));
        assert_eq!((s.energy(0.5), s.energy(1.0), s.energy(2.5)), (1.25, 0.0, 1.25));
    }

    #[test]
    fn force_is_minus_the_slope_of_energy() {
        let s = Spring { stiffness: 3.0, lower: 1.0, upper: 1.2 };
        for length in [0.3, 0.99, 1.1, 1.5] {
            let h = 1e-6;
            let slope = (s.energy(length + h) - s.energy(length - h)) / (2.0 * h);
            assert!((s.force(length) + slope).abs() < 1e-6);
        }
    }
}
