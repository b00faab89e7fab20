//! Normals of round shapes, for contacts by portal refinement, whose direction is only roughly that of the surfaces.
//!
//! The normal of a ball, capsule, ellipsoid or the round wall of a cylinder is known at the contact point. Two known
//! normals are averaged.
//!
//! MuJoCo: `mjc_fixNormal`.

use sim_types::math::clip;
use sim_types::{MINVAL, Vec3};

use super::object::{Body, Object};
use super::vec::{norm, normalized, rotate, rotate_t};
use crate::RawContact;

/// Most steps of the searches on an ellipsoid, and when they have converged.
const ITERATIONS: usize = 30;
const TOLERANCE: f64 = 1e-6;

/// Replaces the normal of a contact by that of the surfaces of the objects, where they have one.
pub(crate) fn fix_normal(contact: &mut RawContact, a: &Object<'_>, b: &Object<'_>) {
    let first = surface_normal(a, &contact.pos, &contact.normal);
    let second = surface_normal(b, &contact.pos, &-contact.normal);
    contact.normal = match (first, second) {
        (Some(first), Some(second)) => normalized(&(first - second)),
        (Some(first), None) => first,
        (None, Some(second)) => -second,
        (None, None) => return,
    };
}

/// Outward normal of an object near a point of its surface, if it is round there. `guess` is outward too.
fn surface_normal(object: &Object<'_>, point: &Vec3, guess: &Vec3) -> Option<Vec3> {
    let pos = rotate_t(&object.mat, &(point - object.pos));
    let normal = match &object.body {
        Body::Sphere { .. } => pos,
        Body::Capsule { half, .. } => Vec3::new(pos.x, pos.y, pos.z - clip(pos.z, -half, *half)),
        Body::Ellipsoid { size } => ellipsoid_normal(&pos, size, rotate_t(&object.mat, guess))?,
        Body::Cylinder { radius, half } => {
            // near the flat ends, or nearer to them than to the wall, the normal is not that of the wall
            let (flat, round) = ((half - pos.z.abs()).abs(), (radius - (pos.x * pos.x + pos.y * pos.y).sqrt()).abs());
            if pos.z.abs() > 0.95 * half || flat < 0.25 * round {
                return None;
            }
            Vec3::new(pos.x, pos.y, 0.0)
        }
        _ => return None,
    };
    Some(rotate(&object.mat, &normalized(&normal)))
}

/// Normal of an ellipsoid at the point of its surface that belongs to `pos`.
fn ellipsoid_normal(pos: &Vec3, size: &Vec3, guess: Vec3) -> Option<Vec3> {
    if size.iter().any(|s| *s < MINVAL) {
        return None;
    }
    let level: f64 = (0..3).map(|k| pos[k] * pos[k] / (size[k] * size[k])).sum();
    if level <= 1.0 { from_inside(pos, size, guess) } else { Some(from_outside(pos, size)) }
}

/// A ray along the normal hits the surface, whose normal there is the next one, until it does not change any more.
fn from_inside(pos: &Vec3, size: &Vec3, guess: Vec3) -> Option<Vec3> {
    let inv2 = size.map(|s| 1.0 / (s * s));
    let form = |x: &Vec3, y: &Vec3| x.x * y.x * inv2.x + x.y * y.y * inv2.y + x.z * y.z * inv2.z;
    let c = form(pos, pos) - 1.0;
    if c > 0.0 {
        return None;
    }
    let mut normal = normalized(&guess);
    for iteration in 0..ITERATIONS {
        let (a, b) = (form(&normal, &normal), form(pos, &normal));
        let det = b * b - a * c;
        if det < MINVAL || a < MINVAL {
            return (iteration > 0).then_some(normal);
        }
        let x = (det.sqrt() - b) / a;
        if x < 0.0 {
            return (iteration > 0).then_some(normal);
        }
        let next = normalized(&(pos + normal * x).component_mul(&inv2));
        let change = norm(&(normal - next));
        normal = next;
        if change < TOLERANCE {
            break;
        }
    }
    Some(normal)
}

/// Normal at the nearest point of the surface, by Newton's method on its Lagrange multiplier.
fn from_outside(pos: &Vec3, size: &Vec3) -> Vec3 {
    let size2 = size.component_mul(size);
    let weight = pos.component_mul(pos).component_mul(&size2);
    let mut lambda = 0.0;
    for _ in 0..ITERATIONS {
        let r = size2.map(|s| 1.0 / (s + lambda));
        let r2 = r.component_mul(&r);
        let value = weight.dot(&r2) - 1.0;
        let slope = -2.0 * weight.dot(&r2.component_mul(&r));
        if value < TOLERANCE || slope > -MINVAL || -value / slope < TOLERANCE {
            break;
        }
        lambda -= value / slope;
    }
    normalized(&pos.component_div(&size2.map(|s| s + lambda)))
}
