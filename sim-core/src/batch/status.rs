//! How an environment fared, and why a batch could not be made.

use std::fmt;

use crate::error::{BadNumber, StepError};

/// How one environment fared in the last step. Small and copied freely; [`BatchSim::error`](super::BatchSim::error) has
/// the whole error of an environment that failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepStatus {
    /// It was stepped.
    #[default]
    Ok,
    /// A number was bad, and the step began again from the reference pose: automatic reset, MuJoCo's default. This is
    /// the first bad number of the step.
    Reset(BadNumber),
    /// It was not stepped, and will not be until it is reset.
    Failed(Fault),
}

/// Why an environment is not stepped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// A number is bad, and automatic reset is off.
    Bad(BadNumber),
    /// The constraints have no solution in numbers, and automatic reset is off.
    Unsolvable,
    /// The model cannot be stepped, or a visitor left data that does not fit it.
    Refused,
}

impl StepStatus {
    /// True when it was stepped without a reset.
    pub fn is_ok(self) -> bool {
        self == Self::Ok
    }

    /// True when it was reset automatically.
    pub fn is_reset(self) -> bool {
        matches!(self, Self::Reset(_))
    }

    /// True when it waits for a reset.
    pub fn is_failed(self) -> bool {
        matches!(self, Self::Failed(_))
    }
}

impl From<&StepError> for Fault {
    fn from(e: &StepError) -> Self {
        match e {
            StepError::BadState { what, index, .. } => Self::Bad(BadNumber { what, index: *index }),
            StepError::Unsolvable { .. } => Self::Unsolvable,
            _ => Self::Refused,
        }
    }
}

impl fmt::Display for StepStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ok => f.write_str("stepped"),
            Self::Reset(bad) => write!(f, "reset: {bad} was bad"),
            Self::Failed(Fault::Bad(bad)) => write!(f, "failed: {bad} is bad"),
            Self::Failed(Fault::Unsolvable) => f.write_str("failed: constraints cannot be solved"),
            Self::Failed(Fault::Refused) => f.write_str("failed: the model cannot be stepped"),
        }
    }
}

/// Why a batch could not be made or changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// The system gave no threads.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
    /// A model has other sizes than the one of the batch.
    #[error(
        "the model of environment {env} has other sizes than that of the batch: {array} has {got} elements, not {want}"
    )]
    OtherSizes {
        /// The environment.
        env: usize,
        /// The first array that differs.
        array: &'static str,
        /// Its length in this model.
        got: usize,
        /// Its length in the batch's.
        want: usize,
    },
    /// There is no such environment.
    #[error("there is no environment {env}; the batch has {envs}")]
    NoEnv {
        /// The one asked for.
        env: usize,
        /// How many there are.
        envs: usize,
    },
}
