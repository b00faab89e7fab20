//! What mutants are made from: our own models, the files they read, and the words they use.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use sim_mjcf::{LoadOptions, Memory, Source, load_with};

use super::case::Case;
use super::tree::Element;
use crate::models_dir;

/// All seeds, in a fixed order.
#[derive(Clone, Debug, Default)]
pub struct Seeds {
    /// Each model with the files it reads; those that load come first.
    pub cases: Vec<Case>,
    /// How many of them load.
    pub good: usize,
    /// Names of elements.
    pub elements: Vec<String>,
    /// Names of attributes, each with the values it has somewhere.
    pub attributes: Vec<(String, Vec<String>)>,
    /// Values of all `name` attributes.
    pub names: Vec<String>,
}

impl Seeds {
    /// The models of this crate, good and bad.
    pub fn own() -> io::Result<Self> {
        let mut files = BTreeMap::new();
        collect(&models_dir(), "", &mut files)?;
        Ok(Self::new(&files))
    }

    /// Every model among `files` is a seed.
    pub fn new(files: &BTreeMap<String, Vec<u8>>) -> Self {
        let mut memory = Memory::new();
        for (path, bytes) in files {
            memory.insert(path, bytes.clone());
        }
        let (mut cases, mut bad) = (Vec::new(), Vec::new());
        for path in files.keys().filter(|path| is_model(path)) {
            let recorder = Recorder { source: &memory, read: RefCell::default() };
            // what cannot be loaded is a seed too
            let loads = load_with(&recorder, path, LoadOptions::default()).is_ok();
            let read = recorder.read.into_inner();
            let files = read.into_iter().filter_map(|p| Some((p.clone(), files.get(&p)?.clone()))).collect();
            let list = if loads { &mut cases } else { &mut bad };
            list.push(Case { main: path.clone(), states: 0, files });
        }
        let good = cases.len();
        cases.append(&mut bad);
        let mut words = Words::default();
        for root in cases.iter().filter_map(|case| Element::parse(case.files.get(&case.main)?)) {
            words.take(&root);
        }
        Self {
            cases,
            good,
            elements: words.elements.into_iter().collect(),
            attributes: words.attributes.into_iter().map(|(k, v)| (k, v.into_iter().collect())).collect(),
            names: words.names.into_iter().collect(),
        }
    }
}

/// True for files that hold a model or a part of one.
pub(super) fn is_model(path: &str) -> bool {
    [".xml", ".urdf"].iter().any(|end| path.ends_with(end))
}

/// The files below a folder, by path from there.
fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{path}/"), files)?;
        } else {
            files.insert(path, std::fs::read(entry.path())?);
        }
    }
    Ok(())
}

/// Remembers what was read.
struct Recorder<'a> {
    source: &'a Memory,
    read: RefCell<BTreeSet<String>>,
}

impl Source for Recorder<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let bytes = self.source.read(path)?;
        self.read.borrow_mut().insert(path.to_owned());
        Ok(bytes)
    }
}

#[derive(Default)]
struct Words {
    elements: BTreeSet<String>,
    attributes: BTreeMap<String, BTreeSet<String>>,
    names: BTreeSet<String>,
}

impl Words {
    fn take(&mut self, element: &Element) {
        self.elements.insert(element.name.clone());
        for (name, value) in &element.attributes {
            self.attributes.entry(name.clone()).or_default().insert(value.clone());
            if name == "name" {
                self.names.insert(value.clone());
            }
        }
        for child in &element.children {
            self.take(child);
        }
    }
}
