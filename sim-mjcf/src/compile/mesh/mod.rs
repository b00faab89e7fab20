//! Mesh assets: from bytes to vertices in the principal frame.
//!
//! [`load`] reads a file, [`builtin::make`] generates a shape; both give [`MeshData`], the arrays as written.
//! [`process`] checks them and derives everything a model keeps: the [`Mesh`]. Meshes are moved to their centre of mass
//! and turned to their principal axes; what was taken away is kept in `pos` and `quat`, and geoms add it back.
//!
//! MuJoCo: `user_mesh.cc`. Vertices are single precision as written and double from there on.

pub mod builtin;
mod error;
mod fit;
mod lists;
mod load;
mod mass;
mod msh;
mod normal;
mod obj;
mod octree;
mod polygon;
mod process;
mod stl;
mod store;

pub use error::MeshError;
pub use fit::{Fit, fit};
pub use lists::Lists;
pub use load::{FileType, file_type, load};
pub(crate) use load::{media_type, without_repeats};
pub use octree::OctreeCell;
pub use process::process;
pub use sim_collision::bvh::Node as BvhNode;
pub use store::store;

pub use crate::spec::{MeshBuiltin, MeshInertia};

use sim_types::{Quat, Vec3};

/// A mesh as written: flat arrays, nothing checked.
#[derive(Clone, Debug, Default, PartialEq)]
#[doc(alias = "mjsMesh")]
pub struct MeshData {
    /// Vertices, three numbers each.
    pub vert: Vec<f32>,
    /// Normals, three numbers each.
    pub normal: Vec<f32>,
    /// Texture coordinates, two numbers each.
    pub texcoord: Vec<f32>,
    /// Faces, three vertices each.
    pub face: Vec<i32>,
    /// Normals of the corners of each face; empty to go by vertex.
    pub facenormal: Vec<i32>,
    /// Texture coordinates of the corners of each face; empty to go by vertex.
    pub facetexcoord: Vec<i32>,
    /// Whether the number of texture coordinates is free, as in an OBJ file.
    pub any_texcoord: bool,
}

/// What is asked of a mesh beside its data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshOptions {
    /// Subtracted from the vertices, first.
    pub refpos: Vec3,
    /// The inverse of this turns the vertices, second.
    pub refquat: Quat,
    /// Multiplies the vertices, third.
    pub scale: Vec3,
    /// How the inertia is computed.
    pub inertia: MeshInertia,
    /// Whether all faces around a vertex count for its normal, sharp edges too.
    pub smoothnormal: bool,
    /// Largest number of hull vertices.
    pub maxhullvert: Option<usize>,
    /// Whether a geom collides with the convex hull.
    pub needs_hull: bool,
    /// Whether a geom needs the distances to its surface.
    pub needs_sdf: bool,
}

impl Default for MeshOptions {
    fn default() -> Self {
        Self {
            refpos: Vec3::zeros(),
            refquat: Quat::IDENTITY,
            scale: Vec3::repeat(1.0),
            inertia: MeshInertia::Legacy,
            smoothnormal: false,
            maxhullvert: None,
            needs_hull: false,
            needs_sdf: false,
        }
    }
}

impl MeshOptions {
    /// True when the scale turns left into right, so that files are read with their faces turned over.
    pub fn is_mirrored(&self) -> bool {
        let product = self.scale.x * self.scale.y * self.scale.z;
        !matches!(product.partial_cmp(&0.0), Some(std::cmp::Ordering::Greater))
    }
}

/// A processed mesh: what the model keeps, centred and in its principal frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Vertices; the model keeps them in single precision.
    pub vert: Vec<Vec3>,
    /// Vertex normals, or three axes per vertex.
    pub normal: Vec<[f32; 3]>,
    /// Texture coordinates.
    pub texcoord: Vec<[f32; 2]>,
    /// Faces.
    pub face: Vec<[u32; 3]>,
    /// Normals of the corners of each face; −1 where the file gives none.
    pub facenormal: Vec<[i32; 3]>,
    /// Texture coordinates of the corners of each face; empty without texture coordinates.
    pub facetexcoord: Vec<[i32; 3]>,
    /// The convex hull, as [`sim_collision::hull::Hull::graph`] lays it out; empty without a hull.
    pub graph: Vec<i32>,
    /// The flat sides of the hull (of the faces without a hull), as vertex lists.
    pub polygons: Lists,
    /// Their normals.
    pub polynormal: Vec<Vec3>,
    /// For every vertex, the polygons it belongs to.
    pub polymap: Lists,
    /// Bounding volumes over the faces.
    pub bvh: Vec<BvhNode>,
    /// Distances to the surface on an octree; empty when no geom needs them.
    pub octree: Vec<OctreeCell>,
    /// Centre of mass before it became the origin.
    pub pos: Vec3,
    /// Principal axes before they became the frame.
    pub quat: Quat,
    /// Volume, or area for a shell.
    pub volume: f64,
    /// Half sizes of the box with the same volume and inertia.
    pub inertia_box: Vec3,
    /// Smallest coordinates.
    pub min: Vec3,
    /// Largest coordinates.
    pub max: Vec3,
}

impl Mesh {
    /// Size of a mesh geom: the largest distance from the origin along each axis.
    pub fn size(&self) -> Vec3 {
        self.min.abs().sup(&self.max.abs())
    }

    /// Centre and half sizes of the bounding box, as in `geom_aabb`.
    pub fn aabb(&self) -> [f64; 6] {
        let (centre, half) = ((self.max + self.min) / 2.0, (self.max - self.min) / 2.0);
        [centre.x, centre.y, centre.z, half.x, half.y, half.z]
    }

    /// Moments of inertia about the principal axes for a given mass.
    #[doc(alias = "mjCGeom::SetInertia")]
    pub fn inertia(&self, mass: f64) -> Vec3 {
        let b = self.inertia_box;
        let (x, y, z) = (b.x * b.x, b.y * b.y, b.z * b.z);
        Vec3::new(mass * (y + z) / 3.0, mass * (x + z) / 3.0, mass * (x + y) / 3.0)
    }
}

#[cfg(test)]
mod tests;
