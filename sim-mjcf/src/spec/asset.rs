//! Materials and textures.

use crate::error::Location;

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
        /// Name.
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
        /// Where it was written.
        at: Location = Location::default(),
    }
}
