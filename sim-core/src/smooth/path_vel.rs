//! Velocities of tendons and actuators.

use sim_types::DisableFlags;

use crate::data::Data;
use crate::model::Model;

/// Computes tendon and actuator velocities from their Jacobians.
///
/// Reads `ten_J`, `actuator_moment`, `qvel`; writes `ten_velocity`, `actuator_velocity`.
pub fn path_vel(m: &Model, d: &mut Data) {
    for tendon in 0..m.ntendon {
        let row = m.ten_j_row(tendon);
        d.ten_velocity[tendon] = sparse_dot(&d.ten_J[row.clone()], &m.ten_J_colind[row], &d.qvel);
    }
    if !m.opt.has(DisableFlags::ACTUATION) {
        d.actuator_velocity.fill(0.0);
        return;
    }
    for actuator in 0..m.nu {
        let row = m.moment_row(actuator);
        d.actuator_velocity[actuator] = sparse_dot(&d.actuator_moment[row.clone()], &m.moment_colind[row], &d.qvel);
    }
}

pub(crate) fn sparse_dot(values: &[f64], columns: &[u32], x: &[f64]) -> f64 {
    values.iter().zip(columns).map(|(v, &col)| v * x[col as usize]).sum()
}
