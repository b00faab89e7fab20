//! Shapes, and shapes with a pose.

use crate::HullSearch;
use crate::convex::{rotate, rotate_t};
use crate::sdf::{OctreeView, SdfView};
use sim_types::{GeomType, Mat3, OptId, Vec3};

/// A geometric shape in its own frame; sizes as MuJoCo's `geom_size`.
#[derive(Clone, Copy, Debug)]
pub enum Shape<'a> {
    /// The half space z ≤ 0.
    Plane {
        /// Half sizes of the part that rays can hit, zero for no end. Contacts ignore them.
        half: [f64; 2],
    },
    /// A ball.
    Sphere {
        /// Radius.
        radius: f64,
    },
    /// A cylinder along z with round ends.
    Capsule {
        /// Radius.
        radius: f64,
        /// Half length of the segment between the centres of the ends.
        half: f64,
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Half axes.
        size: Vec3,
    },
    /// A cylinder along z.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Half height.
        half: f64,
    },
    /// A box.
    Box {
        /// Half sizes.
        size: Vec3,
    },
    /// A mesh: contacts see its convex hull, rays its triangles.
    Mesh(&'a MeshView<'a>),
    /// A terrain.
    Hfield(&'a HfieldView<'a>),
    /// A distance field.
    Sdf(&'a SdfView<'a>),
}

impl Shape<'_> {
    /// MuJoCo's type of this shape; decides which shape of a pair comes first.
    pub fn geom_type(&self) -> GeomType {
        match self {
            Self::Plane { .. } => GeomType::Plane,
            Self::Hfield(_) => GeomType::Hfield,
            Self::Sphere { .. } => GeomType::Sphere,
            Self::Capsule { .. } => GeomType::Capsule,
            Self::Ellipsoid { .. } => GeomType::Ellipsoid,
            Self::Cylinder { .. } => GeomType::Cylinder,
            Self::Box { .. } => GeomType::Box,
            Self::Mesh(_) => GeomType::Mesh,
            Self::Sdf(_) => GeomType::Sdf,
        }
    }
}

/// A shape with its pose in the world.
#[derive(Clone, Copy, Debug)]
pub struct Posed<'a> {
    /// The shape.
    pub shape: Shape<'a>,
    /// Origin of its frame.
    pub pos: Vec3,
    /// Axes of its frame, as columns.
    pub mat: Mat3,
}

impl Posed<'_> {
    /// The z axis of the frame: normal of a plane, axis of a capsule or cylinder.
    #[inline]
    pub fn axis(&self) -> Vec3 {
        Vec3::new(self.mat[(0, 2)], self.mat[(1, 2)], self.mat[(2, 2)])
    }

    /// The point in world coordinates.
    #[inline]
    pub fn to_world(&self, local: &Vec3) -> Vec3 {
        rotate(&self.mat, local) + self.pos
    }

    /// The point in the shape's frame.
    #[inline]
    pub fn to_local(&self, world: &Vec3) -> Vec3 {
        rotate_t(&self.mat, &(world - self.pos))
    }
}

/// A mesh asset. Ids of vertices and polygons count from the mesh's own first one.
#[derive(Clone, Copy, Debug, Default)]
pub struct MeshView<'a> {
    /// Vertices.
    pub vert: &'a [[f32; 3]],
    /// Neighbours on the convex hull in the layout of `mesh_graph`; empty when the mesh has none.
    pub graph: &'a [i32],
    /// The same graph laid out for searches. Without it they are slower.
    pub search: Option<&'a HullSearch>,
    /// Faces of the convex hull with coplanar triangles joined.
    pub polygons: Polygons<'a>,
    /// Triangles of the mesh itself.
    pub face: &'a [[u32; 3]],
    /// Boxes around the triangles; leaves hold triangle ids.
    pub tree: TreeView<'a>,
    /// Half sizes of the box around the mesh.
    pub half: Vec3,
    /// What only distance fields ask for.
    pub field: Option<&'a MeshField<'a>>,
    /// Radius of the sphere around the mesh, measured from the origin of its frame.
    pub rbound: f64,
}

/// A mesh as distance fields see it.
#[derive(Clone, Copy, Debug)]
pub struct MeshField<'a> {
    /// The box around the mesh: centre and half sizes.
    pub aabb: [f64; 6],
    /// The octree that stands for the mesh when it meets a distance field made from a mesh. MuJoCo takes that of the mesh
    /// with the number of the *geom*; when that has none, distances are multiples of rays towards the origin of the
    /// world. Neither says much about the mesh, but contacts follow from it.
    pub octree: OctreeView<'a>,
}

/// Polygons of a convex hull, for contacts between flat faces.
#[derive(Clone, Copy, Debug, Default)]
pub struct Polygons<'a> {
    /// Outward normal per polygon.
    pub normal: &'a [Vec3],
    /// First entry in `vert`, per polygon.
    pub vertadr: &'a [u32],
    /// Number of vertices, per polygon.
    pub vertnum: &'a [u32],
    /// Vertex ids, polygon after polygon. The whole model's list: `vertadr` counts from its start.
    pub vert: &'a [u32],
    /// First entry in `map`, per vertex of the mesh.
    pub mapadr: &'a [u32],
    /// Number of polygons around a vertex, per vertex of the mesh.
    pub mapnum: &'a [u32],
    /// Polygon ids around each vertex. The whole model's list: `mapadr` counts from its start.
    pub map: &'a [u32],
}

/// A tree of boxes, parents before children.
#[derive(Clone, Copy, Debug, Default)]
pub struct TreeView<'a> {
    /// Children per node, counted from the tree's first node.
    pub child: &'a [[OptId; 2]],
    /// What a leaf holds: a geom or a triangle.
    pub nodeid: &'a [OptId],
    /// Centre and half sizes per node.
    pub aabb: &'a [[f64; 6]],
}

/// A terrain: heights on a grid, with a base below.
#[derive(Clone, Copy, Debug, Default)]
pub struct HfieldView<'a> {
    /// Half width, half depth, height of elevation 1, thickness of the base.
    pub size: [f64; 4],
    /// Number of rows (along y).
    pub nrow: usize,
    /// Number of columns (along x).
    pub ncol: usize,
    /// Elevations between 0 and 1, row after row.
    pub data: &'a [f32],
}
