//! Shapes and comparisons for the tests of pair functions.

use crate::pair::{Method, method};
use crate::{ContactBuf, Posed, RawContact, Shape};
use sim_types::{Mat3, Quat, Vec3};

pub(crate) fn plane() -> Posed<'static> {
    at(Shape::Plane { half: [0.0; 2] }, [0.0; 3])
}

pub(crate) fn sphere(radius: f64) -> Shape<'static> {
    Shape::Sphere { radius }
}

pub(crate) fn capsule(radius: f64, half: f64) -> Shape<'static> {
    Shape::Capsule { radius, half }
}

pub(crate) fn cylinder(radius: f64, half: f64) -> Shape<'static> {
    Shape::Cylinder { radius, half }
}

pub(crate) fn ellipsoid(size: [f64; 3]) -> Shape<'static> {
    Shape::Ellipsoid { size: size.into() }
}

pub(crate) fn cuboid(size: [f64; 3]) -> Shape<'static> {
    Shape::Box { size: size.into() }
}

/// The shape at a position, not turned.
pub(crate) fn at(shape: Shape<'_>, pos: [f64; 3]) -> Posed<'_> {
    Posed { shape, pos: pos.into(), mat: Mat3::identity() }
}

/// The shape at a position, turned about an axis by degrees.
pub(crate) fn turned(shape: Shape<'_>, pos: [f64; 3], axis: [f64; 3], degrees: f64) -> Posed<'_> {
    let mat = Quat::from_axis_angle(&Vec3::from(axis).normalize(), degrees.to_radians()).to_mat();
    Posed { shape, pos: pos.into(), mat }
}

/// Contacts by the table.
pub(crate) fn run(a: &Posed<'_>, b: &Posed<'_>, margin: f64) -> Vec<RawContact> {
    let mut out = ContactBuf::new();
    match method(a.shape.geom_type(), b.shape.geom_type()) {
        Method::Formula(collide) => collide(a, b, margin, &mut out),
        other => panic!("no formula for this pair: {other:?}"),
    }
    out.as_slice().to_vec()
}

/// Distance, position and normal of every contact, in order, up to rounding.
#[track_caller]
pub(crate) fn assert_contacts(got: &[RawContact], want: &[(f64, [f64; 3], [f64; 3])]) {
    assert_eq!(got.len(), want.len(), "{got:#?}");
    for (g, (dist, pos, normal)) in got.iter().zip(want) {
        assert!((g.dist - dist).abs() < 1e-9, "dist {} instead of {dist}", g.dist);
        assert!((g.pos - Vec3::from(*pos)).norm() < 1e-9, "pos {:?} instead of {pos:?}", g.pos);
        assert!((g.normal - Vec3::from(*normal)).norm() < 1e-9, "normal {:?} instead of {normal:?}", g.normal);
    }
}
