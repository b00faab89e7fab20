//! Which constraint rows press, and the same rows at a neighbouring state.

use sim_constraint::ForceWork;
use sim_types::ConstraintType;

use crate::constraint::Efc;
use crate::data::Data;

/// What a constraint is called: rows of a neighbouring state with the same name belong to the same constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Name {
    kind: ConstraintType,
    /// The object, or the two geoms of a contact.
    ids: [u32; 2],
    /// Number among neighbours that are called the same.
    nth: u32,
}

/// One constraint: a scalar row, or all rows of a contact.
#[derive(Clone, Copy, Debug)]
struct Block {
    name: Name,
    row: usize,
    nrow: usize,
}

/// States of the rows of a solution.
#[derive(Clone, Debug, Default)]
pub(super) struct ActiveSet {
    blocks: Vec<Block>,
    state: Vec<i32>,
    /// The same for the rows that are in the data now.
    here: Vec<i32>,
    pub(super) work: ForceWork,
}

impl ActiveSet {
    /// Remembers the states that the rows have at `qacc`; the forces of `d` are those of the states afterwards.
    pub(super) fn record(&mut self, d: &mut Data, qacc: &[f64]) {
        let Self { blocks, state, here, work } = self;
        blocks.clear();
        each_block(d, |block| blocks.push(block));
        let mut force = std::mem::take(&mut d.efc.force);
        force.resize(d.efc.nefc, 0.0);
        state.clear();
        state.resize(d.efc.nefc, 0);
        sim_constraint::forces(&d.efc.rows(), qacc, &mut force, state, &mut d.qfrc_constraint, work);
        d.efc.force = force;
        here.clone_from(state);
    }

    /// True when a contact presses.
    pub(super) fn contacts_press(&self) -> bool {
        let contact = |kind| {
            use ConstraintType::{ContactElliptic, ContactFrictionless, ContactPyramidal};
            matches!(kind, ContactElliptic | ContactFrictionless | ContactPyramidal)
        };
        let presses = |block: &Block| self.state[block.row..block.row + block.nrow].iter().any(|s| *s != 0);
        self.blocks.iter().any(|block| contact(block.name.kind) && presses(block))
    }

    /// Finds the states of the rows that are in the data now; false when one that presses is not there.
    pub(super) fn find(&mut self, d: &Data) -> bool {
        let Self { blocks, state, here, .. } = self;
        here.clear();
        here.resize(d.efc.nefc, 0);
        let presses = |block: &Block| state[block.row..block.row + block.nrow].iter().any(|s| *s != 0);
        let mut complete = true;
        // both lists have the same order
        let mut next = 0;
        each_block(d, |block| {
            let Some(skipped) = blocks[next..].iter().position(|b| b.name == block.name && b.nrow == block.nrow) else {
                return;
            };
            complete &= !blocks[next..next + skipped].iter().any(presses);
            let found = &blocks[next + skipped];
            here[block.row..block.row + block.nrow].copy_from_slice(&state[found.row..found.row + found.nrow]);
            next += skipped + 1;
        });
        complete && !blocks[next..].iter().any(presses)
    }

    /// Forces of the rows in the data at `qacc`, in the states found last: `efc.force`, `qfrc_constraint`.
    pub(super) fn forces(&mut self, d: &mut Data, qacc: &[f64]) {
        let mut force = std::mem::take(&mut d.efc.force);
        force.resize(d.efc.nefc, 0.0);
        let rows = d.efc.rows();
        sim_constraint::forces_in_state(&rows, qacc, &self.here, &mut force, &mut d.qfrc_constraint, &mut self.work);
        d.efc.force = force;
    }

    /// Calls `each` with the blocks of `W`; see [`sim_constraint::weights`].
    pub(super) fn weights(&mut self, efc: &Efc, qacc: &[f64], each: impl FnMut(usize, usize, &[f64])) {
        sim_constraint::weights(&efc.rows(), qacc, &self.here, &mut self.work, each);
    }
}

/// The constraints of the data, in the order of their rows.
fn each_block(d: &Data, mut each: impl FnMut(Block)) {
    let efc = &d.efc;
    let mut last: Option<Name> = None;
    let mut name = |kind: ConstraintType, ids: [u32; 2]| {
        let nth = last.filter(|l| (l.kind, l.ids) == (kind, ids)).map_or(0, |l| l.nth + 1);
        let name = Name { kind, ids, nth };
        last = Some(name);
        name
    };
    for row in 0..efc.ne + efc.nf + efc.nl {
        each(Block { name: name(efc.kind[row], [efc.id[row], 0]), row, nrow: 1 });
    }
    for rows in &efc.contacts {
        let base = rows.base as usize;
        let geoms = d.contact.get(efc.id[base] as usize).map_or([0; 2], |c| c.geom.map(|g| g.raw() as u32));
        each(Block { name: name(efc.kind[base], geoms), row: rows.row as usize, nrow: rows.nrow() });
    }
}
