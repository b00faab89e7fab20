//! A convex object: the farthest point in a direction, and what is remembered between two such questions.
//!
//! Meshes start the search where the last one ended. This is not only faster: when several vertices are equally far,
//! the start decides which one is found.

use sim_types::{Mat3, Vec3};

use super::vec::{MINVAL2, dot, rotate, rotate_t};
use crate::hull_graph::{HullGraph, along, climb, point};
use crate::hull_search::{FEW, HullSearch};
use crate::{MeshView, Posed, Shape, wide};

/// What kind of convex body an [`Object`] is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Body<'a> {
    /// A point.
    Point,
    /// A ball.
    Sphere { radius: f64 },
    /// A cylinder along z with round ends.
    Capsule { radius: f64, half: f64 },
    /// An ellipsoid.
    Ellipsoid { size: Vec3 },
    /// A cylinder along z.
    Cylinder { radius: f64, half: f64 },
    /// A box.
    Box { size: Vec3 },
    /// The hull of a mesh of few vertices, searched vertex by vertex.
    Few { mesh: &'a MeshView<'a>, vert: &'a [Vec3] },
    /// The hull of a mesh without a graph, or without a layout, searched vertex by vertex.
    Many(&'a MeshView<'a>),
    /// The hull of a mesh, searched along its edges as they are laid out.
    Climb { mesh: &'a MeshView<'a>, search: &'a HullSearch },
    /// The hull of a mesh, searched along the edges of its graph.
    Hull { mesh: &'a MeshView<'a>, graph: HullGraph<'a> },
    /// A vertical prism of a height field: three points at the bottom, three at the top, in the world.
    Prism(&'a [Vec3; 6]),
}

/// A convex body with a pose, inflated by half its margin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object<'a> {
    pub(crate) body: Body<'a>,
    pub(crate) pos: Vec3,
    pub(crate) mat: Mat3,
    pub(crate) margin: f64,
    /// Whether a ball or capsule is shrunk to its core, a point or segment.
    pub(crate) core: bool,
    /// Corner of a box or vertex of a mesh found last; −1 before the first search and for round shapes.
    pub(crate) vertex: i32,
    /// Hull vertex found last.
    pub(super) hull_vertex: usize,
}

impl<'a> Object<'a> {
    /// The convex body of a shape; `None` for planes, height fields, distance fields and empty meshes.
    pub(crate) fn new(posed: &Posed<'a>, margin: f64) -> Option<Self> {
        let body = match posed.shape {
            Shape::Sphere { radius } => Body::Sphere { radius },
            Shape::Capsule { radius, half } => Body::Capsule { radius, half },
            Shape::Ellipsoid { size } => Body::Ellipsoid { size },
            Shape::Cylinder { radius, half } => Body::Cylinder { radius, half },
            Shape::Box { size } => Body::Box { size },
            Shape::Mesh(mesh) if mesh.vert.is_empty() => return None,
            Shape::Mesh(mesh) => match mesh.search {
                Some(search) if mesh.vert.len() <= FEW && search.few().len() == mesh.vert.len() => {
                    Body::Few { mesh, vert: search.few() }
                }
                _ if mesh.vert.len() <= FEW => Body::Many(mesh),
                Some(search) if search.len() > 0 => Body::Climb { mesh, search },
                _ => match HullGraph::new(mesh.graph) {
                    Some(graph) => Body::Hull { mesh, graph },
                    None => Body::Many(mesh),
                },
            },
            _ => return None,
        };
        Some(Self { body, pos: posed.pos, mat: posed.mat, margin, core: false, vertex: -1, hull_vertex: 0 })
    }

    /// A single point.
    pub(crate) fn point(pos: Vec3) -> Self {
        Self { body: Body::Point, pos, mat: Mat3::identity(), margin: 0.0, core: false, vertex: -1, hull_vertex: 0 }
    }

    /// A prism of a height field; poses of other objects must be in the frame of its points.
    pub(crate) fn prism(points: &'a [Vec3; 6]) -> Self {
        Self {
            body: Body::Prism(points),
            pos: Vec3::zeros(),
            mat: Mat3::identity(),
            margin: 0.0,
            core: false,
            vertex: -1,
            hull_vertex: 0,
        }
    }

    /// A point inside.
    pub(crate) fn center(&self) -> Vec3 {
        match &self.body {
            Body::Prism(p) => (Vec3::zeros() + p[0] + p[1] + p[2] + p[3] + p[4] + p[5]) * (1.0 / 6.0),
            _ => self.pos,
        }
    }

    /// The mesh, if it is one.
    pub(crate) fn mesh(&self) -> Option<&'a MeshView<'a>> {
        match self.body {
            Body::Few { mesh, .. } | Body::Many(mesh) | Body::Climb { mesh, .. } | Body::Hull { mesh, .. } => {
                Some(mesh)
            }
            _ => None,
        }
    }

    /// True for bodies with corners only, where a search ends after finitely many steps.
    pub(crate) fn is_discrete(&self) -> bool {
        self.margin == 0.0
            && matches!(
                self.body,
                Body::Box { .. }
                    | Body::Few { .. }
                    | Body::Many(_)
                    | Body::Climb { .. }
                    | Body::Hull { .. }
                    | Body::Prism(_)
            )
    }

    /// The farthest point in the unit direction `dir`, margin included.
    #[inline(always)]
    pub(crate) fn support(&mut self, dir: &Vec3) -> Vec3 {
        let point = self.bare_support(dir);
        if self.margin > 0.0 { point + dir * (0.5 * self.margin) } else { point }
    }

    /// [`support`](Self::support), unless that takes a walk: then how far the farthest point is from the object's origin
    /// along `dir`, or infinity when that is not known either.
    #[inline(always)]
    pub(super) fn quick_support(&mut self, dir: &Vec3) -> Result<Vec3, f64> {
        let Body::Climb { search, .. } = self.body else { return Ok(self.support(dir)) };
        match wide::foremost(search, &rotate_t(&self.mat, dir)) {
            Ok(vertex) => Ok(self.reached(search, vertex, dir)),
            Err(reach) => Err(reach + 0.5 * self.margin),
        }
    }

    /// [`support`](Self::support) where [`quick_support`](Self::quick_support) gave none.
    #[inline(always)]
    pub(super) fn slow_support(&mut self, dir: &Vec3) -> Vec3 {
        let Body::Climb { search, .. } = self.body else { return self.support(dir) };
        self.reached(search, search.walk(self.hull_vertex, &rotate_t(&self.mat, dir)), dir)
    }

    /// The vertex of a hull where a search ended, margin included.
    #[inline(always)]
    fn reached(&mut self, search: &HullSearch, vertex: usize, dir: &Vec3) -> Vec3 {
        let (local, id) = search.at(vertex);
        (self.hull_vertex, self.vertex) = (vertex, id);
        let point = rotate(&self.mat, &local) + self.pos;
        if self.margin > 0.0 { point + dir * (0.5 * self.margin) } else { point }
    }

    /// True for the centre of a ball.
    #[inline]
    pub(super) fn is_centre(&self) -> bool {
        self.core && matches!(self.body, Body::Sphere { .. })
    }

    /// The farthest point in the unit direction `dir`, without margin.
    #[inline(always)]
    pub(crate) fn bare_support(&mut self, dir: &Vec3) -> Vec3 {
        let local = match &self.body {
            Body::Point => return self.pos,
            Body::Sphere { .. } if self.core => return self.pos,
            Body::Sphere { radius } => return dir * *radius + self.pos,
            Body::Capsule { half, .. } if self.core => {
                let axis = Vec3::new(self.mat[(0, 2)], self.mat[(1, 2)], self.mat[(2, 2)]);
                return axis * signed(*half, dot(&axis, dir)) + self.pos;
            }
            Body::Prism(points) => return prism_support(points, dir),
            Body::Capsule { radius, half } => {
                let d = rotate_t(&self.mat, dir);
                Vec3::new(d.x * radius, d.y * radius, d.z * radius + signed(*half, d.z))
            }
            Body::Ellipsoid { size } => {
                let d = rotate_t(&self.mat, dir).component_mul(size);
                let norm2 = dot(&d, &d);
                // too short for a direction: the end of the x axis
                if norm2 < MINVAL2 {
                    Vec3::new(size.x, 0.0, 0.0)
                } else {
                    let inv = 1.0 / norm2.sqrt();
                    Vec3::new(d.x * (inv * size.x), d.y * (inv * size.y), d.z * (inv * size.z))
                }
            }
            Body::Cylinder { radius, half } => {
                let d = rotate_t(&self.mat, dir);
                let norm2 = d.x * d.x + d.y * d.y;
                let scale = if norm2 >= MINVAL2 { radius / norm2.sqrt() } else { 0.0 };
                Vec3::new(scale * d.x, scale * d.y, signed(*half, d.z))
            }
            Body::Box { size } => {
                let d = rotate_t(&self.mat, dir);
                let corner = Vec3::new(signed(size.x, d.x), signed(size.y, d.y), signed(size.z, d.z));
                self.vertex =
                    i32::from(corner.x > 0.0) | i32::from(corner.y > 0.0) << 1 | i32::from(corner.z > 0.0) << 2;
                corner
            }
            Body::Few { .. } | Body::Many(_) | Body::Climb { .. } | Body::Hull { .. } => {
                self.mesh_support(&rotate_t(&self.mat, dir))
            }
        };
        rotate(&self.mat, &local) + self.pos
    }

    /// The vertex of a mesh farthest in the direction `d`, both in the frame of the mesh.
    #[inline(always)]
    fn mesh_support(&mut self, d: &Vec3) -> Vec3 {
        match &self.body {
            Body::Few { vert, .. } => {
                let best = farthest(vert, self.vertex, |v| dot(d, v));
                self.vertex = best as i32;
                vert.get(best).copied().unwrap_or_default()
            }
            Body::Many(mesh) => {
                let best = farthest(mesh.vert, self.vertex, |v| along(d, v));
                self.vertex = best as i32;
                vertex(mesh.vert, best)
            }
            Body::Climb { search, .. } => {
                self.hull_vertex = search.farthest(self.hull_vertex, d);
                let (point, id) = search.at(self.hull_vertex);
                self.vertex = id;
                point
            }
            Body::Hull { mesh, graph } => {
                let (hull_vertex, point) = climb_to(mesh, graph, d, self.hull_vertex);
                self.hull_vertex = hull_vertex;
                self.vertex = graph.vertex(hull_vertex).unwrap_or(0) as i32;
                point
            }
            _ => Vec3::zeros(),
        }
    }
}

/// Best vertex of all, beginning with the one found last, the first on ties.
#[inline]
fn farthest<V>(vert: &[V], last: i32, value: impl Fn(&V) -> f64) -> usize {
    let mut best = usize::try_from(last).unwrap_or(0);
    let mut max = match vert.get(best) {
        Some(v) if last >= 0 => value(v),
        _ => -f64::from(f32::MAX),
    };
    for (i, v) in vert.iter().enumerate() {
        let value = value(v);
        if value > max {
            (best, max) = (i, value);
        }
    }
    best
}

/// Hull vertex at the end of a walk along the hull, and where it is.
fn climb_to(mesh: &MeshView<'_>, graph: &HullGraph<'_>, dir: &Vec3, start: usize) -> (usize, Vec3) {
    let end = climb(graph, start, |i| graph.vertex(i).and_then(|id| mesh.vert.get(id)).map(|v| along(dir, v)));
    (end, vertex(mesh.vert, graph.vertex(end).unwrap_or(0)))
}

/// The best of the three points of the prism that `dir` points to, bottom or top; the first on ties.
#[inline(always)]
pub(crate) fn prism_support(points: &[Vec3; 6], dir: &Vec3) -> Vec3 {
    let first = if dir.z < 0.0 { 0 } else { 3 };
    let [p, q, r] = [0, 1, 2].map(|k: usize| dot(&points[first + k], dir));
    let (best, max) = if q > p { (1, q) } else { (0, p) };
    let best = if r > max { 2 } else { best };
    points[first + best]
}

/// A mesh vertex; the origin when there is no such vertex.
#[inline]
fn vertex(vert: &[[f32; 3]], i: usize) -> Vec3 {
    vert.get(i).map_or_else(Vec3::zeros, point)
}

/// `size` with the sign of `x`; zero counts as positive.
#[inline]
fn signed(size: f64, x: f64) -> f64 {
    if x >= 0.0 { size } else { -size }
}
