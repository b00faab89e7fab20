//! Rays: the nearest surface along a line, for the geoms of a model.
//!
//! A ray starts at a point and goes along a direction of any length but zero; distances are multiples of the direction
//! (metres along the ray for distance fields, as in MuJoCo). Geoms need not collide to be hit, but they must be visible.

use sim_collision::ray::{AngularBounds, Hit, Ray, ray as ray_shape};
use sim_types::{MINVAL, Vec3};

use crate::collision::shape::{Hulls, with_posed};
use crate::data::Data;
use crate::model::Model;

/// Which geoms a ray can hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayFilter {
    /// Groups that count; groups beyond the last belong to it.
    pub groups: [bool; 6],
    /// Whether geoms that are fixed to the world count.
    pub fixed: bool,
    /// A body whose geoms do not count.
    pub exclude_body: Option<usize>,
}

impl Default for RayFilter {
    /// Every visible geom.
    fn default() -> Self {
        Self { groups: [true; 6], fixed: true, exclude_body: None }
    }
}

/// What a ray hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Multiple of the direction, never negative.
    pub dist: f64,
    /// The geom.
    pub geom: usize,
    /// Outward unit normal of the surface, world axes.
    pub normal: Vec3,
}

/// The nearest surface along a ray; the lowest geom where several are equally near. `None` for a direction without length.
///
/// Reads the poses of the geoms.
#[doc(alias = "mj_ray")]
pub fn ray(m: &Model, d: &Data, origin: &Vec3, dir: &Vec3, filter: &RayFilter) -> Option<RayHit> {
    let ray = Ray { origin: *origin, dir: *dir };
    if dir.norm() < MINVAL {
        return None;
    }
    let (mut best, hulls) = (None, Hulls::default());
    for geom in (0..m.ngeom).filter(|&g| filter.accepts(m, g)) {
        keep_nearer(&mut best, geom, ray_geom(m, d, &hulls, geom, &ray));
    }
    best
}

/// Many rays from one point, farther than `cutoff` or nearer. Writes one entry of `out` per direction.
///
/// A body's bounding sphere is tested first, and MuJoCo puts it where it would be if the body were not turned: rays can
/// miss geoms that [`ray`] hits. Allocates; a [`RaySource`] that is kept does not.
#[doc(alias = "mj_multiRay")]
pub fn multi_ray(
    m: &Model,
    d: &Data,
    origin: &Vec3,
    dirs: &[Vec3],
    filter: &RayFilter,
    cutoff: f64,
    out: &mut [Option<RayHit>],
) {
    let mut source = RaySource::default();
    source.prepare(m, d, origin, filter, cutoff);
    for (dir, hit) in dirs.iter().zip(out) {
        *hit = source.cast(m, d, dir);
    }
}

/// A point from which many rays start.
#[derive(Clone, Debug, Default)]
pub struct RaySource {
    origin: Vec3,
    /// Where each geom can be seen; `None` for geoms that do not count.
    seen: Vec<Option<AngularBounds>>,
}

impl RaySource {
    /// Finds out where the geoms are seen from `origin`. Those beyond `cutoff` do not count.
    #[doc(alias = "mju_multiRayPrepare")]
    pub fn prepare(&mut self, m: &Model, d: &Data, origin: &Vec3, filter: &RayFilter, cutoff: f64) {
        self.origin = *origin;
        self.seen.clear();
        self.seen.extend((0..m.ngeom).map(|geom| {
            let (pos, mat) = (&d.geom_xpos[geom], &d.geom_xmat[geom]);
            if !filter.accepts(m, geom) {
                None
            } else if m.body_bvhadr[m.geom_bodyid[geom] as usize].is_none() {
                Some(AngularBounds::ALL)
            } else if (pos - origin).norm() > cutoff + m.geom_rbound[geom] {
                None
            } else {
                Some(AngularBounds::of_box(&m.geom_aabb[geom], pos, mat, origin))
            }
        }));
    }

    /// The nearest surface in one direction; `None` also for a direction without length.
    #[doc(alias = "mju_singleRay")]
    pub fn cast(&self, m: &Model, d: &Data, dir: &Vec3) -> Option<RayHit> {
        let ray = Ray { origin: self.origin, dir: *dir };
        if dir.norm_squared() < MINVAL {
            return None;
        }
        let (mut best, hulls) = (None, Hulls::default());
        for body in 0..m.nbody {
            let root = m.body_bvhadr[body].get().and_then(|adr| m.bvh_aabb.get(adr));
            if root.is_some_and(|aabb| !meets_ball(aabb, &d.xipos[body], &ray)) {
                continue;
            }
            for geom in m.body_geoms(body) {
                let Some(Some(bounds)) = self.seen.get(geom) else { continue };
                if root.is_none() || bounds.contain(dir) {
                    keep_nearer(&mut best, geom, ray_geom(m, d, &hulls, geom, &ray));
                }
            }
        }
        best
    }
}

impl RayFilter {
    #[doc(alias = "ray_eliminate")]
    fn accepts(&self, m: &Model, geom: usize) -> bool {
        let body = m.geom_bodyid[geom] as usize;
        let alpha = match m.geom_matid[geom].get() {
            Some(mat) => m.mat_rgba.get(mat).map_or(1.0, |rgba| rgba[3]),
            None => m.geom_rgba[geom][3],
        };
        self.exclude_body != Some(body)
            && alpha != 0.0
            && (self.fixed || m.body_weldid[body] != 0)
            && self.groups[m.geom_group[geom].clamp(0, 5) as usize]
    }
}

fn keep_nearer(best: &mut Option<RayHit>, geom: usize, hit: Option<Hit>) {
    if let Some(hit) = hit
        && best.is_none_or(|old| hit.dist < old.dist)
    {
        *best = Some(RayHit { dist: hit.dist, geom, normal: hit.normal });
    }
}

fn ray_geom(m: &Model, d: &Data, hulls: &Hulls, geom: usize, ray: &Ray) -> Option<Hit> {
    with_posed(m, d, hulls, geom, |posed| ray_shape(posed, ray))
}

/// True when a ray meets the ball around a body's box, centred as if the body were not turned.
fn meets_ball(aabb: &[f64; 6], pos: &Vec3, ray: &Ray) -> bool {
    let centre = Vec3::new(aabb[0], aabb[1], aabb[2]) + pos;
    let radius2 = aabb[3] * aabb[3] + aabb[4] * aabb[4] + aabb[5] * aabb[5];
    let dif = ray.origin - centre;
    let (a, b, c) = (ray.dir.norm_squared(), ray.dir.dot(&dif), dif.norm_squared() - radius2);
    let det = b * b - a * c;
    det >= 0.0 && a >= MINVAL && -b + det.sqrt() >= 0.0
}
