//! The large arrays of a model, shared between its copies.

use crate::arrays::arrays;
use sim_types::{OptId, Quat, Vec3};

arrays! {
    /// Meshes, skins and height fields. A model holds them behind an `Arc`, so that a copy with other masses costs little.
    pub struct Assets sized by a: Assets {
        /// Number of cells of all octrees.
        pub noct: usize,
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
        /// Number of texture coordinates of all deformables.
        pub nflextexcoord: usize,
        /// Number of skins.
        pub nskin: usize,
        /// Number of vertices of all skins.
        pub nskinvert: usize,
        /// Number of texture coordinates of all skins.
        pub nskintexvert: usize,
        /// Number of triangles of all skins.
        pub nskinface: usize,
        /// Number of bones of all skins.
        pub nskinbone: usize,
        /// Number of vertices of all bones.
        pub nskinbonevert: usize,
        /// Number of height fields.
        pub nhfield: usize,
        /// Number of elevations of all height fields.
        pub nhfielddata: usize,
        /// Number of distance fields on grids, which MuJoCo does not have.
        pub nsdf: usize,
        /// Number of samples of all of them.
        pub nsdfdata: usize,
        /// Number of textures.
        pub ntex: usize,
        /// Number of bytes of all textures.
        pub ntexdata: usize,
        /// Number of bytes of all file names.
        pub npaths: usize,
    }
    noct {
        oct_depth: [u32], "Depth in the tree.";
        oct_child: [[OptId; 8]], "Children, counted from the mesh's first cell.";
        oct_aabb: [[f64; 6]], "Box in the mesh frame: centre, half sizes.";
        oct_coeff: [[f64; 8]], "Signed distance at the corners.";
    }
    nmesh {
        mesh_vertadr: [u32], "First vertex.";
        mesh_vertnum: [u32], "Number of vertices.";
        mesh_faceadr: [u32], "First triangle.";
        mesh_facenum: [u32], "Number of triangles.";
        mesh_bvhadr: [u32], "First box of the hierarchy over the triangles.";
        mesh_bvhnum: [u32], "Number of boxes.";
        mesh_octadr: [OptId], "First cell of the octree of distances.";
        mesh_octnum: [u32], "Number of cells.";
        mesh_normaladr: [u32], "First normal.";
        mesh_normalnum: [u32], "Number of normals.";
        mesh_texcoordadr: [OptId], "First texture coordinate.";
        mesh_texcoordnum: [u32], "Number of texture coordinates.";
        mesh_graphadr: [OptId], "Start of the hull graph.";
        mesh_scale: [Vec3], "Scale that was applied.";
        mesh_pos: [Vec3], "Centre of mass, which was moved to the origin.";
        mesh_quat: [Quat], "Principal axes, which were turned to the frame.";
        mesh_pathadr: [OptId], "File name in `paths`.";
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
        mesh_facetexcoord: [[i32; 3]], "Texture coordinates of the corners of each triangle; zeros for a mesh without any.";
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
    nflextexcoord {
        flex_texcoord: [[f32; 2]], "Texture coordinates of deformables.";
    }
    nskin {
        skin_matid: [OptId], "Material.";
        skin_group: [i32], "Group for display.";
        skin_rgba: [[f32; 4]], "Colour.";
        skin_inflate: [f32], "Distance by which it is inflated along its normals.";
        skin_vertadr: [u32], "First vertex.";
        skin_vertnum: [u32], "Number of vertices.";
        skin_texcoordadr: [OptId], "First texture coordinate.";
        skin_faceadr: [u32], "First triangle.";
        skin_facenum: [u32], "Number of triangles.";
        skin_boneadr: [u32], "First bone.";
        skin_bonenum: [u32], "Number of bones.";
        skin_pathadr: [OptId], "Address of the file name.";
    }
    nskinvert {
        skin_vert: [[f32; 3]], "Vertex positions.";
    }
    nskintexvert {
        skin_texcoord: [[f32; 2]], "Texture coordinates.";
    }
    nskinface {
        skin_face: [[i32; 3]], "Vertices of each triangle.";
    }
    nskinbone {
        skin_bonevertadr: [u32], "First vertex.";
        skin_bonevertnum: [u32], "Number of vertices.";
        skin_bonebindpos: [[f32; 3]], "Position at which the vertices were bound.";
        skin_bonebindquat: [[f32; 4]], "Orientation at which the vertices were bound.";
        skin_bonebodyid: [u32], "Body.";
    }
    nskinbonevert {
        skin_bonevertid: [u32], "Vertices of the bones, counted within the skin.";
        skin_bonevertweight: [f32], "Weights of the vertices.";
    }
    nsdf {
        sdf_geom: [u32], "The geom with this shape, if it is of type `sdf`; of several the last one counts.";
        sdf_size: [[u32; 3]], "Samples along x, y, z.";
        sdf_cell: [f64], "Distance between samples.";
        sdf_origin: [Vec3], "Where the first sample is, in the frame of the geom.";
        sdf_adr: [u32], "First sample.";
    }
    nsdfdata {
        sdf_data: [f64], "Distances, negative inside; along x first, then y, then z.";
    }
    nhfield {
        hfield_size: [[f64; 4]], "Half width, half depth, height, base.";
        hfield_nrow: [u32], "Number of rows.";
        hfield_ncol: [u32], "Number of columns.";
        hfield_adr: [u32], "First elevation.";
        hfield_pathadr: [OptId], "File name in `paths`.";
    }
    nhfielddata {
        hfield_data: [f32], "Elevations between 0 and 1.";
    }
    ntex {
        tex_type: [u32], "How it is mapped: 0 onto a plane, 1 onto a cube, 2 onto the sky.";
        tex_colorspace: [u32], "1: linear, 2: sRGB; 0 for textures that the compiler makes.";
        tex_height: [u32], "Number of rows; the six sides of a cube are above each other.";
        tex_width: [u32], "Pixels in a row.";
        tex_nchannel: [u32], "Bytes per pixel.";
        tex_adr: [u64], "First byte.";
        tex_pathadr: [OptId], "File name in `paths`.";
    }
    ntexdata {
        tex_data: [u8], "Pixels, row by row from the top.";
    }
    npaths {
        paths: [u8], "File names of assets, each ended by a zero.";
    }
}
