//! Vertices of a deformable in, forces out.
//!
//! Will hold elasticity and bending of flexes. Nothing exists yet; a model with a flex is refused by
//! `sim_core::support`.

#![forbid(unsafe_code)]
