//! What follows from a shape alone: allowed sizes, volume, inertia, bounds.

use crate::spec::GeomInertia;
use sim_types::math::pow;
use sim_types::{GeomType, MAXVAL, Vec3};
use std::f64::consts::PI;

/// Checks that the sizes a shape needs are positive.
pub(super) fn check_size(shape: GeomType, size: &[f64; 3]) -> Result<(), String> {
    if shape == GeomType::Plane {
        // the first two may be zero: an infinite plane
        return if size[2] <= 0.0 { Err("the third size of a plane must be positive".to_owned()) } else { Ok(()) };
    }
    let needed = match shape {
        GeomType::Sphere => 1,
        GeomType::Capsule | GeomType::Cylinder => 2,
        GeomType::Ellipsoid | GeomType::Box => 3,
        GeomType::Plane | GeomType::Hfield | GeomType::Mesh | GeomType::Sdf => 0,
    };
    match size.iter().take(needed).position(|x| *x <= 0.0) {
        Some(i) => Err(format!("size {} must be positive (a {} needs {needed})", i + 1, name(shape))),
        None => Ok(()),
    }
}

/// MJCF's word for a shape.
pub(super) fn name(shape: GeomType) -> &'static str {
    match shape {
        GeomType::Plane => "plane",
        GeomType::Hfield => "hfield",
        GeomType::Sphere => "sphere",
        GeomType::Capsule => "capsule",
        GeomType::Ellipsoid => "ellipsoid",
        GeomType::Cylinder => "cylinder",
        GeomType::Box => "box",
        GeomType::Mesh => "mesh",
        GeomType::Sdf => "sdf",
    }
}

/// Volume, or surface area when the mass sits on the surface; zero for shapes without either, and for meshes, which know
/// theirs. A height field counts as a box.
#[doc(alias = "mjCGeom::GetVolume")]
pub(super) fn volume(shape: GeomType, mass_in: GeomInertia, size: &[f64; 3]) -> f64 {
    let [a, b, c] = *size;
    let (r, height) = (a, 2.0 * b);
    let solid = mass_in == GeomInertia::Volume;
    match shape {
        GeomType::Sphere if solid => 4.0 * PI * r * r * r / 3.0,
        GeomType::Sphere => 4.0 * PI * r * r,
        GeomType::Capsule if solid => PI * (r * r * height + 4.0 * r * r * r / 3.0),
        GeomType::Capsule => 4.0 * PI * r * r + 2.0 * PI * r * height,
        GeomType::Cylinder if solid => PI * r * r * height,
        GeomType::Cylinder => 2.0 * PI * r * r + 2.0 * PI * r * height,
        GeomType::Ellipsoid if solid => 4.0 * PI * a * b * c / 3.0,
        GeomType::Ellipsoid => {
            // Thomsen's approximation
            let p = 1.6075;
            let mean = (pow(a * b, p) + pow(b * c, p) + pow(c * a, p)) / 3.0;
            4.0 * PI * pow(mean, 1.0 / p)
        }
        GeomType::Box | GeomType::Hfield if solid => a * b * c * 8.0,
        GeomType::Box | GeomType::Hfield => 8.0 * (a * b + b * c + c * a),
        GeomType::Plane | GeomType::Mesh | GeomType::Sdf => 0.0,
    }
}

/// Moments of inertia about the axes of the shape.
#[doc(alias = "mjCGeom::SetInertia")]
pub(super) fn inertia(shape: GeomType, mass_in: GeomInertia, size: &[f64; 3], mass: f64) -> Vec3 {
    let solid = mass_in == GeomInertia::Volume;
    match shape {
        GeomType::Sphere => Vec3::repeat(2.0 * mass * size[0] * size[0] / if solid { 5.0 } else { 3.0 }),
        GeomType::Capsule => capsule(solid, size[0], size[1], mass),
        GeomType::Cylinder => cylinder(solid, size[0], size[1], mass),
        GeomType::Ellipsoid if solid => ellipsoid(size, mass),
        GeomType::Ellipsoid => ellipsoid_shell(size, mass),
        GeomType::Box | GeomType::Hfield if solid => sums_of_squares(size) * mass / 3.0,
        GeomType::Box | GeomType::Hfield => box_shell(size, mass),
        GeomType::Plane | GeomType::Mesh | GeomType::Sdf => Vec3::zeros(),
    }
}

/// Radius of the bounding sphere; zero for a plane.
#[doc(alias = "mjCGeom::GetRBound")]
pub(super) fn rbound(shape: GeomType, size: &[f64; 3]) -> f64 {
    let [a, b, c] = *size;
    match shape {
        GeomType::Sphere => a,
        GeomType::Capsule => a + b,
        GeomType::Cylinder => (a * a + b * b).sqrt(),
        GeomType::Ellipsoid => a.max(b).max(c),
        GeomType::Box => (a * a + b * b + c * c).sqrt(),
        GeomType::Plane | GeomType::Hfield | GeomType::Mesh | GeomType::Sdf => 0.0,
    }
}

/// Bounding box in the frame of the shape: centre, then half sizes.
#[doc(alias = "mjCGeom::ComputeAABB")]
pub(super) fn aabb(shape: GeomType, size: &[f64; 3]) -> [f64; 6] {
    let [a, b, c] = *size;
    match shape {
        GeomType::Sphere => [0.0, 0.0, 0.0, a, a, a],
        GeomType::Capsule => [0.0, 0.0, 0.0, a, a, a + b],
        GeomType::Cylinder => [0.0, 0.0, 0.0, a, a, b],
        GeomType::Plane => [0.0, 0.0, -0.5 * MAXVAL, MAXVAL, MAXVAL, 0.5 * MAXVAL],
        _ => [0.0, 0.0, 0.0, a, b, c],
    }
}

/// (b² + c², a² + c², a² + b²).
fn sums_of_squares(size: &[f64; 3]) -> Vec3 {
    let [a, b, c] = size.map(|x| x * x);
    Vec3::new(b + c, a + c, a + b)
}

fn capsule(solid: bool, r: f64, half: f64, mass: f64) -> Vec3 {
    let height = 2.0 * half;
    let (cylinder_x, cylinder_z, sphere, shift);
    if solid {
        let sphere_mass = mass * 4.0 * r / (4.0 * r + 3.0 * height);
        let cylinder_mass = mass - sphere_mass;
        cylinder_x = cylinder_mass * (3.0 * r * r + height * height) / 12.0;
        cylinder_z = cylinder_mass * r * r / 2.0;
        sphere = 2.0 * sphere_mass * r * r / 5.0;
        shift = sphere_mass * height * (3.0 * r + 2.0 * height) / 8.0;
    } else {
        let (sphere_area, cylinder_area) = (4.0 * PI * r * r, 2.0 * PI * r * height);
        let sphere_mass = mass * sphere_area / (sphere_area + cylinder_area);
        let cylinder_mass = mass - sphere_mass;
        cylinder_x = cylinder_mass * (6.0 * r * r + height * height) / 12.0;
        cylinder_z = cylinder_mass * r * r;
        sphere = 2.0 * sphere_mass * r * r / 3.0;

        // a hemisphere's centre of mass is half a radius above its base
        let (own, moved) = (r / 2.0, half + r / 2.0);
        shift = sphere_mass * (moved * moved - own * own);
    }
    let x = cylinder_x + (sphere + shift);
    Vec3::new(x, x, cylinder_z + sphere)
}

fn cylinder(solid: bool, r: f64, half: f64, mass: f64) -> Vec3 {
    let height = 2.0 * half;
    if solid {
        let x = mass * (3.0 * r * r + height * height) / 12.0;
        return Vec3::new(x, x, mass * r * r / 2.0);
    }
    let (disk_area, tube_area) = (PI * r * r, 2.0 * PI * r * height);
    let disk = mass * disk_area / (2.0 * disk_area + tube_area);
    let tube = mass - 2.0 * disk;
    let x = tube * (6.0 * r * r + height * height) / 12.0 + 2.0 * (disk * r * r / 4.0 + disk * half * half);
    Vec3::new(x, x, tube * r * r + 2.0 * (disk * r * r / 2.0))
}

fn ellipsoid(size: &[f64; 3], mass: f64) -> Vec3 {
    sums_of_squares(size) * mass / 5.0
}

/// A thin shell: an ellipsoid minus one that is a millionth smaller.
fn ellipsoid_shell(size: &[f64; 3], mass: f64) -> Vec3 {
    let outer = size.map(|x| x + 1e-6);
    let volume = |s: &[f64; 3]| 4.0 * PI * s[0] * s[1] * s[2] / 3.0;
    let (inner_volume, outer_volume) = (volume(size), volume(&outer));
    let density = mass / (outer_volume - inner_volume);
    ellipsoid(&outer, outer_volume * density) - ellipsoid(size, inner_volume * density)
}

/// Six plates.
fn box_shell(size: &[f64; 3], mass: f64) -> Vec3 {
    let [lx, ly, lz] = size.map(|x| 2.0 * x);
    let [xx, yy, zz] = size.map(|x| x * x);
    let (az, ax, ay) = (lx * ly, ly * lz, lz * lx);
    let total = 2.0 * (az + ax + ay);

    // masses of the plates at right angles to z, x and y
    let (mz, mx, my) = (mass * az / total, mass * ax / total, mass * ay / total);
    let rod = |m: f64, l: f64| m * l * l / 12.0;
    let plate = |m: f64, a: f64, b: f64| m * (a * a + b * b) / 12.0;
    Vec3::new(
        2.0 * (mz * zz + my * yy + rod(mz, ly) + plate(mx, ly, lz) + rod(my, lz)),
        2.0 * (mz * zz + mx * xx + rod(mz, lx) + rod(mx, lz) + plate(my, lx, lz)),
        2.0 * (mx * xx + my * yy + plate(mz, lx, ly) + rod(mx, ly) + rod(my, lx)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use GeomInertia::{Shell, Volume};

    fn assert_close(got: Vec3, want: [f64; 3], tol: f64) {
        for (a, b) in got.iter().zip(want) {
            assert!((a - b).abs() <= tol * b.abs().max(1.0), "{got:?} {want:?}");
        }
    }

    #[test]
    fn solids_have_textbook_inertia() {
        let m = 3.0;
        assert_close(inertia(GeomType::Sphere, Volume, &[2.0, 0.0, 0.0], m), [4.8; 3], 1e-15);
        assert_close(inertia(GeomType::Box, Volume, &[1.0, 2.0, 3.0], m), [13.0, 10.0, 5.0], 1e-15);
        assert_close(inertia(GeomType::Ellipsoid, Volume, &[1.0, 2.0, 3.0], m), [7.8, 6.0, 3.0], 1e-15);
        assert_close(inertia(GeomType::Cylinder, Volume, &[1.0, 3.0, 0.0], m), [9.75, 9.75, 1.5], 1e-15);
    }

    #[test]
    fn shells_have_textbook_inertia() {
        assert_close(inertia(GeomType::Sphere, Shell, &[2.0, 0.0, 0.0], 3.0), [8.0; 3], 1e-15);
        // cube of edge 2a: 10/9·m·a² about every axis
        assert_close(inertia(GeomType::Box, Shell, &[1.0; 3], 9.0), [10.0; 3], 1e-14);
    }

    #[test]
    fn round_shapes_become_a_sphere_without_length() {
        for kind in [Volume, Shell] {
            let want = inertia(GeomType::Sphere, kind, &[0.5, 0.0, 0.0], 2.0);
            assert_close(inertia(GeomType::Capsule, kind, &[0.5, 0.0, 0.0], 2.0), want.into(), 1e-15);
            let tolerance = if kind == Shell { 1e-5 } else { 1e-15 };
            assert_close(inertia(GeomType::Ellipsoid, kind, &[0.5; 3], 2.0), want.into(), tolerance);
            let v = volume(GeomType::Sphere, kind, &[0.5, 0.0, 0.0]);
            assert!((volume(GeomType::Capsule, kind, &[0.5, 0.0, 0.0]) - v).abs() < 1e-15);
            assert!((volume(GeomType::Ellipsoid, kind, &[0.5; 3]) - v).abs() < 1e-14);
        }
    }

    /// The shell of a solid is its derivative with respect to size: I_shell·dm = I(grown) − I.
    #[test]
    fn shells_are_derivatives_of_solids() {
        let (r, h, e) = (0.3, 0.7, 1e-6);
        for (shape, small, grown) in [
            (GeomType::Cylinder, [r, h, 0.0], [r + e, h + e, 0.0]),
            (GeomType::Capsule, [r, h, 0.0], [r + e, h, 0.0]),
            (GeomType::Box, [r, h, 0.5], [r + e, h + e, 0.5 + e]),
        ] {
            let solid = |s: &[f64; 3]| inertia(shape, Volume, s, volume(shape, Volume, s));
            let want = (solid(&grown) - solid(&small)) / e;
            let got = inertia(shape, Shell, &small, volume(shape, Shell, &small));
            assert_close(got, want.into(), 1e-4);
        }
    }

    #[test]
    fn the_bounding_sphere_holds_the_box() {
        let size = [0.3, 0.4, 0.5];
        for shape in [GeomType::Sphere, GeomType::Capsule, GeomType::Cylinder, GeomType::Ellipsoid, GeomType::Box] {
            let half = &aabb(shape, &size)[3..];
            let longest = half.iter().fold(0.0, |a: f64, x| a.max(*x));
            assert!(rbound(shape, &size) >= longest, "{shape:?}");
        }
        assert_eq!(aabb(GeomType::Plane, &size), [0.0, 0.0, -5e9, 1e10, 1e10, 5e9]);
    }

    #[test]
    fn sizes_are_checked_as_far_as_they_are_used() {
        assert!(check_size(GeomType::Sphere, &[1.0, -1.0, -1.0]).is_ok());
        assert!(check_size(GeomType::Capsule, &[1.0, 0.0, 0.0]).is_err());
        assert!(check_size(GeomType::Plane, &[-1.0, 0.0, 1.0]).is_ok());
        let message = check_size(GeomType::Box, &[1.0, 1.0, 0.0]).unwrap_err();
        assert_eq!(message, "size 3 must be positive (a box needs 3)");
    }
}
