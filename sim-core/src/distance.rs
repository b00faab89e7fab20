//! Distances between geoms, and points inside them.

pub use sim_collision::Distance;
use sim_types::{GeomId, Vec3};

use crate::collision::shape::{Hulls, with_posed};
use crate::collision::{Work, convex_options};
use crate::data::Data;
use crate::model::Model;

/// Signed distance of two geoms up to `distmax`, and a segment from the first to the second.
///
/// Reads the poses of the geoms. No filter and no margin applies. Distances of height fields mean little, as in MuJoCo.
/// `None` when there is no such geom. Allocates; sensors do not.
#[doc(alias = "mj_geomDistance")]
pub fn geom_distance(m: &Model, d: &Data, geom1: GeomId, geom2: GeomId, distmax: f64) -> Option<Distance> {
    let exist = geom1.0 < m.ngeom && geom2.0 < m.ngeom;
    exist.then(|| distance(m, d, &mut Work::default(), [geom1.0, geom2.0], distmax))
}

/// As [`geom_distance`], in memory that is kept.
pub(crate) fn distance(m: &Model, d: &Data, work: &mut Work, [geom1, geom2]: [usize; 2], distmax: f64) -> Distance {
    let none = Hulls::default();
    let (hulls, convex, contacts) = work.for_queries();
    let hulls = hulls.unwrap_or(&none);
    with_posed(m, d, hulls, geom1, |a| {
        with_posed(m, d, hulls, geom2, |b| {
            sim_collision::geom_distance(a, b, distmax, &convex_options(m), convex, contacts)
        })
    })
}

/// True when a point is inside a geom; points on its surface are not. A mesh counts as its convex hull, a plane as the
/// half space behind it.
#[doc(alias = "mju_insideGeom")]
pub fn inside_geom(m: &Model, d: &Data, geom: GeomId, point: &Vec3) -> bool {
    geom.0 < m.ngeom && with_posed(m, d, &Hulls::default(), geom.0, |posed| sim_collision::contains(posed, point))
}
