//! Signed distance to a triangle mesh: how far to the nearest triangle, and on which side of it.
//!
//! The side is that of the pseudo-normal at the nearest point: the normal inside of a triangle, the sum of two on an
//! edge, the sum weighted by angles at a vertex. J. A. Baerentzen and H. Aanaes, *Signed distance computation using the
//! angle weighted pseudonormal* (2005).

use sim_collision::bvh::Node;
use sim_types::math::acos;
use sim_types::{MAXVAL, Vec3};
use std::collections::HashMap;

/// A mesh that can be asked for distances.
pub(super) struct Distance<'a> {
    vert: &'a [Vec3],
    face: &'a [[u32; 3]],
    bvh: &'a [Node],
    face_normal: Vec<Vec3>,
    /// Of the edges from corner 0 to 1, 1 to 2 and 2 to 0.
    edge_normal: Vec<[Vec3; 3]>,
    vert_normal: Vec<Vec3>,
}

/// Where on a triangle the nearest point is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Corner(usize),
    Edge(usize),
    Inside,
}

impl<'a> Distance<'a> {
    pub(super) fn new(vert: &'a [Vec3], face: &'a [[u32; 3]], bvh: &'a [Node]) -> Self {
        let mut face_normal = Vec::with_capacity(face.len());
        let mut vert_normal = vec![Vec3::zeros(); vert.len()];
        let mut edges: HashMap<(u32, u32), Vec3> = HashMap::with_capacity(3 * face.len() / 2);
        let edge = |f: &[u32; 3], k: usize| (f[k].min(f[(k + 1) % 3]), f[k].max(f[(k + 1) % 3]));
        for f in face {
            let [a, b, c] = f.map(|v| vert[v as usize]);
            let normal = unit(&(b - a).cross(&(c - a)));
            let angles = [angle(&(b - a), &(c - a)), angle(&(c - b), &(a - b)), angle(&(a - c), &(b - c))];
            for k in 0..3 {
                vert_normal[f[k] as usize] += normal * angles[k];
                *edges.entry(edge(f, k)).or_insert_with(Vec3::zeros) += normal;
            }
            face_normal.push(normal);
        }
        let edge_normal = face.iter().map(|f| [0, 1, 2].map(|k| edges[&edge(f, k)])).collect();
        Self { vert, face, bvh, face_normal, edge_normal, vert_normal }
    }

    /// The distance of a point, negative inside.
    pub(super) fn signed(&self, point: &Vec3) -> f64 {
        let (mut best, mut nearest) = (f64::INFINITY, None);
        let mut stack = vec![(0.0, 0)];
        while let Some((bound, id)) = stack.pop() {
            let Some(node) = self.bvh.get(id).filter(|_| bound < best * best) else { continue };
            if let Some(face) = node.id.get() {
                let (foot, part) = self.nearest(face, point);
                let away = point - foot;
                let squared = dot(&away, &away);
                if squared < best * best {
                    (best, nearest) = (squared.sqrt(), Some((face, foot, part)));
                }
            }
            let mut children = node.child.map(|child| child.get().map(|child| (self.bound(child, point), child)));
            // the nearer one is looked at first
            if let [Some((left, _)), Some((right, _))] = children
                && left < right
            {
                children.reverse();
            }
            stack.extend(children.into_iter().flatten());
        }
        let Some((face, foot, part)) = nearest else { return MAXVAL };
        let normal = match part {
            Part::Corner(k) => self.vert_normal[self.face[face][k] as usize],
            Part::Edge(k) => self.edge_normal[face][k],
            Part::Inside => self.face_normal[face],
        };
        // a normal that is not a number counts as inside
        let outside = dot(&(point - foot), &normal) >= 0.0;
        if outside { best } else { -best }
    }

    /// Squared distance to the box of a node.
    fn bound(&self, id: usize, point: &Vec3) -> f64 {
        let [x, y, z, hx, hy, hz] = self.bvh.get(id).map_or([0.0; 6], |node| node.aabb);
        let gap = |p: f64, c: f64, h: f64| ((p - c).abs() - h).max(0.0);
        let (x, y, z) = (gap(point.x, x, hx), gap(point.y, y, hy), gap(point.z, z, hz));
        x * x + y * y + z * z
    }

    /// The nearest point of a triangle. After Ericson, *Real-Time Collision Detection*, section 5.1.5, with weights of the
    /// corners instead of steps along the sides.
    fn nearest(&self, face: usize, p: &Vec3) -> (Vec3, Part) {
        let [a, b, c] = self.face[face].map(|v| self.vert[v as usize]);
        let (ab, ac, bc) = (b - a, c - a, c - b);
        let (pa, pb, pc) = (p - a, p - b, p - c);

        // how far along each side, from either end; beyond the ends of two sides is a corner
        let (ab0, ab1) = (dot(&pa, &ab), dot(&pb, &(a - b)));
        let (ac0, ac1) = (dot(&pa, &ac), dot(&pc, &(a - c)));
        if ab0 <= 0.0 && ac0 <= 0.0 {
            return (a, Part::Corner(0));
        }
        let (bc0, bc1) = (dot(&pb, &bc), dot(&pc, &(b - c)));
        if ab1 <= 0.0 && bc0 <= 0.0 {
            return (b, Part::Corner(1));
        }
        if ac1 <= 0.0 && bc1 <= 0.0 {
            return (c, Part::Corner(2));
        }

        // areas of the triangles that the point makes with each side; beyond one side is an edge
        let normal = cross(&ab, &ac);
        let area = |from: &Vec3, to: &Vec3| dot(&normal, &cross(&(from - p), &(to - p)));
        let on_edge = |from: &Vec3, to: &Vec3, part: f64| from * (1.0 - part) + to * part;
        let area_ab = area(&a, &b);
        if area_ab <= 0.0 && ab0 >= 0.0 && ab1 >= 0.0 {
            return (on_edge(&a, &b, ab0 / (ab0 + ab1)), Part::Edge(0));
        }
        let area_bc = area(&b, &c);
        if area_bc <= 0.0 && bc0 >= 0.0 && bc1 >= 0.0 {
            return (on_edge(&b, &c, bc0 / (bc0 + bc1)), Part::Edge(1));
        }
        let area_ca = area(&c, &a);
        if area_ca <= 0.0 && ac0 >= 0.0 && ac1 >= 0.0 {
            return (on_edge(&a, &c, ac0 / (ac0 + ac1)), Part::Edge(2));
        }

        let sum = area_bc + area_ca + area_ab;
        let (u, v) = (area_bc / sum, area_ca / sum);
        (a * u + b * v + c * (1.0 - u - v), Part::Inside)
    }
}

fn unit(v: &Vec3) -> Vec3 {
    v * (1.0 / v.norm())
}

fn angle(a: &Vec3, b: &Vec3) -> f64 {
    acos((a.dot(b) / (a.norm() * b.norm())).clamp(-1.0, 1.0))
}

/// `v·w`, summed from left to right.
fn dot(v: &Vec3, w: &Vec3) -> f64 {
    v.x * w.x + v.y * w.y + v.z * w.z
}

/// `v × w`.
fn cross(v: &Vec3, w: &Vec3) -> Vec3 {
    Vec3::new(v.y * w.z - v.z * w.y, v.z * w.x - v.x * w.z, v.x * w.y - v.y * w.x)
}
