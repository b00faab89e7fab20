//! Primitives in place of meshes.

use super::Mesh;
use super::error::MeshError;
use sim_types::{GeomType, Vec3};

/// A primitive fitted to a mesh: sizes, and the place of its centre in the frame of the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Sizes as the geom type counts them; those it does not use are only scaled.
    pub size: [f64; 3],
    /// Centre in the frame of the mesh.
    pub centre: Vec3,
}

/// Fits a primitive to a mesh: to its inertia box, or with `to_aabb` to its bounding box. `size` is what the geom had.
#[doc(alias = "mjCMesh::FitGeom")]
pub fn fit(mesh: &Mesh, shape: GeomType, size: [f64; 3], to_aabb: bool, scale: f64) -> Result<Fit, MeshError> {
    let centre = if to_aabb { (mesh.min + mesh.max) / 2.0 } else { Vec3::zeros() };
    let b = if to_aabb { mesh.max - centre } else { mesh.inertia_box };
    let size = match shape {
        GeomType::Sphere if to_aabb => [b.max(), size[1], size[2]],
        GeomType::Sphere => [(b.x + b.y + b.z) / 3.0, size[1], size[2]],
        GeomType::Capsule if to_aabb => [b.x.max(b.y), b.z - b.x.max(b.y), size[2]],
        GeomType::Capsule => {
            // only half of the cap's radius is taken off, as in MuJoCo
            let radius = f64::midpoint(b.x, b.y);
            [radius, (b.z - radius / 2.0).max(0.0), size[2]]
        }
        GeomType::Cylinder if to_aabb => [b.x.max(b.y), b.z, size[2]],
        GeomType::Cylinder => [f64::midpoint(b.x, b.y), b.z, size[2]],
        GeomType::Ellipsoid | GeomType::Box => [b.x, b.y, b.z],
        other => return Err(MeshError::Fit(format!("{other:?}").to_lowercase())),
    };
    Ok(Fit { size: size.map(|x| x * scale), centre })
}
