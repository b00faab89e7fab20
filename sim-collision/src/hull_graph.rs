//! Neighbours on the convex hull of a mesh.

use sim_types::Vec3;

/// The hull graph of a mesh, taken apart from the layout of `mesh_graph`.
///
/// Hull vertices have ids of their own; [`HullGraph::vertex`] gives the vertex of the mesh.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HullGraph<'a> {
    /// First entry in `neighbours`, per hull vertex.
    edgeadr: &'a [i32],
    /// Mesh vertex, per hull vertex.
    globalid: &'a [i32],
    /// Hull vertices joined by an edge; a negative number ends a list.
    neighbours: &'a [i32],
    /// Three mesh vertices per triangle.
    triangles: &'a [i32],
}

impl<'a> HullGraph<'a> {
    /// Takes the layout apart; `None` when there is no graph or it is cut short.
    pub(crate) fn new(graph: &'a [i32]) -> Option<Self> {
        let (head, rest) = graph.split_at_checked(2)?;
        let (nvert, nface) = (usize::try_from(head[0]).ok()?, usize::try_from(head[1]).ok()?);
        let (edgeadr, rest) = rest.split_at_checked(nvert)?;
        let (globalid, rest) = rest.split_at_checked(nvert)?;
        let corners = nface.checked_mul(3)?;
        let (neighbours, rest) = rest.split_at_checked(nvert.checked_add(corners)?)?;
        let triangles = rest.get(..corners).unwrap_or_default();
        (nvert > 0).then_some(Self { edgeadr, globalid, neighbours, triangles })
    }

    /// Number of hull vertices.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.globalid.len()
    }

    /// Mesh vertex of a hull vertex.
    #[inline]
    pub(crate) fn vertex(&self, hull_id: usize) -> Option<usize> {
        self.globalid.get(hull_id).and_then(|id| usize::try_from(*id).ok())
    }

    /// The triangles of the hull as vertices of the mesh; `None` for one with a vertex that cannot be.
    pub(crate) fn triangles(&self) -> impl Iterator<Item = Option<[usize; 3]>> + use<'a> {
        let vertex = |id: i32| usize::try_from(id).ok();
        self.triangles.chunks_exact(3).map(move |t| Some([vertex(t[0])?, vertex(t[1])?, vertex(t[2])?]))
    }

    /// Hull vertices joined to a hull vertex by an edge.
    #[inline]
    pub(crate) fn neighbours(&self, hull_id: usize) -> impl Iterator<Item = usize> + use<'a> {
        let start = self.edgeadr.get(hull_id).and_then(|adr| usize::try_from(*adr).ok());
        let list = start.and_then(|start| self.neighbours.get(start..)).unwrap_or_default();
        list.iter().map_while(|id| usize::try_from(*id).ok())
    }
}

/// Walks along the edges of a hull from `start` while a neighbour is farther in direction `dir`; returns the last hull
/// vertex. The start itself is not measured, so a walk takes at least one step. `value` measures a hull vertex; `None`
/// ends a list.
///
/// MuJoCo: `mjc_hillclimbSupport`.
#[inline]
pub(crate) fn climb(hull: &HullGraph<'_>, start: usize, value: impl Fn(usize) -> Option<f64>) -> usize {
    let mut best = start;
    let mut max = -f64::from(f32::MAX);
    loop {
        let from = best;
        let list = hull.edgeadr.get(from).and_then(|adr| hull.neighbours.get(*adr as usize..)).unwrap_or_default();
        for next in list {
            // the negative number at the end of a list is no vertex either
            let Some(value) = value(*next as usize) else { break };
            if value > max {
                (best, max) = (*next as usize, value);
            }
        }
        if best == from {
            return best;
        }
    }
}

/// Coordinate of a vertex along a direction.
#[inline]
pub(crate) fn along(dir: &Vec3, vertex: &[f32; 3]) -> f64 {
    dir.x * f64::from(vertex[0]) + dir.y * f64::from(vertex[1]) + dir.z * f64::from(vertex[2])
}

/// A vertex in double precision.
#[inline]
pub(crate) fn point(vertex: &[f32; 3]) -> Vec3 {
    Vec3::new(f64::from(vertex[0]), f64::from(vertex[1]), f64::from(vertex[2]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tetrahedron whose hull vertices are the mesh vertices backwards.
    const GRAPH: [i32; 42] = [
        4, 4, 0, 4, 8, 12, 3, 2, 1, 0, //
        1, 2, 3, -1, 0, 2, 3, -1, 0, 1, 3, -1, 0, 1, 2, -1, //
        0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3, 0, 0, 0, 0,
    ];

    #[test]
    fn a_tetrahedron_comes_apart() {
        let hull = HullGraph::new(&GRAPH).unwrap();
        assert_eq!(hull.vertex(1), Some(2));
        assert_eq!(hull.neighbours(1).collect::<Vec<_>>(), [0, 2, 3]);
        assert_eq!(hull.neighbours(9).count(), 0);
        assert_eq!(hull.vertex(9), None);
    }

    #[test]
    fn broken_graphs_are_no_graphs() {
        assert!(HullGraph::new(&[]).is_none());
        assert!(HullGraph::new(&[-1, 4]).is_none());
        assert!(HullGraph::new(&[i32::MAX, i32::MAX]).is_none());
        assert!(HullGraph::new(&GRAPH[..20]).is_none());
        assert!(HullGraph::new(&[0, 0]).is_none());
    }
}
