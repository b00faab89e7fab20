//! Points and elements on the surface of a box, and of what a box can be bent to.

use super::shape::{share, within};
use super::{Flexcomp, Type};
use crate::compile::pose::normalize;
use crate::limits::Limits;

/// Makes a box, a cylinder or an ellipsoid: triangles on its surface, or tetrahedra from its centre to them.
///
/// With triangles the side at the top is left open.
#[doc(alias = "mjCFlexcomp::MakeBox")]
pub(super) fn surface(comp: &mut Flexcomp, limits: Limits) -> Result<(), String> {
    let count = comp.counts();
    if count.iter().any(|n| *n < 2) {
        return Err("every count must be at least 2 for this type".to_owned());
    }
    within(&count, 1, limits)?;
    let solid = comp.flex.dim == 3;
    let open = comp.flex.dim == 2;
    let mut sides = Sides { count, open, number: vec![0; count.iter().product()], next: 0 };
    if solid {
        comp.point.extend([0.0; 3]);
        sides.next = 1;
    }
    let textured = comp.needs_texcoord();
    if textured {
        comp.texcoord.extend([0.0; 2]);
    }
    sides.points(comp, textured);
    sides.elements(comp, solid);
    Ok(())
}

/// The numbering of points on the surface.
struct Sides {
    count: [usize; 3],
    open: bool,
    /// Point at each place of the full grid.
    number: Vec<i32>,
    next: i32,
}

impl Sides {
    fn place(&self, [ix, iy, iz]: [usize; 3]) -> usize {
        (ix * self.count[1] + iy) * self.count[2] + iz
    }

    fn add(&mut self, comp: &mut Flexcomp, at: [usize; 3], texture: Option<[f32; 2]>) {
        comp.point.extend(project(comp, at));
        comp.texcoord.extend(texture.into_iter().flatten());
        let place = self.place(at);
        self.number[place] = self.next;
        self.next += 1;
    }

    /// Points of both sides across z, then of both across y without those, then of both across x.
    fn points(&mut self, comp: &mut Flexcomp, textured: bool) {
        let [nx, ny, nz] = self.count;
        let coords = |a: (usize, usize), b: (usize, usize)| textured.then(|| [share(a.0, a.1), share(b.0, b.1)]);
        for iz in if self.open { vec![0] } else { vec![0, nz - 1] } {
            for ix in 0..nx {
                for iy in 0..ny {
                    self.add(comp, [ix, iy, iz], coords((ix, nx), (iy, ny)));
                }
            }
        }
        let top = if self.open { nz } else { nz - 1 };
        for iy in [0, ny - 1] {
            for ix in 0..nx {
                for iz in 1..top {
                    self.add(comp, [ix, iy, iz], coords((ix, nx), (iz, nz)));
                }
            }
        }
        for ix in [0, nx - 1] {
            for iy in 1..ny - 1 {
                for iz in 1..top {
                    self.add(comp, [ix, iy, iz], coords((iy, ny), (iz, nz)));
                }
            }
        }
    }

    fn elements(&self, comp: &mut Flexcomp, solid: bool) {
        let [nx, ny, nz] = self.count;
        for iz in if self.open { vec![0] } else { vec![0, nz - 1] } {
            for ix in 0..nx - 1 {
                for iy in 0..ny - 1 {
                    let at = |dx: usize, dy: usize| self.number[self.place([ix + dx, iy + dy, iz])];
                    let quad = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
                    // seen from outside, the bottom turns the other way
                    let [a, b, c, d] = quad;
                    let flat = if iz == 0 { [a, c, b, a, d, c] } else { [a, b, c, a, c, d] };
                    cell(comp, solid, quad, flat);
                }
            }
        }
        for iy in [0, ny - 1] {
            for ix in 0..nx - 1 {
                for iz in 0..nz - 1 {
                    let at = |dx: usize, dz: usize| self.number[self.place([ix + dx, iy, iz + dz])];
                    side(comp, solid, [at(0, 0), at(1, 0), at(1, 1), at(0, 1)], iy == 0);
                }
            }
        }
        for ix in [0, nx - 1] {
            for iy in 0..ny - 1 {
                for iz in 0..nz - 1 {
                    let at = |dy: usize, dz: usize| self.number[self.place([ix, iy + dy, iz + dz])];
                    side(comp, solid, [at(0, 0), at(1, 0), at(1, 1), at(0, 1)], ix != 0);
                }
            }
        }
    }
}

/// Two triangles of an upright cell, which starts at its other end unless it is `ahead`.
fn side(comp: &mut Flexcomp, solid: bool, quad: [i32; 4], ahead: bool) {
    let [a, b, c, d] = if ahead { quad } else { [quad[1], quad[0], quad[3], quad[2]] };
    cell(comp, solid, quad, [a, b, c, a, c, d]);
}

/// Adds a cell: two tetrahedra over its first diagonal, or the triangles given.
fn cell(comp: &mut Flexcomp, solid: bool, [a, b, c, d]: [i32; 4], flat: [i32; 6]) {
    if solid {
        comp.element.extend([0, a, b, c, 0, a, d, c]);
    } else {
        comp.element.extend(flat);
    }
}

/// The point at a place of the grid, bent to the shape.
#[doc(alias = "mjCFlexcomp::BoxProject")]
fn project(comp: &Flexcomp, at: [usize; 3]) -> [f64; 3] {
    let count = comp.counts();
    let mut p = [0, 1, 2].map(|k| 2.0 * at[k] as f64 / (count[k] - 1) as f64 - 1.0);
    let size = [0, 1, 2].map(|k| 0.5 * comp.spacing[k] * (count[k] - 1) as f64);
    match comp.kind {
        Type::Cylinder => {
            let reach = p[0].abs().max(p[1].abs());
            normalize(&mut p[..2]);
            [p[0] * (size[0] * reach), p[1] * (size[1] * reach), p[2] * size[2]]
        }
        Type::Ellipsoid => {
            normalize(&mut p);
            [p[0] * size[0], p[1] * size[1], p[2] * size[2]]
        }
        _ => [p[0] * size[0], p[1] * size[1], p[2] * size[2]],
    }
}
