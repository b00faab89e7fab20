//! Many environments of one task, stepped together.

use std::sync::Arc;

use sim_core::{BatchSim, Model, StepError};

use crate::env::{Done, Env};
use crate::error::EnvError;
use crate::rng::Rng;
use crate::slot::{Episode, Slot};
use crate::space::Space;

/// How many environments there are, their seed, and the threads they run on.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Number of environments.
    pub envs: usize,
    /// Random numbers of an environment depend on this and on its index.
    pub seed: u64,
    /// Threads; 0 or 1 means the calling thread. Without the feature `parallel` there is only that one.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { envs: 1, seed: 0, threads: 1 }
    }
}

/// Environments of one task, with one row of numbers each in buffers that lie together in memory.
///
/// An environment whose episode ends is reset within the same step, as gymnasium's `AutoresetMode.SAME_STEP` does:
/// [`observations`](Self::observations) then holds the first observation of the next episode,
/// [`last_observations`](Self::last_observations) the last one of the episode that ended.
///
/// Results are the same bits for any number of threads. A step allocates nothing once warm.
pub struct VecEnv {
    env: Box<dyn Env>,
    sim: BatchSim,
    slots: Vec<Slot>,
    observation_space: Space,
    action_space: Space,
    observations: Vec<f64>,
    last_observations: Vec<f64>,
    rewards: Vec<f64>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    episodes: Vec<Option<Episode>>,
}

impl VecEnv {
    /// Environments of `env` over `model`, each at the start of an episode.
    pub fn new(env: impl Env + 'static, model: Arc<Model>, settings: &Settings) -> Result<Self, EnvError> {
        Self::from_box(Box::new(env), model, settings)
    }

    /// As [`new`](Self::new), for a task that is chosen while the program runs.
    pub fn from_box(env: Box<dyn Env>, model: Arc<Model>, settings: &Settings) -> Result<Self, EnvError> {
        let n = settings.envs;
        if n == 0 {
            return Err(EnvError::Setting { what: "the number of environments", wanted: "at least 1", got: n });
        }
        if env.frame_skip() == 0 {
            return Err(EnvError::Setting { what: "frame_skip", wanted: "at least 1", got: 0 });
        }
        check(&*env, &model)?;
        let (observation_space, action_space) = (env.observation_space(&model), env.action_space(&model));
        let (nobs, nact) = (observation_space.size(), action_space.size());
        // a model that cannot be stepped is refused here, not in every step
        let refused = |error| EnvError::Step { task: env.name().to_owned(), error };
        model.make_data().forward(&model).map_err(refused)?;
        let slots = (0..n).map(|i| Slot::new(nobs, nact, Rng::new(settings.seed, i as u64))).collect();
        let mut all = Self {
            sim: BatchSim::builder(model).envs(n).threads(settings.threads).build()?,
            env,
            slots,
            observation_space,
            action_space,
            observations: vec![0.0; n * nobs],
            last_observations: vec![0.0; n * nobs],
            rewards: vec![0.0; n],
            terminated: vec![false; n],
            truncated: vec![false; n],
            episodes: vec![None; n],
        };
        all.reset()?;
        Ok(all)
    }

    /// Starts a new episode everywhere. Random numbers go on from where they are.
    pub fn reset(&mut self) -> Result<(), EnvError> {
        let env = &*self.env;
        self.sim.visit(&mut self.slots, |_, slot, m, d| {
            slot.reset(env, m, d);
            (slot.reward, slot.done, slot.finished) = (0.0, Done::No, None);
        })?;
        self.collect();
        Ok(())
    }

    /// As [`reset`](Self::reset), with the random numbers of another seed.
    pub fn reset_seed(&mut self, seed: u64) -> Result<(), EnvError> {
        for (i, slot) in self.slots.iter_mut().enumerate() {
            slot.rng = Rng::new(seed, i as u64);
        }
        self.reset()
    }

    /// Takes one action in every environment. `actions` has one row per environment.
    pub fn step(&mut self, actions: &[f64]) -> Result<(), EnvError> {
        let row = self.action_space.size();
        if actions.len() != row * self.len() {
            return Err(EnvError::Length { what: "actions", got: actions.len(), want: row * self.len() });
        }
        let env = &*self.env;
        self.sim.visit(&mut self.slots, |i, slot, m, d| {
            slot.action.copy_from_slice(&actions[i * row..(i + 1) * row]);
            slot.step(env, m, d);
        })?;
        self.collect();
        Ok(())
    }

    /// Runs every environment to the end of its episode. `policy` reads an observation and writes an action; it has
    /// one `P` per environment to itself and runs on the threads of the environments.
    ///
    /// Afterwards every entry of [`episodes`](Self::episodes) is filled. Faster than [`step`](Self::step) by step: no
    /// environment waits for another.
    pub fn run_episodes<P: Send>(
        &mut self,
        per_env: &mut [P],
        policy: impl Fn(usize, &mut P, &[f64], &mut [f64]) + Sync,
    ) -> Result<(), EnvError> {
        if per_env.len() != self.len() {
            return Err(EnvError::Length { what: "per_env", got: per_env.len(), want: self.len() });
        }
        let env = &*self.env;
        let mut both: Vec<(&mut Slot, &mut P)> = self.slots.iter_mut().zip(per_env).collect();
        self.sim.visit(&mut both, |i, (slot, own), m, d| {
            slot.finished = None;
            while slot.finished.is_none() {
                policy(i, own, &slot.observation, &mut slot.action);
                slot.step(env, m, d);
            }
        })?;
        self.collect();
        Ok(())
    }

    /// Gives an environment a model of its own, of the same sizes: other masses, friction, gains, … Its state stays.
    pub fn set_model(&mut self, env: usize, model: Arc<Model>) -> Result<(), EnvError> {
        check(&*self.env, &model)?;
        Ok(self.sim.set_model(env, model)?)
    }

    /// Copies what the environments hold into the buffers.
    fn collect(&mut self) {
        let row = self.observation_space.size();
        for (i, slot) in self.slots.iter().enumerate() {
            self.observations[i * row..(i + 1) * row].copy_from_slice(&slot.observation);
            if slot.finished.is_some() {
                self.last_observations[i * row..(i + 1) * row].copy_from_slice(&slot.last_observation);
            }
            self.rewards[i] = slot.reward;
            self.terminated[i] = slot.done == Done::Terminated;
            self.truncated[i] = slot.done == Done::Truncated;
            self.episodes[i] = slot.finished;
        }
    }

    /// Number of environments.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// False: there is at least one environment.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The task.
    pub fn env(&self) -> &dyn Env {
        &*self.env
    }

    /// The simulations: models, states, sensor data.
    pub fn sim(&self) -> &BatchSim {
        &self.sim
    }

    /// Numbers of one observation and their ranges.
    pub fn observation_space(&self) -> &Space {
        &self.observation_space
    }

    /// Numbers of one action and their ranges.
    pub fn action_space(&self) -> &Space {
        &self.action_space
    }

    /// What is observed now, one row per environment.
    pub fn observations(&self) -> &[f64] {
        &self.observations
    }

    /// One row per environment: where the last step ended an episode, what was observed at its end. Other rows are old.
    pub fn last_observations(&self) -> &[f64] {
        &self.last_observations
    }

    /// Rewards of the last step.
    pub fn rewards(&self) -> &[f64] {
        &self.rewards
    }

    /// Where the last step ended an episode because the task had ended.
    pub fn terminated(&self) -> &[bool] {
        &self.terminated
    }

    /// Where the last step ended an episode because of a limit.
    pub fn truncated(&self) -> &[bool] {
        &self.truncated
    }

    /// Episodes that the last step finished: their returns and lengths.
    pub fn episodes(&self) -> &[Option<Episode>] {
        &self.episodes
    }

    /// How often the simulation of any environment broke down. Such an episode ends there, with reward 0, terminated.
    pub fn faults(&self) -> usize {
        self.slots.iter().map(|slot| slot.faults).sum()
    }

    /// Why the simulation of an environment last broke down; `None` if it never did.
    pub fn fault(&self, env: usize) -> Option<&StepError> {
        self.slots.get(env)?.fault.as_ref()
    }
}

fn check(env: &dyn Env, m: &Model) -> Result<(), EnvError> {
    env.check(m).map_err(|what| EnvError::Missing { task: env.name().to_owned(), what })
}
