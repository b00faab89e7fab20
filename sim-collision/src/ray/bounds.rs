//! Directions in which a box can be seen, to skip it for most rays of a bundle with a common origin.

use sim_types::math::{atan2, sqrt};
use sim_types::{Mat3, Vec3};
use std::f64::consts::PI;

/// Ranges of azimuth and polar angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AngularBounds {
    azimuth: [f64; 2],
    polar: [f64; 2],
}

impl AngularBounds {
    /// Every direction.
    pub const ALL: Self = Self { azimuth: [-PI, PI], polar: [0.0, PI] };

    /// Directions from `point` to a box, given by centre and half sizes in the frame `pos`, `mat`.
    #[doc(alias = "mju_multiRayPrepare")]
    pub fn of_box(aabb: &[f64; 6], pos: &Vec3, mat: &Mat3, point: &Vec3) -> Self {
        let [cx, cy, cz, hx, hy, hz] = *aabb;
        let (centre, half) = (Vec3::new(cx, cy, cz), Vec3::new(hx, hy, hz));
        let inside = mat.tr_mul(&(point - pos)) - centre;
        if (0..3).all(|k| inside[k].abs() <= half[k]) {
            return Self::ALL;
        }

        // corners
        let mut bounds = Self { azimuth: [f64::MAX, f64::MIN], polar: [f64::MAX, f64::MIN] };
        for code in 0..8 {
            let side = |k: usize| if code >> k & 1 == 1 { centre[k] + half[k] } else { centre[k] - half[k] };
            let corner = mat * Vec3::new(side(0), side(1), side(2)) + pos;
            let (azimuth, polar) = angles(&(corner - point));
            bounds.azimuth = [bounds.azimuth[0].min(azimuth), bounds.azimuth[1].max(azimuth)];
            bounds.polar = [bounds.polar[0].min(polar), bounds.polar[1].max(polar)];
        }

        // faces bulge out between corners when seen in angles
        let dist = (point - pos).norm();
        if dist > sim_types::MINVAL {
            let bulge = atan2(half.x.max(half.y).max(half.z), dist);
            bounds.azimuth = [bounds.azimuth[0] - bulge, bounds.azimuth[1] + bulge];
            bounds.polar = [bounds.polar[0] - bulge, bounds.polar[1] + bulge];
        }
        // wider than half a turn, or across the cut at ±π
        let width = |range: [f64; 2]| range[1] - range[0];
        if width(bounds.azimuth) <= PI && width(bounds.polar) <= PI { bounds } else { Self::ALL }
    }

    /// True when a direction is within the bounds.
    pub fn contain(&self, dir: &Vec3) -> bool {
        let (azimuth, polar) = angles(dir);
        if polar < self.polar[0] || polar > self.polar[1] {
            return false;
        }
        let mut off = azimuth - (self.azimuth[0] + self.azimuth[1]) * 0.5;
        if off > PI {
            off -= 2.0 * PI;
        } else if off < -PI {
            off += 2.0 * PI;
        }
        off.abs() <= (self.azimuth[1] - self.azimuth[0]) * 0.5
    }
}

/// Azimuth about z and polar angle from z.
fn angles(v: &Vec3) -> (f64, f64) {
    (atan2(v.y, v.x), atan2(sqrt(v.x * v.x + v.y * v.y), v.z))
}
