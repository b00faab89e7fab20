//! Distance between two convex objects by the Gilbert–Johnson–Keerthi algorithm.
//!
//! A simplex in the Minkowski difference of the objects moves towards the origin. When only contact matters, the search
//! ends as soon as a separating plane appears, and a tetrahedron is handed to a cheaper test ([`enclose`]).
//!
//! MuJoCo: `engine_collision_gjk.c`.

use sim_types::Vec3;

use super::feet::face_planes;
use super::object::Object;
use super::subdistance::{Near, nearest};
use super::vec::{MINVAL2, dot, same_point};
use crate::wide;

/// A vertex of the Minkowski difference and the points it comes from.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Vertex {
    /// `p1 − p2`.
    pub(super) v: Vec3,
    /// Point of the first object.
    pub(super) p1: Vec3,
    /// Point of the second object.
    pub(super) p2: Vec3,
    /// Corner of the first object, −1 when it has none.
    pub(super) i1: i32,
    /// Corner of the second object, −1 when it has none.
    pub(super) i2: i32,
}

/// How far to search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Accuracy.
    pub(super) tolerance: f64,
    /// Most iterations of each phase.
    pub(super) iterations: usize,
    /// Distances up to this are wanted; zero or less asks for contact only.
    pub(super) cutoff: f64,
}

/// State of a query: where the search stands and what it found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct State {
    /// Simplex, the first `n` vertices.
    pub(super) simplex: [Vertex; 4],
    /// Number of vertices.
    pub(super) n: usize,
    /// Distance; `f64::MAX` when farther than asked for.
    pub(super) dist: f64,
    /// Nearest point of the first object; before the search a point inside it.
    pub(super) x1: Vec3,
    /// Nearest point of the second object; before the search a point inside it.
    pub(super) x2: Vec3,
    /// Whether `x1` and `x2` are nearest points.
    pub(super) found: bool,
    /// The last direction, if it was not necessary to look there and the second object does not know of it.
    pub(super) skipped: Option<Vec3>,
}

impl State {
    /// A search that has yet to begin, between the centres.
    pub(super) fn new(a: &Object<'_>, b: &Object<'_>) -> Self {
        Self { x1: a.center(), x2: b.center(), ..Self::default() }
    }

    /// Puts the vertices of the simplex into the order of `slots`.
    #[inline(always)]
    fn sort(&mut self, slots: &mut [usize; 4]) {
        if *slots != [0, 1, 2, 3] {
            self.simplex = slots.map(|i| self.simplex[i & 3]);
            *slots = [0, 1, 2, 3];
        }
    }

    /// Ends the search at the nearest points, which the first `n` vertices carry with the weights `lambda`.
    #[inline(always)]
    fn finish(&mut self, n: usize, lambda: &[f64; 4], dist: f64) {
        if n > 0 {
            self.x1 = combine(lambda, n, &self.simplex, |s| &s.p1);
            self.x2 = combine(lambda, n, &self.simplex, |s| &s.p2);
        }
        (self.n, self.dist, self.found) = (n, dist, true);
    }

    /// Remembers a direction where it was not necessary to look.
    fn skip(&mut self, dir: Vec3) -> Option<Vertex> {
        self.skipped = Some(dir);
        None
    }

    /// Ends the search without nearest points.
    fn stop(&mut self, n: usize, dist: f64) {
        (self.n, self.dist, self.found) = (n, dist, false);
    }
}

/// A tetrahedron around the origin gives the origin as its nearest point, up to this share of the last distance, squared.
const FLAT: f64 = 1e-12;

/// Moves the simplex to the point of the difference nearest to the origin.
#[inline]
pub(super) fn gjk(state: &mut State, a: &mut Object<'_>, b: &mut Object<'_>, limits: &Limits) {
    wide::gjk(state, a, b, limits);
}

/// [`gjk`] for CPUs with AVX. The same code, so that its parts that are written for AVX become a part of it.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
pub(crate) fn gjk_avx(state: &mut State, a: &mut Object<'_>, b: &mut Object<'_>, limits: &Limits) {
    search(state, a, b, limits);
}

/// [`gjk`] for every CPU.
pub(crate) fn gjk_plain(state: &mut State, a: &mut Object<'_>, b: &mut Object<'_>, limits: &Limits) {
    search(state, a, b, limits);
}

#[inline(always)]
fn search(state: &mut State, a: &mut Object<'_>, b: &mut Object<'_>, limits: &Limits) {
    let want_distance = limits.cutoff > 0.0;
    let mut may_enclose = !want_distance;

    // bodies with corners only need no tolerance: the search is finite
    let discrete = a.is_discrete() && b.is_discrete();
    let epsilon = if discrete { 0.0 } else { 0.5 * limits.tolerance * limits.tolerance };

    let mut x = state.x1 - state.x2;
    let mut xx = dot(&x, &x);
    let mut x_norm = 0.0;
    let mut corners = [Vec3::zeros(); 4];
    let mut lambda = [1.0, 0.0, 0.0, 0.0];
    // where each vertex is in the simplex
    let mut slots = [0, 1, 2, 3];
    let mut n = 0;
    let mut k = 0;
    while k < limits.iterations {
        x_norm = xx;
        if xx < MINVAL2 {
            break;
        }
        x_norm = xx.sqrt();

        // farthest vertex against the present point
        let back = x * (1.0 / x_norm);
        let least = if k > 0 { epsilon } else { f64::NEG_INFINITY };
        let next = support_if_needed(a, b, &back, (&x, xx, x_norm), least);
        let Some(s) = next.or_else(|| state.skip(back)) else { break };
        state.simplex[slots[n & 3] & 3] = s;
        corners[n & 3] = s.v;

        // the duality gap bounds what can still be gained
        if dot(&x, &(x - s.v)) < epsilon {
            if k == 0 {
                n = 1;
            }
            break;
        }

        // a separating plane: done when distance is not wanted, or is too large
        if far_enough(dot(&x, &s.v), xx, limits.cutoff) {
            return state.stop(0, f64::MAX);
        }

        // contact only: a tetrahedron goes to the cheaper test, unless that cannot tell
        if n == 3 && may_enclose {
            state.sort(&mut slots);
            match enclose(state, a, b, &mut k, limits.iterations) {
                Some(true) => return state.stop(4, 0.0),
                Some(false) => return state.stop(0, f64::MAX),
                None => may_enclose = false,
            }
        }

        // nearest point of the simplex; vertices that do not carry it are dropped
        let before = lambda;
        let Near { lambda: weights, point: next, dist2 } = nearest(&corners, n + 1);
        lambda = weights;
        n = keep_used(&mut slots, &mut corners, &mut lambda);
        if n == 0 {
            return state.stop(0, f64::MAX);
        }
        if same_point(&next, &x) {
            break;
        }

        // the origin is inside a tetrahedron; a flat one that only seems to have it inside adds nothing to its first face
        if n == 4 {
            let flat = dist2 > FLAT * xx;
            (n, lambda, x_norm) = if flat { (3, before, x_norm) } else { (4, lambda, 0.0) };
            break;
        }
        (x, xx) = (next, dist2);
        k += 1;
    }

    state.sort(&mut slots);
    state.finish(n, &lambda, x_norm);
}

/// True when the plane through a vertex shows that nothing more is to be found: the shapes are apart, or, when a distance
/// up to `cutoff` is wanted, farther apart than that. `along` is the product of vertex and present point, `xx` the square
/// of the latter.
#[inline(always)]
fn far_enough(along: f64, xx: f64, cutoff: f64) -> bool {
    if cutoff > 0.0 { cutoff < f64::MAX && along > 0.0 && along * along / xx >= cutoff * cutoff } else { along > 0.0 }
}

/// The vertex farthest against the unit direction `back`, as [`support`]. For the centre of a ball `None` when it is sure
/// that it gains less than `least`: at the end many vertices of a mesh are equally far, and which one a walk finds does
/// not matter. `x` is the present point, with its square and length.
#[inline(always)]
fn support_if_needed(
    a: &mut Object<'_>,
    b: &mut Object<'_>,
    back: &Vec3,
    (x, xx, length): (&Vec3, f64, f64),
    least: f64,
) -> Option<Vertex> {
    // far more than rounding can make of the gap
    const DOUBT: f64 = 1e-14;
    let size = |v: &Vec3| v.x.abs() + v.y.abs() + v.z.abs();
    let p1 = a.support(&-back);
    let p2 = match b.quick_support(back) {
        Ok(p2) => p2,
        Err(reach) => {
            let gap = xx - dot(x, &(p1 - b.pos)) + length * reach;
            let doubt = DOUBT * length * (size(&p1) + size(&b.pos) + length + reach.abs());
            if a.is_centre() && gap + doubt < least {
                return None;
            }
            b.slow_support(back)
        }
    };
    Some(Vertex { v: p1 - p2, p1, p2, i1: a.vertex, i2: b.vertex })
}

/// The vertex of the difference `a − b` farthest in the unit direction `dir`; `back` is `−dir`.
#[inline(always)]
pub(super) fn support(a: &mut Object<'_>, b: &mut Object<'_>, dir: &Vec3, back: &Vec3) -> Vertex {
    let p1 = a.support(dir);
    let p2 = b.support(back);
    Vertex { v: p1 - p2, p1, p2, i1: a.vertex, i2: b.vertex }
}

/// Replaces vertices of a tetrahedron until it encloses the origin (true) or cannot (false); `None` when the origin is
/// in the plane of a face or the iterations run out. The state's simplex changes only on true.
fn enclose(
    state: &mut State,
    a: &mut Object<'_>,
    b: &mut Object<'_>,
    k: &mut usize,
    iterations: usize,
) -> Option<bool> {
    let mut verts = state.simplex;
    // vertices in the order of the tetrahedron
    let mut s = [0, 1, 2, 3];
    while *k < iterations {
        // signed distances of the faces, each opposite to the vertex of the same number
        let [p, q, r, t] = s.map(|i: usize| &verts[i & 3].v);
        let faces = face_planes(&[[r, p, q, p], [q, r, p, q], [t, t, t, r]]);
        let d = faces.map(|face| face[3]);
        if d.contains(&0.0) {
            return None;
        }

        // all faces beyond the origin: it is enclosed
        let lesser = |i: usize, j: usize| if d[i] < d[j] { i } else { j };
        let worst = lesser(lesser(0, 1), lesser(2, 3));
        if d[worst] > 0.0 {
            state.simplex = s.map(|i| verts[i & 3]);
            return Some(true);
        }

        // the vertex behind the worst face gives way to one in front of it
        let [x, y, z, _] = faces[worst];
        let normal = Vec3::new(x, y, z);
        let new = support(a, b, &normal, &-normal);
        verts[s[worst] & 3] = new;
        if dot(&normal, &new.v) < 0.0 {
            return Some(false);
        }

        // keep the orientation
        s.swap((worst + 1) & 3, (worst + 2) & 3);
        *k += 1;
    }
    None
}

/// Moves the vertices whose coordinate is exactly zero to the end and keeps the order of the others; returns how many these
/// are. `slots` tells where vertices are in the simplex. Without branches: which vertices stay cannot be foreseen.
#[inline(always)]
fn keep_used(slots: &mut [usize; 4], corners: &mut [Vec3; 4], lambda: &mut [f64; 4]) -> usize {
    let used = lambda.map(|x| usize::from(x != 0.0));
    let from = &KEPT[used[0] | used[1] << 1 | used[2] << 2 | used[3] << 3];
    *slots = from.map(|i| slots[i & 3]);
    *corners = from.map(|i| corners[i & 3]);
    *lambda = from.map(|i| lambda[i & 3]);
    used[0] + used[1] + used[2] + used[3]
}

/// For every set of used vertices, a bit each, the used ones in order and then the others.
const KEPT: [[usize; 4]; 16] = {
    let mut all = [[0; 4]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut place, mut i) = (0, 0);
        while i < 8 {
            // first the used ones, then the others
            if (set >> (i & 3) & 1 == 1) == (i < 4) {
                all[set][place] = i & 3;
                place += 1;
            }
            i += 1;
        }
        set += 1;
    }
    all
};

/// Weighted sum of one point of each of the first `n` vertices.
#[inline]
fn combine<V>(lambda: &[f64; 4], n: usize, simplex: &[V; 4], point: impl Fn(&V) -> &Vec3) -> Vec3 {
    let mut x = point(&simplex[0]) * lambda[0];
    if n > 1 {
        x += point(&simplex[1]) * lambda[1];
    }
    if n > 2 {
        x += point(&simplex[2]) * lambda[2];
    }
    if n > 3 {
        x += point(&simplex[3]) * lambda[3];
    }
    x
}
