//! Constants of a model that follow from its other fields.

mod equality;
mod flex;
mod length_range;
mod pattern;
mod sleep;
mod statistics;
mod weights;

pub use length_range::{LengthRangeSearch, find_length_range};

use sim_types::EnableFlags;

use crate::data::Data;
use crate::error::ModelError;
use crate::model::Model;
use crate::smooth;

/// Recomputes everything derived from masses, inertias and poses: subtree masses, inertia and inverse inertia at the
/// reference pose, tracking offsets of cameras and lights, statistics.
///
/// Call it after editing such fields by hand. `stat` is overwritten: set user statistics afterwards.
#[doc(alias = "mj_setConst")]
pub fn set_const(m: &mut Model) -> Result<(), ModelError> {
    m.check()?;
    pattern::tendon_jacobian(m);
    pattern::actuator_moments(m);
    flex::patterns(m)?;
    flex::align(m);
    set_fixed(m);
    sleep::policies(m)?;
    // nothing sleeps while constants are measured
    let enabled = m.opt.enableflags;
    m.opt.enableflags.remove(EnableFlags::SLEEP);
    let mut d = m.make_data();
    set_reference_pose(m, &mut d);
    statistics::set_statistics(m, &d);
    set_spring_pose(m, &mut d);
    m.opt.enableflags = enabled;
    Ok(())
}

impl Model {
    /// [`set_const`] as a method: call it after changing masses, inertias or poses.
    #[doc(alias = "mj_setConst")]
    pub fn set_const(&mut self) -> Result<(), ModelError> {
        set_const(self)
    }
}

/// What does not depend on the pose.
fn set_fixed(m: &mut Model) {
    m.body_subtreemass.copy_from_slice(&m.body_mass);
    for body in (1..m.nbody).rev() {
        let mass = m.body_subtreemass[body];
        m.body_subtreemass[m.body_parentid[body] as usize] += mass;
    }
    m.ngravcomp = m.body_gravcomp.iter().filter(|x| **x > 0.0).count();

    // trees own contiguous runs of bodies and dofs
    m.tree_bodynum.fill(0);
    m.tree_dofnum.fill(0);
    for body in (1..m.nbody).rev() {
        if let Some(tree) = m.body_treeid[body].get() {
            m.tree_bodyadr[tree] = body as u32;
            m.tree_bodynum[tree] += 1;
        }
    }
    for dof in (0..m.nv).rev() {
        let tree = m.dof_treeid[dof] as usize;
        m.tree_dofadr[tree] = dof as u32;
        m.tree_dofnum[tree] += 1;
    }
}

/// What is measured at the reference pose.
fn set_reference_pose(m: &mut Model, d: &mut Data) {
    smooth::kinematics(m, d);
    smooth::com_pos(m, d);
    smooth::cam_light_fixed(m, d);

    // diagonal of M: simple dofs take it from here
    let mut composite = d.cinert.clone();
    for body in (1..m.nbody).rev() {
        let child = composite[body];
        composite[m.body_parentid[body] as usize] += child;
    }
    for dof in 0..m.nv {
        let force = composite[m.dof_bodyid[dof] as usize] * d.cdof[dof];
        m.dof_M0[dof] = m.dof_armature[dof] + d.cdof[dof].dot(&force);
    }
    smooth::tendon(m, d);
    smooth::crb(m, d);
    smooth::tendon_armature(m, d);
    smooth::factor_m(m, d);
    smooth::transmission(m, d);

    weights::body_inverse_inertia(m, d);
    weights::dof_inverse_inertia(m, d);
    flex::edges(m, d);
    weights::path_inverse_inertia(m, d);
    equality::complete(m, d);
    tracking_offsets(m, d);
    weights::damping_ratios(m, d);
}

/// Tendon springs without a length of their own rest where joint springs do.
fn set_spring_pose(m: &mut Model, d: &mut Data) {
    d.qpos.copy_from_slice(&m.qpos_spring);
    smooth::kinematics(m, d);
    smooth::com_pos(m, d);
    smooth::tendon(m, d);
    for tendon in 0..m.ntendon {
        if m.tendon_lengthspring[tendon] == [-1.0; 2] {
            m.tendon_lengthspring[tendon] = [d.ten_length[tendon]; 2];
        }
    }
}

/// Poses that tracking cameras and lights keep relative to their body.
fn tracking_offsets(m: &mut Model, d: &Data) {
    for cam in 0..m.ncam {
        let body = m.cam_bodyid[cam] as usize;
        let target = m.cam_targetbodyid[cam].get().unwrap_or(body);
        m.cam_pos0[cam] = d.cam_xpos[cam] - d.xpos[body];
        m.cam_poscom0[cam] = d.cam_xpos[cam] - d.subtree_com[target];
        m.cam_mat0[cam] = d.cam_xmat[cam];
    }
    for light in 0..m.nlight {
        let body = m.light_bodyid[light] as usize;
        let target = m.light_targetbodyid[light].get().unwrap_or(body);
        m.light_pos0[light] = d.light_xpos[light] - d.xpos[body];
        m.light_poscom0[light] = d.light_xpos[light] - d.subtree_com[target];
        m.light_dir0[light] = d.light_xdir[light];
    }
}
