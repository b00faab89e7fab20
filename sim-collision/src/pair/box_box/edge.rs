//! An edge of one box against an edge of the other.
//!
//! The face of the first box next to its edge is the reference. The face of the second box next to its edge is looked at
//! along the direction across both edges and clipped against the reference.

use super::{Boxes, Edges, Turn, emit, outline, rectangle};
use crate::ContactBuf;
use sim_types::math::clip;
use sim_types::{MINVAL, Mat3, Vec3};

/// Contacts of the two faces next to the edges.
pub(super) fn collide(boxes: &Boxes, edges: &Edges, out: &mut ContactBuf) {
    let Some(view) = View::new(boxes, edges) else { return };
    let crossings = view.sides(out);
    let corners = view.corners(crossings == 0, out);
    view.vertices(crossings, corners, out);
}

/// The reference face on top at z = 0, and the other face as it is and as it is seen along the direction across.
struct View {
    /// Half sizes of the first box, its reference face on top.
    half: Vec3,
    /// Vertices of the face of the second box: both ends of the edge, then the side opposite to it.
    vertex: [Vec3; 4],
    /// The same, moved to z = 0 along the direction across.
    seen: [Vec3; 4],
    /// Height times this is the distance along the direction across.
    slope: f64,
    /// From here to the world.
    frame: (Vec3, Mat3),
    normal: Vec3,
    margin: f64,
}

impl View {
    fn new(boxes: &Boxes, edges: &Edges) -> Option<Self> {
        let &Edges { i, j, across, negative, sides1, sides2 } = edges;
        let (_, top) = by_slope(i, |k| boxes.rot[(k, j)].abs());
        let (side, depth) = by_slope(j, |k| boxes.rot[(i, k)].abs());

        let turn = Turn::to_top(top, sides1 >> top & 1 == 0);
        let half = turn.size(&boxes.size1);
        let axes = turn.columns(&boxes.rot);
        let across = turn.vec(&across);
        let mut centre = turn.vec(&boxes.pos21);
        centre.z -= half.z;
        if across.z.abs() < MINVAL {
            return None;
        }

        // vertices of the second face
        let sign = |k: usize| if sides2 >> k & 1 == 1 { 1.0 } else { -1.0 };
        let to_side = axes.column(side) * (boxes.size2[side] * sign(side));
        let to_depth = axes.column(depth) * (boxes.size2[depth] * sign(depth));
        let to_end = axes.column(j) * boxes.size2[j];
        let near = centre + to_side + to_depth;
        let far = centre - to_side + to_depth;
        let vertex = [near + to_end, near - to_end, far + to_end, far - to_end];
        let seen = vertex.map(|v| v + across * (-v.z * (1.0 / across.z)));

        let direction = if negative { -1.0 } else { 1.0 };
        let back = turn.back(&boxes.pose1.1);
        Some(Self {
            half,
            vertex,
            seen,
            slope: (1.0 / across.z) * direction,
            normal: (back * across) * direction,
            frame: (boxes.pose1.0, back),
            margin: boxes.margin,
        })
    }

    /// Contacts where the sides of the second face cross the outline of the reference; returns their number.
    fn sides(&self, out: &mut ContactBuf) -> usize {
        let ([v0, v1, v2, _], [s0, s1, s2, _]) = (&self.vertex, &self.seen);
        let real = outline(v0, &(v1 - v0), &(v2 - v0));
        let seen = outline(s0, &(s1 - s0), &(s2 - s0));
        let mut count = 0;
        for (real, seen) in real.iter().zip(&seen) {
            seen.cross_outline(&self.half, |c| {
                if (real.start.z + real.dir.z * c.t) * self.slope > self.margin {
                    return;
                }
                let mut point = real.start * 0.5 + real.dir * (0.5 * c.t);
                point[c.axis] += 0.5 * c.side;
                point[1 - c.axis] += 0.5 * c.along;
                self.emit(point.z * self.slope * 2.0, point, out);
                count += 1;
            });
        }
        count
    }

    /// Contacts of the corners of the reference with the second face; returns their number.
    fn corners(&self, loose: bool, out: &mut ContactBuf) -> usize {
        let [v0, v1, v2, _] = &self.vertex;
        let start = self.seen[0];
        let (e1, e2) = (self.seen[1] - start, self.seen[2] - start);
        let beyond = |x: f64| !(0.0..=1.0).contains(&x);
        let mut det = e1.x * e2.y - e2.x * e1.y;
        let mut count = 0;
        for (x, y) in rectangle(&self.half) {
            // position in the second face
            let (dx, dy) = (x - start.x, y - start.y);
            let u = (dx * e2.y - dy * e2.x) * (1.0 / det);
            let v = (dy * e1.x - dx * e1.y) * (1.0 / det);
            if if loose { beyond(u) && beyond(v) } else { beyond(u) || beyond(v) } {
                continue;
            }
            let (u, v) = (clip(u, 0.0, 1.0), clip(v, 0.0, 1.0));
            let above = v0 * (1.0 - u - v) + v1 * u + v2 * v;
            let corner = Vec3::new(x, y, 0.0);
            let dist2 = (corner - above).norm_squared();

            // MuJoCo keeps the squared distance where the determinant was, so the corners that follow are measured
            // with it; which of them become contacts depends on that
            det = dist2;
            if above.z > 0.0 && dist2 > self.margin * self.margin {
                continue;
            }
            let dist = dist2.sqrt() * if above.z < 0.0 { -1.0 } else { 1.0 };
            self.emit(dist, (corner + above) * 0.5, out);
            count += 1;
        }
        count
    }

    /// Contacts of the vertices of the second face with the reference.
    fn vertices(&self, crossings: usize, corners: usize, out: &mut ContactBuf) {
        for (real, seen) in self.vertex.iter().zip(&self.seen) {
            let beyond = |k: usize| seen[k] < -self.half[k] || seen[k] > self.half[k];
            let skip = match (crossings, corners) {
                (0, 0) => false,
                (0, _) => beyond(0) && beyond(1),
                _ => beyond(0) || beyond(1),
            };
            if skip {
                continue;
            }
            let nearest =
                Vec3::new(clip(seen.x, -self.half.x, self.half.x), clip(seen.y, -self.half.y, self.half.y), 0.0);
            let (dx, dy) = (seen.x - nearest.x, seen.y - nearest.y);
            let dist2 = dx * dx + dy * dy + real.z * self.slope * real.z * self.slope;
            if real.z > 0.0 && dist2 > self.margin * self.margin {
                continue;
            }
            let dist = dist2.sqrt() * if real.z < 0.0 { -1.0 } else { 1.0 };
            self.emit(dist, nearest * 0.5 + real * 0.5, out);
        }
    }

    fn emit(&self, dist: f64, mut point: Vec3, out: &mut ContactBuf) {
        point.z += self.half.z;
        emit(out, dist, &point, &self.normal, &self.frame);
    }
}

/// The two other axes, the one with the larger slope first.
fn by_slope(axis: usize, slope: impl Fn(usize) -> f64) -> (usize, usize) {
    let (first, second) = match axis {
        0 => (1, 2),
        1 => (0, 2),
        _ => (1, 0),
    };
    if slope(first) < slope(second) { (second, first) } else { (first, second) }
}
