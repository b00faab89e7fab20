//! Hulls against MuJoCo, closed forms and properties.

use super::*;
use proptest::prelude::*;

fn points(flat: &[[f64; 3]]) -> Vec<Vec3> {
    flat.iter().map(|p| Vec3::new(p[0], p[1], p[2])).collect()
}

fn cube() -> Vec<Vec3> {
    (0..8).map(|i| Vec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64)).collect()
}

fn volume(points: &[Vec3], hull: &Hull) -> f64 {
    let tip = points[hull.vertices[0] as usize];
    let signed = |&[a, b, c]: &[u32; 3]| {
        let [a, b, c] = [a, b, c].map(|v| points[v as usize] - tip);
        a.dot(&b.cross(&c)) / 6.0
    };
    hull.faces.iter().map(signed).sum()
}

/// Largest height of a point above a face.
fn excess(points: &[Vec3], hull: &Hull) -> f64 {
    let mut worst = f64::MIN;
    for face in &hull.faces {
        let [a, b, c] = face.map(|v| points[v as usize]);
        let normal = (b - a).cross(&(c - a));
        if normal.norm() > 1e-9 {
            worst = points.iter().fold(worst, |w, p| w.max(normal.normalize().dot(&(p - a))));
        }
    }
    worst
}

#[test]
fn the_order_is_that_of_mujoco() {
    // mesh_graph of these points, as MuJoCo 3.5.0 writes it
    let tetrahedron = points(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    let hull = convex_hull(&tetrahedron, None).unwrap();
    assert_eq!(hull.vertices, TETRAHEDRON_VERTICES);
    assert_eq!(hull.faces, TETRAHEDRON_FACES);
    let hull = convex_hull(&cube(), None).unwrap();
    assert_eq!(hull.graph(), CUBE_GRAPH);
}

const TETRAHEDRON_VERTICES: [u32; 4] = [3, 2, 1, 0];
const TETRAHEDRON_FACES: [[u32; 3]; 4] = [[2, 1, 0], [1, 3, 0], [3, 2, 0], [2, 3, 1]];
const CUBE_GRAPH: [i32; 98] = [
    8, 12, 0, 7, 11, 18, 22, 29, 33, 37, 3, 2, 0, 1, 5, 4, 7, 6, 1, 2, 3, 4, 6, 7, -1, 0, 2, 7, -1, 0, 1, 3, 4, 5, 7,
    -1, 0, 2, 4, -1, 3, 2, 5, 0, 6, 7, -1, 4, 2, 7, -1, 4, 0, 7, -1, 1, 2, 5, 0, 6, 4, -1, 2, 3, 0, 3, 1, 0, 1, 5, 0,
    5, 4, 0, 3, 5, 1, 5, 3, 7, 6, 2, 0, 4, 6, 0, 6, 3, 2, 3, 6, 7, 5, 6, 4, 6, 5, 7,
];

#[test]
fn points_inside_and_on_the_sides_are_no_vertices() {
    let mut all = cube();
    for x in 0..5 {
        for y in 0..5 {
            for z in 0..5 {
                all.push(Vec3::new(x as f64, y as f64, z as f64) / 4.0);
            }
        }
    }
    let hull = convex_hull(&all, None).unwrap();
    assert_eq!((hull.vertices.len(), hull.faces.len()), (8, 12));
    assert!((volume(&all, &hull) - 1.0).abs() < 1e-14);
}

#[test]
fn building_stops_at_the_largest_number_of_vertices() {
    let ball: Vec<Vec3> = (0..200)
        .map(|i| {
            let (z, turn) = (1.0 - (i as f64 + 0.5) / 100.0, i as f64 * 2.4);
            let r = (1.0 - z * z).sqrt();
            Vec3::new(r * turn.cos(), r * turn.sin(), z)
        })
        .collect();
    for n in [4, 5, 8, 50] {
        let hull = convex_hull(&ball, Some(n)).unwrap();
        assert_eq!((hull.vertices.len(), hull.faces.len()), (n, 2 * n - 4));
    }
    assert_eq!(convex_hull(&ball, None).unwrap().vertices.len(), 200);
}

#[test]
fn what_has_no_hull_is_refused() {
    let line: Vec<Vec3> = (0..9).map(|i| Vec3::new(i as f64, 2.0 * i as f64, 0.5)).collect();
    let plane: Vec<Vec3> = (0..9).map(|i| Vec3::new((i % 3) as f64, (i / 3) as f64, 1.0)).collect();
    for flat in [line, plane, vec![Vec3::repeat(1.0); 6]] {
        assert_eq!(convex_hull(&flat, None), Err(HullError::Flat));
    }
    assert_eq!(convex_hull(&cube()[..3], None), Err(HullError::TooFew(3)));
    let mut broken = cube();
    broken[2].y = f64::NAN;
    assert_eq!(convex_hull(&broken, None), Err(HullError::NotFinite(2)));
    broken[2].y = 1e200;
    assert_eq!(convex_hull(&broken, None), Err(HullError::NotFinite(2)));
}

#[test]
fn duplicates_do_no_harm() {
    let mut twice = cube();
    twice.extend(cube());
    let hull = convex_hull(&twice, None).unwrap();
    assert_eq!((hull.vertices.len(), hull.faces.len()), (8, 12));
}

/// Points with many coincidences: on a coarse grid, or stretched to a needle or a leaf.
fn cloud() -> impl Strategy<Value = Vec<Vec3>> {
    let coordinate = prop_oneof![(-4i32..5).prop_map(f64::from), -4.0..4.0f64];
    let stretch = prop_oneof![Just(1.0), Just(1e-7), Just(1e5), Just(1e-13)];
    let point = [coordinate.clone(), coordinate.clone(), coordinate];
    (prop::collection::vec(point, 4..60), [stretch.clone(), stretch.clone(), stretch])
        .prop_map(|(points, s)| points.iter().map(|p| Vec3::new(p[0] * s[0], p[1] * s[1], p[2] * s[2])).collect())
}

proptest! {
    /// Every point is below every face, up to rounding, and the surface is closed.
    #[test]
    fn every_point_is_inside(points in prop::collection::vec(prop::array::uniform3(-1.0..1.0f64), 4..120)) {
        let points: Vec<Vec3> = points.into_iter().map(Vec3::from).collect();
        let hull = convex_hull(&points, None).unwrap();
        prop_assert!(excess(&points, &hull) < 1e-12);
        prop_assert_eq!(hull.faces.len(), 2 * hull.vertices.len() - 4);
        for (i, edges) in hull.edges.iter().enumerate() {
            prop_assert!(edges.iter().all(|&j| hull.edges[j as usize].contains(&(i as u32))));
        }
    }

    /// The volume does not depend on the order of the points.
    #[test]
    fn order_does_not_matter_for_the_volume(points in prop::collection::vec(prop::array::uniform3(-3i32..4), 4..60)) {
        let mut points: Vec<Vec3> = points.into_iter().map(|p| Vec3::from(p.map(f64::from))).collect();
        let forward = convex_hull(&points, None).map(|hull| volume(&points, &hull));
        points.reverse();
        let backward = convex_hull(&points, None).map(|hull| volume(&points, &hull));
        match (forward, backward) {
            (Ok(a), Ok(b)) => prop_assert!((a - b).abs() < 1e-9, "{} {}", a, b),
            (a, b) => prop_assert_eq!(a.is_err(), b.is_err()),
        }
    }

    /// Degenerate clouds give a closed hull or an error.
    #[test]
    fn degenerate_clouds_give_a_hull_or_an_error(points in cloud(), max in 4usize..20) {
        for limit in [None, Some(max)] {
            if let Ok(hull) = convex_hull(&points, limit) {
                prop_assert_eq!(hull.faces.len(), 2 * hull.vertices.len() - 4);
                let graph = hull.graph();
                prop_assert_eq!(graph.len(), 2 + 3 * hull.vertices.len() + 6 * hull.faces.len());
            }
        }
    }
}

#[test]
fn too_many_points_in_one_plane_are_an_error_not_a_hang() {
    let ring = |n: u32, z: f64| {
        (0..n).map(move |i| {
            let angle = f64::from(i) * std::f64::consts::TAU / f64::from(n);
            Vec3::new(angle.cos(), angle.sin(), z)
        })
    };
    let cone: Vec<Vec3> = ring(65_536, -1.0).chain(ring(65_536, 1.0)).collect();
    assert_eq!(convex_hull(&cone, None), Err(HullError::Work));
}

/// Two rings, one of them far too small to tell its points apart: 65,000 points in one place, and as many in one plane.
#[test]
fn points_in_one_place_end_in_time() {
    let ring = |n: usize, radius: f64, z: f64| {
        (0..n).map(move |i| {
            let (sin, cos) = (std::f64::consts::TAU * i as f64 / n as f64).sin_cos();
            Vec3::new(radius * cos, radius * sin, z)
        })
    };
    let points: Vec<Vec3> = ring(65_535, 1.0, -1.0).chain(ring(65_535, 1e-300, 1.0)).collect();
    assert_eq!(convex_hull(&points, None).err(), Some(HullError::Work));
}
