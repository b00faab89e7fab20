//! Recursive Newton–Euler: the force that a motion needs.

use sim_types::{DisableFlags, Lane, Motion, Vec3, lane};

use super::view::View;
use crate::data::Data;
use crate::model::Model;

/// Computes the bias force: Coriolis, centrifugal and gravity.
///
/// Reads `cinert`, `cvel`, `cdof`, `cdof_dot`, `qvel`; writes `qfrc_bias`. `cacc` is left to `rne_post`.
#[doc(alias = "mj_rne")]
pub fn rne(m: &Model, d: &mut Data) {
    let mut out = std::mem::take(&mut d.qfrc_bias);
    recursion(m, &mut View::of(d), None, &mut out);
    d.qfrc_bias = out;
}

/// As [`rne`], for a motion with acceleration `qacc`, into `out` (`nv` numbers). Armature is not part of it.
pub fn rne_with_acceleration(m: &Model, d: &mut Data, qacc: &[f64], out: &mut [f64]) {
    recursion(m, &mut View::of(d), Some(qacc), out);
}

/// [`rne`] of any lanes.
#[inline(always)]
pub(crate) fn recursion<T: Lane>(m: &Model, a: &mut View<'_, T>, qacc: Option<&[T]>, out: &mut [T]) {
    // accelerations from the world outwards; gravity is a world that accelerates upwards
    let gravity = if m.opt.has(DisableFlags::GRAVITY) { m.opt.gravity } else { Vec3::zeros() };
    let (cacc, force) = (&mut *a.body_motion, &mut *a.body_force);
    cacc[0] = lane::splat(&Motion::new(Vec3::zeros(), -gravity).to_array());
    for body in 1..m.nbody {
        let mut acc = cacc[m.body_parentid[body] as usize];
        for dof in m.body_dofs(body) {
            acc = lane::add(acc, lane::scale(a.cdof_dot[dof], a.qvel[dof]));
            if let Some(qacc) = qacc {
                acc = lane::add(acc, lane::scale(a.cdof[dof], qacc[dof]));
            }
        }
        cacc[body] = acc;

        // force that this motion of the body needs
        let (inertia, vel) = (&a.cinert[body], &a.cvel[body]);
        let momentum = lane::mul_inertia(inertia, vel);
        force[body] = lane::add(lane::mul_inertia(inertia, &acc), lane::cross_force(vel, &momentum));
    }

    // every body passes its force on to its parent
    for body in (1..m.nbody).rev() {
        let parent = m.body_parentid[body] as usize;
        if parent > 0 {
            force[parent] = lane::add(force[parent], force[body]);
        }
    }
    force[0] = [T::splat(0.0); 6];
    for (dof, x) in out.iter_mut().enumerate() {
        *x = lane::power(&a.cdof[dof], &force[m.dof_bodyid[dof] as usize]);
    }
}
