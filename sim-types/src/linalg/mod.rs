//! Linear algebra of the engine: dense Cholesky, the tree-sparse `LᵀDL` of the inertia matrix, and its unsymmetric relative.
//!
//! All functions work in memory the caller owns and allocate nothing.

pub mod dense;
pub mod ldl;
pub mod lu;

pub use ldl::TreeSparse;
pub use lu::{ForestSparse, Singular};

/// A matrix that should be positive definite is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("matrix is not positive definite: pivot {index} is not a positive number")]
pub struct NotPositiveDefinite {
    /// Row of the first bad pivot.
    pub index: usize,
}

/// Dot product with four running sums in a fixed order, so that it vectorises and gives the same bits everywhere.
#[inline]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let (ac, bc) = (a.chunks_exact(4), b.chunks_exact(4));
    let tail: f64 = ac.remainder().iter().zip(bc.remainder()).map(|(x, y)| x * y).sum();
    let mut s = [0.0; 4];
    for (x, y) in ac.zip(bc) {
        for k in 0..4 {
            s[k] += x[k] * y[k];
        }
    }
    (s[0] + s[2]) + (s[1] + s[3]) + tail
}
