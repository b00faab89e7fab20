//! Height fields: elevations on a grid, scaled to lie between 0 and 1.

use super::mesh::media_type;
use super::texture::{ImageError, ImageFile};
use sim_core::Assets;
use sim_types::OptId;

/// Most elevations a height field may have.
const MAX_ELEVATIONS: u64 = 1 << 26;

/// A compiled height field.
#[derive(Clone, Debug, PartialEq)]
pub struct Hfield {
    /// Half width, half depth, height of the top, depth of the base.
    pub size: [f64; 4],
    /// Rows, along y.
    pub nrow: usize,
    /// Columns, along x.
    pub ncol: usize,
    /// Elevations between 0 and 1; the first row is the one with the smallest y.
    pub data: Vec<f32>,
}

/// Where elevations come from.
#[derive(Clone, Copy, Debug)]
pub enum HfieldSource<'a> {
    /// From the model.
    Inline {
        /// Rows.
        nrow: i32,
        /// Columns.
        ncol: i32,
        /// Elevations as written: the first row is the one with the largest y. Empty for a flat field.
        elevation: &'a [f32],
    },
    /// From a file: a PNG, or MuJoCo's own format.
    File {
        /// Its content.
        bytes: &'a [u8],
        /// Its name.
        file: &'a str,
        /// Its media type; empty to go by the extension.
        content_type: &'a str,
    },
}

/// Why a height field cannot be used; the caller adds its name and its place.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HfieldError {
    /// A size that is not positive.
    #[error("size {0:?}: all four must be positive")]
    Size([f64; 4]),
    /// No rows or no columns.
    #[error("{nrow} rows of {ncol} columns: both must be positive")]
    Dimensions {
        /// Rows.
        nrow: i32,
        /// Columns.
        ncol: i32,
    },
    /// More elevations than allowed.
    #[error("{nrow} rows of {ncol} columns are too many: expected at most {MAX_ELEVATIONS} elevations")]
    TooLarge {
        /// Rows.
        nrow: i32,
        /// Columns.
        ncol: i32,
    },
    /// Rows and columns that do not fit the elevations.
    #[error("{count} elevations, expected nrow × ncol = {expected}")]
    Count {
        /// Elevations found.
        count: usize,
        /// Elevations there should be.
        expected: usize,
    },
    /// A file that is no height field.
    #[error("the file has {size} bytes, expected {expected}")]
    FileSize {
        /// Bytes in the file.
        size: usize,
        /// What would be right.
        expected: String,
    },
    /// A file of another kind.
    #[error("cannot read elevations from a file of type '{0}'; use PNG or MuJoCo's own format")]
    Format(String),
    /// An elevation that is NaN or infinite.
    #[error("elevations must be finite numbers")]
    Range,
    /// An image that cannot be read.
    #[error(transparent)]
    Image(#[from] ImageError),
}

/// Compiles a height field: reads the elevations and scales them to lie between 0 and 1.
#[doc(alias = "mjCHField::Compile")]
pub fn compile(size: [f64; 4], source: HfieldSource) -> Result<Hfield, HfieldError> {
    if !size.iter().all(|x| *x > 0.0 && x.is_finite()) {
        return Err(HfieldError::Size(size));
    }
    let (nrow, ncol, mut data) = match source {
        HfieldSource::Inline { nrow, ncol, elevation } => inline(nrow, ncol, elevation)?,
        HfieldSource::File { bytes, file, content_type } => match media_type(file, content_type).as_deref() {
            Some("image/png") => from_png(bytes)?,
            Some("image/vnd.mujoco.hfield") | None => from_binary(bytes)?,
            Some(other) => return Err(HfieldError::Format(other.to_owned())),
        },
    };
    normalize(&mut data)?;
    Ok(Hfield { size, nrow, ncol, data })
}

/// Appends a height field to the arrays of the model, without the name of its file.
pub fn store(field: &Hfield, a: &mut Assets) {
    a.hfield_size.push(field.size);
    a.hfield_nrow.push(field.nrow as u32);
    a.hfield_ncol.push(field.ncol as u32);
    a.hfield_adr.push(a.hfield_data.len() as u32);
    a.hfield_pathadr.push(OptId::NONE);
    a.hfield_data.extend_from_slice(&field.data);
    a.nhfield = a.hfield_size.len();
    a.nhfielddata = a.hfield_data.len();
}

impl Hfield {
    /// Size of the geom: half width, half depth, half the mean height with its base.
    pub fn geom_size(&self) -> [f64; 3] {
        let [x, y, top, base] = self.size;
        [x, y, 0.25 * top + 0.5 * base]
    }

    /// Radius of the sphere around the geom's frame that holds everything.
    pub fn rbound(&self) -> f64 {
        let [x, y, top, base] = self.size;
        let z = top.max(base);
        (x * x + y * y + z * z).sqrt()
    }

    /// Centre and half sizes of the bounding box, as in `geom_aabb`.
    pub fn aabb(&self) -> [f64; 6] {
        let [x, y, top, base] = self.size;
        [0.0, 0.0, (top - base) / 2.0, x, y, f64::midpoint(top, base)]
    }
}

fn dimensions(nrow: i32, ncol: i32) -> Result<(usize, usize), HfieldError> {
    if nrow < 1 || ncol < 1 {
        return Err(HfieldError::Dimensions { nrow, ncol });
    }
    if nrow as u64 * ncol as u64 > MAX_ELEVATIONS {
        return Err(HfieldError::TooLarge { nrow, ncol });
    }
    Ok((nrow as usize, ncol as usize))
}

type Elevations = (usize, usize, Vec<f32>);

fn inline(nrow: i32, ncol: i32, elevation: &[f32]) -> Result<Elevations, HfieldError> {
    let (nrow, ncol) = dimensions(nrow, ncol)?;
    if elevation.is_empty() {
        return Ok((nrow, ncol, vec![0.0; nrow * ncol]));
    }
    if elevation.len() != nrow * ncol {
        return Err(HfieldError::Count { count: elevation.len(), expected: nrow * ncol });
    }
    let rows = elevation.chunks_exact(ncol).rev();
    Ok((nrow, ncol, rows.flatten().copied().collect()))
}

/// Brightness is elevation; the bottom of the image is the first row.
fn from_png(bytes: &[u8]) -> Result<Elevations, HfieldError> {
    let image = ImageFile::read_png(bytes.to_vec())?;
    let pixels = image.decode(1)?;
    let (nrow, ncol) = dimensions(image.height as i32, image.width as i32)?;
    let rows = pixels.chunks_exact(ncol).rev();
    Ok((nrow, ncol, rows.flatten().map(|&p| f32::from(p)).collect()))
}

/// Two 32-bit numbers, rows and columns, then the elevations in single precision.
fn from_binary(bytes: &[u8]) -> Result<Elevations, HfieldError> {
    let size = bytes.len();
    let Some((&[nrow, ncol], rest)) = bytes
        .split_first_chunk::<8>()
        .map(|(h, rest)| (h.as_chunks().0, rest))
        .and_then(|(words, rest)| words.first_chunk::<2>().map(|header| (header, rest)))
    else {
        return Err(HfieldError::FileSize { size, expected: "a header of 8".to_owned() });
    };
    let (nrow, ncol) = dimensions(i32::from_le_bytes(nrow), i32::from_le_bytes(ncol))?;
    if rest.len() != 4 * nrow * ncol {
        let expected = format!("{} for {nrow} rows of {ncol} columns", 8 + 4 * nrow * ncol);
        return Err(HfieldError::FileSize { size, expected });
    }
    Ok((nrow, ncol, rest.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect()))
}

/// Scales to 0…1; a flat field becomes zero.
fn normalize(data: &mut [f32]) -> Result<(), HfieldError> {
    let (mut min, mut max) = (1e10f32, -1e10f32);
    for &x in data.iter() {
        if !x.is_finite() {
            return Err(HfieldError::Range);
        }
        min = min.min(x);
        max = max.max(x);
    }
    if min > max {
        return Err(HfieldError::Range);
    }
    let range = max - min;
    for x in data {
        *x -= min;
        if f64::from(range) > super::pose::EPS {
            *x /= range;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SIZE: [f64; 4] = [1.0, 2.0, 0.5, 0.25];

    fn inline(nrow: i32, ncol: i32, elevation: &[f32]) -> Result<Hfield, HfieldError> {
        compile(SIZE, HfieldSource::Inline { nrow, ncol, elevation })
    }

    fn file(bytes: &[u8], file: &str) -> Result<Hfield, HfieldError> {
        compile(SIZE, HfieldSource::File { bytes, file, content_type: "" })
    }

    fn binary(nrow: i32, ncol: i32, data: &[f32]) -> Vec<u8> {
        let mut bytes: Vec<u8> = [nrow, ncol].iter().flat_map(|n| n.to_le_bytes()).collect();
        bytes.extend(data.iter().flat_map(|x| x.to_le_bytes()));
        bytes
    }

    #[test]
    fn rows_of_the_model_run_from_far_to_near_those_of_a_binary_file_do_not() {
        let field = inline(2, 3, &[2.0, 3.0, 4.0, 5.0, 6.0, 2.0]).unwrap();
        assert_eq!(field.data, [0.75, 1.0, 0.0, 0.0, 0.25, 0.5]);
        let field = file(&binary(2, 3, &[2.0, 3.0, 4.0, 5.0, 6.0, 2.0]), "x.bin").unwrap();
        assert_eq!(field.data, [0.0, 0.25, 0.5, 0.75, 1.0, 0.0]);
    }

    #[test]
    fn an_image_is_turned_upside_down() {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 2, 2);
        encoder.set_color(png::ColorType::Rgb);
        let pixels = [0, 9, 9, 100, 9, 9, 50, 9, 9, 25, 9, 9];
        encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
        let field = file(&bytes, "x.png").unwrap();
        assert_eq!((field.nrow, field.ncol), (2, 2));
        assert_eq!(field.data, [0.5, 0.25, 0.0, 1.0]);
    }

    #[test]
    fn a_flat_field_is_zero() {
        assert_eq!(inline(2, 2, &[]).unwrap().data, [0.0; 4]);
        assert_eq!(inline(1, 2, &[3.0, 3.0]).unwrap().data, [0.0; 2]);
    }

    #[test]
    fn geom_sizes_follow_from_the_field() {
        let field = inline(1, 1, &[]).unwrap();
        assert_eq!(field.geom_size(), [1.0, 2.0, 0.25]);
        assert_eq!(field.aabb(), [0.0, 0.0, 0.125, 1.0, 2.0, 0.375]);
        assert!((field.rbound() - 5.25f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert!(matches!(inline(0, 3, &[]), Err(HfieldError::Dimensions { .. })));
        assert!(matches!(inline(i32::MAX, i32::MAX, &[]), Err(HfieldError::TooLarge { .. })));
        assert!(matches!(inline(2, 2, &[1.0; 3]), Err(HfieldError::Count { .. })));
        assert_eq!(inline(1, 2, &[f32::NAN, 1.0]), Err(HfieldError::Range));
        assert!(matches!(file(&[0; 7], "x"), Err(HfieldError::FileSize { .. })));
        assert!(matches!(file(&binary(2, 2, &[0.0; 3]), "x"), Err(HfieldError::FileSize { .. })));
        assert!(matches!(file(&[], "x.stl"), Err(HfieldError::Format(_))));
        assert!(matches!(file(&[1, 2, 3], "x.png"), Err(HfieldError::Image(_))));
        let source = HfieldSource::Inline { nrow: 1, ncol: 1, elevation: &[] };
        assert!(matches!(compile([1.0, 1.0, 0.0, 1.0], source), Err(HfieldError::Size(_))));
    }

    proptest! {
        /// Whatever the elevations are, they end between 0 and 1, and both are reached unless the field is flat.
        #[test]
        fn elevations_are_scaled(data in prop::collection::vec(-1e6f32..1e6, 6)) {
            let field = inline(2, 3, &data).unwrap();
            let min = field.data.iter().copied().fold(f32::MAX, f32::min);
            let max = field.data.iter().copied().fold(f32::MIN, f32::max);
            prop_assert_eq!(min, 0.0);
            prop_assert!(max == 1.0 || (max == 0.0 && data.iter().all(|x| *x == data[0])));
        }
    }
}
