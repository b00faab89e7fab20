//! Constraint rows in, forces out: the convex problem of MuJoCo and its solvers.
