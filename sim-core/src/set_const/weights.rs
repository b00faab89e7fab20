//! Inverse inertias at the reference pose, and what actuators are scaled by.

use sim_types::{JointType, MINVAL};

use crate::data::Data;
use crate::jacobian::jac_body_com;
use crate::model::Model;
use crate::smooth;

/// Mean inverse inertia of each body, translation and rotation.
pub(super) fn body_inverse_inertia(m: &mut Model, d: &Data) {
    let nv = m.nv;
    let mut jac = vec![0.0; 6 * nv];
    let mut work = vec![0.0; nv];
    for body in 0..m.nbody {
        m.body_invweight0[body] = if m.body_weldid[body] == 0 {
            [0.0; 2]
        } else if m.body_simple[body] == 2 {
            [1.0 / m.body_mass[body].max(MINVAL), 0.0]
        } else {
            // mean diagonal of J M⁻¹ Jᵀ
            let (jacp, jacr) = jac.split_at_mut(3 * nv);
            jac_body_com(m, d, jacp, jacr, body);
            let last = m.body_chain(body).next();
            let mut diagonal = [0.0; 6];
            for (k, row) in jac.chunks_exact(nv).enumerate() {
                for dof in m.body_chain(body) {
                    work[dof] = row[dof];
                }
                diagonal[k] = last.map_or(0.0, |dof| inverse_norm(m, d, dof, &mut work));
            }
            let tran = (diagonal[0] + diagonal[1] + diagonal[2]) / 3.0;
            let rot = (diagonal[3] + diagonal[4] + diagonal[5]) / 3.0;

            // a body that can only turn, or only slide, takes the other number
            if tran < MINVAL && rot > MINVAL {
                [rot, rot]
            } else if rot < MINVAL && tran > MINVAL {
                [tran, tran]
            } else {
                [tran, rot]
            }
        };
    }
}

/// Diagonal of the inverse inertia matrix, averaged over the dofs that a joint rotates or translates together.
pub(super) fn dof_inverse_inertia(m: &mut Model, d: &Data) {
    let mut work = vec![0.0; m.nv];
    for jnt in 0..m.njnt {
        let dof = m.jnt_dofadr[jnt] as usize;
        let body = m.jnt_bodyid[jnt] as usize;
        if m.body_simple[body] == 2 {
            m.dof_invweight0[dof] = 1.0 / m.body_mass[body].max(MINVAL);
            continue;
        }
        let mut diagonal = [0.0; 6];
        let n = m.jnt_type[jnt].nv();
        for k in 0..n {
            work[dof + k] = 1.0;
            diagonal[k] = inverse_norm(m, d, dof + k, &mut work);
        }
        let mean = |k: usize| (diagonal[k] + diagonal[k + 1] + diagonal[k + 2]) / 3.0;
        let weights = &mut m.dof_invweight0[dof..dof + n];
        match m.jnt_type[jnt] {
            JointType::Free => {
                weights[..3].fill(mean(0));
                weights[3..].fill(mean(3));
            }
            JointType::Ball => weights.fill(mean(0)),
            JointType::Slide | JointType::Hinge => weights[0] = diagonal[0],
        }
    }
}

/// `xᵀM⁻¹x` for a vector that is zero outside of the chain of `last`; leaves `x` zero.
///
/// With `M = LᵀDL` this is `‖D^-½ L⁻ᵀ x‖²`, and `L⁻ᵀ` spreads only towards the root.
fn inverse_norm(m: &Model, d: &Data, last: usize, x: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for dof in m.dof_chain(last) {
        let value = std::mem::take(&mut x[dof]);
        let (adr, nnz) = (m.M_rowadr[dof] as usize, m.M_rownnz[dof] as usize);
        for (l, &col) in d.qLD[adr..adr + nnz - 1].iter().zip(&m.M_colind[adr..adr + nnz - 1]) {
            x[col as usize] -= l * value;
        }
        sum += value * value * d.qLDiagInv[dof];
    }
    sum
}

/// Inverse inertia of tendons and the acceleration that a unit force of an actuator causes.
pub(super) fn path_inverse_inertia(m: &mut Model, d: &Data) {
    let mut force = vec![0.0; m.nv];
    let mut solved = vec![0.0; m.nv];
    let mut solve = |m: &Model, values: &[f64], columns: &[u32]| {
        force.fill(0.0);
        for (x, &col) in values.iter().zip(columns) {
            force[col as usize] = *x;
        }
        solved.copy_from_slice(&force);
        smooth::solve_m(m, d, &mut solved);
        let along: f64 = force.iter().zip(&solved).map(|(a, b)| a * b).sum();
        (along, solved.iter().map(|x| x * x).sum::<f64>().sqrt())
    };
    for tendon in 0..m.ntendon {
        let row = m.ten_j_row(tendon);
        m.tendon_invweight0[tendon] = solve(m, &d.ten_J[row.clone()], &m.ten_J_colind[row]).0;
        m.tendon_length0[tendon] = d.ten_length[tendon];
    }
    for actuator in 0..m.nu {
        let row = m.moment_row(actuator);
        m.actuator_acc0[actuator] = solve(m, &d.actuator_moment[row.clone()], &m.moment_colind[row]).1;
        m.actuator_length0[actuator] = d.actuator_length[actuator];
    }
}

/// Turns the damping ratio of position-like actuators (a positive third bias parameter) into damping.
pub(super) fn damping_ratios(m: &mut Model, d: &Data) {
    for actuator in 0..m.nu {
        let (stiffness, ratio) = (m.actuator_gainprm[actuator][0], m.actuator_biasprm[actuator][2]);
        if stiffness != -m.actuator_biasprm[actuator][1] || ratio <= 0.0 {
            continue;
        }
        // inertia seen through the transmission
        let row = m.moment_row(actuator);
        let mut inertia = 0.0;
        for (moment, &dof) in d.actuator_moment[row.clone()].iter().zip(&m.moment_colind[row]) {
            let squared = moment * moment;
            if squared > MINVAL {
                inertia += m.dof_M0[dof as usize] / squared;
            }
        }
        m.actuator_biasprm[actuator][2] = -ratio * 2.0 * (stiffness * inertia).sqrt();
    }
}
