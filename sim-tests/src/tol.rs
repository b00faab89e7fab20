//! Named tolerances and the comparisons that use them.

/// Accepts `got` when `|got - want| <= abs + rel·|want|`.
#[derive(Clone, Copy, Debug)]
pub struct Tol {
    /// Absolute part.
    pub abs: f64,
    /// Part relative to the wanted value.
    pub rel: f64,
}

impl Tol {
    /// The same number: for ids, sizes, flags and values that are only copied.
    pub const SAME: Self = Self { abs: 0.0, rel: 0.0 };
    /// A closed form in a few operations.
    pub const EXACT: Self = Self { abs: 1e-14, rel: 1e-14 };
    /// Two ways to solve one well-conditioned linear system.
    pub const LINALG: Self = Self { abs: 1e-12, rel: 1e-12 };
    /// Constants derived by the model compiler: a few hundred operations, in another order than MuJoCo's.
    pub const MODEL: Self = Self { abs: 1e-11, rel: 1e-9 };
    /// One stage on MuJoCo's own inputs: errors cannot accumulate.
    pub const STAGE: Self = Self { abs: 1e-12, rel: 1e-10 };
    /// A whole forward pass or step from MuJoCo's state; long chains amplify rounding.
    pub const FORWARD: Self = Self { abs: 1e-10, rel: 1e-9 };
    /// Constraint forces and what follows from them: the same iterates as MuJoCo, stopped at a tolerance of 1e-8.
    pub const SOLUTION: Self = Self { abs: 1e-8, rel: 1e-7 };
    /// A hundred steps from MuJoCo's state; pendulums amplify rounding exponentially.
    pub const TRAJECTORY: Self = Self { abs: 1e-8, rel: 1e-8 };
    /// Central differences with a step of about 1e-6: half of the digits.
    pub const DIFFERENCE: Self = Self { abs: 1e-7, rel: 1e-7 };

    /// The tolerance with its absolute part scaled to the largest wanted number: for arrays whose small entries are
    /// differences of large ones.
    #[must_use]
    pub fn scaled(self, want: &[f64]) -> Self {
        let scale = want.iter().filter(|x| x.is_finite()).fold(1.0, |a: f64, x| a.max(x.abs()));
        Self { abs: self.abs * scale, ..self }
    }

    /// How far `got` is outside of the tolerance; at most zero when it is inside. A NaN never passes.
    fn excess(self, got: f64, want: f64) -> f64 {
        if got == want {
            return 0.0; // infinities too
        }
        match (got - want).abs() - (self.abs + self.rel * want.abs()) {
            e if e.is_nan() => f64::INFINITY,
            e => e,
        }
    }
}

/// Compares an array with the wanted one.
///
/// # Panics
/// With the field, the index and both values at the worst offender.
#[track_caller]
pub fn assert_close(field: &str, got: &[f64], want: &[f64], tol: Tol) {
    let result = compare(field, got, want, tol);
    assert!(result.is_ok(), "{}", result.err().unwrap_or_default());
}

/// The worst difference that is outside of the tolerance, as a sentence.
pub fn compare(field: &str, got: &[f64], want: &[f64], tol: Tol) -> Result<(), String> {
    if got.len() != want.len() {
        return Err(format!("{field}: got {} numbers, want {}", got.len(), want.len()));
    }
    let excess = |i: usize| tol.excess(got[i], want[i]);
    match (0..got.len()).max_by(|&a, &b| excess(a).total_cmp(&excess(b))) {
        Some(i) if excess(i) > 0.0 => Err(format!("{field}[{i}]: got {}, want {} ({tol:?})", got[i], want[i])),
        _ => Ok(()),
    }
}

/// Like [`assert_close`] for quaternions, which mean the same with all signs changed.
///
/// # Panics
/// With the field, the index and both values at the worst offender.
#[track_caller]
pub fn assert_close_quats(field: &str, got: &[f64], want: &[f64], tol: Tol) {
    assert_close(field, &signs_like(got, want), want, tol);
}

/// `got` with the sign of each quaternion that is nearer to `want`.
pub fn signs_like(got: &[f64], want: &[f64]) -> Vec<f64> {
    let mut out = got.to_vec();
    for (q, w) in out.chunks_mut(4).zip(want.chunks(4)) {
        let dot: f64 = q.iter().zip(w).map(|(a, b)| a * b).sum();
        if dot < 0.0 {
            for x in q {
                *x = -*x;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_weighed_and_nan_fails() {
        let tol = Tol { abs: 0.1, rel: 0.01 };
        assert!(compare("x", &[1.1, 200.0], &[1.0, 198.0], tol).is_ok());
        assert_eq!(compare("x", &[1.0, 3.0, 2.0], &[1.0, 1.0, 1.0], tol).unwrap_err().split(':').next(), Some("x[1]"));
        assert!(compare("x", &[f64::NAN], &[f64::NAN], tol).is_err());
        assert!(compare("x", &[f64::INFINITY], &[f64::INFINITY], tol).is_ok());
        assert!(compare("x", &[f64::INFINITY], &[f64::NEG_INFINITY], tol).is_err());
        assert!(compare("x", &[1.0], &[], tol).is_err());
        assert!(compare("x", &[0.0], &[1e-300], Tol::SAME).is_err());
    }

    #[test]
    fn scale_follows_the_largest_number() {
        let tol = Tol::STAGE.scaled(&[1.0, -1e4, f64::INFINITY]);
        assert_eq!(tol.abs, 1e-8);
        assert_eq!(Tol::STAGE.scaled(&[]).abs, 1e-12);
    }

    #[test]
    fn quaternions_are_compared_up_to_sign() {
        assert_close_quats(
            "q",
            &[-1.0, 0.0, 0.0, 0.0, 0.6, 0.8, 0.0, 0.0],
            &[1.0, 0.0, 0.0, 0.0, 0.6, 0.8, 0.0, 0.0],
            Tol::SAME,
        );
    }
}
