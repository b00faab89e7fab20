//! Plane against mesh.

use crate::convex::{dot, rotate_t};
use crate::hull_graph::{HullGraph, along, point};
use crate::{ContactBuf, MeshView, Posed, RawContact, Shape};
use sim_types::Vec3;

/// Most contacts of a mesh on a plane.
const MAX_CONTACTS: usize = 3;
/// Contacts keep this part of the mesh's radius away from the first one.
const SPACING: f64 = 0.3;

/// The lowest vertex of the hull, and up to two of its neighbours that are within the margin and not too close to it.
#[doc(alias = "mjc_PlaneConvex")]
pub fn plane_mesh(a: &Posed<'_>, b: &Posed<'_>, margin: f64, out: &mut ContactBuf) {
    let (Shape::Plane { .. }, Shape::Mesh(mesh)) = (&a.shape, &b.shape) else { return };
    let normal = a.axis();
    let down = rotate_t(&b.mat, &-normal);
    let contact = |vertex: Vec3| {
        let dist = normal.dot(&(vertex - a.pos));
        RawContact { dist, pos: vertex - normal * (0.5 * dist), normal, tangent: Vec3::zeros() }
    };

    // the lowest vertex
    let hull = HullGraph::new(mesh.graph);
    let lowest = match &hull {
        Some(hull) => match mesh.search.filter(|search| search.len() == hull.len()) {
            Some(search) => search.climb(0, dot(&down, &search.at(0).0), &down),
            None => climb(mesh, hull, &down),
        },
        None => scan(mesh, &down),
    };
    let vertex = |id: Option<usize>| id.and_then(|id| mesh.vert.get(id));
    let Some(deepest) = vertex(hull.map_or(Some(lowest), |hull| hull.vertex(lowest))) else { return };
    let first = contact(b.to_world(&point(deepest)));
    if first.dist > margin || !out.push(first) {
        return;
    }

    // others within the margin
    let level = normal.dot(&(b.pos - a.pos)) - margin;
    let mut count = 1;
    let mut consider = |vertex: Option<&[f32; 3]>| {
        if let Some(vertex) = vertex.filter(|v| along(&down, v) > level)
            && count < MAX_CONTACTS
        {
            let world = b.to_world(&point(vertex));
            if (world - first.pos).norm() >= SPACING * mesh.rbound {
                out.push(contact(world));
                count += 1;
            }
        }
    };
    match &hull {
        Some(hull) => hull.neighbours(lowest).for_each(|id| consider(vertex(hull.vertex(id)))),
        None => (0..mesh.vert.len()).filter(|id| *id != lowest).for_each(|id| consider(vertex(Some(id)))),
    }
}

/// Hull vertex farthest in a direction, found by walking from vertex to vertex.
fn climb(mesh: &MeshView<'_>, hull: &HullGraph<'_>, dir: &Vec3) -> usize {
    let value = |id: usize| hull.vertex(id).and_then(|v| mesh.vert.get(v)).map_or(f64::MIN, |v| along(dir, v));
    let mut best = 0;
    let mut max = value(best);
    loop {
        let from = best;
        for next in hull.neighbours(from) {
            let value = value(next);
            if value > max {
                (best, max) = (next, value);
            }
        }
        if best == from {
            return best;
        }
    }
}

/// Mesh vertex farthest in a direction; the first of equal ones.
fn scan(mesh: &MeshView<'_>, dir: &Vec3) -> usize {
    let mut best = (0, -1e10);
    for (id, vertex) in mesh.vert.iter().enumerate() {
        let value = along(dir, vertex);
        if value > best.1 {
            best = (id, value);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use crate::testing::*;
    use crate::{MeshView, Shape};

    /// A cube without a graph, half size 0.1.
    fn cube() -> (Vec<[f32; 3]>, f64) {
        let side = |i: usize, k: usize| if i >> k & 1 == 1 { 0.1 } else { -0.1 };
        ((0..8).map(|i| [side(i, 0), side(i, 1), side(i, 2)]).collect(), 0.1 * 3.0_f64.sqrt())
    }

    #[test]
    fn a_cube_has_three_contacts_that_are_apart() {
        let (vert, rbound) = cube();
        let mesh = MeshView { vert: &vert, rbound, ..MeshView::default() };
        let contacts = run(&plane(), &at(Shape::Mesh(&mesh), [0.0, 0.0, 0.09]), 0.0);
        let h = f64::from(0.1_f32);
        let want = [[-h, -h], [h, -h], [-h, h]];
        assert_contacts(&contacts, &want.map(|[x, y]| (0.09 - h, [x, y, (0.09 - h) / 2.0], [0.0, 0.0, 1.0])));
    }

    #[test]
    fn close_vertices_count_once() {
        let (vert, rbound) = cube();
        let mesh = MeshView { vert: &vert, rbound: 10.0 * rbound, ..MeshView::default() };
        assert_eq!(run(&plane(), &at(Shape::Mesh(&mesh), [0.0, 0.0, 0.09]), 0.0).len(), 1);
    }

    #[test]
    fn no_vertices_no_contact() {
        let mesh = MeshView::default();
        assert!(run(&plane(), &at(Shape::Mesh(&mesh), [0.0, 0.0, -1.0]), 0.0).is_empty());
    }

    #[test]
    fn a_walk_on_a_broken_graph_ends() {
        let (vert, rbound) = cube();
        let graph = [2, 1, 0, 2, 7, 900, 1, 1, 0, 0, 0];
        let mesh = MeshView { vert: &vert, rbound, graph: &graph, ..MeshView::default() };
        let contacts = run(&plane(), &at(Shape::Mesh(&mesh), [0.0; 3]), 0.0);
        assert!(contacts.len() <= 3);
    }
}
