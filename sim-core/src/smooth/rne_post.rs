//! Accelerations and interaction forces of bodies, once the acceleration is known.

use sim_types::{DisableFlags, Force, Motion, Vec3};

use crate::data::Data;
use crate::model::Model;

/// Computes the acceleration of every body, the external force on it, and the force its parent exerts on it.
///
/// Reads `qacc`, `qvel`, `cdof`, `cdof_dot`, `cvel`, `cinert`, `xfrc_applied`; writes `cacc`, `cfrc_ext`, `cfrc_int`.
/// Not part of a step: sensors ask for it.
#[doc(alias = "mj_rnePostConstraint")]
pub fn rne_post(m: &Model, d: &mut Data) {
    external_forces(m, d);

    // accelerations from the world outwards
    let gravity = if m.opt.has(DisableFlags::GRAVITY) { m.opt.gravity } else { Vec3::zeros() };
    d.cacc[0] = Motion::new(Vec3::zeros(), -gravity);
    d.cfrc_int[0] = Force::ZERO;
    for body in 1..m.nbody {
        let mut acc = d.cacc[m.body_parentid[body] as usize];
        for dof in m.body_dofs(body) {
            acc += d.cdof_dot[dof] * d.qvel[dof] + d.cdof[dof] * d.qacc[dof];
        }
        d.cacc[body] = acc;
        let momentum = d.cinert[body] * d.cvel[body];
        d.cfrc_int[body] = d.cinert[body] * acc + d.cvel[body].cross_force(&momentum) - d.cfrc_ext[body];
    }

    // the parent carries what its children need
    for body in (1..m.nbody).rev() {
        let own = d.cfrc_int[body];
        d.cfrc_int[m.body_parentid[body] as usize] += own;
    }
    d.lazy.rnepost = true;
}

/// Applied forces, moved from the bodies' centres of mass to the trees'.
fn external_forces(m: &Model, d: &mut Data) {
    d.cfrc_ext[0] = Force::ZERO;
    for body in 1..m.nbody {
        let x = &d.xfrc_applied[body];
        let at_com = Force::new(Vec3::new(x[3], x[4], x[5]), Vec3::new(x[0], x[1], x[2]));
        let offset = d.subtree_com[m.body_rootid[body] as usize] - d.xipos[body];
        d.cfrc_ext[body] = at_com.moved(&offset);
    }
}
