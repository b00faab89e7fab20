//! Rays: closed forms, agreement with brute force and with points inside, odd input.

use super::*;
use crate::testing::*;
use crate::{HfieldView, MeshView, TreeView, bvh, contains};
use proptest::prelude::*;
use sim_types::{OptId, Quat};

fn cast(shape: Shape<'_>, origin: [f64; 3], dir: [f64; 3]) -> Option<(f64, [f64; 3])> {
    let posed = at(shape, [0.0; 3]);
    ray(&posed, &Ray { origin: origin.into(), dir: dir.into() }).map(|hit| (hit.dist, hit.normal.into()))
}

fn same(a: [f64; 3], b: [f64; 3]) -> bool {
    (Vec3::from(a) - Vec3::from(b)).norm() < 1e-12
}

const DOWN: [f64; 3] = [0.0, 0.0, -1.0];
const UP: [f64; 3] = [0.0, 0.0, 1.0];

#[test]
fn straight_down_on_every_solid() {
    let solids =
        [sphere(0.5), capsule(0.2, 0.3), ellipsoid([0.1, 0.2, 0.5]), cylinder(0.1, 0.5), cuboid([0.1, 0.2, 0.5])];
    for shape in solids {
        let (dist, normal) = cast(shape, [0.0, 0.0, 2.0], [0.0, 0.0, -0.5]).unwrap();
        assert!((dist - 3.0).abs() < 1e-12 && same(normal, UP), "{shape:?}: {dist} {normal:?}");
        // from inside the way out counts
        let (dist, normal) = cast(shape, [0.0; 3], DOWN).unwrap();
        assert!((dist - 0.5).abs() < 1e-12 && same(normal, DOWN), "{shape:?}: {dist} {normal:?}");
        assert_eq!(cast(shape, [0.0, 0.0, 2.0], UP), None);
        assert_eq!(cast(shape, [0.0, 0.0, 2.0], [0.0; 3]), None);
        assert_eq!(cast(shape, [3.0, 0.0, 2.0], DOWN), None);
    }
}

#[test]
fn planes_are_hit_from_above_and_within_their_size() {
    let endless = Shape::Plane { half: [0.0; 2] };
    assert_eq!(cast(endless, [50.0, 0.0, 2.0], DOWN), Some((2.0, UP)));
    assert_eq!(cast(endless, [0.0, 0.0, -2.0], UP), None);
    let small = Shape::Plane { half: [1.0, 0.0] };
    assert_eq!(cast(small, [0.9, 50.0, 2.0], DOWN), Some((2.0, UP)));
    assert_eq!(cast(small, [1.1, 0.0, 2.0], DOWN), None);
}

#[test]
fn a_terrain_has_a_surface_sides_and_a_base() {
    // a ridge along y at x = 0
    let data = [0.0, 1.0, 0.0, 0.0, 1.0, 0.0];
    let field = HfieldView { size: [1.0, 1.0, 1.0, 0.5], nrow: 2, ncol: 3, data: &data };
    let shape = Shape::Hfield(&field);
    let slope = 0.5_f64.sqrt();
    let (dist, normal) = cast(shape, [-0.75, 0.2, 2.0], DOWN).unwrap();
    assert!((dist - 1.75).abs() < 1e-12 && (Vec3::from(normal) - Vec3::new(-slope, 0.0, slope)).norm() < 1e-12);
    assert_eq!(cast(shape, [0.1, -3.0, 0.5], [0.0, 1.0, 0.0]), Some((2.0, [0.0, -1.0, 0.0])));
    assert_eq!(cast(shape, [0.9, -3.0, 0.5], [0.0, 1.0, 0.0]), None);
    assert_eq!(cast(shape, [0.9, 0.0, -3.0], UP), Some((2.5, DOWN)));
    // too little data leaves the base
    let cut = HfieldView { data: &data[..4], ..field };
    assert_eq!(cast(Shape::Hfield(&cut), [-0.75, 0.2, 2.0], DOWN), Some((2.0, UP)));
}

/// A sphere of triangles.
/// Between the base and the surface the last bit decides: 0.9 − (0.9 − 0.05) is more than 0.05, so the ray starts over the base.
/// MuJoCo 3.5.0 has these numbers.
#[test]
fn a_ray_from_the_zero_of_a_terrain_leaves_the_base_behind() {
    let field = HfieldView { size: [0.5, 0.5, 0.3, 0.1], nrow: 2, ncol: 2, data: &[0.0, 1.0, 0.5, 0.2] };
    let ground = at(Shape::Hfield(&field), [0.0, 0.0, 0.9]);
    let from = |dir: Vec3| ray(&ground, &Ray { origin: Vec3::new(0.2, 0.1, 0.9), dir }).unwrap();
    let (up, down) = (from(Vec3::z()), from(-Vec3::z()));
    assert!((up.dist - 0.06600000053644181).abs() < 1e-15 && up.normal.z > 0.9, "{up:?}");
    assert!((down.dist - 4.163336342344337e-17).abs() < 1e-18 && down.normal == Vec3::z(), "{down:?}");
}

fn globe() -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let (rings, sectors) = (8_u32, 12_u32);
    let mut vert = Vec::new();
    for i in 0..=rings {
        for j in 0..sectors {
            let (polar, azimuth) = (f64::from(i) / 8.0 * 3.2 - 0.03, f64::from(j) / 12.0 * std::f64::consts::TAU);
            let v = [polar.sin() * azimuth.cos(), polar.sin() * azimuth.sin(), polar.cos()];
            vert.push(v.map(|x| (0.5 * x) as f32));
        }
    }
    let mut face = Vec::new();
    for i in 0..rings {
        for j in 0..sectors {
            let next = (j + 1) % sectors;
            let [a, b, c, d] = [(i, j), (i + 1, j), (i + 1, next), (i, next)].map(|(i, j)| i * sectors + j);
            face.extend([[a, b, c], [a, c, d]]);
        }
    }
    (vert, face)
}

fn tree(vert: &[[f32; 3]], face: &[[u32; 3]]) -> Vec<bvh::Node> {
    let element = |(id, face): (usize, &[u32; 3])| {
        let [a, b, c] = face.map(|v| crate::hull_graph::point(&vert[v as usize]));
        let (min, max) = (a.inf(&b).inf(&c), a.sup(&b).sup(&c));
        bvh::Element { order: id, id, centre: (min + max) / 2.0, min, max }
    };
    bvh::build(&mut face.iter().enumerate().map(element).collect::<Vec<_>>())
}

fn unit(v: [f64; 3]) -> Vec3 {
    let mut v = Vec3::from(v);
    sim_types::math::normalize3(&mut v);
    v
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Cells that are passed over hold no hit: a ray that starts inside the box of a terrain meets the nearest triangle.
    #[test]
    fn a_terrain_is_its_triangles(
        data in prop::collection::vec(0.0_f32..1.0, 42),
        origin in prop::array::uniform3(-1.0..1.0f64), dir in prop::array::uniform3(-1.0..1.0f64),
    ) {
        let field = HfieldView { size: [1.0, 2.0, 0.5, 0.1], nrow: 7, ncol: 6, data: &data };
        let [x, y, z] = origin;
        let ray = Ray { origin: Vec3::new(x, 2.0 * y, 0.25 + 0.25 * z), dir: dir.into() };
        let vertex = |row: usize, col: usize| {
            Vec3::new(0.4 * col as f64 - 1.0, 4.0 / 6.0 * row as f64 - 2.0, f64::from(data[row * 6 + col]) * 0.5)
        };
        let mut want: Option<Hit> = None;
        for (row, col) in (0..6).flat_map(|row| (0..5).map(move |col| (row, col))) {
            let (low, high) = (vertex(row, col), vertex(row + 1, col + 1));
            for triangle in [[low, vertex(row, col + 1), high], [low, high, vertex(row + 1, col)]] {
                Hit::keep_nearer(&mut want, ray_triangle(&triangle, &ray));
            }
        }
        let got = super::ray(&at(Shape::Hfield(&field), [0.0; 3]), &ray);
        match want {
            // the base and the sides may be nearer
            Some(want) => prop_assert!(got.is_some_and(|got| got.dist < want.dist + 1e-9), "{got:?} {want:?}"),
            None => prop_assert!(got.is_none_or(|got| got.normal.iter().filter(|x| x.abs() == 1.0).count() == 1)),
        }
    }

    /// The tree finds the nearest of all triangles.
    #[test]
    fn a_mesh_is_its_triangles(
        origin in prop::array::uniform3(-1.0..1.0f64), dir in prop::array::uniform3(-1.0..1.0f64),
    ) {
        let (vert, face) = globe();
        let nodes = tree(&vert, &face);
        let (child, nodeid, aabb): (Vec<_>, Vec<_>, Vec<_>) = {
            let parts = nodes.iter().map(|n| (n.child, n.id, n.aabb)).collect::<Vec<_>>();
            (parts.iter().map(|p| p.0).collect(), parts.iter().map(|p| p.1).collect(), parts.iter().map(|p| p.2).collect())
        };
        let view = TreeView { child: &child, nodeid: &nodeid, aabb: &aabb };
        let mesh = MeshView { vert: &vert, face: &face, tree: view, half: Vec3::repeat(0.6), ..MeshView::default() };
        let shot = Ray { origin: origin.into(), dir: dir.into() };
        let got = ray(&at(Shape::Mesh(&mesh), [0.0; 3]), &shot);
        let each = face.iter().map(|f| f.map(|v| crate::hull_graph::point(&vert[v as usize])));
        let want = each.filter_map(|t| ray_triangle(&t, &shot)).map(|hit| hit.dist).reduce(f64::min);
        prop_assert_eq!(got.map(|hit| hit.dist), want);
    }

    /// The ray is outside before the hit and inside after it, or the reverse; the normal points outwards.
    #[test]
    fn hits_are_where_inside_begins_or_ends(
        which in 0..5usize, size in prop::array::uniform3(0.1..0.5f64), turn in prop::array::uniform3(-1.0..1.0f64),
        origin in prop::array::uniform3(-1.0..1.0f64), dir in prop::array::uniform3(-1.0..1.0f64),
    ) {
        let shapes = [sphere(size[0]), capsule(size[0], size[1]), ellipsoid(size), cylinder(size[0], size[1]), cuboid(size)];
        let mat = Quat::from_axis_angle(&unit(turn), 2.0).to_mat();
        let posed = Posed { shape: shapes[which], pos: Vec3::new(0.1, 0.2, -0.1), mat };
        let shot = Ray { origin: origin.into(), dir: unit(dir) };
        let start = contains(&posed, &shot.origin);
        match ray(&posed, &shot) {
            None => prop_assert!(!start),
            Some(hit) => {
                prop_assert!((hit.normal.norm() - 1.0).abs() < 1e-12);
                let cosine = hit.normal.dot(&shot.dir);
                prop_assert_eq!(cosine > 0.0, start);
                // away from grazing rays
                if cosine.abs() > 1e-2 {
                    prop_assert_eq!(contains(&posed, &shot.at(hit.dist + 1e-7)), !start);
                    prop_assert_eq!(hit.dist > 1e-6 && contains(&posed, &shot.at(hit.dist - 1e-7)), hit.dist > 1e-6 && start);
                }
            }
        }
    }

    /// A bundle may skip a box only when no ray towards a point of the box would go there.
    #[test]
    fn angular_bounds_hold_the_directions_to_every_point_of_the_box(
        half in prop::array::uniform3(0.01..1.0f64), inside in prop::array::uniform3(-1.0..1.0f64),
        turn in prop::array::uniform3(-1.0..1.0f64), pos in prop::array::uniform3(-3.0..3.0f64),
    ) {
        let (mat, pos) = (Quat::from_axis_angle(&unit(turn), 1.3).to_mat(), Vec3::from(pos));
        let aabb = [0.0, 0.0, 0.0, half[0], half[1], half[2]];
        let target = mat * Vec3::from(inside).component_mul(&Vec3::from(half)) + pos;
        // the bounds are about angles: near the poles azimuths spread over more than corners show
        prop_assume!(target.xy().norm() > 0.3 * target.norm() && pos.norm() > 2.5 * Vec3::from(half).norm());
        prop_assert!(AngularBounds::of_box(&aabb, &pos, &mat, &Vec3::zeros()).contain(&target));
    }

    #[test]
    fn odd_rays_give_finite_hits_or_none(
        which in 0..8usize, size in prop::array::uniform3(odd()), origin in prop::array::uniform3(odd()),
        dir in prop::array::uniform3(odd()),
    ) {
        let (vert, face) = globe();
        let id = [OptId::some(3)];
        let view = TreeView { child: &[[OptId::NONE; 2]], nodeid: &id, aabb: &[[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]] };
        let mesh = MeshView { vert: &vert, face: &face, tree: view, half: size.into(), ..MeshView::default() };
        let field = HfieldView { size: [size[0], size[1], size[2], size[0]], nrow: 2, ncol: 2, data: &[0.0, 1.0, 0.5, 0.2] };
        let shape = [
            Shape::Plane { half: [size[0], size[1]] }, sphere(size[0]), capsule(size[0], size[1]), ellipsoid(size),
            cylinder(size[0], size[1]), cuboid(size), Shape::Mesh(&mesh), Shape::Hfield(&field),
        ][which];
        if let Some((dist, normal)) = cast(shape, origin, dir) {
            prop_assert!(dist >= 0.0 && dist.is_finite() && normal.iter().all(|x| x.is_finite()));
        }
    }
}

fn odd() -> impl Strategy<Value = f64> {
    prop_oneof![
        3 => -1.0..1.0f64,
        1 => prop::sample::select(vec![0.0, 1e-300, 1e10, 1e200, f64::MAX, f64::NAN, f64::INFINITY, -1e10, f64::MIN]),
    ]
}
