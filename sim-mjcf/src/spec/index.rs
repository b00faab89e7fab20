//! Names of everything in a spec, to see whether a reference can be resolved.

use super::Spec;
use super::kinds::{Record, with_named_lists};
use sim_types::ObjType;
use std::collections::HashMap;

/// Where every name is found. Of several elements with one name the last counts; an empty name counts as one. Frames are
/// left out: nothing refers to them.
#[derive(Default)]
pub(crate) struct Index {
    lists: Vec<Names>,
}

/// The names of one kind.
#[derive(Clone, Default)]
struct Names {
    at: HashMap<String, usize>,
    /// The last record without a name; there may be very many.
    unnamed: Option<usize>,
}

impl Index {
    /// The names of a whole spec.
    pub(crate) fn of(spec: &Spec) -> Self {
        let mut index = Self::default();
        macro_rules! add {
            ($($list:ident)*) => { $(index.extend(&spec.$list, 0);)* };
        }
        with_named_lists!(add);
        index
    }

    /// Adds the names of the records from `first` on.
    pub(crate) fn extend<T: Record>(&mut self, list: &[T], first: usize) {
        let key = key(T::KIND);
        self.lists.resize(self.lists.len().max(key + 1), Names::default());
        let names = &mut self.lists[key];
        for (i, record) in list.iter().enumerate().skip(first) {
            match record.name() {
                "" => names.unnamed = Some(i),
                name => {
                    names.at.insert(name.to_owned(), i);
                }
            }
        }
    }

    /// Replaces all names of one kind.
    pub(crate) fn replace<T: Record>(&mut self, list: &[T]) {
        if let Some(names) = self.lists.get_mut(key(T::KIND)) {
            *names = Names::default();
        }
        self.extend(list, 0);
    }

    /// Index of the record of that kind and name.
    pub(crate) fn get(&self, kind: ObjType, name: &str) -> Option<usize> {
        if kind == ObjType::Unknown {
            return None;
        }
        let names = self.lists.get(key(kind))?;
        if name.is_empty() { names.unnamed } else { names.at.get(name).copied() }
    }

    pub(crate) fn has(&self, kind: ObjType, name: &str) -> bool {
        self.get(kind, name).is_some()
    }
}

/// The two views of a body share one list.
fn key(kind: ObjType) -> usize {
    let kind = if kind == ObjType::XBody { ObjType::Body } else { kind };
    usize::try_from(kind.number()).unwrap_or(0)
}
