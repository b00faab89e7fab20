//! Names of model objects and the way back from a name to an id.

use std::collections::BTreeMap;

use sim_types::ObjType;

/// The names of all objects, by kind. Objects without a name have an empty one.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Names {
    lists: BTreeMap<i32, List>,
}

#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct List {
    names: Vec<String>,
    ids: BTreeMap<String, u32>,
}

/// Two objects of one kind have the same name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind:?} {second} has the name '{name}' of {kind:?} {first}")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DuplicateName {
    /// Kind of both objects.
    pub kind: ObjType,
    /// The name they share.
    pub name: String,
    /// Id of the object that had it first.
    pub first: usize,
    /// Id of the other.
    pub second: usize,
}

impl Names {
    /// Sets the names of all objects of one kind, in the order of their ids. Non-empty names must differ.
    pub fn set(&mut self, kind: ObjType, names: Vec<String>) -> Result<(), DuplicateName> {
        let mut ids = BTreeMap::new();
        for (id, name) in names.iter().enumerate() {
            if name.is_empty() {
                continue;
            }
            if let Some(first) = ids.insert(name.clone(), id as u32) {
                return Err(DuplicateName { kind, name: name.clone(), first: first as usize, second: id });
            }
        }
        self.lists.insert(table(kind), List { names, ids });
        Ok(())
    }

    /// The id of the object of this kind with this name.
    #[doc(alias = "mj_name2id")]
    pub fn id(&self, kind: ObjType, name: &str) -> Option<usize> {
        self.lists.get(&table(kind))?.ids.get(name).map(|id| *id as usize)
    }

    /// The name of an object; `None` when it has none or does not exist.
    #[doc(alias = "mj_id2name")]
    pub fn name(&self, kind: ObjType, id: usize) -> Option<&str> {
        self.lists.get(&table(kind))?.names.get(id).map(String::as_str).filter(|name| !name.is_empty())
    }

    /// All names of one kind, in the order of ids.
    pub fn all(&self, kind: ObjType) -> &[String] {
        self.lists.get(&table(kind)).map_or(&[], |list| &list.names)
    }
}

/// The two views of a body share one list.
fn table(kind: ObjType) -> i32 {
    match kind {
        ObjType::XBody => ObjType::Body.number(),
        other => other.number(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let mut names = Names::default();
        names.set(ObjType::Body, vec!["world".into(), String::new(), "arm".into()]).unwrap();
        assert_eq!(names.id(ObjType::XBody, "arm"), Some(2));
        assert_eq!(names.name(ObjType::Body, 2), Some("arm"));
        assert_eq!(names.name(ObjType::Body, 1), None);
        assert_eq!(names.id(ObjType::Geom, "arm"), None);
    }

    #[test]
    fn a_name_twice_is_an_error() {
        let err = Names::default().set(ObjType::Geom, vec!["a".into(), "a".into()]).unwrap_err();
        assert_eq!((err.first, err.second), (0, 1));
    }
}
