//! The hot loops: dense Cholesky factor and solve, in groups of four numbers.
//!
//! A matrix is symmetric; its upper triangle is stored by rows of `nc` groups, padded to a multiple of four with ones
//! on the diagonal. Sums have one written order, so a result does not depend on the machine.

use sim_types::MINVAL;

/// Four numbers that are loaded and computed together.
pub(crate) type Four = [f64; 4];

/// `acc −= s·v`, number by number.
#[inline(always)]
fn sub_scaled(acc: &mut Four, s: f64, v: &Four) {
    for l in 0..4 {
        acc[l] -= s * v[l];
    }
}

/// Adds four numbers in the order every sum of this crate uses.
#[inline(always)]
pub(crate) fn sum4(s: Four) -> f64 {
    (s[0] + s[2]) + (s[1] + s[3])
}

/// Factors `h = uᵀ·u`; `inv` receives `1/u_ii`. Returns false when a pivot was too small and was replaced.
///
/// Left-looking: a tile of four rows by four columns stays in registers while all finished rows pass by.
#[inline(always)]
pub(crate) fn cholesky(h: &[Four], u: &mut [Four], inv: &mut [f64], nc: usize) -> bool {
    let mut full_rank = true;
    for q in 0..nc {
        let (done, cur) = u.split_at_mut(4 * q * nc);
        let cur = &mut cur[..4 * nc];
        let src = &h[4 * q * nc..][..4 * nc];
        let mut c = q;
        while c < nc {
            let mut x = [src[c], src[nc + c], src[2 * nc + c], src[3 * nc + c]];
            for r in done.chunks_exact(nc) {
                let (s, v) = (r[q], r[c]);
                for t in 0..4 {
                    sub_scaled(&mut x[t], s[t], &v);
                }
            }
            for t in 0..4 {
                cur[t * nc + c] = x[t];
            }
            c += 1;
        }
        let inv: &mut Four = match inv[4 * q..].first_chunk_mut() {
            Some(inv) => inv,
            None => return false,
        };
        full_rank &= factor_panel(cur, inv, q, nc);
    }
    full_rank
}

/// Factors the diagonal tile of four rows and applies it to the rest of the rows.
#[inline(always)]
fn factor_panel(cur: &mut [Four], inv: &mut Four, q: usize, nc: usize) -> bool {
    let mut full_rank = true;
    let mut tile = [cur[q], cur[nc + q], cur[2 * nc + q], cur[3 * nc + q]];
    for t in 0..4 {
        let mut p = tile[t][t];
        if p < MINVAL {
            p = MINVAL;
            full_rank = false;
        }
        let root = p.sqrt();
        inv[t] = 1.0 / root;
        for l in 0..4 {
            tile[t][l] = if l < t { 0.0 } else { tile[t][l] * inv[t] };
        }
        tile[t][t] = root;
        for s in t + 1..4 {
            let v = tile[t];
            sub_scaled(&mut tile[s], v[s], &v);
        }
    }
    for t in 0..4 {
        cur[t * nc + q] = tile[t];
    }

    // rows of the panel, right of the tile
    for c in q + 1..nc {
        let mut x = [cur[c], cur[nc + c], cur[2 * nc + c], cur[3 * nc + c]];
        for t in 0..4 {
            for l in 0..4 {
                x[t][l] *= inv[t];
            }
            for s in t + 1..4 {
                let v = x[t];
                sub_scaled(&mut x[s], tile[t][s], &v);
            }
        }
        for t in 0..4 {
            cur[t * nc + c] = x[t];
        }
    }
    full_rank
}

/// Solves `uᵀ·u·x = b` in place; `x` is padded with zeros.
#[inline(always)]
pub(crate) fn cholesky_solve(u: &[Four], inv: &[f64], x: &mut [Four], nc: usize) {
    let x = &mut x[..nc];

    // uᵀ·y = b, four rows at a time
    for q in 0..nc {
        let rows = &u[4 * q * nc..][..4 * nc];
        let inv = &inv[4 * q..4 * q + 4];
        let mut y = x[q];
        for t in 0..4 {
            let row = &rows[t * nc + q];
            y[t] *= inv[t];
            for l in t + 1..4 {
                y[l] -= y[t] * row[l];
            }
        }
        x[q] = y;
        for c in q + 1..nc {
            let mut acc = x[c];
            for t in 0..4 {
                sub_scaled(&mut acc, y[t], &rows[t * nc + c]);
            }
            x[c] = acc;
        }
    }

    // u·x = y
    for q in (0..nc).rev() {
        let rows = &u[4 * q * nc..][..4 * nc];
        let inv = &inv[4 * q..4 * q + 4];
        let mut s = [[0.0; 4]; 4];
        for c in q + 1..nc {
            let v = x[c];
            for t in 0..4 {
                for l in 0..4 {
                    s[t][l] += rows[t * nc + c][l] * v[l];
                }
            }
        }
        let mut y = x[q];
        for t in (0..4).rev() {
            let row = &rows[t * nc + q];
            let mut rest = y[t] - sum4(s[t]);
            for l in t + 1..4 {
                rest -= row[l] * y[l];
            }
            y[t] = rest * inv[t];
        }
        x[q] = y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        cholesky_solve(u, inv, &mut x, nc);
        x.concat()
    }

    #[test]
    fn factor_solves_every_size() {
        for n in 1..40 {
            let (h, nc) = matrix(n, n as u64);
            let (mut u, mut inv) = (vec![[0.0; 4]; h.len()], vec![0.0; 4 * nc]);
            assert!(cholesky(&h, &mut u, &mut inv, nc));
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
        assert!(!cholesky(&h, &mut u, &mut inv, 1));
        assert!(u.concat().iter().all(|x| x.is_finite()));
    }
}
