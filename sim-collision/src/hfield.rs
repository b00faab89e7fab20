//! Height field against a convex shape: one closed prism under each triangle of the terrain.
//!
//! MuJoCo: `mjc_ConvexHField`.

use sim_types::Vec3;
use sim_types::math::{ceil, floor};

use crate::convex::{self, ConvexOptions, ConvexScratch, Object, bounding_radius, rotate, rotate_t};
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
    for_prisms(field, rows, cols, margin, |prism| {
        if prism[3].z < low.z && prism[4].z < low.z && prism[5].z < low.z {
            return true;
        }
        let mut wedge = Object::prism(*prism);
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
