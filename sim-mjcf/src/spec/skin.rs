//! Skins: triangle meshes for display whose vertices follow several bodies.

use crate::error::Location;

record! {
    /// A skin (`mjsSkin`). Either a file or the arrays, not both.
    #[doc(alias = "mjsSkin")]
    Skin {
        /// Name; empty for the name of the file.
        name: String = String::new(),
        /// File in MuJoCo's SKN format; empty for none.
        file: String = String::new(),
        /// Material; empty for none.
        material: String = String::new(),
        /// Colour when there is no material.
        rgba: [f32; 4] = [0.5, 0.5, 0.5, 1.0],
        /// Distance by which it is inflated along its normals.
        inflate: f32 = 0.0,
        /// Visibility group.
        group: i32 = 0,
        /// Vertices, three numbers each.
        vert: Vec<f32> = Vec::new(),
        /// Texture coordinates, two numbers per vertex; empty for none.
        texcoord: Vec<f32> = Vec::new(),
        /// Triangles, three vertices each.
        face: Vec<i32> = Vec::new(),
        /// Bones.
        bones: Vec<Bone> = Vec::new(),
        /// Whose compiler settings it is read with; see [`super::Spec::compiler_of`].
        origin: usize = 0,
        /// Where it was written.
        at: Location = Location::default(),
    }
}

record! {
    /// A body that carries vertices of a skin.
    Bone {
        /// Name of the body.
        body: String = String::new(),
        /// Position at which the vertices were bound.
        bindpos: [f32; 3] = [0.0; 3],
        /// Orientation at which the vertices were bound.
        bindquat: [f32; 4] = [1.0, 0.0, 0.0, 0.0],
        /// The vertices.
        vertid: Vec<i32> = Vec::new(),
        /// Their weights.
        vertweight: Vec<f32> = Vec::new(),
    }
}
