//! The workers of a batch, and the threads they run on.

use std::sync::{Arc, Mutex, PoisonError};

use super::BatchError;
#[cfg(feature = "parallel")]
use super::share::Helpers;
use super::worker::Worker;
use crate::data::Data;
use crate::model::Model;

/// Work that can be cut in two.
#[cfg_attr(not(feature = "parallel"), expect(dead_code, reason = "only threads cut work"))]
pub(super) trait Split: Send + Sized {
    /// Number of environments.
    fn len(&self) -> usize;
    /// The first `n` environments, and the rest.
    fn split(self, n: usize) -> (Self, Self);
}

/// Everything that is computed from a state lives here, once per thread.
#[derive(Debug)]
pub(super) struct Crew {
    model: Arc<Model>,
    /// One per thread, the first for the calling one; only its thread takes it, so the lock is always free.
    workers: Vec<Mutex<Worker>>,
    /// The threads beside the calling one.
    #[cfg(feature = "parallel")]
    helpers: Option<Helpers>,
}

impl Crew {
    /// A single worker on the calling thread.
    pub(super) fn new(model: Arc<Model>) -> Self {
        let first = Worker::new(&model);
        Self {
            model,
            workers: vec![Mutex::new(first)],
            #[cfg(feature = "parallel")]
            helpers: None,
        }
    }

    /// The model that the workers were made for.
    pub(super) fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The worker of the calling thread.
    fn first_worker(&mut self) -> &mut Worker {
        if self.workers.is_empty() {
            self.workers.push(Mutex::new(Worker::new(&self.model)));
        }
        self.workers[0].get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// The data of the worker of the calling thread.
    pub(super) fn first(&mut self) -> &mut Data {
        &mut self.first_worker().d
    }

    /// As many workers as threads; 0 or 1 means the calling thread. Without the feature `parallel` there is one.
    #[cfg(feature = "parallel")]
    pub(super) fn set_threads(&mut self, threads: usize) -> Result<(), BatchError> {
        self.helpers = None;
        self.workers.truncate(1);
        if threads > 1 {
            let failed = |e: std::io::Error| BatchError::Threads { threads, reason: e.to_string() };
            let mut helpers = Helpers::new(threads - 1).map_err(failed)?;
            self.workers = helpers.workers(self.first_worker());
            self.helpers = Some(helpers);
        }
        Ok(())
    }

    /// As many workers as threads; 0 or 1 means the calling thread. Without the feature `parallel` there is one.
    #[cfg(not(feature = "parallel"))]
    #[expect(clippy::unnecessary_wraps, clippy::unused_self, reason = "with the feature, starting threads can fail")]
    pub(super) fn set_threads(&mut self, _threads: usize) -> Result<(), BatchError> {
        Ok(())
    }

    /// Number of workers.
    pub(super) fn len(&self) -> usize {
        self.workers.len()
    }

    /// Changes every worker.
    pub(super) fn for_each(&mut self, f: impl Fn(&mut Worker) + Sync) {
        #[cfg(feature = "parallel")]
        if let Some(helpers) = &mut self.helpers {
            helpers.change(&self.workers, f);
            return;
        }
        for worker in &mut self.workers {
            f(worker.get_mut().unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// Bytes of all workers.
    pub(super) fn bytes(&self) -> usize {
        let bytes = |w: &Mutex<Worker>| w.lock().unwrap_or_else(PoisonError::into_inner).bytes();
        self.workers.iter().map(bytes).sum()
    }

    /// Runs `f` on pieces that cover all of the work, each with a worker. The calling thread works too.
    pub(super) fn run<S: Split>(&mut self, work: S, f: impl Fn(&mut Worker, S) + Sync) {
        #[cfg(feature = "parallel")]
        if let Some(helpers) = &mut self.helpers
            && work.len() > 1
        {
            helpers.run(&self.workers, work, &f);
            return;
        }
        f(self.first_worker(), work);
    }
}
