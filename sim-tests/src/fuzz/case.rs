//! One case: files, which of them is the model, and the seed of the states it is stepped from. Kept as one file.

use std::collections::BTreeMap;

use sim_mjcf::Memory;

/// First line of a case file.
const HEADER: &str = "fuzz-case";

/// A model with its files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    /// Path of the model.
    pub main: String,
    /// Seed of the states and controls.
    pub states: u64,
    /// All files by path.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Case {
    /// The files, for the loader.
    pub fn source(&self) -> Memory {
        let mut memory = Memory::new();
        for (path, bytes) in &self.files {
            memory.insert(path, bytes.clone());
        }
        memory
    }

    /// One file that holds everything: a line that announces each part, then the part as it is.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = format!("{HEADER} {} {}\n", self.states, self.main).into_bytes();
        for (path, bytes) in &self.files {
            out.extend(format!("file {} {path}\n", bytes.len()).into_bytes());
            out.extend(bytes);
            out.push(b'\n');
        }
        out
    }

    /// The case in a file written by [`Case::to_bytes`].
    pub fn from_bytes(mut rest: &[u8]) -> Option<Self> {
        let (states, main) = announced(&mut rest, HEADER)?;
        let mut case = Self { main, states, files: BTreeMap::new() };
        while !rest.is_empty() {
            let (length, path) = announced(&mut rest, "file")?;
            let length = usize::try_from(length).ok()?;
            case.files.insert(path, rest.get(..length)?.to_vec());
            rest = rest.get(length..)?.strip_prefix(b"\n")?;
        }
        Some(case)
    }
}

/// Takes the line `word number path`.
fn announced(rest: &mut &[u8], word: &str) -> Option<(u64, String)> {
    let end = rest.iter().position(|&b| b == b'\n')?;
    let line = std::str::from_utf8(&rest[..end]).ok()?;
    *rest = &rest[end + 1..];
    let (number, path) = line.strip_prefix(word)?.strip_prefix(' ')?.split_once(' ')?;
    Some((number.parse().ok()?, path.to_owned()))
}
