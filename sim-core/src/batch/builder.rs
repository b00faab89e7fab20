//! Setting up a batch.

use std::sync::Arc;

use super::crew::Crew;
use super::{BatchError, BatchSim};
use crate::model::Model;

/// What a batch should be; made by [`BatchSim::builder`].
#[derive(Clone, Debug)]
pub struct BatchBuilder {
    model: Arc<Model>,
    models: Vec<Arc<Model>>,
    envs: usize,
    threads: usize,
    substeps: usize,
    contact_limit: Option<usize>,
}

impl BatchBuilder {
    pub(super) fn new(model: Arc<Model>) -> Self {
        Self { model, models: Vec::new(), envs: 1, threads: 1, substeps: 1, contact_limit: None }
    }

    /// Number of environments; one if not called.
    #[must_use]
    pub fn envs(mut self, n: usize) -> Self {
        self.envs = n;
        self
    }

    /// Threads that belong to the batch; 0 or 1, the default, means the calling thread. Without the feature `parallel`
    /// everything runs on the calling thread.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Steps that each environment takes per call, with the same controls; one if not called. An environment that was
    /// reset in one of them says so.
    #[must_use]
    pub fn substeps(mut self, n: usize) -> Self {
        self.substeps = n.max(1);
        self
    }

    /// Most contacts of an environment; no limit if not called. See [`Data::contact_limit`](crate::Data::contact_limit).
    #[must_use]
    pub fn contact_limit(mut self, most: usize) -> Self {
        self.contact_limit = Some(most);
        self
    }

    /// Models of the first environments, which then start at their reference poses. All must have the sizes of the
    /// batch's model.
    #[must_use]
    pub fn models(mut self, models: impl IntoIterator<Item = Arc<Model>>) -> Self {
        self.models = models.into_iter().collect();
        self
    }

    /// Makes the batch, all environments at the reference pose.
    pub fn build(self) -> Result<BatchSim, BatchError> {
        let mut crew = Crew::new(self.model);
        crew.set_threads(self.threads)?;
        crew.for_each(|worker| worker.d.contact_limit = self.contact_limit);
        let mut sim = BatchSim::with(crew, self.envs);
        sim.substeps = self.substeps;
        for (env, model) in self.models.into_iter().enumerate() {
            sim.set_model(env, model)?;
            sim.reset(env);
        }
        for record in &mut sim.records {
            if let Some(own) = &mut record.own {
                own.contact_limit = self.contact_limit;
            }
        }
        Ok(sim)
    }
}
