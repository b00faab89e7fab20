//! Every pair with a formula, overlapping a little. `cargo bench -p sim-collision --bench pairs`

#![expect(missing_docs, reason = "criterion's macro makes a public function")]

use criterion::{Criterion, criterion_group, criterion_main};
use sim_collision::pair::{Method, method};
use sim_collision::{ContactBuf, MeshView, Posed, Shape};
use sim_types::{Quat, Vec3};
use std::hint::black_box;
use std::time::Duration;

/// Poses per measurement: branches are taken as in a scene, not as in a loop over one pose.
const POSES: usize = 64;

fn pairs(c: &mut Criterion) {
    let vert: Vec<[f32; 3]> = (0..8).map(|i| [0, 1, 2].map(|k| if i >> k & 1 == 1 { 0.1 } else { -0.1 })).collect();
    let mesh = MeshView { vert: &vert, rbound: 0.18, ..MeshView::default() };
    let plane = Shape::Plane { half: [0.0; 2] };
    let sphere = Shape::Sphere { radius: 0.1 };
    let capsule = Shape::Capsule { radius: 0.08, half: 0.15 };
    let ellipsoid = Shape::Ellipsoid { size: Vec3::new(0.1, 0.15, 0.12) };
    let cylinder = Shape::Cylinder { radius: 0.1, half: 0.15 };
    let cuboid = Shape::Box { size: Vec3::new(0.1, 0.12, 0.08) };

    let mut group = c.benchmark_group("pairs");
    group.sample_size(20).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(300));
    for (name, a, b) in [
        ("plane_sphere", plane, sphere),
        ("plane_capsule", plane, capsule),
        ("plane_ellipsoid", plane, ellipsoid),
        ("plane_cylinder", plane, cylinder),
        ("plane_box", plane, cuboid),
        ("plane_mesh", plane, Shape::Mesh(&mesh)),
        ("sphere_sphere", sphere, sphere),
        ("sphere_capsule", sphere, capsule),
        ("sphere_cylinder", sphere, cylinder),
        ("sphere_box", sphere, cuboid),
        ("capsule_capsule", capsule, capsule),
        ("capsule_box", capsule, cuboid),
        ("box_box", cuboid, cuboid),
    ] {
        let Method::Formula(collide) = method(a.geom_type(), b.geom_type()) else { continue };
        let poses: Vec<_> = (0..POSES).map(|i| (posed(a, 0.0, 0), posed(b, 0.17, i))).collect();
        let mut out = ContactBuf::new();
        let mut next = 0;
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                next = (next + 1) % POSES;
                let (a, b) = &poses[next];
                out.clear();
                collide(black_box(a), black_box(b), 0.0, &mut out);
                out.len()
            });
        });
    }
    group.finish();
}

/// The shape at a distance, in a direction and a turn that depend on `i`; upright and at zero for `i` = 0.
fn posed(shape: Shape<'_>, distance: f64, i: usize) -> Posed<'_> {
    let turn = i as f64 * 0.7;
    let axis = Vec3::new(turn.sin(), turn.cos(), 0.5).normalize();
    let mat = Quat::from_axis_angle(&axis, turn).to_mat();
    let direction = Vec3::new((1.3 * turn).cos(), (1.7 * turn).sin(), 0.6).normalize();
    Posed { shape, pos: direction * distance, mat }
}

criterion_group!(benches, pairs);
criterion_main!(benches);
