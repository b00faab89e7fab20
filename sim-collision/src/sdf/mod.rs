//! Signed distance fields against every other shape.
//!
//! Both shapes are fields here: the distance from any point, negative inside. Starting from points spread over the common
//! box, a descent looks for where the fields overlap; each end point with both fields below zero is a contact, on the
//! surface midway between the shapes. Many contacts may lie close together: they are not merged.
//!
//! A field comes from a mesh (an octree of distances, as MuJoCo makes it) or from numbers on a grid that a program
//! supplies ([`SdfGrid`], which MuJoCo does not have).
//!
//! MuJoCo: `engine_collision_sdf.c`.

mod descent;
mod field;
mod grid;
mod octree;
mod pose;
#[cfg(test)]
mod tests;

pub use grid::{GridError, GridView, SdfGrid};
pub use octree::OctreeView;

use sim_types::Vec3;

use crate::convex::{ConvexOptions, ConvexScratch};
use crate::pair::plane_mesh;
use crate::{ContactBuf, MAX_PAIR_CONTACTS, MeshView, Posed, RawContact, Shape, make_frame};
use descent::{Goal, Overlap};
use field::{Field, Memory, bounds};
use octree::Last;
use pose::Pose;

/// A shape given by its distance field.
#[derive(Clone, Copy, Debug)]
pub struct SdfView<'a> {
    /// The distances.
    pub source: SdfSource<'a>,
    /// Centre and half sizes of the box around the shape.
    pub aabb: [f64; 6],
    /// The mesh that the field was made from, for contacts with planes.
    pub mesh: Option<&'a MeshView<'a>>,
}

/// Where the distances of a field come from.
#[derive(Clone, Copy, Debug)]
pub enum SdfSource<'a> {
    /// A mesh.
    Octree(OctreeView<'a>),
    /// A program.
    Grid(GridView<'a>),
}

impl SdfView<'_> {
    /// Distance of a point in the shape's frame, negative inside.
    pub fn distance(&self, p: &Vec3) -> f64 {
        self.distance_near(p, &mut Last::default())
    }

    /// [`distance`](Self::distance), beginning at the last leaf of an octree.
    fn distance_near(&self, p: &Vec3, last: &mut Last) -> f64 {
        match &self.source {
            SdfSource::Octree(octree) => octree.distance_near(p, last),
            SdfSource::Grid(grid) => grid.distance(p),
        }
    }

    /// Direction in which the distance grows. Its length is one only approximately, and for an octree not even that: see
    /// [`OctreeView::gradient`].
    pub fn gradient(&self, p: &Vec3) -> Vec3 {
        self.gradient_near(p, &mut Last::default())
    }

    /// [`gradient`](Self::gradient), beginning at the last leaf of an octree.
    fn gradient_near(&self, p: &Vec3, last: &mut Last) -> Vec3 {
        match &self.source {
            SdfSource::Octree(octree) => octree.gradient_near(p, last),
            SdfSource::Grid(grid) => grid.gradient(p),
        }
    }
}

/// Distance of a point in a shape's frame, negative inside; `None` for an empty mesh or terrain.
#[doc(alias = "mjc_distance")]
pub fn distance(shape: &Shape<'_>, p: &Vec3, options: &ConvexOptions, scratch: &mut ConvexScratch) -> Option<f64> {
    Field::new(shape, options).map(|field| field.distance(p, &mut Memory::default(), scratch))
}

/// Contacts of any shape (the first) with a distance field (the second). Distances beyond zero are not reported: there
/// is no margin here.
///
/// A plane meets the mesh that an octree was made from; a height field meets grids only, as octrees and height fields do
/// not collide in MuJoCo. A mesh meets a grid with its hull, and an octree as MuJoCo has it ([`MeshField`](crate::MeshField)).
#[doc(alias = "mjc_SDF")]
pub fn sdf_collide(
    a: &Posed<'_>,
    b: &Posed<'_>,
    margin: f64,
    options: &ConvexOptions,
    scratch: &mut ConvexScratch,
    out: &mut ContactBuf,
) {
    let Shape::Sdf(sdf) = b.shape else { return };
    let from_mesh = matches!(sdf.source, SdfSource::Octree(_));
    match (&a.shape, sdf.mesh) {
        (Shape::Plane { .. }, Some(mesh)) if from_mesh => {
            return plane_mesh(a, &Posed { shape: Shape::Mesh(mesh), ..*b }, margin, out);
        }
        (Shape::Plane { .. } | Shape::Hfield(_), _) if from_mesh => return,
        _ => {}
    }

    // the fields, and the box that both shapes share, in the frame of the first
    let (pose1, pose2) = (Pose::new(a), Pose::new(b));
    let (to_first, to_second) = (pose2.seen_from(&pose1), pose1.seen_from(&pose2));
    let Some((low, high)) = common_box(&bounds(&a.shape), &sdf.aabb, &to_first) else { return };
    let field1 = match a.shape {
        Shape::Mesh(mesh) if from_mesh => Some(Field::of_mesh(a, mesh)),
        _ => Field::new(&a.shape, options),
    };
    let Some(field1) = field1 else { return };
    let mut overlap = Overlap::new(Field::Sdf(sdf), field1, to_first, scratch);

    // descend from points of a Halton sequence
    let still = pose1.seen_from(&pose1);
    let mut known = [Vec3::zeros(); MAX_PAIR_CONTACTS];
    let start = out.len();
    for i in 0..options.sdf_initpoints {
        let spread = Vec3::new(halton(i, 2), halton(i, 3), halton(i, 5));
        let x = low + (high - low).component_mul(&spread);
        let mut x = to_second.apply(&still.apply(&x));
        overlap.descend(Goal::Overlap, &mut x, options.sdf_iterations);
        let dist = overlap.descend(Goal::Intersection, &mut x, 1);

        // keep what is inside both and not known yet
        let count = out.len() - start;
        if dist > 0.0 || dist.is_nan() || known[..count].iter().any(|p| (x - p).norm() < sim_types::MINVAL) {
            continue;
        }
        let frame = make_frame(&pose2.rotate(&-overlap.middle_normal(&x)), &Vec3::zeros());
        let normal: Vec3 = frame.row(0).transpose();
        let pos = pose2.rotate(&x) + pose2.pos + normal * (-dist / 2.0);
        if out.push(RawContact { dist, pos, normal, tangent: frame.row(1).transpose() }) {
            known[count] = x;
        }
        if out.len() - start == MAX_PAIR_CONTACTS {
            return;
        }
    }
}

/// Low and high corner of the common part of two boxes (centre and half sizes), the second moved by a pose.
fn common_box(box1: &[f64; 6], box2: &[f64; 6], to_first: &pose::Transform) -> Option<(Vec3, Vec3)> {
    let corner = |b: &[f64; 6], i: usize| {
        let side = |k: usize| if i & (1 << k) == 0 { b[k] - b[3 + k] } else { b[k] + b[3 + k] };
        Vec3::new(side(0), side(1), side(2))
    };
    let (mut low2, mut high2) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    for i in 0..8 {
        let v = to_first.apply(&corner(box2, i));
        (low2, high2) = (low2.inf(&v), high2.sup(&v));
    }
    let (low, high) = (corner(box1, 0).sup(&low2), corner(box1, 7).inf(&high2));
    (low.x <= high.x && low.y <= high.y && low.z <= high.z).then_some((low, high))
}

/// The Halton sequence: digits of the index in a base, mirrored behind the point.
#[doc(alias = "mju_Halton")]
fn halton(index: usize, base: usize) -> f64 {
    let (mut rest, mut sum, b) = (index, 0.0, base as f64);
    let mut weight = 1.0 / b;
    while rest > 0 {
        sum += weight * (rest % base) as f64;
        weight /= b;
        rest /= base;
    }
    sum
}
