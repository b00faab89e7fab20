//! Height field against a convex shape: one closed prism under each triangle of the terrain.
//!
//! MuJoCo: `mjc_ConvexHField`.

use sim_types::Vec3;
use sim_types::math::{ceil, floor};

use crate::convex::{self, ConvexOptions, ConvexScratch, Object, bounding_radius, prism_support, rotate, rotate_t};
use crate::{ContactBuf, HfieldView, MAX_PAIR_CONTACTS, Posed, RawContact, Shape};

/// Contacts of a height field with a convex shape, in row order of the terrain's cells, at most fifty.
///
/// A margin raises the terrain by itself and inflates the shape by half of itself, and the reported depths are those of
/// the raised and inflated bodies: MuJoCo does not subtract the margin here.
pub fn hfield_convex(
    a: &Posed<'_>,
    b: &Posed<'_>,
    margin: f64,
    options: &ConvexOptions,
    scratch: &mut ConvexScratch,
    out: &mut ContactBuf,
) {
    let Shape::Hfield(field) = a.shape else { return };
    let [sx, sy, sz, base] = field.size;

    // bounding sphere against the box of the terrain
    let pos = rotate_t(&a.mat, &(b.pos - a.pos));
    let radius = bounding_radius(&b.shape) + margin;
    if sx < pos.x - radius
        || -sx > pos.x + radius
        || sy < pos.y - radius
        || -sy > pos.y + radius
        || sz < pos.z - radius
        || -base > pos.z + radius
    {
        return;
    }

    // box of the shape in the frame of the terrain
    let local = Posed { shape: b.shape, pos, mat: a.mat.transpose() * b.mat };
    let Some(mut object) = Object::new(&local, 0.0) else { return };
    let mut high = Vec3::zeros();
    let mut low = Vec3::zeros();
    for k in 0..3 {
        let mut dir = Vec3::zeros();
        dir[k] = 1.0;
        high[k] = object.bare_support(&dir)[k];
        low[k] = object.bare_support(&-dir)[k];
    }
    if low.x - margin > sx
        || high.x + margin < -sx
        || low.y - margin > sy
        || high.y + margin < -sy
        || low.z - margin > sz
        || high.z + margin < -base
    {
        return;
    }

    object.margin = margin;
    let cols = cells(low.x, high.x, sx, field.ncol);
    let rows = cells(low.y, high.y, sy, field.nrow);
    let start = out.len();

    // where a plane keeps a prism and the shape apart there is no contact, and a plane is cheaper than a search; what the search
    // finds within its tolerance is left to it, as is a mesh, whose searches begin where the last one ended
    let scale = pos.x.abs() + pos.y.abs() + pos.z.abs() + radius + sx + sy + sz + base;
    let slack = 10.0 * options.tolerance.abs() + 1e-9 * scale;
    let by_plane = options.native && object.mesh().is_none();
    for_prisms(field, rows, cols, margin, |prism| {
        if prism[3].z < low.z && prism[4].z < low.z && prism[5].z < low.z {
            return true;
        }
        if by_plane && (height_above(&mut object, prism) > slack || gap_to_top(&mut object, prism) > slack) {
            return true;
        }
        let mut wedge = Object::prism(prism);
        if let Some(contact) = convex::penetration(&mut wedge, &mut object, options, scratch) {
            out.push(RawContact {
                normal: rotate(&a.mat, &contact.normal),
                pos: rotate(&a.mat, &contact.pos) + a.pos,
                ..contact
            });
        }
        out.len() - start < MAX_PAIR_CONTACTS
    });
}

/// Height of the lowest point of an object above the plane through the top of a prism; NaN when it has none.
#[inline]
fn height_above(object: &mut Object<'_>, prism: &[Vec3; 6]) -> f64 {
    let normal = (prism[4] - prism[3]).cross(&(prism[5] - prism[3]));
    let up = normal * (1.0_f64.copysign(normal.z) / normal.norm());
    let lowest = object.support(&-up);
    up.dot(&(lowest - prism[3]))
}

/// How far a prism and an object are apart along the line from the middle of the prism's top to the object's origin; less
/// than nothing, or NaN, when they are not. Of the prisms that a shape misses though it reaches below the plane of their
/// top, this tells half for boxes, nearly all for balls.
#[inline]
fn gap_to_top(object: &mut Object<'_>, prism: &[Vec3; 6]) -> f64 {
    let middle = (prism[3] + prism[4] + prism[5]) * (1.0 / 3.0);
    let line = object.pos - middle;
    let dir = line * (1.0 / line.norm());
    dir.dot(&object.support(&-dir)) - dir.dot(&prism_support(prism, &dir))
}

/// First and last grid line that a shape reaches, of `n` lines between `−size` and `size`.
fn cells(low: f64, high: f64, size: f64, n: usize) -> (usize, usize) {
    let last = n.saturating_sub(1);
    let line = |x: f64| (x + size) / (2.0 * size) * last as f64;
    // casts of numbers out of range saturate, NaN becomes zero
    (floor(line(low)).max(0.0) as usize, (ceil(line(high)).max(0.0) as usize).min(last))
}

/// Visits the prisms of the cells between grid lines, two per cell, row by row; stops when `visit` returns false.
fn for_prisms(
    field: &HfieldView<'_>,
    (row_from, row_to): (usize, usize),
    (col_from, col_to): (usize, usize),
    margin: f64,
    mut visit: impl FnMut(&[Vec3; 6]) -> bool,
) {
    let [sx, sy, sz, base] = field.size;
    let dx = 2.0 * sx / (field.ncol as f64 - 1.0);
    let dy = 2.0 * sy / (field.nrow as f64 - 1.0);
    let point = |row: usize, col: usize| {
        let height = field.data.get(row * field.ncol + col).copied().unwrap_or_default();
        Vec3::new(dx * col as f64 - sx, dy * row as f64 - sy, f64::from(height) * sz + margin)
    };
    for row in row_from..row_to {
        // zigzag between two rows: the last three points are the top of a prism
        let mut prism = [Vec3::new(0.0, 0.0, -base); 6];
        for col in col_from..=col_to {
            for (nth, row) in [row + 1, row].into_iter().enumerate() {
                let top = point(row, col);
                prism = [prism[1], prism[2], Vec3::new(top.x, top.y, -base), prism[4], prism[5], top];
                if 2 * (col - col_from) + nth >= 2 && !visit(&prism) {
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{at, capsule, cuboid, ellipsoid, sphere, turned};

    fn run(field: &HfieldView<'_>, b: &Posed<'_>, margin: f64) -> Vec<RawContact> {
        let mut out = ContactBuf::new();
        let a = at(Shape::Hfield(field), [0.0; 3]);
        hfield_convex(&a, b, margin, &ConvexOptions::default(), &mut ConvexScratch::default(), &mut out);
        out.as_slice().to_vec()
    }

    /// Five by five lines, four units wide, level at height one.
    const LEVEL: HfieldView<'_> = HfieldView { size: [2.0, 2.0, 1.0, 0.5], nrow: 5, ncol: 5, data: &[1.0; 25] };

    #[test]
    fn ball_on_level_ground_touches_every_prism_under_it() {
        // over a grid point, where six triangles meet
        let contacts = run(&LEVEL, &at(sphere(0.5), [0.0, 0.0, 1.25]), 0.0);
        assert_eq!(contacts.len(), 6);
        for c in &contacts {
            assert!((c.dist + 0.25).abs() < 1e-9 && (c.normal - Vec3::z()).norm() < 1e-9, "{c:?}");
            assert!((c.pos - Vec3::new(0.0, 0.0, 0.875)).norm() < 1e-9, "{c:?}");
        }
    }

    #[test]
    fn ball_inside_a_triangle_is_deepest_there() {
        let contacts = run(&LEVEL, &at(sphere(0.25), [0.3, 0.3, 1.125]), 0.0);
        let deepest = contacts.iter().min_by(|a, b| a.dist.total_cmp(&b.dist)).unwrap();
        assert!((deepest.dist + 0.125).abs() < 1e-9 && (deepest.normal - Vec3::z()).norm() < 1e-9, "{deepest:?}");
    }

    #[test]
    fn contacts_come_row_by_row() {
        let contacts = run(&LEVEL, &at(ellipsoid([1.2, 1.2, 0.5]), [0.0, 0.0, 1.25]), 0.0);
        assert!(contacts.len() > 10);
        let first = contacts.first().unwrap();
        let last = contacts.last().unwrap();
        assert!(first.pos.y < 0.0 && last.pos.y > 0.0, "{first:?} {last:?}");
    }

    #[test]
    fn margin_raises_the_ground_and_is_not_taken_off_again() {
        let contacts = run(&LEVEL, &at(sphere(0.5), [0.3, 0.3, 1.55]), 0.1);
        let deepest = contacts.iter().map(|c| c.dist).fold(0.0, f64::min);
        assert!((deepest - (0.05 - 0.15)).abs() < 1e-9, "{deepest}");
    }

    #[test]
    fn there_is_nothing_beside_above_or_below() {
        assert!(run(&LEVEL, &at(sphere(0.5), [2.6, 0.0, 1.0]), 0.0).is_empty());
        assert!(run(&LEVEL, &at(sphere(0.5), [0.0, 0.0, 1.6]), 0.0).is_empty());
        assert!(run(&LEVEL, &at(sphere(0.5), [0.0, 0.0, -1.1]), 0.0).is_empty());
        // the ball's sphere reaches the box of the ground, the capsule itself does not
        assert!(run(&LEVEL, &at(capsule(0.1, 2.0), [2.2, 0.0, 1.0]), 0.0).is_empty());
    }

    #[test]
    fn fifty_contacts_are_enough() {
        let data = [1.0; 400];
        let field = HfieldView { size: [2.0, 2.0, 1.0, 0.5], nrow: 20, ncol: 20, data: &data };
        assert_eq!(run(&field, &at(cuboid([1.9, 1.9, 0.5]), [0.0, 0.0, 1.4]), 0.0).len(), MAX_PAIR_CONTACTS);
    }

    #[test]
    fn contacts_turn_with_the_ground() {
        let ground = turned(Shape::Hfield(&LEVEL), [1.0, 2.0, 3.0], [1.0, 2.0, 3.0], 70.0);
        let ball = at(sphere(0.25), [0.3, 0.3, 1.125]);
        let there = Posed { pos: ground.to_world(&ball.pos), mat: ground.mat, ..ball };
        let mut out = ContactBuf::new();
        hfield_convex(&ground, &there, 0.0, &ConvexOptions::default(), &mut ConvexScratch::default(), &mut out);
        let here = run(&LEVEL, &ball, 0.0);
        assert_eq!(out.len(), here.len());
        for (x, y) in out.as_slice().iter().zip(&here) {
            assert!((x.dist - y.dist).abs() < 1e-9);
            assert!((x.normal - ground.mat * y.normal).norm() < 1e-9);
            assert!((x.pos - ground.to_world(&y.pos)).norm() < 1e-9);
        }
    }

    #[test]
    fn broken_grounds_give_nothing_or_something_finite() {
        let sizes = [[0.0; 4], [f64::NAN; 4], [1.0, 1.0, 1.0, 0.0], [1e300; 4], [f64::INFINITY; 4]];
        for size in sizes {
            for (nrow, ncol, data) in
                [(0, 0, &[][..]), (1, 1, &[1.0][..]), (3, 3, &[f32::NAN; 9][..]), (9, 9, &[1.0][..])]
            {
                let field = HfieldView { size, nrow, ncol, data };
                for pos in [[0.0; 3], [f64::NAN; 3], [1e308, 0.0, 0.0]] {
                    let contacts = run(&field, &at(cuboid([0.5; 3]), pos), 0.0);
                    assert!(contacts.iter().all(RawContact::is_finite));
                }
            }
        }
    }
}
