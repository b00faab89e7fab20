//! Textures: where their pixels come from, whether that fits, and how to get at them.
//!
//! [`check`] compares a texture with the headers of its files, before anything is decoded; [`pixels`] then decodes or
//! draws it.

mod image;
mod pattern;
mod pixels;

pub use image::{ImageError, ImageFile, ImageFormat};
pub use pixels::{Pixels, pixels};

use crate::spec::{Builtin, ColorSpace, Texture, TextureType};

/// The files of a texture, read but not decoded.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum TextureFiles {
    /// No file.
    #[default]
    None,
    /// One image, or a grid of the faces of a cube.
    Single(ImageFile),
    /// One image per face of a cube: right, left, up, down, front, back.
    Cube(Box<[Option<ImageFile>; 6]>),
}

/// What the model keeps of a texture beside its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureShape {
    /// Pixels in a row.
    pub width: u32,
    /// Rows; the six faces of a cube are above each other.
    pub height: u32,
    /// Bytes per pixel.
    pub nchannel: u32,
    /// Colour space; `Auto` only for textures made by the compiler.
    pub colorspace: ColorSpace,
}

/// Why a texture cannot be used; the caller adds its name and its place.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TextureError {
    /// A size that cannot be.
    #[error("{what} is {value}, expected {expected}")]
    Size {
        /// Which number.
        what: &'static str,
        /// The number.
        value: i64,
        /// What would be right.
        expected: &'static str,
    },
    /// No source of pixels.
    #[error("no pixels: give builtin, file, or one of fileright, fileleft, fileup, filedown, filefront, fileback")]
    Empty,
    /// Six files for a flat texture.
    #[error("a 2d texture is one file; separate files are for type=\"cube\" and \"skybox\"")]
    NotACube,
    /// Images that do not make a cube.
    #[error("an image of {width}×{height} pixels does not fit: expected {expected}")]
    Faces {
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// What would be right.
        expected: String,
    },
    /// A face that there is not.
    #[error("gridlayout has '{0}', expected characters of '.RLUDFB'")]
    Layout(char),
    /// A compressed texture that would have to be flipped.
    #[error("KTX textures cannot be flipped")]
    Flip,
    /// A file that cannot be read.
    #[error(transparent)]
    Image(#[from] ImageError),
}

/// Checks a texture against its files and finds its size.
#[doc(alias = "mjCTexture::Compile")]
pub fn check(texture: &Texture, files: &TextureFiles) -> Result<TextureShape, TextureError> {
    if !matches!(texture.nchannel, 1 | 3 | 4) {
        let value = i64::from(texture.nchannel);
        return Err(TextureError::Size { what: "nchannel", value, expected: "1, 3 or 4" });
    }
    let flat = texture.r#type == TextureType::Texture2d;
    let (width, height, srgb) = match files {
        _ if texture.builtin != Builtin::None => builtin(texture)?,
        TextureFiles::Single(image) => {
            if image.format == ImageFormat::Ktx && (texture.hflip || texture.vflip) {
                return Err(TextureError::Flip);
            }
            let (width, height) = if flat { (image.width, image.height) } else { grid(texture, image)? };
            (width, height, image.srgb)
        }
        TextureFiles::Cube(_) | TextureFiles::None if flat => return Err(TextureError::NotACube),
        TextureFiles::Cube(faces) => cube(faces)?,
        TextureFiles::None => return Err(TextureError::Empty),
    };
    let colorspace = match texture.colorspace {
        ColorSpace::Auto if texture.builtin != Builtin::None => ColorSpace::Auto,
        ColorSpace::Auto if srgb => ColorSpace::Srgb,
        ColorSpace::Auto => ColorSpace::Linear,
        given => given,
    };
    Ok(TextureShape { width, height, nchannel: texture.nchannel as u32, colorspace })
}

/// The size of a texture made by the compiler.
fn builtin(texture: &Texture) -> Result<(u32, u32, bool), TextureError> {
    let positive = |what, value: i32| match u32::try_from(value) {
        Ok(n @ 1..) => Ok(n),
        _ => Err(TextureError::Size { what, value: i64::from(value), expected: "1 or more" }),
    };
    let width = positive("width", texture.width)?;
    let height =
        if texture.r#type == TextureType::Texture2d { positive("height", texture.height)? } else { six_times(width)? };
    check_pixels(width, height)?;
    Ok((width, height, false))
}

/// The size of a cube made from one image: all faces the same, or a grid of faces.
fn grid(texture: &Texture, image: &ImageFile) -> Result<(u32, u32), TextureError> {
    let [rows, columns] = texture.gridsize;
    let cells = i64::from(rows) * i64::from(columns);
    if rows < 1 || columns < 1 || cells > 12 {
        return Err(TextureError::Size { what: "gridsize", value: cells, expected: "1 to 12 squares" });
    }
    let (rows, columns) = (rows as u32, columns as u32);
    let side = image.width / columns;
    if side != image.height / rows || !image.width.is_multiple_of(columns) || !image.height.is_multiple_of(rows) {
        let expected = format!("{rows} rows of {columns} squares");
        return Err(TextureError::Faces { width: image.width, height: image.height, expected });
    }
    if cells == 1 {
        return Ok((side, side));
    }
    let wrong = texture.gridlayout.chars().take(cells as usize).find(|c| !".RLUDFB".contains(*c));
    if let Some(c) = wrong {
        return Err(TextureError::Layout(c));
    }
    let height = six_times(side)?;
    check_pixels(side, height)?;
    Ok((side, height))
}

/// The size of a cube made from separate images, all square and alike.
fn cube(faces: &[Option<ImageFile>; 6]) -> Result<(u32, u32, bool), TextureError> {
    let mut given = faces.iter().flatten();
    let first = given.next().ok_or(TextureError::Empty)?;
    for image in faces.iter().flatten() {
        if image.width != image.height || image.width != first.width {
            let expected = format!("a square of {} pixels", first.width);
            return Err(TextureError::Faces { width: image.width, height: image.height, expected });
        }
    }
    let height = six_times(first.width)?;
    check_pixels(first.width, height)?;
    Ok((first.width, height, first.srgb))
}

fn six_times(width: u32) -> Result<u32, TextureError> {
    let limit = i32::MAX as u32 / 6;
    if width >= limit {
        return Err(TextureError::Size { what: "width", value: i64::from(width), expected: "less than 357913941" });
    }
    Ok(6 * width)
}

fn check_pixels(width: u32, height: u32) -> Result<(), TextureError> {
    let value = i64::from(width) * i64::from(height);
    if value > image::MAX_PIXELS as i64 {
        return Err(TextureError::Size { what: "number of pixels", value, expected: image::PIXEL_LIMIT });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(width: u32, height: u32) -> ImageFile {
        ImageFile { format: ImageFormat::Png, width, height, srgb: true, bytes: Vec::new() }
    }

    #[test]
    fn builtin_cubes_have_six_faces() {
        let mut texture = Texture { builtin: Builtin::Checker, width: 8, height: 3, ..Texture::default() };
        let shape = check(&texture, &TextureFiles::None).unwrap();
        assert_eq!((shape.width, shape.height, shape.colorspace), (8, 48, ColorSpace::Auto));
        texture.r#type = TextureType::Texture2d;
        assert_eq!(check(&texture, &TextureFiles::None).unwrap().height, 3);
        for (width, height) in [(0, 1), (1, 0), (-1, 1), (i32::MAX, i32::MAX)] {
            (texture.width, texture.height) = (width, height);
            assert!(matches!(check(&texture, &TextureFiles::None), Err(TextureError::Size { .. })));
        }
    }

    #[test]
    fn grids_are_cut_into_squares() {
        let mut texture = Texture { gridsize: [3, 4], gridlayout: ".U..LFRB.D..".to_owned(), ..Texture::default() };
        let shape = check(&texture, &TextureFiles::Single(image(40, 30))).unwrap();
        assert_eq!((shape.width, shape.height, shape.colorspace), (10, 60, ColorSpace::Srgb));
        assert!(matches!(check(&texture, &TextureFiles::Single(image(41, 30))), Err(TextureError::Faces { .. })));
        texture.gridlayout = ".X..........".to_owned();
        assert_eq!(check(&texture, &TextureFiles::Single(image(40, 30))), Err(TextureError::Layout('X')));
        texture.gridsize = [3, 5];
        assert!(matches!(check(&texture, &TextureFiles::Single(image(50, 30))), Err(TextureError::Size { .. })));
        texture.gridsize = [1, 1];
        assert_eq!(check(&texture, &TextureFiles::Single(image(7, 7))).unwrap().height, 7);
    }

    #[test]
    fn separate_faces_must_be_alike() {
        let texture = Texture::default();
        let cube = |a, b| TextureFiles::Cube(Box::new([None, Some(a), None, Some(b), None, None]));
        assert_eq!(check(&texture, &cube(image(4, 4), image(4, 4))).unwrap().height, 24);
        assert!(check(&texture, &cube(image(4, 4), image(5, 5))).is_err());
        assert!(check(&texture, &cube(image(4, 5), image(4, 4))).is_err());
        assert_eq!(check(&texture, &TextureFiles::None), Err(TextureError::Empty));
        let flat = Texture { r#type: TextureType::Texture2d, ..Texture::default() };
        assert_eq!(check(&flat, &cube(image(4, 4), image(4, 4))), Err(TextureError::NotACube));
    }
}
