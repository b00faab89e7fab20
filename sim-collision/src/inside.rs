//! Points inside shapes.

use crate::hull_graph::point as vertex_point;
use crate::{HfieldView, MeshView, Posed, Shape};
use sim_types::Vec3;
use sim_types::math::clip;

/// True when a point is inside a shape; points on the surface are not.
///
/// A mesh counts as its convex hull, for which it needs polygons; a terrain reaches from its surface to its base.
#[doc(alias = "mju_insideGeom")]
pub fn contains(posed: &Posed<'_>, point: &Vec3) -> bool {
    let p = posed.to_local(point);
    match &posed.shape {
        Shape::Plane { .. } => p.z < 0.0,
        Shape::Sphere { radius } => (point - posed.pos).norm_squared() < radius * radius,
        Shape::Capsule { radius, half } => {
            let beyond = p.z - clip(p.z, -half, *half);
            p.x * p.x + p.y * p.y + beyond * beyond < radius * radius
        }
        Shape::Ellipsoid { size } => {
            let part = |k: usize| p[k] * p[k] / (size[k] * size[k]);
            part(0) + part(1) + part(2) < 1.0
        }
        Shape::Cylinder { radius, half } => p.z.abs() < *half && p.x * p.x + p.y * p.y < radius * radius,
        Shape::Box { size } => (0..3).all(|k| p[k].abs() < size[k]),
        Shape::Mesh(mesh) => in_hull(mesh, &p),
        Shape::Hfield(field) => in_terrain(field, &p),
        Shape::Sdf(sdf) => sdf.distance(&p) < 0.0,
    }
}

fn in_hull(mesh: &MeshView<'_>, p: &Vec3) -> bool {
    let polygons = &mesh.polygons;
    let below = |(normal, adr): (&Vec3, &u32)| {
        let corner = polygons.vert.get(*adr as usize).and_then(|id| mesh.vert.get(*id as usize));
        corner.is_some_and(|corner| normal.dot(&(p - vertex_point(corner))) < 0.0)
    };
    !polygons.normal.is_empty() && polygons.normal.iter().zip(polygons.vertadr).all(below)
}

fn in_terrain(field: &HfieldView<'_>, p: &Vec3) -> bool {
    let [width, depth, height, base] = field.size;
    if !(p.x.abs() < width && p.y.abs() < depth && p.z > -base && field.nrow > 1 && field.ncol > 1) {
        return false;
    }
    // place in the grid; every cell is cut from its low to its high corner
    let place = |x: f64, half: f64, count: usize| {
        let x = (x + half) / (2.0 * half) * (count - 1) as f64;
        let cell = (x as usize).min(count - 2);
        (cell, x - cell as f64)
    };
    let ((col, u), (row, v)) = (place(p.x, width, field.ncol), place(p.y, depth, field.nrow));
    let z = |row: usize, col: usize| field.data.get(row * field.ncol + col).map_or(0.0, |z| f64::from(*z));
    let (low, high) = (z(row, col), z(row + 1, col + 1));
    let surface = if u > v {
        low * (1.0 - u) + z(row, col + 1) * (u - v) + high * v
    } else {
        low * (1.0 - v) + z(row + 1, col) * (v - u) + high * u
    };
    p.z < surface * height
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Polygons;
    use crate::testing::*;

    #[test]
    fn just_inside_and_just_outside() {
        let cases = [
            (sphere(0.5), [0.3, 0.4, 0.0]),
            (capsule(0.5, 1.0), [0.3, 0.0, 1.4]),
            (ellipsoid([1.0, 2.0, 3.0]), [0.6, 1.6, 0.0]),
            (cylinder(0.5, 1.0), [0.3, 0.4, 0.9]),
            (cuboid([1.0, 2.0, 3.0]), [0.9, 2.0, -2.9]),
        ];
        for (shape, surface) in cases {
            let posed = turned(shape, [1.0, 2.0, 3.0], [1.0, 1.0, 0.0], 40.0);
            let world = |scale: f64| posed.to_world(&(Vec3::from(surface) * scale));
            assert!(contains(&posed, &world(1.0 - 1e-9)), "{shape:?}");
            assert!(!contains(&posed, &world(1.0 + 1e-9)), "{shape:?}");
            assert!(!contains(&posed, &Vec3::repeat(f64::NAN)), "{shape:?}");
        }
        assert!(contains(&plane(), &Vec3::new(5.0, 5.0, -1e-9)) && !contains(&plane(), &Vec3::new(5.0, 5.0, 1e-9)));
    }

    #[test]
    fn a_mesh_is_its_hull() {
        let vert = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let slope = Vec3::repeat(1.0).normalize();
        let polygons = Polygons {
            normal: &[-Vec3::x(), -Vec3::y(), -Vec3::z(), slope],
            vertadr: &[0, 3, 6, 9],
            vertnum: &[3; 4],
            vert: &[0, 3, 2, 0, 1, 3, 0, 2, 1, 1, 2, 3],
            ..Polygons::default()
        };
        let mesh = MeshView { vert: &vert, polygons, ..MeshView::default() };
        let posed = at(Shape::Mesh(&mesh), [0.0; 3]);
        assert!(contains(&posed, &Vec3::new(0.2, 0.3, 0.4)));
        assert!(!contains(&posed, &Vec3::new(0.4, 0.4, 0.3)));
        assert!(!contains(&posed, &Vec3::new(0.2, -0.1, 0.4)));
        assert!(!contains(&at(Shape::Mesh(&MeshView::default()), [0.0; 3]), &Vec3::zeros()));
    }

    #[test]
    fn under_the_surface_of_a_terrain() {
        // a ridge along y at x = 0
        let data = [0.0, 1.0, 0.0, 0.0, 1.0, 0.0];
        let field = HfieldView { size: [1.0, 1.0, 2.0, 0.5], nrow: 2, ncol: 3, data: &data };
        let posed = at(Shape::Hfield(&field), [0.0; 3]);
        for (x, surface) in [(-0.9, 0.2), (-0.25, 1.5), (0.5, 1.0)] {
            for y in [-0.8, 0.3] {
                assert!(contains(&posed, &Vec3::new(x, y, surface - 1e-6)), "{x} {y}");
                assert!(!contains(&posed, &Vec3::new(x, y, surface + 1e-6)), "{x} {y}");
            }
        }
        assert!(contains(&posed, &Vec3::new(0.9, 0.9, -0.4)) && !contains(&posed, &Vec3::new(0.9, 0.9, -0.6)));
        assert!(!contains(&posed, &Vec3::new(1.1, 0.0, 0.0)));
    }
}
