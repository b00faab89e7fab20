//! Polygons of simple meshes.

use super::*;

/// A unit cube with two triangles per side, counter-clockwise from outside.
pub(crate) fn cube() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let corner = |i: u32| Vec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64);
    let vert = (0..8).map(corner).collect();
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let face = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    (vert, face)
}

#[test]
fn a_cube_has_six_sides_ordered_by_normal() {
    let (vert, face) = cube();
    let polygons = make(&vert, &face);
    assert!(polygons.iter().all(|p| p.len() == 4));
    let want = [Vec3::x(), Vec3::y(), Vec3::z(), -Vec3::z(), -Vec3::y(), -Vec3::x()];
    assert_eq!(normals(&vert, &polygons), want);
    let map = polygons.transposed(8);
    assert!(map.iter().all(|of| of.len() == 3));
}

#[test]
fn parallel_sides_fall_apart_by_connectivity() {
    // two squares in parallel planes, and a third joined to the first by its last face
    let square = |x: f64, z: f64| [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(u, v)| Vec3::new(x + u, v, z));
    let vert = [square(0.0, 0.0), square(5.0, 2.0)].concat();
    let polygons = make(&vert, &[[0, 1, 2], [4, 5, 6], [0, 2, 3], [4, 6, 7]]);
    assert_eq!(polygons.len(), 2);
    assert!(polygons.iter().all(|p| p.len() == 4));
    assert!(polygons[0].contains(&3) && polygons[1].contains(&7));
}

#[test]
fn a_bridge_joins_islands() {
    // a strip of three triangles, the middle one last
    let vert = [(0.0, 0.0), (1.0, 0.0), (0.5, 1.0), (1.5, 1.0), (2.0, 0.0)].map(|(x, y)| Vec3::new(x, y, 0.0));
    let polygons = make(&vert, &[[0, 1, 2], [1, 4, 3], [1, 3, 2]]);
    assert_eq!(polygons.len(), 1);
    assert_eq!(polygons[0].len(), 5);
}

#[test]
fn faces_without_area_do_no_harm() {
    let vert = vec![Vec3::zeros(); 3];
    assert_eq!(&make(&vert, &[[0, 1, 2]])[0], [0, 1, 2]);
    // the same face twice has a normal that is not a number, but a polygon all the same
    for polygon in make(&vert, &[[0, 1, 2], [0, 1, 2]]).iter() {
        assert!(polygon.len() >= 3);
    }
}
