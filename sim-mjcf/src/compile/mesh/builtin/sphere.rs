//! The sphere, a subdivided icosahedron, and the hemisphere, a subdivided half octahedron.

use super::super::MeshData;
use std::collections::BTreeMap;

/// Corners of the faces of the icosahedron.
const FACES: [[i32; 3]; 20] = [
    [0, 11, 5],
    [0, 5, 1],
    [0, 1, 7],
    [0, 7, 10],
    [0, 10, 11],
    [1, 5, 9],
    [5, 11, 4],
    [11, 10, 2],
    [10, 7, 6],
    [7, 1, 8],
    [3, 9, 4],
    [3, 4, 2],
    [3, 2, 6],
    [3, 6, 8],
    [3, 8, 9],
    [4, 9, 5],
    [2, 4, 11],
    [6, 2, 10],
    [8, 6, 7],
    [9, 8, 1],
];

/// A unit icosahedron whose faces are cut into four, `subdivisions` times.
#[doc(alias = "mjCMesh::MakeSphere")]
pub(super) fn sphere(subdivisions: i64) -> MeshData {
    // the golden ratio in single precision, but the norm in double
    let phi = f64::midpoint(1.0, 5.0f64.sqrt()) as f32;
    let norm = (1.0 + f64::from(phi * phi)).sqrt();
    let corner = |p: [f32; 3]| p.map(|x| (f64::from(x) / norm) as f32);
    let mut vert: Vec<[f32; 3]> = Vec::new();
    for turn in 0..3 {
        for (one, long) in [(-1.0, phi), (1.0, phi), (-1.0, -phi), (1.0, -phi)] {
            let p = [one, long, 0.0];
            vert.push(corner([p[(3 - turn) % 3], p[(4 - turn) % 3], p[(5 - turn) % 3]]));
        }
    }
    let mut faces = FACES.to_vec();
    for _ in 0..subdivisions {
        let mut middles = BTreeMap::new();
        let mut finer = Vec::with_capacity(4 * faces.len());
        for [a, b, c] in faces {
            let mut middle = |a: i32, b: i32| {
                *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                    vert.push(between(vert[a as usize], vert[b as usize]));
                    vert.len() as i32 - 1
                })
            };
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            finer.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
        }
        faces = finer;
    }
    MeshData { vert: vert.concat(), face: faces.concat(), ..MeshData::default() }
}

/// The point on the unit sphere half way between two others.
fn between(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    let [x, y, z] = [0, 1, 2].map(|k| f32::midpoint(a[k], b[k]));
    let norm = (x * x + y * y + z * z).sqrt();
    [x / norm, y / norm, z / norm]
}

/// The upper half of a unit sphere in `n + 1` rows, closed by a flat bottom.
#[doc(alias = "mjCMesh::MakeHemisphere")]
pub(super) fn hemisphere(n: usize) -> MeshData {
    let mut mesh = MeshData { vert: vec![0.0, 0.0, 1.0], ..MeshData::default() };
    for row in 0..=n {
        let factor = (row + 1) as f64 / (n + 1) as f64;
        for side in 0..4 {
            let corner = |side: usize| {
                let equator = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]][side % 4];
                [factor * equator[0], factor * equator[1], 1.0 + factor * (0.0 - 1.0)]
            };
            let (start, end) = (corner(side), corner(side + 1));
            for i in 0..=row {
                let p = [0, 1, 2].map(|k| start[k] + i as f64 * ((end[k] - start[k]) / (row + 1) as f64));
                let norm = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
                mesh.vert.extend(p.map(|x| (x / norm) as f32));
            }
        }
    }
    mesh.vert.extend([0.0; 3]);
    hemisphere_faces(n, &mut mesh.face);
    mesh
}

fn hemisphere_faces(n: usize, face: &mut Vec<i32>) {
    // around the pole
    for i in 0..4 {
        face.extend([0, 1 + i, 1 + (i + 1) % 4]);
    }

    // between rows: rows have four points more each
    let (start, count) = (|row: usize| 2 * row * (row + 1) + 1, |row: usize| 4 * (row + 1));
    let at = |row: usize, k: usize| (start(row) + k % count(row)) as i32;
    for row in 0..n {
        for side in 0..4 {
            for i in 0..row + 2 {
                let (above, below) = (i + (row + 1) * side, i + (row + 2) * side);
                face.extend([at(row, above), at(row + 1, below), at(row + 1, below + 1)]);
                if i < row + 1 {
                    face.extend([at(row, above), at(row + 1, below + 1), at(row, above + 1)]);
                }
            }
        }
    }

    // the bottom, around a point at the centre
    let centre = (start(n) + count(n)) as i32;
    for i in 0..count(n) {
        face.extend([at(n, i), centre, at(n, i + 1)]);
    }
}
