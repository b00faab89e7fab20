//! Whole trajectories from given states and controls, as `mujoco.rollout` computes them.

use std::sync::Arc;

use sim_types::EnableFlags;

use super::crew::Split;
use super::layout::cut;
use super::worker::{Group, Worker};
use super::{BatchSim, Fault, StepStatus, check_size};
use crate::data::{Data, StateBits};
use crate::error::StepError;
use crate::lanes::{Four, LANES};
use crate::model::Model;
use crate::pipeline::{Mujoco, Skip, step_skip};

/// What to roll out: one trajectory per environment, each computed by one worker.
#[derive(Clone, Copy, Debug)]
pub struct Rollout<'a> {
    /// Steps of each trajectory.
    pub nstep: usize,
    /// States to start from: [`StateBits::FULLPHYSICS`] per trajectory.
    pub initial: &'a [f64],
    /// Accelerations that the first solve starts from, `nv` per trajectory; zero when empty.
    pub warmstart: &'a [f64],
    /// What [`control_parts`](Self::control_parts) says, per trajectory and step; empty for no control.
    pub controls: &'a [f64],
    /// Parts of the state that the controls are: any of [`StateBits::USER`]. Parts that are not among them have the values
    /// of a reset.
    pub control_parts: StateBits,
}

impl<'a> Rollout<'a> {
    /// Trajectories of `nstep` steps from these states; no control, no warm start.
    pub fn new(initial: &'a [f64], nstep: usize) -> Self {
        Self { nstep, initial, warmstart: &[], controls: &[], control_parts: StateBits::CTRL }
    }

    /// With controls (`ctrl`) per trajectory and step.
    #[must_use]
    pub fn controls(mut self, controls: &'a [f64]) -> Self {
        self.controls = controls;
        self
    }
}

/// Where trajectories go; the caller's memory. A slice that is empty is not wanted.
#[derive(Debug, Default)]
pub struct Trajectories<'a> {
    /// States after each step: [`StateBits::FULLPHYSICS`] per trajectory and step.
    pub states: &'a mut [f64],
    /// Sensor data of each step.
    pub sensordata: &'a mut [f64],
    /// How each trajectory ended.
    pub status: &'a mut [StepStatus],
}

/// Rolls out trajectories of one model on the calling thread; see [`BatchSim::rollout`].
pub fn rollout(model: &Arc<Model>, job: &Rollout<'_>, out: Trajectories<'_>) -> Result<(), StepError> {
    // the time is a part of every state
    let n = job.initial.len() / model.state_size(StateBits::FULLPHYSICS).max(1);
    BatchSim::new(Arc::clone(model), n).rollout(job, out)
}

impl BatchSim {
    /// Rolls out one trajectory per environment's model; the environments themselves stay as they are.
    ///
    /// A trajectory that raises a warning, a reset among them, or fails is not continued: the rest of its rows repeat what
    /// it had then, as in MuJoCo. Nothing is computed when a slice has the wrong length.
    #[doc(alias = "mujoco.rollout")]
    pub fn rollout(&mut self, job: &Rollout<'_>, out: Trajectories<'_>) -> Result<(), StepError> {
        let n = self.len();
        let m = Arc::clone(self.crew.model());
        let sizes = Sizes::new(&m, job);
        let all = n * job.nstep;
        let optional = |array, got, want| if got == 0 { Ok(()) } else { check_size(array, got, want) };
        check_size("initial states", job.initial.len(), n * sizes.state)?;
        optional("warm starts", job.warmstart.len(), n * m.nv)?;
        optional("controls", job.controls.len(), all * sizes.control)?;
        optional("states", out.states.len(), all * sizes.state)?;
        optional("sensor data", out.sensordata.len(), all * sizes.sensors)?;
        optional("status", out.status.len(), n)?;
        let _span = tracing::trace_span!("rollout", envs = n, steps = job.nstep).entered();
        let refused = self.records.iter().find_map(|r| r.refused.as_deref());
        if let Some(e) = refused {
            return Err(e.clone());
        }
        let work = Paths { first: 0, models: &self.models, out };
        self.crew.run(work, |worker, paths| {
            let may_sleep = paths.models.iter().any(|m| m.opt.enabled(EnableFlags::SLEEP));
            worker.fits = None;
            paths.run(job, &sizes, worker);
            // workers hold no sleepers
            if may_sleep {
                worker.d.reset(&m);
            }
        });
        Ok(())
    }
}

/// Numbers per row.
struct Sizes {
    state: usize,
    control: usize,
    sensors: usize,
}

impl Sizes {
    fn new(m: &Model, job: &Rollout<'_>) -> Self {
        Self {
            state: m.state_size(StateBits::FULLPHYSICS),
            control: m.state_size(job.control_parts),
            sensors: m.nsensordata,
        }
    }
}

/// Neighbouring trajectories.
struct Paths<'a> {
    first: usize,
    models: &'a [Arc<Model>],
    out: Trajectories<'a>,
}

impl Split for Paths<'_> {
    fn len(&self) -> usize {
        self.models.len()
    }

    fn split(self, n: usize) -> (Self, Self) {
        let all = self.models.len();
        let share = |len: usize| n * (len / all.max(1));
        let (m1, m2) = self.models.split_at(n);
        let Trajectories { states, sensordata, status } = self.out;
        let at = share(states.len());
        let (a1, a2) = states.split_at_mut(at);
        let at = share(sensordata.len());
        let (b1, b2) = sensordata.split_at_mut(at);
        let at = share(status.len());
        let (c1, c2) = status.split_at_mut(at);
        let one = Trajectories { states: a1, sensordata: b1, status: c1 };
        let two = Trajectories { states: a2, sensordata: b2, status: c2 };
        (Self { first: self.first, models: m1, out: one }, Self { first: self.first + n, models: m2, out: two })
    }
}

impl Paths<'_> {
    /// Computes every trajectory, in groups where that is possible.
    fn run(self, job: &Rollout<'_>, sizes: &Sizes, worker: &mut Worker) {
        let n = self.models.len().max(1);
        let Trajectories { mut states, mut sensordata, status } = self.out;
        let widths = (states.len() / n, sensordata.len() / n);
        let mut next_rows = || Rows { states: cut(&mut states, widths.0), sensordata: cut(&mut sensordata, widths.1) };
        let mut status = status.iter_mut();
        let mut done = 0;
        while let Some(m) = self.models.get(done) {
            let env = self.first + done;
            if let Some(group) = &mut worker.group
                && may_group(&self.models[done..])
            {
                let mut rows = [next_rows(), next_rows(), next_rows(), next_rows()];
                let ends = paths(job, sizes, env, m, group, &mut rows);
                ends.into_iter().zip(&mut status).for_each(|(end, status)| *status = end);
                done += LANES;
                continue;
            }
            let end = path(job, sizes, env, m, &mut worker.d, &mut next_rows());
            if let Some(status) = status.next() {
                *status = end;
            }
            done += 1;
        }
    }
}

/// True when the first trajectories can be computed together: they have the same model, in which nothing sleeps.
fn may_group(models: &[Arc<Model>]) -> bool {
    let Some(four) = models.get(..LANES) else { return false };
    !four[0].opt.enabled(EnableFlags::SLEEP) && four.iter().all(|m| Arc::ptr_eq(m, &four[0]))
}

/// Rows of one trajectory.
struct Rows<'a> {
    states: &'a mut [f64],
    sensordata: &'a mut [f64],
}

impl Rows<'_> {
    /// Writes what `d` has as the rows of one step.
    fn write(&mut self, m: &Model, d: &Data, sizes: &Sizes, step: usize) {
        if !self.states.is_empty() {
            let row = &mut self.states[step * sizes.state..][..sizes.state];
            d.write_state(m, StateBits::FULLPHYSICS, row);
        }
        if !self.sensordata.is_empty() {
            self.sensordata[step * sizes.sensors..][..sizes.sensors].copy_from_slice(&d.sensordata);
        }
    }
}

/// One trajectory.
fn path(job: &Rollout<'_>, sizes: &Sizes, env: usize, m: &Model, d: &mut Data, rows: &mut Rows<'_>) -> StepStatus {
    job.start(sizes, env, m, d);
    rest_of_path(job, sizes, (env, 0), m, d, rows, StepStatus::Ok)
}

/// A trajectory from a step on.
fn rest_of_path(
    job: &Rollout<'_>,
    sizes: &Sizes,
    (env, from): (usize, usize),
    m: &Model,
    d: &mut Data,
    rows: &mut Rows<'_>,
    mut status: StepStatus,
) -> StepStatus {
    for step in from..job.nstep {
        if goes_on(d, status) {
            job.control(sizes, env, step, m, d);
            let done = d.step(m);
            status = ended(d, done.as_ref());
        }
        rows.write(m, d, sizes, step);
    }
    status
}

/// Trajectories of a group; once one of them has gone wrong, each goes on alone.
fn paths(
    job: &Rollout<'_>,
    sizes: &Sizes,
    first: usize,
    m: &Model,
    group: &mut Group,
    rows: &mut [Rows<'_>; LANES],
) -> [StepStatus; LANES] {
    let mut status = [StepStatus::Ok; LANES];
    for (k, d) in group.d.iter_mut().enumerate() {
        job.start(sizes, first + k, m, d);
    }
    for step in 0..job.nstep {
        if !group.d.iter().zip(status).all(|(d, status)| goes_on(d, status)) {
            for (k, d) in group.d.iter_mut().enumerate() {
                status[k] = rest_of_path(job, sizes, (first + k, step), m, d, &mut rows[k], status[k]);
            }
            break;
        }
        for (k, d) in group.d.iter_mut().enumerate() {
            job.control(sizes, first + k, step, m, d);
        }
        let mut together = Four::new(&mut group.d, &mut group.lanes);
        let done = step_skip(m, &mut together, &mut Mujoco::default(), Skip::Nothing, true);
        debug_assert!(done.is_ok(), "a group has no error of its own");
        for (k, done) in together.done.iter().enumerate() {
            status[k] = ended(&together.d[k], done.as_ref());
            rows[k].write(m, &together.d[k], sizes, step);
        }
    }
    status
}

impl Rollout<'_> {
    /// Puts the beginning of a trajectory into data, which is reset.
    fn start(&self, sizes: &Sizes, env: usize, m: &Model, d: &mut Data) {
        d.reset(m);
        d.read_state(m, StateBits::FULLPHYSICS, &self.initial[env * sizes.state..][..sizes.state]);
        if !self.warmstart.is_empty() {
            d.qacc_warmstart.copy_from_slice(&self.warmstart[env * m.nv..][..m.nv]);
        }
    }

    /// Puts the controls of a step into data.
    fn control(&self, sizes: &Sizes, env: usize, step: usize, m: &Model, d: &mut Data) {
        if !self.controls.is_empty() {
            let row = (env * self.nstep + step) * sizes.control;
            d.read_state(m, self.control_parts, &self.controls[row..][..sizes.control]);
        }
    }
}

/// False when a trajectory has raised a warning or failed.
fn goes_on(d: &Data, status: StepStatus) -> bool {
    !d.warning.any() && !status.is_failed()
}

/// How a step ended.
fn ended(d: &Data, done: Result<&(), &StepError>) -> StepStatus {
    match done {
        Err(e) => StepStatus::Failed(Fault::from(e)),
        Ok(()) => d.restart.map_or(StepStatus::Ok, StepStatus::Reset),
    }
}
