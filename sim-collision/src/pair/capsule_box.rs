//! Capsule against box.
//!
//! The point of the capsule's segment nearest to the box makes a ball that meets the box. When the segment runs along
//! the box, a second ball does: as far along the segment as both segment and box go.
//!
//! The second point is a set of rules rather than a formula; they are MuJoCo's, and its contact counts depend on them.

use super::edges::{EDGES, EdgeSystem, Segment};
use super::sphere_box::ball_box;
use crate::convex::rotate_t;
use crate::{ContactBuf, Posed, Shape};
use sim_types::{MINVAL, Vec3};

/// Up to two contacts, the first at the point of the segment nearest to the box.
#[doc(alias = "mjc_CapsuleBox")]
pub fn capsule_box(a: &Posed<'_>, b: &Posed<'_>, margin: f64, out: &mut ContactBuf) {
    let (Shape::Capsule { radius, half }, Shape::Box { size }) = (&a.shape, &b.shape) else { return };
    if *half <= 0.0 {
        ball_box(&a.pos, *radius, b, size, margin, out);
        return;
    }
    let axis = rotate_t(&b.mat, &a.axis());
    let s = Segment { centre: b.to_local(&a.pos), axis, half_vec: axis * *half, half: *half };

    // apart along an axis of the box; a share for rounding leaves what is close to the search
    let reach = (radius + margin) * (1.0 + 1e-9);
    let past = |k: usize| s.centre[k].abs() * (1.0 - 1e-9) - (s.half_vec[k].abs() + size[k]) * (1.0 + 1e-9);
    if past(0) > reach || past(1) > reach || past(2) > reach {
        return;
    }

    let bound = margin + 2.0 * (radius + half + size.x + size.y + size.z);
    let Some(nearest) = nearest(&s, size, bound) else { return };
    let mut meet = |x: f64| ball_box(&b.to_world(&s.at(x)), *radius, b, size, margin, out);
    meet(nearest.along);
    if let Some(step) = second_step(&s, size, &nearest) {
        meet(step + nearest.along);
    }
}

impl Segment {
    fn at(&self, x: f64) -> Vec3 {
        self.centre + self.half_vec * x
    }

    /// Bit k is set when the segment goes up along axis k.
    fn direction_code(&self) -> usize {
        (0..3).filter(|&k| self.half_vec[k] > 0.0).map(|k| 1 << k).sum()
    }

    /// How far the segment parameter runs while axis k passes `length`.
    fn run(&self, length: f64, k: usize) -> f64 {
        length / self.half_vec[k].abs()
    }
}

/// Where the segment comes nearest to the box.
#[derive(Clone, Copy)]
struct Nearest {
    /// Parameter on the segment.
    along: f64,
    on: Feature,
}

/// The part of the box that is nearest.
#[derive(Clone, Copy)]
enum Feature {
    /// An end of the segment is over a face with this axis, or inside the box.
    Face(Option<usize>),
    /// A corner, by its code.
    Corner(usize),
    /// The inside of an edge: its axis, the code of its lower corner, the position on it between −1 and 1.
    Edge { axis: usize, corner: usize, along: f64 },
}

/// Tries both ends against the faces, then the segment against the twelve edges.
fn nearest(s: &Segment, size: &Vec3, bound: f64) -> Option<Nearest> {
    let mut best: Option<Nearest> = None;
    let mut limit = bound;
    for end in [-1.0, 1.0] {
        let point = s.at(end);
        let outside = |k: usize| point[k] < -size[k] || point[k] > size[k];
        let over = [outside(0), outside(1), outside(2)];
        if u8::from(over[0]) + u8::from(over[1]) + u8::from(over[2]) > 1 {
            continue;
        }
        let axis = over.iter().position(|x| *x);
        let dist = axis.map_or(0.0, |k| point[k].abs() - size[k]);
        if dist * dist < limit {
            limit = dist * dist;
            best = Some(Nearest { along: end, on: Feature::Face(axis) });
        }
    }

    for axis in 0..3 {
        let Some(system) = EdgeSystem::new(s, size, axis) else { continue };
        let near = crate::wide::near_edges(&system);
        for lane in 0..4 {
            // an edge must win clearly: numerical noise decides between parallel candidates otherwise
            if near.dist2[lane] < limit - MINVAL {
                limit = near.dist2[lane];
                let corner = EDGES[axis][lane];
                let on = if near.lower >> lane & 1 == 1 {
                    Feature::Corner(corner)
                } else if near.upper >> lane & 1 == 1 {
                    Feature::Corner(corner | 1 << axis)
                } else {
                    Feature::Edge { axis, corner, along: near.edge[lane] }
                };
                best = Some(Nearest { along: near.along[lane], on });
            }
        }
    }
    best
}

/// Step along the segment from the nearest point to the second contact.
fn second_step(s: &Segment, size: &Vec3, nearest: &Nearest) -> Option<f64> {
    match nearest.on {
        Feature::Corner(code) => from_corner(s, size, nearest.along, code),
        Feature::Edge { axis, corner, along } => from_edge(s, size, nearest.along, (axis, corner, along)),
        Feature::Face(Some(axis)) => Some(from_face(s, size, nearest.along, axis)),
        Feature::Face(None) => None,
    }
}

/// From a corner: along the edge that the segment follows, or across the face.
fn from_corner(s: &Segment, size: &Vec3, along: f64, corner: usize) -> Option<f64> {
    // one bit set: the segment follows an edge; two: it points away from one; none or all: towards the corner or off it
    let code = s.direction_code() ^ corner;
    let (towards, code) = match code {
        0 | 7 => return None,
        1 | 2 | 4 => (1.0, code),
        _ => (-1.0, 7 - code),
    };
    let axis = code.trailing_zeros() as usize;
    if s.axis[axis] * s.axis[axis] > 0.5 {
        let room = 1.0 - towards * along;
        Some(towards * shorter(room, s.run(2.0 * size[axis], axis)))
    } else {
        let mut room = 1.0 + towards * along;
        for other in [(axis + 1) % 3, (axis + 2) % 3] {
            room = shorter(room, s.run(2.0 * size[other], other));
        }
        Some(-towards * room)
    }
}

/// From the inside of an edge: across the face that the segment is more parallel to, when it crosses the edge.
fn from_edge(s: &Segment, size: &Vec3, along: f64, edge: (usize, usize, f64)) -> Option<f64> {
    let (axis, corner, edge_along) = edge;
    let code = (s.direction_code() ^ corner) & (7 - (1 << axis));
    if code.count_ones() != 1 {
        return None;
    }

    // of the other two axes, the one along which the segment goes farther
    let (first, second) = ((axis + 1) % 3, (axis + 2) % 3);
    let across = if s.axis[first].abs() > s.axis[second].abs() { first } else { second };

    let upward = code >> across & 1 == 1;
    let towards = if upward { 1.0 } else { -1.0 };
    let mut room = shorter(1.0 - towards * along, s.run(2.0 * size[across], across));
    let same_way = (s.direction_code() >> axis & 1 == 1) == upward;
    let rest = if same_way { 1.0 - edge_along } else { 1.0 + edge_along };
    room = shorter(room, s.run(size[axis] * rest, axis));
    Some(towards * room)
}

/// From an end over a face: back along the segment to the last point over the face.
fn from_face(s: &Segment, size: &Vec3, along: f64, face: usize) -> f64 {
    let towards = -along;
    let end = s.at(-towards);
    let mut room = 2.0;
    for axis in (0..3).filter(|&axis| axis != face) {
        for side in [size[axis], -size[axis]] {
            let x = (side - end[axis]) / s.half_vec[axis] * towards;
            if x > 0.0 {
                room = shorter(room, x);
            }
        }
    }
    towards * room
}

/// The smaller of two lengths; `old` when `new` is not a number.
fn shorter(old: f64, new: f64) -> f64 {
    if new < old { new } else { old }
}

#[cfg(test)]
mod tests {
    use crate::testing::*;

    #[test]
    fn lying_on_a_face_both_ends_touch() {
        let b = at(cuboid([0.5, 0.5, 0.2]), [0.0; 3]);
        let a = turned(capsule(0.1, 0.3), [0.0, 0.0, 0.29], [0.0, 1.0, 0.0], 90.0);
        let down = [0.0, 0.0, -1.0];
        let contacts = run(&a, &b, 0.0);
        assert_contacts(&contacts, &[(-0.01, [-0.3, 0.0, 0.195], down), (-0.01, [0.3, 0.0, 0.195], down)]);
    }

    #[test]
    fn reaching_over_both_edges_the_contacts_are_at_the_edges() {
        let b = at(cuboid([0.2, 0.5, 0.2]), [0.0; 3]);
        let a = turned(capsule(0.1, 0.4), [0.0, 0.0, 0.29], [0.0, 1.0, 0.0], 90.0);
        let mut xs: Vec<f64> = run(&a, &b, 0.0).iter().map(|c| c.pos.x).collect();
        xs.sort_by(f64::total_cmp);
        assert_eq!(xs.len(), 2);
        assert!((xs[0] + 0.2).abs() < 1e-9 && (xs[1] - 0.2).abs() < 1e-9, "{xs:?}");
    }

    #[test]
    fn standing_on_a_face_one_end_touches() {
        let b = at(cuboid([0.5, 0.5, 0.2]), [0.0; 3]);
        let contacts = run(&at(capsule(0.1, 0.3), [0.1, 0.0, 0.59]), &b, 0.0);
        assert!(!contacts.is_empty());
        assert_contacts(&contacts[..1], &[(-0.01, [0.1, 0.0, 0.195], [0.0, 0.0, -1.0])]);
    }

    #[test]
    fn a_capsule_without_length_is_a_ball() {
        let b = at(cuboid([0.1, 0.2, 0.3]), [0.0; 3]);
        let pos = [0.13, 0.24, 0.1];
        assert_eq!(run(&at(capsule(0.1, 0.0), pos), &b, 0.0), run(&at(sphere(0.1), pos), &b, 0.0));
    }
}
