//! Rays against planes and solids with a formula, in the frame of the shape.

use super::{Hit, Ray};
use sim_types::math::normalize3;
use sim_types::{MINVAL, Vec3};

/// The rectangle in the plane z = 0, or all of it where a half size is zero; from above only.
pub(super) fn plane(half: &[f64; 2], ray: &Ray) -> Option<Hit> {
    if ray.dir.z > -MINVAL {
        return None;
    }
    let dist = -ray.origin.z / ray.dir.z;
    let point = ray.at(dist);
    let within = |k: usize| half[k] <= 0.0 || point[k].abs() <= half[k];
    (dist >= 0.0 && within(0) && within(1)).then_some(Hit { dist, normal: Vec3::z() })
}

/// A ball, in world coordinates.
pub(super) fn sphere(centre: &Vec3, radius: f64, ray: &Ray) -> Option<Hit> {
    let dist = ball(&(ray.origin - centre), &ray.dir, radius * radius).first()?;
    let mut normal = ray.at(dist) - centre;
    normalize3(&mut normal);
    Some(Hit { dist, normal })
}

/// A cylinder with round ends.
pub(super) fn capsule(radius: f64, half: f64, ray: &Ray) -> Option<Hit> {
    let around = radius + half;
    ball(&ray.origin, &ray.dir, around * around).first()?;

    // the end of the capsule that is hit: −1, 0 for the side, 1
    let mut best: Option<(f64, f64)> = None;
    let mut keep = |dist: f64, end: f64| {
        if best.is_none_or(|(old, _)| dist < old) {
            best = Some((dist, end));
        }
    };
    let z = |dist: f64| ray.origin.z + dist * ray.dir.z;
    if let Some(dist) = tube(ray, radius).first()
        && z(dist).abs() <= half
    {
        keep(dist, 0.0);
    }
    for end in [1.0, -1.0] {
        let offset = ray.origin - Vec3::z() * (end * half);
        for dist in ball(&offset, &ray.dir, radius * radius).0 {
            if dist >= 0.0 && end * z(dist) >= half {
                keep(dist, end);
            }
        }
    }

    let (dist, end) = best?;
    let mut normal = ray.at(dist);
    normal.z = if end == 0.0 { 0.0 } else { normal.z - half * end };
    normalize3(&mut normal);
    Some(Hit { dist, normal })
}

/// An ellipsoid.
pub(super) fn ellipsoid(size: &Vec3, ray: &Ray) -> Option<Hit> {
    let s = size.map(|x| 1.0 / (x * x));
    let (p, v) = (&ray.origin, &ray.dir);
    let a = s.x * v.x * v.x + s.y * v.y * v.y + s.z * v.z * v.z;
    let b = s.x * v.x * p.x + s.y * v.y * p.y + s.z * v.z * p.z;
    let c = s.x * p.x * p.x + s.y * p.y * p.y + s.z * p.z * p.z - 1.0;
    let dist = Roots::new(a, b, c).first()?;
    let mut normal = ray.at(dist).component_mul(&s);
    normalize3(&mut normal);
    Some(Hit { dist, normal })
}

/// A cylinder.
pub(super) fn cylinder(radius: f64, half: f64, ray: &Ray) -> Option<Hit> {
    ball(&ray.origin, &ray.dir, radius * radius + half * half).first()?;
    let mut best: Option<Hit> = None;

    // caps
    if ray.dir.z.abs() > MINVAL {
        for side in [-1.0, 1.0] {
            let dist = (side * half - ray.origin.z) / ray.dir.z;
            let point = ray.at(dist);
            if dist >= 0.0 && point.x * point.x + point.y * point.y <= radius * radius {
                Hit::keep_nearer(&mut best, Some(Hit { dist, normal: Vec3::z() * side }));
            }
        }
    }

    // side
    if let Some(dist) = tube(ray, radius).first()
        && (ray.origin.z + dist * ray.dir.z).abs() <= half
    {
        let point = ray.at(dist);
        let mut normal = Vec3::new(point.x, point.y, 0.0);
        normalize3(&mut normal);
        Hit::keep_nearer(&mut best, Some(Hit { dist, normal }));
    }
    best
}

/// A box.
pub(super) fn cuboid(size: &Vec3, ray: &Ray) -> Option<Hit> {
    let mut best = None;
    faces(size, ray, |face, dist| {
        let mut normal = Vec3::zeros();
        normal[face / 2] = if face % 2 == 1 { 1.0 } else { -1.0 };
        Hit::keep_nearer(&mut best, Some(Hit { dist, normal }));
    });
    best
}

/// Calls `found` for every face of a box that the ray crosses, in the order −x, +x, −y, +y, −z, +z.
pub(super) fn faces(size: &Vec3, ray: &Ray, mut found: impl FnMut(usize, f64)) {
    if ball(&ray.origin, &ray.dir, size.norm_squared()).first().is_none() {
        return;
    }
    for axis in 0..3 {
        if ray.dir[axis].abs() <= MINVAL {
            continue;
        }
        let (first, second) = if axis == 0 { (1, 2) } else { (0, 3 - axis) };
        for side in 0..2 {
            let face = if side == 1 { size[axis] } else { -size[axis] };
            let dist = (face - ray.origin[axis]) / ray.dir[axis];
            let within = |k: usize| (ray.origin[k] + dist * ray.dir[k]).abs() <= size[k];
            if dist >= 0.0 && within(first) && within(second) {
                found(2 * axis + side, dist);
            }
        }
    }
}

/// Crossings of the ray from `origin` with the ball around zero.
fn ball(origin: &Vec3, dir: &Vec3, radius2: f64) -> Roots {
    Roots::new(dir.norm_squared(), dir.dot(origin), origin.norm_squared() - radius2)
}

/// Crossings with the endless cylinder around z.
fn tube(ray: &Ray, radius: f64) -> Roots {
    let (p, v) = (&ray.origin, &ray.dir);
    Roots::new(v.x * v.x + v.y * v.y, v.x * p.x + v.y * p.y, p.x * p.x + p.y * p.y - radius * radius)
}

/// Solutions of a·x² + 2b·x + c = 0, the smaller first; −1 twice when there are none.
struct Roots([f64; 2]);

impl Roots {
    #[doc(alias = "ray_quad")]
    fn new(a: f64, b: f64, c: f64) -> Self {
        let det = b * b - a * c;
        if det >= 0.0 && a >= MINVAL {
            let root = det.sqrt();
            Self([(-b - root) / a, (-b + root) / a])
        } else {
            Self([-1.0; 2])
        }
    }

    /// The smallest solution that is not negative.
    fn first(&self) -> Option<f64> {
        self.0.into_iter().find(|x| *x >= 0.0)
    }
}
