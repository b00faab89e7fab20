//! Passive forces: springs, dampers, gravity compensation, the medium.

pub(crate) mod fluid;

use sim_tendon::Spring;
use sim_types::{DisableFlags, JointType, Quat, Vec3};

use crate::data::Data;
use crate::model::Model;
use crate::pipeline::{Hooks, Parts};
use crate::smooth::apply_force;

/// Computes the forces of springs and dampers, of gravity compensation and of the medium.
///
/// Reads `qpos`, `qvel`, `ten_length`, `ten_velocity`, `ten_J`, `cvel`, `xipos`, `cdof`; writes `qfrc_spring`, `qfrc_damper`, `qfrc_gravcomp`, `qfrc_fluid`,
/// `qfrc_passive`. With springs and dampers both disabled everything passive is off, gravity compensation and the user's
/// hook included, as in MuJoCo.
#[doc(alias = "mj_passive")]
pub fn passive<P: Parts>(m: &Model, d: &mut Data, parts: &P) {
    for force in [&mut d.qfrc_spring, &mut d.qfrc_damper, &mut d.qfrc_gravcomp, &mut d.qfrc_fluid, &mut d.qfrc_passive]
    {
        force.fill(0.0);
    }
    let (springs, dampers) = (m.opt.has(DisableFlags::SPRING), m.opt.has(DisableFlags::DAMPER));
    if !springs && !dampers {
        return;
    }
    if springs {
        joint_springs(m, d);
    }
    if dampers {
        for (force, (damping, vel)) in d.qfrc_damper.iter_mut().zip(m.dof_damping.iter().zip(&d.qvel)) {
            *force = -damping * vel;
        }
    }
    tendons(m, d, springs, dampers);
    let lifted = gravity_compensation(m, d);
    let in_fluid = fluid::fluid(m, d);

    for (total, (spring, damper)) in d.qfrc_passive.iter_mut().zip(d.qfrc_spring.iter().zip(&d.qfrc_damper)) {
        *total = spring + damper;
    }
    if in_fluid {
        for (total, fluid) in d.qfrc_passive.iter_mut().zip(&d.qfrc_fluid) {
            *total += fluid;
        }
    }
    if lifted {
        // that of actuated joints counts as actuator force instead
        for dof in (0..m.nv).filter(|&dof| !m.jnt_actgravcomp[m.dof_jntid[dof] as usize]) {
            d.qfrc_passive[dof] += d.qfrc_gravcomp[dof];
        }
    }
    parts.hooks().passive(m, d);
}

fn joint_springs(m: &Model, d: &mut Data) {
    for jnt in 0..m.njnt {
        let stiffness = m.jnt_stiffness[jnt];
        if stiffness == 0.0 {
            continue;
        }
        let (mut adr, mut dof) = (m.jnt_qposadr[jnt] as usize, m.jnt_dofadr[jnt] as usize);
        let kind = m.jnt_type[jnt];
        if matches!(kind, JointType::Slide | JointType::Hinge) {
            d.qfrc_spring[dof] = -stiffness * (d.qpos[adr] - m.qpos_spring[adr]);
            continue;
        }
        if kind == JointType::Free {
            for k in 0..3 {
                d.qfrc_spring[dof + k] = -stiffness * (d.qpos[adr + k] - m.qpos_spring[adr + k]);
            }
            (adr, dof) = (adr + 3, dof + 3);
        }
        if let (Some(now), Some(rest)) = (Quat::from_slice(&d.qpos[adr..]), Quat::from_slice(&m.qpos_spring[adr..])) {
            let turn = now.normalized().rotation_from(rest);
            for k in 0..3 {
                d.qfrc_spring[dof + k] = -stiffness * turn[k];
            }
        }
    }
}

/// Springs and dampers along tendons.
fn tendons(m: &Model, d: &mut Data, springs: bool, dampers: bool) {
    for tendon in 0..m.ntendon {
        let row = m.ten_j_row(tendon);
        let columns = &m.ten_J_colind[row.clone()];
        if springs && m.tendon_stiffness[tendon] != 0.0 {
            let [lower, upper] = m.tendon_lengthspring[tendon];
            let force = Spring { stiffness: m.tendon_stiffness[tendon], lower, upper }.force(d.ten_length[tendon]);
            if force != 0.0 {
                add_row(&mut d.qfrc_spring, &d.ten_J[row.clone()], columns, force);
            }
        }
        if dampers && m.tendon_damping[tendon] != 0.0 {
            let force = -m.tendon_damping[tendon] * d.ten_velocity[tendon];
            add_row(&mut d.qfrc_damper, &d.ten_J[row], columns, force);
        }
    }
}

/// `out += scale · row` for a sparse row.
fn add_row(out: &mut [f64], row: &[f64], columns: &[u32], scale: f64) {
    for (x, &col) in row.iter().zip(columns) {
        out[col as usize] += scale * x;
    }
}

/// Lifts bodies by their share of weight; false when there is nothing to lift.
fn gravity_compensation(m: &Model, d: &mut Data) -> bool {
    if m.ngravcomp == 0 || !m.opt.has(DisableFlags::GRAVITY) || m.opt.gravity == Vec3::zeros() {
        return false;
    }
    for body in 1..m.nbody {
        let share = m.body_gravcomp[body];
        if share != 0.0 {
            let force = m.opt.gravity * -(m.body_mass[body] * share);
            let offset = d.xipos[body] - d.subtree_com[m.body_rootid[body] as usize];
            apply_force(m, &d.cdof, body, &offset, &force, &Vec3::zeros(), &mut d.qfrc_gravcomp);
        }
    }
    true
}
