//! The large arrays of a model, shared between its copies.

use crate::arrays::arrays;

arrays! {
    /// Meshes and height fields. A model holds them behind an `Arc`, so that a copy with other masses costs little.
    pub struct Assets sized by a: Assets {
        /// Number of meshes.
        pub nmesh: usize,
        /// Number of vertices of all meshes.
        pub nmeshvert: usize,
        /// Number of triangles of all meshes.
        pub nmeshface: usize,
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
    }
    nmeshvert {
        mesh_vert: [[f32; 3]], "Vertex positions.";
    }
    nmeshface {
        mesh_face: [[u32; 3]], "Vertices of each triangle.";
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
