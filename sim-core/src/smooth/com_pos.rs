//! Centres of mass, inertias and motion axes about them.

use sim_types::math::rotate_diagonal;
use sim_types::{Inertia, JointType, MINVAL, Motion, Vec3};

use crate::data::Data;
use crate::model::Model;

/// Computes subtree centres of mass, body inertias and dof axes about the tree's centre of mass.
///
/// Reads `xipos`, `ximat`, `xmat`, `xanchor`, `xaxis`; writes `subtree_com`, `cinert`, `cdof`.
#[doc(alias = "mj_comPos")]
pub fn com_pos(m: &Model, d: &mut Data) {
    subtree_com(m, d);

    // inertia about the tree's centre of mass
    d.cinert[0] = Inertia::ZERO;
    for body in 1..m.nbody {
        let offset = d.xipos[body] - d.subtree_com[m.body_rootid[body] as usize];
        let about_com = rotate_diagonal(&d.ximat[body], &m.body_inertia[body]);
        d.cinert[body] = Inertia::new(&about_com, m.body_mass[body], &offset);
    }

    // axes of the dofs
    for jnt in 0..m.njnt {
        joint_axes(m, d, jnt);
    }
}

/// Mass-weighted means, folded from the leaves to the world.
fn subtree_com(m: &Model, d: &mut Data) {
    for body in 0..m.nbody {
        d.subtree_com[body] = d.xipos[body] * m.body_mass[body];
    }
    for body in (1..m.nbody).rev() {
        let moment = d.subtree_com[body];
        d.subtree_com[m.body_parentid[body] as usize] += moment;
    }
    for body in 0..m.nbody {
        let mass = m.body_subtreemass[body];
        if mass < MINVAL {
            d.subtree_com[body] = d.xipos[body];
        } else {
            d.subtree_com[body] /= mass;
        }
    }
}

fn joint_axes(m: &Model, d: &mut Data, jnt: usize) {
    let body = m.jnt_bodyid[jnt] as usize;
    let offset = d.subtree_com[m.body_rootid[body] as usize] - d.xanchor[jnt];
    let rotation = |axis: Vec3| Motion::new(axis, axis.cross(&offset));
    let mut dof = m.jnt_dofadr[jnt] as usize;
    match m.jnt_type[jnt] {
        JointType::Slide => d.cdof[dof] = Motion::new(Vec3::zeros(), d.xaxis[jnt]),
        JointType::Hinge => d.cdof[dof] = rotation(d.xaxis[jnt]),
        kind => {
            // a free joint translates along the world axes first
            if kind == JointType::Free {
                for k in 0..3 {
                    d.cdof[dof + k] = Motion::new(Vec3::zeros(), Vec3::ith(k, 1.0));
                }
                dof += 3;
            }
            // rotations are about the axes of the body itself
            for k in 0..3 {
                d.cdof[dof + k] = rotation(d.xmat[body].column(k).into_owned());
            }
        }
    }
}
