//! The point of a simplex nearest to the origin, as barycentric coordinates.
//!
//! Signed volumes: the coordinates of the origin's projection are ratios of determinants, and their signs tell which
//! face to look at when the projection lies outside. Montanari, Petrinic, Barbieri, *Improving the GJK algorithm for
//! faster and more reliable distance queries between convex objects* (ACM TOG 2017).

use sim_types::{MINVAL, Vec3};

use super::vec::{cross, det, dot};

/// Coordinates of the nearest point of the segment, triangle or tetrahedron of the first `count` points; unused entries are
/// zero.
#[inline]
pub(super) fn nearest([a, b, c, d]: &[Vec3; 4], count: usize) -> [f64; 4] {
    match count {
        2 => {
            let [u, v] = segment(a, b);
            [u, v, 0.0, 0.0]
        }
        3 => {
            let [u, v, w] = triangle(a, b, c);
            [u, v, w, 0.0]
        }
        4 => tetrahedron(a, b, c, d),
        _ => [1.0, 0.0, 0.0, 0.0],
    }
}

/// Nearest point of a tetrahedron.
fn tetrahedron(a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3) -> [f64; 4] {
    // volumes of the four tetrahedra in which the origin replaces one vertex
    let part = [-det(b, c, d), det(a, c, d), -det(a, b, d), det(a, b, c)];
    let whole = part[0] + part[1] + part[2] + part[3];
    let inside = same_signs(whole, part);
    if inside == [true; 4] {
        return [part[0] / whole, part[1] / whole, part[2] / whole, part[3] / whole];
    }

    // the nearest of the faces that the origin lies beyond
    let mut best = [0.0; 4];
    let mut least = f64::MAX;
    if !inside[0] {
        let [u, v, w] = triangle(b, c, d);
        best = [0.0, u, v, w];
        least = length2(&(b * u + c * v + d * w));
    }
    if !inside[1] {
        let [u, v, w] = triangle(a, c, d);
        let x = length2(&(a * u + c * v + d * w));
        if x < least {
            best = [u, 0.0, v, w];
            least = x;
        }
    }
    if !inside[2] {
        let [u, v, w] = triangle(a, b, d);
        let x = length2(&(a * u + b * v + d * w));
        if x < least {
            best = [u, v, 0.0, w];
            least = x;
        }
    }
    if !inside[3] {
        let [u, v, w] = triangle(a, b, c);
        if length2(&(a * u + b * v + c * w)) < least {
            // the weight of the last vertex stays as an earlier face set it, so that weights may add up to more than
            // one: MuJoCo's searches pass through such points
            best = [u, v, w, best[3]];
        }
    }
    best
}

/// Nearest point of a triangle.
fn triangle(a: &Vec3, b: &Vec3, c: &Vec3) -> [f64; 3] {
    // a triangle without a plane: its first side
    let Some(foot) = project_on_plane(a, b, c) else {
        let [u, v] = segment(a, b);
        return [u, v, 0.0];
    };

    // areas of the three triangles in which the foot replaces one vertex
    let (part, whole) = areas(a, b, c, &foot);
    let inside = same_signs(whole, part);
    if inside == [true; 3] {
        return [part[0] / whole, part[1] / whole, part[2] / whole];
    }

    // the nearest of the sides that the foot lies beyond
    let mut best = [0.0; 3];
    let mut least = f64::MAX;
    if !inside[0] {
        let [u, v] = segment(b, c);
        best = [0.0, u, v];
        least = length2(&(b * u + c * v));
    }
    if !inside[1] {
        let [u, v] = segment(a, c);
        let d = length2(&(a * u + c * v));
        if d < least {
            best = [u, 0.0, v];
            least = d;
        }
    }
    if !inside[2] {
        let [u, v] = segment(a, b);
        if length2(&(a * u + b * v)) < least {
            best = [u, v, 0.0];
        }
    }
    best
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
    let yz = b.y * c.z - b.z * c.y - a.y * c.z + a.z * c.y + a.y * b.z - a.z * b.y;
    let xz = b.x * c.z - b.z * c.x - a.x * c.z + a.z * c.x + a.x * b.z - a.z * b.x;
    let xy = b.x * c.y - b.y * c.x - a.x * c.y + a.y * c.x + a.x * b.y - a.y * b.x;
    if yz.abs() >= xz.abs() && yz.abs() >= xy.abs() {
        (areas_2d([a.y, a.z], [b.y, b.z], [c.y, c.z], [p.y, p.z]), yz)
    } else if xz.abs() >= xy.abs() {
        (areas_2d([a.x, a.z], [b.x, b.z], [c.x, c.z], [p.x, p.z]), xz)
    } else {
        (areas_2d([a.x, a.y], [b.x, b.y], [c.x, c.y], [p.x, p.y]), xy)
    }
}

/// Signed areas of a flat triangle with `p` in the place of each vertex.
#[inline(always)]
fn areas_2d(a: [f64; 2], b: [f64; 2], c: [f64; 2], p: [f64; 2]) -> [f64; 3] {
    let part =
        |s: [f64; 2], t: [f64; 2]| p[0] * s[1] + p[1] * t[0] + s[0] * t[1] - p[0] * t[1] - p[1] * s[0] - t[0] * s[1];
    [part(b, c), part(c, a), part(a, b)]
}

/// Square of the length.
#[inline]
fn length2(v: &Vec3) -> f64 {
    dot(v, v)
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
        /// Where the nearest point is inside or on a face, no vertex violates the optimality condition x·(x − v) ≤ 0.
        #[test]
        fn tetrahedron_point_is_optimal(s in prop::array::uniform4(point())) {
            let lambda = nearest(&s, 4);
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
        assert!(at(&s, &nearest(&s, 4)).norm() < 1e-15);
    }

    #[test]
    fn outside_a_segment_gives_its_second_end() {
        let (near, far) = (Vec3::new(1.0, 0.0, 0.0), Vec3::new(2.0, 0.0, 0.0));
        assert_eq!(nearest(&[near, far, far, far], 2), [0.0, 1.0, 0.0, 0.0]);
        assert_eq!(nearest(&[far, near, far, far], 2), [0.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn three_points_on_a_line_use_the_first_side() {
        let s = [-1.0, 1.0, 2.0, 0.0].map(|x| Vec3::new(x, 1.0, 0.0));
        assert_eq!(nearest(&s, 3), [0.5, 0.5, 0.0, 0.0]);
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
        assert_eq!(nearest(&s, 4), want);
    }

    #[test]
    fn nan_gives_no_panic() {
        let bad = Vec3::repeat(f64::NAN);
        for n in 1..=4 {
            let _ = nearest(&[bad; 4], n);
        }
    }
}
