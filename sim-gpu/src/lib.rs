//! Batches of environments on any GPU.
//!
//! [`GpuBatchSim`] will have the API of [`sim_core::BatchSim`], run by compute shaders in f32. The shaders are not
//! there yet: making one returns [`GpuError::NotAvailable`], so that a caller can fall back to the CPU batch today with
//! the code that will use the GPU later.

#![forbid(unsafe_code)]

use std::convert::Infallible;
use std::sync::Arc;

use sim_core::Model;

/// Why a GPU batch could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// This version has no GPU backend.
    #[error("this version has no GPU backend yet: use sim_core::BatchSim")]
    NotAvailable,
}

/// Environments that share a model and live on a GPU. No value of it exists until there is a backend.
#[derive(Debug)]
pub struct GpuBatchSim {
    never: Infallible,
}

impl GpuBatchSim {
    /// `n` environments of `model` on the first suitable adapter.
    pub fn new(_model: Arc<Model>, _n: usize) -> Result<Self, GpuError> {
        Err(GpuError::NotAvailable)
    }

    /// Number of environments.
    pub fn num_envs(&self) -> usize {
        match self.never {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_that_there_is_no_backend() {
        let err = GpuBatchSim::new(Arc::new(Model::default()), 4).unwrap_err();
        assert_eq!(err, GpuError::NotAvailable);
    }
}
