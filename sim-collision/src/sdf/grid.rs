//! Distances on a regular grid, supplied by a program.

use std::fmt;

use sim_types::Vec3;
use sim_types::math::clip;

/// A signed distance field sampled on a regular grid: negative inside, positive outside.
///
/// Between the samples it is interpolated linearly along each axis; outside the grid it is the value at the nearest point
/// of the grid plus the way there. MuJoCo has no such field.
#[derive(Clone, Debug, PartialEq)]
pub struct SdfGrid {
    size: [u32; 3],
    cell: f64,
    origin: Vec3,
    values: Vec<f64>,
}

/// A grid in arrays of somebody else; see [`SdfGrid`]. Numbers that are no grid give some distance, never a panic.
#[derive(Clone, Copy, Debug, Default)]
pub struct GridView<'a> {
    /// Samples along x, y, z.
    pub size: [u32; 3],
    /// Their distance from each other.
    pub cell: f64,
    /// Where the first one is.
    pub origin: Vec3,
    /// The samples, along x first, then y, then z.
    pub values: &'a [f64],
}

/// Why numbers are no grid.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum GridError {
    /// Fewer than two samples along an axis, or more than memory can hold.
    Size([usize; 3]),
    /// A cell size that is not positive and finite.
    Cell(f64),
    /// An origin that is not finite.
    Origin,
    /// Another number of samples than the sizes ask for.
    Count {
        /// Number of samples given.
        got: usize,
        /// Number of samples needed.
        want: usize,
    },
    /// A sample that is not finite.
    Value(usize),
}

impl fmt::Display for GridError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(size) => write!(f, "grid of {size:?} samples: expected at least 2 along each axis"),
            Self::Cell(cell) => write!(f, "cell size {cell}: expected a positive number"),
            Self::Origin => write!(f, "grid origin: expected finite numbers"),
            Self::Count { got, want } => write!(f, "{got} samples for a grid of {want}"),
            Self::Value(i) => write!(f, "sample {i}: expected a finite number"),
        }
    }
}

impl std::error::Error for GridError {}

impl SdfGrid {
    /// A grid of `size` samples along x, y, z, `cell` apart, the first at `origin`. Samples run along x first, then y,
    /// then z.
    pub fn new(size: [usize; 3], cell: f64, origin: Vec3, values: Vec<f64>) -> Result<Self, GridError> {
        let want = size[0].checked_mul(size[1]).and_then(|n| n.checked_mul(size[2])).ok_or(GridError::Size(size))?;
        let small = size.map(|n| u32::try_from(n).unwrap_or(0));
        if small.iter().any(|n| *n < 2) {
            return Err(GridError::Size(size));
        }
        if !(cell > 0.0 && cell.is_finite()) {
            return Err(GridError::Cell(cell));
        }
        if origin.iter().any(|x| !x.is_finite()) {
            return Err(GridError::Origin);
        }
        if values.len() != want {
            return Err(GridError::Count { got: values.len(), want });
        }
        if let Some(bad) = values.iter().position(|x| !x.is_finite()) {
            return Err(GridError::Value(bad));
        }
        Ok(Self { size: small, cell, origin, values })
    }

    /// A grid filled by asking `distance` at every sample.
    pub fn from_fn(
        size: [usize; 3],
        cell: f64,
        origin: Vec3,
        mut distance: impl FnMut(&Vec3) -> f64,
    ) -> Result<Self, GridError> {
        // a size that is refused asks for nothing
        let fits = Self::new(size, cell, origin, Vec::new());
        if !matches!(fits, Err(GridError::Count { .. })) {
            return fits;
        }
        let mut values = Vec::new();
        for z in 0..size[2] {
            for y in 0..size[1] {
                for x in 0..size[0] {
                    values.push(distance(&(origin + Vec3::new(x as f64, y as f64, z as f64) * cell)));
                }
            }
        }
        Self::new(size, cell, origin, values)
    }

    /// Centre and half sizes of the grid's box.
    pub fn aabb(&self) -> [f64; 6] {
        self.view().aabb()
    }

    /// Distance of a point, negative inside.
    pub fn distance(&self, p: &Vec3) -> f64 {
        self.view().distance(p)
    }

    /// Direction in which the distance grows, per unit of length.
    pub fn gradient(&self, p: &Vec3) -> Vec3 {
        self.view().gradient(p)
    }

    /// The grid as slices.
    pub fn view(&self) -> GridView<'_> {
        GridView { size: self.size, cell: self.cell, origin: self.origin, values: &self.values }
    }
}

impl GridView<'_> {
    /// Low and high corner.
    pub fn corners(&self) -> (Vec3, Vec3) {
        let span = Vec3::from(self.size.map(|n| f64::from(n.saturating_sub(1)))) * self.cell;
        (self.origin, self.origin + span)
    }

    /// Centre and half sizes of the grid's box.
    pub fn aabb(&self) -> [f64; 6] {
        let (low, high) = self.corners();
        let (centre, half) = (0.5 * (low + high), 0.5 * (high - low));
        [centre.x, centre.y, centre.z, half.x, half.y, half.z]
    }

    /// Distance of a point, negative inside.
    pub fn distance(&self, p: &Vec3) -> f64 {
        let inner = self.clamp(p);
        let (corners, at) = self.cell_at(&inner);
        let mut sum = 0.0;
        for (j, value) in corners.iter().enumerate() {
            sum += side(at.x, j & 1) * side(at.y, j & 2) * side(at.z, j & 4) * value;
        }
        sum + (p - inner).norm()
    }

    /// Direction in which the distance grows, per unit of length.
    pub fn gradient(&self, p: &Vec3) -> Vec3 {
        let inner = self.clamp(p);
        let (corners, at) = self.cell_at(&inner);
        let mut sum = Vec3::zeros();
        for (j, value) in corners.iter().enumerate() {
            let (x, y, z) = (side(at.x, j & 1), side(at.y, j & 2), side(at.z, j & 4));
            let sign = |bit: usize| if j & bit == 0 { -1.0 } else { 1.0 };
            sum += Vec3::new(sign(1) * y * z, x * sign(2) * z, x * y * sign(4)) * *value;
        }
        sum /= self.cell;

        // outside, the way to the grid takes the place of what the grid says across its side
        let way = p - inner;
        let length = way.norm();
        for k in 0..3 {
            if way[k] != 0.0 {
                sum[k] = way[k] / length;
            }
        }
        sum
    }

    /// The nearest point of the grid.
    fn clamp(&self, p: &Vec3) -> Vec3 {
        let (low, high) = self.corners();
        Vec3::new(clip(p.x, low.x, high.x), clip(p.y, low.y, high.y), clip(p.z, low.z, high.z))
    }

    /// Samples at the corners of the cell around a point of the grid, and where in the cell the point is, from 0 to 1.
    fn cell_at(&self, p: &Vec3) -> ([f64; 8], Vec3) {
        let place = (p - self.origin) / self.cell;
        let [nx, ny, nz] = self.size.map(|n| n as usize);
        let cell = |place: f64, n: usize| (place as usize).min(n.saturating_sub(2));
        let [i, j, k] = [cell(place.x, nx), cell(place.y, ny), cell(place.z, nz)];
        let corner = |n: usize| {
            let (x, y, z) = (i + (n & 1), j + (n >> 1 & 1), k + (n >> 2 & 1));
            self.values.get((z * ny + y) * nx + x).copied().unwrap_or_default()
        };
        let corners = [0, 1, 2, 3, 4, 5, 6, 7].map(corner);
        (corners, Vec3::new(place.x - i as f64, place.y - j as f64, place.z - k as f64))
    }
}

/// Weight of the lower (bit clear) or upper side of a cell.
fn side(x: f64, bit: usize) -> f64 {
    if bit == 0 { 1.0 - x } else { x }
}
