//! The growing polytope of the penetration search: vertices, faces with neighbours, and the faces still in play.

use sim_types::{MINVAL, Vec3};

use super::gjk::{State, Vertex, support};
use super::object::Object;
use super::subdistance::{barycentric, project_on_plane};
use super::vec::{MINVAL2, cross, det, dot, norm, rotate};

/// A triangle of the polytope.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// Its vertices; edge `k` runs from vertex `k` to the next.
    pub(super) verts: [u32; 3],
    /// The face across each edge.
    pub(super) adj: [u32; 3],
    /// Foot of the perpendicular from the origin to its plane.
    pub(super) v: Vec3,
    /// Square of its distance from the origin.
    pub(super) dist2: f64,
    /// Where it stands among the candidates, or one of the two marks below.
    slot: u32,
}

/// Mark of a face that is part of the polytope but not a candidate.
const NOT_CANDIDATE: u32 = u32::MAX - 1;
/// Mark of a face that is no longer part of the polytope.
const DELETED: u32 = u32::MAX;

/// A convex polytope around the origin. Its memory is kept from query to query.
#[derive(Clone, Debug, Default)]
pub(super) struct Polytope {
    pub(super) verts: Vec<Vertex>,
    pub(super) faces: Vec<Face>,
    /// Faces that may yet hold the nearest point, with the squares of their distances.
    candidates: Vec<(f64, u32)>,
    /// Faces and their edges around the region seen from a new vertex.
    pub(super) horizon: Vec<(u32, u32)>,
    stack: Vec<(u32, u32)>,
}

impl Polytope {
    /// Builds the first polytope from the simplex that the distance search ended with; false when that is impossible.
    pub(super) fn start(&mut self, state: &mut State, a: &mut Object<'_>, b: &mut Object<'_>) -> bool {
        self.clear();
        self.horizon.clear();
        match state.n {
            2 => self.around_segment(state, a, b),
            3 => self.around_triangle(state, a, b),
            _ => self.around_tetrahedron(state, a, b),
        }
    }

    /// The candidate nearest to the origin, the first on ties.
    pub(super) fn nearest(&self) -> Option<(f64, u32)> {
        let mut least = (f64::MAX, DELETED);
        for candidate in &self.candidates {
            if candidate.0 < least.0 {
                least = *candidate;
            }
        }
        (least.1 != DELETED).then_some(least)
    }

    /// True when no face is in play.
    pub(super) fn is_exhausted(&self) -> bool {
        self.candidates.is_empty()
    }

    /// Adds the vertex farthest in direction `d`, whose length is `length`; returns its number.
    pub(super) fn support(&mut self, a: &mut Object<'_>, b: &mut Object<'_>, d: &Vec3, length: f64) -> u32 {
        let dir = if length > MINVAL {
            Vec3::new(d.x / length, d.y / length, d.z / length)
        } else {
            Vec3::new(1.0, 0.0, 0.0)
        };
        self.push(support(a, b, &dir, &-dir))
    }

    /// Adds a face and returns the square of its distance; zero when it has no plane.
    #[inline(always)]
    pub(super) fn attach(&mut self, verts: [u32; 3], adj: [u32; 3]) -> f64 {
        let [p, q, r] = verts;
        let (p, q, r) = (&self.verts[p as usize].v, &self.verts[q as usize].v, &self.verts[r as usize].v);
        let v = project_on_plane(r, q, p).unwrap_or_default();
        let dist2 = dot(&v, &v);
        self.faces.push(Face { verts, adj, v, dist2, slot: NOT_CANDIDATE });
        dist2
    }

    /// Puts the face added last in play.
    #[inline]
    pub(super) fn play_last(&mut self) {
        let slot = self.candidates.len() as u32;
        let number = self.faces.len().wrapping_sub(1) as u32;
        if let Some(face) = self.faces.last_mut() {
            face.slot = slot;
            self.candidates.push((face.dist2, number));
        }
    }

    /// Deletes `face` and all faces seen from `w`, and collects the edges around them in order.
    pub(super) fn open(&mut self, face: u32, w: &Vec3) {
        self.horizon.clear();
        self.delete(face);
        self.stack.clear();
        self.stack.extend([(face, 2), (face, 1), (face, 0)]);

        // depth first, over the edges of deleted faces
        while let Some((face, edge)) = self.stack.pop() {
            let deleted = &self.faces[face as usize];
            let other = deleted.adj[edge as usize];
            let corner = deleted.verts[NEXT[edge as usize]];
            let seen = &self.faces[other as usize];
            if seen.slot == DELETED {
                continue;
            }
            let back = edge_from(&seen.verts, corner);
            if dot(&seen.v, w) - seen.dist2 > MINVAL {
                self.delete(other);
                let [_, next, last] = AFTER[back as usize];
                self.stack.push((other, last));
                self.stack.push((other, next));
            } else {
                self.horizon.push((other, back));
            }
        }
    }

    /// Nearest points of the two objects, from the foot of the perpendicular on a face.
    pub(super) fn witness(&self, face: u32) -> (Vec3, Vec3) {
        let face = &self.faces[face as usize];
        let [p, q, r] = face.verts.map(|i| &self.verts[i as usize]);
        let [u, v, w] = barycentric(&p.v, &q.v, &r.v, &face.v);
        (p.p1 * u + q.p1 * v + r.p1 * w, p.p2 * u + q.p2 * v + r.p2 * w)
    }

    /// Forgets vertices and faces.
    fn clear(&mut self) {
        self.verts.clear();
        self.faces.clear();
        self.candidates.clear();
    }

    fn push(&mut self, vertex: Vertex) -> u32 {
        self.verts.push(vertex);
        self.verts.len() as u32 - 1
    }

    fn corners(&self, verts: [u32; 3]) -> [Vec3; 3] {
        verts.map(|i| self.verts[i as usize].v)
    }

    /// Takes a face out of the polytope; the last candidate moves into its place.
    #[inline]
    fn delete(&mut self, face: u32) {
        let slot = std::mem::replace(&mut self.faces[face as usize].slot, DELETED);
        if (slot as usize) < self.candidates.len() {
            self.candidates.swap_remove(slot as usize);
            if let Some(&(_, moved)) = self.candidates.get(slot as usize) {
                self.faces[moved as usize].slot = slot;
            }
        }
    }

    /// Puts every face in play.
    fn play_all(&mut self) {
        for (i, face) in self.faces.iter_mut().enumerate() {
            face.slot = i as u32;
            self.candidates.push((face.dist2, i as u32));
        }
    }

    /// Starts again from the triangle of a face that contains the origin.
    fn restart(&mut self, state: &mut State, verts: [u32; 3], a: &mut Object<'_>, b: &mut Object<'_>) -> bool {
        for (slot, i) in verts.into_iter().enumerate() {
            state.simplex[slot] = self.verts[i as usize];
        }
        state.n = 3;
        self.clear();
        self.around_triangle(state, a, b)
    }

    /// Six faces around a segment, with three vertices found at right angles to it.
    fn around_segment(&mut self, state: &mut State, a: &mut Object<'_>, b: &mut Object<'_>) -> bool {
        let (p, q) = (state.simplex[0].v, state.simplex[1].v);
        let along = q - p;

        // the coordinate axis most nearly at right angles, the first on ties
        let mut axis = 0;
        let mut least = f64::MAX;
        for k in 0..3 {
            if along[k].abs() < least {
                (axis, least) = (k, along[k].abs());
            }
        }
        let mut e = Vec3::zeros();
        e[axis] = 1.0;
        let d1 = cross(&e, &along);
        let third = third_of_a_turn(&along);
        let d2 = rotate(&third, &d1);
        let d3 = rotate(&third, &d2);

        self.push(state.simplex[0]);
        self.push(state.simplex[1]);
        for d in [d1, d2, d3] {
            self.support(a, b, &d, norm(&d));
        }
        for (verts, adj) in AROUND_SEGMENT {
            if self.attach(verts, adj) < MINVAL2 {
                return self.restart(state, verts, a, b);
            }
        }

        // convex when the segment passes through the new triangle
        let [r, s, t] = self.corners([2, 3, 4]).map(|x| x - p);
        let volumes = [det(&r, &s, &along), det(&s, &t, &along), det(&t, &r, &along)];
        if !(volumes.iter().all(|v| *v >= 0.0) || volumes.iter().all(|v| *v <= 0.0)) {
            return false;
        }
        self.play_all();
        true
    }

    /// Six faces around a triangle, with one vertex found on each side.
    fn around_triangle(&mut self, state: &State, a: &mut Object<'_>, b: &mut Object<'_>) -> bool {
        let [p, q, r] = [state.simplex[0].v, state.simplex[1].v, state.simplex[2].v];
        let normal = cross(&(q - p), &(r - p));
        let length = norm(&normal);
        if length < MINVAL {
            return false;
        }
        for s in &state.simplex[..3] {
            self.push(*s);
        }
        self.support(a, b, &-normal, length);
        self.support(a, b, &normal, length);

        // a new vertex inside the triangle adds no volume
        let [below, above, _] = self.corners([3, 4, 4]);
        if in_triangle(&p, &q, &r, &above) || in_triangle(&p, &q, &r, &below) {
            return false;
        }
        for (verts, adj) in AROUND_TRIANGLE {
            if self.attach(verts, adj) < MINVAL2 {
                return false;
            }
        }
        self.play_all();
        true
    }

    /// The four faces of a tetrahedron around the origin.
    fn around_tetrahedron(&mut self, state: &mut State, a: &mut Object<'_>, b: &mut Object<'_>) -> bool {
        for s in &state.simplex {
            self.push(*s);
        }
        for (verts, adj) in TETRAHEDRON {
            if self.attach(verts, adj) < MINVAL2 {
                return self.restart(state, verts, a, b);
            }
        }
        let [p, q, r, s] = state.simplex.map(|s| s.v);
        if !(same_side(&p, &q, &r, &s)
            && same_side(&q, &r, &s, &p)
            && same_side(&r, &s, &p, &q)
            && same_side(&s, &p, &q, &r))
        {
            return false;
        }
        self.play_all();
        true
    }
}

/// The corner after each corner of a triangle.
pub(super) const NEXT: [usize; 3] = [1, 2, 0];
/// The edges of a triangle from each edge on.
const AFTER: [[u32; 3]; 3] = [[0, 1, 2], [1, 2, 0], [2, 0, 1]];

/// Vertices and neighbours of the faces around a segment 0–1 with new vertices 2, 3, 4.
const AROUND_SEGMENT: [([u32; 3], [u32; 3]); 6] = [
    ([0, 2, 3], [1, 3, 2]),
    ([0, 4, 2], [2, 4, 0]),
    ([0, 3, 4], [0, 5, 1]),
    ([1, 3, 2], [5, 0, 4]),
    ([1, 2, 4], [3, 1, 5]),
    ([1, 4, 3], [4, 2, 3]),
];

/// Vertices and neighbours of the faces around a triangle 0–1–2 with new vertices 3 below and 4 above.
const AROUND_TRIANGLE: [([u32; 3], [u32; 3]); 6] = [
    ([4, 0, 1], [1, 3, 2]),
    ([4, 2, 0], [2, 4, 0]),
    ([4, 1, 2], [0, 5, 1]),
    ([3, 1, 0], [5, 0, 4]),
    ([3, 0, 2], [3, 1, 5]),
    ([3, 2, 1], [4, 2, 3]),
];

/// Vertices and neighbours of the faces of a tetrahedron.
const TETRAHEDRON: [([u32; 3], [u32; 3]); 4] =
    [([0, 1, 2], [1, 3, 2]), ([0, 3, 1], [2, 3, 0]), ([0, 2, 3], [0, 3, 1]), ([3, 2, 1], [2, 0, 1])];

/// The edge of a face that starts at a vertex.
fn edge_from(verts: &[u32; 3], vertex: u32) -> u32 {
    if verts[0] == vertex {
        0
    } else if verts[1] == vertex {
        1
    } else {
        2
    }
}

/// Rotation by 120° about an axis of any length.
fn third_of_a_turn(axis: &Vec3) -> sim_types::Mat3 {
    const SIN: f64 = 0.86602540378;
    const COS: f64 = -0.5;
    let length = norm(axis);
    let (x, y, z) = (axis.x / length, axis.y / length, axis.z / length);
    sim_types::Mat3::new(
        COS + x * x * (1.0 - COS),
        x * y * (1.0 - COS) - z * SIN,
        x * z * (1.0 - COS) + y * SIN,
        y * x * (1.0 - COS) + z * SIN,
        COS + y * y * (1.0 - COS),
        y * z * (1.0 - COS) - x * SIN,
        x * z * (1.0 - COS) - y * SIN,
        y * z * (1.0 - COS) + x * SIN,
        COS + z * z * (1.0 - COS),
    )
}

/// True when `d` and the origin are strictly on the same side of the plane through `a`, `b`, `c`.
fn same_side(a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3) -> bool {
    let n = cross(&(b - a), &(c - a));
    let (to_d, to_origin) = (dot(&n, &(d - a)), dot(&n, &-a));
    (to_d > 0.0 && to_origin > 0.0) || (to_d < 0.0 && to_origin < 0.0)
}

/// True when `p` is a point of the triangle, to within [`MINVAL`].
fn in_triangle(a: &Vec3, b: &Vec3, c: &Vec3, p: &Vec3) -> bool {
    let [u, v, w] = barycentric(a, b, c, p);
    if u < 0.0 || v < 0.0 || w < 0.0 {
        return false;
    }
    norm(&(a * u + b * v + c * w - p)) < MINVAL
}
