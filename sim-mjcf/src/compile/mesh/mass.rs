//! Volume, centre of mass and inertia of the body that a set of faces encloses.

use super::MeshInertia;
use super::error::MeshError;
use sim_types::{MINVAL, Mat3, Vec3};

/// Area, direction and centre of a triangle; a degenerate one has area zero and no unit direction.
pub(super) struct Triangle {
    pub(super) area: f64,
    pub(super) normal: Vec3,
    pub(super) centre: Vec3,
}

impl Triangle {
    pub(super) fn new(a: &Vec3, b: &Vec3, c: &Vec3) -> Self {
        let centre = (a + b + c) / 3.0;
        let normal = (b - a).cross(&(c - a));
        let len = normal.dot(&normal).sqrt();
        if len < MINVAL {
            return Self { area: 0.0, normal, centre };
        }
        Self { area: 0.5 * len, normal: normal / len, centre }
    }

    fn of(vert: &[Vec3], face: &[u32; 3]) -> Self {
        let [a, b, c] = face.map(|v| vert[v as usize]);
        Self::new(&a, &b, &c)
    }
}

/// The centre of the surface.
#[doc(alias = "mjCMesh::ComputeFaceCentroid")]
pub(super) fn face_centroid(vert: &[Vec3], face: &[[u32; 3]]) -> Result<Vec3, MeshError> {
    let (mut sum, mut total) = (Vec3::zeros(), 0.0);
    for t in face.iter().map(|f| Triangle::of(vert, f)) {
        sum += t.centre * t.area;
        total += t.area;
    }
    if total < MINVAL { Err(MeshError::Area) } else { Ok(sum / total) }
}

/// The centre of mass: of pyramids from the centre of the surface over the faces, or of the faces for a shell.
#[doc(alias = "mjCMesh::ComputeVolume")]
pub(super) fn centre_of_mass(
    vert: &[Vec3],
    face: &[[u32; 3]],
    mode: MeshInertia,
    centroid: &Vec3,
) -> Result<Vec3, MeshError> {
    let (mut sum, mut total) = (Vec3::zeros(), 0.0);
    for t in face.iter().map(|f| Triangle::of(vert, f)) {
        let weight = match mode {
            MeshInertia::Shell => t.area,
            MeshInertia::Legacy => pyramid(&t, centroid).abs(),
            MeshInertia::Convex | MeshInertia::Exact => pyramid(&t, centroid),
        };
        total += weight;
        sum += (t.centre * 3.0 / 4.0 + centroid / 4.0) * weight;
    }
    if total < MINVAL {
        return Err(match mode {
            MeshInertia::Shell => MeshError::Area,
            _ if total < 0.0 => MeshError::InsideOut,
            _ => MeshError::Volume,
        });
    }
    Ok(sum / total)
}

/// Signed volume of the pyramid from `tip` over a triangle.
fn pyramid(t: &Triangle, tip: &Vec3) -> f64 {
    (t.centre - tip).dot(&t.normal) * t.area / 3.0
}

/// Inertia about `com` at density one, and the volume (the area of a shell) that goes with it.
///
/// The axes of a body with equal moments follow from the last bits, so terms are added in MuJoCo's order, one by one.
#[doc(alias = "mjCMesh::ComputeInertia")]
pub(super) fn inertia(vert: &[Vec3], face: &[[u32; 3]], mode: MeshInertia, com: &Vec3) -> (Mat3, f64) {
    let centred: Vec<Vec3> = vert.iter().map(|v| v - com).collect();
    let mut products = [0.0; 6];
    let mut total = 0.0;
    let divisor = if mode == MeshInertia::Shell { 12.0 } else { 20.0 };
    for f in face {
        let t = Triangle::of(&centred, f);
        let weight = match mode {
            MeshInertia::Shell => t.area,
            MeshInertia::Legacy => pyramid(&t, &Vec3::zeros()).abs(),
            MeshInertia::Convex | MeshInertia::Exact => pyramid(&t, &Vec3::zeros()),
        };
        total += weight;
        let [d, e, g] = f.map(|v| centred[v as usize]);
        for (sum, (i, j)) in products.iter_mut().zip([(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]) {
            let squares = 2.0 * (d[i] * d[j] + e[i] * e[j] + g[i] * g[j]);
            let with_e = squares + d[i] * e[j] + d[j] * e[i];
            *sum += weight / divisor * (with_e + d[i] * g[j] + d[j] * g[i] + e[i] * g[j] + e[j] * g[i]);
        }
    }
    let [xx, yy, zz, xy, xz, yz] = products;
    (Mat3::new(yy + zz, -xy, -xz, -xy, xx + zz, -yz, -xz, -yz, xx + yy), total)
}

/// Half sizes of the box that has these moments of inertia and this volume.
pub(super) fn inertia_box(moments: &Vec3, volume: f64) -> Result<Vec3, MeshError> {
    let (abs, rel) = (1e-9, 1e-6);
    let fits = |a: f64, b: f64, c: f64| a + b >= c * (1.0 - rel) - abs;
    let &[a, b, c] = moments.as_ref();
    if c <= 0.0 || !(fits(a, b, c) && fits(a, c, b) && fits(b, c, a)) {
        return Err(MeshError::Inertia([a, b, c]));
    }

    // rounding may leave a flat side a little below zero
    let side = |x: f64| 0.5 * (6.0 * x.max(0.0) / volume).sqrt();
    Ok(Vec3::new(side(b + c - a), side(a + c - b), side(a + b - c)))
}
