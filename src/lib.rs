//! MuJoCo in Rust.
