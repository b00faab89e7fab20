//! Input that no physical body has, for every pair of types: nothing panics or runs for ever, and contacts, distances and
//! hits are finite or there are none.

use super::collide;
use crate::convex::{ConvexOptions, ConvexScratch};
use crate::ray::{Ray, ray};
use crate::sdf::{SdfGrid, SdfSource, SdfView};
use crate::testing::{capsule, cuboid, cylinder, ellipsoid, sphere};
use crate::{ContactBuf, HfieldView, MeshView, Posed, RawContact, Shape, contains, geom_distance, make_frame};
use sim_types::{Mat3, Quat, Vec3};

/// No size, next to none, all but endless, thin in one direction and long in another, turned inside out, no numbers.
const SIZES: [[f64; 3]; 13] = [
    [0.0; 3],
    [0.3, 0.0, 0.0],
    [0.0, 0.3, 0.3],
    [1e-300; 3],
    [1e300; 3],
    [f64::MAX; 3],
    [1e-9, 1e9, 1.0],
    [1e9, 1e-9, 1e-9],
    [0.3, 0.2, 0.1],
    [-1.0; 3],
    [0.3, -1.0, 0.3],
    [f64::NAN, 0.2, f64::NAN],
    [0.2, f64::INFINITY, f64::NAN],
];
const MARGINS: [f64; 6] = [0.0, 0.05, -0.1, 1e300, f64::INFINITY, f64::NAN];

/// Meshes without vertices, of one point, several times the same, a line, flat, too large, and an ordinary one.
fn vertices() -> Vec<Vec<[f32; 3]>> {
    let corner = |i: usize| [i & 1, i >> 1 & 1, i >> 2].map(|bit| 0.4 * bit as f32);
    vec![
        vec![],
        vec![[0.1; 3]],
        vec![[0.1; 3]; 12],
        (0..12).map(|i| [0.1 * i as f32, 0.0, 0.0]).collect(),
        (0..4).map(corner).collect(),
        vec![[f32::MAX, 0.0, 0.0], [0.0, f32::MAX, 0.0], [0.0, 0.0, f32::MAX], [0.0; 3]],
        vec![[f32::NAN; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        (0..8).map(corner).collect(),
    ]
}

/// Terrains of one cell and of none, with heights that are huge or no numbers, or with too few heights.
fn terrains() -> Vec<HfieldView<'static>> {
    let field = |size, nrow, ncol, data| HfieldView { size, nrow, ncol, data };
    vec![
        field([1.0, 1.0, 0.3, 0.1], 2, 2, &[0.0, 1.0, 0.5, 0.2]),
        field([1.0, 1.0, 0.3, 0.1], 2, 2, &[f32::MAX, 0.0, -f32::MAX, 1.0]),
        field([1.0, 1.0, 0.3, 0.1], 2, 2, &[f32::NAN; 4]),
        field([1e-300, 1e300, 0.0, 0.0], 2, 2, &[0.0, 1.0, 0.5, 0.2]),
        field([0.0; 4], 2, 2, &[0.0; 4]),
        field([1.0, f64::NAN, 0.3, -1.0], 2, 2, &[0.0; 4]),
        field([1.0, 1.0, 0.3, 0.1], 1, 1, &[1.0]),
        field([1.0, 1.0, 0.3, 0.1], 5, 5, &[1.0]),
        field([1.0, 1.0, 0.3, 0.1], 0, 0, &[]),
    ]
}

/// Where the second shape is, and whether its matrix is a rotation: at the first, beside it with parallel edges, turned,
/// all but at the first, far away, nowhere, and squeezed.
fn poses() -> Vec<(Vec3, Mat3, bool)> {
    let turn = Quat::new(0.3, 0.5, -0.2, 0.7).normalized().to_mat();
    let at = |pos: [f64; 3], mat: Mat3, rotation: bool| (Vec3::from(pos), mat, rotation);
    let straight = Mat3::identity();
    vec![
        at([0.0; 3], straight, true),
        at([0.0; 3], turn, true),
        at([0.3, 0.0, 0.0], straight, true),
        at([0.1, 0.2, 0.3], turn, true),
        at([1e-16, 0.0, -1e-300], straight, true),
        at([1e9, 0.0, 1e-9], turn, true),
        at([1e300; 3], straight, true),
        at([f64::NAN, 0.0, 0.0], straight, true),
        at([0.0, f64::INFINITY, 0.0], turn, true),
        at([0.1; 3], Mat3::zeros(), false),
        at([0.1; 3], Mat3::repeat(f64::NAN), false),
    ]
}

/// Calls `check` with every pair of types, every kind of shape at every pose.
fn for_every_pair(mut check: impl FnMut(&Posed<'_>, &Posed<'_>, bool)) {
    let (vertices, fields, half) = (vertices(), terrains(), Vec3::repeat(0.4));
    let meshes: Vec<MeshView<'_>> =
        vertices.iter().map(|vert| MeshView { vert, half, rbound: 0.7, ..MeshView::default() }).collect();
    let grids = [
        SdfGrid::from_fn([5; 3], 0.3, Vec3::repeat(-0.6), |p| p.norm() - 0.3).unwrap(),
        SdfGrid::from_fn([2; 3], 1e-3, Vec3::zeros(), |_| -1e300).unwrap(),
    ];
    let sdfs =
        grids.each_ref().map(|grid| SdfView { source: SdfSource::Grid(grid.view()), aabb: grid.aabb(), mesh: None });
    let mut shapes = vec![Shape::Plane { half: [0.0; 2] }];
    shapes.extend(fields.iter().map(Shape::Hfield));
    for s in SIZES {
        shapes.extend([sphere(s[0]), capsule(s[0], s[1]), ellipsoid(s), cylinder(s[0], s[1]), cuboid(s)]);
    }
    shapes.extend(meshes.iter().map(Shape::Mesh));
    shapes.extend(sdfs.iter().map(Shape::Sdf));
    shapes.sort_by_key(|shape| shape.geom_type().number());
    for (i, a) in shapes.iter().enumerate() {
        let a = Posed { shape: *a, pos: Vec3::zeros(), mat: Mat3::identity() };
        for b in &shapes[i..] {
            for (pos, mat, rotation) in poses() {
                check(&a, &Posed { shape: *b, pos, mat }, rotation);
            }
        }
    }
}

#[test]
fn odd_shapes_of_any_pair_give_finite_contacts_or_none() {
    let (mut scratch, mut out, mut number) = (ConvexScratch::default(), ContactBuf::new(), 0);
    for_every_pair(|a, b, rotation| {
        // every margin meets every search in turn
        number += 1;
        let (margin, native, multiccd) = (MARGINS[number % MARGINS.len()], number % 7 > 1, number % 5 == 0);
        let options = ConvexOptions { multiccd, native, ..ConvexOptions::default() };
        collide(a, b, margin, &options, &mut scratch, &mut out);
        // what becomes of a normal that is too short
        let unit = |c: &RawContact| (make_frame(&c.normal, &c.tangent).row(0).norm() - 1.0).abs() < 1e-9;
        let sound = |c: &RawContact| c.is_finite() && (!rotation || unit(c));
        assert!(out.as_slice().iter().all(sound), "{a:?} {b:?} {margin}: {:?}", out.as_slice());
    });
    assert!(number > 20_000, "{number}");
}

#[test]
fn odd_shapes_of_any_pair_have_finite_distances_or_the_limit() {
    let (mut scratch, mut out, mut number) = (ConvexScratch::default(), ContactBuf::new(), 0);
    for_every_pair(|a, b, _| {
        number += 1;
        let options = ConvexOptions { native: number % 7 > 1, ..ConvexOptions::default() };
        let limit = [1.0, 0.0, -0.1, 1e10][number % 4];
        let found = geom_distance(a, b, limit, &options, &mut scratch, &mut out);
        let finite = found.segment.iter().flatten().flat_map(|p| p.iter()).all(|x| x.is_finite());
        assert!(found.dist.is_finite() && found.dist <= limit && finite, "{a:?} {b:?} {limit}: {found:?}");
    });
}

#[test]
fn odd_shapes_have_finite_hits_or_none_and_odd_points_are_outside() {
    let dirs = [Vec3::x(), Vec3::new(0.3, -0.2, 0.7), Vec3::zeros(), Vec3::repeat(1e300), Vec3::repeat(f64::NAN)];
    for_every_pair(|a, b, _| {
        for dir in dirs {
            let hit = ray(b, &Ray { origin: a.pos, dir });
            let finite =
                |h: &crate::ray::Hit| h.dist >= 0.0 && h.dist.is_finite() && h.normal.iter().all(|x| x.is_finite());
            assert!(hit.as_ref().is_none_or(finite), "{b:?} {dir}: {hit:?}");
        }
        assert!(!contains(b, &Vec3::repeat(f64::NAN)), "{b:?}");
    });
}
