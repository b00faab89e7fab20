//! Centres of mass, inertias and motion axes about them.

use sim_types::cast::must_cast_ref;
use sim_types::{JointType, Lane, MINVAL, lane};

use super::view::View;
use crate::data::Data;
use crate::model::Model;

/// Computes subtree centres of mass, body inertias and dof axes about the tree's centre of mass.
///
/// Reads `xipos`, `ximat`, `xmat`, `xanchor`, `xaxis`; writes `subtree_com`, `cinert`, `cdof`.
#[doc(alias = "mj_comPos")]
pub fn com_pos(m: &Model, d: &mut Data) {
    about_com(m, &mut View::of(d));
}

/// [`com_pos`] of any lanes.
#[inline(always)]
pub(crate) fn about_com<T: Lane>(m: &Model, a: &mut View<'_, T>) {
    subtree_com(m, a);

    // inertia about the tree's centre of mass
    a.cinert[0] = [T::splat(0.0); 10];
    for body in 1..m.nbody {
        let offset = lane::sub(a.xipos[body], a.subtree_com[m.body_rootid[body] as usize]);
        let about_com = lane::rotate_diagonal(&a.ximat[body], must_cast_ref(&m.body_inertia[body]));
        a.cinert[body] = lane::inertia(about_com, m.body_mass[body], offset);
    }

    // axes of the dofs
    for jnt in 0..m.njnt {
        joint_axes(m, a, jnt);
    }
}

/// Mass-weighted means, folded from the leaves to the world.
#[inline(always)]
fn subtree_com<T: Lane>(m: &Model, a: &mut View<'_, T>) {
    for body in 0..m.nbody {
        a.subtree_com[body] = lane::scale(a.xipos[body], T::splat(m.body_mass[body]));
    }
    for body in (1..m.nbody).rev() {
        let (moment, parent) = (a.subtree_com[body], m.body_parentid[body] as usize);
        a.subtree_com[parent] = lane::add(a.subtree_com[parent], moment);
    }
    for body in 0..m.nbody {
        let mass = m.body_subtreemass[body];
        if mass < MINVAL {
            a.subtree_com[body] = a.xipos[body];
        } else {
            let [x, y, z] = a.subtree_com[body];
            let mass = T::splat(mass);
            a.subtree_com[body] = [x / mass, y / mass, z / mass];
        }
    }
}

#[inline(always)]
fn joint_axes<T: Lane>(m: &Model, a: &mut View<'_, T>, jnt: usize) {
    let body = m.jnt_bodyid[jnt] as usize;
    let offset = lane::sub(a.subtree_com[m.body_rootid[body] as usize], a.xanchor[jnt]);
    let zero = [T::splat(0.0); 3];
    let mut dof = m.jnt_dofadr[jnt] as usize;
    match m.jnt_type[jnt] {
        JointType::Slide => a.cdof[dof] = lane::join(zero, a.xaxis[jnt]),
        JointType::Hinge => a.cdof[dof] = rotation(a.xaxis[jnt], offset),
        kind => {
            // a free joint translates along the world axes first
            if kind == JointType::Free {
                for k in 0..3 {
                    let mut axis = zero;
                    axis[k] = T::splat(1.0);
                    a.cdof[dof + k] = lane::join(zero, axis);
                }
                dof += 3;
            }
            // rotations are about the axes of the body itself
            for k in 0..3 {
                let mat = &a.xmat[body];
                a.cdof[dof + k] = rotation([mat[3 * k], mat[3 * k + 1], mat[3 * k + 2]], offset);
            }
        }
    }
}

#[inline(always)]
fn rotation<T: Lane>(axis: [T; 3], offset: [T; 3]) -> [T; 6] {
    lane::join(axis, lane::cross(axis, offset))
}
