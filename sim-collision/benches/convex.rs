//! Pairs by the convex search, a terrain and a distance field. `cargo bench -p sim-collision --bench convex`

#![expect(missing_docs, reason = "criterion's macro makes a public function")]

use criterion::{Criterion, criterion_group, criterion_main};
use sim_collision::convex::{ConvexOptions, ConvexScratch};
use sim_collision::pair::collide;
use sim_collision::sdf::{SdfGrid, SdfSource, SdfView};
use sim_collision::{ContactBuf, HfieldView, MeshView, Posed, Shape};
use sim_types::{Quat, Vec3};
use std::hint::black_box;
use std::time::Duration;

/// Poses per measurement: branches are taken as in a scene, not as in a loop over one pose.
const POSES: usize = 64;

fn convex(c: &mut Criterion) {
    let vert: Vec<[f32; 3]> = (0..8).map(|i| [0, 1, 2].map(|k| if i >> k & 1 == 1 { 0.1 } else { -0.1 })).collect();
    let mesh = MeshView { vert: &vert, rbound: 0.18, ..MeshView::default() };
    let heights: Vec<f32> = (0..400).map(|i| (i * 7 % 20) as f32 / 20.0).collect();
    let ground = HfieldView { size: [1.0, 1.0, 0.1, 0.1], nrow: 20, ncol: 20, data: &heights };
    let grid = SdfGrid::from_fn([16; 3], 0.02, Vec3::repeat(-0.15), |p| p.norm() - 0.1);
    let field = grid.as_ref().ok().map(|g| SdfView { source: SdfSource::Grid(g.view()), aabb: g.aabb(), mesh: None });
    let sphere = Shape::Sphere { radius: 0.1 };
    let capsule = Shape::Capsule { radius: 0.08, half: 0.15 };
    let ellipsoid = Shape::Ellipsoid { size: Vec3::new(0.1, 0.15, 0.12) };
    let cylinder = Shape::Cylinder { radius: 0.1, half: 0.15 };
    let cuboid = Shape::Box { size: Vec3::new(0.1, 0.12, 0.08) };
    let mut cases = vec![
        ("sphere_ellipsoid", sphere, ellipsoid),
        ("sphere_mesh", sphere, Shape::Mesh(&mesh)),
        ("capsule_cylinder", capsule, cylinder),
        ("ellipsoid_ellipsoid", ellipsoid, ellipsoid),
        ("cylinder_cylinder", cylinder, cylinder),
        ("cylinder_box", cylinder, cuboid),
        ("box_mesh", cuboid, Shape::Mesh(&mesh)),
        ("mesh_mesh", Shape::Mesh(&mesh), Shape::Mesh(&mesh)),
        ("hfield_sphere", Shape::Hfield(&ground), sphere),
        ("hfield_box", Shape::Hfield(&ground), cuboid),
    ];
    cases.extend(field.as_ref().map(|f| ("sphere_sdf", sphere, Shape::Sdf(f))));

    let mut group = c.benchmark_group("convex");
    group.sample_size(20).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(300));
    let options = ConvexOptions::default();
    let mut scratch = ConvexScratch::default();
    for (name, a, b) in cases {
        let poses: Vec<_> = (0..POSES).map(|i| (posed(a, 0.0, 0), posed(b, 0.17, i))).collect();
        let mut out = ContactBuf::new();
        let mut next = 0;
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                next = (next + 1) % POSES;
                let (a, b) = &poses[next];
                collide(black_box(a), black_box(b), 0.0, &options, &mut scratch, &mut out);
                out.len()
            });
        });
    }
    group.finish();
}

/// The shape at a distance, in a direction and a turn that depend on `i`; upright and at zero for `i` = 0.
fn posed(shape: Shape<'_>, distance: f64, i: usize) -> Posed<'_> {
    let angle = i as f64;
    let pos = Vec3::new(angle.cos() * 0.6, angle.sin() * 0.6, 0.8) * distance;
    let axis = Vec3::new((angle * 0.7).sin(), (angle * 1.3).cos(), 0.5).normalize();
    Posed { shape, pos, mat: Quat::from_axis_angle(&axis, angle * 0.37).to_mat() }
}

criterion_group!(benches, convex);
criterion_main!(benches);
