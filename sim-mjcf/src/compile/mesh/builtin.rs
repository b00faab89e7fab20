//! Meshes made by the compiler: spheres, cones, tori, and the grids that tactile sensors use.
//!
//! Vertices are single precision, as MuJoCo makes them; what is computed on the way is double.

mod grid;
mod sphere;

use super::error::MeshError;
use super::{MeshBuiltin, MeshData};
use sim_types::math::{cos, pow, sin};
use std::f64::consts::PI;

/// Most vertices a generated mesh may have.
const MAX_VERTICES: u64 = 10_000_000;

/// Makes a builtin mesh from the numbers in its `params` attribute.
#[doc(alias = "mjs_makeMesh")]
pub fn make(builtin: MeshBuiltin, params: &[f64]) -> Result<MeshData, MeshError> {
    let wrong = |message: &str| MeshError::Builtin { builtin: builtin.name(), message: message.to_owned() };
    match (builtin, params) {
        (MeshBuiltin::Sphere, &[subdivisions]) => match count(subdivisions) {
            n @ 0..=4 => Ok(sphere::sphere(n)),
            _ => Err(wrong("the number of subdivisions must be 0 to 4")),
        },
        (MeshBuiltin::Hemisphere, &[resolution]) => match count(resolution) {
            n @ 0..=10 => Ok(sphere::hemisphere(n as usize)),
            _ => Err(wrong("the resolution must be 0 to 10")),
        },
        (MeshBuiltin::Cone, &[edges, radius]) => {
            let edges = count(edges).max(0) as usize;
            check_size(builtin, edges as u64, 2)?;
            Ok(cone(edges, radius))
        }
        (MeshBuiltin::Supersphere, &[resolution, e, n]) => {
            let resolution = check_resolution(builtin, resolution)?;
            if e < 0.0 || n < 0.0 {
                return Err(wrong("the exponents must not be negative"));
            }
            Ok(supersphere(resolution, e, n))
        }
        (MeshBuiltin::Supertorus, &[resolution, radius, s, t]) => {
            let resolution = check_resolution(builtin, resolution)?;
            if radius <= 0.0 || radius > 1.0 {
                return Err(wrong("the radius must be above 0 and at most 1"));
            }
            if s <= 0.0 || t <= 0.0 {
                return Err(wrong("the exponents must be positive"));
            }
            Ok(supertorus(resolution, radius, s, t))
        }
        (MeshBuiltin::Wedge, &[nx, ny, fovx, fovy, gamma]) => {
            let size = check_grid(builtin, nx, ny)?;
            if fovx <= 0.0 || fovx > 180.0 || fovy <= 0.0 || fovy > 90.0 {
                return Err(wrong("the fields of view must be above 0 and at most 180 and 90 degrees"));
            }
            if !(0.0..=1.0).contains(&gamma) {
                return Err(wrong("the foveation must be between 0 and 1"));
            }
            Ok(grid::wedge(size, [fovx, fovy], gamma))
        }
        (MeshBuiltin::Plate, &[nx, ny]) => Ok(grid::plate(check_grid(builtin, nx, ny)?)),
        _ => Err(wrong(&format!("found {} parameters, expected {}", params.len(), builtin.parameters()))),
    }
}

impl MeshBuiltin {
    fn name(self) -> &'static str {
        match self {
            Self::Sphere => "sphere",
            Self::Hemisphere => "hemisphere",
            Self::Cone => "cone",
            Self::Supersphere => "supersphere",
            Self::Supertorus => "supertorus",
            Self::Wedge => "wedge",
            Self::Plate => "plate",
        }
    }

    fn parameters(self) -> usize {
        match self {
            Self::Sphere | Self::Hemisphere => 1,
            Self::Cone | Self::Plate => 2,
            Self::Supersphere => 3,
            Self::Supertorus => 4,
            Self::Wedge => 5,
        }
    }
}

/// The whole part of a parameter.
fn count(x: f64) -> i64 {
    x as i64
}

fn check_resolution(builtin: MeshBuiltin, x: f64) -> Result<usize, MeshError> {
    let n = count(x);
    if n < 3 {
        let message = "the resolution must be 3 or more".to_owned();
        return Err(MeshError::Builtin { builtin: builtin.name(), message });
    }
    check_size(builtin, n as u64, n as u64)?;
    Ok(n as usize)
}

fn check_grid(builtin: MeshBuiltin, nx: f64, ny: f64) -> Result<[usize; 2], MeshError> {
    let (nx, ny) = (count(nx), count(ny));
    if nx < 1 || ny < 1 {
        let message = "both resolutions must be positive".to_owned();
        return Err(MeshError::Builtin { builtin: builtin.name(), message });
    }
    check_size(builtin, nx as u64, ny as u64)?;
    Ok([nx as usize, ny as usize])
}

fn check_size(builtin: MeshBuiltin, nx: u64, ny: u64) -> Result<(), MeshError> {
    if nx.saturating_mul(ny) > MAX_VERTICES {
        return Err(MeshError::Budget(format!("builtin {} with more than {MAX_VERTICES} vertices", builtin.name())));
    }
    Ok(())
}

/// A ring at the bottom, and a ring or a point at the top; faces are those of the hull.
fn cone(edges: usize, radius: f64) -> MeshData {
    let mut vert = Vec::new();
    let ring = |i: usize, radius: f64, z: f32| {
        let angle = 2.0 * i as f64 * PI / edges as f64;
        [(radius * cos(angle)) as f32, (radius * sin(angle)) as f32, z]
    };
    vert.extend((0..edges).flat_map(|i| ring(i, 1.0, -1.0)));
    if radius > 0.0 {
        vert.extend((edges..2 * edges).flat_map(|i| ring(i, radius, 1.0)));
    } else {
        vert.extend([0.0, 0.0, 1.0]);
    }
    MeshData { vert, ..MeshData::default() }
}

/// Poles and rings between them; exponents of 1 give a sphere.
fn supersphere(n: usize, e_ring: f64, e_height: f64) -> MeshData {
    let mut vert = vec![0.0, 0.0, -1.0];
    for i in 1..n {
        let v = -PI / 2.0 + i as f64 * PI / n as f64;
        for j in 0..n {
            let u = -PI + j as f64 * 2.0 * PI / n as f64;
            vert.push((cosine(v, e_height) * cosine(u, e_ring)) as f32);
            vert.push((cosine(v, e_height) * sine(u, e_ring)) as f32);
            vert.push(sine(v, e_height) as f32);
        }
    }
    vert.extend([0.0, 0.0, 1.0]);

    // fans at the poles, two triangles per cell between rings
    let at = |ring: usize, j: usize| (1 + ring * n + j % n) as i32;
    let north = (1 + (n - 1) * n) as i32;
    let mut face = Vec::with_capacity(6 * n * (n - 1));
    for j in 0..n {
        face.extend([0, at(0, j + 1), at(0, j)]);
    }
    for i in 0..n - 2 {
        for j in 0..n {
            face.extend([at(i, j), at(i, j + 1), at(i + 1, j)]);
            face.extend([at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)]);
        }
    }
    for j in 0..n {
        face.extend([at(n - 2, j), at(n - 2, j + 1), north]);
    }
    MeshData { vert, face, ..MeshData::default() }
}

/// A tube of the given radius around a ring of radius 1; exponents of 1 give a torus.
fn supertorus(n: usize, radius: f64, e_tube: f64, e_ring: f64) -> MeshData {
    let angle = |i: usize| 2.0 * PI * i as f64 / n as f64;
    let mut mesh = MeshData::default();
    for i in 0..n {
        for j in 0..n {
            let (u, v) = (angle(i), angle(j));
            let out = 1.0 + radius * cosine(v, e_tube);
            mesh.vert.push((out * cosine(u, e_ring)) as f32);
            mesh.vert.push((out * sine(u, e_ring)) as f32);
            mesh.vert.push((radius * sine(v, e_tube)) as f32);
        }
    }
    let at = |i: usize, j: usize| (i % n * n + j % n) as i32;
    for i in 0..n {
        for j in 0..n {
            mesh.face.extend([at(i, j), at(i + 1, j), at(i, j + 1)]);
            mesh.face.extend([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    mesh
}

/// A cosine raised to a power, with its sign.
fn cosine(angle: f64, exponent: f64) -> f64 {
    let c = cos(angle);
    pow(c.abs(), exponent).copysign(c)
}

/// A sine raised to a power, with its sign.
fn sine(angle: f64, exponent: f64) -> f64 {
    let s = sin(angle);
    pow(s.abs(), exponent).copysign(s)
}

#[cfg(test)]
mod tests;
