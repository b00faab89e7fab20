//! Velocities of bodies and of dof axes.

use sim_types::{JointType, Motion};

use crate::data::Data;
use crate::model::Model;

/// Computes body velocities and the rate of change of the dof axes.
///
/// Reads `qvel`, `cdof`; writes `cvel`, `cdof_dot`.
#[doc(alias = "mj_comVel")]
pub fn com_vel(m: &Model, d: &mut Data) {
    d.cvel[0] = Motion::ZERO;
    for body in 1..m.nbody {
        let mut vel = d.cvel[m.body_parentid[body] as usize];
        for jnt in m.body_jnts(body) {
            let mut dof = m.jnt_dofadr[jnt] as usize;
            match m.jnt_type[jnt] {
                JointType::Slide | JointType::Hinge => {
                    d.cdof_dot[dof] = vel.cross(&d.cdof[dof]);
                    vel += d.cdof[dof] * d.qvel[dof];
                }
                kind => {
                    // the world axes of a free joint do not turn
                    if kind == JointType::Free {
                        for k in dof..dof + 3 {
                            d.cdof_dot[k] = Motion::ZERO;
                            vel += d.cdof[k] * d.qvel[k];
                        }
                        dof += 3;
                    }
                    // the three rotations turn with what moves before all of them
                    let before = vel;
                    for k in dof..dof + 3 {
                        d.cdof_dot[k] = before.cross(&d.cdof[k]);
                        vel += d.cdof[k] * d.qvel[k];
                    }
                }
            }
        }
        d.cvel[body] = vel;
    }
}
