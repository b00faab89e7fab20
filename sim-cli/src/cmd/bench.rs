//! `sim bench`: steps per second.

use std::cell::{Cell, RefCell};
use std::io::Write;
use std::ops::AddAssign;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use serde_json::{Map, Value, json};
use sim_core::pipeline::{self, StageName};
use sim_core::{BatchSim, Data, Hooks, Kit, Model, Mujoco, Parts, StateBits, StepError, StepStatus};
use sim_types::EnableFlags;

use super::collision;
use crate::args::BenchArgs;
use crate::load::load;
use crate::text::{BOLD, DIM, GOOD, bytes, grouped, number, seconds};

/// Steps before the clock starts.
const WARM_UP: u64 = 100;

pub(crate) fn run(args: &BenchArgs) -> Result<()> {
    if let Some(state) = &args.collision {
        return collision::run(&args.model, state, args.json);
    }
    let limit = Limit::new(args)?;
    if !args.ctrl.is_finite() {
        bail!("--ctrl must be a finite number, is {}", args.ctrl);
    }
    if args.stages && args.envs > 1 {
        bail!("--stages times one environment: leave out --envs");
    }
    let loaded = load(&args.model)?;
    let m = Arc::new(loaded.model);
    let mut d = m.make_data();
    if m.nkey > 0 {
        d.reset_to_keyframe(&m, 0)?;
    }
    set_controls(&m, &mut d, args.ctrl);
    let result = if args.envs > 1 {
        batch(&m, &d, args, limit)?
    } else if args.stages {
        let mut parts = Kit { hooks: Timers::default(), ..Kit::default() };
        let mut result = single(&m, &mut d, &mut parts, limit)?;
        result.stages = Some(parts.hooks.taken());
        result
    } else {
        single(&m, &mut d, &mut Mujoco::default(), limit)?
    };
    let report = Report { result, args, nv: m.nv, load: loaded.time.as_secs_f64() };
    if args.json { report.print_json() } else { report.print() }
}

/// When to stop.
#[derive(Clone, Copy)]
enum Limit {
    Steps(u64),
    Time(Duration),
}

impl Limit {
    fn new(args: &BenchArgs) -> Result<Self> {
        if let Some(steps) = args.steps {
            return Ok(Self::Steps(steps));
        }
        let seconds = args.seconds.unwrap_or(1.0);
        match Duration::try_from_secs_f64(seconds) {
            Ok(time) if seconds > 0.0 => Ok(Self::Time(time)),
            _ => bail!("--seconds must be a positive number, is {seconds}"),
        }
    }

    /// The next steps to take before looking at the clock again; zero when done.
    fn next(self, taken: u64, elapsed: Duration) -> u64 {
        match self {
            Self::Steps(n) => n.saturating_sub(taken).min(1000),
            Self::Time(limit) if elapsed >= limit => 0,
            // about a millisecond's worth
            Self::Time(_) => {
                let rate = taken as f64 / elapsed.as_secs_f64().max(1e-6);
                ((rate / 1000.0) as u64).clamp(1, 1000)
            }
        }
    }
}

struct Timing {
    /// Steps of each environment.
    steps: u64,
    seconds: f64,
    /// Simulated time at the end.
    time: f64,
    bytes_per_env: usize,
    /// Contacts and rows per environment, summed over the steps.
    work: Work,
    stages: Option<Vec<(&'static str, f64)>>,
}

/// How much there was to compute.
#[derive(Clone, Copy, Default)]
struct Work {
    contacts: u64,
    rows: u64,
}

impl Work {
    fn of(d: &Data) -> Self {
        Self { contacts: d.ncon() as u64, rows: d.efc.nefc as u64 }
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.contacts += other.contacts;
        self.rows += other.rows;
    }
}

fn set_controls(m: &Model, d: &mut Data, value: f64) {
    for (i, ctrl) in d.ctrl.iter_mut().enumerate() {
        let [lo, hi] = m.actuator_ctrlrange[i];
        *ctrl = if m.actuator_ctrllimited[i] { value.max(lo).min(hi) } else { value };
    }
}

fn single<P: Timed>(m: &Model, d: &mut Data, parts: &mut P, limit: Limit) -> Result<Timing> {
    let mut step = |parts: &mut P| match pipeline::step(m, d, parts) {
        Ok(()) => Ok(Work::of(d)),
        Err(e) => Err(step_failed(&e)),
    };
    for _ in 0..WARM_UP {
        step(parts)?;
    }
    parts.restart();
    let mut work = Work::default();
    let (mut steps, start) = (0, Instant::now());
    loop {
        let n = limit.next(steps, start.elapsed());
        if n == 0 {
            break;
        }
        for _ in 0..n {
            work += step(parts)?;
            parts.step_done();
        }
        steps += n;
    }
    let seconds = start.elapsed().as_secs_f64();
    Ok(Timing { steps, seconds, time: d.time, bytes_per_env: d.bytes(), work, stages: None })
}

fn batch(m: &Arc<Model>, first: &Data, args: &BenchArgs, limit: Limit) -> Result<Timing> {
    let n = args.envs as usize;
    let mut sim = BatchSim::builder(Arc::clone(m)).envs(n).threads(args.threads as usize).build()?;
    // all environments do the same, so most of the warm-up is done once; but sleepers are more than their state
    let together = if m.opt.enabled(EnableFlags::SLEEP) { WARM_UP } else { WARM_UP / 10 };
    let mut d = first.clone();
    for _ in together..WARM_UP {
        d.step(m).map_err(|e| step_failed(&e))?;
    }
    let mut start = vec![0.0; m.state_size(StateBits::INTEGRATION)];
    d.get_state(m, StateBits::INTEGRATION, &mut start)?;
    sim.set_state(StateBits::INTEGRATION, &start.repeat(n))?;
    let mut rows = vec![0.0; n * sim.row_size(StateBits::FULLPHYSICS)];
    let mut status = vec![StepStatus::Ok; n];
    let mut step = |sim: &mut BatchSim| -> Result<Work> {
        sim.step_into(StateBits::FULLPHYSICS, &mut rows, &mut status).map_err(|e| step_failed(&e))?;
        if let Some(env) = status.iter().position(|s| s.is_failed()) {
            bail!(
                "environment {env}: {}",
                sim.error(env).map_or_else(|| status[env].to_string(), StepError::to_string)
            );
        }
        let (contacts, rows) = sim.counts();
        Ok(Work { contacts: contacts as u64, rows: rows as u64 })
    };
    for _ in 0..together {
        step(&mut sim)?;
    }
    let mut work = Work::default();
    let (mut steps, start) = (0, Instant::now());
    loop {
        let n = limit.next(steps, start.elapsed());
        if n == 0 {
            break;
        }
        for _ in 0..n {
            work += step(&mut sim)?;
        }
        steps += n;
    }
    let seconds = start.elapsed().as_secs_f64();
    let time = sim.env(0).map_or(0.0, |env| env.time);
    Ok(Timing { steps, seconds, time, bytes_per_env: sim.bytes() / n, work, stages: None })
}

fn step_failed(e: &StepError) -> anyhow::Error {
    anyhow!("the model cannot be stepped: {e}")
}

/// Parts that may watch the clock.
trait Timed: Parts {
    fn restart(&mut self) {}
    fn step_done(&mut self) {}
}

impl Timed for Mujoco {}

impl Timed for Kit<Timers> {
    fn restart(&mut self) {
        self.hooks = Timers::default();
    }
    fn step_done(&mut self) {
        self.hooks.switch(None);
    }
}

/// Time spent in each stage, in the order in which they first began. A stage lasts until the next one begins.
#[derive(Default)]
struct Timers {
    running: Cell<Option<(StageName, Instant)>>,
    taken: RefCell<Vec<(StageName, Duration)>>,
}

impl Timers {
    fn switch(&self, next: Option<StageName>) {
        let now = Instant::now();
        let Some((stage, since)) = self.running.replace(next.map(|stage| (stage, now))) else { return };
        let mut taken = self.taken.borrow_mut();
        match taken.iter_mut().find(|(s, _)| *s == stage) {
            Some((_, time)) => *time += now - since,
            None => taken.push((stage, now - since)),
        }
    }

    fn taken(&self) -> Vec<(&'static str, f64)> {
        self.taken.borrow().iter().map(|(stage, time)| (stage.as_str(), time.as_secs_f64())).collect()
    }
}

impl Hooks for Timers {
    fn stage(&self, stage: StageName) {
        self.switch(Some(stage));
    }
}

struct Report<'a> {
    result: Timing,
    args: &'a BenchArgs,
    nv: usize,
    load: f64,
}

impl Report<'_> {
    fn steps_per_second(&self) -> f64 {
        self.result.steps as f64 * f64::from(self.args.envs) / self.result.seconds.max(1e-12)
    }

    /// A sum over environments and steps as the mean of one step of one environment.
    fn mean(&self, sum: u64) -> f64 {
        sum as f64 / (self.result.steps.max(1) as f64 * f64::from(self.args.envs))
    }

    fn print_json(&self) -> Result<()> {
        let r = &self.result;
        let mut all = json!({
            "steps": r.steps,
            "seconds": r.seconds,
            "steps_per_second": self.steps_per_second(),
            "envs": self.args.envs,
            "threads": self.args.threads,
            "nv": self.nv,
            "mean_ncon": self.mean(r.work.contacts),
            "mean_nefc": self.mean(r.work.rows),
            "bytes_per_env": r.bytes_per_env,
            "load_seconds": self.load,
            "time": r.time,
        });
        if let (Some(stages), Some(map)) = (&r.stages, all.as_object_mut()) {
            let stages: Map<String, Value> = stages.iter().map(|(name, t)| ((*name).to_owned(), json!(t))).collect();
            map.insert("stages".to_owned(), Value::Object(stages));
        }
        writeln!(anstream::stdout(), "{all}")?;
        Ok(())
    }

    fn print(&self) -> Result<()> {
        let (r, args) = (&self.result, self.args);
        let mut out = anstream::stdout().lock();
        let rate = self.steps_per_second();
        writeln!(out, "{GOOD}{BOLD}{}{BOLD:#}{GOOD:#} steps per second", grouped(rate.round() as u64))?;
        let per_step = r.seconds / (r.steps as f64 * f64::from(args.envs)).max(1.0);
        let mut rows = vec![
            ("steps", grouped(r.steps)),
            ("wall clock", seconds(r.seconds)),
            ("per step", seconds(per_step)),
            ("dofs", self.nv.to_string()),
            ("contacts", format!("{:.1}", self.mean(r.work.contacts))),
            ("constraint rows", format!("{:.1}", self.mean(r.work.rows))),
            ("memory per state", bytes(r.bytes_per_env)),
            ("loading", seconds(self.load)),
            ("simulated time", format!("{} s", number(r.time))),
        ];
        if args.envs > 1 {
            rows.insert(0, ("environments", format!("{} on {} threads", grouped(args.envs.into()), args.threads)));
        }
        for (name, value) in rows {
            writeln!(out, "  {DIM}{name:<18}{DIM:#}{value}")?;
        }
        if let Some(stages) = &r.stages {
            let all: f64 = stages.iter().map(|(_, t)| t).sum();
            writeln!(out, "\n{BOLD}{:<20}{:>12}{:>9}{BOLD:#}", "stage", "per step", "share")?;
            for (name, t) in stages {
                let share = 100.0 * t / all.max(1e-12);
                let bar = "█".repeat((share / 4.0).round() as usize);
                writeln!(
                    out,
                    "  {name:<18}{:>12}{share:>7.1} %  {DIM}{bar}{DIM:#}",
                    seconds(t / r.steps.max(1) as f64)
                )?;
            }
        }
        Ok(())
    }
}
