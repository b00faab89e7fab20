//! Sums over vectors that compilers do not turn into wide instructions by themselves; vectors are padded with zeros.

use crate::kernel::Four;
use crate::lane::Simd;

/// `Σ x·y` for `N` vectors `y`.
#[inline(always)]
pub(crate) fn dots<T: Simd, const N: usize>(t: T, x: &[Four], y: [&[Four]; N]) -> [f64; N] {
    let n = x.len();
    let mut sum = [t.splat(0.0); N];
    let mut y = y;
    for k in 0..N {
        y[k] = &y[k][..n];
    }
    for i in 0..n {
        let x = t.load(&x[i]);
        for k in 0..N {
            sum[k] = t.add_mul(sum[k], x, t.load(&y[k][i]));
        }
    }
    let mut out = [0.0; N];
    for k in 0..N {
        out[k] = t.sum(sum[k]);
    }
    out
}

/// Length of a vector.
#[inline(always)]
pub(crate) fn norm<T: Simd>(t: T, x: &[Four]) -> f64 {
    let [square] = dots(t, x, [x]);
    square.sqrt()
}

/// `y += alpha·x`.
#[inline(always)]
pub(crate) fn axpy<T: Simd>(t: T, y: &mut [Four], alpha: f64, x: &[Four]) {
    let (x, alpha) = (&x[..y.len()], t.splat(alpha));
    for i in 0..y.len() {
        t.store(t.add_mul(t.load(&y[i]), alpha, t.load(&x[i])), &mut y[i]);
    }
}

/// `out = −x`.
#[inline(always)]
pub(crate) fn negate<T: Simd>(t: T, x: &[Four], out: &mut [Four]) {
    let x = &x[..out.len()];
    for i in 0..out.len() {
        t.store(t.sub(t.splat(0.0), t.load(&x[i])), &mut out[i]);
    }
}

/// `Σ (a − b)·(c − d)`.
#[inline(always)]
pub(crate) fn product_of_differences<T: Simd>(t: T, a: [&[Four]; 2], c: [&[Four]; 2]) -> f64 {
    let n = a[0].len();
    let ([a, b], [c, d]) = ([a[0], &a[1][..n]], [&c[0][..n], &c[1][..n]]);
    let mut sum = t.splat(0.0);
    for i in 0..n {
        let (x, y) = (t.sub(t.load(&a[i]), t.load(&b[i])), t.sub(t.load(&c[i]), t.load(&d[i])));
        sum = t.add_mul(sum, x, y);
    }
    t.sum(sum)
}

/// `Σ g·(m − old)` and `Σ oldg·old`: above and below the line of Polak and Ribière.
#[inline(always)]
pub(crate) fn polak_ribiere<T: Simd>(t: T, grad: [&[Four]; 2], mgrad: [&[Four]; 2]) -> [f64; 2] {
    let n = grad[0].len();
    let ([g, h], [m, k]) = ([grad[0], &grad[1][..n]], [&mgrad[0][..n], &mgrad[1][..n]]);
    let (mut up, mut down) = (t.splat(0.0), t.splat(0.0));
    for i in 0..n {
        let old = t.load(&k[i]);
        up = t.add_mul(up, t.load(&g[i]), t.sub(t.load(&m[i]), old));
        down = t.add_mul(down, t.load(&h[i]), old);
    }
    [t.sum(up), t.sum(down)]
}
