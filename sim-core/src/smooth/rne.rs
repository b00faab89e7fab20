//! Recursive Newton–Euler: the force that a motion needs.

use sim_types::{DisableFlags, Force, Motion, Vec3};

use crate::data::Data;
use crate::model::Model;

/// Computes the bias force: Coriolis, centrifugal and gravity.
///
/// Reads `cinert`, `cvel`, `cdof`, `cdof_dot`, `qvel`; writes `qfrc_bias`. `cacc` is left to `rne_post`.
#[doc(alias = "mj_rne")]
pub fn rne(m: &Model, d: &mut Data) {
    let mut out = std::mem::take(&mut d.qfrc_bias);
    recursion(m, d, None, &mut out);
    d.qfrc_bias = out;
}

/// As [`rne`], for a motion with acceleration `qacc`, into `out` (`nv` numbers). Armature is not part of it.
pub fn rne_with_acceleration(m: &Model, d: &mut Data, qacc: &[f64], out: &mut [f64]) {
    recursion(m, d, Some(qacc), out);
}

fn recursion(m: &Model, d: &mut Data, qacc: Option<&[f64]>, out: &mut [f64]) {
    // accelerations from the world outwards; gravity is a world that accelerates upwards
    let gravity = if m.opt.has(DisableFlags::GRAVITY) { m.opt.gravity } else { Vec3::zeros() };
    let (cacc, force) = (&mut d.scratch.body_motion, &mut d.scratch.body_force);
    cacc[0] = Motion::new(Vec3::zeros(), -gravity);
    for body in 1..m.nbody {
        let mut acc = cacc[m.body_parentid[body] as usize];
        for dof in m.body_dofs(body) {
            acc += d.cdof_dot[dof] * d.qvel[dof];
            if let Some(qacc) = qacc {
                acc += d.cdof[dof] * qacc[dof];
            }
        }
        cacc[body] = acc;

        // force that this motion of the body needs
        let momentum = d.cinert[body] * d.cvel[body];
        force[body] = d.cinert[body] * acc + d.cvel[body].cross_force(&momentum);
    }

    // every body passes its force on to its parent
    for body in (1..m.nbody).rev() {
        let parent = m.body_parentid[body] as usize;
        if parent > 0 {
            let own = force[body];
            force[parent] += own;
        }
    }
    force[0] = Force::ZERO;
    for (dof, x) in out.iter_mut().enumerate() {
        *x = d.cdof[dof].dot(&force[m.dof_bodyid[dof] as usize]);
    }
}
