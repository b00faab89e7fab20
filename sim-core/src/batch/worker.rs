//! The memory of one thread.

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
}

/// For as many environments as are stepped together.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) d: [Data; LANES],
    pub(super) lanes: Lanes,
}

impl Worker {
    /// A worker for environments that are stepped alone.
    pub(super) fn new(m: &Model) -> Self {
        let mut d = m.make_data();
        crate::collision::prepare(m, &mut d);
        Self { d, group: None }
    }

    /// Adds memory for groups, if the CPU has registers for them.
    pub(super) fn allow_groups(&mut self, m: &Model) {
        let d = || std::array::from_fn(|_| self.d.clone());
        self.group = Lanes::new(m).map(|lanes| Box::new(Group { d: d(), lanes }));
    }

    /// Bytes, heap included.
    pub(super) fn bytes(&self) -> usize {
        let group = |g: &Group| g.d.iter().map(Data::bytes).sum::<usize>() + g.lanes.bytes();
        self.d.bytes() + self.group.as_deref().map_or(0, group)
    }
}
