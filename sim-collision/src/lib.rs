//! Two shapes in, contacts out: the collision functions of the engine.
//!
//! Will hold shapes, bounding volumes, the pair functions and convex collision. Nothing exists yet; a model in which two
//! geoms could touch is refused by `sim_core::support` unless contacts are disabled.

#![forbid(unsafe_code)]
