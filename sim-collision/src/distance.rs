//! Distance between two shapes.

use sim_types::Vec3;

use crate::Posed;
use crate::convex::{self, ConvexOptions, ConvexScratch, Object};

/// Distance between two shapes, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Distance, negative in penetration, at most what was asked for.
    pub dist: f64,
    /// A point of the first surface and a point of the second at this distance; `None` when none were computed because
    /// the shapes are too far apart.
    pub segment: Option<[Vec3; 2]>,
}

/// Signed distance of two shapes up to `distmax`.
#[doc(alias = "mj_geomDistance")]
pub fn geom_distance(
    a: &Posed<'_>,
    b: &Posed<'_>,
    distmax: f64,
    options: &ConvexOptions,
    scratch: &mut ConvexScratch,
) -> Distance {
    let (Some(mut o1), Some(mut o2)) = (Object::new(a, 0.0), Object::new(b, 0.0)) else {
        return Distance { dist: distmax, segment: None };
    };
    let (dist, points) = convex::distance(&mut o1, &mut o2, distmax, options, scratch);
    Distance { dist: if dist < distmax { dist } else { distmax }, segment: points.map(|(x1, x2)| [x1, x2]) }
}
