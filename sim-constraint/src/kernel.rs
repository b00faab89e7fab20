//! The hot loops: dense Cholesky factor and solve, in groups of four numbers.
//!
//! A matrix is symmetric; its upper triangle is stored by rows of `nc` groups, padded to a multiple of four with ones
//! on the diagonal. Sums have one written order, so a result does not depend on the machine.

use crate::lane::Simd;
use sim_types::MINVAL;

/// Four numbers that are loaded and computed together.
pub(crate) type Four = [f64; 4];

/// Adds four numbers in the order every sum of this crate uses.
#[inline(always)]
pub(crate) fn sum4(s: Four) -> f64 {
    (s[0] + s[2]) + (s[1] + s[3])
}

/// Factors `h = uᵀ·u`; `inv` receives `1/u_ii`. Returns false when a pivot was too small and was replaced.
///
/// Left-looking: a tile of four rows by eight columns stays in registers while all finished rows pass by.
#[inline(always)]
pub(crate) fn cholesky<T: Simd>(t: T, h: &[Four], u: &mut [Four], inv: &mut [f64], nc: usize) -> bool {
    let mut full_rank = true;
    for q in 0..nc {
        let (done, cur) = u.split_at_mut(4 * q * nc);
        let cur = &mut cur[..4 * nc];
        let src = &h[4 * q * nc..][..4 * nc];
        let mut c = q;
        while c + 1 < nc {
            let (mut x, mut y) = (load_tile(t, src, nc, c), load_tile(t, src, nc, c + 1));
            for row in done.chunks_exact(nc) {
                let (s, u, v) = (&row[q], t.load(&row[c]), t.load(&row[c + 1]));
                for k in 0..4 {
                    let s = t.splat(s[k]);
                    x[k] = t.sub_mul(x[k], s, u);
                    y[k] = t.sub_mul(y[k], s, v);
                }
            }
            store_tile(t, x, cur, nc, c);
            store_tile(t, y, cur, nc, c + 1);
            c += 2;
        }
        if c < nc {
            let mut x = load_tile(t, src, nc, c);
            for row in done.chunks_exact(nc) {
                let (s, v) = (&row[q], t.load(&row[c]));
                for k in 0..4 {
                    x[k] = t.sub_mul(x[k], t.splat(s[k]), v);
                }
            }
            store_tile(t, x, cur, nc, c);
        }
        let inv: &mut Four = match inv[4 * q..].first_chunk_mut() {
            Some(inv) => inv,
            None => return false,
        };
        full_rank &= factor_panel(t, cur, inv, q, nc);
    }
    full_rank
}

/// Group `c` of four rows.
#[inline(always)]
fn load_tile<T: Simd>(t: T, rows: &[Four], nc: usize, c: usize) -> [T::V; 4] {
    [t.load(&rows[c]), t.load(&rows[nc + c]), t.load(&rows[2 * nc + c]), t.load(&rows[3 * nc + c])]
}

#[inline(always)]
fn store_tile<T: Simd>(t: T, x: [T::V; 4], rows: &mut [Four], nc: usize, c: usize) {
    t.store(x[0], &mut rows[c]);
    t.store(x[1], &mut rows[nc + c]);
    t.store(x[2], &mut rows[2 * nc + c]);
    t.store(x[3], &mut rows[3 * nc + c]);
}

/// Factors the diagonal tile of four rows and applies it to the rest of the rows.
#[inline(always)]
fn factor_panel<T: Simd>(t: T, cur: &mut [Four], inv: &mut Four, q: usize, nc: usize) -> bool {
    let mut full_rank = true;
    let mut tile = [cur[q], cur[nc + q], cur[2 * nc + q], cur[3 * nc + q]];
    for i in 0..4 {
        let mut p = tile[i][i];
        if p < MINVAL {
            p = MINVAL;
            full_rank = false;
        }
        let root = p.sqrt();
        inv[i] = 1.0 / root;
        for l in 0..4 {
            tile[i][l] = if l < i { 0.0 } else { tile[i][l] * inv[i] };
        }
        tile[i][i] = root;
        for s in i + 1..4 {
            let scale = tile[i][s];
            for l in 0..4 {
                tile[s][l] -= scale * tile[i][l];
            }
        }
    }
    for i in 0..4 {
        cur[i * nc + q] = tile[i];
    }

    // rows of the panel, right of the tile
    let scale = [t.splat(inv[0]), t.splat(inv[1]), t.splat(inv[2]), t.splat(inv[3])];
    let (t01, t02, t03) = (t.splat(tile[0][1]), t.splat(tile[0][2]), t.splat(tile[0][3]));
    let (t12, t13, t23) = (t.splat(tile[1][2]), t.splat(tile[1][3]), t.splat(tile[2][3]));
    for c in q + 1..nc {
        let x = load_tile(t, cur, nc, c);
        let x0 = t.mul(x[0], scale[0]);
        let x1 = t.mul(t.sub_mul(x[1], t01, x0), scale[1]);
        let x2 = t.mul(t.sub_mul(t.sub_mul(x[2], t02, x0), t12, x1), scale[2]);
        let x3 = t.mul(t.sub_mul(t.sub_mul(t.sub_mul(x[3], t03, x0), t13, x1), t23, x2), scale[3]);
        store_tile(t, [x0, x1, x2, x3], cur, nc, c);
    }
    full_rank
}

/// Solves `uᵀ·u·x = b` in place; `x` is padded with zeros.
#[inline(always)]
pub(crate) fn cholesky_solve<T: Simd>(t: T, u: &[Four], inv: &[f64], x: &mut [Four], nc: usize) {
    let x = &mut x[..nc];

    // uᵀ·y = b, four rows at a time
    for q in 0..nc {
        let rows = &u[4 * q * nc..][..4 * nc];
        let inv = &inv[4 * q..4 * q + 4];
        let mut y = x[q];
        for i in 0..4 {
            let row = &rows[i * nc + q];
            y[i] *= inv[i];
            for l in i + 1..4 {
                y[l] -= y[i] * row[l];
            }
        }
        x[q] = y;
        let s = [t.splat(y[0]), t.splat(y[1]), t.splat(y[2]), t.splat(y[3])];
        for c in q + 1..nc {
            let r = load_tile(t, rows, nc, c);
            let mut acc = t.load(&x[c]);
            acc = t.sub_mul(acc, s[0], r[0]);
            acc = t.sub_mul(acc, s[1], r[1]);
            acc = t.sub_mul(acc, s[2], r[2]);
            acc = t.sub_mul(acc, s[3], r[3]);
            t.store(acc, &mut x[c]);
        }
    }

    // u·x = y
    for q in (0..nc).rev() {
        let rows = &u[4 * q * nc..][..4 * nc];
        let inv = &inv[4 * q..4 * q + 4];
        let mut s = [t.splat(0.0); 4];
        for c in q + 1..nc {
            let (r, v) = (load_tile(t, rows, nc, c), t.load(&x[c]));
            s[0] = t.add_mul(s[0], r[0], v);
            s[1] = t.add_mul(s[1], r[1], v);
            s[2] = t.add_mul(s[2], r[2], v);
            s[3] = t.add_mul(s[3], r[3], v);
        }
        let sums = [t.sum(s[0]), t.sum(s[1]), t.sum(s[2]), t.sum(s[3])];
        let mut y = x[q];
        for i in (0..4).rev() {
            let row = &rows[i * nc + q];
            let mut rest = y[i] - sums[i];
            for l in i + 1..4 {
                rest -= row[l] * y[l];
            }
            y[i] = rest * inv[i];
        }
        x[q] = y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lane::Plain;

    /// A positive definite matrix of `n` rows, padded.
    fn matrix(n: usize, seed: u64) -> (Vec<Four>, usize) {
        let nc = n.div_ceil(4);
        let mut x = seed | 1;
        let mut next = || {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (x >> 33) as f64 / f64::from(1u32 << 31) - 0.5
        };
        let a: Vec<Vec<f64>> = (0..n).map(|_| (0..n).map(|_| next()).collect()).collect();
        let mut h = vec![[0.0; 4]; 4 * nc * nc];
        for i in 0..4 * nc {
            for j in i..4 * nc {
                h[i * nc + j / 4][j % 4] = if i < n && j < n {
                    (0..n).map(|k| a[k][i] * a[k][j]).sum::<f64>() + if i == j { 0.1 } else { 0.0 }
                } else {
                    f64::from(u8::from(i == j))
                };
            }
        }
        (h, nc)
    }

    fn mul(h: &[Four], nc: usize, x: &[f64]) -> Vec<f64> {
        let n = 4 * nc;
        let at = |i: usize, j: usize| h[i.min(j) * nc + i.max(j) / 4][i.max(j) % 4];
        (0..n).map(|i| (0..n).map(|j| at(i, j) * x[j]).sum()).collect()
    }

    fn solve(u: &[Four], inv: &[f64], nc: usize, b: &[f64]) -> Vec<f64> {
        let mut x: Vec<Four> = b.chunks(4).map(|c| [c[0], c[1], c[2], c[3]]).collect();
        cholesky_solve(Plain, u, inv, &mut x, nc);
        x.concat()
    }

    #[test]
    fn factor_solves_every_size() {
        for n in 1..40 {
            let (h, nc) = matrix(n, n as u64);
            let (mut u, mut inv) = (vec![[0.0; 4]; h.len()], vec![0.0; 4 * nc]);
            assert!(cholesky(Plain, &h, &mut u, &mut inv, nc));
            let want: Vec<f64> = (0..4 * nc).map(|i| if i < n { i as f64 - 3.0 } else { 0.0 }).collect();
            let got = solve(&u, &inv, nc, &mul(&h, nc, &want));
            for i in 0..n {
                assert!((got[i] - want[i]).abs() < 1e-9, "n {n}, x[{i}] = {} for {}", got[i], want[i]);
            }
        }
    }

    #[test]
    fn lost_rank_is_reported() {
        let h = vec![[0.0; 4]; 4];
        let (mut u, mut inv) = (vec![[0.0; 4]; 4], vec![0.0; 4]);
        assert!(!cholesky(Plain, &h, &mut u, &mut inv, 1));
        assert!(u.concat().iter().all(|x| x.is_finite()));
    }
}
