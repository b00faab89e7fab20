//! The kernels that gain from wide registers, compiled twice: for every CPU, and for CPUs with AVX2.
//!
//! Both do the same operations in the same order, and none fuses a product with a sum, so a result does not depend on
//! which one ran. The choice is made at run time.

#![expect(
    unsafe_code,
    reason = "code for AVX2 may only be called after asking the CPU; this is the one place that does"
)]

use crate::blocks::{self, Blocks};
use crate::cg::Cg;
use crate::cost::{self, RowForces, Updated};
use crate::dual::Dual;
use crate::gram::{self, Gram};
use crate::hessian::{self, Change, Jacobian, Matrix};
use crate::kernel::{self, Four};
#[cfg(target_arch = "x86_64")]
use crate::lane::Avx;
use crate::lane::{Plain, Simd};
use crate::linesearch::{self, Line, LineRows};
use crate::newton::Newton;
use crate::packed::{self, Packed};
use crate::primal::{self, Primal, Task};
use crate::problem::{Problem, Rows, Solution, Solved, StartCost};
use crate::rows::Runs;
use crate::symbolic::Symbolic;
use crate::{noslip, pgs, sparse};

/// Whether code for AVX2 may run.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn avx2() -> bool {
    #[cfg(test)]
    if tests::PLAIN.get() {
        return false;
    }
    std::arch::is_x86_feature_detected!("avx2")
}

macro_rules! wide {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)? = $body:path;)*) => {$(
        $(#[$doc])*
        #[inline]
        pub(crate) fn $name($($arg: $ty),*) $(-> $ret)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn compiled($($arg: $ty),*) $(-> $ret)? {
                    // SAFETY: a CPU with AVX2 has AVX; the function asks for AVX2.
                    let token = unsafe { Avx::new() };
                    $body(token, $($arg),*)
                }
                if avx2() {
                    // SAFETY: the CPU has AVX2, which is all that the function asks for beyond the build's own target.
                    return unsafe { compiled($($arg),*) };
                }
            }
            $body(Plain, $($arg),*)
        }
    )*};
}

wide! {
    /// See [`kernel::cholesky`].
    fn cholesky(h: &[Four], u: &mut [Four], inv: &mut [f64], nc: usize) -> bool = kernel::cholesky;
    /// See [`kernel::cholesky_solve`].
    fn cholesky_solve(u: &[Four], inv: &[f64], x: &mut [Four], nc: usize) = kernel::cholesky_solve;
    /// See [`hessian::add_rows`].
    fn add_rows(h: &mut Matrix, jac: Jacobian<'_>, change: Change<'_>) = hessian::add_rows;
    /// See [`hessian::add_rows`].
    fn add_rows_sparse(h: &mut sparse::Matrix, jac: Jacobian<'_>, change: Change<'_>) = hessian::add_rows;
    /// See [`hessian::add_cones`].
    fn add_cones(h: &mut Matrix, jac: Jacobian<'_>, jar: &[f64], state: &[u8]) = hessian::add_cones;
    /// See [`hessian::add_cones`].
    fn add_cones_sparse(h: &mut sparse::Matrix, jac: Jacobian<'_>, jar: &[f64], state: &[u8]) = hessian::add_cones;
    /// See [`sparse::factor_panels`].
    fn factor_panels(s: &Symbolic, u: &mut [f64], inv: &mut [f64]) -> bool = sparse::factor_panels;
    /// See [`blocks::invert`].
    fn invert_blocks(a: &mut Blocks, p: &Problem<'_>) = blocks::invert;
    /// See [`blocks::mul`].
    fn mul_blocks(a: &Blocks, x: &[f64], out: &mut [f64]) = blocks::mul;
    /// See [`primal::start`].
    fn primal_start(w: &mut Primal, p: &Problem<'_>, warm: &[f64]) -> StartCost = primal::start;
    /// See [`primal::solve`].
    fn newton(w: &mut Primal, d: &mut Newton, what: Task<'_>, out: &mut Solution<'_>) -> Solved = primal::solve;
    /// See [`primal::solve`].
    fn conjugate(w: &mut Primal, d: &mut Cg, what: Task<'_>, out: &mut Solution<'_>) -> Solved = primal::solve;
    /// See [`linesearch::eval`].
    fn eval_line(line: &Line, l: LineRows<'_>, alpha: f64) -> linesearch::Point = linesearch::eval;
    /// See [`cost::update`].
    fn update(
        rows: &Rows<'_>,
        runs: &Runs,
        d: &[f64],
        jar: &mut [f64],
        step: Option<(f64, &[f64])>,
        out: RowForces<'_>,
    ) -> Updated = cost::update;
    /// See [`packed::pad`].
    fn pad(x: &[f64], out: &mut Vec<Four>) = packed::pad;
    /// See [`Packed::build`].
    fn pack(j: &mut Packed, rows: &Rows<'_>, nv: usize) = pack_rows;
    /// See [`Packed::mul`].
    fn residual(j: &Packed, rows: &Rows<'_>, x: [&[Four]; 1], out: [&mut [f64]; 1]) = residuals;
    /// See [`gram::build`].
    fn gram(g: &mut Gram, p: &Problem<'_>, root: &[f64]) = gram::build;
    /// See [`pgs::sweep`].
    fn pgs_sweep(p: &Problem<'_>, w: &mut Dual) -> f64 = pgs::sweep;
    /// See [`noslip::sweep`].
    fn noslip_sweep(rows: &Rows<'_>, w: &mut Dual) -> f64 = noslip::sweep;
    /// See [`Packed::mul_t`].
    fn mul_t(j: &Packed, rows: &Rows<'_>, f: &[f64], out: &mut [Four]) = mul_rows_t;
}

#[inline(always)]
fn pack_rows<T: Simd>(t: T, j: &mut Packed, rows: &Rows<'_>, nv: usize) {
    j.build(t, rows, nv);
}

#[inline(always)]
fn residuals<T: Simd, const X: usize>(t: T, j: &Packed, rows: &Rows<'_>, x: [&[Four]; X], out: [&mut [f64]; X]) {
    j.mul::<T, X, true>(t, rows, x, out);
}

#[inline(always)]
fn mul_rows_t<T: Simd>(t: T, j: &Packed, rows: &Rows<'_>, f: &[f64], out: &mut [Four]) {
    j.mul_t(t, rows, f, out);
}

#[cfg(test)]
mod tests;
