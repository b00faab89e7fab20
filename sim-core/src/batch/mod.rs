//! Many environments, stepped together.
//!
//! An environment is only its *state*: one row of numbers. Everything that a step computes from a state lives in the `Data`
//! of a worker, one per thread, into which rows are loaded one after the other, or four at a time where smooth dynamics
//! runs in lanes. A thousand humanoids are 2 MB this way and stay in the cache; with a `Data` each they would be 100 MB
//! to stream through in every step.
//!
//! Two kinds of environments do keep a `Data` of their own: those whose model lets trees sleep, because the poses of
//! sleepers are a part of their state, and those with a model of their own whose shapes differ from the batch's, because
//! the preparations for collision differ too.
//!
//! Results are bitwise those of a `Data` of its own per environment, for any number of threads.

mod builder;
mod crew;
mod layout;
mod reset;
mod rollout;
mod shard;
#[cfg(feature = "parallel")]
mod share;
mod status;
mod threads;
mod view;
mod worker;

pub use builder::BatchBuilder;
pub use rollout::{Rollout, Trajectories, rollout};
pub use status::{BatchError, Fault, StepStatus};
pub use view::{EnvMut, EnvRef};

use std::sync::Arc;

use sim_types::EnableFlags;

use crate::data::{Data, StateBits};
use crate::error::StepError;
use crate::lanes::LANES;
use crate::model::Model;
use crate::warning::Warnings;
use crew::Crew;
use layout::{Layout, Stored};
use shard::Shard;

/// Environments that are stepped together; see the [module](self).
#[derive(Debug)]
pub struct BatchSim {
    crew: Crew,
    layout: Layout,
    /// Steps that each call takes.
    substeps: usize,
    models: Vec<Arc<Model>>,
    rows: Vec<f64>,
    eq_active: Vec<bool>,
    sensordata: Vec<f64>,
    records: Vec<Record>,
    status: Vec<StepStatus>,
    /// A row at the reference pose of the batch's model.
    start: (Vec<f64>, Vec<bool>),
}

/// What the batch knows of an environment besides its state.
#[derive(Debug, Default)]
struct Record {
    warning: Warnings,
    /// Contacts and constraint rows of the last step.
    ncon: usize,
    nefc: usize,
    /// Why the environment cannot be stepped until it is reset.
    error: Option<Box<StepError>>,
    /// Why its model cannot be stepped at all.
    refused: Option<Box<StepError>>,
    /// Its own memory, where results of the last step are a part of the state.
    own: Option<Box<Data>>,
}

impl BatchSim {
    /// `n` environments at the reference pose, stepped on the calling thread.
    pub fn new(model: Arc<Model>, n: usize) -> Self {
        Self::with(Crew::new(model), n)
    }

    /// Sets up a batch: how many environments, threads, models of their own.
    pub fn builder(model: Arc<Model>) -> BatchBuilder {
        BatchBuilder::new(model)
    }

    fn with(mut crew: Crew, n: usize) -> Self {
        let model = Arc::clone(crew.model());
        let layout = Layout::new(&model);
        if n >= LANES && !model.opt.enabled(EnableFlags::SLEEP) {
            crew.for_each(|worker| worker.allow_groups(&model));
        }
        let mut start = (vec![0.0; layout.row], vec![false; layout.neq]);
        layout::store(crew.first(), &mut start.0, &mut start.1);
        let mut records = Vec::new();
        records.resize_with(n, Record::default);
        let mut sim = Self {
            substeps: 1,
            rows: start.0.repeat(n),
            eq_active: start.1.repeat(n),
            sensordata: vec![0.0; n * layout.nsensordata],
            records,
            status: vec![StepStatus::Ok; n],
            models: vec![model; n],
            start,
            crew,
            layout,
        };
        for env in 0..n {
            sim.adopt(env);
        }
        sim
    }

    /// Number of environments.
    pub fn len(&self) -> usize {
        self.models.len()
    }

    /// True when there is no environment.
    pub fn is_empty(&self) -> bool {
        self.models.is_empty()
    }

    /// Threads that environments are stepped on.
    pub fn threads(&self) -> usize {
        self.crew.len()
    }

    /// The model of an environment.
    pub fn model(&self, env: usize) -> Option<&Arc<Model>> {
        self.models.get(env)
    }

    /// The model that environments have which were given none of their own.
    pub fn shared_model(&self) -> &Arc<Model> {
        self.crew.model()
    }

    /// Gives an environment a model of its own, of the same sizes: other masses, friction, gains, … Its state stays.
    pub fn set_model(&mut self, env: usize, model: Arc<Model>) -> Result<(), BatchError> {
        let envs = self.len();
        let slot = self.models.get_mut(env).ok_or(BatchError::NoEnv { env, envs })?;
        if let Some((array, want, got)) = self.crew.first().misfit(&model) {
            return Err(BatchError::OtherSizes { env, array, got, want });
        }
        *slot = model;
        self.adopt(env);
        Ok(())
    }

    /// Prepares for the model that an environment has now.
    fn adopt(&mut self, env: usize) {
        let (m, record) = (&*self.models[env], &mut self.records[env]);
        record.refused = crate::pipeline::check_model(m).err().map(Box::new);
        if !shard::needs_own_data(self.crew.model(), m) {
            record.own = None;
            return;
        }
        let mut d = m.make_data();
        crate::collision::prepare(m, &mut d);
        record.own = Some(Box::new(d));
    }

    /// The state of an environment.
    pub fn env(&self, env: usize) -> Option<EnvRef<'_>> {
        let (record, m) = (self.records.get(env)?, self.models.get(env)?);
        let sensordata = &self.sensordata[env * self.layout.nsensordata..][..self.layout.nsensordata];
        Some(EnvRef::new(m, self.stored(env), sensordata, record))
    }

    /// The state of an environment, to be changed.
    pub fn env_mut(&mut self, env: usize) -> Option<EnvMut<'_>> {
        let m = self.models.get(env)?;
        let row = &mut self.rows[env * self.layout.row..][..self.layout.row];
        let eq_active = &mut self.eq_active[env * self.layout.neq..][..self.layout.neq];
        EnvMut::new(m, row, eq_active)
    }

    fn stored(&self, env: usize) -> Stored<'_> {
        Stored {
            row: &self.rows[env * self.layout.row..][..self.layout.row],
            eq_active: &self.eq_active[env * self.layout.neq..][..self.layout.neq],
        }
    }

    /// How every environment fared in the last step.
    pub fn status(&self) -> &[StepStatus] {
        &self.status
    }

    /// Why an environment has failed, in full; `None` when it has not.
    pub fn error(&self, env: usize) -> Option<&StepError> {
        let record = self.records.get(env)?;
        record.error.as_deref()
    }

    /// The sensor data of all environments, one row after the other.
    pub fn sensordata(&self) -> &[f64] {
        &self.sensordata
    }

    /// Contacts and constraint rows of all environments in the last step.
    pub fn counts(&self) -> (usize, usize) {
        self.records.iter().fold((0, 0), |(ncon, nefc), r| (ncon + r.ncon, nefc + r.nefc))
    }

    /// Bytes that the environments occupy with all workers, models left out.
    pub fn bytes(&self) -> usize {
        let own = |r: &Record| size_of::<Record>() + r.own.as_ref().map_or(0, |d| d.bytes());
        size_of::<Self>()
            + (self.rows.capacity() + self.sensordata.capacity()) * 8
            + self.eq_active.capacity()
            + self.models.capacity() * size_of::<Arc<Model>>()
            + self.status.capacity() * size_of::<StepStatus>()
            + self.records.iter().map(own).sum::<usize>()
            + self.crew.bytes()
    }

    /// Steps every environment once and writes how each one fared into `out`, as far as that reaches; the same is in
    /// [`status`](Self::status). One that fails does not touch the others. Allocates nothing once warm, on any
    /// number of threads.
    pub fn step_all(&mut self, out: &mut [StepStatus]) {
        let _span = tracing::trace_span!("step_all", envs = self.len()).entered();
        let (crew, shard) = self.work::<()>(&mut []);
        crew.run(shard, |worker, shard| shard.step(worker, |_| {}));
        self.report(out);
    }

    /// As [`step_all`](Self::step_all), and writes the state and the sensor data of every environment into `rows`, one
    /// after the other, as a learner reads them.
    ///
    /// `rows` must have [`row_size`](Self::row_size) numbers per environment; otherwise nothing is stepped.
    pub fn step_into(&mut self, parts: StateBits, rows: &mut [f64], out: &mut [StepStatus]) -> Result<(), StepError> {
        let want = self.len() * self.row_size(parts);
        check_size("output buffer", rows.len(), want)?;
        let _span = tracing::trace_span!("step_into", envs = self.len()).entered();
        let nstate = self.row_size(parts) - self.layout.nsensordata;
        let (crew, shard) = self.work::<()>(&mut []);
        let layout = shard.layout;
        let shard = shard.with_rows(rows);
        crew.run(shard, |worker, shard| {
            shard.step(worker, |slot| {
                let (state, sensors) = slot.out.split_at_mut(nstate);
                layout.get(parts, Stored { row: slot.row, eq_active: slot.eq_active }, state);
                sensors.copy_from_slice(slot.sensordata);
            });
        });
        self.report(out);
        Ok(())
    }

    /// Steps every environment with functions that run on its worker, with the whole `Data` at hand: `before` the step to
    /// set controls, `after` it to read contacts, poses, energies, rewards. Each may change the state. `per_env` has one
    /// record per environment, which the functions may write to.
    ///
    /// Before the step only the state of `d` has a meaning; everything else is left over from another environment. After it,
    /// `d` is what a `Data` of its own would be, but for arrays that this step did not compute. `after` also sees
    /// environments that failed, with only their state. One that it resets with `d.reset(m)` is alive again when it
    /// sets the status to [`StepStatus::Ok`].
    pub fn step_zip<T: Send>(
        &mut self,
        per_env: &mut [T],
        before: impl Fn(usize, &mut T, &Model, &mut Data) + Sync,
        after: impl Fn(usize, &mut T, &Model, &mut Data, &mut StepStatus) + Sync,
    ) -> Result<(), StepError> {
        check_size("records of the environments", per_env.len(), self.len())?;
        let _span = tracing::trace_span!("step_zip", envs = self.len()).entered();
        let (crew, shard) = self.work(per_env);
        crew.run(shard, |worker, shard| {
            shard.step_visited(
                worker,
                |slot, d| {
                    if let Some(record) = slot.extra.as_deref_mut() {
                        before(slot.env, record, slot.m, d);
                    }
                },
                |slot, d| {
                    if let Some(record) = slot.extra.as_deref_mut() {
                        after(slot.env, record, slot.m, d, slot.status);
                    }
                },
            );
        });
        Ok(())
    }

    /// As [`step_zip`](Self::step_zip), without records.
    pub fn step_with(
        &mut self,
        out: &mut [StepStatus],
        before: impl Fn(usize, &Model, &mut Data) + Sync,
        after: impl Fn(usize, &Model, &mut Data, &mut StepStatus) + Sync,
    ) {
        // units take no memory
        let mut units = vec![(); self.len()];
        let done = self.step_zip(
            &mut units,
            |env, (), m, d| before(env, m, d),
            |env, (), m, d, status| after(env, m, d, status),
        );
        debug_assert!(done.is_ok(), "one unit per environment");
        self.report(out);
    }

    /// Runs a function on every environment's worker, with its state in `d`, and keeps the state that it leaves; steps
    /// nothing by itself. For whatever a step does not do: several steps with decisions between, other integrators,
    /// user functions. Environments that have failed are visited too, and stay failed.
    pub fn visit<T: Send>(
        &mut self,
        per_env: &mut [T],
        f: impl Fn(usize, &mut T, &Model, &mut Data) + Sync,
    ) -> Result<(), StepError> {
        check_size("records of the environments", per_env.len(), self.len())?;
        let _span = tracing::trace_span!("visit", envs = self.len()).entered();
        let (crew, shard) = self.work(per_env);
        crew.run(shard, |worker, shard| {
            worker.fits = None;
            shard.for_each(|mut slot| {
                slot.visit(&mut worker.d, |slot, d| {
                    if let Some(record) = slot.extra.as_deref_mut() {
                        f(slot.env, record, slot.m, d);
                    }
                });
            });
        });
        Ok(())
    }

    /// Shows the whole `Data` of one environment after a forward pass; its state does not change. `None` when there is no
    /// such environment.
    pub fn inspect<R>(&mut self, env: usize, f: impl FnOnce(&Model, &Data) -> R) -> Option<Result<R, StepError>> {
        let m = Arc::clone(self.models.get(env)?);
        let stored = Stored {
            row: &self.rows[env * self.layout.row..][..self.layout.row],
            eq_active: &self.eq_active[env * self.layout.neq..][..self.layout.neq],
        };
        let sensordata = &self.sensordata[env * self.layout.nsensordata..][..self.layout.nsensordata];
        // a copy: sleepers may wake when they are looked at
        let mut copy = self.records[env].own.clone();
        let d = match &mut copy {
            Some(own) => own,
            None => self.crew.first(),
        };
        shard::load(&m, stored, sensordata, d);
        d.warning = self.records[env].warning;
        Some(d.forward(&m).map(|()| f(&m, d)))
    }

    /// Numbers that [`step_into`](Self::step_into) writes per environment: these parts of the state, then the sensors.
    pub fn row_size(&self, parts: StateBits) -> usize {
        self.crew.model().state_size(parts) + self.layout.nsensordata
    }

    /// Writes these parts of the state of all environments into `out`, one environment after the other.
    ///
    /// `out` must have [`Model::state_size`] numbers per environment.
    pub fn state_into(&self, parts: StateBits, out: &mut [f64]) -> Result<(), StepError> {
        let size = self.crew.model().state_size(parts);
        check_size("state vectors", out.len(), self.len() * size)?;
        let mut rest = out;
        for env in 0..self.len() {
            self.layout.get(parts, self.stored(env), layout::cut(&mut rest, size));
        }
        Ok(())
    }

    /// Sets these parts of the state of all environments from `numbers`, one environment after the other: `CTRL` for
    /// controls, for instance. An environment that has failed stays failed.
    ///
    /// `numbers` must have [`Model::state_size`] numbers per environment; otherwise nothing changes.
    pub fn set_state(&mut self, parts: StateBits, numbers: &[f64]) -> Result<(), StepError> {
        let size = self.crew.model().state_size(parts);
        check_size("state vectors", numbers.len(), self.len() * size)?;
        let mut rest = numbers;
        for env in 0..self.len() {
            let (now, later) = rest.split_at(size);
            rest = later;
            let row = &mut self.rows[env * self.layout.row..][..self.layout.row];
            let eq_active = &mut self.eq_active[env * self.layout.neq..][..self.layout.neq];
            self.layout.set(parts, now, row, eq_active);
        }
        Ok(())
    }

    /// The crew, and all environments as work for it.
    fn work<'a, T>(&'a mut self, extra: &'a mut [T]) -> (&'a mut Crew, Shard<'a, T>) {
        let shard = Shard {
            first: 0,
            layout: &self.layout,
            substeps: self.substeps,
            models: &self.models,
            rows: &mut self.rows,
            eq_active: &mut self.eq_active,
            sensordata: &mut self.sensordata,
            records: &mut self.records,
            status: &mut self.status,
            out: &mut [],
            extra,
        };
        (&mut self.crew, shard)
    }

    fn report(&self, out: &mut [StepStatus]) {
        for (out, status) in out.iter_mut().zip(&self.status) {
            *out = *status;
        }
    }
}

fn check_size(array: &'static str, got: usize, want: usize) -> Result<(), StepError> {
    if got == want { Ok(()) } else { Err(StepError::WrongSize { array, got, want }) }
}
