//! Several contact points where a face or an edge of one polyhedron lies on a face of another.
//!
//! The final face of the penetration search names up to three corners of each body. From these come the body faces (or
//! edges) that could touch; when two are aligned, one is clipped against the other.
//!
//! MuJoCo: `multicontact` in `engine_collision_gjk.c`.

use sim_types::Vec3;

use super::clip::{Clipper, Piece};
use super::feature::{Corners, Feature, Features};
use super::object::Object;
use super::polytope::Polytope;
use super::vec::{dot, norm};

/// Cosine of the largest angle between faces that count as parallel.
pub(super) const FACE_TOL: f64 = 0.99999872;
/// Sine of the largest angle between an edge and a face that count as parallel.
const EDGE_TOL: f64 = 0.00159999931;
/// Faces around a vertex, and vertices of a face, beyond this number are ignored.
pub(super) const MAX_POLYVERT: usize = 150;

/// Memory of this module, kept from query to query.
#[derive(Clone, Debug, Default)]
pub(super) struct Workspace {
    features: [Features; 2],
    edges: Features,
    outlines: [Vec<Vec3>; 2],
    clipper: Clipper,
}

impl Workspace {
    /// Points on the second body's side of the contact region, and the vector from the first body's side to it.
    ///
    /// `x1` and `x2` are the nearest points of the single contact. `None` when there is no flat region: the single
    /// contact stands.
    pub(super) fn region(
        &mut self,
        polytope: &Polytope,
        face: u32,
        objects: [&Object<'_>; 2],
        witness: (Vec3, Vec3),
        most: usize,
    ) -> Option<(&[Vec3], Vec3)> {
        let vertices = polytope.faces[face as usize].corners().map(|i| &polytope.verts[i as usize]);
        let corners1 = Corners::new(vertices.map(|v| (v.i1, v.p1)));
        let corners2 = Corners::new(vertices.map(|v| (v.i2, v.p2)));
        let dir = witness.1 - witness.0;
        let depth = norm(&dir);

        // faces that could touch
        self.features[0].faces(objects[0], &corners1, &-dir);
        self.features[1].faces(objects[1], &corners2, &dir);
        let [faces1, faces2] = &self.features;
        let [outline1, outline2] = &mut self.outlines;

        // two faces towards each other
        if let Some((f1, f2)) = facing(&faces1.list, &faces2.list) {
            super::feature::outline(objects[0], f1.id, outline1);
            super::feature::outline(objects[1], f2.id, outline2);
            let shift = f2.dir * depth;
            let piece = Piece { subject: outline2, window: outline1, normal: f1.dir };
            return self.clipper.clip(&piece, most).map(|points| (points, shift));
        }

        // an edge of the body with the smaller feature along a face of the other
        let first = corners1.dim < 3 && corners1.dim <= corners2.dim;
        if !first && corners2.dim == 3 {
            return None;
        }
        let (edged, corners, faces, other) = if first {
            (objects[0], &corners1, faces2, objects[1])
        } else {
            (objects[1], &corners2, faces1, objects[0])
        };
        self.edges.edges(edged, corners);
        let (edge, side) = grazing(&self.edges.list, &faces.list)?;
        outline1.clear();
        outline1.extend([corners.point[0], edge.end]);
        super::feature::outline(other, side.id, outline2);
        let shift = side.dir * if first { depth } else { -depth };
        let piece = Piece { subject: outline1, window: outline2, normal: side.dir };
        self.clipper.clip(&piece, most).map(|points| (points, shift))
    }
}

/// The first two faces whose normals are opposite.
fn facing<'a>(faces1: &'a [Feature], faces2: &'a [Feature]) -> Option<(&'a Feature, &'a Feature)> {
    faces1.iter().find_map(|f1| faces2.iter().find(|f2| dot(&f1.dir, &f2.dir) < -FACE_TOL).map(|f2| (f1, f2)))
}

/// The first face, and the first edge parallel to it.
fn grazing<'a>(edges: &'a [Feature], faces: &'a [Feature]) -> Option<(&'a Feature, &'a Feature)> {
    faces.iter().find_map(|f| edges.iter().find(|e| dot(&e.dir, &f.dir).abs() < EDGE_TOL).map(|e| (e, f)))
}
