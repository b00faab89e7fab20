//! Moving on the manifold of positions: quaternions turn, everything else adds.

use sim_types::{JointType, Quat, Vec3};

use crate::model::Model;

/// `qpos ← qpos ⊕ dt·qvel`.
///
/// `qpos` has `nq` numbers, `qvel` `nv`.
#[doc(alias = "mj_integratePos")]
pub fn integrate_pos(m: &Model, qpos: &mut [f64], qvel: &[f64], dt: f64) {
    for jnt in 0..m.njnt {
        integrate_joint(m, jnt, qpos, qvel, dt);
    }
}

/// The positions of one joint.
pub(super) fn integrate_joint(m: &Model, jnt: usize, qpos: &mut [f64], qvel: &[f64], dt: f64) {
    let (mut adr, mut dof) = (m.jnt_qposadr[jnt] as usize, m.jnt_dofadr[jnt] as usize);
    let kind = m.jnt_type[jnt];
    if matches!(kind, JointType::Slide | JointType::Hinge) {
        qpos[adr] += dt * qvel[dof];
        return;
    }
    if kind == JointType::Free {
        for k in 0..3 {
            qpos[adr + k] += dt * qvel[dof + k];
        }
        (adr, dof) = (adr + 3, dof + 3);
    }
    if let Some(quat) = Quat::from_slice(&qpos[adr..]) {
        let vel = Vec3::new(qvel[dof], qvel[dof + 1], qvel[dof + 2]);
        qpos[adr..adr + 4].copy_from_slice(&quat.integrate(&vel, dt).to_array());
    }
}

/// The velocity that goes from `from` to `to` in `dt`: the inverse of [`integrate_pos`].
#[doc(alias = "mj_differentiatePos")]
pub fn differentiate_pos(m: &Model, qvel: &mut [f64], dt: f64, from: &[f64], to: &[f64]) {
    for jnt in 0..m.njnt {
        let (mut adr, mut dof) = (m.jnt_qposadr[jnt] as usize, m.jnt_dofadr[jnt] as usize);
        let kind = m.jnt_type[jnt];
        if matches!(kind, JointType::Slide | JointType::Hinge) {
            qvel[dof] = (to[adr] - from[adr]) / dt;
            continue;
        }
        if kind == JointType::Free {
            for k in 0..3 {
                qvel[dof + k] = (to[adr + k] - from[adr + k]) / dt;
            }
            (adr, dof) = (adr + 3, dof + 3);
        }
        if let (Some(a), Some(b)) = (Quat::from_slice(&from[adr..]), Quat::from_slice(&to[adr..])) {
            let turn = b.rotation_from(a) / dt;
            qvel[dof..dof + 3].copy_from_slice(turn.as_slice());
        }
    }
}
