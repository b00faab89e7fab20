//! Which dofs tendons and actuators act on. The patterns never change, so they are found once.

use sim_types::{OptId, TrnType, WrapType};

use crate::model::Model;

/// Finds the columns of every row of the tendon Jacobian.
pub(super) fn tendon_jacobian(m: &mut Model) {
    let mut columns = Columns::default();
    for tendon in 0..m.ntendon {
        columns.start();
        for object in m.tendon_objects(tendon) {
            let Some(id) = m.wrap_objid.get(object).and_then(|id| id.get()) else { continue };
            match m.wrap_type[object] {
                WrapType::Joint => columns.add(m.jnt_dofadr.get(id).map(|dof| *dof as usize)),
                WrapType::Site => columns.add_chain(m, m.site_bodyid.get(id)),
                WrapType::Sphere | WrapType::Cylinder => columns.add_chain(m, m.geom_bodyid.get(id)),
                WrapType::None | WrapType::Pulley => {}
            }
        }
        let (adr, nnz) = columns.finish();
        m.ten_J_rowadr[tendon] = adr;
        m.ten_J_rownnz[tendon] = nnz;
    }
    m.nJten = columns.all.len();
    m.ten_J_colind = columns.all;
}

/// Finds the columns of every row of the actuator moments.
pub(super) fn actuator_moments(m: &mut Model) {
    let mut columns = Columns::default();
    for actuator in 0..m.nu {
        columns.start();
        let ids = m.actuator_trnid[actuator].map(OptId::get);
        match (m.actuator_trntype[actuator], ids[0]) {
            (TrnType::Joint | TrnType::JointInParent, Some(jnt)) if jnt < m.njnt => {
                let dof = m.jnt_dofadr[jnt] as usize;
                columns.add(dof..dof + m.jnt_type[jnt].nv());
            }
            (TrnType::Tendon, Some(tendon)) if tendon < m.ntendon => {
                let row = m.ten_j_row(tendon);
                columns.add(m.ten_J_colind[row].iter().map(|col| *col as usize));
            }
            (TrnType::Site | TrnType::SliderCrank, _) => {
                for site in ids.into_iter().flatten() {
                    columns.add_chain(m, m.site_bodyid.get(site));
                }
            }
            // adhesion: whatever the body touches
            (TrnType::Body, _) => columns.add(0..m.nv),
            _ => {}
        }
        let (adr, nnz) = columns.finish();
        m.moment_rowadr[actuator] = adr;
        m.moment_rownnz[actuator] = nnz;
    }
    m.nJmom = columns.all.len();
    m.moment_colind = columns.all;
}

/// Rows of column indices, sorted and without repetition, one after the other.
#[derive(Default)]
struct Columns {
    all: Vec<u32>,
    row: Vec<u32>,
}

impl Columns {
    fn start(&mut self) {
        self.row.clear();
    }

    fn add(&mut self, dofs: impl IntoIterator<Item = usize>) {
        self.row.extend(dofs.into_iter().map(|dof| dof as u32));
    }

    fn add_chain(&mut self, m: &Model, body: Option<&u32>) {
        if let Some(&body) = body {
            self.add(m.body_chain(body as usize));
        }
    }

    /// Closes the row: its address and length.
    fn finish(&mut self) -> (u32, u32) {
        self.row.sort_unstable();
        self.row.dedup();
        let adr = self.all.len();
        self.all.extend_from_slice(&self.row);
        (adr as u32, self.row.len() as u32)
    }
}
