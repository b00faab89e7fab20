//! Distance fields: values, descents, contacts with every shape.

use proptest::prelude::*;
use sim_types::{Mat3, OptId, Quat};

use super::*;
use crate::pair::collide;
use crate::ray::{Ray, ray};
use crate::testing::{at, capsule, cuboid, cylinder, ellipsoid, plane, sphere};
use crate::{HfieldView, contains};

/// A ball of radius 0.5 on a grid.
fn ball_grid() -> SdfGrid {
    SdfGrid::from_fn([25; 3], 0.05, Vec3::repeat(-0.6), |p| p.norm() - 0.5).unwrap()
}

fn view(grid: &SdfGrid) -> SdfView<'_> {
    SdfView { source: SdfSource::Grid(grid.view()), aabb: grid.aabb(), mesh: None }
}

fn run(a: &Posed<'_>, b: &Posed<'_>) -> Vec<RawContact> {
    let mut out = ContactBuf::new();
    collide(a, b, 0.0, &ConvexOptions::default(), &mut ConvexScratch::default(), &mut out);
    out.as_slice().to_vec()
}

#[test]
fn halton_mirrors_the_digits() {
    assert_eq!([0, 1, 2, 3, 4].map(|i| halton(i, 2)), [0.0, 0.5, 0.25, 0.75, 0.125]);
    assert!((halton(5, 3) - 7.0 / 9.0).abs() < 1e-15);
}

#[test]
fn grid_is_exact_at_its_samples_and_linear_between() {
    let grid = SdfGrid::from_fn([3, 4, 5], 0.5, Vec3::new(1.0, 2.0, 3.0), |p| 2.0 * p.x - p.y + 0.5 * p.z).unwrap();
    let p = Vec3::new(1.3, 2.9, 4.1);
    assert!((grid.distance(&p) - (2.6 - 2.9 + 2.05)).abs() < 1e-12);
    assert!((grid.gradient(&p) - Vec3::new(2.0, -1.0, 0.5)).norm() < 1e-12);
    // outside: the way to the grid is added
    let far = Vec3::new(2.0 + 0.75, 2.9, 4.1);
    assert!((grid.distance(&far) - (4.0 - 2.9 + 2.05 + 0.75)).abs() < 1e-12);
    assert!((grid.gradient(&far) - Vec3::new(1.0, -1.0, 0.5)).norm() < 1e-12);
    assert_eq!(grid.aabb(), [1.5, 2.75, 4.0, 0.5, 0.75, 1.0]);
}

#[test]
fn numbers_that_are_no_grid_are_refused() {
    let make = |size, cell, n: usize| SdfGrid::new(size, cell, Vec3::zeros(), vec![0.0; n]);
    assert_eq!(make([1, 2, 2], 1.0, 4), Err(GridError::Size([1, 2, 2])));
    assert_eq!(make([usize::MAX; 3], 1.0, 4), Err(GridError::Size([usize::MAX; 3])));
    assert_eq!(make([2; 3], 0.0, 8), Err(GridError::Cell(0.0)));
    assert_eq!(make([2; 3], 1.0, 7), Err(GridError::Count { got: 7, want: 8 }));
    assert_eq!(SdfGrid::new([2; 3], 1.0, Vec3::repeat(f64::NAN), vec![0.0; 8]), Err(GridError::Origin));
    let error = SdfGrid::new([2; 3], 1.0, Vec3::zeros(), vec![f64::INFINITY; 8]).unwrap_err();
    assert_eq!(error.to_string(), "sample 0: expected a finite number");
    assert!(SdfGrid::from_fn([1; 3], 1.0, Vec3::zeros(), |_| 0.0).is_err());
}

/// An octree of a root and eight leaves whose corner values are linear in space.
struct Tree {
    child: Vec<[OptId; 8]>,
    aabb: Vec<[f64; 6]>,
    coeff: Vec<[f64; 8]>,
}

impl Tree {
    fn linear(slope: Vec3) -> Self {
        let mut tree = Self { child: vec![[OptId::NONE; 8]; 9], aabb: vec![], coeff: vec![] };
        tree.child[0] = [0, 1, 2, 3, 4, 5, 6, 7].map(|j| OptId::some(j + 1));
        let corner = |j: usize, half: f64| [1, 2, 4].map(|bit| if j & bit == 0 { -half } else { half });
        tree.aabb.push([0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
        for j in 0..8 {
            let [x, y, z] = corner(j, 0.5);
            tree.aabb.push([x, y, z, 0.5, 0.5, 0.5]);
        }
        for [x, y, z, half, ..] in &tree.aabb {
            tree.coeff.push([0, 1, 2, 3, 4, 5, 6, 7].map(|j| {
                let at = Vec3::from(corner(j, *half)) + Vec3::new(*x, *y, *z);
                slope.dot(&at)
            }));
        }
        tree
    }

    fn view(&self) -> OctreeView<'_> {
        OctreeView { child: &self.child, aabb: &self.aabb, coeff: &self.coeff }
    }
}

#[test]
fn octree_interpolates_in_its_leaves() {
    let slope = Vec3::new(0.3, -0.2, 0.8);
    let tree = Tree::linear(slope);
    for p in [Vec3::new(0.1, 0.7, -0.4), Vec3::new(-0.9, -0.1, 0.5), Vec3::zeros()] {
        assert!((tree.view().distance(&p) - slope.dot(&p)).abs() < 1e-12);
        // per edge of a leaf, which has length one here
        assert!((tree.view().gradient(&p) - slope).norm() < 1e-12);
    }
    // outside: nearest point of the box, a little inside, plus the way
    let p = Vec3::new(1.5, 0.2, 0.1);
    let want = slope.dot(&Vec3::new(1.0 - 1e-6, 0.2, 0.1)) + 0.5;
    assert!((tree.view().distance(&p) - want).abs() < 1e-12);
    assert!((tree.view().gradient(&p) - Vec3::new(1.0, -0.2, 0.8)).norm() < 1e-6);
}

/// Where a search begins does not show.
#[test]
fn octrees_answer_the_same_from_any_leaf() {
    let mut tree = Tree::linear(Vec3::new(0.4, -1.3, 0.9));
    for (node, coeff) in tree.coeff.iter_mut().enumerate() {
        coeff[0] += node as f64; // every leaf answers something else
    }
    let (mut last, mut seen) = (Last::default(), [0; 2]);
    for i in 0..2000 {
        // neighbours mostly, now and then far away
        let p = Vec3::new(halton(i / 7, 2), halton(i / 7, 3), halton(i, 5)) * 2.6 - Vec3::repeat(1.3);
        let (near, fresh) = (tree.view().distance_near(&p, &mut last), tree.view().distance(&p));
        assert_eq!(near.to_bits(), fresh.to_bits(), "{p:?}");
        assert_eq!(tree.view().gradient_near(&p, &mut last), tree.view().gradient(&p), "{p:?}");
        seen[usize::from(p.amax() < 1.0)] += 1;
    }
    assert!(seen[0] > 100 && seen[1] > 100, "{seen:?}");
}

#[test]
fn broken_octrees_answer_something() {
    let empty = OctreeView::default();
    assert_eq!(empty.distance(&Vec3::zeros()), sim_types::MAXVAL);
    assert_eq!(empty.gradient(&Vec3::zeros()), Vec3::zeros());
    let mut tree = Tree::linear(Vec3::x());
    tree.child[1] = [OptId::some(0); 8]; // a loop
    let _ = tree.view().distance(&Vec3::repeat(-0.5));
    tree.child[1] = [OptId::some(99); 8];
    assert_eq!(tree.view().distance(&Vec3::repeat(-0.5)), sim_types::MAXVAL);
    let _ = tree.view().distance(&Vec3::repeat(f64::NAN));
}

#[test]
fn every_shape_meets_a_grid() {
    let grid = ball_grid();
    let field = view(&grid);
    let ball = at(Shape::Sdf(&field), [0.0, 0.0, 0.0]);
    let corners: Vec<[f32; 3]> = (0..8).map(|i| [1, 2, 4].map(|k| if i & k == 0 { -0.4 } else { 0.4 })).collect();
    let mesh = MeshView { vert: &corners, half: Vec3::repeat(0.4), rbound: 0.7, ..MeshView::default() };
    let ground = HfieldView { size: [2.0, 2.0, 1.0, 0.5], nrow: 3, ncol: 3, data: &[1.0; 9] };
    let other = view(&grid);
    // all below the ball, touching it from below by 0.1
    let shapes = [
        at(sphere(0.4), [0.0, 0.0, -0.8]),
        at(capsule(0.2, 0.2), [0.0, 0.0, -0.8]),
        at(ellipsoid([0.3, 0.5, 0.4]), [0.0, 0.0, -0.8]),
        at(cylinder(0.3, 0.4), [0.0, 0.0, -0.8]),
        at(cuboid([0.3, 0.5, 0.4]), [0.0, 0.0, -0.8]),
        at(Shape::Mesh(&mesh), [0.0, 0.0, -0.8]),
        at(Shape::Sdf(&other), [0.0, 0.0, -0.9]),
        at(Shape::Plane { half: [0.0; 2] }, [0.0, 0.0, -0.4]),
        at(Shape::Hfield(&ground), [0.0, 0.0, -1.4]),
    ];
    for shape in &shapes {
        let contacts = run(shape, &ball);
        let name = shape.shape.geom_type();
        assert!(!contacts.is_empty(), "{name:?}");
        let deepest = contacts.iter().min_by(|a, b| a.dist.total_cmp(&b.dist)).unwrap();
        // the larger of both distances, at best half of the overlap
        assert!(deepest.dist < -0.02 && deepest.dist > -0.1, "{name:?} {deepest:?}");
        assert!(deepest.normal.z > 0.8, "from the shape below to the ball: {name:?} {deepest:?}");
        assert!((deepest.pos - Vec3::new(0.0, 0.0, -0.45)).norm() < 0.25, "{name:?} {deepest:?}");
    }
}

#[test]
fn apart_means_no_contact() {
    let grid = ball_grid();
    let field = view(&grid);
    let ball = at(Shape::Sdf(&field), [0.0, 0.0, 2.0]);
    assert!(run(&plane(), &ball).is_empty());
    assert!(run(&at(sphere(0.5), [0.0; 3]), &ball).is_empty());
    // boxes overlap, shapes do not
    assert!(run(&at(sphere(0.5), [0.75, 0.75, 2.0]), &ball).is_empty());
}

#[test]
fn octree_meets_planes_by_its_mesh_and_terrains_not_at_all() {
    let tree = Tree::linear(Vec3::z());
    let corners: Vec<[f32; 3]> = (0..8).map(|i| [1, 2, 4].map(|k| if i & k == 0 { -0.5 } else { 0.5 })).collect();
    let mesh = MeshView { vert: &corners, rbound: 0.87, ..MeshView::default() };
    let field =
        SdfView { source: SdfSource::Octree(tree.view()), aabb: [0.0, 0.0, 0.0, 1.0, 1.0, 1.0], mesh: Some(&mesh) };
    let b = at(Shape::Sdf(&field), [0.0, 0.0, 0.4]);
    let contacts = run(&plane(), &b);
    assert_eq!(contacts.len(), 3);
    assert!(contacts.iter().all(|c| (c.dist + 0.1).abs() < 1e-6));
    let ground = HfieldView { size: [2.0, 2.0, 1.0, 0.5], nrow: 3, ncol: 3, data: &[1.0; 9] };
    assert!(run(&at(Shape::Hfield(&ground), [0.0; 3]), &b).is_empty());
}

#[test]
fn rays_and_points_see_the_field() {
    let grid = ball_grid();
    let field = view(&grid);
    let ball = at(Shape::Sdf(&field), [1.0, 0.0, 0.0]);
    let hit = ray(&ball, &Ray { origin: Vec3::new(1.0, 0.0, 3.0), dir: -Vec3::z() }).unwrap();
    assert!((hit.dist - 2.5).abs() < 1e-3 && (hit.normal - Vec3::z()).norm() < 0.1, "{hit:?}");
    assert!(ray(&ball, &Ray { origin: Vec3::new(1.0, 0.0, 3.0), dir: Vec3::z() }).is_none());
    assert!(contains(&ball, &Vec3::new(1.2, 0.0, 0.0)) && !contains(&ball, &Vec3::new(1.6, 0.0, 0.0)));
}

/// The box that a ray must meet reaches from the origin to the farthest part of the shape; a mesh says how far.
#[test]
fn rays_see_a_field_that_is_not_around_its_origin() {
    let grid =
        SdfGrid::from_fn([33; 3], 0.0375, Vec3::new(0.9, -0.6, -0.6), |p| (p - Vec3::x() * 1.5).norm() - 0.3).unwrap();
    let down = Ray { origin: Vec3::new(1.5, 0.0, 3.0), dir: -Vec3::z() };
    let hit = |mesh| ray(&at(Shape::Sdf(&SdfView { mesh, ..view(&grid) }), [0.0; 3]), &down);
    let [far, near] = [1.8, 0.6].map(|x| MeshView { half: Vec3::new(x, 0.3, 0.3), ..MeshView::default() });
    assert!((hit(None).unwrap().dist - 2.7).abs() < 1e-3);
    assert!((hit(Some(&far)).unwrap().dist - 2.7).abs() < 1e-3);
    assert!(hit(Some(&near)).is_none());
}

#[test]
fn odd_input_gives_finite_contacts_or_none() {
    let grid = ball_grid();
    let field = view(&grid);
    let empty = HfieldView::default();
    for s in [0.0, 1e-300, 1e300, f64::NAN, f64::INFINITY] {
        let shapes = [
            sphere(s),
            capsule(s, s),
            ellipsoid([s, 1.0, 0.0]),
            cylinder(s, 1.0),
            cuboid([s, 0.0, 1.0]),
            Shape::Hfield(&empty),
        ];
        for shape in shapes {
            for pos in [[0.0; 3], [0.1, 0.0, 0.0], [f64::NAN; 3]] {
                for mat in [Mat3::identity(), Mat3::zeros(), Mat3::repeat(f64::NAN)] {
                    let b = Posed { shape: Shape::Sdf(&field), pos: pos.into(), mat };
                    assert!(run(&at(shape, [0.0; 3]), &b).iter().all(RawContact::is_finite));
                }
            }
        }
    }
}

proptest! {
    /// Away from creases, a field of a shape grows by one per unit along its gradient.
    #[test]
    fn gradients_are_the_slopes_of_distances(p in prop::array::uniform3(-1.5..1.5f64), which in 0..5usize) {
        let shapes = [
            sphere(0.4),
            capsule(0.2, 0.4),
            cylinder(0.3, 0.5),
            cuboid([0.3, 0.4, 0.5]),
            Shape::Plane { half: [0.0; 2] },
        ];
        let field = Field::new(&shapes[which], &ConvexOptions::default()).unwrap();
        let scratch = &mut ConvexScratch::default();
        let x = Vec3::from(p);
        prop_assume!(field.distance(&x, &mut Memory::default(), scratch) > 1e-3);
        let g = field.gradient(&x, &mut Memory::default(), scratch);
        prop_assert!((g.norm() - 1.0).abs() < 1e-9);
        let step = 1e-6;
        let slope = (field.distance(&(x + g * step), &mut Memory::default(), scratch) - field.distance(&x, &mut Memory::default(), scratch)) / step;
        prop_assert!((slope - 1.0).abs() < 1e-4, "{slope}");
    }

    /// Moving both shapes moves the contacts. The descent doubles small differences, so only the deepest is compared.
    #[test]
    fn contacts_do_not_depend_on_the_frame(turn in prop::array::uniform4(0.1..1.0f64), shift in prop::array::uniform3(-1.0..1.0f64)) {
        let grid = ball_grid();
        let field = view(&grid);
        let a = at(sphere(0.4), [0.0, 0.0, -0.8]);
        let b = at(Shape::Sdf(&field), [0.0; 3]);
        let mat = Quat::new(turn[0], turn[1], turn[2], turn[3]).normalized().to_mat();
        let moved = |p: &Posed<'_>| mat * p.pos + Vec3::from(shift);
        let (a2, b2) = (Posed { pos: moved(&a), mat, ..a }, Posed { pos: moved(&b), mat, ..b });
        let deepest = |c: &[RawContact]| c.iter().map(|c| c.dist).fold(0.0, f64::min);
        let (here, there) = (run(&a, &b), run(&a2, &b2));
        prop_assert!((deepest(&here) - deepest(&there)).abs() < 1e-3);
    }
}
