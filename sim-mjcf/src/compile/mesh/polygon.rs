//! Faces that lie in one plane, joined to the polygons that contacts are made of.
//!
//! Faces are grouped by normal alone. Parallel sides therefore share a group and fall apart again by connectivity: a
//! group keeps the edges that no second face has crossed, and the islands they belong to. The comparison of normals has
//! a tolerance and is no order, so which faces meet depends on the shape of the search tree: [`tree::Tree`] is the
//! red-black tree that MuJoCo's set is.

mod group;
mod tree;

use super::Lists;
use group::Group;
use sim_types::Vec3;
use std::collections::HashMap;

/// The polygons of a mesh as vertex lists, in MuJoCo's order.
#[doc(alias = "mjCMesh::MakePolygons")]
pub(super) fn make(vert: &[Vec3], face: &[[u32; 3]]) -> Lists {
    let mut groups: Vec<Group> = Vec::new();
    let mut tree = tree::Tree::default();
    for f in face {
        let normal = normal(vert, *f);
        match tree.find(&normal) {
            Some(group) => groups[group].insert(*f),
            None if tree.insert(normal, groups.len()) => groups.push(Group::new(*f)),
            None => {}
        }
    }
    let mut polygons = Lists::default();
    for group in tree.in_order() {
        groups[group].paths(&mut polygons);
    }
    polygons
}

/// The normal of every polygon, from its first three vertices.
#[doc(alias = "mjCMesh::MakePolygonNormals")]
pub(super) fn normals(vert: &[Vec3], polygons: &Lists) -> Vec<Vec3> {
    polygons.iter().map(|p| normal(vert, [p[0], p[1], p[2]])).collect()
}

/// The unit normal of a triangle; not finite for one without area, as in MuJoCo.
#[doc(alias = "mjuu_makenormal")]
fn normal(vert: &[Vec3], f: [u32; 3]) -> Vec3 {
    let [a, b, c] = f.map(|v| vert[v as usize]);
    let normal = (b - a).cross(&(c - a));
    let norm = normal.dot(&normal).sqrt();
    if norm < super::super::pose::EPS { Vec3::x() / norm } else { normal / norm }
}

/// Positions of edges by their first vertex, used to follow an outline.
type Starts = HashMap<(usize, u32), usize>;

#[cfg(test)]
mod tests;
