//! A task: what is observed, what is rewarded, where an episode starts and ends.

use sim_core::{Data, Model};

use crate::rng::Rng;
use crate::space::Space;

/// Whether an episode goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// It goes on.
    No,
    /// The task has ended: won, or lost beyond repair. There is no future reward.
    Terminated,
    /// The episode is cut off for a reason that the task does not know, such as the edge of the world. There would be
    /// future reward.
    Truncated,
}

/// A task over a model.
///
/// An `Env` is a description and holds no state: the state is a [`Data`], and everything an episode changes belongs
/// there (`userdata` is free for the task). One `Env` therefore serves thousands of environments on many threads.
/// The trait is object-safe.
///
/// What the methods see: `qpos`, `qvel`, `act`, `ctrl`, `time`, `userdata` and the other parts of the state are always
/// those of now. Arrays that follow from them (`xpos`, `sensordata`, `cfrc_ext`, …) are brought up to date before
/// [`observe`](Env::observe), [`reward`](Env::reward) and [`done`](Env::done), unless
/// [`forward_before_observing`](Env::forward_before_observing) says no. Arrays that neither a step nor a forward pass
/// fills have no meaning: environments share the memory they lie in.
pub trait Env: Send + Sync {
    /// Name of the task, for people.
    fn name(&self) -> &str;

    /// Whether the task can run on this model; otherwise what the model would have to have.
    fn check(&self, m: &Model) -> Result<(), String> {
        let _ = m;
        Ok(())
    }

    /// Numbers of an observation and their ranges.
    fn observation_space(&self, m: &Model) -> Space;

    /// Numbers of an action and their ranges: the controls of the model.
    fn action_space(&self, m: &Model) -> Space {
        Space::controls(m)
    }

    /// Steps of the simulation per action.
    fn frame_skip(&self) -> usize {
        1
    }

    /// Actions after which an episode is truncated.
    fn max_steps(&self) -> usize {
        1000
    }

    /// Whether arrays that follow from the state are computed before the task looks at them. Without this a task must
    /// use the state only; it saves one evaluation of the dynamics per action.
    fn forward_before_observing(&self) -> bool {
        true
    }

    /// Starts an episode. `d` is at the reference pose; random numbers come from `rng` alone.
    fn reset(&self, m: &Model, d: &mut Data, rng: &mut Rng);

    /// Turns an action into controls: copies it, unless a task does otherwise.
    fn act(&self, m: &Model, d: &mut Data, action: &[f64]) {
        let _ = m;
        for (ctrl, a) in d.ctrl.iter_mut().zip(action) {
            *ctrl = *a;
        }
    }

    /// Writes the observation; `out` has as many numbers as [`observation_space`](Env::observation_space) says.
    fn observe(&self, m: &Model, d: &Data, out: &mut [f64]);

    /// The reward for what the last action led to.
    fn reward(&self, m: &Model, d: &Data) -> f64;

    /// Whether the episode has ended. [`max_steps`](Env::max_steps) need not be looked at here.
    fn done(&self, m: &Model, d: &Data) -> Done {
        let _ = (m, d);
        Done::No
    }
}
