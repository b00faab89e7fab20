//! Finite differences.

/// Central differences of a function of `n` coordinates, row-major: one row per output, one column per coordinate.
///
/// `f(i, h)` is the function's value after coordinate `i` moved by `h`; the caller knows how to move (quaternions).
/// With `eps` = 1e-6 about ten digits remain of a smooth function of order one.
pub fn central(n: usize, eps: f64, mut f: impl FnMut(usize, f64) -> Vec<f64>) -> Vec<f64> {
    let columns: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            let (plus, minus) = (f(i, eps), f(i, -eps));
            plus.iter().zip(&minus).map(|(a, b)| (a - b) / (2.0 * eps)).collect()
        })
        .collect();
    let rows = columns.first().map_or(0, Vec::len);
    (0..rows).flat_map(|r| columns.iter().map(move |c| c[r])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Tol, assert_close};

    /// f(x, y) = (x·y, x²) at (3, 4).
    #[test]
    fn of_a_quadratic() {
        let f = |i: usize, h: f64| {
            let mut x = [3.0, 4.0];
            x[i] += h;
            vec![x[0] * x[1], x[0] * x[0]]
        };
        assert_close("jacobian", &central(2, 1e-6, f), &[4.0, 3.0, 6.0, 0.0], Tol::DIFFERENCE);
    }
}
