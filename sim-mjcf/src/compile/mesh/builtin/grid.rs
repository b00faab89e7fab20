//! Grids of sensing points: a part of a sphere and a rectangle. Each vertex has a frame in place of a normal.

use super::super::MeshData;
use sim_types::Vec3;
use sim_types::math::{cos, pow, sin};
use std::f64::consts::PI;

/// The centres of a grid of directions, finer towards the middle by `gamma`, each with its tangent frame.
#[doc(alias = "mjCMesh::MakeWedge")]
pub(super) fn wedge([nx, ny]: [usize; 2], [fovx, fovy]: [f64; 2], gamma: f64) -> MeshData {
    let (azimuths, elevations) = (bin_centres(nx, fovx, gamma), bin_centres(ny, fovy, gamma));
    let mut mesh = MeshData::default();
    for &a in &azimuths {
        for &e in &elevations {
            mesh.vert.extend([cos(e) * sin(a), sin(e), -cos(e) * cos(a)].map(|x| x as f32));

            // along azimuth, along elevation, and across both
            let mut along_a = Vec3::new(cos(e) * cos(a), 0.0, cos(e) * sin(a));
            let mut along_e = Vec3::new(-sin(e) * sin(a), cos(e), sin(e) * cos(a));
            normalize(&mut along_a);
            normalize(&mut along_e);
            let across = along_e.cross(&along_a);
            for axis in [across, along_a, along_e] {
                mesh.normal.extend(axis.iter().map(|x| *x as f32));
            }
        }
    }
    mesh
}

/// A grid at height −1 with two triangles per cell; each vertex has the world's frame.
#[doc(alias = "mjCMesh::MakeRect")]
pub(super) fn plate([nx, ny]: [usize; 2]) -> MeshData {
    let mut mesh = MeshData::default();
    let at = |i: usize, j: usize| (i * ny + j) as i32;
    let centre = |i: usize, n: usize| (-1.0 + (i as f64 + 0.5) * (2.0 / n as f64)) as f32;
    for i in 0..nx {
        for j in 0..ny {
            mesh.vert.extend([centre(i, nx), centre(j, ny), -1.0]);
            mesh.normal.extend([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
            if i > 0 && j > 0 {
                mesh.face.extend([at(i - 1, j - 1), at(i, j - 1), at(i - 1, j)]);
                mesh.face.extend([at(i, j), at(i - 1, j), at(i, j - 1)]);
            }
        }
    }
    mesh
}

/// The centres of `n` bins over a field of view in degrees, in radians.
fn bin_centres(n: usize, fov: f64, gamma: f64) -> Vec<f64> {
    // edges are summed up, not multiplied out
    let step = 2.0 / n as f64;
    let edges = std::iter::successors(Some(-1.0), |x| Some(x + step));
    let edges: Vec<f64> = edges.take(n + 1).map(|x| fovea(x, gamma) * (fov * PI / 180.0)).collect();
    edges.windows(2).map(|pair| 0.5 * (pair[1] + pair[0])).collect()
}

/// A blend of a straight line and a fifth power.
fn fovea(x: f64, gamma: f64) -> f64 {
    if gamma == 0.0 { x } else { gamma * pow(x, 5.0) + (1.0 - gamma) * x }
}

fn normalize(v: &mut Vec3) {
    let norm = v.norm();
    if norm * norm >= super::super::super::pose::EPS {
        *v /= norm;
    }
}
