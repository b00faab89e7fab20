//! A face of one box against the nearest face, edge or corner of the other.

use super::{Boxes, Face, Turn, emit, outline, rectangle};
use crate::ContactBuf;
use sim_types::Vec3;

/// Axes of the other box steeper than this do not span its lower face.
const FLAT: f64 = 0.5;

/// Contacts of the reference face with the lowest part of the other box.
pub(super) fn collide(boxes: &Boxes, face: Face, out: &mut ContactBuf) {
    // the reference face on top at z = 0, the other box above it
    let turn = Turn::to_top(face.axis, face.negative);
    let (pose, half, mut centre, axes, size) = if face.of_second {
        (
            &boxes.pose2,
            turn.size(&boxes.size2),
            turn.vec(&boxes.pos12),
            turn.columns(&boxes.rot.transpose()),
            &boxes.size1,
        )
    } else {
        (&boxes.pose1, turn.size(&boxes.size1), turn.vec(&boxes.pos21), turn.columns(&boxes.rot), &boxes.size2)
    };
    centre.z -= half.z;

    // lowest corner of the other box, and the flat edges that start there
    let mut lowest = centre;
    let mut edges = [Vec3::zeros(); 2];
    let mut count = 0;
    for k in 0..3 {
        let up = if axes[(2, k)] < 0.0 { -1.0 } else { 1.0 };
        lowest += axes.column(k) * (size[k] * -up);
        if axes[(2, k)].abs() < FLAT && count < 2 {
            edges[count] = axes.column(k) * (size[k] * 2.0 * up);
            count += 1;
        }
    }

    let back = turn.back(&pose.1);
    let normal = back.column(2) * if face.of_second { -1.0 } else { 1.0 };
    let frame = (pose.0, back);
    points(&half, &lowest, &edges[..count], |point| {
        if point.z <= boxes.margin {
            let middle = Vec3::new(point.x, point.y, point.z * 0.5 + half.z);
            emit(out, point.z, &middle, &normal, &frame);
        }
    });
}

/// Points where the lower face (edge, corner) of the other box and the reference face overlap, seen from above.
fn points(half: &Vec3, lowest: &Vec3, edges: &[Vec3], mut found: impl FnMut(Vec3)) {
    let inside = |p: &Vec3| p.x > -half.x && p.x < half.x && p.y > -half.y && p.y < half.y;
    match edges {
        [] => found(*lowest),
        [edge] => {
            let line = outline(lowest, edge, edge)[0];
            line.cross_outline(half, |c| found(line.at(c.t)));
            found(*lowest);
            let end = lowest + edge;
            if inside(&end) {
                found(end);
            }
        }
        [edge1, edge2, ..] => {
            for line in outline(lowest, edge1, edge2) {
                line.cross_outline(half, |c| found(line.at(c.t)));
            }

            // corners of the reference face under the lower face
            let det = edge1.x * edge2.y - edge2.x * edge1.y;
            for (x, y) in rectangle(half) {
                let (dx, dy) = (x - lowest.x, y - lowest.y);
                let u = (dx * edge2.y - dy * edge2.x) * (1.0 / det);
                let v = (dy * edge1.x - dx * edge1.y) * (1.0 / det);
                if !(u <= 0.0 || v <= 0.0 || u >= 1.0 || v >= 1.0) {
                    found(Vec3::new(x, y, lowest.z + u * edge1.z + v * edge2.z));
                }
            }

            // corners of the lower face; the lowest counts wherever it is
            found(*lowest);
            let end1 = lowest + edge1;
            for end in [end1, lowest + edge2, end1 + edge2] {
                if inside(&end) {
                    found(end);
                }
            }
        }
    }
}
