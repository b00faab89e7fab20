//! The point of a simplex nearest to the origin, as barycentric coordinates.
//!
//! Signed volumes: the coordinates of the origin's projection are ratios of determinants, and their signs tell which
//! face to look at when the projection lies outside. Montanari, Petrinic, Barbieri, *Improving the GJK algorithm for
//! faster and more reliable distance queries between convex objects* (ACM TOG 2017).

use sim_types::{MINVAL, Vec3};

use super::vec::{cross, det, dot};

/// The point of a simplex nearest to the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Near {
    /// Coordinates of the point; zero for corners that do not carry it.
    pub(crate) lambda: [f64; 4],
    /// The point.
    pub(crate) point: Vec3,
    /// Square of its distance.
    pub(crate) dist2: f64,
}

impl Near {
    fn new(lambda: [f64; 4], point: Vec3) -> Self {
        Self { lambda, point, dist2: dot(&point, &point) }
    }
}

/// Nearest point of the segment, triangle or tetrahedron of the first `count` points.
#[inline(always)]
pub(super) fn nearest([a, b, c, d]: &[Vec3; 4], count: usize) -> Near {
    match count {
        2 => {
            let [u, v] = segment(a, b);
            Near::new([u, v, 0.0, 0.0], a * u + b * v)
        }
        3 => triangle(a, b, c),
        4 => tetrahedron(a, b, c, d),
        _ => Near::new([1.0, 0.0, 0.0, 0.0], *a),
    }
}

/// Nearest point of a tetrahedron.
fn tetrahedron(a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3) -> Near {
    // volumes of the four tetrahedra in which the origin replaces one vertex
    let part = [-det(b, c, d), det(a, c, d), -det(a, b, d), det(a, b, c)];
    let whole = part[0] + part[1] + part[2] + part[3];
    let inside = same_signs(whole, part);
    if inside == [true; 4] {
        let [s, t, u, v] = [part[0] / whole, part[1] / whole, part[2] / whole, part[3] / whole];
        return Near::new([s, t, u, v], a * s + b * t + c * u + d * v);
    }

    // the nearest of the faces that the origin lies beyond
    let mut best = Near { lambda: [0.0; 4], point: Vec3::zeros(), dist2: f64::MAX };
    if !inside[0] {
        let near = triangle(b, c, d);
        let [u, v, w, _] = near.lambda;
        best = Near { lambda: [0.0, u, v, w], ..near };
    }
    if !inside[1] {
        let near = triangle(a, c, d);
        if near.dist2 < best.dist2 {
            let [u, v, w, _] = near.lambda;
            best = Near { lambda: [u, 0.0, v, w], ..near };
        }
    }
    if !inside[2] {
        let near = triangle(a, b, d);
        if near.dist2 < best.dist2 {
            let [u, v, w, _] = near.lambda;
            best = Near { lambda: [u, v, 0.0, w], ..near };
        }
    }
    if !inside[3] {
        let near = triangle(a, b, c);
        if near.dist2 < best.dist2 {
            // the weight of the last vertex stays as an earlier face set it, so that weights may add up to more than
            // one: MuJoCo's searches pass through such points
            let ([u, v, w, _], x) = (near.lambda, best.lambda[3]);
            best = if x == 0.0 { near } else { Near::new([u, v, w, x], a * u + b * v + c * w + d * x) };
        }
    }
    best
}

/// Nearest point of a triangle.
#[inline(always)]
fn triangle(a: &Vec3, b: &Vec3, c: &Vec3) -> Near {
    // a triangle without a plane: its first side
    let Some(foot) = project_on_plane(a, b, c) else {
        let [u, v] = segment(a, b);
        return Near::new([u, v, 0.0, 0.0], a * u + b * v);
    };
    crate::wide::triangle([a, b, c], &foot)
}

/// Nearest point of a triangle; `foot` is that of its plane.
pub(crate) fn triangle_plain([a, b, c]: [&Vec3; 3], foot: &Vec3) -> Near {
    // areas of the three triangles in which the foot replaces one vertex
    let (part, whole) = areas(a, b, c, foot);
    let inside = same_signs(whole, part);
    if inside == [true; 3] {
        let [u, v, w] = [part[0] / whole, part[1] / whole, part[2] / whole];
        return Near::new([u, v, w, 0.0], a * u + b * v + c * w);
    }

    // the nearest of the sides that the foot lies beyond
    let mut best = Near { lambda: [0.0; 4], point: Vec3::zeros(), dist2: f64::MAX };
    if !inside[0] {
        let [u, v] = segment(b, c);
        best = Near::new([0.0, u, v, 0.0], b * u + c * v);
    }
    if !inside[1] {
        let [u, v] = segment(a, c);
        let near = Near::new([u, 0.0, v, 0.0], a * u + c * v);
        if near.dist2 < best.dist2 {
            best = near;
        }
    }
    if !inside[2] {
        let [u, v] = segment(a, b);
        let near = Near::new([u, v, 0.0, 0.0], a * u + b * v);
        if near.dist2 < best.dist2 {
            best = near;
        }
    }
    best
}

/// The same for CPUs with AVX: all sides at once and no branches, since which side is nearest cannot be foreseen.
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx {
    use std::arch::x86_64::{
        __m256d, _CMP_GE_OQ, _CMP_GT_OQ, _mm256_add_pd, _mm256_and_pd, _mm256_andnot_pd, _mm256_blend_pd,
        _mm256_blendv_pd, _mm256_cmp_pd, _mm256_div_pd, _mm256_movemask_pd, _mm256_mul_pd, _mm256_set1_pd,
        _mm256_setr_pd, _mm256_setzero_pd, _mm256_sub_pd, _mm256_xor_pd,
    };

    use sim_types::Vec3;

    use super::{Near, largest_shadow};
    use crate::four::{Vectors, dot, load, numbers, rows, scale, sub};

    /// Coordinates of the nearest points of four segments, as [`super::segment`] finds them.
    #[inline]
    #[target_feature(enable = "avx")]
    fn segments(p: Vectors, q: Vectors) -> [__m256d; 2] {
        let (zero, minus) = (_mm256_setzero_pd(), _mm256_set1_pd(-0.0));
        let along = sub(q, p);
        let scale = _mm256_xor_pd(minus, _mm256_div_pd(dot(q, along), dot(along, along)));
        let (mut from, mut to, mut step) = (p[0], q[0], along[0]);
        for k in 1..3 {
            let longer = _mm256_cmp_pd::<_CMP_GE_OQ>(_mm256_andnot_pd(minus, along[k]), _mm256_andnot_pd(minus, step));
            from = _mm256_blendv_pd(from, p[k], longer);
            to = _mm256_blendv_pd(to, q[k], longer);
            step = _mm256_blendv_pd(step, along[k], longer);
        }
        let foot = _mm256_add_pd(to, _mm256_mul_pd(step, scale));
        let shadow = _mm256_sub_pd(from, to);
        let (u, v) = (_mm256_sub_pd(foot, to), _mm256_sub_pd(from, foot));
        let sign = _mm256_and_pd(minus, shadow);
        let some = _mm256_cmp_pd::<_CMP_GT_OQ>(_mm256_andnot_pd(minus, shadow), zero);
        let both = _mm256_and_pd(
            _mm256_cmp_pd::<_CMP_GT_OQ>(_mm256_xor_pd(u, sign), zero),
            _mm256_cmp_pd::<_CMP_GT_OQ>(_mm256_xor_pd(v, sign), zero),
        );
        let same = _mm256_and_pd(some, both);
        [
            _mm256_and_pd(same, _mm256_div_pd(u, shadow)),
            _mm256_blendv_pd(_mm256_set1_pd(1.0), _mm256_div_pd(v, shadow), same),
        ]
    }

    #[inline]
    #[target_feature(enable = "avx")]
    #[expect(clippy::needless_bitwise_bool, reason = "a lazy operator is a branch, and this one cannot be foreseen")]
    pub(crate) fn triangle([a, b, c]: [&Vec3; 3], foot: &Vec3) -> Near {
        // the sides, each opposite to the corner of the same number
        let (p, q) = (load([b, a, a, a]), load([c, c, b, b]));
        let [u, v] = segments(p, q);
        let (x, y) = (scale(p, u), scale(q, v));
        let point = [_mm256_add_pd(x[0], y[0]), _mm256_add_pd(x[1], y[1]), _mm256_add_pd(x[2], y[2])];
        let dist2 = dot(point, point);
        let zero = _mm256_setzero_pd();
        let first = _mm256_blend_pd::<0b0001>(u, zero);
        let second = _mm256_blend_pd::<0b0100>(_mm256_blend_pd::<0b0010>(u, zero), v);
        let third = _mm256_blend_pd::<0b0100>(v, zero);
        let mut lambdas = rows([first, second, third], zero);
        let mut points = rows(point, dist2);

        // areas with the foot in the place of each corner
        let (i, j, whole) = largest_shadow(a, b, c);
        let (s0, s1) = (_mm256_setr_pd(b[i], c[i], a[i], 0.0), _mm256_setr_pd(b[j], c[j], a[j], 0.0));
        let (t0, t1) = (_mm256_setr_pd(c[i], a[i], b[i], 0.0), _mm256_setr_pd(c[j], a[j], b[j], 0.0));
        let (f0, f1) = (_mm256_set1_pd(foot[i]), _mm256_set1_pd(foot[j]));
        let sum = _mm256_add_pd(_mm256_mul_pd(f0, s1), _mm256_mul_pd(f1, t0));
        let sum = _mm256_add_pd(sum, _mm256_mul_pd(s0, t1));
        let sum = _mm256_sub_pd(sum, _mm256_mul_pd(f0, t1));
        let sum = _mm256_sub_pd(sum, _mm256_mul_pd(f1, s0));
        let part = _mm256_sub_pd(sum, _mm256_mul_pd(t0, s1));
        let sign = _mm256_set1_pd(1.0_f64.copysign(whole));
        let same = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(_mm256_mul_pd(part, sign), zero));
        let inside = if whole.abs() > 0.0 { same & 0b111 } else { 0 };

        // the point inside; no point when no side is nearer than another
        let weights = numbers(_mm256_div_pd(part, _mm256_set1_pd(whole)));
        let near = a * weights[0] + b * weights[1] + c * weights[2];
        lambdas[3] = if inside == 0b111 { [weights[0], weights[1], weights[2], 0.0] } else { [0.0; 4] };
        points[3] = [near.x, near.y, near.z, near.x * near.x + near.y * near.y + near.z * near.z];

        // the first side that the foot lies beyond, and every later one that is nearer
        let [d0, d1, d2] = [points[0][3], points[1][3], points[2][3]];
        let beyond = [inside & 1 == 0, inside & 2 == 0, inside & 4 == 0];
        let least = if beyond[0] { d0 } else { f64::MAX };
        let take1 = beyond[1] & (d1 < least);
        let least = if take1 { d1 } else { least };
        let take2 = beyond[2] & (d2 < least);
        let chosen = if beyond[0] { 0 } else { 3 };
        let chosen = if take1 { 1 } else { chosen };
        let chosen: usize = if take2 { 2 } else { chosen };
        let [x, y, z, dist2] = points[chosen & 3];
        Near { lambda: lambdas[chosen & 3], point: Vec3::new(x, y, z), dist2 }
    }
}

/// Nearest point of a segment. When the projection falls outside it is the second end, whichever is nearer.
#[inline]
fn segment(a: &Vec3, b: &Vec3) -> [f64; 2] {
    let along = b - a;
    let scale = -(dot(b, &along) / dot(&along, &along));

    // measure on the axis with the longest shadow, the later one on ties
    let (mut from, mut to, mut step) = (a.x, b.x, along.x);
    if along.y.abs() >= step.abs() {
        (from, to, step) = (a.y, b.y, along.y);
    }
    if along.z.abs() >= step.abs() {
        (from, to, step) = (a.z, b.z, along.z);
    }
    let foot = to + step * scale;
    let shadow = from - to;
    let part = [foot - to, from - foot];
    if same_signs(shadow, part) == [true; 2] { part.map(|x| x / shadow) } else { [0.0, 1.0] }
}

/// Foot of the perpendicular from the origin to the plane through three points; `None` when they span no plane.
#[inline(always)]
fn project_on_plane(a: &Vec3, b: &Vec3, c: &Vec3) -> Option<Vec3> {
    // the normal is taken at the first corner where it is long enough and not orthogonal to that corner
    let (ab, bc, n) = span(a, b, c);
    let (nv, nn) = (dot(&n, b), dot(&n, &n));
    if nn == 0.0 {
        return None;
    }
    if nv != 0.0 && nn > MINVAL {
        return Some(n * (nv / nn));
    }
    project_at_other_corners(a, c, &ab, &(c - a), &bc)
}

/// The sides from the first and from the second corner of a triangle, and a normal made of them.
#[inline(always)]
pub(super) fn span(a: &Vec3, b: &Vec3, c: &Vec3) -> (Vec3, Vec3, Vec3) {
    let (ab, bc) = (b - a, c - b);
    (ab, bc, cross(&bc, &ab))
}

/// The same with the normal at the first or third corner; rarely needed.
#[cold]
pub(super) fn project_at_other_corners(a: &Vec3, c: &Vec3, ab: &Vec3, ac: &Vec3, bc: &Vec3) -> Option<Vec3> {
    let n = cross(ab, ac);
    let (nv, nn) = (dot(&n, a), dot(&n, &n));
    if nn == 0.0 {
        return None;
    }
    if nv != 0.0 && nn > MINVAL {
        return Some(n * (nv / nn));
    }
    let n = cross(ac, bc);
    Some(n * (dot(&n, c) / dot(&n, &n)))
}

/// Barycentric coordinates of `p`, a point in the plane of the triangle; not limited to the inside.
pub(super) fn barycentric(a: &Vec3, b: &Vec3, c: &Vec3, p: &Vec3) -> [f64; 3] {
    let (part, whole) = areas(a, b, c, p);
    part.map(|x| x / whole)
}

/// Signed areas, on the coordinate plane where the triangle's shadow is largest: with `p` in the place of each vertex,
/// and of the whole.
#[inline(always)]
fn areas(a: &Vec3, b: &Vec3, c: &Vec3, p: &Vec3) -> ([f64; 3], f64) {
    let (i, j, whole) = largest_shadow(a, b, c);
    (areas_2d([a[i], a[j]], [b[i], b[j]], [c[i], c[j]], [p[i], p[j]]), whole)
}

/// The axes of the coordinate plane where the triangle's shadow is largest, and twice its signed area there.
#[inline(always)]
#[expect(clippy::needless_bitwise_bool, reason = "a lazy operator is a branch, and this one cannot be foreseen")]
fn largest_shadow(a: &Vec3, b: &Vec3, c: &Vec3) -> (usize, usize, f64) {
    let yz = b.y * c.z - b.z * c.y - a.y * c.z + a.z * c.y + a.y * b.z - a.z * b.y;
    let xz = b.x * c.z - b.z * c.x - a.x * c.z + a.z * c.x + a.x * b.z - a.z * b.x;
    let xy = b.x * c.y - b.y * c.x - a.x * c.y + a.y * c.x + a.x * b.y - a.y * b.x;
    let on_yz = (yz.abs() >= xz.abs()) & (yz.abs() >= xy.abs());
    let on_xz = !on_yz & (xz.abs() >= xy.abs());
    let (i, j) = (usize::from(on_yz), 2 - usize::from(!on_yz & !on_xz));
    (i, j, [xy, xz, yz, yz][i + j - 1])
}

/// Signed areas of a flat triangle with `p` in the place of each vertex.
#[inline(always)]
fn areas_2d(a: [f64; 2], b: [f64; 2], c: [f64; 2], p: [f64; 2]) -> [f64; 3] {
    let part =
        |s: [f64; 2], t: [f64; 2]| p[0] * s[1] + p[1] * t[0] + s[0] * t[1] - p[0] * t[1] - p[1] * s[0] - t[0] * s[1];
    [part(b, c), part(c, a), part(a, b)]
}

/// True for each part that is positive like the whole or negative like it; zero and NaN match nothing.
#[inline(always)]
fn same_signs<const N: usize>(whole: f64, part: [f64; N]) -> [bool; N] {
    let sign = 1.0_f64.copysign(whole);
    let some = whole.abs() > 0.0;
    part.map(|x| some && x * sign > 0.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn point() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-1.0..1.0f64).prop_map(Vec3::from)
    }

    fn at(s: &[Vec3], lambda: &[f64; 4]) -> Vec3 {
        s.iter().zip(lambda).fold(Vec3::zeros(), |x, (v, l)| x + v * *l)
    }

    proptest! {
        /// Both kinds of code give the same numbers; triangles of all sizes and with equal coordinates are among them.
        #[test]
        fn triangles_do_not_depend_on_the_cpu(
            s in prop::array::uniform3(point()), foot in point(), size in -6..1, flat in 0..5_usize, shift in point(),
        ) {
            let mut s = s.map(|v| v * 10.0_f64.powi(size) + shift);
            if flat < 3 {
                s[2][flat] = s[1][flat];
            }
            let [a, b, c] = &s;
            for foot in [foot, project_on_plane(a, b, c).unwrap_or(foot)] {
                prop_assert_eq!(crate::wide::triangle([a, b, c], &foot), triangle_plain([a, b, c], &foot));
            }
        }

        /// Where the nearest point is inside or on a face, no vertex violates the optimality condition x·(x − v) ≤ 0.
        #[test]
        fn tetrahedron_point_is_optimal(s in prop::array::uniform4(point())) {
            let lambda = nearest(&s, 4).lambda;
            prop_assert!(lambda.iter().all(|l| *l >= 0.0));
            // where the volume is tiny, signs of determinants are noise
            prop_assume!((lambda.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            prop_assume!(det(&(s[1] - s[0]), &(s[2] - s[0]), &(s[3] - s[0])).abs() > 1e-4);
            let x = at(&s, &lambda);
            // sides are compared by points that may be their second ends, so only faces and the inside are sure
            let sure = lambda.iter().filter(|l| **l > 0.0).count() >= 3;
            for v in &s {
                prop_assert!(!sure || dot(&x, &(x - v)) < 1e-9);
            }
        }
    }

    #[test]
    fn inside_gives_the_origin() {
        let s = [
            Vec3::new(1.0, 0.0, -0.5),
            Vec3::new(-1.0, 1.0, -0.5),
            Vec3::new(-1.0, -1.0, -0.5),
            Vec3::new(0.0, 0.0, 1.0),
        ];
        assert!(at(&s, &nearest(&s, 4).lambda).norm() < 1e-15);
    }

    #[test]
    fn outside_a_segment_gives_its_second_end() {
        let (near, far) = (Vec3::new(1.0, 0.0, 0.0), Vec3::new(2.0, 0.0, 0.0));
        assert_eq!(nearest(&[near, far, far, far], 2).lambda, [0.0, 1.0, 0.0, 0.0]);
        assert_eq!(nearest(&[far, near, far, far], 2).lambda, [0.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn three_points_on_a_line_use_the_first_side() {
        let s = [-1.0, 1.0, 2.0, 0.0].map(|x| Vec3::new(x, 1.0, 0.0));
        assert_eq!(nearest(&s, 3).lambda, [0.5, 0.5, 0.0, 0.0]);
    }

    /// The search would take another way without the weight that is left over here.
    #[test]
    fn the_last_face_keeps_the_weight_of_the_last_vertex() {
        let s = [
            Vec3::new(0.009721191862169493, 0.010642522734970584, -0.05683152989261067),
            Vec3::new(0.009723268646249082, 0.010644879952245655, -0.056830733156531615),
            Vec3::new(0.009720546568006735, 0.010644107294974938, -0.0568313434946601),
            Vec3::new(0.00972302077997158, 0.010643510737181467, -0.05683103198045272),
        ];
        let want = [0.0914210971341447, 0.2341940465094397, 0.6743848563564155, 0.6594088776054867];
        assert_eq!(nearest(&s, 4).lambda, want);
    }

    #[test]
    fn nan_gives_no_panic() {
        let bad = Vec3::repeat(f64::NAN);
        for n in 1..=4 {
            let _ = nearest(&[bad; 4], n);
        }
    }
}
