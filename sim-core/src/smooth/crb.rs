//! The joint-space inertia matrix, its factor, and products with it.

use sim_types::{Lane, lane};

use super::view::View;
use crate::data::Data;
use crate::model::Model;

/// Fills the joint-space inertia `M` by the composite rigid body algorithm.
///
/// Reads `cinert`, `cdof`; writes `crb`, `M` (compressed rows, lower triangle). Cost O(nv · depth). Dofs of simple
/// bodies take their constant diagonal from `dof_M0`, so a changed mass counts only after
/// [`set_const`](crate::set_const::set_const).
///
/// MuJoCo: `mj_crb`. Featherstone, *Rigid Body Dynamics Algorithms* (2008), table 6.2.
#[doc(alias = "mj_crb")]
pub fn crb(m: &Model, d: &mut Data) {
    inertia(m, &mut View::of(d));
}

/// [`crb`] of any lanes.
#[inline(always)]
pub(crate) fn inertia<T: Lane>(m: &Model, a: &mut View<'_, T>) {
    // composite inertias: fold every body into its parent, leaves first
    a.crb.copy_from_slice(a.cinert);
    for body in (1..m.nbody).rev() {
        let parent = m.body_parentid[body] as usize;
        if parent > 0 {
            a.crb[parent] = lane::add(a.crb[parent], a.crb[body]);
        }
    }

    // M(i, j) for every dof j on the path from dof i to the world
    for dof in 0..m.nv {
        let adr = m.M_rowadr[dof] as usize;
        let nnz = m.M_rownnz[dof] as usize;
        if m.dof_simplenum[dof] > 0 {
            a.M[adr] = T::splat(m.dof_M0[dof]);
            continue;
        }
        let force = lane::mul_inertia(&a.crb[m.dof_bodyid[dof] as usize], &a.cdof[dof]);
        let row = &mut a.M[adr..adr + nnz];
        for (x, &col) in row.iter_mut().zip(&m.M_colind[adr..adr + nnz]) {
            *x = lane::power(&a.cdof[col as usize], &force);
        }
        row[nnz - 1] = row[nnz - 1] + T::splat(m.dof_armature[dof]);
    }
}

/// Factors `M = LᵀDL`.
///
/// Reads `M`; writes `qLD`, `qLDiagInv`. A singular `M` gives infinities, which the check of accelerations catches.
#[doc(alias = "mj_factorM")]
pub fn factor_m(m: &Model, d: &mut Data) {
    d.qLD.copy_from_slice(&d.M);
    m.m_pattern().factor(&mut d.qLD, &mut d.qLDiagInv);
}

/// `x ← M⁻¹x`, through the factor.
#[doc(alias = "mj_solveM")]
pub fn solve_m(m: &Model, d: &Data, x: &mut [f64]) {
    m.m_pattern().solve(&d.qLD, &d.qLDiagInv, x);
}

/// `res = M·x`.
#[doc(alias = "mj_mulM")]
pub fn mul_m(m: &Model, d: &Data, x: &[f64], res: &mut [f64]) {
    m.m_pattern().mul(&d.M, x, res);
}
