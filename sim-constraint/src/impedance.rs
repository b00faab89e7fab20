//! From `solref` and `solimp` to stiffness, damping, impedance and regularisation of rows.
//!
//! A row behaves like a spring and damper with reference acceleration `−B·v − K·imp·(pos − margin)`, and gives way by
//! `R = (1 − imp)/imp·diag`, where `diag` approximates its inverse inertia. `imp` rises with the violation.
//!
//! MuJoCo: `engine_core_constraint.c`, `mj_makeImpedance`.

use sim_types::math::pow;
use sim_types::option::SOLREF_DEFAULT;
use sim_types::{MINVAL, SolImp, SolRef};

/// Smallest impedance (`mjMINIMP`).
pub const MINIMP: f64 = 0.0001;
/// Largest impedance (`mjMAXIMP`).
pub const MAXIMP: f64 = 0.9999;

/// Parameters of a row or contact, made safe: every number that follows from them is defined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolParam {
    /// Reference parameters.
    pub solref: SolRef,
    /// Reference parameters of the friction rows of an elliptic contact; zero means `solref`.
    pub solreffriction: SolRef,
    /// Impedance parameters.
    pub solimp: SolImp,
    /// `solref` mixed the two formats and was replaced by the default.
    pub mixed_solref: bool,
    /// `solreffriction` mixed the two formats and was replaced by zero.
    pub mixed_solreffriction: bool,
}

impl SolParam {
    /// Replaces mixed formats, clamps impedances; with `refsafe` (the time step) also keeps time constants above two
    /// steps.
    pub fn new(solref: SolRef, solreffriction: SolRef, solimp: SolImp, refsafe: Option<f64>) -> Self {
        let mixed = |r: SolRef| (r[0] > 0.0) != (r[1] > 0.0);
        let safe = |r: SolRef| match refsafe {
            Some(h) if r[0] > 0.0 => [larger(2.0 * h, r[0]), r[1]],
            _ => r,
        };
        let clamp = |x: f64| smaller(MAXIMP, larger(MINIMP, x));
        let (mixed_solref, mixed_solreffriction) = (mixed(solref), mixed(solreffriction));
        let [d0, dmax, width, midpoint, power] = solimp;
        Self {
            solref: safe(if mixed_solref { SOLREF_DEFAULT } else { solref }),
            solreffriction: safe(if mixed_solreffriction { [0.0; 2] } else { solreffriction }),
            solimp: [clamp(d0), clamp(dmax), larger(0.0, width), clamp(midpoint), larger(1.0, power)],
            mixed_solref,
            mixed_solreffriction,
        }
    }

    /// Impedance and its derivative for a constraint at `pos`.
    pub fn impedance(&self, pos: f64, margin: f64) -> (f64, f64) {
        let [d0, dmax, width, midpoint, p] = self.solimp;
        if d0 == dmax || width <= MINVAL {
            return (0.5 * (d0 + dmax), 0.0);
        }

        // how far into the transition, 0 to 1
        let x = (pos - margin) / width;
        let (x, sign) = if x < 0.0 { (-x, -1.0) } else { (x, 1.0) };
        if x >= 1.0 {
            return (dmax, 0.0);
        }
        if x <= 0.0 {
            return (d0, 0.0);
        }

        // a power curve that turns over at the midpoint
        let (y, dy) = if p == 1.0 {
            (x, 1.0)
        } else if x <= midpoint {
            let a = 1.0 / power(midpoint, p - 1.0);
            (a * power(x, p), p * a * power(x, p - 1.0))
        } else {
            let b = 1.0 / power(1.0 - midpoint, p - 1.0);
            (1.0 - b * power(1.0 - x, p), p * b * power(1.0 - x, p - 1.0))
        };
        (d0 + y * (dmax - d0), dy * sign * (dmax - d0) / width)
    }

    /// Stiffness, damping, impedance and its derivative of a row (`efc_KBIP`), given what [`impedance`](Self::impedance)
    /// returned.
    pub fn kbip(&self, kind: RowKind, imp: (f64, f64)) -> [f64; 4] {
        let friction = kind == RowKind::ConeFriction && self.solreffriction != [0.0; 2];
        let [timeconst, dampratio] = if friction { self.solreffriction } else { self.solref };
        let dmax = self.solimp[1];
        let k = if kind != RowKind::Position {
            0.0
        } else if timeconst > 0.0 {
            1.0 / larger(MINVAL, dmax * dmax * timeconst * timeconst * dampratio * dampratio)
        } else {
            -timeconst / larger(MINVAL, dmax * dmax)
        };
        let b =
            if dampratio > 0.0 { 2.0 / larger(MINVAL, dmax * timeconst) } else { -dampratio / larger(MINVAL, dmax) };
        [k, b, imp.0, imp.1]
    }
}

/// Which of the reference parameters a row uses, and whether it has a spring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// Equality, limit, contact normal, edge of a pyramid: spring and damper.
    Position,
    /// Friction loss: damper only.
    Friction,
    /// Direction of an elliptic contact other than its normal: damper only, from `solreffriction` when that is set.
    ConeFriction,
}

/// Regularisation of a row: `(1 − imp)/imp·diag`, never below `MINVAL`.
#[inline]
pub fn regularizer(imp: f64, diag: f64) -> f64 {
    larger(MINVAL, (1.0 - imp) * diag / imp)
}

/// Inverse inertia that belongs to a regularisation, the inverse of [`regularizer`].
#[inline]
pub fn diagonal(imp: f64, r: f64) -> f64 {
    r * imp / (1.0 - imp)
}

/// Reference acceleration of a row.
#[inline]
pub fn reference(kbip: [f64; 4], pos: f64, margin: f64, vel: f64) -> f64 {
    -kbip[1] * vel - kbip[0] * kbip[2] * (pos - margin)
}

/// Sets the regularisation of the friction rows of an elliptic contact from that of its normal, `r[0]`, so that
/// `r[k]·μ_k²` is the same in all; returns the friction of the regularised cone.
pub fn elliptic_friction(r: &mut [f64], friction: &[f64; 5], impratio: f64) -> f64 {
    let (normal, rest) = match r {
        [normal, rest @ ..] if !rest.is_empty() => (*normal, rest),
        _ => return 0.0,
    };
    let r1 = normal / larger(MINVAL, impratio);
    rest[0] = r1;
    for (r, mu) in rest.iter_mut().zip(friction).skip(1) {
        *r = r1 * friction[0] * friction[0] / (mu * mu);
    }
    friction[0] * (r1 / normal).sqrt()
}

/// Friction of the regularised cone of a pyramid and the regularisation that all its edges share, given that of the
/// first edge.
pub fn pyramid_friction(r0: f64, friction: &[f64; 5], impratio: f64) -> (f64, f64) {
    // most models have the same impedance in all directions
    let scale = if impratio == 1.0 { 1.0 } else { (r0 / larger(MINVAL, impratio) / r0).sqrt() };
    let mu = friction[0] * scale;
    (mu, 2.0 * mu * mu * r0)
}

fn power(a: f64, b: f64) -> f64 {
    if b == 1.0 {
        a
    } else if b == 2.0 {
        a * a
    } else {
        pow(a, b)
    }
}

/// The larger of a floor and `x`; the floor when `x` is NaN.
#[inline]
fn larger(floor: f64, x: f64) -> f64 {
    if x > floor { x } else { floor }
}

/// The smaller of a ceiling and `x`; the ceiling when `x` is NaN.
#[inline]
fn smaller(ceiling: f64, x: f64) -> f64 {
    if x < ceiling { x } else { ceiling }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_types::option::SOLIMP_DEFAULT;

    fn param(solref: SolRef, solimp: SolImp) -> SolParam {
        SolParam::new(solref, [0.0; 2], solimp, Some(0.002))
    }

    #[test]
    fn default_curve_by_hand() {
        // y = 2x² up to the midpoint, then mirrored
        let p = param(SOLREF_DEFAULT, SOLIMP_DEFAULT);
        assert_eq!(p.impedance(0.0, 0.0), (0.9, 0.0));
        assert_eq!(p.impedance(-0.002, 0.0), (0.95, 0.0));
        let (imp, slope) = p.impedance(-0.00025, 0.0);
        assert!((imp - (0.9 + 0.05 * 0.125)).abs() < 1e-15);
        assert!((slope + 50.0).abs() < 1e-12);
        let (imp, slope) = p.impedance(0.00075, 0.0);
        assert!((imp - (0.9 + 0.05 * 0.875)).abs() < 1e-15);
        assert!((slope - 50.0).abs() < 1e-12);
    }

    #[test]
    fn equal_impedances_are_flat() {
        assert_eq!(param(SOLREF_DEFAULT, [0.7, 0.7, 0.1, 0.5, 2.0]).impedance(5.0, 0.0), (0.7, 0.0));
        assert_eq!(param(SOLREF_DEFAULT, [0.5, 0.7, 0.0, 0.5, 2.0]).impedance(5.0, 0.0), (0.6, 0.0));
    }

    #[test]
    fn formats_of_solref() {
        let imp = (0.9, 0.0);
        let standard = param([0.02, 1.0], SOLIMP_DEFAULT).kbip(RowKind::Position, imp);
        assert!((standard[0] - 1.0 / (0.95 * 0.95 * 0.0004)).abs() < 1e-9);
        assert!((standard[1] - 2.0 / (0.95 * 0.02)).abs() < 1e-12);
        let direct = param([-100.0, -10.0], SOLIMP_DEFAULT).kbip(RowKind::Position, imp);
        assert_eq!((direct[0], direct[1]), (100.0 / (0.95 * 0.95), 10.0 / 0.95));
        // zero is a legal direct format
        let zero = param([0.0, 0.0], SOLIMP_DEFAULT).kbip(RowKind::Position, imp);
        assert_eq!((zero[0], zero[1]), (0.0, 0.0));
    }

    #[test]
    fn mixed_formats_are_replaced_and_short_time_constants_lengthened() {
        let p = SolParam::new([0.02, -1.0], [-1.0, 1.0], SOLIMP_DEFAULT, Some(0.002));
        assert_eq!((p.solref, p.mixed_solref), (SOLREF_DEFAULT, true));
        assert_eq!((p.solreffriction, p.mixed_solreffriction), ([0.0; 2], true));
        assert_eq!(param([0.001, 1.0], SOLIMP_DEFAULT).solref[0], 0.004);
        assert_eq!(SolParam::new([0.001, 1.0], [0.0; 2], SOLIMP_DEFAULT, None).solref[0], 0.001);
    }

    #[test]
    fn friction_rows_have_no_spring() {
        let p = SolParam::new([0.02, 1.0], [-2.0, -4.0], SOLIMP_DEFAULT, None);
        assert_eq!(p.kbip(RowKind::Friction, (0.9, 0.0))[..2], [0.0, 2.0 / (0.95 * 0.02)]);
        assert_eq!(p.kbip(RowKind::ConeFriction, (0.9, 0.0))[..2], [0.0, 4.0 / 0.95]);
    }

    #[test]
    fn friction_regularisation_keeps_r_mu_squared() {
        let friction = [0.8, 0.8, 0.01, 0.001, 0.002];
        let mut r = [0.5, 0.0, 0.0, 0.0, 0.0, 0.0];
        let mu = elliptic_friction(&mut r, &friction, 4.0);
        assert!((mu - 0.4).abs() < 1e-15);
        for k in 0..5 {
            assert!((r[k + 1] * friction[k] * friction[k] - 0.125 * 0.64).abs() < 1e-12);
        }
        let (mu, rpy) = pyramid_friction(0.5, &friction, 1.0);
        assert!((mu - 0.8).abs() < 1e-15 && (rpy - 0.64).abs() < 1e-15);
    }

    #[test]
    fn any_number_gives_a_safe_parameter() {
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1.0, 1e300] {
            let p = SolParam::new([0.02, 1.0], [0.0; 2], [x; 5], Some(0.002));
            let (imp, _) = p.impedance(0.1, 0.0);
            assert!((MINIMP..=MAXIMP).contains(&imp), "{x}: {imp}");
        }
    }
}
