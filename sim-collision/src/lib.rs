//! Two shapes in, contacts out: the collision functions of the engine.
//!
//! A [`Posed`] shape meets another; a pair function writes [`RawContact`]s into a [`ContactBuf`]. Shapes come in the
//! order of their types (plane, height field, sphere, capsule, ellipsoid, cylinder, box, mesh, distance field), normals point
//! from the first to the second, positions are midway between the surfaces, distances are negative in penetration.
//!
//! Nothing here allocates, panics or reports a number that is not finite, whatever the sizes and poses.

#![deny(unsafe_code)]

pub mod aabb;
pub mod broadphase;
pub mod bvh;
mod contact_buf;
pub mod convex;
mod distance;
#[cfg(target_arch = "x86_64")]
mod four;
mod frame;
mod hfield;
pub mod hull;
mod hull_faces;
mod hull_graph;
mod hull_search;
mod inside;
pub mod pair;
pub mod ray;
pub mod rows;
pub mod sdf;
mod shape;
#[cfg(test)]
mod testing;
mod wide;

pub use contact_buf::{ContactBuf, MAX_PAIR_CONTACTS, RawContact};
pub use distance::{Distance, geom_distance};
pub use frame::make_frame;
pub use hfield::hfield_convex;
pub use hull_search::HullSearch;
pub use inside::contains;
pub use pair::collide;
pub use shape::{HfieldView, MeshField, MeshView, Polygons, Posed, Shape, TreeView};
