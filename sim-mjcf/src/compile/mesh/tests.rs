//! Whole meshes: closed forms, rules, and whatever bytes a file may hold.

use super::MeshBuiltin;
use super::builtin::make;
use super::*;
use proptest::prelude::*;
use sim_types::{GeomType, OptId};

/// A box with corners at ± the half sizes, shifted; two triangles per side.
fn cuboid(half: [f32; 3], shift: [f32; 3]) -> MeshData {
    let corner = |i: usize| [0, 1, 2].map(|k| shift[k] + if i >> k & 1 == 0 { -half[k] } else { half[k] });
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    MeshData {
        vert: (0..8).flat_map(corner).collect(),
        face: sides.iter().flat_map(|&[a, b, c, d]| [a, b, c, a, c, d]).collect(),
        ..MeshData::default()
    }
}

fn with(inertia: MeshInertia) -> MeshOptions {
    MeshOptions { inertia, ..MeshOptions::default() }
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * b.abs().max(1e-3)
}

#[test]
fn a_box_has_the_volume_and_inertia_of_a_box() {
    for inertia in [MeshInertia::Convex, MeshInertia::Exact, MeshInertia::Legacy] {
        let mesh = process(&cuboid([1.0, 2.0, 3.0], [5.0, -4.0, 1.0]), &with(inertia)).unwrap();
        assert!(close(mesh.volume, 48.0, 1e-12), "{inertia:?}");
        assert!((mesh.pos - Vec3::new(5.0, -4.0, 1.0)).norm() < 1e-12);
        // moments fall, so half sizes rise, and z is the long axis
        assert!((mesh.inertia_box - Vec3::new(1.0, 2.0, 3.0)).norm() < 1e-12);
        assert!((mesh.size() - Vec3::new(1.0, 2.0, 3.0)).norm() < 1e-12);
        assert!((mesh.inertia(6.0) - Vec3::new(26.0, 20.0, 10.0)).norm() < 1e-10);
    }
}

#[test]
fn a_shell_has_its_mass_on_the_surface() {
    let mesh = process(&cuboid([1.0, 1.0, 1.0], [0.0; 3]), &with(MeshInertia::Shell)).unwrap();
    assert!(close(mesh.volume, 24.0, 1e-12));
    // a hollow cube of side 2 and mass m: I = 5/18·m·a² = 10/9·m
    assert!(close(mesh.inertia(9.0).x, 10.0, 1e-12));
}

#[test]
fn a_sphere_approaches_the_ball() {
    let ball = make(MeshBuiltin::Sphere, &[4.0]).unwrap();
    let mesh = process(&ball, &with(MeshInertia::Exact)).unwrap();
    assert!(close(mesh.volume, 4.0 / 3.0 * std::f64::consts::PI, 5e-3));
    assert!(close(mesh.inertia(1.0).y, 0.4, 5e-3));
}

#[test]
fn turning_and_shifting_is_undone() {
    let quat = Quat::from_axis_angle(&Vec3::new(0.6, 0.0, 0.8), 0.7);
    let options = MeshOptions { refpos: Vec3::new(1.0, 2.0, 3.0), refquat: quat, ..with(MeshInertia::Exact) };
    let mesh = process(&cuboid([1.0, 2.0, 3.0], [0.0; 3]), &options).unwrap();
    // what the mesh lost is in its pose: a corner comes back to where the reference frame puts it
    let back = mesh.pos + mesh.quat.rotate(&mesh.vert[7]);
    let want = quat.conj().rotate(&(Vec3::new(1.0, 2.0, 3.0) - options.refpos));
    assert!((back - want).norm() < 1e-12);
}

#[test]
fn a_mirrored_scale_turns_written_faces_inside_out() {
    let mut options = MeshOptions { scale: Vec3::new(-1.0, 1.0, 1.0), ..with(MeshInertia::Exact) };
    let data = cuboid([1.0, 2.0, 3.0], [0.0; 3]);
    assert!(options.is_mirrored());
    assert_eq!(process(&data, &options), Err(MeshError::InsideOut));
    options.inertia = MeshInertia::Convex;
    assert_eq!(process(&data, &options), Err(MeshError::InsideOut));
    options.inertia = MeshInertia::Legacy;
    assert!(process(&data, &options).is_ok());
}

#[test]
fn faces_and_normals_are_made_when_missing() {
    let mut data = cuboid([1.0, 1.0, 1.0], [0.0; 3]);
    data.face.clear();
    let mesh = process(&data, &MeshOptions { smoothnormal: true, ..MeshOptions::default() }).unwrap();
    assert_eq!((mesh.face.len(), mesh.polygons.len(), mesh.bvh.len()), (12, 6, 23));
    assert_eq!(mesh.graph[..2], [8, 12]);
    assert_eq!(mesh.graph.len(), 2 + 3 * 8 + 6 * 12);
    for (v, n) in mesh.vert.iter().zip(&mesh.normal) {
        let n = Vec3::from(n.map(f64::from));
        assert!(close(n.norm(), 1.0, 1e-6) && n.dot(v) > 0.0);
    }
}

#[test]
fn frames_at_vertices_are_kept() {
    let data = make(MeshBuiltin::Plate, &[3.0, 4.0]).unwrap();
    let mesh = process(&data, &with(MeshInertia::Shell)).unwrap();
    assert_eq!((mesh.vert.len(), mesh.normal.len()), (12, 36));
    assert_eq!(mesh.facenormal[0], mesh.face[0].map(|v| 3 * v as i32));
    let options = MeshOptions { needs_hull: true, ..with(MeshInertia::Shell) };
    assert!(matches!(process(&data, &options), Err(MeshError::Hull(_))));
}

#[test]
fn broken_meshes_are_refused() {
    let good = cuboid([1.0, 1.0, 1.0], [0.0; 3]);
    let check = |change: &dyn Fn(&mut MeshData), options: MeshOptions| {
        let mut data = good.clone();
        change(&mut data);
        process(&data, &options).unwrap_err()
    };
    let default = MeshOptions::default;
    assert!(matches!(check(&|m| m.vert.truncate(9), default()), MeshError::Length { what: "vertex", .. }));
    assert!(matches!(check(&|m| m.vert.truncate(23), default()), MeshError::Length { what: "vertex", .. }));
    assert!(matches!(check(&|m| m.face.truncate(4), default()), MeshError::Length { what: "face", .. }));
    assert!(matches!(check(&|m| m.normal = vec![0.0; 4], default()), MeshError::Length { what: "normal", .. }));
    assert!(matches!(check(&|m| m.texcoord = vec![0.0; 4], default()), MeshError::Length { what: "texcoord", .. }));
    assert_eq!(check(&|m| m.face[4] = 8, default()), MeshError::Index { face: 1, vertex: 8, count: 8 });
    assert_eq!(check(&|m| m.face[4] = -1, default()), MeshError::Index { face: 1, vertex: -1, count: 8 });
    assert_eq!(check(&|m| m.vert[7] = f32::NAN, default()), MeshError::NotFinite(2));
    assert_eq!(check(&|m| m.face = vec![0, 0, 0], default()), MeshError::Area);
    assert!(matches!(check(&|m| m.face.swap(1, 2), with(MeshInertia::Exact)), MeshError::Orientation(..)));
    assert_eq!(check(&|m| m.face = vec![0, 1, 2], with(MeshInertia::Exact)), MeshError::Volume);
    let scale = MeshOptions { scale: Vec3::repeat(1e300), ..MeshOptions::default() };
    assert!(process(&good, &scale).is_err());
    let nan = MeshOptions { scale: Vec3::new(1.0, f64::NAN, 1.0), ..MeshOptions::default() };
    assert_eq!(process(&good, &nan), Err(MeshError::Overflow));
}

#[test]
fn primitives_are_fitted_to_the_inertia_or_to_the_box() {
    let mesh = process(&cuboid([1.0, 2.0, 4.0], [0.0; 3]), &with(MeshInertia::Exact)).unwrap();
    let sizes = |shape, to_aabb| fit(&mesh, shape, [0.0; 3], to_aabb, 1.0).map(|fit| fit.size).unwrap();
    for (shape, inertia, aabb) in [
        (GeomType::Box, [1.0, 2.0, 4.0], [1.0, 2.0, 4.0]),
        (GeomType::Ellipsoid, [1.0, 2.0, 4.0], [1.0, 2.0, 4.0]),
        (GeomType::Sphere, [7.0 / 3.0, 0.0, 0.0], [4.0, 0.0, 0.0]),
        (GeomType::Capsule, [1.5, 3.25, 0.0], [2.0, 2.0, 0.0]),
        (GeomType::Cylinder, [1.5, 4.0, 0.0], [2.0, 4.0, 0.0]),
    ] {
        for (got, want) in [(sizes(shape, false), inertia), (sizes(shape, true), aabb)] {
            assert!(got.iter().zip(want).all(|(g, w)| (g - w).abs() < 1e-12), "{shape:?}: {got:?} {want:?}");
        }
    }
    assert_eq!(fit(&mesh, GeomType::Box, [0.0; 3], false, 2.0).unwrap().size[2].round(), 8.0);
    assert!(matches!(fit(&mesh, GeomType::Plane, [0.0; 3], false, 1.0), Err(MeshError::Fit(_))));
}

#[test]
fn meshes_are_stored_one_after_the_other() {
    let cube = process(&cuboid([1.0, 1.0, 1.0], [0.0; 3]), &with(MeshInertia::Convex)).unwrap();
    let ball = process(&make(MeshBuiltin::Sphere, &[0.0]).unwrap(), &MeshOptions::default()).unwrap();
    let mut assets = sim_core::Assets::default();
    store(&ball, Vec3::repeat(1.0), 0, &mut assets);
    store(&cube, Vec3::repeat(2.0), ball.bvh.len(), &mut assets);
    assert_eq!((assets.nmesh, assets.nmeshvert, assets.nmeshface), (2, 20, 32));
    assert_eq!((assets.mesh_graphadr[0], assets.mesh_graphadr[1]), (OptId::NONE, OptId::some(0)));
    assert_eq!(assets.mesh_polyadr[1], assets.mesh_polynum[0]);
    // the last polygon of the cube is found through the addresses, and names vertices of the cube
    let last = assets.nmeshpoly - 1;
    let start = assets.mesh_polyvertadr[last] as usize;
    let corners = &assets.mesh_polyvert[start..][..assets.mesh_polyvertnum[last] as usize];
    assert_eq!(corners, &cube.polygons[5]);
    // every array has the length its size says
    let model = sim_core::Model { assets: assets.into(), ..sim_core::Model::default() };
    for field in sim_core::Assets::fields() {
        let length = model.assets.column(field.name).map(sim_core::Column::len);
        assert_eq!(length, model.size(field.rows), "{}", field.name);
    }
}

/// Numbers that files go wrong with.
fn awkward() -> impl Strategy<Value = f32> {
    prop_oneof![
        5 => -2.0f32..2.0,
        1 => Just(0.0f32),
        1 => Just(f32::MIN_POSITIVE),
        1 => Just(1e30f32),
        1 => Just(f32::MAX),
        1 => Just(f32::NAN),
    ]
}

proptest! {
    /// Any vertices and faces are processed or refused; what is accepted has finite numbers.
    #[test]
    fn any_mesh_is_processed_or_refused(
        vert in prop::collection::vec(awkward(), 12..60),
        face in prop::collection::vec(-1i32..12, 0..40),
        inertia in 0usize..4,
        needs_hull: bool,
    ) {
        let inertia = [MeshInertia::Convex, MeshInertia::Exact, MeshInertia::Legacy, MeshInertia::Shell][inertia];
        let options = MeshOptions { inertia, needs_hull, ..MeshOptions::default() };
        if let Ok(mesh) = process(&MeshData { vert, face, ..MeshData::default() }, &options) {
            prop_assert!(mesh.volume > 0.0 && mesh.inertia_box.iter().all(|x| x.is_finite()));
            prop_assert!(mesh.vert.iter().all(|v| v.iter().all(|x| x.is_finite())));
        }
    }

    /// Random bytes are no mesh of any format, or a mesh; never a panic.
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400), mirrored: bool) {
        for format in [FileType::Obj, FileType::Stl, FileType::Msh] {
            if let Ok(data) = load(&bytes, format, MeshData::default(), mirrored) {
                let _ = process(&data, &MeshOptions::default());
            }
        }
    }

    /// A binary STL or MSH file with changed bytes is read or refused.
    #[test]
    fn changed_files_are_read_or_refused(changes in prop::collection::vec((0usize..700, any::<u8>()), 1..6)) {
        let cube = cuboid([1.0, 1.0, 1.0], [0.0; 3]);
        let mut stl = vec![0; 80];
        stl.extend(12i32.to_le_bytes());
        for f in cube.face.chunks_exact(3) {
            stl.extend([0; 12]);
            let corners = f.iter().flat_map(|&v| cube.vert[3 * v as usize..][..3].iter());
            stl.extend(corners.flat_map(|x| x.to_le_bytes()));
            stl.extend([0; 2]);
        }
        let mut msh: Vec<u8> = [8i32, 0, 0, 12].iter().flat_map(|n| n.to_le_bytes()).collect();
        msh.extend(cube.vert.iter().flat_map(|x| x.to_le_bytes()));
        msh.extend(cube.face.iter().flat_map(|x| x.to_le_bytes()));
        for (format, mut bytes) in [(FileType::Stl, stl), (FileType::Msh, msh)] {
            prop_assert!(load(&bytes, format, MeshData::default(), false).is_ok());
            for &(at, value) in &changes {
                let at = at % bytes.len();
                bytes[at] = value;
            }
            if let Ok(data) = load(&bytes, format, MeshData::default(), false) {
                let _ = process(&data, &MeshOptions { needs_hull: true, ..MeshOptions::default() });
            }
        }
    }

    /// Lines of the words that OBJ files are made of are read or refused.
    #[test]
    fn any_obj_is_read_or_refused(words in prop::collection::vec(
        prop::sample::select(vec!["v", "vn", "vt", "f", "o", "g", "l", "\n", "\nv", "\nf", " 1", " -1", "/", " 2//1", " 3/1/2", " 0.5", " 1e9", "\r"]), 0..80))
    {
        let text = words.concat();
        if let Ok(data) = load(text.as_bytes(), FileType::Obj, MeshData::default(), false) {
            let _ = process(&data, &MeshOptions::default());
        }
    }
}
