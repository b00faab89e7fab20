//! The growing polytope of the penetration search: vertices, faces with neighbours, and the faces still in play.

use sim_types::{MINVAL, Vec3};

use super::feet::{Foot, Four, LANES, feet};
use super::gjk::{State, Vertex, support};
use super::object::Object;
use super::subdistance::barycentric;
use super::vec::{MINVAL2, cross, det, dot, norm, rotate};

/// A triangle of the polytope.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// Its vertices, the first one again at the end; edge `k` runs from vertex `k` to the next.
    verts: [u32; 4],
    /// What is across each edge, and where the face stands among the candidates or one of the two marks below.
    links: [u32; 4],
    /// Foot of the perpendicular from the origin to its plane, and the square of its distance.
    foot: Foot,
}

/// Place of a candidate's number among the links.
const SLOT: usize = 3;
/// Mark of a face that is part of the polytope but not a candidate.
const NOT_CANDIDATE: u32 = u32::MAX - 1;
/// Mark of a face that is no longer part of the polytope.
const DELETED: u32 = u32::MAX;

impl Face {
    #[inline(always)]
    fn new([p, q, r]: [u32; 3], [e, f, g]: [Side; 3], slot: u32, foot: &Foot) -> Self {
        Self { verts: [p, q, r, p], links: [e.0, f.0, g.0, slot], foot: *foot }
    }

    /// Numbers of its vertices.
    pub(super) fn corners(&self) -> [u32; 3] {
        let [p, q, r, _] = self.verts;
        [p, q, r]
    }

    /// Foot of the perpendicular from the origin to its plane.
    #[inline(always)]
    pub(super) fn foot(&self) -> Vec3 {
        Vec3::new(self.foot[0], self.foot[1], self.foot[2])
    }

    /// Square of the distance of its plane from the origin.
    #[inline(always)]
    pub(super) fn dist2(&self) -> f64 {
        self.foot[3]
    }
}

/// An edge of a face: the number of the face times four, and that of the edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side(u32);

impl Side {
    #[inline(always)]
    const fn new(face: u32, edge: u32) -> Self {
        Self(face << 2 | edge)
    }

    #[inline(always)]
    const fn face(self) -> usize {
        (self.0 >> 2) as usize
    }

    #[inline(always)]
    const fn edge(self) -> usize {
        (self.0 & 3) as usize
    }
}

/// Most faces that a polytope can have, deleted ones included.
pub(super) const MOST_FACES: usize = 2048;
/// Numbers of faces and places in lists lie below [`MOST_FACES`]; what is masked with this needs no check.
const MASK: usize = MOST_FACES - 1;

/// A convex polytope around the origin. Its memory is kept from query to query.
///
/// Lists have a fixed length that is a power of two, which makes it cheap to stay inside.
#[derive(Clone, Debug, Default)]
pub(super) struct Polytope {
    pub(super) verts: Vec<Vertex>,
    pub(super) faces: Vec<Face>,
    face_count: usize,
    /// Squares of the distances of the faces that may yet hold the nearest point; `f64::MAX` in places beyond the last.
    near: Vec<Four>,
    /// These faces.
    candidates: Vec<u32>,
    candidate_count: usize,
    /// Edges around the region seen from a new vertex, as sides of the faces that stay.
    horizon: Vec<Side>,
    stack: Vec<Side>,
}

/// A polytope that grows.
pub(super) struct Hull<'a> {
    pub(super) verts: &'a mut Vec<Vertex>,
    faces: &'a mut [Face; MOST_FACES],
    face_count: usize,
    near: &'a mut [Four; MOST_FACES / LANES],
    candidates: &'a mut [u32; MOST_FACES],
    candidate_count: usize,
    horizon: &'a mut [Side; MOST_FACES],
    horizon_count: usize,
    stack: &'a mut [Side; MOST_FACES],
}

/// The nearest candidate: the square of its distance, and its face. Without one the distance is `f64::MAX`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    pub(super) dist2: f64,
    pub(super) face: u32,
}

impl Polytope {
    /// Builds the first polytope from the simplex that the distance search ended with; `None` when that is impossible.
    pub(super) fn start(&mut self, state: &mut State, a: &mut Object<'_>, b: &mut Object<'_>) -> Option<Hull<'_>> {
        if self.faces.len() != MOST_FACES {
            self.faces.resize(MOST_FACES, Face { verts: [0; 4], links: [0; 4], foot: [0.0; 4] });
            self.near.resize(MOST_FACES / LANES, [f64::MAX; LANES]);
            self.candidates.resize(MOST_FACES, 0);
            self.horizon.resize(MOST_FACES, Side(0));
            self.stack.resize(MOST_FACES, Side(0));
        }
        self.clear();
        let built = match state.n {
            2 => self.around_segment(state, a, b),
            3 => self.around_triangle(state, a, b),
            _ => self.around_tetrahedron(state, a, b),
        };
        built.then(|| self.hull()).flatten()
    }

    fn hull(&mut self) -> Option<Hull<'_>> {
        Some(Hull {
            verts: &mut self.verts,
            faces: self.faces.first_chunk_mut()?,
            face_count: self.face_count,
            near: self.near.first_chunk_mut()?,
            candidates: self.candidates.first_chunk_mut()?,
            candidate_count: self.candidate_count,
            horizon: self.horizon.first_chunk_mut()?,
            horizon_count: 0,
            stack: self.stack.first_chunk_mut()?,
        })
    }

    /// Adds the vertex farthest in direction `d`, whose length is `length`.
    fn support(&mut self, a: &mut Object<'_>, b: &mut Object<'_>, d: &Vec3, length: f64) {
        self.verts.push(farthest(a, b, d, length));
    }

    /// Nearest points of the two objects, from the foot of the perpendicular on a face.
    pub(super) fn witness(&self, face: u32) -> (Vec3, Vec3) {
        let face = &self.faces[face as usize];
        let [p, q, r] = face.corners().map(|i| &self.verts[i as usize]);
        let [u, v, w] = barycentric(&p.v, &q.v, &r.v, &face.foot());
        (p.p1 * u + q.p1 * v + r.p1 * w, p.p2 * u + q.p2 * v + r.p2 * w)
    }

    /// Forgets vertices and faces.
    fn clear(&mut self) {
        self.verts.clear();
        self.face_count = 0;
        self.candidate_count = 0;
    }

    fn push(&mut self, vertex: Vertex) {
        self.verts.push(vertex);
    }

    fn corners(&self, verts: [u32; 3]) -> [Vec3; 3] {
        verts.map(|i| self.verts[i as usize].v)
    }

    /// Adds the first faces; returns the corners of the first one that has no plane or contains the origin.
    fn attach<const N: usize>(&mut self, table: &[([u32; 3], [Side; 3]); N]) -> Result<(), [u32; 3]> {
        for chunk in table.chunks(LANES) {
            let corner = |k: usize| {
                [0, 1, 2, 3].map(|lane: usize| &self.verts[chunk[lane.min(chunk.len() - 1)].0[k] as usize].v)
            };
            let feet = feet(&[corner(2), corner(1), corner(0)]);
            for ((verts, adj), foot) in chunk.iter().zip(&feet) {
                if foot[3] < MINVAL2 {
                    return Err(*verts);
                }
                if let Some(face) = self.faces.get_mut(self.face_count) {
                    *face = Face::new(*verts, *adj, NOT_CANDIDATE, foot);
                    self.face_count += 1;
                }
            }
        }
        Ok(())
    }

    /// Puts every face in play.
    fn play_all(&mut self) {
        for (i, face) in self.faces.iter_mut().take(self.face_count).enumerate() {
            face.links[SLOT] = i as u32;
            self.near[i / LANES][i % LANES] = face.dist2();
            self.candidates[i] = i as u32;
        }
        self.candidate_count = self.face_count;
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
        if let Err(verts) = self.attach(&AROUND_SEGMENT) {
            return self.restart(state, verts, a, b);
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
        if self.attach(&AROUND_TRIANGLE).is_err() {
            return false;
        }
        self.play_all();
        true
    }

    /// The four faces of a tetrahedron around the origin.
    fn around_tetrahedron(&mut self, state: &mut State, a: &mut Object<'_>, b: &mut Object<'_>) -> bool {
        for s in &state.simplex {
            self.push(*s);
        }
        if let Err(verts) = self.attach(&TETRAHEDRON) {
            return self.restart(state, verts, a, b);
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

impl Hull<'_> {
    /// Number of faces, deleted ones included.
    #[inline(always)]
    pub(super) fn face_count(&self) -> usize {
        self.face_count
    }

    /// Number of edges that [`Self::open`] left.
    #[inline(always)]
    pub(super) fn horizon_count(&self) -> usize {
        self.horizon_count
    }

    /// Foot of the perpendicular from the origin to a face.
    #[inline(always)]
    pub(super) fn foot(&self, face: u32) -> Vec3 {
        self.faces[face as usize & MASK].foot()
    }

    /// True when no face is in play.
    #[inline(always)]
    pub(super) fn is_exhausted(&self) -> bool {
        self.candidate_count == 0
    }

    /// The candidate nearest to the origin, the first on ties.
    #[inline(always)]
    pub(super) fn nearest(&self) -> Nearest {
        let groups = self.candidate_count.div_ceil(LANES).min(self.near.len());
        match crate::wide::least(&self.near[..groups]) {
            Some(place) => {
                Nearest { dist2: self.near[(place & MASK) / LANES][place % LANES], face: self.candidates[place & MASK] }
            }
            None => Nearest { dist2: f64::MAX, face: DELETED },
        }
    }

    /// Leaves the lists as the next query needs them.
    pub(super) fn finish(&mut self) {
        let groups = self.candidate_count.div_ceil(LANES).min(self.near.len());
        self.near[..groups].fill([f64::MAX; LANES]);
    }

    /// Deletes `face` and all faces seen from `w`, and collects the edges around them in order.
    #[inline(always)]
    pub(super) fn open(&mut self, face: u32, w: &Vec3) {
        let links = self.delete(face as usize);
        let mut side = Side(links[0]);
        (self.stack[0], self.stack[1]) = (Side(links[2]), Side(links[1]));
        let (mut depth, mut horizon) = (2, 0);

        // depth first, over the edges of deleted faces
        loop {
            let seen = &self.faces[side.face() & MASK];
            if seen.links[SLOT] != DELETED {
                if dot(&seen.foot(), w) - seen.dist2() > MINVAL {
                    let links = self.delete(side.face());
                    self.stack[depth & MASK] = Side(links[LAST[side.edge()] & 3]);
                    depth += 1;
                    side = Side(links[NEXT[side.edge()] & 3]);
                    continue;
                }
                self.horizon[horizon & MASK] = side;
                horizon += 1;
            }
            if depth == 0 {
                break;
            }
            depth -= 1;
            side = self.stack[depth & MASK];
        }
        self.horizon_count = horizon;
    }

    /// Joins the vertex to every edge of the horizon and puts faces between the bounds in play. Returns the nearest
    /// candidate, or an error when a face has no plane or contains the origin.
    #[inline(always)]
    pub(super) fn close(&mut self, vertex: u32, lower2: f64, upper2: f64) -> Result<Nearest, NoPlane> {
        // the candidates that stay need not wait for the planes of the new faces
        let mut nearest = self.nearest();
        let (first, count) = (self.face_count, self.horizon_count);
        let mut before = (first + count).wrapping_sub(1);
        let w = self.verts[vertex as usize].v;

        // whole groups can be read up to the end
        let filler = self.horizon[0];
        for lane in 0..LANES {
            self.horizon[(count + lane) & MASK] = filler;
        }
        for start in (0..count).step_by(LANES) {
            let sides = [0, 1, 2, 3].map(|lane: usize| self.horizon[(start + lane) & MASK]);
            let edges = sides.map(|side| {
                let verts = &self.faces[side.face() & MASK].verts;
                [verts[side.edge()], verts[(side.edge() + 1) & 3]]
            });
            let verts = &self.verts[..];
            let [d, e, f, g] = edges.map(|edge| edge.map(|i| &verts[i as usize].v));
            let feet = feet(&[[d[0], e[0], f[0], g[0]], [d[1], e[1], f[1], g[1]], [&w; LANES]]);
            for lane in 0..LANES.min(count - start) {
                let (number, [from, to], side) = (first + start + lane, edges[lane], sides[lane]);
                let dist2 = feet[lane][3];
                if dist2 == 0.0 {
                    return Err(NoPlane);
                }
                // no branches: which faces are candidates, and which is nearest, cannot be foreseen
                let place = self.candidate_count & MASK;
                let kept = dist2 >= lower2 && dist2 <= upper2;
                self.near[place / LANES][place % LANES] = if kept { dist2 } else { f64::MAX };
                self.candidates[place] = number as u32;
                self.candidate_count = place + usize::from(kept);
                let slot = if kept { place as u32 } else { NOT_CANDIDATE };
                let nearer = kept && dist2 < nearest.dist2;
                nearest.face = if nearer { number as u32 } else { nearest.face };
                nearest.dist2 = if nearer { dist2 } else { nearest.dist2 };
                self.faces[side.face() & MASK].links[side.edge()] = Side::new(number as u32, 1).0;
                let after = if start + lane + 1 == count { first } else { number + 1 };
                let links = [Side::new(before as u32, 2), side, Side::new(after as u32, 0)];
                self.faces[number & MASK] = Face::new([vertex, to, from], links, slot, &feet[lane]);
                before = number;
            }
        }
        self.face_count = first + count;
        Ok(nearest)
    }

    /// Takes a face out of the polytope and returns its links; the last candidate moves into its place.
    #[inline(always)]
    fn delete(&mut self, face: usize) -> [u32; 4] {
        let deleted = &mut self.faces[face & MASK];
        let links = deleted.links;
        deleted.links[SLOT] = DELETED;
        let slot = links[SLOT] as usize;
        if slot < self.candidate_count {
            self.candidate_count -= 1;
            let last = self.candidate_count & MASK;
            let moved = self.candidates[last];
            let dist2 = std::mem::replace(&mut self.near[last / LANES][last % LANES], f64::MAX);
            if slot != last {
                self.candidates[slot & MASK] = moved;
                self.near[(slot & MASK) / LANES][slot % LANES] = dist2;
                self.faces[moved as usize & MASK].links[SLOT] = slot as u32;
            }
        }
        links
    }
}

/// The edge after each edge of a triangle, and the one after that; the last entry is never used.
const NEXT: [usize; 4] = [1, 2, 0, 0];
const LAST: [usize; 4] = [2, 0, 1, 0];

/// A triangle of corners in a line, or in a plane with the origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoPlane;

/// The vertex farthest in direction `d`, whose length is `length`.
#[inline(always)]
pub(super) fn farthest(a: &mut Object<'_>, b: &mut Object<'_>, d: &Vec3, length: f64) -> Vertex {
    let dir =
        if length > MINVAL { Vec3::new(d.x / length, d.y / length, d.z / length) } else { Vec3::new(1.0, 0.0, 0.0) };
    support(a, b, &dir, &-dir)
}

/// Vertices and neighbours of the faces around a segment 0–1 with new vertices 2, 3, 4.
const AROUND_SEGMENT: [([u32; 3], [Side; 3]); 6] = sides([
    ([0, 2, 3], [1, 3, 2]),
    ([0, 4, 2], [2, 4, 0]),
    ([0, 3, 4], [0, 5, 1]),
    ([1, 3, 2], [5, 0, 4]),
    ([1, 2, 4], [3, 1, 5]),
    ([1, 4, 3], [4, 2, 3]),
]);

/// Vertices and neighbours of the faces around a triangle 0–1–2 with new vertices 3 below and 4 above.
const AROUND_TRIANGLE: [([u32; 3], [Side; 3]); 6] = sides([
    ([4, 0, 1], [1, 3, 2]),
    ([4, 2, 0], [2, 4, 0]),
    ([4, 1, 2], [0, 5, 1]),
    ([3, 1, 0], [5, 0, 4]),
    ([3, 0, 2], [3, 1, 5]),
    ([3, 2, 1], [4, 2, 3]),
]);

/// Vertices and neighbours of the faces of a tetrahedron.
const TETRAHEDRON: [([u32; 3], [Side; 3]); 4] =
    sides([([0, 1, 2], [1, 3, 2]), ([0, 3, 1], [2, 3, 0]), ([0, 2, 3], [0, 3, 1]), ([3, 2, 1], [2, 0, 1])]);

/// Finds which edge of its neighbour each edge of a face is; the table has the neighbours' numbers.
const fn sides<const N: usize>(table: [([u32; 3], [u32; 3]); N]) -> [([u32; 3], [Side; 3]); N] {
    let mut all = [([0; 3], [Side(0); 3]); N];
    let mut face = 0;
    while face < N {
        let (verts, adj) = table[face];
        all[face].0 = verts;
        let mut edge = 0;
        while edge < 3 {
            // seen from the other side, the edge starts where it ends here
            let (other, start) = (table[adj[edge] as usize].0, verts[(edge + 1) % 3]);
            let back = if other[0] == start {
                0
            } else if other[1] == start {
                1
            } else {
                2
            };
            all[face].1[edge] = Side::new(adj[edge], back);
            edge += 1;
        }
        face += 1;
    }
    all
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
