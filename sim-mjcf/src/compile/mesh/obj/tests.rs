//! OBJ files in all their variants.

use super::*;

fn faces(text: &str) -> Vec<i32> {
    load(text.as_bytes(), false).unwrap().face
}

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

#[test]
fn corners_may_count_back_and_name_normals_and_texture_coordinates() {
    let text = format!("{SQUARE}vt 0.25 0.25\nvn 0 0 1\nf -4/1/1 2//1 3/-1\r\n");
    let mesh = load(text.as_bytes(), false).unwrap();
    assert_eq!(mesh.face, [0, 1, 2]);
    assert_eq!(mesh.facenormal, [0, 0, -1]);
    assert_eq!(mesh.facetexcoord, [0, -1, 0]);
    assert_eq!(mesh.texcoord, [0.25, 0.75]);
}

#[test]
fn quads_and_polygons_become_fans() {
    assert_eq!(faces(&format!("{SQUARE}f 1 2 3 4")), [0, 1, 2, 0, 2, 3]);
    let pentagon = "v 0 0 0\nv 2 0 0\nv 3 1 0\nv 1 3 0\nv -1 1 0\nf 1 2 3 4 5";
    assert_eq!(faces(pentagon), [0, 1, 2, 0, 2, 3, 0, 3, 4]);
}

#[test]
fn a_reflex_corner_is_not_an_ear() {
    // an arrow head whose notch is at the third corner
    let arrow = "v 0 0 0\nv 4 0 0\nv 1 1 0\nv 0 4 0\nf 4 1 2 3\nf 2 3 4 1";
    assert_eq!(faces(arrow), [0, 1, 2, 3, 0, 2, 2, 3, 0, 1, 2, 0]);
}

#[test]
fn mirrored_faces_are_turned_over() {
    let mesh = load(format!("{SQUARE}f 1 2 3 4").as_bytes(), true).unwrap();
    assert_eq!(mesh.face, [0, 2, 1, 0, 3, 2]);
}

#[test]
fn only_the_first_shape_has_faces_but_all_vertices_stay() {
    let text = format!("o a\n{SQUARE}f 1 2 3\no b\nv 9 9 9\nf 1 2 4\n");
    let mesh = load(text.as_bytes(), false).unwrap();
    assert_eq!((mesh.vert.len(), mesh.face.as_slice()), (15, [0, 1, 2].as_slice()));
    // empty groups are no shapes; lines make one, but only where `o` ends it
    assert_eq!(faces(&format!("{SQUARE}o a\ng b\nf 1 2 4")), [0, 1, 3]);
    assert_eq!(faces(&format!("{SQUARE}l 1 2\ng b\nf 1 2 4")), [0, 1, 3]);
    assert_eq!(faces(&format!("{SQUARE}l 1 2\no b\nf 1 2 4")), []);
}

#[test]
fn what_is_not_understood_is_passed_over() {
    assert_eq!(faces(&format!("# f 0\nusemtl x\ns off\n\n  {SQUARE}f 1 2\nf 1 2 3\nfoo")), [0, 1, 2]);
    assert_eq!(faces(&format!("{SQUARE}f 1 2 3\0 4")), [0, 1, 2]);
    assert_eq!(load(b"v 1\rv 2 3\r\nv\n", false).unwrap().vert, [1.0, 0.0, 0.0, 2.0, 3.0, 0.0]);
}

#[test]
fn bad_indices_name_their_line() {
    for text in ["v 1 1 1\nf 1 0 1", "v 1 1 1\nf 1 1 1 # no", "\nl 0", "\np a"] {
        let error = load(text.as_bytes(), false).unwrap_err();
        assert!(matches!(error, MeshError::Text { line: 2, .. }), "{text}: {error}");
    }
    // an index too large is found later, when all vertices are known
    assert_eq!(faces("v 0 0 0\nf 1 5 -9"), [0, 4, -8]);
}

#[test]
fn a_polygon_with_very_many_corners_is_refused_soon() {
    let n = 20_000;
    let corner = |i: i32| {
        let (sine, cosine) = (std::f64::consts::TAU * f64::from(i) / f64::from(n)).sin_cos();
        format!("v {cosine} {sine} 0\n")
    };
    let mut lines: Vec<String> = (0..n).map(corner).collect();
    lines.push("f".to_owned());
    lines.extend((1..=n).map(|i| format!(" {i}")));
    let text = lines.concat();
    assert!(matches!(load(text.as_bytes(), false), Err(MeshError::Budget(_))));
}
