//! What can go wrong while a model is loaded, and where in which file.
//!
//! Loading goes on after a mistake for as long as that makes sense, so an [`MjcfError`] holds one or several
//! [`Problem`]s. Each is a [`Location`] and an [`MjcfErrorKind`]: no kind can forget its place. What MuJoCo accepts
//! but a person should know about is a [`Warning`] in the [`LoadReport`].

use std::fmt;
use std::sync::Arc;

/// Why a model failed to load: one or several problems, in the order they were found.
///
/// `Display` prints one problem per line, as `file:line:column: message`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct MjcfError {
    /// The problems; never empty.
    pub problems: Vec<Problem>,
    /// True when the search stopped at [`Problems::LIMIT`]; there may be more.
    pub truncated: bool,
}

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[error("{at}: {kind}")]
pub struct Problem {
    /// The place in the XML.
    pub at: Location,
    /// What is wrong there.
    #[source]
    pub kind: MjcfErrorKind,
}

/// A place in a file; lines and columns count from one, columns in characters.
///
/// The default location, line 0, belongs to things that were not read from a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Location {
    /// File name as the reader resolved it; `<string>` for a model given as text.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serialize_file"))]
    pub file: Arc<str>,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

/// What was wrong, independent of where.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum MjcfErrorKind {
    /// A file that could not be read.
    #[error("cannot read '{path}': {message}")]
    Read {
        /// The path that was tried last.
        path: String,
        /// What the source said.
        message: String,
    },
    /// Text that is not well-formed XML.
    #[error("not well-formed XML: {message}")]
    Syntax {
        /// What is wrong, and what would be right.
        message: String,
    },
    /// An element that the grammar does not have at this place.
    #[error("<{element}> {}{}", misplaced(parent), did_you_mean(suggestion.as_ref()))]
    UnknownElement {
        /// Name of the element.
        element: String,
        /// Name of the element around it; empty for the root.
        parent: String,
        /// The allowed name that is most similar.
        suggestion: Option<String>,
    },
    /// An attribute that the element does not have.
    #[error("<{element}> has no attribute '{attribute}'{}", did_you_mean(suggestion.as_ref()))]
    UnknownAttribute {
        /// Name of the element.
        element: String,
        /// Name of the attribute.
        attribute: String,
        /// The allowed name that is most similar.
        suggestion: Option<String>,
    },
    /// More elements of one name than the grammar allows.
    #[error("<{element}> may appear once in <{parent}>, found {count}")]
    RepeatedElement {
        /// Name of the element.
        element: String,
        /// Name of the element around it.
        parent: String,
        /// How often it was found.
        count: usize,
    },
    /// An attribute that must be given.
    #[error("<{element}> needs the attribute '{attribute}'")]
    MissingAttribute {
        /// Name of the element.
        element: String,
        /// Name of the attribute.
        attribute: String,
    },
    /// A value that does not parse or is out of range.
    #[error("<{element} {attribute}=\"{value}\">: expected {expected}")]
    InvalidValue {
        /// Name of the element.
        element: String,
        /// Name of the attribute.
        attribute: String,
        /// The text as written, shortened if long.
        value: String,
        /// What would be right.
        expected: String,
    },
    /// An `<include>` that cannot be followed.
    #[error("<include file=\"{file}\">: {message}")]
    Include {
        /// The file as written.
        file: String,
        /// What is wrong with it.
        message: String,
    },
    /// A reference to a name nobody defined.
    #[error("no {kind} named '{name}'{}", did_you_mean(suggestion.as_ref()))]
    UndefinedName {
        /// What was looked for: `body`, `default class`, …
        kind: String,
        /// The name.
        name: String,
        /// The defined name that is most similar.
        suggestion: Option<String>,
    },
    /// A name defined twice.
    #[error("{kind} '{name}' is already defined at {first}")]
    DuplicateName {
        /// What is named: `body`, `geom`, …
        kind: String,
        /// The name.
        name: String,
        /// The earlier definition.
        first: Location,
    },
    /// An element, or a use of it, that breaks a rule of the model.
    #[error("{}: {message}", named(element, name))]
    Invalid {
        /// Name of the element.
        element: String,
        /// Its `name` attribute; empty if it has none.
        name: String,
        /// What is wrong, and what would be right.
        message: String,
    },
    /// A warning, where warnings are not accepted.
    #[error("{message}")]
    Warning {
        /// What was noticed.
        message: String,
    },
    /// An element that needs a plugin.
    #[error("the plugin '{plugin}' is not part of this engine")]
    Plugin {
        /// Name of the plugin.
        plugin: String,
    },
    /// A valid element that this version does not build.
    #[error("not supported yet: <{element}>")]
    Unsupported {
        /// Name of the element, with the attribute if only that one is not supported.
        element: String,
    },
}

/// What was noticed while a model was loaded.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct LoadReport {
    /// Things that MuJoCo accepts but that are probably mistakes.
    pub warnings: Vec<Warning>,
}

/// Something accepted that is probably a mistake.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Warning {
    /// The place in the XML.
    pub at: Location,
    /// What was noticed, and what happens with it.
    pub message: String,
}

/// Collects problems and warnings while a model is loaded.
#[derive(Debug, Default)]
pub struct Problems {
    errors: Vec<Problem>,
    warnings: Vec<Warning>,
}

impl Problems {
    /// Problems kept; whoever reads more than this has stopped reading.
    pub const LIMIT: usize = 20;
    /// Warnings kept, so that a generated file cannot fill the memory.
    const WARNING_LIMIT: usize = 1000;

    /// An empty collection.
    pub fn new() -> Self {
        Self::default()
    }

    /// Notes a problem.
    pub fn push(&mut self, at: &Location, kind: MjcfErrorKind) {
        self.add(Problem { at: at.clone(), kind });
    }

    /// Notes a problem that is already built.
    pub fn add(&mut self, problem: Problem) {
        if self.errors.len() < Self::LIMIT {
            self.errors.push(problem);
        }
    }

    /// Notes that an element breaks a rule; `name` is its `name` attribute, empty if none.
    pub fn invalid(&mut self, at: &Location, element: &str, name: &str, message: impl Into<String>) {
        self.add(Problem::invalid(at, element, name, message));
    }

    /// Notes something that is accepted but probably wrong.
    pub fn warn(&mut self, at: &Location, message: impl Into<String>) {
        if self.warnings.len() < Self::WARNING_LIMIT {
            self.warnings.push(Warning { at: at.clone(), message: message.into() });
        }
    }

    /// True when as many problems are noted as will be reported.
    pub fn is_full(&self) -> bool {
        self.errors.len() >= Self::LIMIT
    }

    /// Number of problems noted.
    pub fn len(&self) -> usize {
        self.errors.len()
    }

    /// True while no problem is noted.
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// Takes in everything an error holds.
    pub fn extend(&mut self, error: MjcfError) {
        error.problems.into_iter().for_each(|p| self.add(p));
    }

    /// The error made of all problems so far, if there are any; leaves the warnings.
    pub fn check(&mut self) -> Result<(), MjcfError> {
        if self.errors.is_empty() {
            return Ok(());
        }
        let truncated = self.is_full();
        Err(MjcfError { problems: std::mem::take(&mut self.errors), truncated })
    }

    /// Takes the warnings out.
    pub fn take_report(&mut self) -> LoadReport {
        LoadReport { warnings: std::mem::take(&mut self.warnings) }
    }
}

impl Problem {
    /// A rule of the model that is broken; `name` is the element's `name` attribute, empty if none.
    pub fn invalid(at: &Location, element: &str, name: &str, message: impl Into<String>) -> Self {
        let kind = MjcfErrorKind::Invalid { element: element.into(), name: name.into(), message: message.into() };
        Self { at: at.clone(), kind }
    }
}

impl From<Problem> for MjcfError {
    fn from(problem: Problem) -> Self {
        Self { problems: vec![problem], truncated: false }
    }
}

impl std::error::Error for MjcfError {}

impl fmt::Display for MjcfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{problem}")?;
        }
        if self.truncated {
            write!(f, "\n… the search stopped after {} problems", self.problems.len())?;
        }
        Ok(())
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.file.is_empty(), self.line) {
            (true, 0) => f.write_str("<model>"),
            (false, 0) => f.write_str(&self.file),
            _ => write!(f, "{}:{}:{}", self.file, self.line, self.column),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: warning: {}", self.at, self.message)
    }
}

fn did_you_mean(suggestion: Option<&String>) -> String {
    suggestion.map(|s| format!("; did you mean '{s}'?")).unwrap_or_default()
}

fn misplaced(parent: &str) -> String {
    if parent.is_empty() { "cannot be the root of a model".into() } else { format!("is not allowed in <{parent}>") }
}

fn named(element: &str, name: &str) -> String {
    if name.is_empty() { format!("<{element}>") } else { format!("<{element} name=\"{name}\">") }
}

#[cfg(feature = "serde")]
fn serialize_file<S: serde::Serializer>(file: &Arc<str>, s: S) -> Result<S::Ok, S::Error> {
    s.serialize_str(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, column: u32) -> Location {
        Location { file: "arm.xml".into(), line, column }
    }

    #[test]
    fn one_problem_per_line_with_its_place() {
        let mut problems = Problems::new();
        let duplicate = MjcfErrorKind::DuplicateName { kind: "joint".into(), name: "elbow".into(), first: at(12, 7) };
        problems.push(&at(31, 7), duplicate);
        problems.invalid(&at(40, 3), "geom", "hand", "size 1 must be positive");
        let text = problems.check().unwrap_err().to_string();
        assert_eq!(
            text,
            "arm.xml:31:7: joint 'elbow' is already defined at arm.xml:12:7\n\
             arm.xml:40:3: <geom name=\"hand\">: size 1 must be positive"
        );
    }

    #[test]
    fn problems_stop_at_the_limit_and_say_so() {
        let mut problems = Problems::new();
        for line in 0..50 {
            problems.invalid(&at(line, 1), "geom", "", "bad");
        }
        assert!(problems.is_full());
        let error = problems.check().unwrap_err();
        assert_eq!(error.problems.len(), Problems::LIMIT);
        assert!(error.to_string().ends_with("the search stopped after 20 problems"));
        assert!(problems.check().is_ok(), "the problems were handed over");
    }

    #[test]
    fn a_suggestion_is_a_question() {
        let kind = MjcfErrorKind::UnknownAttribute {
            element: "geom".into(),
            attribute: "siez".into(),
            suggestion: Some("size".into()),
        };
        assert_eq!(kind.to_string(), "<geom> has no attribute 'siez'; did you mean 'size'?");
    }

    #[cfg(feature = "serde")]
    #[test]
    fn errors_and_reports_can_be_written_to_logs() {
        fn serialises<T: serde::Serialize>() {}
        serialises::<MjcfError>();
        serialises::<LoadReport>();
    }
}
