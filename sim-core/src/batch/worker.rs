//! The memory of one thread.

use std::sync::Arc;

use crate::data::Data;
use crate::lanes::{LANES, Lanes};
use crate::model::Model;

/// Everything that is computed from a state, once per thread.
#[derive(Clone, Debug)]
pub(super) struct Worker {
    /// For environments that are stepped alone.
    pub(super) d: Data,
    /// For environments that are stepped together.
    pub(super) group: Option<Box<Group>>,
    /// The model that all data of the group is known to fit, the plan for collision included. Held here, it cannot
    /// change. `None` while anything but a plain step has the data.
    pub(super) fits: Option<Arc<Model>>,
}

/// For as many environments as are stepped together.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) d: [Data; LANES],
    pub(super) lanes: Lanes,
}

impl Group {
    /// Says whether the plans for collision need no check.
    pub(super) fn trust_plans(&mut self, trusted: bool) {
        for work in self.d.iter_mut().filter_map(|d| d.scratch.collision.as_mut()) {
            work.trusted = trusted;
        }
    }
}

impl Worker {
    /// A worker for environments that are stepped alone.
    pub(super) fn new(m: &Model) -> Self {
        let mut d = m.make_data();
        crate::collision::prepare(m, &mut d);
        Self { d, group: None, fits: None }
    }

    /// Adds memory for groups, if the CPU has registers for them.
    pub(super) fn allow_groups(&mut self, m: &Model) {
        let d = || std::array::from_fn(|_| self.d.clone());
        self.fits = None;
        self.group = Lanes::new(m).map(|lanes| Box::new(Group { d: d(), lanes }));
    }

    /// Bytes, heap included.
    pub(super) fn bytes(&self) -> usize {
        let group = |g: &Group| g.d.iter().map(Data::bytes).sum::<usize>() + g.lanes.bytes();
        self.d.bytes() + self.group.as_deref().map_or(0, group)
    }
}
