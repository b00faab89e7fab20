//! Velocities of bodies and of dof axes.

use sim_types::{JointType, Lane, lane};

use super::view::View;
use crate::data::Data;
use crate::model::Model;

/// Computes body velocities and the rate of change of the dof axes.
///
/// Reads `qvel`, `cdof`; writes `cvel`, `cdof_dot`.
#[doc(alias = "mj_comVel")]
pub fn com_vel(m: &Model, d: &mut Data) {
    velocities(m, &mut View::of(d));
}

/// [`com_vel`] of any lanes.
#[inline(always)]
pub(crate) fn velocities<T: Lane>(m: &Model, a: &mut View<'_, T>) {
    let zero = [T::splat(0.0); 6];
    a.cvel[0] = zero;
    for body in 1..m.nbody {
        let mut vel = a.cvel[m.body_parentid[body] as usize];
        for jnt in m.body_jnts(body) {
            let mut dof = m.jnt_dofadr[jnt] as usize;
            match m.jnt_type[jnt] {
                JointType::Slide | JointType::Hinge => {
                    a.cdof_dot[dof] = lane::cross_motion(&vel, &a.cdof[dof]);
                    vel = along(vel, a, dof);
                }
                kind => {
                    // the world axes of a free joint do not turn
                    if kind == JointType::Free {
                        for k in dof..dof + 3 {
                            a.cdof_dot[k] = zero;
                            vel = along(vel, a, k);
                        }
                        dof += 3;
                    }
                    // the three rotations turn with what moves before all of them
                    let before = vel;
                    for k in dof..dof + 3 {
                        a.cdof_dot[k] = lane::cross_motion(&before, &a.cdof[k]);
                        vel = along(vel, a, k);
                    }
                }
            }
        }
        a.cvel[body] = vel;
    }
}

/// `vel` and the velocity of a dof.
#[inline(always)]
fn along<T: Lane>(vel: [T; 6], a: &View<'_, T>, dof: usize) -> [T; 6] {
    lane::add(vel, lane::scale(a.cdof[dof], a.qvel[dof]))
}
