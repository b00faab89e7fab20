//! Penetration by portal refinement, the second method: used when the flag `nativeccd` is off.
//!
//! The difference of two shapes is looked at from a point inside of it. A *portal* is a triangle of its surface points that
//! the ray from there to the origin passes. The portal is pushed outwards until the surface is reached. Depth and
//! direction are those of the origin to the last portal: along the ray between the centres, not the least depth.
//!
//! Gary Snethen, *XenoCollide* (Game Programming Gems 7, 2008); order of operations and thresholds as in libccd, which
//! MuJoCo calls.

use sim_types::Vec3;

use super::mpr_support::support;
use super::object::Object;
use super::vec::{cross, dot};

/// Numbers below this count as zero.
const EPS: f64 = f64::EPSILON;

/// Most portals that are looked at before a pair is given up. Converging searches need a few dozen.
const MANY: usize = 10_000;

/// Overlap of two objects.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overlap {
    pub(super) depth: f64,
    /// Unit direction from the first object to the second; zero when they only touch.
    pub(super) dir: Vec3,
    pub(super) pos: Vec3,
}

/// A point of the difference of the objects, and the points of the two that make it.
#[derive(Clone, Copy, Debug, Default)]
struct Vertex {
    v: Vec3,
    v1: Vec3,
    v2: Vec3,
}

/// The inner point, and the corners of the portal.
type Portal = [Vertex; 4];

/// What the first search ended with.
enum Discovery {
    /// The origin is outside.
    Outside,
    /// The origin is the first corner.
    Corner,
    /// The origin lies between the inner point and the first corner.
    Segment,
    /// A portal.
    Portal,
}

/// Depth, direction and place of the overlap of `a` and `b` with their margins; `None` when there is none.
#[doc(alias = "ccdMPRPenetration")]
pub(super) fn overlap(a: &mut Object<'_>, b: &mut Object<'_>, tolerance: f64, iterations: usize) -> Option<Overlap> {
    let mut portal = Portal::default();
    match discover(a, b, &mut portal) {
        Discovery::Outside => None,
        Discovery::Corner => Some(Overlap { depth: 0.0, dir: Vec3::zeros(), pos: middle(&portal[1]) }),
        Discovery::Segment => {
            let depth = dot(&portal[1].v, &portal[1].v).sqrt();
            Some(Overlap { depth, dir: unit(portal[1].v), pos: middle(&portal[1]) })
        }
        Discovery::Portal => {
            refine(a, b, &mut portal, tolerance)?;
            expand_to_surface(a, b, &mut portal, tolerance, iterations);
            Some(measure(&portal))
        }
    }
}

/// Finds a portal: a triangle that the ray from the inner point to the origin passes.
fn discover(a: &mut Object<'_>, b: &mut Object<'_>, portal: &mut Portal) -> Discovery {
    let (c1, c2) = (a.center(), b.center());
    portal[0] = Vertex { v: c1 - c2, v1: c1, v2: c2 };
    if portal[0].v.iter().all(|x| x.abs() < EPS) {
        // coincident centres: any direction will do
        portal[0].v.x += 10.0 * EPS;
    }
    let mut dir = unit(-portal[0].v);
    portal[1] = difference(a, b, &dir);
    if !reaches(&portal[1], &dir) {
        return Discovery::Outside;
    }

    dir = cross(&portal[0].v, &portal[1].v);
    if dot(&dir, &dir).abs() < EPS {
        let corner = portal[1].v.iter().all(|x| x.abs() < EPS);
        return if corner { Discovery::Corner } else { Discovery::Segment };
    }
    dir = unit(dir);
    portal[2] = difference(a, b, &dir);
    if !reaches(&portal[2], &dir) {
        return Discovery::Outside;
    }

    // the third corner lies on the origin's side of the plane through the others
    dir = side(portal);
    if dot(&dir, &portal[0].v) > 0.0 {
        portal.swap(1, 2);
        dir = -dir;
    }
    for _ in 0..MANY {
        portal[3] = difference(a, b, &dir);
        if !reaches(&portal[3], &dir) {
            return Discovery::Outside;
        }
        let outside = |x: &Vertex, y: &Vertex| dot(&cross(&x.v, &y.v), &portal[0].v) <= -EPS;
        if outside(&portal[1], &portal[3]) {
            portal[2] = portal[3];
        } else if outside(&portal[3], &portal[2]) {
            portal[1] = portal[3];
        } else {
            return Discovery::Portal;
        }
        dir = side(portal);
    }
    Discovery::Outside
}

/// Pushes the portal outwards until the origin is behind it; `None` when it never gets there.
fn refine(a: &mut Object<'_>, b: &mut Object<'_>, portal: &mut Portal, tolerance: f64) -> Option<()> {
    for _ in 0..MANY {
        let dir = outwards(portal);
        if not_negative(dot(&dir, &portal[1].v)) {
            return Some(());
        }
        let next = difference(a, b, &dir);
        if !not_negative(dot(&next.v, &dir)) || at_surface(portal, &next, &dir, tolerance) {
            return None;
        }
        expand(portal, &next);
    }
    None
}

/// Pushes the portal on to the surface.
fn expand_to_surface(a: &mut Object<'_>, b: &mut Object<'_>, portal: &mut Portal, tolerance: f64, iterations: usize) {
    for iteration in 0..MANY {
        let dir = outwards(portal);
        let next = difference(a, b, &dir);
        if at_surface(portal, &next, &dir, tolerance) || iteration > iterations {
            return;
        }
        expand(portal, &next);
    }
}

/// Overlap by a portal on the surface.
fn measure(portal: &Portal) -> Overlap {
    let (dist2, nearest) = origin_to_triangle(&portal[1].v, &portal[2].v, &portal[3].v);
    let depth = dist2.sqrt();
    let dir = if depth.abs() < EPS { Vec3::zeros() } else { unit(nearest) };
    Overlap { depth, dir, pos: place(portal) }
}

/// Midpoint of the points of the two objects that are at the origin, by barycentric coordinates in the portal.
fn place(portal: &Portal) -> Vec3 {
    let triple = |x: usize, y: usize, z: usize| dot(&cross(&portal[x].v, &portal[y].v), &portal[z].v);
    let mut weight = [triple(1, 2, 3), triple(3, 2, 0), triple(0, 1, 3), triple(2, 1, 0)];
    let mut sum = weight[0] + weight[1] + weight[2] + weight[3];
    if sum.abs() < EPS || sum < 0.0 {
        let dir = outwards(portal);
        let area = |x: usize, y: usize| dot(&cross(&portal[x].v, &portal[y].v), &dir);
        weight = [0.0, area(2, 3), area(3, 1), area(1, 2)];
        sum = weight[1] + weight[2] + weight[3];
    }
    let (mut p1, mut p2) = (Vec3::zeros(), Vec3::zeros());
    for (vertex, w) in portal.iter().zip(weight) {
        p1 += vertex.v1 * w;
        p2 += vertex.v2 * w;
    }
    let inv = 1.0 / sum;
    (p1 * inv + p2 * inv) * 0.5
}

/// Puts a point beyond the portal in place of the corner that keeps the ray inside.
fn expand(portal: &mut Portal, next: &Vertex) {
    let plane = cross(&next.v, &portal[0].v);
    let above = |corner: usize| dot(&portal[corner].v, &plane) > 0.0;
    let corner = match (above(1), above(2), above(3)) {
        (true, true, _) => 1,
        (true, false, _) => 3,
        (false, _, true) => 2,
        (false, _, false) => 1,
    };
    portal[corner] = *next;
}

/// Normal of the plane through the inner point and the first two corners.
fn side(portal: &Portal) -> Vec3 {
    unit(cross(&(portal[1].v - portal[0].v), &(portal[2].v - portal[0].v)))
}

/// Normal of the portal.
fn outwards(portal: &Portal) -> Vec3 {
    unit(cross(&(portal[2].v - portal[1].v), &(portal[3].v - portal[1].v)))
}

/// Whether `next`, the farthest point in the portal's direction, is hardly farther than the portal.
fn at_surface(portal: &Portal, next: &Vertex, dir: &Vec3, tolerance: f64) -> bool {
    let far = dot(&next.v, dir);
    let gain = portal[1..].iter().map(|p| far - dot(&p.v, dir)).fold(f64::INFINITY, f64::min);
    gain < tolerance || equal(gain, tolerance)
}

/// The farthest point of the difference in a direction.
fn difference(a: &mut Object<'_>, b: &mut Object<'_>, dir: &Vec3) -> Vertex {
    let (v1, v2) = (support(a, dir), support(b, &-dir));
    Vertex { v: v1 - v2, v1, v2 }
}

/// Squared distance from the origin to a triangle, and its nearest point.
#[doc(alias = "ccdVec3PointTriDist2")]
fn origin_to_triangle(x: &Vec3, y: &Vec3, z: &Vec3) -> (f64, Vec3) {
    let (d1, d2) = (y - x, z - x);
    let (v, w, r) = (dot(&d1, &d1), dot(&d2, &d2), dot(&d1, &d2));
    let (p, q) = (dot(x, &d1), dot(x, &d2));
    let d = w * v - r * r;
    let (s, t) = if d.abs() < EPS {
        (-1.0, -1.0)
    } else {
        let s = (q * r - w * p) / d;
        (s, (-s * r - q) / w)
    };
    let at_most_one = |u: f64| u < 1.0 || equal(u, 1.0);
    if not_negative(s) && at_most_one(s) && not_negative(t) && at_most_one(t) && at_most_one(t + s) {
        let nearest = x + d1 * s + d2 * t;
        return (dot(&nearest, &nearest), nearest);
    }
    let mut best = origin_to_segment(x, y);
    for other in [origin_to_segment(x, z), origin_to_segment(y, z)] {
        if other.0 < best.0 {
            best = other;
        }
    }
    best
}

/// Squared distance from the origin to a segment, and its nearest point.
fn origin_to_segment(from: &Vec3, to: &Vec3) -> (f64, Vec3) {
    let d = to - from;
    let t = -dot(from, &d) / dot(&d, &d);
    let nearest = if t < 0.0 || t.abs() < EPS {
        *from
    } else if t > 1.0 || equal(t, 1.0) {
        *to
    } else {
        d * t + from
    };
    (dot(&nearest, &nearest), nearest)
}

/// Whether the point lies beyond the origin in the direction.
fn reaches(vertex: &Vertex, dir: &Vec3) -> bool {
    dot(&vertex.v, dir) >= EPS
}

/// Positive, or zero up to rounding.
fn not_negative(x: f64) -> bool {
    x > 0.0 || x.abs() < EPS
}

/// Equal up to rounding, absolute or relative.
fn equal(x: f64, y: f64) -> bool {
    let difference = (x - y).abs();
    difference < EPS || difference < EPS * x.abs().max(y.abs())
}

/// Midpoint of the points of the two objects.
fn middle(vertex: &Vertex) -> Vec3 {
    (vertex.v1 + vertex.v2) * 0.5
}

/// `v` at length one.
fn unit(v: Vec3) -> Vec3 {
    v * (1.0 / dot(&v, &v).sqrt())
}
