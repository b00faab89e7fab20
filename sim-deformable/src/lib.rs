//! Vertices of a deformable in, forces out.
