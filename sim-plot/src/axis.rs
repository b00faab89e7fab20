//! A linear axis with round ticks, and what it has to show.

use crate::text::{number, trim_zeros};

/// A linear axis: values `lo..hi` onto pixels `from..to`.
pub(crate) struct Axis {
    lo: f64,
    hi: f64,
    from: f64,
    to: f64,
    step: f64,
}

impl Axis {
    pub(crate) fn new((lo, hi): (f64, f64), wanted_ticks: usize, from: f64, to: f64) -> Self {
        let hi = if hi > lo { hi } else { lo + 1.0 };
        // 1, 2 or 5 times a power of ten
        let raw = (hi - lo) / wanted_ticks as f64;
        let power = 10f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|k| k * power).into_iter().find(|s| *s >= raw).unwrap_or(raw);
        Self { lo, hi, from, to, step }
    }

    pub(crate) fn place(&self, value: f64) -> f64 {
        self.from + (value - self.lo) / (self.hi - self.lo) * (self.to - self.from)
    }

    pub(crate) fn ticks(&self) -> Vec<(f64, String)> {
        let (first, last) = ((self.lo / self.step).ceil(), (self.hi / self.step + 1e-9).floor());
        // a range so narrow that its ends are the same number has no ticks between them
        let count = (last - first).clamp(-1.0, 50.0);
        let mut ticks = Vec::new();
        let mut k = 0.0;
        while k <= count {
            let value = (first + k) * self.step + 0.0;
            ticks.push((value, self.label(value)));
            k += 1.0;
        }
        ticks
    }

    fn label(&self, value: f64) -> String {
        let size = self.lo.abs().max(self.hi.abs());
        if !(1e-3..1e6).contains(&size) {
            return number(value);
        }
        let decimals = (-self.step.log10().floor()).clamp(0.0, 12.0) as usize;
        trim_zeros(&format!("{value:.decimals$}"))
    }
}

/// Smallest and largest finite number.
pub(crate) fn range(values: &[f64]) -> Option<(f64, f64)> {
    let finite = values.iter().copied().filter(|v| v.is_finite());
    finite.map(|v| (v, v)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// Some air above and below; a constant gets a range of its own size.
pub(crate) fn padded((lo, hi): (f64, f64)) -> (f64, f64) {
    let size = lo.abs().max(hi.abs());
    let spread = hi - lo;
    // differences in the last digits of a constant are noise
    let pad = if spread > 1e-9 * size { 0.06 * spread } else { (0.1 * size).max(1e-12) };
    let pad = if size == 0.0 { 1.0 } else { pad };
    (lo - pad, hi + pad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers() {
        let labels = |lo, hi| Axis::new((lo, hi), 5, 0.0, 1.0).ticks().into_iter().map(|t| t.1).collect::<Vec<_>>();
        assert_eq!(labels(0.0, 1.0), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(labels(-3.0, 7.1), ["0", "5"]);
        assert_eq!(labels(1.0, 1.0 + 1e-16).len(), 6, "a point gets a range");
        assert_eq!(labels(0.0, 2e-9), ["0", "5e-10", "1e-9", "1.5e-9", "2e-9"]);
    }
}
