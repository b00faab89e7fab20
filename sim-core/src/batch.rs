//! Many environments of one model, stepped together.

use std::sync::Arc;

use crate::data::{Data, StateBits};
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
        let mut first = model.make_data();
        crate::collision::prepare(&model, &mut first);
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
        let _span = tracing::trace_span!("step_all", envs = self.envs.len()).entered();
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

    /// Numbers that [`step_into`](Self::step_into) writes per environment: these parts of the state, then the sensors.
    pub fn row_size(&self, parts: StateBits) -> usize {
        self.model.state_size(parts) + self.model.nsensordata
    }

    /// As [`step_all`](Self::step_all), and writes the state and the sensor data of every environment into `out`, one
    /// row after the other, as a learner reads them. Allocates nothing.
    ///
    /// `out` must have [`row_size`](Self::row_size) numbers per environment, `status` one entry.
    pub fn step_into(
        &mut self,
        parts: StateBits,
        out: &mut [f64],
        status: &mut [Result<(), StepError>],
    ) -> Result<(), StepError> {
        let (m, row) = (&*self.model, self.row_size(parts));
        let n = self.envs.len();
        if out.len() != n * row {
            return Err(StepError::WrongSize { array: "output buffer", got: out.len(), want: n * row });
        }
        if status.len() != n {
            return Err(StepError::WrongSize { array: "status", got: status.len(), want: n });
        }
        // a model without state and sensors has rows of length zero
        if row == 0 {
            self.step_all(status);
            return Ok(());
        }
        let _span = tracing::trace_span!("step_into", envs = n).entered();
        #[cfg(feature = "parallel")]
        if let Some(pool) = &self.pool {
            use rayon::prelude::*;
            let envs = &mut self.envs;
            pool.install(|| {
                let rows = out.par_chunks_exact_mut(row);
                let each = envs.par_iter_mut().zip(rows).zip(status.par_iter_mut());
                each.for_each(|((d, row), s)| *s = step_row(m, d, parts, row));
            });
            return Ok(());
        }
        for ((d, row), s) in self.envs.iter_mut().zip(out.chunks_exact_mut(row)).zip(status) {
            *s = step_row(m, d, parts, row);
        }
        Ok(())
    }
}

/// Steps one environment and writes its row.
fn step_row(m: &Model, d: &mut Data, parts: StateBits, row: &mut [f64]) -> Result<(), StepError> {
    d.step(m)?;
    let (state, sensors) = row.split_at_mut(m.state_size(parts));
    d.get_state(m, parts, state)?;
    sensors.copy_from_slice(&d.sensordata);
    Ok(())
}
