//! Convex hulls of points, as MuJoCo's meshes have them.
//!
//! MuJoCo takes its hulls from Qhull, and much that is visible depends on how Qhull works: which of several nearly
//! coplanar points are vertices, how flat sides are cut into triangles, and the order of vertices and edges, which
//! decides where a search over the hull starts and which contacts it finds first. So this is Qhull's algorithm in three
//! dimensions (Barber, Dobkin, Huhdanpaa, *The Quickhull Algorithm for Convex Hulls*, 1996) with its tolerances and its
//! order: the furthest point of the first facet that has one is added; new facets that are not clearly convex are merged
//! with their neighbours; at the end merged facets are cut into triangles.
//!
//! Where rounding makes merging fail, which Qhull would either repair at length or report, the points are moved by a
//! hair and the hull is built without merging.

mod build;
mod cycle;
mod facet;
mod find;
mod initial;
mod joggle;
mod merge;
mod partition;
mod plane;
mod reduce;
mod state;
mod triangulate;

#[cfg(test)]
mod tests;

use sim_types::Vec3;
use state::{Id, State};

/// A convex hull: vertices, triangles, and which vertices are neighbours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hull {
    /// The points that are vertices, in the order in which the hull keeps them.
    pub vertices: Vec<u32>,
    /// For every vertex its neighbours, as places in `vertices`.
    pub edges: Vec<Vec<u32>>,
    /// Triangles of points, counter-clockwise seen from outside.
    pub faces: Vec<[u32; 3]>,
}

/// Why points have no convex hull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HullError {
    /// Fewer than four points.
    TooFew(usize),
    /// A point with a coordinate that is NaN, infinite, or too large to be multiplied.
    NotFinite(usize),
    /// All points in one plane, up to rounding.
    Flat,
    /// Too thin or too twisted for the precision of the coordinates.
    Precision,
    /// So many points in one plane that building takes too long.
    Work,
}

impl std::error::Error for HullError {}

impl std::fmt::Display for HullError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooFew(n) => write!(f, "{n} points, expected 4 or more"),
            Self::NotFinite(i) => write!(f, "point {i} is not finite or too far away"),
            Self::Flat => f.write_str("all points are in one plane"),
            Self::Precision => f.write_str("the points are too thin a shape for the precision of their coordinates"),
            Self::Work => f.write_str("too many points are in one plane"),
        }
    }
}

/// Why a hull could not be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fail {
    /// The points are in one plane.
    Flat,
    /// Rounding made facets meet in a way that no hull has.
    Topology,
    /// Too many points in one plane.
    Work,
}

/// The convex hull of points. With `max_vertices`, building stops when it has that many vertices, 4 at least.
#[doc(alias = "mjCMesh::MakeGraph")]
pub fn convex_hull(points: &[Vec3], max_vertices: Option<usize>) -> Result<Hull, HullError> {
    if points.len() < 4 {
        return Err(HullError::TooFew(points.len()));
    }
    // products of three coordinates must stay finite
    let usable = |x: &f64| x.is_finite() && x.abs() < 1e100;
    if let Some(i) = points.iter().position(|p| !p.iter().all(usable)) {
        return Err(HullError::NotFinite(i));
    }
    let points: Vec<plane::Point> = points.iter().map(|p| [p.x, p.y, p.z]).collect();
    let max_vertices = max_vertices.unwrap_or(usize::MAX);
    let built = match merged_hull(&points, max_vertices) {
        Err(Fail::Topology) => joggle::hull(&points, max_vertices),
        result => result,
    };
    built.map_err(|fail| match fail {
        Fail::Flat => HullError::Flat,
        Fail::Topology => HullError::Precision,
        Fail::Work => HullError::Work,
    })
}

impl Hull {
    /// The layout of `mesh_graph`: numbers of vertices and faces; per vertex the address of its edges, then the point;
    /// edges, each list ended by −1; faces.
    #[doc(alias = "mesh_graph")]
    pub fn graph(&self) -> Vec<i32> {
        let mut graph = vec![self.vertices.len() as i32, self.faces.len() as i32];
        let mut address = 0;
        for edges in &self.edges {
            graph.push(address);
            address += edges.len() as i32 + 1;
        }
        graph.extend(self.vertices.iter().map(|&v| v as i32));
        for edges in &self.edges {
            graph.extend(edges.iter().map(|&v| v as i32));
            graph.push(-1);
        }
        graph.extend(self.faces.iter().flatten().map(|&v| v as i32));
        graph
    }
}

/// Builds a hull with merging.
fn merged_hull(points: &[plane::Point], max_vertices: usize) -> Result<Hull, Fail> {
    let extremes = initial::extremes(points);
    let mut state = State::new(points, initial::tolerance(points, &extremes));
    state.start(&extremes)?;
    state.build(max_vertices)?;
    state.triangulate()?;
    state.find_vertex_neighbors();
    let hull = extract(&state)?;
    check(&hull)?;
    Ok(hull)
}

/// Reads the hull off its facets and vertices.
fn extract(state: &State) -> Result<Hull, Fail> {
    let vertices = state.vertices_from(state.vertex_list);
    let mut place = vec![u32::MAX; state.vertices.len()];
    for (i, &v) in vertices.iter().enumerate() {
        place[v] = i as u32;
    }
    let point = |v: Id| state.vertices[v].point;
    let mut edges = Vec::with_capacity(vertices.len());
    for &v in &vertices {
        let mut around: Vec<u32> = Vec::new();
        for &f in &state.vertices[v].neighbors {
            for &other in &state.facets[f].vertices {
                if other != v && !around.contains(&place[other]) {
                    around.push(place[other]);
                }
            }
        }
        if around.contains(&u32::MAX) {
            return Err(Fail::Topology);
        }
        edges.push(around);
    }
    let mut faces = Vec::with_capacity(state.num_facets);
    for f in state.facets_from(state.facet_list) {
        let &[a, b, c] = state.facets[f].vertices.as_slice() else { return Err(Fail::Topology) };
        let [a, b] = if state.facets[f].top_orient { [b, a] } else { [a, b] };
        faces.push([point(a), point(b), point(c)]);
    }
    Ok(Hull { vertices: vertices.into_iter().map(point).collect(), edges, faces })
}

/// A closed surface: every edge is used once in each sense, and Euler's formula holds.
fn check(hull: &Hull) -> Result<(), Fail> {
    let mut sides: Vec<(u32, u32)> = hull.faces.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
    sides.sort_unstable();
    let closed = sides.windows(2).all(|pair| pair[0] != pair[1])
        && sides.iter().all(|&(a, b)| sides.binary_search(&(b, a)).is_ok());
    let edges: usize = hull.edges.iter().map(Vec::len).sum();
    let euler = hull.faces.len() + 4 == 2 * hull.vertices.len() && edges == 3 * hull.faces.len();
    if closed && euler { Ok(()) } else { Err(Fail::Topology) }
}
