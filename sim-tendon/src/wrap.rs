//! Tendon paths around spheres and cylinders.
//!
//! The 3-D problem is reduced to a circle in a plane, solved there, and lifted back; for a cylinder the height is then
//! spread along the path in proportion to length.
//!
//! MuJoCo: `mju_wrap`.

use sim_types::math::normalize3;
use sim_types::{MINVAL, Mat3, Vec3};

use crate::circle::{self, Vec2};

/// The kind of body a tendon wraps around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A ball.
    Sphere,
    /// A cylinder without ends, along its z axis.
    Cylinder,
}

/// Where a tendon touches a body, and how far it runs along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrap {
    /// First and last point of contact, world frame. The same point when the tendon is pulled through the body.
    pub points: [Vec3; 2],
    /// Length of the path between them.
    pub length: f64,
}

/// The path between `ends` around a body at `pos`, `mat`. `None`: the straight line is the path.
///
/// `side` chooses the side to pass on; a side point inside of the body pulls the tendon through it instead.
#[doc(alias = "mju_wrap")]
pub fn wrap(
    kind: Obstacle,
    ends: &[Vec3; 2],
    pos: &Vec3,
    mat: &Mat3,
    radius: f64,
    side: Option<&Vec3>,
) -> Option<Wrap> {
    let to_local = |x: &Vec3| mat.tr_mul(&(x - pos));
    let local = [to_local(&ends[0]), to_local(&ends[1])];
    if local[0].norm() < MINVAL || local[1].norm() < MINVAL {
        return None;
    }
    let axes = match kind {
        Obstacle::Sphere => sphere_plane(&local),
        Obstacle::Cylinder => [Vec3::x(), Vec3::y()],
    };
    let project = |p: &Vec3| -> Vec2 { [p.dot(&axes[0]), p.dot(&axes[1])] };
    let flat = [project(&local[0]), project(&local[1])];

    let touch = match side.map(to_local) {
        Some(side) if side.norm() < radius => circle::inside(&flat, radius),
        Some(side) => {
            let on_circle = circle::unit(&project(&side)).map(|x| x * radius);
            circle::around(&flat, Some(&on_circle), radius)
        }
        None => circle::around(&flat, None, radius),
    }?;

    let mut points = touch.points.map(|p| axes[0] * p[0] + axes[1] * p[1]);
    let mut length = touch.arc;
    if kind == Obstacle::Cylinder {
        // the height grows in proportion to the length of the path seen from above
        let run = |k: usize| (local[k].xy() - points[k].xy()).norm();
        let (first, last) = (run(0), run(1));
        let total = first + length + last;
        let rise = local[1].z - local[0].z;
        points[0].z = local[0].z + rise * first / total;
        points[1].z = local[0].z + rise * (first + length) / total;
        let height = points[1].z - points[0].z;
        length = (length * length + height * height).sqrt();
    }
    Some(Wrap { points: points.map(|p| mat * p + pos), length })
}

/// Two axes of the plane through both ends and the centre of a sphere, the first along the first end.
fn sphere_plane(ends: &[Vec3; 2]) -> [Vec3; 2] {
    let mut first = ends[0];
    normalize3(&mut first);
    let mut normal = ends[0].cross(&ends[1]);
    if normalize3(&mut normal) < MINVAL {
        // ends in line with the centre: any plane through them; leave out the strictly largest component
        let size = first.abs();
        let largest = if size.y > size.x && size.y > size.z {
            1
        } else if size.z > size.x && size.z > size.y {
            2
        } else {
            0
        };
        let mut other = Vec3::repeat(1.0);
        other[largest] = 0.0;
        normal = first.cross(&other);
        normalize3(&mut normal);
    }
    let mut second = normal.cross(&first);
    normalize3(&mut second);
    [first, second]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(kind: Obstacle, radius: f64, s1: [f64; 3], s2: [f64; 3], side: Option<[f64; 3]>) -> (f64, Option<Wrap>) {
        let ends = [Vec3::from(s1), Vec3::from(s2)];
        let side = side.map(Vec3::from);
        let w = wrap(kind, &ends, &Vec3::zeros(), &Mat3::identity(), radius, side.as_ref());
        let total = w.map_or((ends[1] - ends[0]).norm(), |w| {
            (ends[0] - w.points[0]).norm() + w.length + (w.points[1] - ends[1]).norm()
        });
        (total, w)
    }

    #[track_caller]
    fn near(got: f64, want: f64) {
        assert!((got - want).abs() < 1e-12, "got {got}, want {want}");
    }

    /// Reference lengths of MuJoCo 3.5.0 for tendons pulled through a body.
    #[test]
    fn through_a_sphere_and_a_cylinder() {
        let (l, w) = length(Obstacle::Sphere, 0.15, [0.3, 0.0, 0.15], [0.3, 0.0, -0.15], Some([0.05, 0.0, 0.0]));
        near(l, 0.424264068711929);
        assert!((w.unwrap().points[0] - Vec3::new(0.15, 0.0, 0.0)).norm() < 1e-6);
        let (centre, _) = length(Obstacle::Sphere, 0.15, [0.3, 0.0, 0.15], [0.3, 0.0, -0.15], Some([0.0; 3]));
        near(centre, l);

        let (l, w) = length(Obstacle::Cylinder, 0.15, [0.3, 0.1, 0.2], [0.3, -0.1, -0.2], Some([0.05, 0.0, 0.0]));
        near(l, 0.538516480713450);
        assert!((w.unwrap().points[0] - Vec3::new(0.15, 0.0, 0.0)).norm() < 1e-6);

        let (l, w) = length(Obstacle::Cylinder, 0.15, [0.3, 0.05, 0.3], [0.3, -0.15, -0.1], Some([0.05, 0.0, 0.0]));
        near(l, 0.542346519424661);
        let want = Vec3::new(0.148607047563419, -0.020394739872909, 0.117656368532109);
        assert!((w.unwrap().points[0] - want).norm() < 1e-12);
    }

    /// A side point inside the cross section but far along the cylinder is outside.
    #[test]
    fn far_side_point_of_a_cylinder_is_outside() {
        let (l, _) = length(Obstacle::Cylinder, 0.1, [0.3, 0.05, 0.2], [0.3, -0.05, -0.2], Some([0.05, 0.0, 5.0]));
        near(l, 0.412310562561766);
    }

    #[test]
    fn around_a_sphere_by_hand() {
        let (l, _) = length(Obstacle::Sphere, 1.0, [-2.0, 0.0, 0.0], [2.0, 0.0, 0.0], Some([0.0, 0.0, 3.0]));
        near(l, 2.0 * 3f64.sqrt() + std::f64::consts::PI / 3.0);
    }

    #[test]
    fn nonsense_gives_no_wrap() {
        let nan = f64::NAN;
        let (_, w) = length(Obstacle::Sphere, nan, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], None);
        assert!(w.is_none_or(|w| w.length.is_nan()));
        let (_, w) = length(Obstacle::Cylinder, 0.0, [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], None);
        assert_eq!(w, None);
    }
}
