//! The large arrays of a model, shared between its copies.

use crate::arrays::arrays;
use sim_types::{OptId, Quat, Vec3};

arrays! {
    /// Meshes and height fields. A model holds them behind an `Arc`, so that a copy with other masses costs little.
    pub struct Assets sized by a: Assets {
        /// Number of meshes.
        pub nmesh: usize,
        /// Number of vertices of all meshes.
        pub nmeshvert: usize,
        /// Number of normals of all meshes.
        pub nmeshnormal: usize,
        /// Number of texture coordinates of all meshes.
        pub nmeshtexcoord: usize,
        /// Number of triangles of all meshes.
        pub nmeshface: usize,
        /// Length of all hull graphs.
        pub nmeshgraph: usize,
        /// Number of polygons of all meshes.
        pub nmeshpoly: usize,
        /// Number of vertices of all polygons.
        pub nmeshpolyvert: usize,
        /// Number of polygons around all vertices.
        pub nmeshpolymap: usize,
        /// Number of height fields.
        pub nhfield: usize,
        /// Number of elevations of all height fields.
        pub nhfielddata: usize,
    }
    nmesh {
        mesh_vertadr: [u32], "First vertex.";
        mesh_vertnum: [u32], "Number of vertices.";
        mesh_faceadr: [u32], "First triangle.";
        mesh_facenum: [u32], "Number of triangles.";
        mesh_bvhadr: [u32], "First box of the hierarchy over the triangles.";
        mesh_bvhnum: [u32], "Number of boxes.";
        mesh_normaladr: [u32], "First normal.";
        mesh_normalnum: [u32], "Number of normals.";
        mesh_texcoordadr: [OptId], "First texture coordinate.";
        mesh_texcoordnum: [u32], "Number of texture coordinates.";
        mesh_graphadr: [OptId], "Start of the hull graph.";
        mesh_scale: [Vec3], "Scale that was applied.";
        mesh_pos: [Vec3], "Centre of mass, which was moved to the origin.";
        mesh_quat: [Quat], "Principal axes, which were turned to the frame.";
        mesh_polynum: [u32], "Number of polygons.";
        mesh_polyadr: [u32], "First polygon.";
    }
    nmeshvert {
        mesh_vert: [[f32; 3]], "Vertex positions.";
        mesh_polymapadr: [u32], "First entry in the list of polygons around a vertex.";
        mesh_polymapnum: [u32], "Number of polygons around a vertex.";
    }
    nmeshnormal {
        mesh_normal: [[f32; 3]], "Normals, or axes of frames.";
    }
    nmeshtexcoord {
        mesh_texcoord: [[f32; 2]], "Texture coordinates.";
    }
    nmeshface {
        mesh_face: [[u32; 3]], "Vertices of each triangle.";
        mesh_facenormal: [[i32; 3]], "Normals of the corners of each triangle; −1 for none.";
        mesh_facetexcoord: [[i32; 3]], "Texture coordinates of the corners of each triangle; −1 for none.";
    }
    nmeshgraph {
        mesh_graph: [i32], "Convex hulls: vertices, triangles and edges.";
    }
    nmeshpoly {
        mesh_polynormal: [Vec3], "Normal of each polygon.";
        mesh_polyvertadr: [u32], "First vertex of each polygon.";
        mesh_polyvertnum: [u32], "Number of vertices of each polygon.";
    }
    nmeshpolyvert {
        mesh_polyvert: [u32], "Vertices of the polygons.";
    }
    nmeshpolymap {
        mesh_polymap: [u32], "Polygons around the vertices.";
    }
    nhfield {
        hfield_size: [[f64; 4]], "Half width, half depth, height, base.";
        hfield_nrow: [u32], "Number of rows.";
        hfield_ncol: [u32], "Number of columns.";
        hfield_adr: [u32], "First elevation.";
    }
    nhfielddata {
        hfield_data: [f32], "Elevations between 0 and 1.";
    }
}
