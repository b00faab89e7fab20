//! Acceleration without constraints.

use sim_types::{Motion, Vec3};

use crate::data::Data;
use crate::model::Model;

/// Sums all forces but those of constraints and solves for the acceleration they cause.
///
/// Reads `qfrc_passive`, `qfrc_bias`, `qfrc_applied`, `qfrc_actuator`, `xfrc_applied`, the factor of M; writes
/// `qfrc_smooth`, `qacc_smooth`.
#[doc(alias = "mj_fwdAcceleration")]
pub fn acceleration(m: &Model, d: &mut Data) {
    sum_smooth(m, d);
    solve_smooth(m, d);
}

/// The first half of [`acceleration`]: the sum of forces, `qfrc_smooth`.
pub fn sum_smooth(m: &Model, d: &mut Data) {
    let forces = d.qfrc_passive.iter().zip(&d.qfrc_bias).zip(d.qfrc_applied.iter().zip(&d.qfrc_actuator));
    for (sum, ((passive, bias), (applied, actuator))) in d.qfrc_smooth.iter_mut().zip(forces) {
        *sum = passive - bias + applied + actuator;
    }
    let mut total = std::mem::take(&mut d.qfrc_smooth);
    add_applied(m, d, &mut total);
    d.qfrc_smooth = total;
}

/// The second half of [`acceleration`]: what the sum causes, `qacc_smooth`.
pub fn solve_smooth(m: &Model, d: &mut Data) {
    d.qacc_smooth.copy_from_slice(&d.qfrc_smooth);
    m.m_pattern().solve(&d.qLD, &d.qLDiagInv, &mut d.qacc_smooth);
}

/// Adds to `qfrc` the forces on bodies in `xfrc_applied`, which act at their centres of mass.
#[doc(alias = "mj_xfrcAccumulate")]
pub(crate) fn add_applied(m: &Model, d: &Data, qfrc: &mut [f64]) {
    // mostly there are none; all bits but the signs tell
    if d.xfrc_applied.as_flattened().iter().fold(0, |bits, x| bits | x.to_bits()) << 1 == 0 {
        return;
    }
    for body in 1..m.nbody {
        let x = d.xfrc_applied[body];
        if x.iter().any(|v| *v != 0.0) {
            let (force, torque) = (Vec3::new(x[0], x[1], x[2]), Vec3::new(x[3], x[4], x[5]));
            let offset = d.xipos[body] - d.subtree_com[m.body_rootid[body] as usize];
            apply_force(m, &d.cdof, body, &offset, &force, &torque, qfrc);
        }
    }
}

/// Adds to `qfrc` the generalized force of a force and torque on `body`, acting `offset` away from the tree's centre
/// of mass.
#[doc(alias = "mj_applyFT")]
pub fn apply_force(
    m: &Model,
    cdof: &[Motion],
    body: usize,
    offset: &Vec3,
    force: &Vec3,
    torque: &Vec3,
    qfrc: &mut [f64],
) {
    for dof in m.body_chain(body) {
        let axis = &cdof[dof];
        let at_point = axis.lin + axis.rot.cross(offset);
        qfrc[dof] += at_point.dot(force) + axis.rot.dot(torque);
    }
}
