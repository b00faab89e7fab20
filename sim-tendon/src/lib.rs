//! Tendon paths in, length and gradient out.
//!
//! Will hold fixed and spatial tendons and their wrapping around spheres and cylinders. Nothing exists yet; a model with
//! a tendon is refused by `sim_core::support`.

#![forbid(unsafe_code)]
