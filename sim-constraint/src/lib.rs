//! Constraint rows in, forces out: the convex problem of MuJoCo and its solvers.
//!
//! Equalities, dry friction, limits and contacts are rows of one problem: find the acceleration `a` that minimises
//! `½‖a − a₀‖²_M + s(J·a − a_ref)`. This crate will hold the problem, the impedance of rows, the friction cones and the
//! solvers (PGS, CG, Newton, noslip). None of it exists yet; a model that needs rows is refused by
//! `sim_core::support`.

#![forbid(unsafe_code)]
