//! Results do not depend on the CPU: whatever is computed for AVX has the bits of what every CPU computes.
//!
//! On a CPU without AVX both ways are the same one, and there is nothing to compare.

use crate::broadphase::{Ends, SweepScratch, sweep};
use crate::convex::tests::Mesh;
use crate::convex::{self, ConvexOptions, ConvexScratch};
use crate::hull::convex_hull;
use crate::testing::{capsule, cuboid, cylinder, ellipsoid, sphere};
use crate::{ContactBuf, HfieldView, HullSearch, MeshView, Posed, Shape, collide, geom_distance};
use sim_types::{Quat, Vec3};
use std::cell::Cell;

thread_local! {
    /// Whether this thread is to do without AVX.
    pub(super) static PLAIN: Cell<bool> = const { Cell::new(false) };
}

/// The result for AVX, and for every CPU.
fn both<R>(mut compute: impl FnMut() -> R) -> [R; 2] {
    [false, true].map(|plain| {
        PLAIN.set(plain);
        let result = compute();
        PLAIN.set(false);
        result
    })
}

/// Numbers between −1 and 1.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as f64 / f64::from(1u32 << 30) - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }

    /// A shape at most `reach` away along every axis; every third one is not turned, so that faces are parallel.
    fn pose<'a>(&mut self, shape: &Shape<'a>, reach: f64) -> Posed<'a> {
        let quat = Quat::new(self.next(), self.next(), self.next(), self.next()).normalized();
        let quat = if self.next() < -0.33 { Quat::new(1.0, 0.0, 0.0, 0.0) } else { quat };
        Posed { shape: *shape, pos: reach * self.vector(), mat: quat.to_mat() }
    }
}

/// Points in a box, and the graph of their hull.
fn cloud(count: usize, x: &mut Numbers) -> (Vec<[f32; 3]>, Vec<i32>) {
    let vert: Vec<[f32; 3]> = (0..count).map(|_| [0, 1, 2].map(|_| x.next() as f32)).collect();
    let points: Vec<Vec3> = vert.iter().map(|v| Vec3::from(v.map(f64::from))).collect();
    (vert, convex_hull(&points, None).unwrap().graph())
}

fn bits(v: &Vec3) -> [u64; 3] {
    [v.x.to_bits(), v.y.to_bits(), v.z.to_bits()]
}

/// Contacts and distance of a pair, in bits.
fn results(a: &Posed<'_>, b: &Posed<'_>, options: &ConvexOptions, scratch: &mut ConvexScratch) -> Vec<[u64; 10]> {
    let mut all = Vec::new();
    let mut contacts = ContactBuf::new();
    let mut note = |contacts: &ContactBuf| {
        for c in contacts.as_slice() {
            let ([p, q, r], [x, y, z], [u, v, w]) = (bits(&c.pos), bits(&c.normal), bits(&c.tangent));
            all.push([c.dist.to_bits(), p, q, r, x, y, z, u, v, w]);
        }
    };
    for margin in [0.0, 0.2] {
        collide(a, b, margin, options, scratch, &mut contacts);
        note(&contacts);
        // two shapes with a formula of their own can be searched too
        contacts.clear();
        convex::collide(a, b, margin, options, scratch, &mut contacts);
        note(&contacts);
    }
    for most in [0.3, 10.0] {
        let found = geom_distance(a, b, most, options, scratch, &mut contacts);
        let [from, to] = found.segment.map_or([[0; 3]; 2], |s| [bits(&s[0]), bits(&s[1])]);
        all.push([found.dist.to_bits(), from[0], from[1], from[2], to[0], to[1], to[2], 0, 0, 0]);
    }
    all
}

#[test]
fn the_switch_takes_avx_away() {
    let seen = both(|| {
        #[cfg(target_arch = "x86_64")]
        return super::avx();
        #[cfg(not(target_arch = "x86_64"))]
        return false;
    });
    #[cfg(target_arch = "x86_64")]
    assert_eq!(seen, [std::arch::is_x86_feature_detected!("avx"), false]);
    #[cfg(not(target_arch = "x86_64"))]
    assert_eq!(seen, [false; 2]);
}

/// Contacts and distances of all pairs of convex shapes, apart, touching and deep: GJK, EPA, faces, tilting, portals.
#[test]
fn pairs_have_the_same_bits() {
    let mut x = Numbers(3);
    let clouds: Vec<_> = [6, 19, 60, 200].map(|n| cloud(n, &mut x)).into();
    let searches: Vec<_> = clouds.iter().map(|(vert, graph)| HullSearch::new(vert, graph)).collect();
    let (cube, prism) = (Mesh::cube(0.6), Mesh::prism(6, 0.7, 0.4));
    let mut meshes = vec![cube.view(), prism.view()];
    for ((vert, graph), search) in clouds.iter().zip(&searches) {
        meshes.push(MeshView { vert, graph, search: Some(search), rbound: 1.8, ..MeshView::default() });
    }
    let mut shapes = vec![
        Shape::Plane { half: [0.0; 2] },
        sphere(0.7),
        capsule(0.4, 0.6),
        ellipsoid([0.5, 0.8, 0.3]),
        cylinder(0.5, 0.7),
        cuboid([0.6, 0.4, 0.8]),
    ];
    shapes.extend(meshes.iter().map(Shape::Mesh));

    let mut scratch = ConvexScratch::default();
    let mut seen = [0, 0];
    for (i, first) in shapes.iter().enumerate() {
        for second in &shapes[i..] {
            for k in 0..24 {
                let (multiccd, native) = (k % 2 == 1, k % 8 != 7);
                let options = ConvexOptions { multiccd, native, ..ConvexOptions::default() };
                let reach = [0.05, 0.5, 1.0, 1.8][k % 4];
                let (a, b) = (x.pose(first, reach), x.pose(second, reach));
                let [wide, plain] = both(|| results(&a, &b, &options, &mut scratch));
                assert_eq!(wide, plain, "{a:?} {b:?}");
                for found in wide {
                    seen[usize::from(f64::from_bits(found[0]) > 0.0)] += 1;
                }
            }
        }
    }
    assert!(seen.iter().all(|n| *n > 1000), "{seen:?}: both overlaps and distances are wanted");
}

/// Prisms of a terrain against convex shapes.
#[test]
fn terrains_have_the_same_bits() {
    let mut x = Numbers(4);
    let data: Vec<f32> = (0..7 * 9).map(|_| (0.5 + 0.5 * x.next()) as f32).collect();
    let field = HfieldView { size: [1.5, 1.2, 0.5, 0.1], nrow: 7, ncol: 9, data: &data };
    let terrain = Posed { shape: Shape::Hfield(&field), pos: Vec3::zeros(), mat: sim_types::Mat3::identity() };
    let (options, mut scratch, mut count) = (ConvexOptions::default(), ConvexScratch::default(), 0);
    for shape in [sphere(0.5), capsule(0.3, 0.4), ellipsoid([0.4, 0.3, 0.6]), cylinder(0.4, 0.3), cuboid([0.4; 3])] {
        for _ in 0..10 {
            let other = x.pose(&shape, 0.7);
            let [wide, plain] = both(|| results(&terrain, &other, &options, &mut scratch));
            count += wide.len();
            assert_eq!(wide, plain, "{other:?}");
        }
    }
    assert!(count > 500, "{count} contacts");
}

/// Sweeping over any number of intervals, touching ones and some that are not a number among them.
#[test]
fn sweeps_find_the_same_pairs_in_the_same_order() {
    let mut x = Numbers(5);
    for count in [0, 1, 2, 3, 4, 5, 7, 8, 9, 33, 130] {
        let mut ends: Vec<Ends> = Vec::new();
        for i in 0..count {
            let mut low = 2.0 * x.vector();
            if i % 5 == 4 {
                low = low.map(f64::round);
            }
            low[i % 3] = if i % 17 == 16 { f64::NAN } else { low[i % 3] };
            ends.push([low.x, low.y, low.z, low.x + 1.0, low.y + 1.0, low.z + 1.0]);
        }
        let [wide, plain] = both(|| {
            let mut pairs = Vec::new();
            assert!(sweep(&ends, &mut SweepScratch::default(), &mut pairs, |_, _| true));
            pairs
        });
        assert_eq!(wide, plain, "{count}");
        assert!(count < 9 || !wide.is_empty());
    }
}
