//! Sums over vectors that compilers do not turn into wide instructions by themselves.

use crate::kernel::Four;
use crate::lane::Simd;

/// `Σ x·y` for `N` vectors `y`.
#[inline(always)]
pub(crate) fn dots<T: Simd, const N: usize>(t: T, x: &[f64], y: [&[f64]; N]) -> [f64; N] {
    let n = x.len();
    let (whole, rest) = x.as_chunks::<4>();
    let mut sum = [t.splat(0.0); N];
    let mut chunks = [[].as_slice(); N];
    for k in 0..N {
        chunks[k] = &y[k][..n].as_chunks::<4>().0[..whole.len()];
    }
    for i in 0..whole.len() {
        let x = t.load(&whole[i]);
        for k in 0..N {
            sum[k] = t.add_mul(sum[k], x, t.load(&chunks[k][i]));
        }
    }
    let mut out = [0.0; N];
    let last = group(rest);
    for k in 0..N {
        let tail = t.mul(t.load(&last), t.load(&group(&y[k][n - rest.len()..n])));
        out[k] = t.sum(t.add(sum[k], tail));
    }
    out
}

/// `Σ (a − b)·(c − d)`.
#[inline(always)]
pub(crate) fn product_of_differences<T: Simd>(t: T, a: [&[f64]; 2], c: [&[f64]; 2]) -> f64 {
    let n = a[0].len();
    let ((a, a_rest), (b, b_rest)) = (a[0].as_chunks::<4>(), a[1][..n].as_chunks::<4>());
    let ((c, c_rest), (d, d_rest)) = (c[0][..n].as_chunks::<4>(), c[1][..n].as_chunks::<4>());
    let mut sum = t.splat(0.0);
    for i in 0..a.len().min(b.len()).min(c.len()).min(d.len()) {
        sum = add(t, sum, [&a[i], &b[i], &c[i], &d[i]]);
    }
    if !a_rest.is_empty() {
        sum = add(t, sum, [&group(a_rest), &group(b_rest), &group(c_rest), &group(d_rest)]);
    }
    t.sum(sum)
}

#[inline(always)]
fn add<T: Simd>(t: T, sum: T::V, [a, b, c, d]: [&Four; 4]) -> T::V {
    t.add_mul(sum, t.sub(t.load(a), t.load(b)), t.sub(t.load(c), t.load(d)))
}

/// `Σ g·(m − old)` and `Σ oldg·old`: above and below the line of Polak and Ribière.
#[inline(always)]
pub(crate) fn polak_ribiere<T: Simd>(t: T, grad: [&[f64]; 2], mgrad: [&[f64]; 2]) -> [f64; 2] {
    let n = grad[0].len();
    let ((g, g_rest), (h, h_rest)) = (grad[0].as_chunks::<4>(), grad[1][..n].as_chunks::<4>());
    let ((m, m_rest), (k, k_rest)) = (mgrad[0][..n].as_chunks::<4>(), mgrad[1][..n].as_chunks::<4>());
    let (mut up, mut down) = (t.splat(0.0), t.splat(0.0));
    for i in 0..g.len().min(h.len()).min(m.len()).min(k.len()) {
        let old = t.load(&k[i]);
        up = t.add_mul(up, t.load(&g[i]), t.sub(t.load(&m[i]), old));
        down = t.add_mul(down, t.load(&h[i]), old);
    }
    let (g, h, m, k) = (group(g_rest), group(h_rest), group(m_rest), group(k_rest));
    up = t.add_mul(up, t.load(&g), t.sub(t.load(&m), t.load(&k)));
    down = t.add_mul(down, t.load(&h), t.load(&k));
    [t.sum(up), t.sum(down)]
}

/// Less than four numbers as a group.
#[inline(always)]
pub(crate) fn group(x: &[f64]) -> Four {
    let mut out = [0.0; 4];
    for (out, x) in out.iter_mut().zip(x) {
        *out = *x;
    }
    out
}
