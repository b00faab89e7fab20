//! Numbers, vectors, spatial algebra and enums shared by every crate of the engine.
