//! The table: which function for which two types of shape.

mod box_box;
mod capsule_box;
mod capsule_capsule;
#[cfg(test)]
mod degenerate;
pub(crate) mod edges;
mod plane_box;
mod plane_capsule;
mod plane_cylinder;
mod plane_ellipsoid;
mod plane_mesh;
mod plane_sphere;
#[cfg(test)]
mod properties;
mod sphere_box;
mod sphere_capsule;
mod sphere_cylinder;
mod sphere_sphere;
#[cfg(test)]
mod tests;

pub use box_box::box_box;
pub(crate) use box_box::box_box_outline;
pub use capsule_box::capsule_box;
pub use capsule_capsule::capsule_capsule;
pub use plane_box::plane_box;
pub use plane_capsule::plane_capsule;
pub use plane_cylinder::plane_cylinder;
pub use plane_ellipsoid::plane_ellipsoid;
pub use plane_mesh::plane_mesh;
pub use plane_sphere::plane_sphere;
pub use sphere_box::sphere_box;
pub use sphere_capsule::sphere_capsule;
pub use sphere_cylinder::sphere_cylinder;
pub use sphere_sphere::sphere_sphere;

use crate::convex::{self, ConvexOptions, ConvexScratch};
use crate::sdf::sdf_collide;
use crate::{ContactBuf, Posed, hfield_convex};
use sim_types::GeomType;

/// Fills `out` with the contacts of two shapes within a margin, whatever their types; `a` must not come after `b` in
/// [`GeomType`].
pub fn collide(
    a: &Posed<'_>,
    b: &Posed<'_>,
    margin: f64,
    options: &ConvexOptions,
    scratch: &mut ConvexScratch,
    out: &mut ContactBuf,
) {
    out.clear();
    match method(a.shape.geom_type(), b.shape.geom_type()) {
        Method::Formula(formula) => formula(a, b, margin, out),
        Method::Convex => convex::collide(a, b, margin, options, scratch, out),
        Method::Hfield => hfield_convex(a, b, margin, options, scratch, out),
        Method::Sdf => sdf_collide(a, b, margin, options, scratch, out),
        Method::None => {}
    }
}

/// A function that adds the contacts of two shapes within a margin.
pub type PairFn = fn(&Posed<'_>, &Posed<'_>, f64, &mut ContactBuf);

/// How two types of shape collide.
#[derive(Clone, Copy, Debug)]
pub enum Method {
    /// Never.
    None,
    /// By a formula of their own.
    Formula(PairFn),
    /// By the search for convex shapes.
    Convex,
    /// By the prisms of a height field.
    Hfield,
    /// By a signed distance field.
    Sdf,
}

/// How shapes of these types collide; `first` must not come after `second` in [`GeomType`].
#[doc(alias = "mjCOLLISIONFUNC")]
pub fn method(first: GeomType, second: GeomType) -> Method {
    use GeomType::{Box, Capsule, Cylinder, Ellipsoid, Hfield, Mesh, Plane, Sdf, Sphere};
    if first.number() > second.number() {
        return Method::None;
    }
    match (first, second) {
        (Plane | Hfield, Plane | Hfield) => Method::None,
        (Plane, Sphere) => Method::Formula(plane_sphere),
        (Plane, Capsule) => Method::Formula(plane_capsule),
        (Plane, Ellipsoid) => Method::Formula(plane_ellipsoid),
        (Plane, Cylinder) => Method::Formula(plane_cylinder),
        (Plane, Box) => Method::Formula(plane_box),
        (Plane, Mesh) => Method::Formula(plane_mesh),
        (Sphere, Sphere) => Method::Formula(sphere_sphere),
        (Sphere, Capsule) => Method::Formula(sphere_capsule),
        (Sphere, Cylinder) => Method::Formula(sphere_cylinder),
        (Sphere, Box) => Method::Formula(sphere_box),
        (Capsule, Capsule) => Method::Formula(capsule_capsule),
        (Capsule, Box) => Method::Formula(capsule_box),
        (Box, Box) => Method::Formula(box_box),
        (_, Sdf) => Method::Sdf,
        (Hfield, _) => Method::Hfield,
        _ => Method::Convex,
    }
}

/// `x` between `−half` and `half`, without branches.
#[inline(always)]
fn within(x: f64, half: f64) -> f64 {
    let x = if x < -half { -half } else { x };
    if x > half { half } else { x }
}
