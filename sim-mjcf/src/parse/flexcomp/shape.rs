//! Points and elements on a line, a sheet or a block.

use super::{Flexcomp, Type};
use crate::limits::Limits;
use sim_types::math::{cos, sin};
use std::f64::consts::PI;

/// Smallest coordinate that counts as one side of the middle.
const EPS: f64 = 1e-14;

/// Tetrahedra of a cell, by the numbers of its corners.
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 3, 1, 7], [0, 1, 4, 7], [1, 3, 2, 7], [1, 2, 6, 7], [1, 5, 4, 7], [1, 6, 5, 7]];

/// Corners of a cell: steps along x, y, z.
const CORNERS: [[usize; 3]; 8] =
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];

/// Makes a grid of any dimension, or a circle.
#[doc(alias = "mjCFlexcomp::MakeGrid")]
pub(super) fn grid(comp: &mut Flexcomp, limits: Limits) -> Result<(), String> {
    let counts = comp.counts();
    let dim = comp.flex.dim as usize;
    within(&counts[..dim.min(3)], [1, 2, 6][dim.min(3) - 1], limits)?;
    match dim {
        1 if comp.kind == Type::Circle => circle(comp, counts[0]),
        1 => line(comp, counts[0]),
        2 => sheet(comp, counts),
        _ => block(comp, counts),
    }
    if comp.element.is_empty() {
        return Err("this count and dim give no elements".to_owned());
    }
    Ok(())
}

/// Makes a square, and a disc from it.
#[doc(alias = "mjCFlexcomp::MakeSquare")]
pub(super) fn square(comp: &mut Flexcomp, limits: Limits) -> Result<(), String> {
    comp.flex.dim = 2;
    grid(comp, limits)?;
    if comp.kind == Type::Disc {
        let size = [0, 1].map(|k| 0.5 * comp.spacing[k] * f64::from(comp.count[k] - 1));
        for p in comp.point.chunks_exact_mut(3) {
            // squares around the middle become circles
            let reach = p[0].abs().max(p[1].abs());
            crate::compile::pose::normalize(&mut p[..2]);
            p[0] *= size[0] * reach;
            p[1] *= size[1] * reach;
        }
    }
    Ok(())
}

/// Refuses counts that ask for more points or elements than allowed.
pub(super) fn within(counts: &[usize], per_cell: usize, limits: Limits) -> Result<(), String> {
    let points = counts.iter().fold(1usize, |n, count| n.saturating_mul(*count));
    if points > limits.vertices || points.saturating_mul(per_cell) > limits.elements {
        return Err(format!(
            "count asks for {points} points; the limits are {} vertices and {} elements",
            limits.vertices, limits.elements
        ));
    }
    Ok(())
}

/// Coordinate of point `i` of `n`, the middle at zero.
fn at(spacing: f64, i: usize, n: usize) -> f64 {
    spacing * (i as f64 - 0.5 * (n as f64 - 1.0))
}

fn line(comp: &mut Flexcomp, n: usize) {
    for i in 0..n {
        comp.point.extend([at(comp.spacing[0], i, n), 0.0, 0.0]);
        if i + 1 < n {
            comp.element.extend([i as i32, i as i32 + 1]);
        }
    }
}

/// A closed loop of one point less than the count.
fn circle(comp: &mut Flexcomp, n: usize) {
    let corners = n - 1;
    let angle = 2.0 * PI / corners as f64;
    let radius = comp.spacing[0] / sin(angle / 2.0) / 2.0;
    for i in 0..corners {
        let turn = angle * i as f64;
        comp.point.extend([radius * cos(turn), radius * sin(turn), 0.0]);
        comp.element.extend([i as i32, if i + 1 == corners { 0 } else { i as i32 + 1 }]);
    }
}

fn sheet(comp: &mut Flexcomp, [nx, ny, nz]: [usize; 3]) {
    let textured = comp.needs_texcoord();
    for ix in 0..nx {
        for iy in 0..ny {
            let (x, y) = (at(comp.spacing[0], ix, nx), at(comp.spacing[1], iy, ny));
            comp.point.extend([x, y, 0.0]);
            if textured {
                comp.texcoord.extend([(ix, nx), (iy, ny)].map(|(i, n)| (i as f64 / (n - 1).max(1) as f64) as f32));
            }
            if ix + 1 == nx || iy + 1 == ny {
                continue;
            }
            // MuJoCo numbers points as in a block, which is right for a third count of one
            let [a, b, c, d] =
                [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(dx, dy)| id(nz * ny * (ix + dx) + nz * (iy + dy)));

            // in two quadrants of a disc the other diagonal points to the middle
            let other = (x < -EPS && y > -EPS) || (x > -EPS && y < -EPS);
            if other && comp.kind == Type::Disc {
                comp.element.extend([a, b, d, b, c, d]);
            } else {
                comp.element.extend([a, b, c, a, c, d]);
            }
        }
    }
}

fn block(comp: &mut Flexcomp, [nx, ny, nz]: [usize; 3]) {
    let textured = comp.needs_texcoord();
    for ix in 0..nx {
        for iy in 0..ny {
            for iz in 0..nz {
                let [sx, sy, sz] = comp.spacing;
                comp.point.extend([at(sx, ix, nx), at(sy, iy, ny), at(sz, iz, nz)]);
                if textured {
                    comp.texcoord.extend([share(ix, nx), share(iy, ny)]);
                }
                if ix + 1 < nx && iy + 1 < ny && iz + 1 < nz {
                    let corner = CORNERS.map(|[dx, dy, dz]| id(nz * ny * (ix + dx) + nz * (iy + dy) + iz + dz));
                    comp.element.extend(TETRAHEDRA.iter().flatten().map(|k| corner[*k]));
                }
            }
        }
    }
}

/// How far `i` is on the way to the last of `n`.
pub(super) fn share(i: usize, n: usize) -> f32 {
    i as f32 / (n - 1).max(1) as f32
}

/// A point as MuJoCo stores it; numbers beyond its range point to nothing.
fn id(i: usize) -> i32 {
    i32::try_from(i).unwrap_or(-1)
}
