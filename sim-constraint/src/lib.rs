//! Constraint rows in, forces out: the convex problem of MuJoCo and its solvers.
//!
//! Equalities, dry friction, limits and contacts are rows of one problem: find the acceleration `a` that minimises
//! `½‖a − a₀‖²_M + s(J·a − a_ref)`, where `s` is a sum of costs, one per row or friction cone.
//!
//! - [`problem`]: the problem in base rows, the solution, settings, statistics
//! - [`impedance`]: from `solref` and `solimp` to the numbers of a row
//! - [`solver`]: the trait [`ContactSolver`], its default [`Mujoco`] (Newton, CG, PGS, then noslip), the driver [`solve`]
//! - [`xpbd`]: an extension that sweeps over rows a fixed number of times
//!
//! Newton works on a dense Hessian up to 64 dofs and on a block-sparse one above; an iteration tests for convergence
//! before it prepares the next. No solver allocates once its [`Work`] is warm, except when the couplings of a large
//! problem need a new pattern.

#![deny(unsafe_code)]

// the helpers of the tests in `tests` name the crate as a user does
#[cfg(test)]
extern crate self as sim_constraint;

mod blocks;
mod cg;
mod cost;
mod dual;
mod fixed;
mod force;
mod gram;
mod hessian;
pub mod impedance;
mod inertia;
mod kernel;
mod lane;
mod linesearch;
mod newton;
mod noslip;
mod packed;
mod passes;
mod pgs;
mod primal;
pub mod problem;
mod qcqp;
mod rows;
pub mod solver;
mod sparse;
mod symbolic;
mod vector;
mod wide;
pub mod xpbd;

pub use fixed::{forces_in_state, weights};
pub use force::{ForceWork, cone_hessian, forces, forces_at_residual};
pub use problem::{
    ContactRows, Problem, RowState, Rows, Settings, Solution, SolveError, Solved, SolverStat, Start, StartCost,
};
pub use solver::{CgStrict, ContactSolver, Mujoco, Work, solve};
pub use xpbd::XpbdSolver;
