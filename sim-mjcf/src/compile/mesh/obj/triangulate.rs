//! Polygons to triangles by removing ears, in the order MuJoCo's loader removes them.

use super::Corner;

/// Corners compared with an ear, over the whole file; a file with more is refused rather than waited for.
const BUDGET: u64 = 100_000_000;

/// Cuts polygons and counts the work.
#[derive(Default)]
pub(super) struct Triangulator {
    work: u64,
}

impl Triangulator {
    /// Adds the triangles of a polygon; one with fewer than three corners has none.
    pub(super) fn cut(
        &mut self,
        mut left: Vec<Corner>,
        vert: &[f32],
        out: &mut Vec<[Corner; 3]>,
    ) -> Result<(), String> {
        if left.len() > 3 {
            self.remove_ears(&mut left, vert, out)?;
        }
        if let &[a, b, c] = left.as_slice() {
            out.push([a, b, c]);
        }
        Ok(())
    }

    fn remove_ears(&mut self, left: &mut Vec<Corner>, vert: &[f32], out: &mut Vec<[Corner; 3]>) -> Result<(), String> {
        let axes = projection(left, vert);
        let flat = |corner: &Corner| project(corner, axes, vert);
        let area = area(left, &flat);

        // try corners in turn; give up after a round without an ear
        let (mut guess, mut tries, mut before) = (0, left.len(), left.len());
        while left.len() > 3 && tries > 0 {
            let n = left.len();
            if guess >= n {
                guess -= n;
            }
            if before == n {
                tries -= 1;
            } else {
                (before, tries) = (n, n);
            }
            let ear = [left[guess], left[(guess + 1) % n], left[(guess + 2) % n]];
            let triangle = ear.map(|corner| flat(&corner).unwrap_or([0.0; 2]));
            let [[x0, y0], [x1, y1], [x2, y2]] = triangle;
            let cross = (x1 - x0) * (y2 - y1) - (y1 - y0) * (x2 - x1);
            self.work += n as u64;
            if self.work > BUDGET {
                return Err("polygons with too many corners; triangulate the mesh".to_owned());
            }
            let mut others = (3..n).filter_map(|k| flat(&left[(guess + k) % n]));
            if cross * area < 0.0 || others.any(|point| contains(&triangle, point)) {
                guess += 1;
                continue;
            }
            out.push(ear);
            left.remove((guess + 1) % n);
        }
        Ok(())
    }
}

/// The two axes that show the polygon best: those across its normal at the first real corner.
fn projection(polygon: &[Corner], vert: &[f32]) -> [usize; 2] {
    let n = polygon.len();
    let at = |k: usize| point(&polygon[k % n], vert);
    for k in 0..n {
        let (Some(a), Some(b), Some(c)) = (at(k), at(k + 1), at(k + 2)) else { continue };
        let (e0, e1) = ([b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - b[0], c[1] - b[1], c[2] - b[2]]);
        let x = (e0[1] * e1[2] - e0[2] * e1[1]).abs();
        let y = (e0[2] * e1[0] - e0[0] * e1[2]).abs();
        let z = (e0[0] * e1[1] - e0[1] * e1[0]).abs();
        if x > f32::EPSILON || y > f32::EPSILON || z > f32::EPSILON {
            return if x > y && x > z {
                [1, 2]
            } else if z > x && z > y {
                [0, 1]
            } else {
                [0, 2]
            };
        }
    }
    [1, 2]
}

/// Signed area of the projected polygon.
fn area(polygon: &[Corner], flat: &impl Fn(&Corner) -> Option<[f32; 2]>) -> f32 {
    let n = polygon.len();
    let mut area = 0.0;
    for k in 0..n {
        if let (Some([x0, y0]), Some([x1, y1])) = (flat(&polygon[k]), flat(&polygon[(k + 1) % n])) {
            area += (x0 * y1 - y0 * x1) * 0.5;
        }
    }
    area
}

/// True when the point is inside: a ray from it crosses the outline an odd number of times.
fn contains(triangle: &[[f32; 2]; 3], [x, y]: [f32; 2]) -> bool {
    let mut inside = false;
    for i in 0..3 {
        let ([xi, yi], [xj, yj]) = (triangle[i], triangle[(i + 2) % 3]);
        if (yi > y) != (yj > y) && x < (xj - xi) * (y - yi) / (yj - yi) + xi {
            inside = !inside;
        }
    }
    inside
}

fn point(corner: &Corner, vert: &[f32]) -> Option<[f32; 3]> {
    let start = usize::try_from(corner.vert).ok()?.checked_mul(3)?;
    vert.get(start..)?.first_chunk().copied()
}

fn project(corner: &Corner, axes: [usize; 2], vert: &[f32]) -> Option<[f32; 2]> {
    let p = point(corner, vert)?;
    Some([p[axes[0]], p[axes[1]]])
}
