//! Image files: PNG, and the raw formats MuJoCo knows.

use crate::compile::mesh::media_type;
use std::io::Cursor;

/// Most pixels an image may have.
pub(super) const MAX_PIXELS: u64 = 1 << 26;
/// The same in words.
pub(super) const PIXEL_LIMIT: &str = "at most 67108864";

/// How an image file is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageFormat {
    /// PNG.
    Png,
    /// KTX, handed to the graphics card as it is.
    Ktx,
    /// Width and height as 32-bit numbers, then three bytes per pixel.
    Raw,
}

/// An image file, not decoded.
#[derive(Clone, Debug, PartialEq)]
pub struct ImageFile {
    /// How it is stored.
    pub format: ImageFormat,
    /// Pixels in a row.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
    /// Whether the file says that its colours are sRGB.
    pub srgb: bool,
    /// The whole file.
    pub bytes: Vec<u8>,
}

/// Why an image cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// A format nobody knows.
    #[error("cannot read an image of type '{0}'; PNG, KTX and MuJoCo's own format are supported")]
    Format(String),
    /// A file that is not what it says.
    #[error("broken image: {0}")]
    Broken(String),
    /// More pixels than allowed.
    #[error("an image of {0}×{1} pixels is too large, expected {PIXEL_LIMIT}")]
    TooLarge(u32, u32),
}

impl ImageFile {
    /// Reads the header of an image; the format is known by content type or extension, and is raw if unknown.
    pub fn read(bytes: Vec<u8>, file: &str, content_type: &str) -> Result<Self, ImageError> {
        match media_type(file, content_type).as_deref() {
            Some("image/png") => Self::read_png(bytes),
            Some("image/ktx") => {
                let width = u32::try_from(bytes.len()).map_err(|_| ImageError::TooLarge(u32::MAX, 1))?;
                if width == 0 {
                    return Err(ImageError::Broken("the file is empty".to_owned()));
                }
                Ok(Self { format: ImageFormat::Ktx, width, height: 1, srgb: false, bytes })
            }
            Some("image/vnd.mujoco.texture") | None => Self::read_raw(bytes),
            Some(other) => Err(ImageError::Format(other.to_owned())),
        }
    }

    /// Reads the header of a PNG file.
    pub fn read_png(bytes: Vec<u8>) -> Result<Self, ImageError> {
        let mut decoder = png::Decoder::new(Cursor::new(bytes.as_slice()));
        let info = decoder.read_header_info().map_err(|error| broken(&error))?;
        let (width, height) = (info.width, info.height);
        if u64::from(width) * u64::from(height) > MAX_PIXELS {
            return Err(ImageError::TooLarge(width, height));
        }
        // what comes before the pixels tells the colour space
        let srgb = decoder.read_info().map_err(|error| broken(&error))?.info().srgb.is_some();
        Ok(Self { format: ImageFormat::Png, width, height, srgb, bytes })
    }

    fn read_raw(bytes: Vec<u8>) -> Result<Self, ImageError> {
        let number = |at: usize| {
            let word = bytes.get(at..).and_then(<[u8]>::first_chunk);
            word.map_or(0, |word| i32::from_le_bytes(*word))
        };
        let (width, height) = (number(0), number(4));
        let expected = 8 + 3 * i64::from(width) * i64::from(height);
        if width < 1 || height < 1 || bytes.len() as i64 != expected {
            let message = format!("not a PNG, and {} bytes are no raw image of {width}×{height} pixels", bytes.len());
            return Err(ImageError::Broken(message));
        }
        Ok(Self { format: ImageFormat::Raw, width: width as u32, height: height as u32, srgb: false, bytes })
    }

    /// The pixels, row by row from the top, with 1 (grey), 3 (colour) or 4 (colour and opacity) bytes each.
    ///
    /// Grey is the red of a colour; missing opacity is full. A KTX file is returned as it is.
    pub fn decode(&self, nchannel: usize) -> Result<Vec<u8>, ImageError> {
        match self.format {
            ImageFormat::Png => decode_png(&self.bytes, nchannel),
            ImageFormat::Ktx => Ok(self.bytes.clone()),
            ImageFormat::Raw => Ok(self.bytes.get(8..).unwrap_or_default().to_vec()),
        }
    }
}

fn decode_png(bytes: &[u8], nchannel: usize) -> Result<Vec<u8>, ImageError> {
    let limits = png::Limits { bytes: 16 * MAX_PIXELS as usize };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(|error| broken(&error))?;
    let (width, height) = (reader.info().width, reader.info().height);
    let size = reader.output_buffer_size().filter(|_| u64::from(width) * u64::from(height) <= MAX_PIXELS);
    let mut pixels = vec![0; size.ok_or(ImageError::TooLarge(width, height))?];
    let frame = reader.next_frame(&mut pixels).map_err(|error| broken(&error))?;
    pixels.truncate(frame.buffer_size());
    let stored = frame.color_type.samples();
    if stored == nchannel {
        return Ok(pixels);
    }
    let mut out = Vec::with_capacity(pixels.len() / stored * nchannel);
    for pixel in pixels.chunks_exact(stored) {
        let (colour, opacity) = match *pixel {
            [grey] => ([grey; 3], 255),
            [grey, opacity] => ([grey; 3], opacity),
            [r, g, b] => ([r, g, b], 255),
            [r, g, b, opacity] => ([r, g, b], opacity),
            _ => continue,
        };
        match nchannel {
            1 => out.push(colour[0]),
            3 => out.extend(colour),
            _ => out.extend([colour[0], colour[1], colour[2], opacity]),
        }
    }
    Ok(out)
}

fn broken(error: &png::DecodingError) -> ImageError {
    ImageError::Broken(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn encode(width: u32, height: u32, color: png::ColorType, data: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(color);
        encoder.write_header().unwrap().write_image_data(data).unwrap();
        bytes
    }

    #[test]
    fn colours_become_what_is_asked_for() {
        let bytes = encode(2, 1, png::ColorType::Rgb, &[1, 2, 3, 4, 5, 6]);
        let image = ImageFile::read(bytes, "a.PNG", "").unwrap();
        assert_eq!((image.width, image.height, image.srgb), (2, 1, false));
        assert_eq!(image.decode(1).unwrap(), [1, 4]);
        assert_eq!(image.decode(3).unwrap(), [1, 2, 3, 4, 5, 6]);
        assert_eq!(image.decode(4).unwrap(), [1, 2, 3, 255, 4, 5, 6, 255]);
        let grey = ImageFile::read(encode(1, 2, png::ColorType::GrayscaleAlpha, &[7, 8, 9, 10]), "a.png", "").unwrap();
        assert_eq!(grey.decode(4).unwrap(), [7, 7, 7, 8, 9, 9, 9, 10]);
        assert_eq!(grey.decode(1).unwrap(), [7, 9]);
    }

    #[test]
    fn unknown_files_are_raw() {
        let mut bytes = vec![1, 0, 0, 0, 2, 0, 0, 0];
        bytes.extend([1, 2, 3, 4, 5, 6]);
        let image = ImageFile::read(bytes.clone(), "a.bin", "").unwrap();
        assert_eq!(image.decode(3).unwrap(), [1, 2, 3, 4, 5, 6]);
        bytes.push(0);
        assert!(matches!(ImageFile::read(bytes, "a.bin", ""), Err(ImageError::Broken(_))));
        assert!(matches!(ImageFile::read(vec![0; 3], "a", ""), Err(ImageError::Broken(_))));
        assert!(matches!(ImageFile::read(vec![0; 3], "a.stl", ""), Err(ImageError::Format(_))));
    }

    proptest! {
        /// A PNG with any bytes changed is read or refused, never worse.
        #[test]
        fn broken_files_are_refused(changes in prop::collection::vec((0usize..200, any::<u8>()), 1..8)) {
            let mut bytes = encode(8, 8, png::ColorType::Rgb, &[77; 192]);
            for (at, value) in changes {
                let at = at % bytes.len();
                bytes[at] = value;
            }
            if let Ok(image) = ImageFile::read(bytes, "a.png", "") {
                let _ = image.decode(3);
            }
        }
    }
}
