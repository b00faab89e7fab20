//! Contacts between convex shapes by their support functions.
//!
//! [`collide`] finds one contact: GJK tells whether the shapes (each inflated by half the margin) overlap, EPA finds the
//! direction of least depth. With [`ConvexOptions::multiccd`] more follow: flat faces of boxes and meshes are clipped
//! against each other, and every other pair with flat parts is tilted slightly in four ways to see where else it touches.
//! With [`ConvexOptions::native`] off, portal refinement takes the place of GJK and EPA.
//!
//! MuJoCo: `mjc_Convex`. Order of operations, tie rules and limits are MuJoCo's, so that the same searches end in the
//! same vertices.

mod ccd;
mod clip;
mod epa;
mod feature;
pub(crate) mod feet;
mod fix_normal;
pub(crate) mod gjk;
mod mpr;
mod mpr_support;
mod multicontact;
mod object;
mod polytope;
pub(crate) mod subdistance;
#[cfg(test)]
pub(crate) mod tests;
mod vec;

use sim_types::{Mat3, Quat, Vec3};

use crate::{ContactBuf, Posed, RawContact, Shape, make_frame};
use ccd::{Signed, signed_distance};
pub(crate) use fix_normal::fix_normal;
use gjk::Limits;
use multicontact::Workspace;
pub(crate) use object::{Object, prism_support};
use polytope::Polytope;
use vec::normalized;
pub(crate) use vec::{cross, dot, rotate, rotate_t};

/// Settings of the searches: convex shapes and distance fields.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConvexOptions {
    /// Accuracy (`ccd_tolerance`).
    pub tolerance: f64,
    /// Most iterations of each phase (`ccd_iterations`).
    pub iterations: usize,
    /// Whether to look for more than one contact.
    pub multiccd: bool,
    /// False to use portal refinement instead of GJK and EPA (flag `nativeccd`).
    pub native: bool,
    /// Most steps of a descent on a distance field.
    pub sdf_iterations: usize,
    /// Number of descents per pair with a distance field.
    pub sdf_initpoints: usize,
}

impl Default for ConvexOptions {
    /// MuJoCo's defaults.
    fn default() -> Self {
        Self { tolerance: 1e-6, iterations: 35, multiccd: false, native: true, sdf_iterations: 10, sdf_initpoints: 40 }
    }
}

/// Memory of the convex search. Keep one and pass it to every query: after the first few, none allocates.
#[derive(Clone, Debug, Default)]
pub struct ConvexScratch {
    polytope: Polytope,
    workspace: Workspace,
}

/// Contacts of two convex shapes that are nearer than `margin`.
///
/// Planes and height fields are not convex shapes in this sense and give none.
#[doc(alias = "mjc_Convex")]
pub fn collide(
    a: &Posed<'_>,
    b: &Posed<'_>,
    margin: f64,
    options: &ConvexOptions,
    scratch: &mut ConvexScratch,
    out: &mut ContactBuf,
) {
    let (Some(mut o1), Some(mut o2)) = (Object::new(a, margin), Object::new(b, margin)) else { return };
    let most = most_contacts(a, b, margin, options);
    let Some((contact, found)) = single(&mut o1, &mut o2, options, scratch) else { return };

    // flat faces of polyhedra
    if most > 1 {
        let region = match (found.face, found.points) {
            (Some(face), Some(points)) => scratch.workspace.region(&scratch.polytope, face, [&o1, &o2], points, most),
            _ => None,
        };
        match region {
            None => {
                out.push(contact);
            }
            Some((points, shift)) => {
                for x2 in points {
                    let x1 = x2 - shift;
                    out.push(raw(contact.dist, &x1, x2));
                }
            }
        }
        return;
    }

    let kept = out.push(contact);
    if kept && options.multiccd && has_flat_parts(&a.shape) && has_flat_parts(&b.shape) {
        let smaller = bounding_radius(&a.shape).min(bounding_radius(&b.shape));
        tilt(&mut o1, &mut o2, 1e-3 * smaller, &contact, options, scratch, out);
    }
}

/// The deepest contact of two objects; its distance is that without the margin of the first.
fn single(
    a: &mut Object<'_>,
    b: &mut Object<'_>,
    options: &ConvexOptions,
    scratch: &mut ConvexScratch,
) -> Option<(RawContact, Signed)> {
    if !options.native {
        return refined(a, b, options);
    }
    let found = signed_distance(a, b, &options.limits(0.0), &mut scratch.polytope);
    match found.points {
        Some((x1, x2)) if found.dist < 0.0 => Some((raw(a.margin + found.dist, &x1, &x2), found)),
        _ => None,
    }
}

/// The contact of two objects by portal refinement.
fn refined(a: &mut Object<'_>, b: &mut Object<'_>, options: &ConvexOptions) -> Option<(RawContact, Signed)> {
    let found = mpr::overlap(a, b, options.tolerance, options.iterations)?;
    // objects that only touch have no direction
    if found.dir.iter().all(|x| x.abs() < f64::EPSILON) {
        return None;
    }
    let dist = a.margin - found.depth;
    let mut contact = RawContact { dist, pos: found.pos, normal: found.dir, tangent: Vec3::zeros() };
    fix_normal(&mut contact, a, b);
    Some((contact, Signed { dist: -found.depth, points: None, face: None }))
}

/// Depth, direction and midpoint of the overlap of two objects, the first without margin; `None` when they are apart.
pub(crate) fn penetration(
    a: &mut Object<'_>,
    b: &mut Object<'_>,
    options: &ConvexOptions,
    scratch: &mut ConvexScratch,
) -> Option<RawContact> {
    single(a, b, options, scratch).map(|(contact, _)| contact)
}

/// Signed distance up to `cutoff` (`f64::MAX` beyond) and the points of the two surfaces, if they were computed.
pub(crate) fn distance(
    a: &mut Object<'_>,
    b: &mut Object<'_>,
    cutoff: f64,
    options: &ConvexOptions,
    scratch: &mut ConvexScratch,
) -> (f64, Option<(Vec3, Vec3)>) {
    let found = signed_distance(a, b, &options.limits(cutoff), &mut scratch.polytope);
    (found.dist, found.points)
}

impl ConvexOptions {
    fn limits(&self, cutoff: f64) -> Limits {
        Limits { tolerance: self.tolerance, iterations: self.iterations, cutoff }
    }
}

/// A contact from the points of the two surfaces.
fn raw(dist: f64, x1: &Vec3, x2: &Vec3) -> RawContact {
    RawContact { dist, pos: 0.5 * (x1 + x2), normal: normalized(&(x1 - x2)), tangent: Vec3::zeros() }
}

/// How many contacts one search may give. Face clipping does not know margins.
fn most_contacts(a: &Posed<'_>, b: &Posed<'_>, margin: f64, options: &ConvexOptions) -> usize {
    if margin > 0.0 || !options.native {
        return 1;
    }
    match (&a.shape, &b.shape) {
        (Shape::Box { .. }, Shape::Box { .. }) => 8,
        (Shape::Box { .. } | Shape::Mesh(_), Shape::Box { .. } | Shape::Mesh(_)) if options.multiccd => 4,
        _ => 1,
    }
}

/// False for shapes that are curved everywhere, where a second contact cannot be.
fn has_flat_parts(shape: &Shape<'_>) -> bool {
    !matches!(shape, Shape::Sphere { .. } | Shape::Ellipsoid { .. })
}

/// Tilts the objects against each other about the first contact and keeps the contacts that appear elsewhere.
///
/// They get the depth of the first contact; a contact within `tolerance` of another is the same one.
fn tilt(
    a: &mut Object<'_>,
    b: &mut Object<'_>,
    tolerance: f64,
    first: &RawContact,
    options: &ConvexOptions,
    scratch: &mut ConvexScratch,
    out: &mut ContactBuf,
) {
    const ANGLE: f64 = 1e-3;
    let begin = out.len() - 1;
    let frame = make_frame(&first.normal, &first.tangent);
    let (pose_a, pose_b) = ((a.pos, a.mat), (b.pos, b.mat));
    for axis in 1..3 {
        for angle in [-ANGLE, ANGLE] {
            let axis: Vec3 = frame.row(axis).transpose();
            let turn = Quat::from_axis_angle(&axis, angle).to_mat();
            (a.pos, a.mat) = turned(pose_a, &turn, &first.pos);
            (b.pos, b.mat) = turned(pose_b, &turn.transpose(), &first.pos);
            if let Some((contact, _)) = single(a, b, options, scratch) {
                let distinct = out.as_slice()[begin..].iter().all(|c| vec::norm(&(c.pos - contact.pos)) > tolerance);
                if distinct {
                    out.push(RawContact { dist: first.dist, ..contact });
                }
            }
        }
    }
    ((a.pos, a.mat), (b.pos, b.mat)) = (pose_a, pose_b);
}

/// A pose turned about a point.
fn turned((pos, mat): (Vec3, Mat3), turn: &Mat3, about: &Vec3) -> (Vec3, Mat3) {
    let arm = about - pos;
    (pos - (rotate(turn, &arm) - arm), turn * mat)
}

/// Radius of the sphere around a shape, centred at its origin.
pub(crate) fn bounding_radius(shape: &Shape<'_>) -> f64 {
    match shape {
        Shape::Sphere { radius } => *radius,
        Shape::Capsule { radius, half } => radius + half,
        Shape::Ellipsoid { size } => size.x.max(size.y).max(size.z),
        Shape::Cylinder { radius, half } => (radius * radius + half * half).sqrt(),
        Shape::Box { size } => vec::norm(size),
        Shape::Mesh(mesh) => mesh.rbound,
        Shape::Plane { .. } | Shape::Hfield(_) | Shape::Sdf(_) => 0.0,
    }
}
