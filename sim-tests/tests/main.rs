//! All conformance tests except the one that needs an allocator of its own.

#![expect(clippy::unwrap_used, reason = "helpers of tests may unwrap as tests do")]

mod checks;
mod determinism;
mod invariants;
mod linalg;
mod mjcf_errors;
mod model;
mod stage;
mod trajectory;
