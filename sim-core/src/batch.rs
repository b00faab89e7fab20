//! Many environments of one model, stepped together.

use std::sync::Arc;

use crate::data::Data;
use crate::error::StepError;
use crate::model::Model;

/// Environments that share a model. Results are bitwise the same for any number of threads.
#[derive(Debug)]
pub struct BatchSim {
    model: Arc<Model>,
    envs: Vec<Data>,
    #[cfg(feature = "parallel")]
    pool: Option<rayon::ThreadPool>,
}

impl BatchSim {
    /// `n` environments at the reference pose, stepped on the calling thread.
    pub fn new(model: Arc<Model>, n: usize) -> Self {
        let first = model.make_data();
        let envs = vec![first; n];
        Self {
            model,
            envs,
            #[cfg(feature = "parallel")]
            pool: None,
        }
    }

    /// Steps on `threads` threads that belong to this batch; 0 or 1 means the calling thread.
    #[cfg(feature = "parallel")]
    pub fn with_threads(mut self, threads: usize) -> Result<Self, rayon::ThreadPoolBuildError> {
        self.pool =
            if threads > 1 { Some(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?) } else { None };
        Ok(self)
    }

    /// The model that all environments share.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The environments.
    pub fn envs(&self) -> &[Data] {
        &self.envs
    }

    /// The environments, to set controls or states.
    pub fn envs_mut(&mut self) -> &mut [Data] {
        &mut self.envs
    }

    /// Steps every environment once and writes how each one fared. A failing environment does not touch the others.
    ///
    /// `status` must have one entry per environment; surplus entries are left alone.
    pub fn step_all(&mut self, status: &mut [Result<(), StepError>]) {
        let m = &*self.model;
        #[cfg(feature = "parallel")]
        if let Some(pool) = &self.pool {
            use rayon::prelude::*;
            let envs = &mut self.envs;
            pool.install(|| {
                envs.par_iter_mut().zip(status.par_iter_mut()).for_each(|(d, s)| *s = d.step(m));
            });
            return;
        }
        for (d, s) in self.envs.iter_mut().zip(status) {
            *s = d.step(m);
        }
    }
}
