//! Golden files: what MuJoCo computes for one model.
//!
//! A text file of sections; in a section one array per line: name, shape, row-major values, `x*n` for `n` times `x`.
//! The numbers have the digits that give the same double again.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;

use crate::{golden_dir, zoo};

/// Numbers and shape of one array, row-major.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Array {
    /// Shape; empty for a scalar.
    pub shape: Vec<usize>,
    /// The numbers.
    pub data: Vec<f64>,
}

/// Arrays by MuJoCo's names.
pub type Section = BTreeMap<String, Array>;

/// The golden file of one model.
#[derive(Clone, Debug, Default)]
pub struct Golden {
    /// Name of the model: its file without extension.
    pub name: String,
    /// Names of the objects, by kind.
    pub names: BTreeMap<String, Vec<String>>,
    /// Names of the states, in the order of the file.
    pub states: Vec<String>,
    sections: BTreeMap<String, Section>,
}

impl Golden {
    /// The goldens of all models; an error when a model has none.
    pub fn all() -> Result<Vec<Self>, Box<dyn Error>> {
        zoo()?.iter().map(|name| Self::load(name)).collect()
    }

    /// Goldens of all models that can be stepped: those with states.
    pub fn moving() -> Result<Vec<Self>, Box<dyn Error>> {
        Ok(Self::all()?.into_iter().filter(|golden| !golden.states.is_empty()).collect())
    }

    /// The golden of one model.
    pub fn load(name: &str) -> Result<Self, Box<dyn Error>> {
        let path = golden_dir().join(format!("{name}.txt"));
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        Self::parse(name, &text).map_err(|e| format!("{}: {e}", path.display()).into())
    }

    fn parse(name: &str, text: &str) -> Result<Self, String> {
        let mut golden = Self { name: name.to_owned(), ..Self::default() };
        let mut section = String::new();
        for (number, line) in text.lines().enumerate().filter(|(_, l)| !l.starts_with('#')) {
            if let Some(title) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                title.clone_into(&mut section);
                golden.sections.entry(section.clone()).or_default();
                golden.states.extend(title.strip_prefix("state ").map(str::to_owned));
            } else if section == "names" {
                let mut words = line.split('\t').map(str::to_owned);
                let kind = words.next().unwrap_or_default();
                golden.names.insert(kind, words.collect());
            } else {
                let (field, array) = parse_line(line).ok_or_else(|| format!("line {}: not an array", number + 1))?;
                golden.sections.entry(section.clone()).or_default().insert(field, array);
            }
        }
        Ok(golden)
    }

    /// All arrays of a section, such as `model` or `forward start`; empty when there is no such section.
    pub fn section(&self, title: &str) -> &Section {
        static EMPTY: Section = Section::new();
        self.sections.get(title).unwrap_or(&EMPTY)
    }

    /// Titles of the sections that begin like this.
    pub fn titles<'a>(&'a self, prefix: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let prefix = prefix.to_owned();
        self.sections.keys().map(String::as_str).filter(move |title| title.starts_with(&prefix))
    }

    /// The values of one array; empty when it is not there.
    pub fn get(&self, section: &str, field: &str) -> &[f64] {
        self.section(section).get(field).map_or(&[], |a| &a.data)
    }

    /// A text that names the array in a failure.
    pub fn label(&self, section: &str, field: &str) -> String {
        format!("{} [{section}] {field}", self.name)
    }
}

fn parse_line(line: &str) -> Option<(String, Array)> {
    let mut words = line.split(' ');
    let name = words.next().filter(|n| !n.is_empty())?;
    let shape = words.next()?.strip_prefix('[')?.strip_suffix(']')?;
    let shape: Vec<usize> =
        shape.split(',').filter(|n| !n.is_empty()).map(|n| n.parse().ok()).collect::<Option<_>>()?;
    let mut data = Vec::new();
    for word in words {
        let (value, count) = word.split_once('*').unwrap_or((word, "1"));
        let (value, count): (f64, usize) = (value.parse().ok()?, count.parse().ok()?);
        data.resize(data.len() + count, value);
    }
    (shape.iter().product::<usize>() == data.len()).then(|| (name.to_owned(), Array { shape, data }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# comment\n[model]\nnq [] 2\nbody_pos [2,3] 0*3 1 -2.5 inf\nempty [0,3]\n[names]\nbody\tworld\ta b\n[state start]\ntime [] 0.1\n";

    #[test]
    fn sections_arrays_and_names_are_read() {
        let golden = Golden::parse("test", TEXT).unwrap();
        assert_eq!(golden.get("model", "nq"), [2.0]);
        assert_eq!(golden.get("model", "body_pos"), [0.0, 0.0, 0.0, 1.0, -2.5, f64::INFINITY]);
        assert_eq!(golden.section("model")["empty"].shape, [0, 3]);
        assert_eq!(golden.names["body"], ["world", "a b"]);
        assert_eq!(golden.states, ["start"]);
        assert_eq!(golden.get("state start", "time"), [0.1]);
    }

    #[test]
    fn a_wrong_shape_is_an_error_with_its_line() {
        assert_eq!(Golden::parse("test", "[model]\nnq [2] 1\n").unwrap_err(), "line 2: not an array");
    }

    /// A golden without a model would never be compared, a model without a golden neither.
    #[test]
    fn every_model_has_a_golden_and_every_golden_a_model() {
        let goldens = Golden::all().unwrap();
        assert!(goldens.len() >= 30);
        let files = crate::files(&golden_dir(), "txt").unwrap();
        assert_eq!(files.len(), goldens.len());
        for g in &goldens {
            // what moves deformables is not built, so their goldens hold the model only
            let moves = !g.get("model", "nflex").iter().any(|n| *n > 0.0);
            let states: &[&str] = if moves { &["start", "thrown", "moved", "after"] } else { &[] };
            assert_eq!(g.states, states, "{}", g.name);
            assert!(g.section("model").len() > 150 && !g.get("model", "nv").is_empty(), "{}", g.name);
        }
    }
}
