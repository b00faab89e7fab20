//! Errors of this crate.

use sim_core::StepError;
use sim_core::batch::BatchError;
use sim_mjcf::MjcfError;

/// Why there are no environments.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EnvError {
    /// The model of a task could not be loaded.
    #[error("the model of the task cannot be loaded: {0}")]
    Model(#[from] MjcfError),
    /// The model cannot be stepped.
    #[error("the model of task '{task}' cannot be stepped: {error}")]
    Step {
        /// Name of the task.
        task: String,
        /// What is wrong.
        error: StepError,
    },
    /// The task asks for something that the model does not have.
    #[error("task '{task}' needs a model with {what}")]
    Missing {
        /// Name of the task.
        task: String,
        /// What is missing.
        what: String,
    },
    /// A number of the settings makes no sense.
    #[error("{what} must be {wanted}, is {got}")]
    Setting {
        /// Which setting.
        what: &'static str,
        /// What it should be.
        wanted: &'static str,
        /// What it is.
        got: usize,
    },
    /// A slice has the wrong length.
    #[error("{what} has {got} elements, the environments need {want}")]
    Length {
        /// Which slice.
        what: &'static str,
        /// Its length.
        got: usize,
        /// The length it must have.
        want: usize,
    },
    /// The batch of simulations could not be made or changed.
    #[error(transparent)]
    Batch(#[from] BatchError),
    /// The batch of simulations was asked for something impossible.
    #[error(transparent)]
    Sizes(#[from] StepError),
}
