//! Every shape as a field: distance and direction from any point of its frame.
//!
//! Formulas by Inigo Quilez, <https://iquilezles.org/articles/distfunctions/>. Inside a box the direction turns evenly
//! from radial to the normals of the sides, so that a descent does not jump between sides.

use sim_types::math::{clip, normalize3};
use sim_types::{MAXVAL, Mat3, Vec3};

use super::octree::Last;
use super::{OctreeView, SdfView};
use crate::convex::{self, ConvexOptions, ConvexScratch, Object};
use crate::ray::{Ray, ray};
use crate::{HfieldView, MeshView, Posed, Shape};

/// A shape as a field.
#[derive(Clone, Copy, Debug)]
pub(super) enum Field<'a> {
    Plane,
    Sphere {
        radius: f64,
    },
    Capsule {
        radius: f64,
        half: f64,
    },
    Ellipsoid {
        size: Vec3,
    },
    Cylinder {
        radius: f64,
        half: f64,
    },
    Box {
        size: Vec3,
    },
    /// The convex hull of a mesh, asked by the convex search.
    Hull {
        mesh: &'a MeshView<'a>,
        options: ConvexOptions,
    },
    /// A mesh, asked by rays towards the origin of the world.
    Rays {
        mesh: Posed<'a>,
    },
    Hfield(&'a HfieldView<'a>),
    Octree(OctreeView<'a>),
    Sdf(&'a SdfView<'a>),
}

/// What a field remembers between two points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory {
    leaf: Last,
    /// The last point that a ray went from, and whether it met the mesh only far away: its direction is mostly asked for next.
    ray: (Vec3, bool),
}

impl Default for Memory {
    fn default() -> Self {
        Self { leaf: Last::default(), ray: (Vec3::repeat(f64::NAN), false) }
    }
}

impl<'a> Field<'a> {
    /// The field of a shape; `None` for an empty mesh or terrain.
    pub(super) fn new(shape: &Shape<'a>, options: &ConvexOptions) -> Option<Self> {
        Some(match *shape {
            Shape::Plane { .. } => Self::Plane,
            Shape::Sphere { radius } => Self::Sphere { radius },
            Shape::Capsule { radius, half } => Self::Capsule { radius, half },
            Shape::Ellipsoid { size } => Self::Ellipsoid { size },
            Shape::Cylinder { radius, half } => Self::Cylinder { radius, half },
            Shape::Box { size } => Self::Box { size },
            Shape::Mesh(mesh) if mesh.vert.is_empty() => return None,
            Shape::Mesh(mesh) => Self::Hull { mesh, options: *options },
            Shape::Hfield(field) if field.nrow < 2 || field.ncol < 2 => return None,
            Shape::Hfield(field) => Self::Hfield(field),
            Shape::Sdf(sdf) => Self::Sdf(sdf),
        })
    }

    /// What MuJoCo takes for the field of a mesh that meets an octree: another octree, or rays.
    pub(super) fn of_mesh(posed: &Posed<'a>, mesh: &MeshView<'a>) -> Self {
        match mesh.field {
            Some(field) if !field.octree.child.is_empty() => Self::Octree(field.octree),
            _ => Self::Rays { mesh: *posed },
        }
    }

    /// Distance of a point, negative inside.
    pub(super) fn distance(&self, x: &Vec3, memory: &mut Memory, scratch: &mut ConvexScratch) -> f64 {
        match self {
            Self::Plane => x.z,
            Self::Sphere { radius } => x.norm() - radius,
            Self::Capsule { radius, half } => off_axis(x, *half).norm() - radius,
            Self::Ellipsoid { size } => {
                let (k0, k1, _) = ellipsoid_norms(x, size);
                k0 * (k0 - 1.0) / k1
            }
            Self::Cylinder { radius, half } => {
                let (a0, a1) = ((x.x * x.x + x.y * x.y).sqrt() - radius, x.z.abs() - half);
                let (b0, b1) = (max(a0, 0.0), max(a1, 0.0));
                min(max(a0, a1), 0.0) + (b0 * b0 + b1 * b1).sqrt()
            }
            Self::Box { size } => box_distance(x, size),
            Self::Hull { mesh, options } => hull(mesh, x, options, scratch).0,
            Self::Rays { mesh } => {
                let (there, dist) = towards_origin(mesh, x);
                let far = dist > there.origin.norm();
                memory.ray = (*x, far);
                if far { -along(mesh, &Ray { dir: -there.dir, ..there }) } else { dist }
            }
            Self::Hfield(field) => terrain(field, x).0,
            Self::Octree(octree) => octree.distance_near(x, &mut memory.leaf),
            Self::Sdf(sdf) => sdf.distance_near(x, &mut memory.leaf),
        }
    }

    /// Direction in which the distance grows.
    pub(super) fn gradient(&self, x: &Vec3, memory: &mut Memory, scratch: &mut ConvexScratch) -> Vec3 {
        match self {
            Self::Plane => Vec3::z(),
            Self::Sphere { .. } => x * (1.0 / x.norm()),
            Self::Capsule { half, .. } => {
                let a = off_axis(x, *half);
                a / a.norm()
            }
            Self::Ellipsoid { size } => {
                let (k0, k1, b) = ellipsoid_norms(x, size);
                let (inv0, inv1) = (1.0 / k0, 1.0 / k1);
                let (by_k0, by_k1) = ((2.0 * k0 - 1.0) * inv1, k0 * (k0 - 1.0) * inv1 * inv1);
                let part = |k: usize| b[k] * inv0 * by_k0 - b[k] * inv1 / (size[k] * size[k]) * by_k1;
                normalized(&Vec3::new(part(0), part(1), part(2)))
            }
            Self::Cylinder { radius, half } => cylinder_gradient(x, *radius, *half),
            Self::Box { size } => box_gradient(x, size),
            Self::Hull { mesh, options } => hull(mesh, x, options, scratch).1,
            Self::Rays { .. } => {
                if memory.ray.0 != *x {
                    self.distance(x, memory, scratch);
                }
                Vec3::repeat(if memory.ray.1 { 1.0 } else { -1.0 })
            }
            Self::Hfield(field) => terrain(field, x).1,
            Self::Octree(octree) => octree.gradient_near(x, &mut memory.leaf),
            Self::Sdf(sdf) => sdf.gradient_near(x, &mut memory.leaf),
        }
    }
}

/// Centre and half sizes of the box around a shape.
pub(super) fn bounds(shape: &Shape<'_>) -> [f64; 6] {
    let centred = |x: f64, y: f64, z: f64| [0.0, 0.0, 0.0, x, y, z];
    match shape {
        Shape::Plane { .. } => [0.0, 0.0, -0.5 * MAXVAL, MAXVAL, MAXVAL, 0.5 * MAXVAL],
        Shape::Sphere { radius } => centred(*radius, *radius, *radius),
        Shape::Capsule { radius, half } => centred(*radius, *radius, radius + half),
        Shape::Ellipsoid { size } | Shape::Box { size } => centred(size.x, size.y, size.z),
        Shape::Cylinder { radius, half } => centred(*radius, *radius, *half),
        Shape::Mesh(mesh) => mesh.field.map_or_else(|| centred(mesh.half.x, mesh.half.y, mesh.half.z), |f| f.aabb),
        Shape::Hfield(field) => {
            let [sx, sy, top, base] = field.size;
            [0.0, 0.0, 0.5 * (top - base), sx, sy, 0.5 * (top + base)]
        }
        Shape::Sdf(sdf) => sdf.aabb,
    }
}

/// From the nearest point of the axis to `x`.
fn off_axis(x: &Vec3, half: f64) -> Vec3 {
    Vec3::new(x.x, x.y, x.z - clip(x.z, -half, half))
}

/// Norms of `x/s` and `x/s²`, and the latter vector.
fn ellipsoid_norms(x: &Vec3, size: &Vec3) -> (f64, f64, Vec3) {
    let a = x.component_div(size);
    let b = a.component_div(size);
    (a.norm(), b.norm(), b)
}

fn box_distance(x: &Vec3, size: &Vec3) -> f64 {
    let a = x.abs() - size;
    if a.x >= 0.0 || a.y >= 0.0 || a.z >= 0.0 {
        let b = Vec3::new(max(a.x, 0.0), max(a.y, 0.0), max(a.z, 0.0));
        return b.norm() + min(max(a.x, max(a.y, a.z)), 0.0);
    }
    let b = turning_direction(&a, x, size);
    let reach = |k: usize| -a[k] / b[k].abs();
    -min(reach(0), min(reach(1), reach(2))) * b.norm()
}

fn box_gradient(x: &Vec3, size: &Vec3) -> Vec3 {
    let a = x.abs() - size;
    if max(a.z, max(a.x, a.y)) < 0.0 {
        return turning_direction(&a, x, size);
    }
    let b = Vec3::new(max(a.x, 0.0), max(a.y, 0.0), max(a.z, 0.0));
    let length = b.norm();
    let part = |k: usize| if a[k] > 0.0 { b[k] / length * x[k] / x[k].abs() } else { 0.0 };
    Vec3::new(part(0), part(1), part(2))
}

/// A direction inside a box that turns from radial to the normals of the sides; `a` is `|x| − size`.
fn turning_direction(a: &Vec3, x: &Vec3, size: &Vec3) -> Vec3 {
    let mut dir = normalized(&Vec3::new(-size.x / a.x, -size.y / a.y, -size.z / a.z));
    for k in 0..3 {
        if x[k] < 0.0 {
            dir[k] = -dir[k];
        }
    }
    dir
}

fn cylinder_gradient(x: &Vec3, radius: f64, half: f64) -> Vec3 {
    let (c, e) = ((x.x * x.x + x.y * x.y).sqrt(), x.z.abs());
    let (a0, a1) = (c - radius, e - half);
    let (radial, axial) = (max(c, 1.0 / MAXVAL), max(e, 1.0 / MAXVAL));
    let out = Vec3::new(x.x / radial, x.y / radial, x.z / axial);
    let on_side = a0 > a1;
    if (if on_side { a0 } else { a1 }) < 0.0 {
        return if on_side { Vec3::new(out.x, out.y, 0.0) } else { Vec3::new(0.0, 0.0, out.z) };
    }
    let (b0, b1) = (max(a0, 0.0), max(a1, 0.0));
    let length = max((b0 * b0 + b1 * b1).sqrt(), 1.0 / MAXVAL);
    Vec3::new(out.x * b0 / length, out.y * b0 / length, out.z * b1 / length)
}

/// Distance of a point from the convex hull of a mesh, and the direction away from it.
fn hull(mesh: &MeshView<'_>, x: &Vec3, options: &ConvexOptions, scratch: &mut ConvexScratch) -> (f64, Vec3) {
    let posed = Posed { shape: Shape::Mesh(mesh), pos: Vec3::zeros(), mat: Mat3::identity() };
    let Some(mut hull) = Object::new(&posed, 0.0) else { return (MAXVAL, Vec3::zeros()) };
    match convex::distance(&mut Object::point(*x), &mut hull, f64::MAX, options, scratch) {
        (dist, Some((x1, x2))) => (dist, normalized(&(if dist < 0.0 { x2 - x1 } else { x1 - x2 }))),
        _ => (0.0, Vec3::zeros()),
    }
}

/// The ray from a point of the mesh's frame to the origin of the world, and where it meets the mesh. What MuJoCo asks next is
/// whether that is more times the ray's length than the ray is long.
fn towards_origin(mesh: &Posed<'_>, x: &Vec3) -> (Ray, f64) {
    let origin = mesh.to_world(x);
    let there = Ray { origin, dir: -origin };
    (there, along(mesh, &there))
}

/// Where a ray meets a mesh, in multiples of its direction; −1 when it does not.
fn along(mesh: &Posed<'_>, there: &Ray) -> f64 {
    ray(mesh, there).map_or(-1.0, |hit| hit.dist)
}

/// Distance of a point from the plane of the triangle of a terrain over or under it, and the normal of that plane.
fn terrain(field: &HfieldView<'_>, x: &Vec3) -> (f64, Vec3) {
    let [sx, sy, top, base] = field.size;
    let (cols, rows) = ((field.ncol - 1) as f64, (field.nrow - 1) as f64);
    let (dx, dy) = (2.0 * sx / cols, 2.0 * sy / rows);

    // the cell, and where in it the point is
    let u = clip((x.x + sx) / dx, 0.0, cols);
    let v = clip((x.y + sy) / dy, 0.0, rows);
    let (col, row) = ((u as usize).min(field.ncol - 2), (v as usize).min(field.nrow - 2));
    let (u, v) = (u - col as f64, v - row as f64);
    let z = |row: usize, col: usize| top * field.data.get(row * field.ncol + col).map_or(0.0, |z| f64::from(*z));

    // cells are cut from (row, col + 1) to (row + 1, col), as the prisms are
    let (corner, by_u, by_v) = if u + v < 1.0 {
        (z(row, col), z(row, col + 1) - z(row, col), z(row + 1, col) - z(row, col))
    } else {
        let far = z(row + 1, col + 1);
        let (by_u, by_v) = (far - z(row + 1, col), far - z(row, col + 1));
        (far - by_u - by_v, by_u, by_v)
    };
    let normal = normalized(&Vec3::new(-by_u / dx, -by_v / dy, 1.0));
    let above = (x.z - (corner + u * by_u + v * by_v)) * normal.z;

    // below the base there is nothing
    let below = -base - x.z;
    if below > above { (below, -Vec3::z()) } else { (above, normal) }
}

/// `v` at length one; nothing becomes (1, 0, 0).
fn normalized(v: &Vec3) -> Vec3 {
    let mut v = *v;
    normalize3(&mut v);
    v
}

/// The larger number; the second when either is no number.
fn max(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The smaller number; the second when either is no number.
fn min(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}
