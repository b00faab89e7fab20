//! Generated meshes are closed, have the right volume, and refuse bad parameters.

use super::*;

fn corners(mesh: &MeshData) -> Vec<[f64; 3]> {
    mesh.vert.chunks_exact(3).map(|v| [0, 1, 2].map(|k| f64::from(v[k]))).collect()
}

/// Volume inside the faces, positive when they are counter-clockwise from outside.
fn volume(mesh: &MeshData) -> f64 {
    let p = corners(mesh);
    let face = |f: &[i32]| {
        let [a, b, c] = [p[f[0] as usize], p[f[1] as usize], p[f[2] as usize]];
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
    };
    mesh.face.chunks_exact(3).map(face).sum::<f64>() / 6.0
}

/// Every directed edge has its opposite exactly once.
fn is_closed(mesh: &MeshData) -> bool {
    let edges: Vec<(i32, i32)> =
        mesh.face.chunks_exact(3).flat_map(|f| [(f[0], f[1]), (f[1], f[2]), (f[2], f[0])]).collect();
    let set: std::collections::BTreeSet<_> = edges.iter().copied().collect();
    set.len() == edges.len() && edges.iter().all(|&(a, b)| set.contains(&(b, a)))
}

#[test]
fn spheres_are_closed_and_approach_the_ball() {
    for (n, vertices) in [(0.0, 12), (1.0, 42), (2.0, 162), (4.0, 2562)] {
        let mesh = make(MeshBuiltin::Sphere, &[n]).unwrap();
        assert_eq!((mesh.vert.len() / 3, mesh.face.len() / 3), (vertices, 2 * vertices - 4));
        assert!(is_closed(&mesh));
        assert!(corners(&mesh).iter().all(|p| (p.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-6));
    }
    let ball = 4.0 / 3.0 * PI;
    assert!((volume(&make(MeshBuiltin::Sphere, &[4.0]).unwrap()) / ball - 1.0).abs() < 5e-3);
    assert!((volume(&make(MeshBuiltin::Hemisphere, &[10.0]).unwrap()) / ball - 0.5).abs() < 1e-2);
    assert!((volume(&make(MeshBuiltin::Supersphere, &[60.0, 1.0, 1.0]).unwrap()) / ball - 1.0).abs() < 5e-3);
}

#[test]
fn hemispheres_and_tori_are_closed() {
    for n in 0..=10 {
        let mesh = make(MeshBuiltin::Hemisphere, &[f64::from(n)]).unwrap();
        assert!(is_closed(&mesh) && volume(&mesh) > 0.0, "{n}");
    }
    let torus = make(MeshBuiltin::Supertorus, &[60.0, 0.25, 1.0, 1.0]).unwrap();
    assert!(is_closed(&torus));
    let exact = 2.0 * PI * PI * 0.0625;
    assert!((volume(&torus) / exact - 1.0).abs() < 1e-2);
    assert!(is_closed(&make(MeshBuiltin::Supersphere, &[3.0, 0.5, 2.0]).unwrap()));
}

#[test]
fn cones_end_in_a_point_or_a_ring() {
    assert_eq!(make(MeshBuiltin::Cone, &[5.0, 0.0]).unwrap().vert.len(), 3 * 6);
    assert_eq!(make(MeshBuiltin::Cone, &[5.0, 0.5]).unwrap().vert.len(), 3 * 10);
}

#[test]
fn grids_carry_frames() {
    let wedge = make(MeshBuiltin::Wedge, &[4.0, 3.0, 60.0, 45.0, 0.5]).unwrap();
    assert_eq!((wedge.vert.len(), wedge.normal.len()), (36, 108));
    for frame in wedge.normal.chunks_exact(9) {
        let dot = |a: usize, b: usize| (0..3).map(|k| frame[3 * a + k] * frame[3 * b + k]).sum::<f32>();
        assert!((dot(0, 0) - 1.0).abs() < 1e-6 && dot(0, 1).abs() < 1e-6 && dot(1, 2).abs() < 1e-6);
    }
    let plate = make(MeshBuiltin::Plate, &[3.0, 2.0]).unwrap();
    assert_eq!((plate.vert.len() / 3, plate.face.len() / 3), (6, 4));
}

#[test]
fn parameters_are_checked() {
    for (builtin, params) in [
        (MeshBuiltin::Sphere, [5.0].as_slice()),
        (MeshBuiltin::Sphere, &[-1.0]),
        (MeshBuiltin::Sphere, &[]),
        (MeshBuiltin::Hemisphere, &[11.0]),
        (MeshBuiltin::Supersphere, &[2.0, 1.0, 1.0]),
        (MeshBuiltin::Supersphere, &[5.0, -1.0, 1.0]),
        (MeshBuiltin::Supertorus, &[5.0, 0.0, 1.0, 1.0]),
        (MeshBuiltin::Supertorus, &[5.0, 0.5, 1.0, 0.0]),
        (MeshBuiltin::Wedge, &[2.0, 2.0, 181.0, 45.0, 0.0]),
        (MeshBuiltin::Wedge, &[2.0, 2.0, 90.0, 45.0, 1.5]),
        (MeshBuiltin::Wedge, &[0.0, 2.0, 90.0, 45.0, 0.5]),
        (MeshBuiltin::Plate, &[2.0, f64::NAN]),
        (MeshBuiltin::Cone, &[4.0]),
    ] {
        assert!(matches!(make(builtin, params), Err(MeshError::Builtin { .. })), "{builtin:?} {params:?}");
    }
    for (builtin, params) in [
        (MeshBuiltin::Cone, [1e18, 1.0].as_slice()),
        (MeshBuiltin::Plate, &[1e9, 1e9]),
        (MeshBuiltin::Supersphere, &[f64::INFINITY, 1.0, 1.0]),
    ] {
        assert!(matches!(make(builtin, params), Err(MeshError::Budget(_))), "{builtin:?} {params:?}");
    }
}
