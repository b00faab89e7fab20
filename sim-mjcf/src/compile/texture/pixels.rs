//! The pixels of a texture, as the model keeps them.

use super::{ImageError, ImageFile, TextureFiles, TextureShape, pattern};
use crate::spec::{Builtin, Texture, TextureType};
use sim_core::Assets;
use sim_types::OptId;

/// A texture with its pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Pixels {
    /// How it is mapped.
    pub r#type: TextureType,
    /// Size and colour space.
    pub shape: TextureShape,
    /// Rows from the top, `nchannel` bytes per pixel.
    pub data: Vec<u8>,
}

impl Pixels {
    /// Appends the texture to the arrays of the model, without the name of its file.
    pub fn store(&self, a: &mut Assets) {
        a.tex_type.push(self.r#type as u32);
        a.tex_colorspace.push(self.shape.colorspace as u32);
        a.tex_height.push(self.shape.height);
        a.tex_width.push(self.shape.width);
        a.tex_nchannel.push(self.shape.nchannel);
        a.tex_adr.push(a.tex_data.len() as u64);
        a.tex_pathadr.push(OptId::NONE);
        a.tex_data.extend_from_slice(&self.data);
        a.ntex = a.tex_type.len();
        a.ntexdata = a.tex_data.len();
    }
}

/// Decodes the files of a texture whose shape is known to fit them, or draws its pattern.
#[doc(alias = "mjCTexture::Compile")]
pub fn pixels(texture: &Texture, files: &TextureFiles, shape: TextureShape) -> Result<Pixels, ImageError> {
    let channels = shape.nchannel as usize;
    let (width, height) = (shape.width as usize, shape.height as usize);
    let mut data = match files {
        _ if texture.builtin != Builtin::None => pattern::draw(texture, width, height),
        TextureFiles::Single(image) if texture.r#type == TextureType::Texture2d => decoded(texture, image)?,
        TextureFiles::Single(image) => {
            let decoded = decoded(texture, image)?;
            let one = texture.gridsize == [1, 1];
            if one { decoded } else { cut(texture, &decoded, image.width as usize, shape) }
        }
        TextureFiles::Cube(faces) => {
            let mut data = unset_faces(texture, shape);
            let face_size = channels * width * width;
            for (to, image) in data.chunks_exact_mut(face_size.max(1)).zip(faces.iter()) {
                if let Some(image) = image {
                    let from = decoded(texture, image)?;
                    to.iter_mut().zip(from).for_each(|(to, from)| *to = from);
                }
            }
            data
        }
        TextureFiles::None => Vec::new(),
    };
    // raw files have three bytes per pixel and KTX files one, whatever the texture says
    data.resize(channels * width * height, 0);
    Ok(Pixels { r#type: texture.r#type, shape, data })
}

/// The pixels of a file, flipped as the texture says.
#[doc(alias = "mjCTexture::LoadFlip")]
fn decoded(texture: &Texture, image: &ImageFile) -> Result<Vec<u8>, ImageError> {
    let channels = texture.nchannel.max(1) as usize;
    let (width, height) = (image.width as usize, image.height as usize);
    let mut data = image.decode(channels)?;
    data.resize(channels * width * height, 0);
    if texture.hflip {
        for row in data.chunks_exact_mut((channels * width).max(1)) {
            for left in 0..width / 2 {
                let right = width - 1 - left;
                (0..channels).for_each(|c| row.swap(channels * left + c, channels * right + c));
            }
        }
    }
    if texture.vflip {
        let length = channels * width;
        for top in 0..height / 2 {
            let (upper, lower) = data.split_at_mut(length * (height - 1 - top));
            upper[length * top..][..length].swap_with_slice(&mut lower[..length]);
        }
    }
    Ok(data)
}

/// The faces of a cube out of a grid of squares.
#[doc(alias = "mjCTexture::LoadCubeSingle")]
fn cut(texture: &Texture, image: &[u8], image_width: usize, shape: TextureShape) -> Vec<u8> {
    let (side, channels) = (shape.width as usize, shape.nchannel as usize);
    let columns = texture.gridsize[1].max(1) as usize;
    let cells = texture.gridsize[0].max(1) as usize * columns;
    let mut data = unset_faces(texture, shape);
    for (cell, letter) in texture.gridlayout.chars().take(cells).enumerate() {
        let Some(face) = "RLUDFB".find(letter) else { continue };
        let (row, column) = (side * (cell / columns), side * (cell % columns));
        for line in 0..side {
            let from = channels * ((row + line) * image_width + column);
            let to = channels * side * (face * side + line);
            let length = channels * side;
            if let (Some(to), Some(from)) = (data.get_mut(to..to + length), image.get(from..from + length)) {
                to.copy_from_slice(from);
            }
        }
    }
    data
}

/// Six faces in the first colour of the texture.
fn unset_faces(texture: &Texture, shape: TextureShape) -> Vec<u8> {
    let (side, channels) = (shape.width as usize, shape.nchannel as usize);
    let mut colour = vec![255; channels];
    colour.iter_mut().zip(pattern::bytes(&texture.rgb1)).for_each(|(to, from)| *to = from);
    colour.repeat(6 * side * side)
}

#[cfg(test)]
mod tests {
    use super::super::{ImageFormat, check};
    use super::*;

    fn raw(width: u32, height: u32, pixels: &[u8]) -> ImageFile {
        let bytes = width.to_le_bytes().into_iter().chain(height.to_le_bytes()).chain(pixels.iter().copied()).collect();
        ImageFile { format: ImageFormat::Raw, width, height, srgb: false, bytes }
    }

    fn made(texture: &Texture, files: &TextureFiles) -> Pixels {
        pixels(texture, files, check(texture, files).unwrap()).unwrap()
    }

    #[test]
    fn flips_turn_rows_and_columns_around() {
        let file = TextureFiles::Single(raw(2, 2, &[1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]));
        let flat = Texture { r#type: TextureType::Texture2d, ..Texture::default() };
        let firsts = |texture: &Texture| -> Vec<u8> { made(texture, &file).data.into_iter().step_by(3).collect() };
        assert_eq!(firsts(&flat), [1, 2, 3, 4]);
        assert_eq!(firsts(&Texture { hflip: true, ..flat.clone() }), [2, 1, 4, 3]);
        assert_eq!(firsts(&Texture { vflip: true, ..flat }), [3, 4, 1, 2]);
    }

    #[test]
    fn cells_of_a_grid_become_faces_and_the_rest_is_rgb1() {
        let file = TextureFiles::Single(raw(2, 1, &[10, 11, 12, 20, 21, 22]));
        let layout = "UL..........".to_owned();
        let texture = Texture { gridsize: [1, 2], gridlayout: layout, rgb1: [1.0, 0.0, 0.5], ..Texture::default() };
        let made = made(&texture, &file);
        assert_eq!((made.shape.width, made.shape.height), (1, 6));
        let unset = [255, 0, 127];
        let want: Vec<u8> = [unset, [20, 21, 22], [10, 11, 12], unset, unset, unset].concat();
        assert_eq!(made.data, want);
    }

    #[test]
    fn separate_files_fill_their_face() {
        let mut faces = [const { None }; 6];
        faces[5] = Some(raw(1, 1, &[7, 8, 9]));
        let made = made(&Texture::default(), &TextureFiles::Cube(Box::new(faces)));
        assert_eq!(made.data[15..], [7, 8, 9]);
        assert_eq!(made.data[..3], [204; 3]);
    }
}
