//! Planes of facets, and how far rounding may put a point from them.

/// A point or direction.
pub(super) type Point = [f64; 3];

/// The plane of a facet: unit normal pointing out of the hull, and offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub(super) normal: Point,
    pub(super) offset: f64,
}

impl Plane {
    /// Height of a point above the plane.
    pub(super) fn height(&self, p: &Point) -> f64 {
        let n = &self.normal;
        self.offset + p[0] * n[0] + p[1] * n[1] + p[2] * n[2]
    }

    /// The point below `p` that is in the plane, where `height` is that of `p`.
    pub(super) fn project(&self, p: &Point, height: f64) -> Point {
        [0, 1, 2].map(|k| p[k] - height * self.normal[k])
    }

    fn flip(&mut self) {
        self.normal = self.normal.map(|x| -x);
        self.offset = -self.offset;
    }

    /// The plane through three points; `interior` is below it. `top_orient` tells in which sense the points run.
    pub(super) fn through(rows: [Point; 3], top_orient: bool, interior: &Point, tol: &Tolerance) -> Self {
        let [p0, p1, p2] = rows;
        let (a, b) = (sub(&p1, &p0), sub(&p2, &p0));
        let normal = [b[1] * a[2] - b[2] * a[1], a[0] * b[2] - a[2] * b[0], b[0] * a[1] - b[1] * a[0]];
        let normal = normalize(normal, top_orient, tol);
        let offset = -(p0[0] * normal[0] + p0[1] * normal[1] + p0[2] * normal[2]);
        let plane = Self { normal, offset };

        // points must be in the plane, or the triangle is too thin for determinants
        let in_plane = |p: &Point| {
            let height = offset + (p[0] * normal[0] + p[1] * normal[1] + p[2] * normal[2]);
            height <= tol.dist_round && height >= -tol.dist_round
        };
        if in_plane(&p2) && in_plane(&p1) {
            return plane;
        }
        let (mut plane, near_zero) = Self::by_elimination([a, b], &p0, top_orient, tol);
        if near_zero && plane.height(interior) > 0.0 {
            plane.flip();
        }
        plane
    }

    /// The plane across two directions by Gaussian elimination, and whether a pivot was next to zero.
    fn by_elimination(mut rows: [Point; 2], p0: &Point, top_orient: bool, tol: &Tolerance) -> (Self, bool) {
        let (mut sign, mut near_zero) = (top_orient, false);
        if rows[1][0].abs() > rows[0][0].abs() {
            rows.swap(0, 1);
            sign = !sign;
        }
        near_zero |= rows[0][0].abs() <= tol.near_zero[0];
        if rows[0][0] != 0.0 {
            let factor = rows[1][0] / rows[0][0];
            rows[1][1] -= factor * rows[0][1];
            rows[1][2] -= factor * rows[0][2];
        }
        near_zero |= rows[1][1].abs() <= tol.near_zero[1];
        for k in 0..2 {
            sign ^= rows[k][k] < 0.0;
        }

        // back substitution; a column without pivot takes over
        let unit = if sign { -1.0 } else { 1.0 };
        let mut normal = [0.0, 0.0, unit];
        for i in [1, 0] {
            let mut value = 0.0;
            for j in i + 1..3 {
                value -= rows[i][j] * normal[j];
            }
            let diagonal = rows[i][i];
            let quotient = value / diagonal;
            if diagonal.abs() > tol.min_denominator || (quotient.is_finite() && diagonal != 0.0) {
                normal[i] = quotient;
            } else {
                near_zero = true;
                normal[i] = unit;
                normal[i + 1..].fill(0.0);
            }
        }
        let normal = normalize(normal, true, tol);
        let offset = -(p0[0] * normal[0]) - p0[1] * normal[1] - p0[2] * normal[2];
        (Self { normal, offset }, near_zero)
    }
}

/// A direction at length one, turned around unless `top_orient`.
fn normalize(mut n: Point, top_orient: bool, tol: &Tolerance) -> Point {
    let mut norm = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
    if norm == 0.0 {
        return [(1.0f64 / 3.0).sqrt(); 3];
    }
    if !top_orient {
        norm = -norm;
    }
    let scaled = n.map(|x| x / norm);
    if norm.abs() > tol.min_denominator || scaled.iter().all(|x| x.is_finite()) {
        return scaled;
    }

    // too short to divide by: the largest component stands for all
    let largest = (0..3).fold(0, |best, k| if n[k].abs() > n[best].abs() { k } else { best });
    let sign = if n[largest] * norm >= 0.0 { 1.0 } else { -1.0 };
    n = [0.0; 3];
    n[largest] = sign;
    n
}

pub(super) fn sub(a: &Point, b: &Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn dot(a: &Point, b: &Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Distances below which things count as equal, derived from the size of the coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tolerance {
    /// Largest extent along an axis.
    pub(super) width: f64,
    /// Rounding error of a height above a plane.
    pub(super) dist_round: f64,
    /// Pivots below this count as zero, per column.
    pub(super) near_zero: [f64; 3],
    /// Norms below this are not divided by.
    pub(super) min_denominator: f64,
    /// Centres closer to a neighbouring plane than this make the facets coplanar.
    pub(super) centrum: f64,
    /// A point higher than this sees a facet.
    pub(super) min_visible: f64,
    /// A point higher than this is outside.
    pub(super) min_outside: f64,
    /// A point not lower than minus this is coplanar.
    pub(super) max_coplanar: f64,
    /// How far one merge may move a facet.
    pub(super) one_merge: f64,
    /// Inner points closer than this are kept, for a merge may uncover them.
    pub(super) near_inside: f64,
    /// A merge wider than this keeps the centre where it is.
    pub(super) wide_facet: f64,
}

impl Tolerance {
    /// From the extreme coordinates along each axis.
    pub(super) fn new(min: &Point, max: &Point) -> Self {
        let mut tol = [0.0; 3];
        let (mut max_abs, mut sum, mut width) = (0.0f64, 0.0f64, 0.0f64);
        for k in 0..3 {
            let largest = max[k].max(-min[k]);
            width = width.max(max[k] - min[k]);
            max_abs = max_abs.max(largest);
            sum += largest;
            tol[k] = 80.0 * sum * f64::EPSILON;
        }
        let dist_sum = (3.0f64.sqrt() * max_abs).min(sum);
        let dist_round = f64::EPSILON * (3.0 * dist_sum * 1.01 + max_abs);
        let centrum = 2.0 * dist_round;
        let one_merge = 3.0 * centrum + dist_round;
        let min_outside = 2.0 * centrum;
        Self {
            width,
            dist_round,
            near_zero: tol,
            min_denominator: f64::MIN_POSITIVE * max_abs,
            centrum,
            min_visible: centrum,
            min_outside,
            max_coplanar: centrum,
            one_merge,
            near_inside: 5.0 * one_merge,
            wide_facet: min_outside.max(6.0 * centrum),
        }
    }
}
