//! Faces and edges of boxes and meshes around the corners that a penetration search ended with.

use sim_types::Vec3;

use super::multicontact::{FACE_TOL, MAX_POLYVERT};
use super::object::{Body, Object};
use super::vec::{dot, normalized, rotate, rotate_t};
use crate::MeshView;
use crate::hull_graph::point;

/// Up to three corners of one body that span a point, an edge or a face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corners {
    /// Numbers of the corners; the first `dim` are distinct.
    pub(super) id: [i32; 3],
    /// Where they are.
    pub(super) point: [Vec3; 3],
    /// How many there are.
    pub(super) dim: usize,
}

impl Corners {
    /// Counts distinct corners and moves them to the front.
    pub(super) fn new(corners: [(i32, Vec3); 3]) -> Self {
        let mut id = corners.map(|c| c.0);
        let mut point = corners.map(|c| c.1);
        let dim = if id[0] != id[1] {
            if id[2] == id[0] || id[2] == id[1] { 2 } else { 3 }
        } else if id[0] != id[2] {
            (id[1], point[1]) = (id[2], point[2]);
            2
        } else {
            1
        };
        Self { id, point, dim }
    }
}

/// A face by its outward normal, or an edge by its direction.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Feature {
    /// Unit normal or direction.
    pub(super) dir: Vec3,
    /// Which face of the body.
    pub(super) id: usize,
    /// Far end of an edge.
    pub(super) end: Vec3,
}

/// A list of faces or edges; its memory is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Features {
    pub(super) list: Vec<Feature>,
}

impl Features {
    /// Collects the faces that contain all the corners. `outward` helps a box whose corners span no face.
    pub(super) fn faces(&mut self, object: &Object<'_>, corners: &Corners, outward: &Vec3) {
        self.list.clear();
        match object.body {
            Body::Box { .. } => self.box_faces(object, corners, outward),
            _ => {
                if let Some(mesh) = object.mesh() {
                    self.mesh_faces(object, mesh, corners);
                }
            }
        }
    }

    /// Collects the edge between two corners, or all edges at one.
    pub(super) fn edges(&mut self, object: &Object<'_>, corners: &Corners) {
        self.list.clear();
        let from = corners.point[0];
        if corners.dim == 2 {
            self.push_edge(&from, corners.point[1]);
            return;
        }
        match object.body {
            Body::Box { size } => {
                let corner = box_corner(&size, corners.id[0]);
                for axis in 0..3 {
                    let mut end = corner;
                    end[axis] = -end[axis];
                    self.push_edge(&from, to_world(object, &end));
                }
            }
            _ => {
                if let Some(mesh) = object.mesh() {
                    self.mesh_edges(object, mesh, corners.id[0] as usize, &from);
                }
            }
        }
    }

    fn push_edge(&mut self, from: &Vec3, end: Vec3) {
        self.list.push(Feature { dir: normalized(&(end - from)), id: 0, end });
    }

    fn push_face(&mut self, object: &Object<'_>, normal: &Vec3, id: usize) {
        self.list.push(Feature { dir: rotate(&object.mat, normal), id, end: Vec3::zeros() });
    }

    /// Faces of a box: the sides on which all corners agree.
    fn box_faces(&mut self, object: &Object<'_>, corners: &Corners, outward: &Vec3) {
        let id = &corners.id[..corners.dim];
        for axis in 0..3 {
            let bit = 1 << axis;
            let low = id.iter().all(|i| i & bit == 0);
            if low || id.iter().all(|i| i & bit != 0) {
                let mut normal = Vec3::zeros();
                normal[axis] = if low { -1.0 } else { 1.0 };
                self.push_face(object, &normal, 2 * axis + usize::from(low));
            }
        }

        // corners of a diagonal: take the side that the contact direction points to
        if self.list.len() + corners.dim != 4 {
            self.list.clear();
            let local = rotate_t(&object.mat, outward);
            let local = local * (1.0 / dot(&local, &local).sqrt());
            for side in 0..6 {
                let mut normal = Vec3::zeros();
                normal[side / 2] = if side % 2 == 0 { 1.0 } else { -1.0 };
                if dot(&local, &normal) > FACE_TOL {
                    self.push_face(object, &normal, side);
                    return;
                }
            }
        }
    }

    /// Polygons of a mesh that contain all the corners.
    fn mesh_faces(&mut self, object: &Object<'_>, mesh: &MeshView<'_>, corners: &Corners) {
        let [around0, around1, around2] = corners.id.map(|id| polygons_around(mesh, id as usize));
        match corners.dim {
            1 => {
                for p in around0.iter().take(MAX_POLYVERT) {
                    self.push_polygon(object, mesh, *p);
                }
            }
            2 => {
                for p in around0.iter().filter(|p| around1.contains(p)).take(2) {
                    self.push_polygon(object, mesh, *p);
                }
            }
            _ => {
                let mut shared = around0.iter().filter(|p| around1.contains(p)).take(2);
                if let Some(p) = shared.find(|p| around2.contains(p)) {
                    self.push_polygon(object, mesh, *p);
                }
            }
        }
    }

    fn push_polygon(&mut self, object: &Object<'_>, mesh: &MeshView<'_>, polygon: u32) {
        if let Some(normal) = mesh.polygons.normal.get(polygon as usize) {
            self.push_face(object, normal, polygon as usize);
        }
    }

    /// From a mesh vertex to the vertex before it in each polygon around it.
    fn mesh_edges(&mut self, object: &Object<'_>, mesh: &MeshView<'_>, vertex: usize, from: &Vec3) {
        for p in polygons_around(mesh, vertex).iter().take(MAX_POLYVERT) {
            let polygon = polygon_verts(mesh, *p as usize);
            let Some(at) = polygon.iter().position(|v| *v as usize == vertex) else { continue };
            let before = polygon[if at == 0 { polygon.len() - 1 } else { at - 1 }];
            if let Some(end) = mesh_vertex(mesh, before) {
                self.push_edge(from, to_world(object, &end));
            }
        }
    }
}

/// Writes the outline of a face, seen from outside clockwise.
pub(super) fn outline(object: &Object<'_>, face: usize, out: &mut Vec<Vec3>) {
    out.clear();
    if let Body::Box { size } = object.body {
        let signs = BOX_OUTLINES.get(face).copied().unwrap_or_default();
        out.extend(signs.map(|corner| to_world(object, &box_corner(&size, corner))));
    } else if let Some(mesh) = object.mesh() {
        let verts = polygon_verts(mesh, face);
        let verts = &verts[..verts.len().min(MAX_POLYVERT)];
        out.extend(verts.iter().rev().filter_map(|v| mesh_vertex(mesh, *v)).map(|v| to_world(object, &v)));
    }
}

/// Corners around each side of a box, +x −x +y −y +z −z; bit `k` of a corner is set on the positive side of axis `k`.
const BOX_OUTLINES: [[i32; 4]; 6] =
    [[7, 3, 1, 5], [2, 6, 4, 0], [2, 3, 7, 6], [4, 5, 1, 0], [6, 7, 5, 4], [3, 2, 0, 1]];

/// A corner of a box in its own frame.
fn box_corner(size: &Vec3, corner: i32) -> Vec3 {
    let side = |axis: usize| if corner & (1 << axis) == 0 { -size[axis] } else { size[axis] };
    Vec3::new(side(0), side(1), side(2))
}

/// A mesh vertex in the mesh's frame.
fn mesh_vertex(mesh: &MeshView<'_>, vertex: u32) -> Option<Vec3> {
    mesh.vert.get(vertex as usize).map(point)
}

/// Polygons around a mesh vertex; empty when the mesh has none.
fn polygons_around<'a>(mesh: &MeshView<'a>, vertex: usize) -> &'a [u32] {
    let p = &mesh.polygons;
    match (p.mapadr.get(vertex), p.mapnum.get(vertex)) {
        (Some(adr), Some(num)) => p.map.get(*adr as usize..).and_then(|m| m.get(..*num as usize)).unwrap_or(&[]),
        _ => &[],
    }
}

/// Vertices of a polygon; empty when there is no such polygon.
fn polygon_verts<'a>(mesh: &MeshView<'a>, polygon: usize) -> &'a [u32] {
    let p = &mesh.polygons;
    match (p.vertadr.get(polygon), p.vertnum.get(polygon)) {
        (Some(adr), Some(num)) => p.vert.get(*adr as usize..).and_then(|v| v.get(..*num as usize)).unwrap_or(&[]),
        _ => &[],
    }
}

fn to_world(object: &Object<'_>, local: &Vec3) -> Vec3 {
    rotate(&object.mat, local) + object.pos
}
