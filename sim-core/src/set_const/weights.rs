//! Inverse inertias at the reference pose, and what actuators are scaled by.

use sim_types::{JointType, MINVAL};

use crate::data::Data;
use crate::model::Model;

/// Mean inverse inertia of each body, translation and rotation.
pub(super) fn body_inverse_inertia(m: &mut Model, d: &Data) {
    let mut work = vec![0.0; m.nv];
    let mut columns: Vec<(usize, [f64; 6])> = Vec::new();
    for body in 0..m.nbody {
        m.body_invweight0[body] = if m.body_weldid[body] == 0 {
            [0.0; 2]
        } else if m.body_simple[body] == 2 {
            [1.0 / m.body_mass[body].max(MINVAL), 0.0]
        } else {
            // columns of the Jacobian of the centre of mass
            let offset = d.xipos[body] - d.subtree_com[m.body_rootid[body] as usize];
            columns.clear();
            columns.extend(m.body_chain(body).map(|dof| {
                let axis = &d.cdof[dof];
                let at_point = axis.lin + axis.rot.cross(&offset);
                (dof, [at_point.x, at_point.y, at_point.z, axis.rot.x, axis.rot.y, axis.rot.z])
            }));

            // mean diagonal of J M⁻¹ Jᵀ
            let mut diagonal = [0.0; 6];
            for k in 0..6 {
                for (dof, column) in &columns {
                    work[*dof] = column[k];
                }
                diagonal[k] = columns.first().map_or(0.0, |(last, _)| inverse_norm(m, d, *last, &mut work));
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

/// Solves for sparse forces. Trees do not couple: only those of the force are looked at.
pub(super) struct TreeSolve {
    force: Vec<f64>,
    solved: Vec<f64>,
    trees: Vec<usize>,
}

impl TreeSolve {
    pub(super) fn new(m: &Model) -> Self {
        Self { force: vec![0.0; m.nv], solved: vec![0.0; m.nv], trees: Vec::new() }
    }

    /// `xᵀM⁻¹x` and `‖M⁻¹x‖` for a force with these values in these columns.
    pub(super) fn solve(&mut self, m: &Model, d: &Data, values: &[f64], columns: &[u32]) -> (f64, f64) {
        let Self { force, solved, trees } = self;
        trees.clear();
        for (x, &col) in values.iter().zip(columns) {
            force[col as usize] = *x;
            trees.push(m.dof_treeid[col as usize] as usize);
        }
        trees.sort_unstable();
        trees.dedup();
        let (mut along, mut length) = (0.0, 0.0);
        for &tree in trees.iter() {
            let first = m.tree_dofadr[tree] as usize;
            let dofs = first..first + m.tree_dofnum[tree] as usize;
            solved[dofs.clone()].copy_from_slice(&force[dofs.clone()]);
            solve_tree(m, d, dofs.clone(), solved);
            for dof in dofs {
                along += std::mem::take(&mut force[dof]) * solved[dof];
                length += solved[dof] * solved[dof];
            }
        }
        (along, length.sqrt())
    }
}

/// `x = M⁻¹·x` for the dofs of one tree.
fn solve_tree(m: &Model, d: &Data, dofs: std::ops::Range<usize>, x: &mut [f64]) {
    let above = |dof: usize| {
        let (adr, nnz) = (m.M_rowadr[dof] as usize, m.M_rownnz[dof] as usize);
        d.qLD[adr..adr + nnz - 1].iter().zip(&m.M_colind[adr..adr + nnz - 1])
    };
    for dof in dofs.clone().rev() {
        let value = x[dof];
        above(dof).for_each(|(l, &col)| x[col as usize] -= l * value);
    }
    for dof in dofs {
        let sum: f64 = above(dof).map(|(l, &col)| l * x[col as usize]).sum();
        x[dof] = x[dof] * d.qLDiagInv[dof] - sum;
    }
}

/// Inverse inertia of tendons and the acceleration that a unit force of an actuator causes.
pub(super) fn path_inverse_inertia(m: &mut Model, d: &Data) {
    let mut solver = TreeSolve::new(m);
    let mut solve = |m: &Model, values: &[f64], columns: &[u32]| solver.solve(m, d, values, columns);
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
