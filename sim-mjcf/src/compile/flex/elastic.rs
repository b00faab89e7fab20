//! Elastic constants of triangles and tetrahedra, in terms of the squared lengths of their edges.

use super::topology::Flap;
use crate::spec;
use sim_types::{Mat3, OptId, Vec3};

/// Faces of a tetrahedron whose normals span the strain.
const FACES: [[usize; 3]; 4] = [[2, 1, 0], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

/// For each edge of a tetrahedron, the two faces that do not touch it.
const AWAY: [[usize; 2]; 6] = [[2, 3], [1, 3], [2, 1], [1, 0], [0, 2], [0, 3]];

/// Stiffness against stretching: the upper triangle of the metric between edges, by rows.
#[doc(alias = "ComputeStiffness")]
pub(super) fn stretch(stiffness: &mut [[f64; 21]], elem: &[u32], vertxpos: &[Vec3], spec: &spec::Flex) {
    let sheet = spec.dim == 2 && spec.elastic2d.stretches() && spec.thickness > 0.0;
    if !sheet && spec.dim != 3 {
        return;
    }
    let corners = spec.dim as usize + 1;
    let (young, poisson) = (spec.young, spec.poisson);
    for (out, e) in stiffness.iter_mut().zip(elem.chunks_exact(corners)) {
        let x: Vec<Vec3> = e.iter().map(|v| vertxpos[*v as usize]).collect();
        let (basis, volume, thickness) = match x.as_slice() {
            [a, b, c] => triangle([*a, *b, *c], spec.thickness),
            [a, b, c, d] => tetrahedron([*a, *b, *c, *d]),
            _ => continue,
        };
        let mu = young / (2.0 * (1.0 + poisson)) * volume.abs() / 4.0 * thickness;
        let lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)) * volume.abs() / 4.0 * thickness;
        let mut next = out.iter_mut();
        for (i, a) in basis.iter().enumerate() {
            for (b, entry) in basis[i..].iter().zip(&mut next) {
                *entry = mu * (a * b).trace() + lambda * a.trace() * b.trace();
            }
        }
    }
}

/// Strain of a triangle per change of each edge, its area and thickness.
fn triangle(x: [Vec3; 3], thickness: f64) -> (Vec<Mat3>, f64, f64) {
    let area = unit_normal(&(x[1] - x[0]).cross(&(x[2] - x[0]))).1 / 2.0;
    let side = [[1, 2], [2, 0], [0, 1]];
    let basis = (0..3).map(|edge| {
        let (left, right) = (side[(edge + 1) % 3], side[(edge + 2) % 3]);
        let (l, r) = (x[left[0]] - x[left[1]], x[right[1]] - x[right[0]]);
        let normal = unit_normal(&r.cross(&l)).0;
        let (l, r) = (normal.cross(&l), r.cross(&normal));
        (l * r.transpose() + r * l.transpose()) / (8.0 * area * area)
    });
    (basis.collect(), area, thickness)
}

/// Strain of a tetrahedron per change of each edge, and its volume; the thickness makes up for a quarter.
fn tetrahedron(x: [Vec3; 4]) -> (Vec<Mat3>, f64, f64) {
    let volume = (x[1] - x[0]).cross(&(x[2] - x[0])).dot(&(x[3] - x[0])) / 6.0;
    let normal = FACES.map(|[a, b, c]| (x[b] - x[a]).cross(&(x[c] - x[a])));
    let basis = AWAY.map(|[l, r]| {
        let (l, r) = (normal[l], normal[r]);
        (l * r.transpose() + r * l.transpose()) / (72.0 * volume * volume)
    });
    (basis.to_vec(), volume, 4.0)
}

/// Stiffness against bending: a matrix between the four vertices at an edge, and the part of a curved rest shape.
///
/// Wardetzky et al., *Discrete Quadratic Curvature Energies*; Garg et al., *Cubic Shells*.
#[doc(alias = "ComputeBending")]
pub(super) fn bend(bending: &mut [[f64; 17]], flaps: &[Flap], vertxpos: &[Vec3], spec: &spec::Flex) {
    let mu = spec.young / (2.0 * (1.0 + spec.poisson));
    for (out, flap) in bending.iter_mut().zip(flaps) {
        let [Some(v2), Some(v3)] = flap.opposite.map(OptId::get) else { continue };
        let [v0, v1] = flap.ends.map(|v| vertxpos[v as usize]);
        let (v2, v3) = (vertxpos[v2], vertxpos[v3]);
        let (a01, a02) = (cot(&v0, &v1, &v2), cot(&v0, &v3, &v1));
        let (a03, a04) = (cot(&v1, &v2, &v0), cot(&v1, &v0, &v3));
        let c = [a03 + a04, a01 + a02, -(a01 + a03), -(a02 + a04)];
        let area = (v1 - v0).cross(&(v2 - v0)).norm() / 2.0 + (v0 - v1).cross(&(v3 - v1)).norm() / 2.0;
        let stiffness = 3.0 * mu * (spec.thickness * spec.thickness * spec.thickness) / (24.0 * area);

        // angle between both triangles
        let (e0, e1, e2, e3, e4) = (v1 - v0, v2 - v0, v3 - v0, v2 - v1, v3 - v1);
        let (t0, t1) = (-(e1 * a03 + e3 * a01), -(e2 * a04 + e4 * a02));
        let squared = e0.dot(&e0);
        let cosine = -t0.dot(&t1) / squared;
        for (k, entry) in out[..16].iter_mut().enumerate() {
            *entry = c[k / 4] * c[k % 4] * cosine * stiffness;
        }
        out[16] = e0.cross(&e1).dot(&e2) * (a01 - a03) * (a04 - a02) * stiffness / (squared * squared.sqrt());
    }
}

/// Cotangent of the angle at `a` between `b` and `c`.
fn cot(a: &Vec3, b: &Vec3, c: &Vec3) -> f64 {
    let (b, c) = (b - a, c - a);
    b.dot(&c) / b.cross(&c).norm()
}

/// A vector at length one and its length, by the rules of the compiler.
fn unit_normal(v: &Vec3) -> (Vec3, f64) {
    let mut unit = *v;
    let length = crate::compile::pose::normalize(unit.as_mut_slice());
    (unit, length)
}
