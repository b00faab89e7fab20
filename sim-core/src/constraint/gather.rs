//! One island as a problem of its own: its dofs, its block of the inertia and its rows, renumbered and contiguous.

use sim_constraint::{ContactRows, Problem, Work};
use sim_types::linalg::TreeSparse;

use super::Efc;
use crate::data::Data;
use crate::model::Model;

/// The arrays of one island; they keep their capacity from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct Slot {
    rownnz: Vec<u32>,
    rowadr: Vec<u32>,
    colind: Vec<u32>,
    inertia: Vec<f64>,
    factor: Vec<f64>,
    diaginv: Vec<f64>,
    qfrc_smooth: Vec<f64>,
    qacc_smooth: Vec<f64>,
    rows: Efc,
    /// Warm start, then solution.
    pub qacc: Vec<f64>,
    pub qfrc_constraint: Vec<f64>,
    pub force: Vec<f64>,
    pub state: Vec<i32>,
    pub work: Work,
}

impl Slot {
    /// Copies what belongs to the dofs of an island.
    pub(super) fn gather_dofs(&mut self, m: &Model, d: &Data, island: usize) {
        for v in [&mut self.rownnz, &mut self.rowadr, &mut self.colind] {
            v.clear();
        }
        for v in [
            &mut self.inertia,
            &mut self.factor,
            &mut self.diaginv,
            &mut self.qfrc_smooth,
            &mut self.qacc_smooth,
            &mut self.qacc,
        ] {
            v.clear();
        }
        // the dofs of a tree are neighbours, and so are their rows of the inertia
        let trees = &d.island.island_itreeadr[island..];
        let (from, to) = (trees[0] as usize, trees[1] as usize);
        for &tree in &d.island.map_itree2tree[from..to] {
            let first = m.tree_dofadr[tree as usize] as usize;
            let dofs = first..first + m.tree_dofnum[tree as usize] as usize;
            let Some(last) = dofs.clone().last() else { continue };
            let (adr, end) = (m.M_rowadr[first], m.M_rowadr[last] + m.M_rownnz[last]);
            let entries = adr as usize..end as usize;
            let (place, idof) = (self.inertia.len() as u32, self.diaginv.len() as u32);
            self.rowadr.extend(m.M_rowadr[dofs.clone()].iter().map(|x| x - adr + place));
            self.rownnz.extend_from_slice(&m.M_rownnz[dofs.clone()]);
            self.colind.extend(m.M_colind[entries.clone()].iter().map(|col| col - first as u32 + idof));
            self.inertia.extend_from_slice(&d.M[entries.clone()]);
            self.factor.extend_from_slice(&d.qLD[entries]);
            self.diaginv.extend_from_slice(&d.qLDiagInv[dofs.clone()]);
            self.qfrc_smooth.extend_from_slice(&d.qfrc_smooth[dofs.clone()]);
            self.qacc_smooth.extend_from_slice(&d.qacc_smooth[dofs.clone()]);
            self.qacc.extend_from_slice(&d.qacc_warmstart[dofs]);
        }
        self.qfrc_constraint.clear();
        self.qfrc_constraint.resize(self.qacc.len(), 0.0);
        self.rows.clear();
    }

    /// Makes room for the solution of the rows that were added.
    pub(super) fn finish(&mut self) {
        self.force.clear();
        self.force.resize(self.rows.nefc, 0.0);
        self.state.clear();
        self.state.resize(self.rows.nefc, 0);
    }

    fn push_row(&mut self, d: &Data, efc: &Efc, row: usize, first: u32) {
        let (start, end) = (self.rows.J.len(), first + self.qacc.len() as u32);
        for e in efc.entries(row) {
            // an entry that is zero may belong to a tree of another island
            let idof = d.island.map_dof2idof[efc.colind[e] as usize];
            if (first..end).contains(&idof) {
                self.rows.colind.push(idof - first);
                self.rows.J.push(efc.J[e]);
            }
        }
        self.rows.rowadr.push(start as u32);
        self.rows.rownnz.push((self.rows.J.len() - start) as u32);
        self.rows.D.push(efc.D[row]);
        self.rows.R.push(efc.R[row]);
        self.rows.aref.push(efc.aref[row]);
        self.rows.frictionloss.push(efc.frictionloss[row]);
    }

    /// Adds the rows of a contact, which share their columns; all of them are of this island.
    fn push_contact(&mut self, d: &Data, efc: &Efc, contact: &ContactRows, first: u32) {
        let (base, dim) = (contact.base as usize, contact.dim as usize);
        let (entries, to) = (efc.entries(base), &mut self.rows);
        let (start, n) = (to.J.len(), entries.len());
        let local = ContactRows { row: to.nefc as u32, base: to.nbase() as u32, ..*contact };
        for _ in 0..dim {
            to.colind.extend_from_slice(&efc.colind[entries.clone()]);
        }
        for col in &mut to.colind[start..] {
            *col = d.island.map_dof2idof[*col as usize] - first;
        }
        to.J.extend_from_slice(&efc.J[entries.start..entries.start + dim * n]);
        to.rowadr.extend((0..dim).map(|k| (start + k * n) as u32));
        to.rownnz.extend((0..dim).map(|_| n as u32));
        let own = base..base + dim;
        to.D.extend_from_slice(&efc.D[own.clone()]);
        to.R.extend_from_slice(&efc.R[own.clone()]);
        to.aref.extend_from_slice(&efc.aref[own.clone()]);
        to.frictionloss.extend_from_slice(&efc.frictionloss[own]);
        to.nefc += contact.nrow();
        to.contacts.push(local);
    }

    /// The problem of this island, and where its solution goes.
    pub(super) fn split(&mut self, timestep: f64) -> (Problem<'_>, Output<'_>) {
        let diagonal = self.rowadr.iter().zip(&self.rownnz).map(|(adr, nnz)| self.inertia[(adr + nnz - 1) as usize]);
        let problem = Problem {
            timestep,
            scale: 1.0 / diagonal.sum::<f64>(),
            pattern: TreeSparse { rownnz: &self.rownnz, rowadr: &self.rowadr, colind: &self.colind },
            m: &self.inertia,
            ld: &self.factor,
            diaginv: &self.diaginv,
            qfrc_smooth: &self.qfrc_smooth,
            qacc_smooth: &self.qacc_smooth,
            rows: self.rows.rows(),
        };
        let output = Output {
            qacc: &mut self.qacc,
            qfrc_constraint: &mut self.qfrc_constraint,
            force: &mut self.force,
            state: &mut self.state,
            work: &mut self.work,
        };
        (problem, output)
    }
}

/// Where the solution of an island goes.
pub(super) struct Output<'a> {
    pub qacc: &'a mut [f64],
    pub qfrc_constraint: &'a mut [f64],
    pub force: &'a mut [f64],
    pub state: &'a mut [i32],
    pub work: &'a mut Work,
}

/// Hands every row to the problem of its island, in row order.
pub(super) fn gather_rows(d: &Data, efc: &Efc, slots: &mut [Slot]) {
    let nscalar = efc.ne + efc.nf + efc.nl;
    for row in 0..nscalar {
        let island = d.island.base_island[row] as usize;
        let slot = &mut slots[island];
        slot.push_row(d, efc, row, d.island.island_idofadr[island]);
        slot.rows.nefc += 1;
        if row < efc.ne {
            slot.rows.ne += 1;
        } else if row < efc.ne + efc.nf {
            slot.rows.nf += 1;
        } else {
            slot.rows.nl += 1;
        }
    }
    for contact in &efc.contacts {
        let island = d.island.base_island[contact.base as usize] as usize;
        slots[island].push_contact(d, efc, contact, d.island.island_idofadr[island]);
    }
}

/// Takes forces and states of all rows back, in row order.
pub(super) fn scatter_rows(d: &Data, efc: &mut Efc, slots: &[Slot]) {
    let nscalar = efc.ne + efc.nf + efc.nl;
    // rows of an island stand in the same order here and there: one cursor per island
    let mut next = std::mem::take(&mut efc.cursor);
    next.clear();
    next.resize(slots.len(), 0);
    let mut copy = |island: usize, row: usize, count: usize| {
        let from = next[island] as usize;
        efc.force[row..row + count].copy_from_slice(&slots[island].force[from..from + count]);
        efc.state[row..row + count].copy_from_slice(&slots[island].state[from..from + count]);
        next[island] += count as u32;
    };
    for row in 0..nscalar {
        copy(d.island.base_island[row] as usize, row, 1);
    }
    let of = |contact: &ContactRows| d.island.base_island[contact.base as usize] as usize;
    for run in efc.contacts.chunk_by(|a, b| of(a) == of(b)) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        copy(of(first), first.row as usize, last.row as usize + last.nrow() - first.row as usize);
    }
    efc.cursor = next;
}

/// Dofs of an island, and where they begin in the order by island.
pub(super) fn dofs_of(d: &Data, island: usize) -> (&[u32], u32) {
    let (first, end) = (d.island.island_idofadr[island], d.island.island_idofadr[island + 1]);
    (&d.island.map_idof2dof[first as usize..end as usize], first)
}
