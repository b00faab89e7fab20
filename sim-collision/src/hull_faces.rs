//! The point of a hull nearest to a point outside, by the planes of its faces.
//!
//! No face's plane is farther from a point than the hull itself is, and the plane of the face that has the nearest point
//! inside is exactly as far. So the face whose plane is farthest is the one to look at: the nearest point is on it, or on
//! the side of it that the point is beyond. What is found on a side is proved by the plane across it, which must have no
//! vertex in front.
//!
//! A search (GJK) finds the same point in several steps, each of which waits for the one before; this takes one look at
//! all faces, four at a time.

use sim_types::Vec3;

use crate::convex::{cross, dot};
use crate::hull_graph::{HullGraph, point};
use crate::wide;

/// Hulls with more vertices are left to the search.
const MOST_VERTICES: usize = 128;
/// Share of a hull's size by which a vertex may be off the plane of its face.
const FLAT: f64 = 1e-12;
/// Planes looked at together.
const LANES: usize = 4;

/// Four planes: outward normals and their distances from the origin.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Planes {
    pub(crate) x: [f64; LANES],
    pub(crate) y: [f64; LANES],
    pub(crate) z: [f64; LANES],
    pub(crate) offset: [f64; LANES],
}

/// The faces of a hull, laid out to find the nearest point.
#[derive(Clone, Debug, Default)]
pub(crate) struct HullFaces {
    faces: Vec<Planes>,
    /// First block of sides per face, and the end.
    first: Vec<u32>,
    /// Planes through the sides of faces, upright on the face.
    sides: Vec<Planes>,
    /// Begin and vector of each side, [`LANES`] per block.
    ends: Vec<[Vec3; 2]>,
    /// Vertices, as normals of planes through the origin.
    vertices: Vec<Planes>,
}

/// Where the hull is, seen from a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Nearest {
    /// The nearest point, and how far it is.
    At(Vec3, f64),
    /// At least as far as asked for.
    Far,
    /// Inside or on the hull, or too near a corner to tell.
    Unknown,
}

/// A triangle of a hull as ids of vertices, with its outward unit normal.
struct Triangle {
    corners: [usize; 3],
    normal: Vec3,
    area: f64,
}

impl HullFaces {
    /// The faces of a small hull; `None` for a large one, and for triangles that do not close to a convex surface.
    pub(crate) fn new(vert: &[[f32; 3]], graph: &HullGraph<'_>) -> Option<Self> {
        if graph.len() > MOST_VERTICES {
            return None;
        }
        let at = |id: usize| vert.get(id).map(point);
        let hull: Vec<Vec3> = (0..graph.len()).map(|i| graph.vertex(i).and_then(at)).collect::<Option<_>>()?;
        let centre = hull.iter().sum::<Vec3>() / hull.len() as f64;
        let flat = FLAT * hull.iter().fold(0.0, |most: f64, v| most.max(v.norm()));

        let mut triangles = Vec::new();
        for corners in graph.triangles() {
            triangles.push(Triangle::new(corners?, at, &centre)?);
        }
        let neighbours = neighbours(&triangles)?;
        if triangles.is_empty() {
            return None;
        }

        // faces grow from the largest triangle on, whose plane is the most exact
        let mut order: Vec<usize> = (0..triangles.len()).collect();
        order.sort_by(|i, j| triangles[*j].area.total_cmp(&triangles[*i].area));
        let mut face_of = vec![usize::MAX; triangles.len()];
        let mut planes = Vec::new();
        for seed in order {
            if face_of[seed] != usize::MAX {
                continue;
            }
            let Triangle { corners, normal, area } = &triangles[seed];
            let offset = dot(normal, &at(corners[0])?);
            let convex = hull.iter().all(|v| dot(normal, v) - offset <= flat);
            if !(*area > 0.0 && convex) {
                return None;
            }
            let mut open = vec![seed];
            while let Some(i) = open.pop() {
                let on_plane = |id: &usize| at(*id).is_some_and(|v| (dot(normal, &v) - offset).abs() <= flat);
                if face_of[i] == usize::MAX && triangles[i].corners.iter().all(on_plane) {
                    face_of[i] = planes.len();
                    open.extend(neighbours[i]);
                }
            }
            planes.push((*normal, offset));
        }

        let mut all = Self { faces: blocks(&planes), first: vec![0], ..Self::default() };
        for (face, (normal, _)) in planes.iter().enumerate() {
            let mut sides = Vec::new();
            for (i, triangle) in triangles.iter().enumerate().filter(|(i, _)| face_of[*i] == face) {
                for k in (0..3).filter(|k| face_of[neighbours[i][*k]] != face) {
                    let (begin, end) = (at(triangle.corners[k])?, at(triangle.corners[(k + 1) % 3])?);
                    let out = cross(&(end - begin), normal);
                    let out = out / out.norm();
                    sides.push(((out, dot(&out, &begin)), [begin, end - begin]));
                }
            }
            let (planes, mut ends): (Vec<_>, Vec<_>) = sides.into_iter().unzip();
            ends.resize(planes.len().next_multiple_of(LANES), *ends.last()?);
            all.sides.extend(blocks(&planes));
            all.ends.extend(ends);
            all.first.push(u32::try_from(all.sides.len()).ok()?);
        }
        all.vertices = blocks(&hull.into_iter().map(|v| (v, 0.0)).collect::<Vec<_>>());
        Some(all)
    }

    /// The point nearest to `p`, which is more than `least` away from the hull and less than `most`. A point on a side is
    /// taken when no vertex is in front of its plane by more than `gap`, a square of a length.
    #[inline]
    pub(crate) fn nearest(&self, p: &Vec3, (least, most): (f64, f64), gap: f64) -> Nearest {
        let (face, height) = wide::highest(&self.faces, p);
        if height >= most {
            return Nearest::Far;
        }
        let sides = match (self.first.get(face), self.first.get(face + 1)) {
            (Some(begin), Some(end)) if height > least => *begin as usize..*end as usize,
            _ => return Nearest::Unknown,
        };
        let (side, beyond) = wide::highest(&self.sides[sides.clone()], p);
        if beyond <= 0.0 {
            return Nearest::At(p - self.faces[face / LANES].normal(face % LANES) * height, height);
        }

        let [begin, along] = self.ends[LANES * sides.start + side];
        let share = dot(&(p - begin), &along) / dot(&along, &along);
        let foot = begin + along * share.clamp(0.0, 1.0);
        let x = p - foot;
        let (_, reach) = wide::highest(&self.vertices, &x);
        if reach - dot(&x, &foot) < gap { Nearest::At(foot, dot(&x, &x).sqrt()) } else { Nearest::Unknown }
    }
}

impl Planes {
    #[inline]
    fn normal(&self, lane: usize) -> Vec3 {
        Vec3::new(self.x[lane], self.y[lane], self.z[lane])
    }
}

impl Triangle {
    /// Turned so that `centre` is behind it.
    fn new(corners: [usize; 3], at: impl Fn(usize) -> Option<Vec3>, centre: &Vec3) -> Option<Self> {
        let [p, q, r] = [at(corners[0])?, at(corners[1])?, at(corners[2])?];
        let normal = cross(&(q - p), &(r - p));
        let area = normal.norm();
        let normal = normal / area;
        if dot(&normal, &(centre - p)) > 0.0 {
            let [i, j, k] = corners;
            return Some(Self { corners: [i, k, j], normal: -normal, area });
        }
        Some(Self { corners, normal, area })
    }
}

/// The triangle across each side of each; `None` when a side has none, or more than one.
fn neighbours(triangles: &[Triangle]) -> Option<Vec<[usize; 3]>> {
    let side = |triangle: &Triangle, k: usize| (triangle.corners[k], triangle.corners[(k + 1) % 3]);
    let mut owner = std::collections::HashMap::new();
    for (i, triangle) in triangles.iter().enumerate() {
        for k in 0..3 {
            if owner.insert(side(triangle, k), i).is_some() {
                return None;
            }
        }
    }
    let across = |triangle, k| {
        let (from, to) = side(triangle, k);
        owner.get(&(to, from)).copied()
    };
    triangles.iter().map(|t| Some([across(t, 0)?, across(t, 1)?, across(t, 2)?])).collect()
}

/// Planes in blocks; the last one is repeated to fill its block.
fn blocks(planes: &[(Vec3, f64)]) -> Vec<Planes> {
    let block = |four: &[(Vec3, f64)]| {
        let mut block = Planes::default();
        for lane in 0..LANES {
            let (normal, offset) = four[lane.min(four.len() - 1)];
            (block.x[lane], block.y[lane], block.z[lane]) = (normal.x, normal.y, normal.z);
            block.offset[lane] = offset;
        }
        block
    };
    planes.chunks(LANES).map(block).collect()
}

/// The plane that `p` is farthest in front of, and how far; the first lane, then the first block, on ties.
pub(crate) fn highest(planes: &[Planes], p: &Vec3) -> (usize, f64) {
    let mut best = [(0, f64::NEG_INFINITY); LANES];
    for (at, block) in planes.iter().enumerate() {
        for lane in 0..LANES {
            let value = p.x * block.x[lane] + p.y * block.y[lane] + p.z * block.z[lane] - block.offset[lane];
            if value > best[lane].1 {
                best[lane] = (at, value);
            }
        }
    }
    first_lane(best)
}

/// The highest of one plane per lane, the first on ties; planes are given by their block.
#[inline(always)]
fn first_lane(best: [(usize, f64); LANES]) -> (usize, f64) {
    let number = |lane: usize| (LANES * best[lane].0 + lane, best[lane].1);
    let higher = |p: (usize, f64), q: (usize, f64)| if q.1 > p.1 { q } else { p };
    higher(higher(number(0), number(1)), higher(number(2), number(3)))
}

/// [`highest`] for CPUs with AVX: the same values, four at a time.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx")]
pub(crate) fn highest_avx(planes: &[Planes], p: &Vec3) -> (usize, f64) {
    use std::arch::x86_64::{
        __m256d, _CMP_EQ_OQ, _CMP_GT_OQ, _mm256_add_pd, _mm256_and_pd, _mm256_blendv_pd, _mm256_cmp_pd, _mm256_max_pd,
        _mm256_mul_pd, _mm256_or_pd, _mm256_set1_pd, _mm256_setr_pd, _mm256_setzero_pd, _mm256_sub_pd,
    };
    let (px, py, pz) = (_mm256_set1_pd(p.x), _mm256_set1_pd(p.y), _mm256_set1_pd(p.z));
    let look = |Planes { x, y, z, offset }: &Planes, at: __m256d, [max, place]: [__m256d; 2]| {
        let x = _mm256_mul_pd(px, _mm256_setr_pd(x[0], x[1], x[2], x[3]));
        let y = _mm256_mul_pd(py, _mm256_setr_pd(y[0], y[1], y[2], y[3]));
        let z = _mm256_mul_pd(pz, _mm256_setr_pd(z[0], z[1], z[2], z[3]));
        let offset = _mm256_setr_pd(offset[0], offset[1], offset[2], offset[3]);
        let value = _mm256_sub_pd(_mm256_add_pd(_mm256_add_pd(x, y), z), offset);
        // of two numbers, one of which is none, the second one is taken
        [_mm256_max_pd(value, max), _mm256_blendv_pd(place, at, _mm256_cmp_pd::<_CMP_GT_OQ>(value, max))]
    };
    // even and odd blocks apart: neither waits for the other
    let (one, mut at) = (_mm256_set1_pd(1.0), _mm256_setzero_pd());
    let none = [_mm256_set1_pd(f64::NEG_INFINITY), at];
    let (mut even, mut odd) = (none, none);
    let mut pairs = planes.chunks_exact(2);
    for two in &mut pairs {
        let next = _mm256_add_pd(at, one);
        even = look(&two[0], at, even);
        odd = look(&two[1], next, odd);
        at = _mm256_add_pd(next, one);
    }
    for block in pairs.remainder() {
        even = look(block, at, even);
    }
    let ([max0, place0], [max1, place1]) = (even, odd);
    // of two equal ones the first block
    let before = _mm256_cmp_pd::<_CMP_GT_OQ>(place0, place1);
    let equal = _mm256_and_pd(_mm256_cmp_pd::<_CMP_EQ_OQ>(max1, max0), before);
    let second = _mm256_or_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(max1, max0), equal);
    let place = crate::four::numbers(_mm256_blendv_pd(place0, place1, second));
    let max = crate::four::numbers(_mm256_blendv_pd(max0, max1, second));
    first_lane([0, 1, 2, 3].map(|lane| (place[lane] as usize, max[lane])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hull::convex_hull;
    use proptest::prelude::*;

    /// A hull as the mesh compiler makes it.
    fn hull(vert: &[[f32; 3]]) -> Vec<i32> {
        let points: Vec<Vec3> = vert.iter().map(point).collect();
        convex_hull(&points, None).unwrap().graph()
    }

    fn faces(vert: &[[f32; 3]]) -> HullFaces {
        HullFaces::new(vert, &HullGraph::new(&hull(vert)).unwrap()).unwrap()
    }

    /// A drum: two flat faces of `count` corners, whose triangles are merged, and a rectangle per side.
    fn drum(count: usize) -> Vec<[f32; 3]> {
        let corner = |i: usize, z: f32| {
            let (sin, cos) = (std::f64::consts::TAU * i as f64 / count as f64).sin_cos();
            [cos as f32, sin as f32, z]
        };
        (0..count).flat_map(|i| [corner(i, -0.5), corner(i, 0.5)]).collect()
    }

    /// By how much a point of the hull fails to be the nearest to `p`, and how far it is outside.
    fn error(vert: &[[f32; 3]], all: &HullFaces, p: &Vec3, foot: &Vec3) -> (f64, f64) {
        let x = (p - foot).normalize();
        let ahead = vert.iter().map(|v| dot(&x, &(point(v) - foot))).fold(f64::NEG_INFINITY, f64::max);
        (ahead, highest(&all.faces, foot).1)
    }

    proptest! {
        /// A point of a convex set is the nearest exactly when no vertex is in front of the plane across it.
        #[test]
        fn the_nearest_point_has_no_vertex_in_front(
            vert in prop::collection::vec(prop::array::uniform3(-1.0..1.0f32), 8..70),
            p in prop::array::uniform3(-3.0..3.0f64), most in 0.5..4.0f64,
        ) {
            let all = faces(&vert);
            let p = Vec3::from(p);
            let look = |most| all.nearest(&p, (1e-6, most), 5e-13);
            match look(f64::MAX) {
                Nearest::At(foot, dist) => {
                    let (ahead, outside) = error(&vert, &all, &p, &foot);
                    prop_assert!(ahead < 1e-11 && outside < 1e-11, "{ahead} {outside}");
                    prop_assert!((dist - (p - foot).norm()).abs() < 1e-14 * (1.0 + dist));
                    prop_assert!(look(most) == Nearest::At(foot, dist) || dist >= most && look(most) == Nearest::Far);
                }
                // only what is inside, or beyond a corner of several faces
                other => prop_assert_eq!(other, Nearest::Unknown),
            }
            prop_assert_eq!(wide::highest(&all.faces, &p), highest(&all.faces, &p));
            prop_assert_eq!(wide::highest(&all.vertices, &p), highest(&all.vertices, &p));
        }
    }

    #[test]
    fn coplanar_triangles_are_one_face() {
        let all = faces(&drum(12));
        assert_eq!(all.first.len(), 1 + 2 + 12);
        assert_eq!(all.faces.len(), 4);
        // any place above the top, and beyond its rim
        for (x, y) in [(0.0, 0.0), (0.7, 0.1), (-0.3, 0.6), (0.0, -0.9)] {
            let p = Vec3::new(x, y, 0.75);
            assert_eq!(all.nearest(&p, (1e-6, 1.0), 5e-13), Nearest::At(Vec3::new(x, y, 0.5), 0.25));
        }
        let Nearest::At(foot, dist) = all.nearest(&Vec3::new(1.3, 0.0, 0.9), (1e-6, 1.0), 5e-13) else { panic!() };
        assert!((foot - Vec3::new(1.0, 0.0, 0.5)).norm() < 1e-15 && (dist - 0.5).abs() < 1e-15);
        assert_eq!(all.nearest(&Vec3::new(0.1, 0.2, 0.3), (1e-6, 1.0), 5e-13), Nearest::Unknown);
        assert_eq!(all.nearest(&Vec3::new(0.1, 0.2, 2.3), (1e-6, 1.0), 5e-13), Nearest::Far);
    }

    #[test]
    fn most_points_outside_are_found() {
        let all = faces(&drum(7));
        let (mut found, mut outside) = (0, 0);
        for i in 0..1000 {
            let [x, y, z] = [i % 10, i / 10 % 10, i / 100].map(|k| 0.3 * f64::from(k) - 1.37);
            let p = Vec3::new(x, y, z);
            if highest(&all.faces, &p).1 > 1e-6 {
                outside += 1;
                found += u32::from(all.nearest(&p, (1e-6, 9.0), 5e-13) != Nearest::Unknown);
            }
        }
        assert!(outside > 800 && found > outside * 9 / 10, "{found} of {outside}");
    }

    #[test]
    fn what_does_not_close_has_no_faces() {
        let vert = drum(5);
        let graph = hull(&vert);
        let last = graph.len() - 1;
        // a triangle that is missing, turned to another vertex, or made of one
        let changes: [fn(&[i32], usize) -> i32; 3] = [|_, _| -1, |g, i| (g[i] + 1) % 10, |g, i| g[i - 1]];
        for change in changes {
            let mut graph = graph.clone();
            graph[last] = change(&graph, last);
            assert!(HullFaces::new(&vert, &HullGraph::new(&graph).unwrap()).is_none());
        }
        assert!(HullFaces::new(&vert, &HullGraph::new(&graph[..last]).unwrap()).is_none());
        let large = drum(65);
        assert!(HullFaces::new(&large, &HullGraph::new(&hull(&large)).unwrap()).is_none());
    }

    #[test]
    fn what_is_not_a_number_is_unknown() {
        let all = faces(&drum(6));
        for bad in [f64::NAN, f64::INFINITY, 1e300] {
            let p = Vec3::new(bad, 0.0, 0.3);
            assert_eq!(wide::highest(&all.faces, &p).0, highest(&all.faces, &p).0);
            assert!(!matches!(all.nearest(&p, (1e-6, f64::MAX), 5e-13), Nearest::At(foot, _) if !foot.x.is_finite()));
        }
    }
}
