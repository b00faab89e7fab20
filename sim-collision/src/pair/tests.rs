//! What must hold for every pair: invariances, continuity, agreement with distances found otherwise, odd input.

use super::{Method, collide, method};
use crate::convex::{ConvexOptions, ConvexScratch};
use crate::testing::*;
use crate::{ContactBuf, HfieldView, MAX_PAIR_CONTACTS, MeshView, Posed, RawContact, Shape};
use proptest::prelude::*;
use sim_types::{Mat3, Quat, Vec3};

/// The pairs with a formula, by the names of their shapes. Meshes are tetrahedra.
const PAIRS: [(Kind, Kind); 13] = [
    (Kind::Plane, Kind::Sphere),
    (Kind::Plane, Kind::Capsule),
    (Kind::Plane, Kind::Ellipsoid),
    (Kind::Plane, Kind::Cylinder),
    (Kind::Plane, Kind::Box),
    (Kind::Plane, Kind::Mesh),
    (Kind::Sphere, Kind::Sphere),
    (Kind::Sphere, Kind::Capsule),
    (Kind::Sphere, Kind::Cylinder),
    (Kind::Sphere, Kind::Box),
    (Kind::Capsule, Kind::Capsule),
    (Kind::Capsule, Kind::Box),
    (Kind::Box, Kind::Box),
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Plane,
    Sphere,
    Capsule,
    Ellipsoid,
    Cylinder,
    Box,
    Mesh,
}

const VERT: [[f32; 3]; 4] = [[0.3, 0.0, -0.1], [-0.2, 0.3, -0.1], [-0.2, -0.3, -0.1], [0.0, 0.0, 0.4]];
const MESH: MeshView<'static> = MeshView {
    vert: &VERT,
    search: None,
    graph: &[],
    polygons: crate::Polygons {
        normal: &[],
        vertadr: &[],
        vertnum: &[],
        vert: &[],
        mapadr: &[],
        mapnum: &[],
        map: &[],
    },
    face: &[],
    tree: crate::TreeView { child: &[], nodeid: &[], aabb: &[] },
    half: Vec3::new(0.3, 0.3, 0.4),
    field: None,
    rbound: 0.45,
};

fn shape(kind: Kind, size: [f64; 3]) -> Shape<'static> {
    match kind {
        Kind::Plane => Shape::Plane { half: [0.0; 2] },
        Kind::Sphere => sphere(size[0]),
        Kind::Capsule => capsule(size[0], size[1]),
        Kind::Ellipsoid => ellipsoid(size),
        Kind::Cylinder => cylinder(size[0], size[1]),
        Kind::Box => cuboid(size),
        Kind::Mesh => Shape::Mesh(&MESH),
    }
}

fn posed(kind: Kind, size: [f64; 3], pos: [f64; 3], turn: [f64; 4]) -> Posed<'static> {
    Posed { shape: shape(kind, size), pos: pos.into(), mat: rotation(turn) }
}

fn rotation([w, x, y, z]: [f64; 4]) -> Mat3 {
    let axis = Vec3::new(x, y, z);
    if axis.norm() < 1e-3 { Mat3::identity() } else { Quat::from_axis_angle(&axis.normalize(), w).to_mat() }
}

/// Everything moved by a rotation and a shift.
fn moved<'a>(p: &Posed<'a>, mat: &Mat3, shift: &Vec3) -> Posed<'a> {
    Posed { shape: p.shape, pos: mat * p.pos + shift, mat: mat * p.mat }
}

fn least(contacts: &[RawContact]) -> Option<f64> {
    contacts.iter().map(|c| c.dist).reduce(f64::min)
}

fn sizes() -> impl Strategy<Value = [f64; 3]> {
    prop::array::uniform3(0.05..0.5f64)
}

fn turns() -> impl Strategy<Value = [f64; 4]> {
    prop::array::uniform4(-3.0..3.0f64)
}

fn places() -> impl Strategy<Value = [f64; 3]> {
    prop::array::uniform3(-0.6..0.6f64)
}

/// Two shapes near each other.
fn two() -> impl Strategy<Value = (Posed<'static>, Posed<'static>, f64)> {
    let pair = (0..PAIRS.len(), sizes(), sizes(), turns(), turns(), places(), places());
    (pair, 0.0..0.3f64).prop_map(|((pair, size1, size2, turn1, turn2, pos1, pos2), margin)| {
        let (a, b) = PAIRS[pair];
        (posed(a, size1, pos1, turn1), posed(b, size2, pos2, turn2), margin)
    })
}

#[test]
fn the_table_has_a_method_for_every_pair_in_order_but_those_of_planes_and_terrains() {
    use sim_types::GeomType;
    for (i, first) in GeomType::ALL.iter().enumerate() {
        for (j, second) in GeomType::ALL.iter().enumerate() {
            let none = i > j || j < 2;
            assert_eq!(matches!(method(*first, *second), Method::None), none, "{first:?} {second:?}");
        }
    }
}

#[test]
fn collide_forgets_old_contacts_and_finds_every_kind() {
    let (options, mut scratch) = (ConvexOptions::default(), ConvexScratch::default());
    let mut out = ContactBuf::new();
    let data = [0.5; 4];
    let field = HfieldView { size: [1.0, 1.0, 0.2, 0.1], nrow: 2, ncol: 2, data: &data };
    let ball = at(sphere(0.2), [0.0, 0.0, 0.25]);
    for (a, count) in [(at(Shape::Hfield(&field), [0.1, 0.2, 0.0]), 1..=2), (plane(), 0..=0)] {
        collide(&a, &ball, 0.0, &options, &mut scratch, &mut out);
        assert!(count.contains(&out.len()), "{:?}: {}", a.shape.geom_type(), out.len());
    }
    collide(&ball, &at(ellipsoid([0.1, 0.2, 0.3]), [0.0, 0.0, 0.0]), 0.0, &options, &mut scratch, &mut out);
    assert_eq!(out.len(), 1);
    collide(&ball, &at(cuboid([0.1; 3]), [0.0, 0.0, 0.0]), 0.0, &options, &mut scratch, &mut out);
    assert_eq!(out.len(), 1);
    // the wrong way round there is nothing, and nothing is left from before
    collide(&at(cuboid([0.1; 3]), [0.0, 0.0, 0.0]), &ball, 0.0, &options, &mut scratch, &mut out);
    assert!(out.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn contacts_are_within_the_margin_and_have_unit_normals((a, b, margin) in two()) {
        for c in run(&a, &b, margin) {
            prop_assert!(c.dist <= margin + 1e-12, "{}", c.dist);
            prop_assert!((c.normal.norm() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn moving_both_moves_the_contacts((a, b, margin) in two(), turn in turns(), shift in places()) {
        let (mat, shift) = (rotation(turn), Vec3::from(shift));
        let before = run(&a, &b, margin);
        let after = run(&moved(&a, &mat, &shift), &moved(&b, &mat, &shift), margin);
        // counts may differ where a contact is just at the margin
        let edge = |cs: &[RawContact]| cs.iter().any(|c| (c.dist - margin).abs() < 1e-9);
        if edge(&before) || edge(&after) {
            return Ok(());
        }
        prop_assert_eq!(before.len(), after.len());
        for (c, d) in before.iter().zip(&after) {
            prop_assert!((c.dist - d.dist).abs() < 1e-9);
            prop_assert!((mat * c.pos + shift - d.pos).norm() < 1e-7);
            prop_assert!((mat * c.normal - d.normal).norm() < 1e-7);
        }
    }

    #[test]
    fn swapping_equal_shapes_turns_the_normal(
        which in 0..2usize, size1 in sizes(), size2 in sizes(), turn1 in turns(), turn2 in turns(), pos in places(),
    ) {
        let kind = [Kind::Sphere, Kind::Capsule][which];
        let (a, b) = (posed(kind, size1, [0.0; 3], turn1), posed(kind, size2, pos, turn2));
        let (there, back) = (run(&a, &b, 0.2), run(&b, &a, 0.2));
        prop_assert_eq!(there.len(), back.len());
        for (c, d) in there.iter().zip(&back) {
            prop_assert!((c.dist - d.dist).abs() < 1e-9 && (c.pos - d.pos).norm() < 1e-7, "{:?} {:?}", c, d);
            prop_assert!((c.normal + d.normal).norm() < 1e-7);
        }
    }

    /// A small step changes the least distance by no more than the step.
    #[test]
    fn depth_is_continuous((a, b, margin) in two(), step in prop::array::uniform3(-1e-6..1e-6f64)) {
        // capsules and boxes switch between features when they overlap
        let apart = |cs: &[RawContact]| least(cs).is_some_and(|d| d > 0.0);
        let step = Vec3::from(step);
        let before = run(&a, &b, margin);
        let after = run(&a, &Posed { pos: b.pos + step, ..b }, margin);
        let jumps = matches!(b.shape, Shape::Box { .. }) && !matches!(a.shape, Shape::Sphere { .. } | Shape::Plane { .. });
        if jumps && (!apart(&before) || matches!(a.shape, Shape::Box { .. })) {
            return Ok(());
        }
        if let (Some(d1), Some(d2)) = (least(&before), least(&after)) {
            prop_assert!((d1 - d2).abs() <= step.norm() + 1e-9, "{} {}", d1, d2);
        } else {
            // one of them is beyond the margin, then the other is just inside
            let left = least(&before).or(least(&after)).unwrap_or(margin);
            prop_assert!(left > margin - 3e-6, "{}", left);
        }
    }

    /// The distance of a ball is the distance of its centre, whether inside or outside.
    #[test]
    fn balls_agree_with_distance_fields(
        which in 0..4usize, radius in 0.05..0.5f64, size in sizes(), turn in turns(), pos in places(), margin in 0.0..0.3f64,
    ) {
        let kind = [Kind::Sphere, Kind::Capsule, Kind::Cylinder, Kind::Box][which];
        let (a, b) = (posed(Kind::Sphere, [radius; 3], pos, [0.0; 4]), posed(kind, size, [0.1, -0.1, 0.2], turn));
        let want = field(kind, &size, &b.to_local(&a.pos)) - radius;
        match run(&a, &b, margin)[..] {
            [c] => {
                prop_assert!((c.dist - want).abs() < 1e-9, "{} {}", c.dist, want);
                // the contact is midway between the two surfaces
                let on_ball = (c.pos - c.normal * (c.dist / 2.0) - a.pos).norm() - radius;
                let on_other = field(kind, &size, &b.to_local(&(c.pos + c.normal * (c.dist / 2.0))));
                prop_assert!(on_ball.abs() < 1e-9 && on_other.abs() < 1e-9, "{} {}", on_ball, on_other);
            }
            [] => prop_assert!(want > margin - 1e-9),
            _ => prop_assert!(false, "more than one contact"),
        }
    }

    /// Capsules apart from a box or capsule are as far as the nearest of many balls along them.
    #[test]
    fn capsules_apart_agree_with_a_search_along_the_segment(
        which in 0..2usize, size1 in sizes(), size2 in sizes(), turn1 in turns(), turn2 in turns(), pos in places(),
    ) {
        let kind = [Kind::Capsule, Kind::Box][which];
        let (a, b) = (posed(Kind::Capsule, size1, [0.0; 3], turn1), posed(kind, size2, pos, turn2));
        let at = |x: f64| field(kind, &size2, &b.to_local(&(a.pos + a.axis() * (x * size1[1])))) - size1[0];
        // the distance to a convex shape is convex along a line
        let (mut low, mut high) = (-1.0, 1.0);
        for _ in 0..100 {
            let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if at(left) < at(right) { high = right } else { low = left }
        }
        let want = at(f64::midpoint(low, high)).min(at(-1.0)).min(at(1.0));
        if want + size1[0] > 1e-3 {
            let got = least(&run(&a, &b, 2.0));
            prop_assert!(got.is_some_and(|got| (got - want).abs() < 1e-6), "{:?} {}", got, want);
        }
    }

    /// The first contact with a plane is the lowest point of the shape; no other contact is lower.
    #[test]
    fn planes_meet_the_lowest_point(
        which in 0..6usize, size in sizes(), turn in turns(), height in -0.5..0.8f64, margin in 0.0..0.3f64,
    ) {
        let kind = [Kind::Sphere, Kind::Capsule, Kind::Ellipsoid, Kind::Cylinder, Kind::Box, Kind::Mesh][which];
        let b = posed(kind, size, [0.3, 0.2, height], turn);
        let want = height - reach(kind, &size, &b.mat.tr_mul(&-Vec3::z()));
        let got = run(&plane(), &b, margin);
        match least(&got) {
            // only the first four corners of a box count, so the lowest may be missing
            Some(dist) if kind == Kind::Box => prop_assert!(dist > want - 1e-12),
            Some(dist) => prop_assert!((dist - want).abs() < 1e-12),
            None => prop_assert!(want > margin - 1e-12),
        }
    }

    /// Nothing panics, and nothing that is not finite comes out.
    #[test]
    fn odd_numbers_give_finite_contacts_or_none(
        pair in 0..PAIRS.len(), size1 in odd_numbers(), size2 in odd_numbers(), pos in odd_numbers(), margin in odd(),
        turn in turns(), spoil in prop::option::of((0..9usize, odd())),
    ) {
        let (kind1, kind2) = PAIRS[pair];
        let (a, mut b) = (posed(kind1, size1, [0.0; 3], [0.0; 4]), posed(kind2, size2, pos, turn));
        if let Some((entry, value)) = spoil {
            b.mat[entry] = value;
        }
        let contacts = run(&a, &b, margin);
        prop_assert!(contacts.len() <= MAX_PAIR_CONTACTS);
        prop_assert!(contacts.iter().all(RawContact::is_finite));
    }

    /// Shapes without size, at one place or touching, still have unit normals.
    #[test]
    fn flat_and_coincident_shapes_have_unit_normals(
        pair in 0..PAIRS.len(), size1 in thin(), size2 in thin(), right1 in 0..4usize, right2 in 0..4usize, far in thin(),
    ) {
        let (kind1, kind2) = PAIRS[pair];
        let quarter = |n: usize| [n as f64 * std::f64::consts::FRAC_PI_2, 0.0, 1.0, 0.0];
        let (a, b) = (posed(kind1, size1, [0.0; 3], quarter(right1)), posed(kind2, size2, far, quarter(right2)));
        for c in run(&a, &b, 0.1) {
            prop_assert!(c.is_finite() && (c.normal.norm() - 1.0).abs() < 1e-9, "{:?}", c);
        }
    }
}

fn odd() -> impl Strategy<Value = f64> {
    prop_oneof![
        3 => -1.0..1.0f64,
        1 => prop::sample::select(vec![0.0, -0.0, 1e-300, -1e-300, 1e-16, 1e10, 1e200, 1e308, f64::MAX]),
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1e10, f64::MIN]),
    ]
}

fn odd_numbers() -> impl Strategy<Value = [f64; 3]> {
    prop::array::uniform3(odd())
}

fn thin() -> impl Strategy<Value = [f64; 3]> {
    prop::array::uniform3(prop::sample::select(vec![0.0, 1e-12, 1e-6, 0.1, 1.0, 1e4]))
}

/// Signed distance from a point, in the frame of the shape.
fn field(kind: Kind, size: &[f64; 3], p: &Vec3) -> f64 {
    // a box around zero: outside by its nearest point, inside by its nearest face
    let cuboid = |over: &[f64]| {
        let outside = over.iter().map(|x| x.max(0.0).powi(2)).sum::<f64>().sqrt();
        outside + over.iter().copied().fold(f64::MIN, f64::max).min(0.0)
    };
    match kind {
        Kind::Sphere => p.norm() - size[0],
        Kind::Capsule => Vec3::new(p.x, p.y, p.z - p.z.clamp(-size[1], size[1])).norm() - size[0],
        Kind::Cylinder => cuboid(&[p.x.hypot(p.y) - size[0], p.z.abs() - size[1]]),
        Kind::Box => cuboid(&[p.x.abs() - size[0], p.y.abs() - size[1], p.z.abs() - size[2]]),
        _ => panic!("no distance field for {kind:?}"),
    }
}

/// How far the shape reaches in a direction of its frame.
fn reach(kind: Kind, size: &[f64; 3], d: &Vec3) -> f64 {
    match kind {
        Kind::Sphere => size[0],
        Kind::Capsule => size[0] + size[1] * d.z.abs(),
        Kind::Ellipsoid => d.component_mul(&Vec3::from(*size)).norm(),
        Kind::Cylinder => size[0] * d.x.hypot(d.y) + size[1] * d.z.abs(),
        Kind::Box => d.abs().dot(&Vec3::from(*size)),
        Kind::Mesh => VERT.iter().map(|v| crate::hull_graph::along(d, v)).fold(f64::MIN, f64::max),
        Kind::Plane => f64::INFINITY,
    }
}
