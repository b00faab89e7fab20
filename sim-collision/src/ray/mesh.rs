//! Rays against triangles and meshes.

use super::solid::cuboid;
use super::{Hit, Ray};
use crate::MeshView;
use crate::hull_graph::point;
use sim_types::math::normalize3;
use sim_types::{MINVAL, Vec3};

/// Nodes that can wait to be looked at. A tree that halves its triangles needs one per level.
const STACK: usize = 64;

/// The triangles of a mesh, in its frame.
pub(super) fn mesh(mesh: &MeshView<'_>, ray: &Ray) -> Option<Hit> {
    cuboid(&mesh.half, ray)?;
    let basis = Basis::new(&ray.dir);
    let inverse = ray.dir.map(|x| 1.0 / x);
    let tree = &mesh.tree;
    let mut best: Option<Hit> = None;

    let mut stack = [0_usize; STACK];
    let mut waiting = 1;
    for _ in 0..tree.aabb.len() {
        if waiting == 0 {
            break;
        }
        waiting -= 1;
        let node = stack[waiting];
        let (Some(aabb), Some(leaf), Some(child)) = (tree.aabb.get(node), tree.nodeid.get(node), tree.child.get(node))
        else {
            continue;
        };
        // boxes behind the best hit cannot hold a nearer one; rounding gets its share
        let entry = slab(aabb, &ray.origin, &inverse);
        if entry.is_none_or(|entry| best.is_some_and(|b| entry > b.dist * (1.0 + 1e-9) + MINVAL)) {
            continue;
        }
        if let Some(face) = leaf.get() {
            Hit::keep_nearer(&mut best, triangle_of(mesh, face).and_then(|t| basis.triangle(&t, ray)));
            continue;
        }
        for next in child.iter().filter_map(|c| c.get()) {
            let Some(slot) = stack.get_mut(waiting) else { return all_triangles(mesh, ray, &basis) };
            *slot = next;
            waiting += 1;
        }
    }
    best
}

/// The triangles one by one, for trees that are deeper than any built here.
fn all_triangles(mesh: &MeshView<'_>, ray: &Ray, basis: &Basis) -> Option<Hit> {
    let mut best = None;
    for face in 0..mesh.face.len() {
        Hit::keep_nearer(&mut best, triangle_of(mesh, face).and_then(|t| basis.triangle(&t, ray)));
    }
    best
}

/// Vertices of a face.
fn triangle_of(mesh: &MeshView<'_>, face: usize) -> Option<[Vec3; 3]> {
    let [a, b, c] = mesh.face.get(face)?.map(|id| mesh.vert.get(id as usize));
    Some([point(a?), point(b?), point(c?)])
}

/// Where a ray enters a box given by centre and half sizes, if it does.
#[doc(alias = "mju_raySlab")]
fn slab(aabb: &[f64; 6], origin: &Vec3, inverse: &Vec3) -> Option<f64> {
    let (mut enter, mut leave) = (0.0, f64::INFINITY);
    for k in 0..3 {
        let t1 = (aabb[k] - aabb[k + 3] - origin[k]) * inverse[k];
        let t2 = (aabb[k] + aabb[k + 3] - origin[k]) * inverse[k];
        let (near, far) = if t1 < t2 { (t1, t2) } else { (t2, t1) };
        enter = if enter > near { enter } else { near };
        leave = if leave < far { leave } else { far };
    }
    (enter < leave).then_some(enter)
}

/// The first hit on a triangle; its normal follows the winding.
pub fn ray_triangle(triangle: &[Vec3; 3], ray: &Ray) -> Option<Hit> {
    Basis::new(&ray.dir).triangle(triangle, ray)
}

/// Two directions across a ray: seen along it, triangles are flat.
pub(super) struct Basis {
    x: Vec3,
    y: Vec3,
}

impl Basis {
    pub(super) fn new(dir: &Vec3) -> Self {
        let mut x = Vec3::repeat(1.0);
        let longest = if dir.x.abs() >= dir.y.abs() && dir.x.abs() >= dir.z.abs() {
            0
        } else if dir.y.abs() >= dir.z.abs() {
            1
        } else {
            2
        };
        x[longest] = 0.0;
        let mut y = x + dir * (-dir.dot(&x) / dir.norm_squared());
        normalize3(&mut y);
        x = y.cross(dir);
        normalize3(&mut x);
        Self { x, y }
    }

    /// The hit of the ray that this basis belongs to.
    #[doc(alias = "ray_triangle")]
    pub(super) fn triangle(&self, v: &[Vec3; 3], ray: &Ray) -> Option<Hit> {
        // seen along the ray, which is at zero then
        let p = v.map(|v| v - ray.origin).map(|d| [self.x.dot(&d), self.y.dot(&d)]);
        for k in 0..2 {
            if p.iter().all(|p| p[k] > 0.0) || p.iter().all(|p| p[k] < 0.0) {
                return None;
            }
        }

        // is zero in the triangle?
        let (a, b) = ([p[0][0] - p[2][0], p[0][1] - p[2][1]], [p[1][0] - p[2][0], p[1][1] - p[2][1]]);
        let det = a[0] * b[1] - b[0] * a[1];
        if det.abs() < MINVAL {
            return None;
        }
        let t0 = (b[1] * -p[2][0] - b[0] * -p[2][1]) / det;
        let t1 = (-a[1] * -p[2][0] + a[0] * -p[2][1]) / det;
        if t0 < 0.0 || t1 < 0.0 || t0 + t1 > 1.0 {
            return None;
        }

        // where the ray meets the plane of the triangle
        let mut normal = (v[0] - v[2]).cross(&(v[1] - v[2]));
        let speed = ray.dir.dot(&normal);
        if speed.abs() < MINVAL {
            return None;
        }
        let dist = -(ray.origin - v[2]).dot(&normal) / speed;
        if dist >= 0.0 {
            normalize3(&mut normal);
            Some(Hit { dist, normal })
        } else {
            None
        }
    }
}
