//! The friction of one contact: a small quadratic program over an ellipsoid.
//!
//! `min ½xᵀAx + bᵀx` subject to `Σ(x_i/μ_i)² ≤ r²`, by Newton's method on the multiplier of the constraint. The
//! thresholds are absolute, as in MuJoCo: a matrix with a determinant below them gives no friction at all.
//!
//! MuJoCo: `engine_util_solve.c`, `mju_QCQP`, `mju_QCQP2`, `mju_QCQP3`.

use sim_types::MINVAL;
use sim_types::linalg::dot;

const SMALL: f64 = 1e-10;

/// Friction forces of a contact whose normal force is `normal`: solves the program for `n` directions (2, 3 or 5) with
/// the row-major matrix `a`, and puts a result that should be on the ellipsoid exactly there.
pub(crate) fn friction(a: &[f64], b: &[f64], mu: &[f64; 5], normal: f64, out: &mut [f64]) {
    let on_boundary = match out.len() {
        2 => solve::<2, Adjugate2>(a, b, mu, normal, out),
        3 => solve::<3, Adjugate3>(a, b, mu, normal, out),
        4 => solve::<4, Cholesky<4>>(a, b, mu, normal, out),
        _ => solve::<5, Cholesky<5>>(a, b, mu, normal, out),
    };
    if on_boundary {
        let mut s = 0.0;
        for (x, mu) in out.iter().zip(mu) {
            s += x * x / (mu * mu);
        }
        let scale = (normal * normal / if s > MINVAL { s } else { MINVAL }).sqrt();
        for x in out {
            *x *= scale;
        }
    }
}

/// A factored symmetric matrix.
trait Factor<const N: usize>: Sized {
    /// None when the matrix is too close to singular.
    fn new(a: &[[f64; N]; N]) -> Option<Self>;
    fn solve(&self, b: &[f64; N]) -> [f64; N];
}

/// Solves the program; true when the result is on the boundary.
fn solve<const N: usize, F: Factor<N>>(a: &[f64], b: &[f64], mu: &[f64; 5], r: f64, out: &mut [f64]) -> bool {
    // scaled so that the ellipsoid is a ball
    let mut scaled = [[0.0; N]; N];
    let mut rhs = [0.0; N];
    for i in 0..N {
        rhs[i] = b[i] * mu[i];
        for j in 0..N {
            scaled[i][j] = a[i * N + j] * mu[i] * mu[j];
        }
    }

    let (mut multiplier, mut x) = (0.0, [0.0; N]);
    for _ in 0..20 {
        let mut shifted = scaled;
        for i in 0..N {
            shifted[i][i] += multiplier;
        }
        let Some(factor) = F::new(&shifted) else {
            out.fill(0.0);
            return false;
        };
        x = factor.solve(&rhs).map(|x| -x);
        let excess = dot(&x, &x) - r * r;
        if excess < SMALL {
            break;
        }
        let slope = -2.0 * dot(&x, &factor.solve(&x));
        let step = -excess / slope;
        if step < SMALL || step.is_nan() {
            break;
        }
        multiplier += step;
    }
    for i in 0..N {
        out[i] = x[i] * mu[i];
    }
    multiplier != 0.0
}

/// Inverse of a 2 × 2 matrix.
struct Adjugate2([f64; 3]);

impl Factor<2> for Adjugate2 {
    fn new(a: &[[f64; 2]; 2]) -> Option<Self> {
        let det = a[0][0] * a[1][1] - a[0][1] * a[0][1];
        (det >= SMALL).then(|| {
            let inv = 1.0 / det;
            Self([a[1][1] * inv, a[0][0] * inv, -a[0][1] * inv])
        })
    }

    fn solve(&self, b: &[f64; 2]) -> [f64; 2] {
        let [p11, p22, p12] = self.0;
        [p11 * b[0] + p12 * b[1], p12 * b[0] + p22 * b[1]]
    }
}

/// Inverse of a 3 × 3 matrix.
struct Adjugate3([f64; 6]);

impl Factor<3> for Adjugate3 {
    fn new(a: &[[f64; 3]; 3]) -> Option<Self> {
        let [[a11, a12, a13], [_, a22, a23], [_, _, a33]] = *a;
        let cofactors = [
            a22 * a33 - a23 * a23,
            a11 * a33 - a13 * a13,
            a11 * a22 - a12 * a12,
            a13 * a23 - a12 * a33,
            a12 * a23 - a13 * a22,
            a12 * a13 - a23 * a11,
        ];
        let det = a11 * cofactors[0] + a12 * cofactors[3] + a13 * cofactors[4];
        (det >= SMALL).then(|| {
            let inv = 1.0 / det;
            Self(cofactors.map(|c| c * inv))
        })
    }

    fn solve(&self, b: &[f64; 3]) -> [f64; 3] {
        let [p11, p22, p33, p12, p13, p23] = self.0;
        [
            p11 * b[0] + p12 * b[1] + p13 * b[2],
            p12 * b[0] + p22 * b[1] + p23 * b[2],
            p13 * b[0] + p23 * b[1] + p33 * b[2],
        ]
    }
}

/// Lower Cholesky factor.
struct Cholesky<const N: usize>([[f64; N]; N]);

impl<const N: usize> Factor<N> for Cholesky<N> {
    fn new(a: &[[f64; N]; N]) -> Option<Self> {
        let mut l = *a;
        for j in 0..N {
            let pivot = l[j][j] - dot(&l[j][..j], &l[j][..j]);
            if pivot < SMALL || pivot.is_nan() {
                return None;
            }
            l[j][j] = pivot.sqrt();
            for i in j + 1..N {
                l[i][j] = (l[i][j] - dot(&l[i][..j], &l[j][..j])) / l[j][j];
            }
        }
        Some(Self(l))
    }

    fn solve(&self, b: &[f64; N]) -> [f64; N] {
        let (l, mut x) = (&self.0, *b);
        for i in 0..N {
            x[i] = (x[i] - dot(&l[i][..i], &x[..i])) / l[i][i];
        }
        for i in (0..N).rev() {
            for j in i + 1..N {
                x[i] -= l[j][i] * x[j];
            }
            x[i] /= l[i][i];
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MU: [f64; 5] = [0.7, 0.5, 0.4, 0.3, 0.6];

    /// Diagonally dominant, row-major.
    fn matrix(n: usize) -> Vec<f64> {
        (0..n * n)
            .map(|k| if k / n == k % n { 40.0 + k as f64 } else { 1.0 / (1.0 + (k / n + k % n) as f64) })
            .collect()
    }

    #[test]
    fn inside_the_ellipsoid_the_gradient_vanishes() {
        for n in [2, 3, 5] {
            let (a, b) = (matrix(n), vec![0.01; n]);
            let mut x = vec![0.0; n];
            friction(&a, &b, &MU, 10.0, &mut x);
            for i in 0..n {
                let g = b[i] + (0..n).map(|j| a[i * n + j] * x[j]).sum::<f64>();
                assert!(g.abs() < 1e-14, "{n}: {g}");
            }
        }
    }

    #[test]
    fn on_the_ellipsoid_the_gradient_is_normal_to_it() {
        for n in [2, 3, 5] {
            let (a, b) = (matrix(n), (0..n).map(|i| 20.0 * (i + 1) as f64).collect::<Vec<_>>());
            let mut x = vec![0.0; n];
            friction(&a, &b, &MU, 0.3, &mut x);
            let s: f64 = (0..n).map(|i| (x[i] / MU[i]).powi(2)).sum();
            assert!((s - 0.09).abs() < 1e-12, "{n}: {s}");
            let ratio = |i: usize| {
                let g = b[i] + (0..n).map(|j| a[i * n + j] * x[j]).sum::<f64>();
                -g * MU[i] * MU[i] / x[i]
            };
            for i in 1..n {
                assert!(ratio(0) > 0.0 && (ratio(i) / ratio(0) - 1.0).abs() < 1e-6, "{n}: {} {}", ratio(0), ratio(i));
            }
        }
    }

    #[test]
    fn singular_matrix_gives_no_friction() {
        for n in [2, 3, 5] {
            let mut x = vec![1.0; n];
            friction(&vec![0.0; n * n], &vec![1.0; n], &MU, 1.0, &mut x);
            assert_eq!(x, vec![0.0; n]);
        }
    }
}
