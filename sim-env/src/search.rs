//! Augmented random search: a linear policy, moved along random directions that paid off.
//!
//! After Mania, Guy and Recht, "Simple random search provides a competitive approach to reinforcement learning" (2018),
//! variant V2-t: observations are normalised by what was seen so far, and only the best directions count.

use std::sync::Arc;

use sim_core::Model;
use sim_types::math;

use crate::env::Env;
use crate::error::EnvError;
use crate::policy::{LinearPolicy, Moments};
use crate::rng::Rng;
use crate::vec_env::{Settings, VecEnv};

/// How to search.
#[derive(Clone, Debug)]
pub struct SearchSettings {
    /// Directions tried per iteration, each forth and back: two episodes.
    pub directions: usize,
    /// The best of them, which move the policy.
    pub best: usize,
    /// Length of a step of the search.
    pub step: f64,
    /// Size of the perturbation of the policy's weights.
    pub noise: f64,
    /// Observed numbers are divided by their deviation, but by no less than this: what hardly moves in the first
    /// episodes would otherwise be blown up to noise.
    pub least_deviation: f64,
    /// Episodes per iteration with the policy as it is, to see how good it is.
    pub trials: usize,
    /// Seed of everything random.
    pub seed: u64,
    /// Threads; see [`Settings::threads`].
    pub threads: usize,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self { directions: 16, best: 8, step: 0.02, noise: 0.03, least_deviation: 0.01, trials: 4, seed: 0, threads: 1 }
    }
}

/// How the policy fared in the trials of one iteration, before it was improved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Number of the iteration, from 0.
    pub iteration: usize,
    /// Mean return of the trials.
    pub mean: f64,
    /// Lowest return.
    pub low: f64,
    /// Highest return.
    pub high: f64,
    /// Mean number of actions in a trial.
    pub steps: f64,
}

/// A search under way.
pub struct Search {
    settings: SearchSettings,
    envs: VecEnv,
    policy: LinearPolicy,
    best: (LinearPolicy, f64),
    seen: Moments,
    rng: Rng,
    iteration: usize,
    directions: Vec<Vec<f64>>,
    actors: Vec<Actor>,
}

/// The policy of one environment, and what it has seen.
struct Actor {
    policy: LinearPolicy,
    seen: Moments,
}

impl Search {
    /// A search that begins with the policy that does nothing.
    pub fn new(env: impl Env + 'static, model: Arc<Model>, settings: SearchSettings) -> Result<Self, EnvError> {
        let (n, best) = (settings.directions, settings.best);
        if n == 0 {
            return Err(EnvError::Setting { what: "directions", wanted: "at least 1", got: n });
        }
        if best == 0 || best > n {
            return Err(EnvError::Setting {
                what: "best",
                wanted: "between 1 and the number of directions",
                got: best,
            });
        }
        if settings.trials == 0 {
            return Err(EnvError::Setting { what: "trials", wanted: "at least 1", got: 0 });
        }
        let envs = 2 * n + settings.trials;
        let envs = VecEnv::new(env, model, &Settings { envs, seed: settings.seed, threads: settings.threads })?;
        let policy = LinearPolicy::zero(envs.observation_space().size(), envs.action_space().clone());
        let seen = Moments::new(envs.observation_space().size());
        let actor = || Actor { policy: policy.clone(), seen: seen.clone() };
        Ok(Self {
            actors: (0..envs.len()).map(|_| actor()).collect(),
            directions: vec![vec![0.0; policy.weights.len()]; n],
            // a stream that no environment has
            rng: Rng::new(settings.seed, u64::MAX),
            iteration: 0,
            best: (policy.clone(), f64::NEG_INFINITY),
            seen,
            policy,
            envs,
            settings,
        })
    }

    /// How it searches.
    pub fn settings(&self) -> &SearchSettings {
        &self.settings
    }

    /// The policy so far.
    pub fn policy(&self) -> &LinearPolicy {
        &self.policy
    }

    /// The policy that fared best in its trials.
    pub fn best(&self) -> &LinearPolicy {
        &self.best.0
    }

    /// The environments.
    pub fn envs(&self) -> &VecEnv {
        &self.envs
    }

    /// Tries the policy and its neighbours, and improves it.
    pub fn iterate(&mut self) -> Result<Progress, EnvError> {
        self.perturb();
        self.envs.run_episodes(&mut self.actors, |_, actor, observation, action| {
            actor.seen.add(observation);
            actor.policy.act(observation, action);
        })?;
        // what was seen is merged in the order of the environments, whoever ran them
        for actor in &mut self.actors {
            self.seen.merge(&actor.seen);
            actor.seen.clear();
        }
        let progress = self.progress();
        if progress.mean > self.best.1 {
            self.best.0.clone_from(&self.policy);
            self.best.1 = progress.mean;
        }
        self.improve();
        self.policy.normalise(&self.seen, self.settings.least_deviation);
        self.iteration += 1;
        Ok(progress)
    }

    /// Gives the first environments the policy forth and back along each direction, the others the policy itself.
    fn perturb(&mut self) {
        for direction in &mut self.directions {
            direction.fill_with(|| self.rng.normal());
        }
        for (i, actor) in self.actors.iter_mut().enumerate() {
            actor.policy.clone_from(&self.policy);
            let Some(direction) = self.directions.get(i / 2) else { continue };
            let noise = if i % 2 == 0 { self.settings.noise } else { -self.settings.noise };
            for (weight, x) in actor.policy.weights.iter_mut().zip(direction) {
                *weight += noise * x;
            }
        }
    }

    /// Moves the policy along the best directions, each as far as it paid off.
    fn improve(&mut self) {
        let pairs: Vec<[f64; 2]> =
            (0..self.settings.directions).map(|k| [self.total(2 * k), self.total(2 * k + 1)]).collect();
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        let better = |k: &usize| pairs[*k][0].max(pairs[*k][1]);
        order.sort_by(|a, b| better(b).total_cmp(&better(a)).then(a.cmp(b)));
        order.truncate(self.settings.best);

        let used = || order.iter().flat_map(|&k| pairs[k]);
        let count = 2.0 * order.len() as f64;
        let mean = used().sum::<f64>() / count;
        let spread = math::sqrt(used().map(|r| (r - mean) * (r - mean)).sum::<f64>() / count);
        if !(spread > 0.0 && spread.is_finite()) {
            return;
        }
        let scale = self.settings.step / (order.len() as f64 * spread);
        for &k in &order {
            let gain = scale * (pairs[k][0] - pairs[k][1]);
            for (weight, x) in self.policy.weights.iter_mut().zip(&self.directions[k]) {
                *weight += gain * x;
            }
        }
    }

    fn total(&self, env: usize) -> f64 {
        self.envs.episodes()[env].map_or(0.0, |episode| episode.total)
    }

    fn progress(&self) -> Progress {
        let trials = self.envs.episodes()[2 * self.settings.directions..].iter().flatten();
        let count = self.settings.trials as f64;
        let totals = || trials.clone().map(|episode| episode.total);
        Progress {
            iteration: self.iteration,
            mean: totals().sum::<f64>() / count,
            low: totals().fold(f64::INFINITY, f64::min),
            high: totals().fold(f64::NEG_INFINITY, f64::max),
            steps: trials.clone().map(|episode| episode.steps as f64).sum::<f64>() / count,
        }
    }
}
