//! The point of a simplex nearest to the origin, as barycentric coordinates.
//!
//! Signed volumes: the coordinates of the origin's projection are ratios of determinants, and their signs tell which
//! face to look at when the projection lies outside. Montanari, Petrinic, Barbieri, *Improving the GJK algorithm for
//! faster and more reliable distance queries between convex objects* (ACM TOG 2017).

use sim_types::{MINVAL, Vec3};

use super::vec::{cross, det, dot};

/// Coordinates of the nearest point of the segment, triangle or tetrahedron; unused entries are zero.
pub(super) fn nearest(s: &[Vec3]) -> [f64; 4] {
    match s {
        [a, b] => {
            let [u, v] = segment(a, b);
            [u, v, 0.0, 0.0]
        }
        [a, b, c] => {
            let [u, v, w] = triangle(a, b, c);
            [u, v, w, 0.0]
        }
        [a, b, c, d] => tetrahedron([a, b, c, d]),
        _ => [1.0, 0.0, 0.0, 0.0],
    }
}

/// Nearest point of a tetrahedron.
fn tetrahedron(s: [&Vec3; 4]) -> [f64; 4] {
    let [a, b, c, d] = s;

    // volumes of the four tetrahedra in which the origin replaces one vertex
    let part = [-det(b, c, d), det(a, c, d), -det(a, b, d), det(a, b, c)];
    let whole = part[0] + part[1] + part[2] + part[3];
    let inside = part.map(|x| same_sign(whole, x));
    if inside == [true; 4] {
        return part.map(|x| x / whole);
    }

    // the nearest of the faces that the origin lies beyond; the last face leaves the weight of the last vertex as an
    // earlier face set it, so that weights may add up to more than one: MuJoCo's searches pass through such points
    let mut best = [0.0; 4];
    let mut least = f64::MAX;
    for (skip, _) in inside.iter().enumerate().filter(|(_, inside)| !**inside) {
        let [i, j, k] = FACES[skip];
        let [u, v, w] = triangle(s[i], s[j], s[k]);
        let x = s[i] * u + s[j] * v + s[k] * w;
        let d = dot(&x, &x);
        if d < least || skip == 0 {
            if skip < 3 {
                best[skip] = 0.0;
            }
            (best[i], best[j], best[k]) = (u, v, w);
            least = d;
        }
    }
    best
}

/// Vertices of the face opposite to each vertex of a tetrahedron.
const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]];

/// Nearest point of a triangle.
fn triangle(a: &Vec3, b: &Vec3, c: &Vec3) -> [f64; 3] {
    // a triangle without a plane: its first side
    let Some(foot) = project_on_plane(a, b, c) else {
        let [u, v] = segment(a, b);
        return [u, v, 0.0];
    };

    // areas of the three triangles in which the foot replaces one vertex
    let (part, whole) = areas(a, b, c, &foot);
    let inside = part.map(|x| same_sign(whole, x));
    if inside == [true; 3] {
        return part.map(|x| x / whole);
    }

    // the nearest of the sides that the foot lies beyond
    let s = [a, b, c];
    let mut best = [0.0; 3];
    let mut least = f64::MAX;
    for (skip, _) in inside.iter().enumerate().filter(|(_, inside)| !**inside) {
        let [i, j] = SIDES[skip];
        let [u, v] = segment(s[i], s[j]);
        let x = s[i] * u + s[j] * v;
        let d = dot(&x, &x);
        if d < least || skip == 0 {
            best[skip] = 0.0;
            (best[i], best[j]) = (u, v);
            least = d;
        }
    }
    best
}

/// Vertices of the side opposite to each vertex of a triangle.
const SIDES: [[usize; 2]; 3] = [[1, 2], [0, 2], [0, 1]];

/// Nearest point of a segment. When the projection falls outside it is the second end, whichever is nearer.
fn segment(a: &Vec3, b: &Vec3) -> [f64; 2] {
    let along = b - a;
    let foot = b + along * -(dot(b, &along) / dot(&along, &along));

    // measure on the axis with the longest shadow, the later one on ties
    let mut axis = 0;
    let mut shadow = a.x - b.x;
    for k in 1..3 {
        if (a[k] - b[k]).abs() >= shadow.abs() {
            (axis, shadow) = (k, a[k] - b[k]);
        }
    }
    let part = [foot[axis] - b[axis], a[axis] - foot[axis]];
    if same_sign(shadow, part[0]) && same_sign(shadow, part[1]) { part.map(|x| x / shadow) } else { [0.0, 1.0] }
}

/// Foot of the perpendicular from the origin to the plane through three points; `None` when they span no plane.
pub(super) fn project_on_plane(a: &Vec3, b: &Vec3, c: &Vec3) -> Option<Vec3> {
    let (ab, ac, bc) = (b - a, c - a, c - b);

    // the normal is taken at the first corner where it is long enough and not orthogonal to that corner
    for (n, corner) in [(cross(&bc, &ab), b), (cross(&ab, &ac), a)] {
        let (nv, nn) = (dot(&n, corner), dot(&n, &n));
        if nn == 0.0 {
            return None;
        }
        if nv != 0.0 && nn > MINVAL {
            return Some(n * (nv / nn));
        }
    }
    let n = cross(&ac, &bc);
    Some(n * (dot(&n, c) / dot(&n, &n)))
}

/// Barycentric coordinates of `p`, a point in the plane of the triangle; not limited to the inside.
pub(super) fn barycentric(a: &Vec3, b: &Vec3, c: &Vec3, p: &Vec3) -> [f64; 3] {
    let (part, whole) = areas(a, b, c, p);
    part.map(|x| x / whole)
}

/// Signed areas, on the coordinate plane where the triangle's shadow is largest: with `p` in the place of each vertex,
/// and of the whole.
fn areas(a: &Vec3, b: &Vec3, c: &Vec3, p: &Vec3) -> ([f64; 3], f64) {
    let shadow = |x: usize, y: usize| b[x] * c[y] - b[y] * c[x] - a[x] * c[y] + a[y] * c[x] + a[x] * b[y] - a[y] * b[x];
    let (yz, xz, xy) = (shadow(1, 2), shadow(0, 2), shadow(0, 1));
    let (whole, x, y) = if yz.abs() >= xz.abs() && yz.abs() >= xy.abs() {
        (yz, 1, 2)
    } else if xz.abs() >= xy.abs() {
        (xz, 0, 2)
    } else {
        (xy, 0, 1)
    };
    let part = |s: &Vec3, t: &Vec3| p[x] * s[y] + p[y] * t[x] + s[x] * t[y] - p[x] * t[y] - p[y] * s[x] - t[x] * s[y];
    ([part(b, c), part(c, a), part(a, b)], whole)
}

/// True when both are positive or both negative; zero matches nothing.
#[inline]
fn same_sign(a: f64, b: f64) -> bool {
    (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0)
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
        /// The coordinates are convex, and no vertex is nearer than allowed by the optimality condition x·(x − v) ≤ 0.
        #[test]
        fn tetrahedron_point_is_optimal(s in prop::array::uniform4(point())) {
            let lambda = nearest(&s);
            prop_assert!(lambda.iter().all(|l| *l >= 0.0));
            // where the volume is tiny, signs of determinants are noise
            prop_assume!((lambda.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            prop_assume!(det(&(s[1] - s[0]), &(s[2] - s[0]), &(s[3] - s[0])).abs() > 1e-3);
            let x = at(&s, &lambda);
            for v in &s {
                // a segment whose projection falls outside always gives its second end, so a vertex may be missed
                let single = lambda.iter().filter(|l| **l > 0.0).count() == 1;
                prop_assert!(single || dot(&x, &(x - v)) < 1e-9);
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
        assert!(at(&s, &nearest(&s)).norm() < 1e-15);
    }

    #[test]
    fn outside_a_segment_gives_its_second_end() {
        let (near, far) = (Vec3::new(1.0, 0.0, 0.0), Vec3::new(2.0, 0.0, 0.0));
        assert_eq!(nearest(&[near, far]), [0.0, 1.0, 0.0, 0.0]);
        assert_eq!(nearest(&[far, near]), [0.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn three_points_on_a_line_use_the_first_side() {
        let s = [Vec3::new(-1.0, 1.0, 0.0), Vec3::new(1.0, 1.0, 0.0), Vec3::new(2.0, 1.0, 0.0)];
        assert_eq!(nearest(&s), [0.5, 0.5, 0.0, 0.0]);
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
        assert_eq!(nearest(&s), want);
    }

    #[test]
    fn nan_gives_no_panic() {
        let bad = Vec3::repeat(f64::NAN);
        for n in 1..=4 {
            let _ = nearest(&[bad; 4][..n]);
        }
    }
}
