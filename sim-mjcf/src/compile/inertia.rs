//! Mass and inertia of bodies: from geoms, bounded, added up, scaled, checked.

use super::eig3;
use super::pose::{EPS, Pose};
use super::tree::Body;
use crate::error::Problems;
use crate::spec::Compiler;
use sim_types::math::rotate_diagonal;
use sim_types::{MINVAL, Mat3, Quat, Vec3};

/// Takes the inertia of a body from its geoms in the groups `low..=high`; false when none of them has mass.
#[doc(alias = "mjCBody::InertiaFromGeom")]
pub(super) fn from_geoms(body: &mut Body<'_>, [low, high]: [i32; 2], problems: &mut Problems) -> bool {
    let parts: Vec<Part> = body
        .geoms
        .iter()
        .filter(|g| (low..=high).contains(&g.spec.group) && g.mass > EPS)
        .map(|g| Part { pose: g.pose(), mass: g.mass, inertia: g.inertia })
        .collect();
    match parts.as_slice() {
        [] => return false,
        [only] => (body.inertial, body.mass, body.inertia) = (only.pose, only.mass, only.inertia),
        parts => match sum(parts, |total, own, moved| total + own + moved) {
            Some(whole) => (body.inertial, body.mass, body.inertia) = (whole.pose, whole.mass, whole.inertia),
            None => problems.invalid(
                &body.spec.at,
                "body",
                &body.spec.name,
                "the inertia of its geoms is too small to find its axes: give them more mass or an <inertial>",
            ),
        },
    }
    true
}

/// Applies the compiler's bounds, then checks that a rigid body can have this inertia.
pub(super) fn bound(body: &mut Body<'_>, compiler: &Compiler, problems: &mut Problems) {
    // like C++'s max: a NaN on the left stays
    let at_least = |x: f64, bound: f64| if x < bound { bound } else { x };
    body.mass = at_least(body.mass, compiler.boundmass);
    body.inertia = body.inertia.map(|x| at_least(x, compiler.boundinertia));
    let mut refuse = |message: &str| problems.invalid(&body.spec.at, "body", &body.spec.name, message);
    if body.mass < 0.0 || body.inertia.iter().any(|x| *x < 0.0) {
        refuse("mass and inertia cannot be negative");
        return;
    }
    let (a, b, c) = (body.inertia.x, body.inertia.y, body.inertia.z);
    if a + b < c || a + c < b || b + c < a {
        if compiler.balanceinertia {
            body.inertia = Vec3::repeat((a + b + c) / 3.0);
        } else {
            refuse("no moment of inertia may exceed the sum of the other two; balanceinertia=\"true\" would fix it");
        }
    }
}

/// Adds the inertia of `other`, a body fixed to this one at `other.pose`; false when the axes cannot be found.
///
/// This is MuJoCo 3.5.0's sum. It takes the pose of the other's inertial frame as `inertial ∘ pose` instead of
/// `pose ∘ inertial`, and its axes without the rotation of `pose`: right only when nothing is rotated.
#[doc(alias = "mjCBody::AccumulateInertia")]
pub(super) fn accumulate(body: &mut Body<'_>, other: &Body<'_>) -> bool {
    let place = Pose::new(other.inertial.apply(&other.pose.pos), other.inertial.quat);
    let parts = [
        Part { pose: body.inertial, mass: body.mass, inertia: body.inertia },
        Part { pose: place, mass: other.mass, inertia: other.inertia },
    ];
    if body.mass + other.mass < MINVAL {
        (body.mass, body.inertia, body.inertial) = (0.0, Vec3::zeros(), Pose::default());
        return true;
    }
    match sum(&parts, |total, own, moved| total + (own + moved)) {
        Some(whole) => {
            (body.inertial, body.mass, body.inertia) = (whole.pose, whole.mass, whole.inertia);
            true
        }
        None => false,
    }
}

/// Notes every moving body without mass that has nothing with mass rigidly attached below it.
#[doc(alias = "mjCModel::CheckBodyMassInertia")]
pub(super) fn check_moving(bodies: &[Body<'_>], problems: &mut Problems) {
    let mut heavy: Vec<bool> =
        bodies.iter().map(|b| b.mass >= MINVAL && b.inertia.iter().all(|x| *x >= MINVAL)).collect();
    for i in (1..bodies.len()).rev() {
        if bodies[i].joints.is_empty() && heavy[i] {
            heavy[bodies[i].parent] = true;
        }
    }
    for (body, heavy) in bodies.iter().zip(heavy).skip(1) {
        if !body.joints.is_empty() && !heavy {
            let message = "a moving body needs mass and inertia (at least 1e-15), its own or of bodies fixed to it";
            problems.invalid(&body.spec.at, "body", &body.spec.name, message);
        }
    }
}

/// Scales all masses and inertias so that the total mass is `target`.
#[doc(alias = "mj_setTotalmass")]
pub(super) fn set_total_mass(bodies: &mut [Body<'_>], target: f64) {
    let total: f64 = bodies.iter().skip(1).map(|b| b.mass).sum();
    let scale = MINVAL.max(target / MINVAL.max(total));
    for body in bodies.iter_mut().skip(1) {
        body.mass *= scale;
        body.inertia *= scale;
    }
}

/// A mass with its inertia: moments about the axes of `pose`.
struct Part {
    pose: Pose,
    mass: f64,
    inertia: Vec3,
}

/// All parts as one, about its principal axes; `None` when a moment is not positive.
///
/// `add` adds a part's own inertia and that of its mass away from the centre. The axes of a body with equal moments
/// follow from the last bits, and MuJoCo adds in two orders.
fn sum(parts: &[Part], add: impl Fn(Mat3, Mat3, Mat3) -> Mat3) -> Option<Part> {
    let mass: f64 = parts.iter().map(|p| p.mass).sum();
    let com = parts.iter().fold(Vec3::zeros(), |sum, p| sum + p.pose.pos * p.mass) / mass;
    let mut total = Mat3::zeros();
    for part in parts {
        let d = part.pose.pos - com;
        total = add(total, rotate_diagonal(&part.pose.quat.to_mat(), &part.inertia), off_centre(part.mass, &d));
    }
    // below the diagonal the products are rounded as in MuJoCo
    let full = [total[(0, 0)], total[(1, 1)], total[(2, 2)], total[(1, 0)], total[(2, 0)], total[(2, 1)]];
    let (inertia, quat): (Vec3, Quat) = eig3::principal(full)?;
    Some(Part { pose: Pose::new(com, quat), mass, inertia })
}

/// Inertia of a point of mass at `d`.
#[doc(alias = "mjuu_offcenter")]
fn off_centre(mass: f64, d: &Vec3) -> Mat3 {
    let [x, y, z] = [d.x * d.x, d.y * d.y, d.z * d.z];
    let (xy, xz, yz) = (-mass * d.x * d.y, -mass * d.x * d.z, -mass * d.y * d.z);
    Mat3::new(mass * (y + z), xy, xz, xy, mass * (x + z), yz, xz, yz, mass * (x + y))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two halves of a box make the box.
    #[test]
    fn parts_make_the_whole() {
        let half = |x: f64| Part {
            pose: Pose::new(Vec3::new(x, 0.0, 0.0), Quat::IDENTITY),
            mass: 1.0,
            inertia: Vec3::new(1.0 + 1.0, 0.25 + 1.0, 0.25 + 1.0) / 3.0,
        };
        let whole = sum(&[half(0.5), half(-0.5)], |total, own, moved| total + own + moved).unwrap();
        assert_eq!(whole.mass, 2.0);
        assert!(whole.pose.pos.norm() < 1e-15);
        let want = Vec3::new(2.0, 2.0, 2.0) * (2.0 / 3.0);
        assert!((whole.inertia - want).norm() < 1e-15, "{:?}", whole.inertia);
    }

    #[test]
    fn bounds_and_balance() {
        let spec = crate::spec::Body::default();
        let spec_all = crate::spec::Spec { bodies: vec![spec], ..Default::default() };
        let mut problems = Problems::new();
        let mut bodies = super::super::tree::build(&spec_all, &mut problems);
        let body = &mut bodies[0];
        let compiler = Compiler { boundmass: 2.0, boundinertia: 0.5, ..Compiler::default() };
        bound(body, &compiler, &mut problems);
        assert_eq!((body.mass, body.inertia), (2.0, Vec3::repeat(0.5)));
        body.inertia = Vec3::new(1.0, 1.0, 4.0);
        bound(body, &compiler, &mut problems);
        assert!(problems.check().is_err());
        bound(body, &Compiler { balanceinertia: true, ..compiler }, &mut problems);
        assert!(problems.is_empty());
        assert_eq!(body.inertia, Vec3::repeat(2.0));
    }
}
