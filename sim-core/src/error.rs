//! Errors of the engine.

use sim_types::linalg::Singular;

use crate::warning::Warning;

/// Why a step or a forward pass did not happen.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum StepError {
    /// The data was made for another model, an array was resized, or a buffer of the caller has the wrong length.
    #[error("{array} has {got} elements, expected {want}")]
    WrongSize {
        /// Name of the array.
        array: &'static str,
        /// Its length.
        got: usize,
        /// The length it must have.
        want: usize,
    },
    /// The timestep is not a positive number.
    #[error("timestep must be positive and finite, is {timestep}")]
    InvalidTimestep {
        /// The timestep of the model.
        timestep: f64,
    },
    /// A number of the state is NaN or larger than 1e10, and there is no automatic reset: the flag `autoreset` is off,
    /// or a derivative is asked for.
    #[error("{what}[{index}] is {value}: NaN or larger than 1e10, and not reset automatically")]
    BadState {
        /// `qpos`, `qvel`, `act` or `qacc`; where an acceleration is bad because something before it is not finite, that
        /// array. See [`BadNumber`].
        what: &'static str,
        /// Index of the first bad number.
        index: usize,
        /// The bad number.
        value: f64,
    },
    /// The constraint problem has no solution in numbers, and automatic reset is off.
    #[error("constraints cannot be solved: {what}")]
    Unsolvable {
        /// The first bad dof or row.
        what: String,
        /// The dof, where it is one.
        dof: Option<usize>,
    },
    /// The constraint problem is larger than [`Data::work_limit`](crate::Data::work_limit) allows.
    #[error("constraints take too much work: {what}; raise `work_limit` of the data{advice}")]
    TooLarge {
        /// How much it is, and how much is allowed.
        what: String,
        /// What else helps.
        advice: &'static str,
    },
    /// The model needs a part of the physics that this version does not have.
    #[error("not supported yet: {what}")]
    Unsupported {
        /// What is missing, named after the model's object where there is one.
        what: String,
    },
}

/// Why a model is not consistent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ModelError {
    /// An array has the wrong length.
    #[error("model array {array} has {got} elements, the sizes ask for {want}")]
    WrongLength {
        /// Name of the array.
        array: String,
        /// Its length.
        got: usize,
        /// The length it must have.
        want: usize,
    },
    /// An index points outside of the array it refers to.
    #[error("model array {array}[{index}] = {value} is out of range, must be below {limit}")]
    IdOutOfRange {
        /// Name of the array.
        array: String,
        /// Which element.
        index: usize,
        /// What it holds.
        value: i64,
        /// The limit.
        limit: usize,
    },
    /// The arrays contradict each other.
    #[error("model is not consistent: {what}")]
    Inconsistent {
        /// What does not fit.
        what: String,
    },
    /// There is no keyframe with this number.
    #[error("there is no keyframe {key}; the model has {nkey}")]
    NoKeyframe {
        /// The keyframe asked for.
        key: usize,
        /// How many there are.
        nkey: usize,
    },
}

impl StepError {
    /// The array that holds a number which is bad in this way.
    pub(crate) fn bad_name(kind: Warning) -> &'static str {
        match kind {
            Warning::BadQpos => "qpos",
            Warning::BadQvel => "qvel",
            Warning::BadCtrl => "act",
            _ => "qacc",
        }
    }

    /// The matrix of an implicit step has no inverse.
    pub(crate) fn singular_step(e: Singular) -> Self {
        Self::Unsolvable { what: format!("implicit step: {e}"), dof: Some(e.index) }
    }
}

/// A number that a step cannot go on with: NaN, or larger than 1e10. [`stage`](Self::stage) says where it arose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BadNumber {
    /// `qpos`, `qvel`, `act` or `qacc`, or the first array on the way to `qacc` that has a number which is not finite:
    /// `qfrc_applied`, `M`, `qfrc_passive`, `actuator_force`, …
    pub what: &'static str,
    /// Index of the first bad number, where the array is one list of numbers.
    pub index: usize,
}

impl std::fmt::Display for BadNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}[{}]", self.what, self.index)?;
        self.stage().map_or(Ok(()), |stage| write!(f, " (stage {})", stage.as_str()))
    }
}
