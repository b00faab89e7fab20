//! Rows of joint and tendon limits.

use sim_types::math::normalize3;
use sim_types::{ConstraintType, DisableFlags, JointType, OptId, Quat, Vec3};

use super::rows::{Efc, Head, softness};
use super::tendon::tendon_row;
use crate::data::Data;
use crate::model::Model;

/// Adds a row for every limit that is closer than its margin.
#[doc(alias = "mj_instantiateLimit")]
pub(super) fn add(m: &Model, d: &mut Data, efc: &mut Efc) {
    if !m.opt.has(DisableFlags::LIMIT) {
        return;
    }
    let before = efc.nbase();
    for jnt in (0..m.njnt).filter(|&jnt| m.jnt_limited[jnt]) {
        let dof = m.jnt_dofadr[jnt] as usize;
        if d.tree_sleeps(m.dof_treeid[dof] as usize) {
            continue;
        }
        match m.jnt_type[jnt] {
            JointType::Slide | JointType::Hinge => scalar(m, d, jnt, efc),
            JointType::Ball => ball(m, d, jnt, efc),
            JointType::Free => {}
        }
    }
    for tendon in (0..m.ntendon).filter(|&tendon| m.tendon_limited[tendon]) {
        if !d.tendon_sleeps(m, tendon) {
            path(m, d, tendon, efc);
        }
    }
    efc.nl = efc.nbase() - before;
    efc.nefc = efc.nbase();
}

/// Distances to the lower and to the upper end of a range, with the sign of the Jacobian.
fn sides(value: f64, range: &[f64; 2]) -> [(f64, f64); 2] {
    [(-(range[0] - value), 1.0), (range[1] - value, -1.0)]
}

fn scalar(m: &Model, d: &Data, jnt: usize, efc: &mut Efc) {
    let value = d.qpos[m.jnt_qposadr[jnt] as usize];
    for (dist, sign) in sides(value, &m.jnt_range[jnt]) {
        if dist < m.jnt_margin[jnt] {
            efc.push_entries(std::iter::once((m.jnt_dofadr[jnt], sign)));
            finish(m, jnt, dist, efc);
        }
    }
}

/// The angle of the whole rotation, about its own axis.
fn ball(m: &Model, d: &Data, jnt: usize, efc: &mut Efc) {
    let quat = Quat::from_slice(&d.qpos[m.jnt_qposadr[jnt] as usize..]).unwrap_or_default();
    let (axis, angle) = rotation_angle(quat);
    let [low, high] = m.jnt_range[jnt];
    let dist = if low > high { low } else { high } - angle;
    if dist < m.jnt_margin[jnt] {
        let dof = m.jnt_dofadr[jnt];
        efc.push_entries((0..3).map(|k| (dof + k as u32, -axis[k])));
        finish(m, jnt, dist, efc);
    }
}

/// The unit axis and the angle, at most π, of a rotation: the same for a quaternion and its negative.
fn rotation_angle(quat: Quat) -> (Vec3, f64) {
    let mut axis = quat.normalized().to_velocity(1.0);
    let angle = normalize3(&mut axis);
    (axis, angle)
}

fn finish(m: &Model, jnt: usize, dist: f64, efc: &mut Efc) {
    let margin = m.jnt_margin[jnt];
    let head = Head { kind: ConstraintType::LimitJoint, id: jnt, pos: dist, margin, frictionloss: 0.0 };
    let soft = softness(m, &m.jnt_solref[jnt], &[0.0; 2], &m.jnt_solimp[jnt]);
    efc.finish_row(m, &head, &soft, m.dof_invweight0[m.jnt_dofadr[jnt] as usize]);
}

fn path(m: &Model, d: &mut Data, tendon: usize, efc: &mut Efc) {
    let margin = m.tendon_margin[tendon];
    for (dist, sign) in sides(d.ten_length[tendon], &m.tendon_range[tendon]) {
        if dist.is_nan() || dist >= margin {
            continue;
        }
        efc.push_entries(tendon_row(m, d, tendon).map(|(col, x)| (col, sign * x)));
        let head = Head { kind: ConstraintType::LimitTendon, id: tendon, pos: dist, margin, frictionloss: 0.0 };
        let soft = softness(m, &m.tendon_solref_lim[tendon], &[0.0; 2], &m.tendon_solimp_lim[tendon]);
        let row = efc.nbase() - 1;
        if efc.finish_row(m, &head, &soft, m.tendon_invweight0[tendon]) && d.tendon_efcadr[tendon].is_none() {
            d.tendon_efcadr[tendon] = OptId::some(row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_beyond_half_is_a_shorter_one_the_other_way() {
        let quat = Quat::from_axis_angle(&Vec3::z(), 200f64.to_radians());
        let (axis, angle) = rotation_angle(quat);
        assert!((angle - 160f64.to_radians()).abs() < 1e-14);
        assert!((axis + Vec3::z()).norm() < 1e-14);
    }

    #[test]
    fn a_quaternion_and_its_negative_are_one_rotation() {
        let q = Quat::from_axis_angle(&Vec3::new(0.6, 0.8, 0.0), 0.9);
        let (a, b) = (rotation_angle(q), rotation_angle(Quat::new(-q.w, -q.x, -q.y, -q.z)));
        assert!((a.0 - b.0).norm() < 1e-14 && (a.1 - b.1).abs() < 1e-14);
    }
}
