//! Rows of dry friction in dofs and tendons.

use sim_types::{ConstraintType, DisableFlags, OptId};

use super::rows::{Efc, Head, softness};
use super::tendon::tendon_row;
use crate::data::Data;
use crate::model::Model;

/// Adds a row for every dof and every tendon with dry friction.
#[doc(alias = "mj_instantiateFriction")]
pub(super) fn add(m: &Model, d: &mut Data, efc: &mut Efc) {
    if !m.opt.has(DisableFlags::FRICTIONLOSS) {
        return;
    }
    let before = efc.nbase();
    for dof in 0..m.nv {
        let frictionloss = m.dof_frictionloss[dof];
        if frictionloss == 0.0 || d.tree_sleeps(m.dof_treeid[dof] as usize) {
            continue;
        }
        efc.push_entries(std::iter::once((dof as u32, 1.0)));
        let head = Head { kind: ConstraintType::FrictionDof, id: dof, pos: 0.0, margin: 0.0, frictionloss };
        let soft = softness(m, &m.dof_solref[dof], &[0.0; 2], &m.dof_solimp[dof]);
        efc.finish_row(m, &head, &soft, m.dof_invweight0[dof]);
    }
    for tendon in 0..m.ntendon {
        let frictionloss = m.tendon_frictionloss[tendon];
        if frictionloss.is_nan() || frictionloss <= 0.0 || d.tendon_sleeps(m, tendon) {
            continue;
        }
        efc.push_entries(tendon_row(m, d, tendon));
        let head = Head { kind: ConstraintType::FrictionTendon, id: tendon, pos: 0.0, margin: 0.0, frictionloss };
        let soft = softness(m, &m.tendon_solref_fri[tendon], &[0.0; 2], &m.tendon_solimp_fri[tendon]);
        let row = efc.nbase() - 1;
        if efc.finish_row(m, &head, &soft, m.tendon_invweight0[tendon]) && d.tendon_efcadr[tendon].is_none() {
            d.tendon_efcadr[tendon] = OptId::some(row);
        }
    }
    efc.nf = efc.nbase() - before;
    efc.nefc = efc.nbase();
}
