//! Two shapes in, contacts out: the collision functions of the engine.
