//! Rays against terrains, in their frame.

use super::mesh::Basis;
use super::solid::{cuboid, faces};
use super::{Hit, Ray};
use crate::{HfieldView, Posed};
use sim_types::Vec3;

/// The base, the surface, and the sides between them. `ray` is in the frame of the field, as is the result.
///
/// The boxes under and over the zero of the field have frames of their own: a ray along a border of theirs is decided by
/// the last bit, and MuJoCo moves their centres in the world.
#[doc(alias = "mj_rayHfield")]
pub(super) fn hfield(field: &HfieldView<'_>, posed: &Posed<'_>, start: &Vec3, ray: &Ray) -> Option<Hit> {
    let [width, depth, height, base] = field.size;
    let up: Vec3 = posed.mat.column(2).into();
    let seen_from = |pos: Vec3| Ray { origin: Posed { pos, ..*posed }.to_local(start), dir: ray.dir };
    let under = seen_from(posed.pos - up * base * 0.5);
    let over = seen_from(posed.pos + up * height * 0.5);
    let mut best = cuboid(&Vec3::new(width, depth, base * 0.5), &under);

    // nothing more unless the ray enters the box between base and highest point
    let mut sides = [None; 6];
    faces(&Vec3::new(width, depth, height * 0.5), &over, |face, dist| sides[face] = Some(dist));
    let Some(nearest) = sides.iter().flatten().copied().reduce(f64::min) else { return best };
    if field.nrow < 2 || field.ncol < 2 || field.data.len() < field.nrow.saturating_mul(field.ncol) {
        return best;
    }

    // part of the ray inside that box; it starts there when one side is crossed
    let mut segment = [0.0, nearest];
    for dist in sides.iter().flatten() {
        if *dist > segment[1] {
            segment = [nearest, *dist];
        }
    }
    let grid = Grid::new(field);
    let basis = Basis::new(&ray.dir);
    grid.cells_under(ray, segment, |row, col| {
        for triangle in grid.triangles(row, col) {
            Hit::keep_nearer(&mut best, basis.triangle(&triangle, ray));
        }
    });
    for (face, dist) in sides.iter().enumerate().take(4) {
        if let Some(dist) = *dist
            && grid.side_is_solid(face, &ray.at(dist))
        {
            let mut normal = Vec3::zeros();
            normal[face / 2] = if face % 2 == 1 { 1.0 } else { -1.0 };
            Hit::keep_nearer(&mut best, Some(Hit { dist, normal }));
        }
    }
    best
}

/// The grid of a terrain with at least two rows and columns.
struct Grid<'a> {
    field: &'a HfieldView<'a>,
    /// Size of a cell along x and y.
    cell: [f64; 2],
}

impl<'a> Grid<'a> {
    fn new(field: &'a HfieldView<'a>) -> Self {
        let cell = |half: f64, count: usize| (2.0 * half) / (count - 1) as f64;
        Self { field, cell: [cell(field.size[0], field.ncol), cell(field.size[1], field.nrow)] }
    }

    fn elevation(&self, row: usize, col: usize) -> f64 {
        self.field.data.get(row * self.field.ncol + col).map_or(0.0, |z| f64::from(*z))
    }

    fn vertex(&self, row: usize, col: usize) -> Vec3 {
        let [width, depth, height, _] = self.field.size;
        let [dx, dy] = self.cell;
        Vec3::new(dx * col as f64 - width, dy * row as f64 - depth, self.elevation(row, col) * height)
    }

    /// The two triangles over a cell.
    fn triangles(&self, row: usize, col: usize) -> [[Vec3; 3]; 2] {
        let (low, high) = (self.vertex(row, col), self.vertex(row + 1, col + 1));
        [[low, self.vertex(row, col + 1), high], [low, high, self.vertex(row + 1, col)]]
    }

    /// True when the surface over a cell comes between two elevations.
    #[inline]
    fn reaches(&self, row: usize, col: usize, [low, high]: [f64; 2]) -> bool {
        let at = row * self.field.ncol + col;
        let (Some(&[a, b]), Some(&[c, d])) = (
            self.field.data.get(at..).and_then(|row| row.first_chunk()),
            self.field.data.get(at + self.field.ncol..).and_then(|row| row.first_chunk()),
        ) else {
            return true;
        };
        let corners = [a, b, c, d].map(f64::from);
        !(corners.iter().all(|z| *z < low) || corners.iter().all(|z| *z > high))
    }

    /// Elevations that a part of the ray passes, and a hair more.
    fn heights(&self, ray: &Ray, part: [f64; 2]) -> [f64; 2] {
        let height = self.field.size[2];
        let [a, b] = part.map(|t| (ray.origin.z + t * ray.dir.z) / height);
        let hair = 1e-9 * (1.0 + a.abs() + b.abs());
        // a surface without height is always looked at
        if height > 0.0 { [a.min(b) - hair, a.max(b) + hair] } else { [f64::NEG_INFINITY, f64::INFINITY] }
    }

    /// Calls `found` for every cell that a part of the ray passes over at the height of the surface, and some around, row
    /// by row.
    fn cells_under(&self, ray: &Ray, segment: [f64; 2], mut found: impl FnMut(usize, usize)) {
        let start = [ray.origin.x + self.field.size[0], ray.origin.y + self.field.size[1]];
        let place = |k: usize, t: f64| (start[k] + t * ray.dir[k]) / self.cell[k];
        let span = |k: usize, t: [f64; 2], last: usize| {
            let (a, b) = (place(k, t[0]), place(k, t[1]));
            // one cell more on each side; the casts clamp
            let low = (a.min(b).floor() - 1.0).max(0.0) as usize;
            let high = ((a.max(b).ceil() + 1.0).max(0.0) as usize).min(last);
            low..high
        };
        let across = ray.dir.y / self.cell[1];
        // elevation of the ray over a column; one that hardly crosses columns, or has no elevation, has no such slope
        let slope = ray.dir.z / (ray.dir.x / self.cell[0]) / self.field.size[2];
        let along = (ray.origin.z / self.field.size[2] - slope * place(0, 0.0), slope);
        let flat = !(along.0.abs() < 1e6 && slope.abs() < 1e6);
        let hair = 1e-9 * (1.0 + along.0.abs() + slope.abs() * self.field.ncol as f64);
        for row in span(1, segment, self.field.nrow - 1) {
            // the part of the ray over this row and its neighbours
            let mut part = segment;
            if across != 0.0 {
                let enter = (row as f64 - 1.0 - place(1, 0.0)) / across;
                let leave = (row as f64 + 2.0 - place(1, 0.0)) / across;
                let (enter, leave) = if enter < leave { (enter, leave) } else { (leave, enter) };
                part = [part[0].max(enter), part[1].min(leave)];
            }
            let [low, high] = self.heights(ray, part);
            for col in span(0, part, self.field.ncol - 1) {
                // over this column and its neighbours the ray is higher or lower by so much
                let (a, b) = (along.0 + along.1 * (col as f64 - 1.0), along.0 + along.1 * (col as f64 + 2.0));
                let near = [low.max(a.min(b) - hair), high.min(a.max(b) + hair)];
                if self.reaches(row, col, if flat { [low, high] } else { near }) {
                    found(row, col);
                }
            }
        }
    }

    /// True when a point on a side wall (−x, +x, −y, +y) is below the edge of the surface.
    fn side_is_solid(&self, side: usize, point: &Vec3) -> bool {
        let Grid { field: HfieldView { size, nrow, ncol, .. }, cell } = self;
        let far = side % 2 == 1;
        let (place, count) =
            if side < 2 { ((point.y + size[1]) / cell[1], *nrow) } else { ((point.x + size[0]) / cell[0], *ncol) };
        let index = (place.floor().max(0.0) as usize).min(count - 2);
        let (low, high) = if side < 2 {
            let col = if far { ncol - 1 } else { 0 };
            (self.elevation(index, col), self.elevation(index + 1, col))
        } else {
            let row = if far { nrow - 1 } else { 0 };
            (self.elevation(row, index), self.elevation(row, index + 1))
        };
        let part = index as f64;
        point.z / size[2] < low * (part + 1.0 - place) + high * (place - part)
    }
}
