//! Meshes, height fields, materials and textures.

use crate::error::Location;
use sim_types::{Quat, Vec3};

/// How the inertia of a mesh is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias = "mjtMeshInertia")]
pub enum MeshInertia {
    /// Of the convex hull.
    Convex,
    /// Of the volume inside the faces, which must be closed and oriented.
    Exact,
    /// Of pyramids over the faces, all counted as positive.
    #[default]
    Legacy,
    /// Of the faces themselves.
    Shell,
}

/// A mesh that the compiler can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "mjtMeshBuiltin")]
pub enum MeshBuiltin {
    /// Subdivided icosahedron; parameter: number of subdivisions.
    Sphere,
    /// Half a sphere with a flat bottom; parameter: resolution.
    Hemisphere,
    /// Cone or frustum; parameters: number of edges, radius of the top.
    Cone,
    /// Superellipsoid; parameters: resolution, two exponents.
    Supersphere,
    /// Supertoroid; parameters: resolution, radius of the tube, two exponents.
    Supertorus,
    /// Part of a sphere; parameters: two resolutions, two fields of view in degrees, foveation.
    Wedge,
    /// Rectangle; parameters: two resolutions. Its inertia is that of a shell.
    Plate,
}

/// How a texture is mapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "mjtTexture")]
pub enum TextureType {
    /// Onto a plane or along texture coordinates.
    Texture2d,
    /// Onto the six faces of a cube around the geom.
    #[default]
    Cube,
    /// Onto the sky.
    Skybox,
}

/// Colour space of an image file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "mjtColorSpace")]
pub enum ColorSpace {
    /// As the file says, else linear.
    #[default]
    Auto,
    /// Linear.
    Linear,
    /// sRGB.
    Srgb,
}

/// A texture made by the compiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "mjtBuiltin")]
pub enum Builtin {
    /// None.
    #[default]
    None,
    /// From the first to the second colour.
    Gradient,
    /// A checkerboard of both colours.
    Checker,
    /// One colour per face.
    Flat,
}

/// Marks drawn over a texture made by the compiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "mjtMark")]
pub enum Mark {
    /// None.
    #[default]
    None,
    /// The edges of every face.
    Edge,
    /// A cross on every face.
    Cross,
    /// Random dots.
    Random,
}

record! {
    /// A mesh: from a file, from numbers, or made by the compiler (`mjsMesh`).
    #[doc(alias = "mjsMesh")]
    Mesh {
        /// Name; the file's without directory and extension if empty.
        name: String = String::new(),
        /// Default class.
        class: usize = 0,
        /// File; empty for none.
        file: String = String::new(),
        /// Media type of the file; empty to go by its extension.
        content_type: String = String::new(),
        /// Vertices, three numbers each.
        vert: Vec<f32> = Vec::new(),
        /// Normals, three numbers each.
        normal: Vec<f32> = Vec::new(),
        /// Texture coordinates, two numbers each.
        texcoord: Vec<f32> = Vec::new(),
        /// Triangles, three vertices each; the convex hull's if empty.
        face: Vec<i32> = Vec::new(),
        /// Shape that the compiler makes.
        builtin: Option<MeshBuiltin> = None,
        /// Its parameters.
        params: Vec<f64> = Vec::new(),
        /// Subtracted from the vertices, first.
        refpos: Vec3 = Vec3::zeros(),
        /// The inverse of this turns the vertices, second.
        refquat: Quat = Quat::IDENTITY,
        /// Multiplies the vertices, third.
        scale: Vec3 = Vec3::repeat(1.0),
        /// How the inertia is computed.
        inertia: MeshInertia = MeshInertia::Legacy,
        /// Whether all faces around a vertex count for its normal, sharp edges too.
        smoothnormal: bool = false,
        /// Largest number of vertices of the convex hull, 4 or more; −1 for no limit.
        maxhullvert: i32 = -1,
        /// Material of geoms that name none; empty for none.
        material: String = String::new(),
        /// Whose compiler settings it is read with; see [`super::Spec::compiler_of`].
        origin: usize = 0,
        /// Where it was written.
        at: Location = Location::default(),
    }
}

record! {
    /// A height field: elevations on a grid (`mjsHField`).
    #[doc(alias = "mjsHField")]
    Hfield {
        /// Name; the file's without directory and extension if empty.
        name: String = String::new(),
        /// File, PNG or MuJoCo's own format; empty for none. It decides the numbers of rows and columns.
        file: String = String::new(),
        /// Media type of the file; empty to go by its extension.
        content_type: String = String::new(),
        /// Half width, half depth, height of the top, depth of the base.
        size: [f64; 4] = [0.0; 4],
        /// Rows.
        nrow: i32 = 0,
        /// Columns.
        ncol: i32 = 0,
        /// Elevations; the first row is the one with the largest y. Empty for a flat field.
        elevation: Vec<f32> = Vec::new(),
        /// Whose compiler settings it is read with; see [`super::Spec::compiler_of`].
        origin: usize = 0,
        /// Where it was written.
        at: Location = Location::default(),
    }
}

record! {
    /// A material (`mjsMaterial`).
    #[doc(alias = "mjsMaterial")]
    Material {
        /// Name.
        name: String = String::new(),
        /// Default class.
        class: usize = 0,
        /// Texture per role, in the order of MuJoCo's texture roles; empty names for none.
        textures: Vec<String> = Vec::new(),
        /// Whether texture coordinates are in space units.
        texuniform: bool = false,
        /// Repetition of 2-D textures.
        texrepeat: [f32; 2] = [1.0; 2],
        /// Emission.
        emission: f32 = 0.0,
        /// Specularity.
        specular: f32 = 0.5,
        /// Shininess.
        shininess: f32 = 0.5,
        /// Reflectance.
        reflectance: f32 = 0.0,
        /// Metallic share; negative means "not given".
        metallic: f32 = -1.0,
        /// Roughness; negative means "not given".
        roughness: f32 = -1.0,
        /// Colour.
        rgba: [f32; 4] = [1.0; 4],
        /// Where it was written.
        at: Location = Location::default(),
    }
}

record! {
    /// A texture (`mjsTexture`).
    #[doc(alias = "mjsTexture")]
    Texture {
        /// Name; the file's without directory and extension if empty.
        name: String = String::new(),
        /// How it is mapped.
        r#type: TextureType = TextureType::Cube,
        /// Colour space of the file.
        colorspace: ColorSpace = ColorSpace::Auto,
        /// Pattern made by the compiler.
        builtin: Builtin = Builtin::None,
        /// Marks drawn over the pattern.
        mark: Mark = Mark::None,
        /// First colour.
        rgb1: [f64; 3] = [0.8; 3],
        /// Second colour.
        rgb2: [f64; 3] = [0.5; 3],
        /// Colour of the marks.
        markrgb: [f64; 3] = [0.0; 3],
        /// Probability of random dots.
        random: f64 = 0.01,
        /// Width in pixels.
        width: i32 = 0,
        /// Height in pixels.
        height: i32 = 0,
        /// Channels per pixel.
        nchannel: i32 = 3,
        /// Media type of the file; empty to go by its extension.
        content_type: String = String::new(),
        /// Image file; empty for none.
        file: String = String::new(),
        /// Rows and columns of a composite file.
        gridsize: [i32; 2] = [1, 1],
        /// Face shown by each cell of the grid: one of `LRFBUD`, or `.` for none.
        gridlayout: String = "............".to_owned(),
        /// One file per face of a cube: right, left, up, down, front, back.
        cubefiles: [String; 6] = Default::default(),
        /// Whether to flip images left to right.
        hflip: bool = false,
        /// Whether to flip images upside down.
        vflip: bool = false,
        /// Whose compiler settings it is read with; see [`super::Spec::compiler_of`].
        origin: usize = 0,
        /// Where it was written.
        at: Location = Location::default(),
    }
}
