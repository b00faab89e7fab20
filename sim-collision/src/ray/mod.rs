//! Rays against shapes.
//!
//! A ray starts at `origin` and goes along `dir`, which need not have length one: a hit lies at `origin + dist·dir`.
//! From inside a solid shape the surface is hit on the way out. Planes are hit from above only, terrains from all sides,
//! triangles of meshes from both. Normals point outwards, or along the winding of a triangle.
//!
//! MuJoCo: `mju_rayGeom`, `mj_rayMesh`, `mj_rayHfield`.

mod bounds;
mod hfield;
mod mesh;
mod sdf;
mod solid;

pub use bounds::AngularBounds;
pub use mesh::ray_triangle;

use crate::{Posed, Shape};
use sim_types::Vec3;

/// Where a ray starts and where it goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Start.
    pub origin: Vec3,
    /// Direction, of any length but zero.
    pub dir: Vec3,
}

impl Ray {
    /// The point at a multiple of the direction.
    #[inline]
    pub fn at(&self, dist: f64) -> Vec3 {
        self.origin + self.dir * dist
    }

    /// The same ray in the frame of a shape.
    #[inline]
    fn to_local(self, posed: &Posed<'_>) -> Self {
        Self { origin: posed.to_local(&self.origin), dir: posed.mat.tr_mul(&self.dir) }
    }
}

/// Where a ray meets a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Multiple of the direction; never negative.
    pub dist: f64,
    /// Unit normal of the surface.
    pub normal: Vec3,
}

impl Hit {
    /// Keeps the nearer of two hits; the old one when they are equal.
    #[inline]
    pub fn keep_nearer(best: &mut Option<Self>, new: Option<Self>) {
        if let Some(new) = new
            && best.is_none_or(|old| new.dist < old.dist)
        {
            *best = Some(new);
        }
    }
}

/// The first hit of a ray on a shape.
pub fn ray(posed: &Posed<'_>, ray: &Ray) -> Option<Hit> {
    if around(&posed.shape).is_some_and(|radius| passes_by(&(ray.origin - posed.pos), &ray.dir, radius)) {
        return None;
    }
    let local = ray.to_local(posed);
    let hit = match &posed.shape {
        Shape::Plane { half } => solid::plane(half, &local),
        Shape::Sphere { radius } => return finite(solid::sphere(&posed.pos, *radius, ray)),
        Shape::Capsule { radius, half } => solid::capsule(*radius, *half, &local),
        Shape::Ellipsoid { size } => solid::ellipsoid(size, &local),
        Shape::Cylinder { radius, half } => solid::cylinder(*radius, *half, &local),
        Shape::Box { size } => solid::cuboid(size, &local),
        Shape::Mesh(mesh) => mesh::mesh(mesh, &local),
        Shape::Hfield(field) => hfield::hfield(field, posed, &ray.origin, &local),
        Shape::Sdf(view) => sdf::sdf(view, &local),
    }?;
    finite(Some(Hit { dist: hit.dist, normal: posed.mat * hit.normal }))
}

/// Radius of a ball around a solid, not the smallest one; `None` for shapes that have none or look for themselves.
#[inline]
fn around(shape: &Shape<'_>) -> Option<f64> {
    match shape {
        Shape::Capsule { radius, half } | Shape::Cylinder { radius, half } => Some(radius + half),
        Shape::Ellipsoid { size } => Some(size.x.max(size.y).max(size.z)),
        Shape::Box { size } => Some(size.x + size.y + size.z),
        Shape::Mesh(mesh) => Some(mesh.half.x + mesh.half.y + mesh.half.z),
        Shape::Plane { .. } | Shape::Sphere { .. } | Shape::Hfield(_) | Shape::Sdf(_) => None,
    }
}

/// True when a ray passes a ball around zero by more than rounding.
#[inline]
fn passes_by(origin: &Vec3, dir: &Vec3, radius: f64) -> bool {
    let (a, b, c) = (dir.norm_squared(), dir.dot(origin), origin.norm_squared());
    let radius2 = radius * radius * (1.0 + 1e-9);
    c > radius2 && (b > 0.0 || a * (c * (1.0 - 1e-9) - radius2) > b * b)
}

fn finite(hit: Option<Hit>) -> Option<Hit> {
    hit.filter(|h| h.dist.is_finite() && h.normal.iter().all(|x| x.is_finite()))
}

#[cfg(test)]
mod tests;
