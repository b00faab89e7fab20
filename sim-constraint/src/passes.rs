//! Passes over rows that push in one direction, four at a time: cost, forces and states, and the cost along a line.
//!
//! Rows that are left over at the end are treated as a group with empty places, which add nothing.

use crate::lane::Simd;

/// Rows of one pass over residuals and forces.
pub(crate) struct OneSided<'a> {
    pub(crate) d: &'a [f64],
    /// Residual; moves along `jv` first.
    pub(crate) jar: &'a mut [f64],
    /// Slope of the residual and length of the step; none at the start.
    pub(crate) step: Option<(f64, &'a [f64])>,
    pub(crate) force: &'a mut [f64],
    pub(crate) state: &'a mut [u8],
    /// States to count changes from.
    pub(crate) old: &'a [u8],
}

/// What a pass over residuals and forces sums up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    pub(crate) cost: f64,
    pub(crate) nactive: usize,
    pub(crate) nchange: usize,
}

/// States of a group, by the bits of its active rows.
const STATES: [[u8; 4]; 16] = {
    let mut states = [[0; 4]; 16];
    let mut bits = 0;
    while bits < 16 {
        let mut k = 0;
        while k < 4 {
            states[bits][k] = (bits >> k & 1) as u8;
            k += 1;
        }
        bits += 1;
    }
    states
};

/// Moves residuals, and computes forces, states and cost from them.
#[inline(always)]
pub(crate) fn forces<T: Simd>(t: T, mut r: OneSided<'_>) -> Sums {
    match r.step {
        Some((alpha, jv)) => forces_at::<T, true>(t, &mut r, (t.splat(alpha), jv)),
        None => forces_at::<T, false>(t, &mut r, (t.splat(0.0), &[])),
    }
}

#[inline(always)]
fn forces_at<T: Simd, const MOVE: bool>(t: T, r: &mut OneSided<'_>, (alpha, jv): (T::V, &[f64])) -> Sums {
    let n = r.d.len();
    let (d, d_rest) = r.d.as_chunks::<4>();
    let (jar, jar_rest) = r.jar[..n].as_chunks_mut::<4>();
    let (force, force_rest) = r.force[..n].as_chunks_mut::<4>();
    let (state, state_rest) = r.state[..n].as_chunks_mut::<4>();
    let (old, old_rest) = r.old[..n].as_chunks::<4>();
    let (jv, jv_rest) = if MOVE { jv[..n].as_chunks::<4>() } else { (d, d_rest) };
    let (mut cost, mut nactive, mut nchange) = (t.splat(0.0), 0, 0);
    let count = d.len().min(jar.len()).min(jv.len()).min(force.len()).min(state.len()).min(old.len());
    for i in 0..count {
        let mut x = t.load(&jar[i]);
        if MOVE {
            x = t.add_mul(x, alpha, t.load(&jv[i]));
            t.store(x, &mut jar[i]);
        }
        let f = t.unless_positive(x, t.sub(t.splat(0.0), t.mul(t.load(&d[i]), x)));
        t.store(f, &mut force[i]);
        cost = t.add_mul(cost, f, x);
        let new = STATES[t.not_positive(x) & 15];
        (nactive, nchange) = (nactive + ones(new), nchange + differences(new, old[i]));
        state[i] = new;
    }

    // what is left
    let rest = d_rest.len();
    if rest > 0 {
        let mut x = t.load_part(jar_rest);
        if MOVE {
            x = t.add_mul(x, alpha, t.load_part(jv_rest));
            t.store_part(x, jar_rest);
        }
        let f = t.unless_positive(x, t.sub(t.splat(0.0), t.mul(t.load_part(d_rest), x)));
        t.store_part(f, force_rest);
        cost = t.add_mul(cost, f, x);
        let new = STATES[t.not_positive(x) & 15];
        let mut before = [0; 4];
        for k in 0..rest.min(4) {
            (before[k], state_rest[k]) = (old_rest[k], new[k]);
        }
        (nactive, nchange) = (nactive + ones(new), nchange + differences(new, before));
    }
    Sums { cost: -0.5 * t.sum(cost), nactive: nactive as usize, nchange: nchange as usize }
}

/// Number of ones among four bytes that are zero or one.
#[inline(always)]
fn ones(x: [u8; 4]) -> u32 {
    u32::from_le_bytes(x).wrapping_mul(0x0101_0101) >> 24
}

/// Number of bytes that differ, when all are zero or one.
#[inline(always)]
fn differences(a: [u8; 4], b: [u8; 4]) -> u32 {
    ones((u32::from_le_bytes(a) ^ u32::from_le_bytes(b)).to_le_bytes())
}

/// Cost at the residual `jar`, without forces.
#[inline(always)]
pub(crate) fn cost<T: Simd>(t: T, d: &[f64], jar: &[f64]) -> f64 {
    let n = d.len();
    let ((d, d_rest), (jar, jar_rest)) = (d.as_chunks::<4>(), jar[..n].as_chunks::<4>());
    let mut sum = t.splat(0.0);
    for i in 0..d.len().min(jar.len()) {
        let x = t.load(&jar[i]);
        let x = t.unless_positive(x, x);
        sum = t.add_mul(sum, t.mul(t.load(&d[i]), x), x);
    }
    let x = t.load_part(jar_rest);
    let x = t.unless_positive(x, x);
    0.5 * t.sum(t.add_mul(sum, t.mul(t.load_part(d_rest), x), x))
}

/// Sum of the polynomials of the rows that are active at `alpha` along a line, as coefficients of 1, α, α².
#[inline(always)]
pub(crate) fn line<T: Simd>(t: T, d: &[f64], jar: &[f64], jv: &[f64], alpha: f64) -> [f64; 3] {
    let n = d.len();
    let step = t.splat(alpha);
    let (d, d_rest) = d.as_chunks::<4>();
    let (jar, jar_rest) = jar[..n].as_chunks::<4>();
    let (jv, jv_rest) = jv[..n].as_chunks::<4>();
    let mut sum = [t.splat(0.0); 3];
    for i in 0..d.len().min(jar.len()).min(jv.len()) {
        sum = add_polynomial(t, sum, step, [t.load(&d[i]), t.load(&jar[i]), t.load(&jv[i])]);
    }
    if !d_rest.is_empty() {
        sum = add_polynomial(t, sum, step, [t.load_part(d_rest), t.load_part(jar_rest), t.load_part(jv_rest)]);
    }
    [0.5 * t.sum(sum[0]), t.sum(sum[1]), 0.5 * t.sum(sum[2])]
}

#[inline(always)]
fn add_polynomial<T: Simd>(t: T, sum: [T::V; 3], alpha: T::V, [d, jar, jv]: [T::V; 3]) -> [T::V; 3] {
    let x = t.add_mul(jar, alpha, jv);
    let active = t.where_negative(x, d);
    let weighted = t.mul(active, jar);
    [t.add_mul(sum[0], jar, weighted), t.add_mul(sum[1], jv, weighted), t.add_mul(sum[2], t.mul(jv, active), jv)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lane::Plain;

    #[test]
    fn forces_of_any_number_of_rows_by_hand() {
        for n in 0..11 {
            let d: Vec<f64> = (0..n).map(|i| 1.0 + i as f64).collect();
            let jv: Vec<f64> = (0..n).map(|i| 0.25 * i as f64).collect();
            let mut jar: Vec<f64> = (0..n).map(|i| if i % 3 == 0 { 0.5 } else { -1.5 }).collect();
            let moved: Vec<f64> = jar.iter().zip(&jv).map(|(x, v)| x + 2.0 * v).collect();
            let (mut force, mut state, old) = (vec![9.0; n], vec![9; n], vec![1; n]);
            let step = Some((2.0, jv.as_slice()));
            let rows = OneSided { d: &d, jar: &mut jar, step, force: &mut force, state: &mut state, old: &old };
            let sums = forces(Plain, rows);
            let active: Vec<bool> = moved.iter().map(|x| *x < 0.0).collect();
            assert_eq!(jar, moved);
            assert_eq!(sums.nactive, active.iter().filter(|a| **a).count());
            assert_eq!(sums.nchange, n - sums.nactive);
            for i in 0..n {
                assert_eq!(force[i], if active[i] { -d[i] * moved[i] } else { 0.0 });
                assert_eq!(state[i], u8::from(active[i]));
            }
            let want: f64 = (0..n).filter(|&i| active[i]).map(|i| 0.5 * d[i] * moved[i] * moved[i]).sum();
            assert!((sums.cost - want).abs() < 1e-12 && (cost(Plain, &d, &moved) - want).abs() < 1e-12);
        }
    }

    #[test]
    fn a_residual_that_is_not_a_number_is_not_hidden() {
        let (mut jar, mut force, mut state) = ([f64::NAN], [0.0], [0]);
        let rows = OneSided { d: &[1.0], jar: &mut jar, step: None, force: &mut force, state: &mut state, old: &[0] };
        assert!(forces(Plain, rows).cost.is_nan() && force[0].is_nan());
    }
}
