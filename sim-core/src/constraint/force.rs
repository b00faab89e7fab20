//! Forces of single constraints, read from the solution.

use sim_constraint::ContactRows;
use sim_types::ConstraintType;

use super::Efc;
use crate::data::Data;

/// Force (first three) and torque of a contact in its frame, of the first geom on the second. Zero for a contact
/// without rows.
#[doc(alias = "mj_contactForce")]
pub fn contact_force(d: &Data, contact: usize) -> [f64; 6] {
    let mut out = [0.0; 6];
    let Some(con) = d.contact.get(contact) else { return out };
    let Some(row) = con.efc_address.get() else { return out };
    let dim = con.dim as usize;
    let pyramid = dim > 1 && d.efc.contacts.get(rank(&d.efc, row)).is_some_and(ContactRows::is_pyramid);
    let rows = if pyramid { 2 * (dim - 1) } else { dim };
    let Some(force) = d.efc.force.get(row..row + rows) else { return out };
    if pyramid {
        out[0] = force.iter().sum();
        for (k, edge) in force.chunks_exact(2).enumerate() {
            out[k + 1] = (edge[0] - edge[1]) * con.friction[k];
        }
    } else {
        out[..dim].copy_from_slice(force);
    }
    out
}

/// The contact of a row.
fn rank(efc: &Efc, row: usize) -> usize {
    efc.contacts.partition_point(|c| (c.row as usize) < row)
}

impl Data {
    /// Force and torque of a contact in its frame; see [`contact_force`].
    #[doc(alias = "mj_contactForce")]
    pub fn contact_force(&self, contact: usize) -> [f64; 6] {
        contact_force(self, contact)
    }

    /// Force of the limit of a joint, both ends together; zero inside its range.
    pub fn jnt_limit_force(&self, jnt: usize) -> f64 {
        self.limit_force(ConstraintType::LimitJoint, jnt)
    }

    /// Force of the limit of a tendon, both ends together; zero inside its range.
    pub fn tendon_limit_force(&self, tendon: usize) -> f64 {
        self.limit_force(ConstraintType::LimitTendon, tendon)
    }

    fn limit_force(&self, kind: ConstraintType, id: usize) -> f64 {
        limit_rows(&self.efc, kind, id).map(|row| self.efc.force.get(row).copied().unwrap_or(0.0)).sum()
    }
}

/// Rows of the limit of an object.
pub(crate) fn limit_rows(efc: &Efc, kind: ConstraintType, id: usize) -> impl Iterator<Item = usize> + '_ {
    let first = efc.ne + efc.nf;
    (first..first + efc.nl).filter(move |&row| efc.kind[row] == kind && efc.id[row] as usize == id)
}
