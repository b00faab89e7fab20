//! Two shapes in, contacts out: the collision functions of the engine.
//!
//! Holds convex hulls; will hold shapes, bounding volumes, the pair functions and convex collision. Until it does, a model in which two
//! geoms could touch is refused by `sim_core::support` unless contacts are disabled.

#![forbid(unsafe_code)]

pub mod hull;
