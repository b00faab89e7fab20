//! Tasks for reinforcement learning over simulated models.
//!
//! - [`Env`]: a task. What is observed, what is rewarded, where an episode starts and ends
//! - [`VecEnv`]: many environments of a task, stepped together on several threads, with contiguous buffers and automatic
//!   reset
//! - [`tasks`]: two ready-made tasks with their models
//! - [`search`]: a small trainer, to see that a task can be learnt before a large one is started
//!
//! A task of one's own is a struct with a few methods:
//!
//! ```
//! use sim_core::{Data, Model};
//! use sim_env::{Done, Env, Rng, Settings, Space, VecEnv};
//!
//! /// Hold a hanging arm level.
//! struct Lift;
//!
//! impl Env for Lift {
//!     fn name(&self) -> &str {
//!         "lift"
//!     }
//!     fn observation_space(&self, _: &Model) -> Space {
//!         Space::unbounded(2)
//!     }
//!     fn reset(&self, _: &Model, d: &mut Data, rng: &mut Rng) {
//!         d.qpos[0] = 1.5 + rng.uniform(-0.1, 0.1);
//!     }
//!     fn observe(&self, _: &Model, d: &Data, out: &mut [f64]) {
//!         out.copy_from_slice(&[d.qpos[0], d.qvel[0]]);
//!     }
//!     fn reward(&self, _: &Model, d: &Data) -> f64 {
//!         1.0 - d.qpos[0].abs()
//!     }
//!     fn done(&self, _: &Model, d: &Data) -> Done {
//!         if d.qvel[0].abs() > 50.0 { Done::Terminated } else { Done::No }
//!     }
//! }
//!
//! let model = sim_mjcf::load_model(
//!     "<mujoco>
//!        <worldbody>
//!          <body>
//!            <joint name='arm' axis='0 1 0' damping='0.1'/>
//!            <geom type='capsule' fromto='0 0 0  0.5 0 0' size='0.03' mass='1'/>
//!          </body>
//!        </worldbody>
//!        <actuator>
//!          <motor joint='arm' gear='10' ctrlrange='-1 1' ctrllimited='true'/>
//!        </actuator>
//!      </mujoco>",
//! )?;
//! let mut envs = VecEnv::new(Lift, model.into(), &Settings { envs: 8, seed: 1, threads: 2 })?;
//! let mut actions = [0.0; 8];
//! for _ in 0..1500 {
//!     for (action, seen) in actions.iter_mut().zip(envs.observations().chunks_exact(2)) {
//!         *action = -1.0 * seen[0] - 0.2 * seen[1] - 0.25;
//!     }
//!     envs.step(&actions)?;
//! }
//! // the first thousand steps were an episode; the arms are level again in the second
//! assert!(envs.rewards().iter().all(|reward| *reward > 0.95));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod env;
mod error;
mod policy;
mod rng;
pub mod search;
mod slot;
mod space;
pub mod tasks;
mod vec_env;

pub use env::{Done, Env};
pub use error::EnvError;
pub use policy::LinearPolicy;
pub use rng::Rng;
pub use slot::Episode;
pub use space::Space;
pub use vec_env::{Settings, VecEnv};
