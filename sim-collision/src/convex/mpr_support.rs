//! The farthest point of a convex object as portal refinement asks for it.
//!
//! It differs from [`Object::support`] where several points are equally far: a component of zero is neither side of a box,
//! and the walk along a hull may stay where it starts.

use sim_types::{MINVAL, Vec3};

use super::object::{Body, Object};
use super::vec::{normalized, rotate, rotate_t};
use crate::MeshView;
use crate::hull_graph::{HullGraph, along, point};

/// The farthest point in the unit direction `dir`, margin included.
#[doc(alias = "mjccd_support")]
pub(super) fn support(object: &mut Object<'_>, dir: &Vec3) -> Vec3 {
    let d = rotate_t(&object.mat, dir);
    let local = match &object.body {
        // these have no margin
        Body::Point | Body::Prism(_) => return object.bare_support(dir),
        Body::Sphere { radius } => d * *radius,
        Body::Capsule { radius, half } => Vec3::new(d.x * radius, d.y * radius, d.z * radius + sign(d.z) * half),
        Body::Ellipsoid { size } => normalized(&d.component_mul(size)).component_mul(size),
        Body::Cylinder { radius, half } => {
            let length = (d.x * d.x + d.y * d.y).sqrt();
            let (x, y) = if length > MINVAL { (d.x / length * radius, d.y / length * radius) } else { (0.0, 0.0) };
            Vec3::new(x, y, sign(d.z) * half)
        }
        Body::Box { size } => Vec3::new(sign(d.x) * size.x, sign(d.y) * size.y, sign(d.z) * size.z),
        Body::Few { mesh, .. } | Body::Many(mesh) | Body::Climb { mesh, .. } => match HullGraph::new(mesh.graph) {
            Some(graph) => {
                object.hull_vertex = walk(mesh, &graph, &d, object.hull_vertex);
                at(mesh, &graph, object.hull_vertex)
            }
            None => farthest(mesh, &d),
        },
        Body::Hull { mesh, graph } => {
            object.hull_vertex = walk(mesh, graph, &d, object.hull_vertex);
            at(mesh, graph, object.hull_vertex)
        }
    };
    rotate(&object.mat, &(local + d * object.margin / 2.0)) + object.pos
}

/// Hull vertex at the end of a walk along the hull, beginning with `start` itself.
fn walk(mesh: &MeshView<'_>, graph: &HullGraph<'_>, dir: &Vec3, start: usize) -> usize {
    let value = |i: usize| graph.vertex(i).and_then(|id| mesh.vert.get(id)).map(|v| along(dir, v));
    let Some(mut max) = value(start) else { return start };
    let mut best = start;
    loop {
        let from = best;
        for next in graph.neighbours(from) {
            if let Some(v) = value(next)
                && v > max
            {
                (best, max) = (next, v);
            }
        }
        if best == from {
            return best;
        }
    }
}

/// The vertex of all that is farthest, the first on ties.
fn farthest(mesh: &MeshView<'_>, dir: &Vec3) -> Vec3 {
    let (mut best, mut max) = (None, -1e10);
    for v in mesh.vert {
        let value = along(dir, v);
        if value > max {
            (best, max) = (Some(v), value);
        }
    }
    best.map_or_else(Vec3::zeros, point)
}

/// Where a hull vertex is.
fn at(mesh: &MeshView<'_>, graph: &HullGraph<'_>, hull_vertex: usize) -> Vec3 {
    graph.vertex(hull_vertex).and_then(|id| mesh.vert.get(id)).map_or_else(Vec3::zeros, point)
}

/// −1, 0 or 1.
fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}
