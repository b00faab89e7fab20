//! Momentum of subtrees.

use sim_types::{MINVAL, Vec3};

use crate::data::Data;
use crate::model::Model;

/// Computes the velocity of every subtree's centre of mass and its angular momentum about it.
///
/// Reads `cvel`, `xipos`, `ximat`, `subtree_com`; writes `subtree_linvel`, `subtree_angmom`. Not part of a step: call
/// it when the numbers are wanted.
#[doc(alias = "mj_subtreeVel")]
pub fn subtree_vel(m: &Model, d: &mut Data) {
    let mut vel = std::mem::take(&mut d.scratch.body_motion);

    // velocity of each centre of mass, angular momentum of each body about it
    for body in 0..m.nbody {
        let offset = d.xipos[body] - d.subtree_com[m.body_rootid[body] as usize];
        vel[body] = d.cvel[body].moved(&offset);
        let local = d.ximat[body].transpose() * vel[body].rot;
        d.subtree_angmom[body] = d.ximat[body] * local.component_mul(&m.body_inertia[body]);
        d.subtree_linvel[body] = vel[body].lin * m.body_mass[body];
    }

    // linear momentum of subtrees
    for body in (0..m.nbody).rev() {
        if body > 0 {
            let momentum = d.subtree_linvel[body];
            d.subtree_linvel[m.body_parentid[body] as usize] += momentum;
        }
        d.subtree_linvel[body] /= m.body_subtreemass[body].max(MINVAL);
    }

    // angular momentum: the body about its subtree's centre, then the subtree about its parent's
    for body in (1..m.nbody).rev() {
        let relative = vel[body].lin - d.subtree_linvel[body];
        let own = (d.xipos[body] - d.subtree_com[body]).cross(&(relative * m.body_mass[body]));
        d.subtree_angmom[body] += own;

        let parent = m.body_parentid[body] as usize;
        let lever = d.subtree_com[body] - d.subtree_com[parent];
        let relative: Vec3 = d.subtree_linvel[body] - d.subtree_linvel[parent];
        let carried = d.subtree_angmom[body] + lever.cross(&(relative * m.body_subtreemass[body]));
        d.subtree_angmom[parent] += carried;
    }
    d.scratch.body_motion = vel;
    d.lazy.subtreevel = true;
}
