//! Box against box.
//!
//! The separating axis with the least overlap decides: a face of one box ([`face`]) or a pair of edges ([`edge`]). Both
//! cases clip a rectangle of one box against a face of the other and report the points of the outline that are within
//! the margin. Points far outside either box, and all but the last of equal points, are dropped at the end.

mod edge;
mod face;

use crate::{ContactBuf, Posed, RawContact, Shape};
use sim_types::math::normalize3;
use sim_types::{MINVAL, Mat3, Vec3};

/// Relative width of the shell around a box in which a contact may lie.
const SHELL: f64 = 1.01;

/// Contacts of the outline that the nearest faces or edges have in common, eight at most in ordinary poses.
pub fn box_box(a: &Posed<'_>, b: &Posed<'_>, margin: f64, out: &mut ContactBuf) {
    let start = out.len();
    if let Some(boxes) = points(a, b, margin, out) {
        out.retain_from(start, |c, later| boxes.holds(&c.pos) && !later.iter().any(|d| d.pos == c.pos));
    }
}

/// All points of the outline, also those that are no contacts: what MuJoCo measures distances by without GJK.
pub(crate) fn box_box_outline(a: &Posed<'_>, b: &Posed<'_>, margin: f64, out: &mut ContactBuf) {
    points(a, b, margin, out);
}

/// Adds the points of the outline; `None` when the boxes are farther apart than the margin.
#[doc(alias = "mjc_BoxBox")]
fn points(a: &Posed<'_>, b: &Posed<'_>, margin: f64, out: &mut ContactBuf) -> Option<Boxes> {
    let (Shape::Box { size: size1 }, Shape::Box { size: size2 }) = (&a.shape, &b.shape) else { return None };
    let boxes = Boxes {
        pose1: (a.pos, a.mat),
        pose2: (b.pos, b.mat),
        size1: *size1,
        size2: *size2,
        pos21: a.to_local(&b.pos),
        pos12: b.to_local(&a.pos),
        rot: a.mat.tr_mul(&b.mat),
        margin,
    };
    match boxes.separating_axis()? {
        Axis::Face(face) => face::collide(&boxes, face, out),
        Axis::Edges(edges) => edge::collide(&boxes, &edges, out),
    }
    Some(boxes)
}

/// Two boxes, and each seen from the other.
struct Boxes {
    pose1: (Vec3, Mat3),
    pose2: (Vec3, Mat3),
    size1: Vec3,
    size2: Vec3,
    /// Centre of the second in the frame of the first.
    pos21: Vec3,
    /// Centre of the first in the frame of the second.
    pos12: Vec3,
    /// Axes of the second in the frame of the first, as columns.
    rot: Mat3,
    margin: f64,
}

/// The axis of least overlap.
enum Axis {
    Face(Face),
    Edges(Edges),
}

/// A face: of which box, which axis, which side.
#[derive(Clone, Copy)]
struct Face {
    of_second: bool,
    axis: usize,
    negative: bool,
}

/// A pair of edge directions, and the edges of the boxes that are nearest to each other.
struct Edges {
    /// Axis of the edge of the first box.
    i: usize,
    /// Axis of the edge of the second box.
    j: usize,
    /// Unit vector across both, in the frame of the first box.
    across: Vec3,
    /// True when the second box lies against `across`.
    negative: bool,
    /// Sides on which the edge of the first box lies, a bit per axis.
    sides1: usize,
    /// Sides on which the edge of the second box lies, a bit per axis.
    sides2: usize,
}

impl Boxes {
    /// The axis of least overlap; none when the boxes are farther apart than the margin.
    fn separating_axis(&self) -> Option<Axis> {
        let abs = self.rot.abs();
        let reach2 = abs * self.size2;
        let reach1 = abs.tr_mul(&self.size1);
        let mut least = self.margin;
        for i in 0..3 {
            least += self.size1[i] * 3.0 + self.size2[i] * 3.0;
        }

        // faces; earlier ones win ties
        let mut best = None;
        for axis in 0..3 {
            let overlap1 = -self.pos21[axis].abs() + self.size1[axis] + reach2[axis];
            let overlap2 = -self.pos12[axis].abs() + self.size2[axis] + reach1[axis];
            if overlap1 < -self.margin || overlap2 < -self.margin {
                return None;
            }
            if overlap1 < least {
                least = overlap1;
                best = Some(Axis::Face(Face { of_second: false, axis, negative: self.pos21[axis] < 0.0 }));
            }
            if overlap2 < least {
                least = overlap2;
                best = Some(Axis::Face(Face { of_second: true, axis, negative: self.pos12[axis] < 0.0 }));
            }
        }

        // pairs of edges; they must beat a face clearly
        for i in 0..3 {
            for j in 0..3 {
                let mut across = cross_axis(i, &self.rot.column(j).into());
                let length = normalize3(&mut across);
                if length < MINVAL {
                    continue;
                }
                let centre = self.pos21.dot(&across);
                let mut overlap = 0.0;
                for k in others(i) {
                    overlap += self.size1[k] * across[k].abs();
                }
                for k in others(j) {
                    overlap += self.size2[k] * abs[(i, 3 - k - j)] / length;
                }
                overlap -= centre.abs();
                if overlap < -self.margin {
                    return None;
                }
                if overlap < least * (1.0 - 1e-12) {
                    least = overlap;
                    best = Some(Axis::Edges(self.edges(i, j, across, centre < 0.0)));
                }
            }
        }
        best
    }

    /// The edges with directions i and j that face each other.
    fn edges(&self, i: usize, j: usize, across: Vec3, negative: bool) -> Edges {
        let side1 = |k: &usize| (across[*k] > 0.0) ^ negative;
        let side2 = |k: &usize| (self.rot[(i, 3 - k - j)] > 0.0) ^ negative ^ ((k + 3 - j) % 3 == 1);
        let sides1 = others(i).filter(side1).map(|k| 1 << k).sum();
        let sides2 = others(j).filter(side2).map(|k| 1 << k).sum();
        Edges { i, j, across, negative, sides1, sides2 }
    }

    /// True when a point is not outside one box without being well inside the other.
    fn holds(&self, point: &Vec3) -> bool {
        let first = place(&self.pose1, &self.size1.add_scalar(self.margin), point);
        let second = place(&self.pose2, &self.size2.add_scalar(self.margin), point);
        !(first == Place::Outside && second != Place::Inside || second == Place::Outside && first != Place::Inside)
    }
}

/// Where a point is with respect to a box with a shell.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Outside,
    Shell,
    Inside,
}

#[doc(alias = "mju_outsideBox")]
fn place(pose: &(Vec3, Mat3), size: &Vec3, point: &Vec3) -> Place {
    let local = pose.1.tr_mul(&(point - pose.0));
    if (0..3).any(|k| local[k].abs() > size[k] * SHELL) {
        Place::Outside
    } else if (0..3).all(|k| local[k].abs() < size[k] / SHELL) {
        Place::Inside
    } else {
        Place::Shell
    }
}

/// A turn by right angles that brings a face of a box to the top, so that the work is done in its plane.
#[derive(Clone, Copy)]
struct Turn {
    /// Which old axis becomes each new one.
    from: [usize; 3],
    /// And with which sign.
    sign: [f64; 3],
}

impl Turn {
    /// The turn that makes the given face the top.
    fn to_top(axis: usize, negative: bool) -> Self {
        match (axis, negative) {
            (0, false) => Self { from: [2, 1, 0], sign: [-1.0, 1.0, 1.0] },
            (1, false) => Self { from: [0, 2, 1], sign: [1.0, -1.0, 1.0] },
            (0, true) => Self { from: [2, 1, 0], sign: [1.0, 1.0, -1.0] },
            (1, true) => Self { from: [0, 2, 1], sign: [1.0, 1.0, -1.0] },
            (_, false) => Self { from: [0, 1, 2], sign: [1.0, 1.0, 1.0] },
            (_, true) => Self { from: [0, 1, 2], sign: [-1.0, 1.0, -1.0] },
        }
    }

    fn vec(&self, v: &Vec3) -> Vec3 {
        Vec3::from_fn(|k, _| v[self.from[k]] * self.sign[k])
    }

    /// The half sizes of the box, turned.
    fn size(&self, size: &Vec3) -> Vec3 {
        Vec3::from_fn(|k, _| size[self.from[k]].abs())
    }

    /// Every column turned.
    fn columns(&self, m: &Mat3) -> Mat3 {
        Mat3::from_fn(|r, c| m[(self.from[r], c)] * self.sign[r])
    }

    /// From the turned frame to where `m` leads from the old one.
    fn back(&self, m: &Mat3) -> Mat3 {
        Mat3::from_fn(|r, c| m[(r, self.from[c])] * self.sign[c])
    }
}

/// A line in the frame of a face: `start + t·dir`, t between 0 and 1.
#[derive(Clone, Copy)]
struct Line {
    start: Vec3,
    dir: Vec3,
}

impl Line {
    fn at(&self, t: f64) -> Vec3 {
        self.start + self.dir * t
    }

    /// Calls `found` where the line, seen from above, crosses the outline of the rectangle ±`half`.
    fn cross_outline(&self, half: &Vec3, mut found: impl FnMut(Crossing)) {
        for axis in 0..2 {
            let other = 1 - axis;
            if self.dir[axis].abs() <= MINVAL {
                continue;
            }
            for side in [-half[axis], half[axis]] {
                let t = (side - self.start[axis]) * (1.0 / self.dir[axis]);
                let along = self.start[other] + self.dir[other] * t;
                if (0.0..=1.0).contains(&t) && along.abs() <= half[other] {
                    found(Crossing { axis, side, along, t });
                }
            }
        }
    }
}

/// A crossing of a line with a side of a rectangle.
struct Crossing {
    /// Axis across the side.
    axis: usize,
    /// Coordinate on that axis.
    side: f64,
    /// Coordinate on the other.
    along: f64,
    /// Parameter of the line.
    t: f64,
}

/// The four sides of a parallelogram, those at `start` first.
fn outline(start: &Vec3, dir1: &Vec3, dir2: &Vec3) -> [Line; 4] {
    [
        Line { start: *start, dir: *dir1 },
        Line { start: *start, dir: *dir2 },
        Line { start: start + dir1, dir: *dir2 },
        Line { start: start + dir2, dir: *dir1 },
    ]
}

/// The corners of the rectangle ±`half`.
fn rectangle(half: &Vec3) -> [(f64, f64); 4] {
    [(-half.x, -half.y), (-half.x, half.y), (half.x, -half.y), (half.x, half.y)]
}

fn others(k: usize) -> impl Iterator<Item = usize> {
    (0..3).filter(move |&other| other != k)
}

/// Axis k × v.
fn cross_axis(k: usize, v: &Vec3) -> Vec3 {
    match k {
        0 => Vec3::new(0.0, -v.z, v.y),
        1 => Vec3::new(v.z, 0.0, -v.x),
        _ => Vec3::new(-v.y, v.x, 0.0),
    }
}

/// Adds a contact given in the frame that `mat` and `origin` describe.
fn emit(out: &mut ContactBuf, dist: f64, local: &Vec3, normal: &Vec3, frame: &(Vec3, Mat3)) {
    out.push(RawContact { dist, pos: frame.1 * local + frame.0, normal: *normal, tangent: Vec3::zeros() });
}

#[cfg(test)]
mod tests;
