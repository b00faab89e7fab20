//! All conformance tests except the one that needs an allocator of its own.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may unwrap and panic as tests do")]

mod actuator;
mod analytic;
mod ball_limit;
mod batch;
mod checks;
mod constraint;
mod contact;
mod determinism;
mod extremes;
mod flags;
mod fluid;
mod grid;
mod group;
mod integrate;
mod invariants;
mod inverse;
mod linalg;
mod mjcf_errors;
mod model;
mod query;
mod sensor;
mod solver;
mod stage;
mod tendon;
mod trajectory;
mod transmission;
mod write;
