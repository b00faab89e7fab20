//! Sensors that look at geoms: rangefinders, distances, points inside sites.

use sim_types::math::normalize3;
use sim_types::{MAXVAL, ObjType, Projection, SensorType, Vec3};

use super::value::intrinsics;
use crate::collision::Work;
use crate::collision::shape::posed;
use crate::data::Data;
use crate::distance::distance;
use crate::model::Model;
use crate::object;
use crate::ray::{RayFilter, RayHit, RaySource, ray};

/// Writes the distance, the normal or the segment between two geoms, or between the geoms of two bodies.
pub(super) fn geom_distance(m: &Model, d: &Data, work: &mut Work, sensor: usize, out: &mut [f64]) {
    let geoms = |kind: ObjType, id: Option<usize>| match (kind, id) {
        (ObjType::Body | ObjType::XBody, Some(body)) => m.body_geoms(body),
        (_, Some(geom)) => geom..geom + 1,
        (_, None) => 0..0,
    };
    let first = geoms(m.sensor_objtype[sensor], m.sensor_objid[sensor].get());
    let second = geoms(m.sensor_reftype[sensor], m.sensor_refid[sensor].get());
    let cutoff = m.sensor_cutoff[sensor];
    let (mut dist, mut segment) = (cutoff, [Vec3::zeros(); 2]);
    for geom1 in first {
        for geom2 in second.clone() {
            let found = distance(m, d, work, [geom1, geom2], cutoff);
            if found.dist < dist {
                (dist, segment) = (found.dist, found.segment.unwrap_or_default());
            }
        }
    }

    let [from, to] = segment;
    match m.sensor_type[sensor] {
        SensorType::GeomDist => out[0] = dist,
        SensorType::GeomNormal => {
            let mut normal = to - from;
            if normal != Vec3::zeros() {
                normalize3(&mut normal);
            }
            out.copy_from_slice(normal.as_slice());
        }
        _ => {
            out[..3].copy_from_slice(from.as_slice());
            out[3..].copy_from_slice(to.as_slice());
        }
    }
}

/// 1 when an object's origin is inside a site.
pub(super) fn inside_site(m: &Model, d: &Data, sensor: usize, out: &mut [f64]) {
    let id = m.sensor_objid[sensor].get();
    let frame = id.and_then(|id| object::frame(m, d, m.sensor_objtype[sensor], id));
    if let (Some(frame), Some(site)) = (frame, m.sensor_refid[sensor].get()) {
        let shape = posed(m.site_type[site], &m.site_size[site], &d.site_xpos[site], &d.site_xmat[site]);
        out[0] = f64::from(u8::from(sim_collision::contains(&shape, &frame.pos)));
    }
}

/// Writes what a rangefinder sees: one ray along a site's z axis, or one per pixel of a camera.
pub(super) fn rangefinder(m: &Model, d: &Data, source: &mut RaySource, sensor: usize, out: &mut [f64]) {
    let Some(id) = m.sensor_objid[sensor].get() else { return };
    let spec = Spec(m.sensor_intprm[sensor][0]);
    if m.sensor_objtype[sensor] == ObjType::Site {
        let dir: Vec3 = d.site_xmat[id].column(2).into();
        let filter = RayFilter { exclude_body: Some(m.site_bodyid[id] as usize), ..RayFilter::default() };
        let hit = ray(m, d, &d.site_xpos[id], &dir, &filter);
        spec.write(out, hit.as_ref(), &d.site_xpos[id], &dir, None);
        return;
    }

    let filter = RayFilter { exclude_body: Some(m.cam_bodyid[id] as usize), ..RayFilter::default() };
    let (pos, mat) = (&d.cam_xpos[id], &d.cam_xmat[id]);
    let [width, height] = m.cam_resolution[id].map(|n| usize::try_from(n).unwrap_or(0));
    let ([fx, fy], [cx, cy]) = intrinsics(m, id);
    let axis: Vec3 = mat.column(2).into();
    let perspective = m.cam_projection[id] == Projection::Perspective;
    if perspective {
        source.prepare(m, d, pos, &filter, MAXVAL);
    }
    let size = spec.size();
    for (pixel, out) in out.chunks_exact_mut(size.max(1)).take(width * height).enumerate() {
        // centre of the pixel; row 0 is at the top
        let x = ((pixel % width) as f64 + 0.5 - cx) / fx;
        let y = ((pixel / width) as f64 + 0.5 - cy) / fy;
        if perspective {
            let mut dir = mat * Vec3::new(x, -y, -1.0);
            normalize3(&mut dir);
            let hit = source.cast(m, d, &dir);
            spec.write(out, hit.as_ref(), pos, &dir, Some((pos, &axis)));
        } else {
            let half = m.cam_fovy[id] / 2.0;
            let origin = pos + mat * Vec3::new(x * half, -y * half, 0.0);
            let hit = ray(m, d, &origin, &-axis, &filter);
            spec.write(out, hit.as_ref(), &origin, &-axis, Some((pos, &axis)));
        }
    }
}

/// Which numbers a rangefinder gives per ray, one bit each (`mjtRayDataField`).
#[derive(Clone, Copy)]
struct Spec(i32);

impl Spec {
    const SIZES: [usize; 6] = [1, 3, 3, 3, 3, 1];

    fn has(self, field: usize) -> bool {
        self.0 >> field & 1 == 1
    }

    fn size(self) -> usize {
        (0..6).filter(|&field| self.has(field)).map(|field| Self::SIZES[field]).sum()
    }

    /// Writes the numbers of one ray. `camera` is the position and z axis along which depth is measured.
    #[doc(alias = "fill_raydata")]
    fn write(self, out: &mut [f64], hit: Option<&RayHit>, origin: &Vec3, dir: &Vec3, camera: Option<(&Vec3, &Vec3)>) {
        let dist = hit.map_or(-1.0, |hit| hit.dist);
        let point = hit.map_or(Vec3::zeros(), |hit| origin + dir * hit.dist);
        let depth = match (hit, camera) {
            (None, _) => -1.0,
            (Some(_), Some((pos, axis))) => -(point - pos).dot(axis),
            (Some(_), None) => dist,
        };
        let vectors =
            [hit.map_or(Vec3::zeros(), |_| *dir), *origin, point, hit.map_or(Vec3::zeros(), |hit| hit.normal)];
        let mut rest = out;
        for field in (0..6).filter(|&field| self.has(field)) {
            let size = Self::SIZES[field];
            if rest.len() < size {
                return;
            }
            let (now, later) = rest.split_at_mut(size);
            match field {
                0 => now[0] = dist,
                5 => now[0] = depth,
                _ => now.copy_from_slice(vectors[field - 1].as_slice()),
            }
            rest = later;
        }
    }
}
