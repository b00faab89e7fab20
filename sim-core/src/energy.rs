//! Potential and kinetic energy.

use sim_tendon::Spring;
use sim_types::linalg::dot;
use sim_types::{DisableFlags, JointType, Quat, Vec3};

use crate::data::Data;
use crate::model::Model;

/// Computes the potential energy of gravity and of springs.
///
/// Reads `xipos`, `qpos`, `ten_length`; writes `energy[0]`.
#[doc(alias = "mj_energyPos")]
pub fn energy_pos(m: &Model, d: &mut Data) {
    let mut energy = 0.0;
    if m.opt.has(DisableFlags::GRAVITY) {
        for body in 1..m.nbody {
            energy -= m.body_mass[body] * m.opt.gravity.dot(&d.xipos[body]);
        }
    }
    if m.opt.has(DisableFlags::SPRING) {
        for jnt in 0..m.njnt {
            let stiffness = m.jnt_stiffness[jnt];
            if stiffness != 0.0 {
                energy += 0.5 * stiffness * spring_stretch_squared(m, d, jnt);
            }
        }
        for tendon in 0..m.ntendon {
            let (stiffness, [lower, upper]) = (m.tendon_stiffness[tendon], m.tendon_lengthspring[tendon]);
            energy += Spring { stiffness, lower, upper }.energy(d.ten_length[tendon]);
        }
    }
    d.energy[0] = energy;
    d.lazy.energypos = true;
}

/// Computes the kinetic energy, armature included.
///
/// Reads `M`, `qvel`; writes `energy[1]`.
#[doc(alias = "mj_energyVel")]
pub fn energy_vel(m: &Model, d: &mut Data) {
    let mut momentum = std::mem::take(&mut d.scratch.nv);
    m.m_pattern().mul(&d.M, &d.qvel, &mut momentum);
    d.energy[1] = 0.5 * dot(&momentum, &d.qvel);
    d.scratch.nv = momentum;
    d.lazy.energyvel = true;
}

/// Squared distance of a joint from where its spring rests.
fn spring_stretch_squared(m: &Model, d: &Data, jnt: usize) -> f64 {
    let adr = m.jnt_qposadr[jnt] as usize;
    let (q, rest) = (&d.qpos[adr..], &m.qpos_spring[adr..]);
    let turn = |k: usize| match (Quat::from_slice(&q[k..]), Quat::from_slice(&rest[k..])) {
        (Some(now), Some(rest)) => now.normalized().rotation_from(rest).norm_squared(),
        _ => 0.0,
    };
    match m.jnt_type[jnt] {
        JointType::Slide | JointType::Hinge => (q[0] - rest[0]) * (q[0] - rest[0]),
        JointType::Ball => turn(0),
        JointType::Free => Vec3::new(q[0] - rest[0], q[1] - rest[1], q[2] - rest[2]).norm_squared() + turn(3),
    }
}
