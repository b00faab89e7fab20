//! One environment: its episode, its random numbers, and what the last step led to.

use sim_core::{Data, Model, StepError};

use crate::env::{Done, Env};
use crate::rng::Rng;

/// A finished episode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Episode {
    /// Sum of its rewards.
    pub total: f64,
    /// Actions taken.
    pub steps: usize,
    /// Whether it ended by itself, and not by a limit of time or place.
    pub terminated: bool,
}

/// What belongs to one environment beside its simulation.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) rng: Rng,
    pub(crate) steps: usize,
    pub(crate) total: f64,
    pub(crate) action: Vec<f64>,
    pub(crate) observation: Vec<f64>,
    pub(crate) last_observation: Vec<f64>,
    pub(crate) reward: f64,
    pub(crate) done: Done,
    /// The episode that the last step finished.
    pub(crate) finished: Option<Episode>,
    /// How often the simulation broke down.
    pub(crate) faults: usize,
    /// Why, the last time.
    pub(crate) fault: Option<StepError>,
}

impl Slot {
    pub(crate) fn new(observation: usize, action: usize, rng: Rng) -> Self {
        Self {
            rng,
            steps: 0,
            total: 0.0,
            action: vec![0.0; action],
            observation: vec![0.0; observation],
            last_observation: vec![0.0; observation],
            reward: 0.0,
            done: Done::No,
            finished: None,
            faults: 0,
            fault: None,
        }
    }

    /// Starts an episode and observes it.
    pub(crate) fn reset(&mut self, env: &dyn Env, m: &Model, d: &mut Data) {
        d.reset(m);
        env.reset(m, d, &mut self.rng);
        self.steps = 0;
        self.total = 0.0;
        // a start that cannot be evaluated breaks down in the first step, where it is seen
        let _ = prepare(env, m, d);
        env.observe(m, d, &mut self.observation);
    }

    /// Takes the action, and starts the next episode if it ended this one.
    pub(crate) fn step(&mut self, env: &dyn Env, m: &Model, d: &mut Data) {
        env.act(m, d, &self.action);
        self.steps += 1;
        match advance(env, m, d).and_then(|()| prepare(env, m, d)) {
            Ok(()) => {
                env.observe(m, d, &mut self.observation);
                self.reward = env.reward(m, d);
                self.done = env.done(m, d);
                if self.done == Done::No && self.steps >= env.max_steps() {
                    self.done = Done::Truncated;
                }
            }
            // the observation stays: it is the last that means something
            Err(e) => {
                self.faults += 1;
                self.fault = Some(e);
                self.reward = 0.0;
                self.done = Done::Terminated;
            }
        }
        self.total += self.reward;
        self.finished = None;
        if self.done != Done::No {
            let terminated = self.done == Done::Terminated;
            self.finished = Some(Episode { total: self.total, steps: self.steps, terminated });
            self.last_observation.copy_from_slice(&self.observation);
            self.reset(env, m, d);
        }
    }
}

/// Everything that follows from the state, if the task looks at it.
fn prepare(env: &dyn Env, m: &Model, d: &mut Data) -> Result<(), StepError> {
    if env.forward_before_observing() { d.forward(m) } else { Ok(()) }
}

/// The steps of the simulation that belong to one action. A state that the engine had to reset is an error here: the
/// episode it belonged to is over.
fn advance(env: &dyn Env, m: &Model, d: &mut Data) -> Result<(), StepError> {
    for _ in 0..env.frame_skip() {
        d.step(m)?;
        if let Some(bad) = d.restart {
            return Err(StepError::BadState { what: bad.what, index: bad.index, value: f64::NAN });
        }
    }
    Ok(())
}
