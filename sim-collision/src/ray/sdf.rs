//! Rays against distance fields.

use super::solid::cuboid;
use super::{Hit, Ray};
use crate::sdf::SdfView;
use sim_types::Vec3;
use sim_types::math::normalize3;

/// Steps of a walk along the ray.
const STEPS: usize = 40;
/// A surface nearer than this is hit.
const NEAR: f64 = 1e-7;
/// A walk that is farther than this from the surface has missed it.
const FAR: f64 = 1e6;

/// The surface of a distance field, in its frame, by steps as long as the distance to it.
///
/// The result is in units of length even when the direction is not of length one, as in MuJoCo.
pub(super) fn sdf(sdf: &SdfView<'_>, ray: &Ray) -> Option<Hit> {
    let [cx, cy, cz, x, y, z] = sdf.aabb;
    // a box around the origin, which reaches as far as the shape does
    let half = sdf.mesh.map_or(Vec3::new(cx.abs() + x, cy.abs() + y, cz.abs() + z), |mesh| mesh.half);
    cuboid(&half, ray)?;
    let mut dir = ray.dir;
    normalize3(&mut dir);
    let mut dist = 0.0;
    for _ in 0..STEPS {
        let step = sdf.distance(&(ray.origin + dir * dist)).abs();
        dist += step;
        if step < NEAR {
            let mut normal = sdf.gradient(&(ray.origin + dir * dist));
            normalize3(&mut normal);
            return Some(Hit { dist, normal });
        }
        if step > FAR || step.is_nan() {
            return None;
        }
    }
    None
}
