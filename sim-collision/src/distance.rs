//! Distance between two shapes.

use sim_types::{GeomType, Vec3};

use crate::convex::{self, ConvexOptions, ConvexScratch, Object};
use crate::pair::{Method, box_box_outline, method};
use crate::sdf::sdf_collide;
use crate::{ContactBuf, Posed, hfield_convex};

/// Distance between two shapes, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Distance, negative in penetration, at most what was asked for.
    pub dist: f64,
    /// A point of the first surface and a point of the second at this distance; `None` when none were computed because
    /// the shapes are too far apart.
    pub segment: Option<[Vec3; 2]>,
}

/// Signed distance of two shapes up to `distmax`, in either order of types. Clears `contacts` and uses it as scratch.
///
/// Pairs that collide by the convex search, and two boxes, are measured by that search if it is GJK's. All others are collided with
/// `distmax` as margin, and the deepest contact counts; a height field raises itself by the margin, so its distances mean
/// little. Shapes that are nowhere, because a number of theirs is not finite, are `distmax` apart.
#[doc(alias = "mj_geomDistance")]
pub fn geom_distance(
    a: &Posed<'_>,
    b: &Posed<'_>,
    distmax: f64,
    options: &ConvexOptions,
    scratch: &mut ConvexScratch,
    contacts: &mut ContactBuf,
) -> Distance {
    let (type_a, type_b) = (a.shape.geom_type(), b.shape.geom_type());
    let flip = type_a.number() > type_b.number();
    let (first, second) = if flip { (b, a) } else { (a, b) };
    contacts.clear();
    match method(first.shape.geom_type(), second.shape.geom_type()) {
        Method::Convex if options.native => return convex_distance(a, b, distmax, options, scratch),
        Method::Convex => convex::collide(first, second, distmax, options, scratch, contacts),
        Method::Formula(_) if type_a == GeomType::Box && type_b == GeomType::Box => {
            if options.native {
                return convex_distance(a, b, distmax, options, scratch);
            }
            box_box_outline(a, b, distmax, contacts);
        }
        Method::Formula(collide) => collide(first, second, distmax, contacts),
        Method::Hfield => hfield_convex(first, second, distmax, options, scratch, contacts),
        Method::Sdf => sdf_collide(first, second, distmax, options, scratch, contacts),
        Method::None => {}
    }

    // the deepest contact, the first on ties
    let mut nearest = Distance { dist: distmax, segment: None };
    for c in contacts.as_slice() {
        if c.dist < nearest.dist {
            let half = c.normal * (0.5 * c.dist * if flip { -1.0 } else { 1.0 });
            nearest = Distance { dist: c.dist, segment: Some([c.pos - half, c.pos + half]) };
        }
    }
    finite(nearest, distmax)
}

/// Signed distance by the convex search, the shapes in the order given.
fn convex_distance(
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
    let found =
        Distance { dist: if dist < distmax { dist } else { distmax }, segment: points.map(|(x1, x2)| [x1, x2]) };
    finite(found, distmax)
}

/// What was found, or the limit where it is not finite.
fn finite(found: Distance, distmax: f64) -> Distance {
    let ends = found.segment.iter().flatten();
    let whole = found.dist > f64::NEG_INFINITY && ends.flat_map(|p| p.iter()).all(|x| x.is_finite());
    if whole { found } else { Distance { dist: distmax, segment: None } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{at, capsule, cuboid, cylinder, plane, sphere, turned};

    fn measure(a: &Posed<'_>, b: &Posed<'_>, distmax: f64) -> Distance {
        let mut contacts = ContactBuf::new();
        geom_distance(a, b, distmax, &ConvexOptions::default(), &mut ConvexScratch::default(), &mut contacts)
    }

    #[track_caller]
    fn assert_segment(got: &Distance, dist: f64, from: [f64; 3], to: [f64; 3]) {
        let [x1, x2] = got.segment.unwrap();
        assert!((got.dist - dist).abs() < 1e-9, "{got:?}");
        assert!((x1 - Vec3::from(from)).norm() < 1e-9 && (x2 - Vec3::from(to)).norm() < 1e-9, "{got:?}");
    }

    #[test]
    fn segments_run_from_the_first_shape_to_the_second() {
        let (ball, floor) = (at(sphere(0.5), [1.0, 2.0, 2.0]), plane());
        assert_segment(&measure(&floor, &ball, 5.0), 1.5, [1.0, 2.0, 0.0], [1.0, 2.0, 1.5]);
        assert_segment(&measure(&ball, &floor, 5.0), 1.5, [1.0, 2.0, 1.5], [1.0, 2.0, 0.0]);
    }

    #[test]
    fn penetration_is_negative() {
        let (a, b) = (at(sphere(1.0), [0.0; 3]), at(capsule(0.5, 1.0), [1.25, 0.0, 0.0]));
        assert_segment(&measure(&a, &b, 5.0), -0.25, [1.0, 0.0, 0.0], [0.75, 0.0, 0.0]);
    }

    #[test]
    fn boxes_are_measured_by_the_convex_search() {
        let a = at(cuboid([1.0; 3]), [0.0; 3]);
        let b = turned(cuboid([1.0; 3]), [4.0, 0.0, 0.0], [0.0, 0.0, 1.0], 45.0);
        let got = measure(&a, &b, 5.0);
        assert!((got.dist - (3.0 - 2.0f64.sqrt())).abs() < 1e-9, "{got:?}");
    }

    #[test]
    fn too_far_gives_the_limit_and_no_segment() {
        let a = at(cylinder(0.5, 0.5), [0.0; 3]);
        let far = Distance { dist: 1.0, segment: None };
        assert_eq!(measure(&a, &at(cuboid([1.0; 3]), [9.0, 0.0, 0.0]), 1.0), far);
        assert_eq!(measure(&a, &at(sphere(1.0), [9.0, 0.0, 0.0]), 1.0), far);
        assert_eq!(measure(&plane(), &plane(), 1.0), far);
    }
}
