//! A humanoid runs forwards.

use std::sync::Arc;

use sim_core::{Data, Model};
use sim_types::Quat;
use sim_types::math::{self, Vec3};

use crate::env::{Done, Env};
use crate::error::EnvError;
use crate::rng::Rng;
use crate::space::Space;

/// Controls of the right and the left side that belong together.
const PAIRS: [(usize, usize); 7] = [(2, 7), (3, 8), (4, 9), (5, 10), (6, 11), (12, 14), (13, 15)];

/// The humanoid earns its forward velocity and a little for being on its feet; a fall ends the episode.
#[derive(Clone, Debug, PartialEq)]
pub struct HumanoidRun {
    /// Actions per episode.
    pub max_steps: usize,
    /// Velocity beyond which nothing more is earned, in metres per second.
    pub speed: f64,
    /// Seconds of one stride: the observation has a clock of this period.
    pub stride: f64,
    /// How far
    pub reach: f64,
    /// Whether angles and velocities of the joints are observed.
    pub joints: bool,
    /// Reward per action for not having fallen.
    pub alive: f64,
}

impl Default for HumanoidRun {
    fn default() -> Self {
        Self { max_steps: 500, speed: 2.0, stride: 0.8, alive: 0.5, joints: true, reach: 0.6 }
    }
}

impl HumanoidRun {
    /// The model of this task.
    pub fn model() -> Result<Arc<Model>, EnvError> {
        Ok(Arc::new(sim_mjcf::load_model(include_str!("humanoid.xml"))?))
    }
}

impl Env for HumanoidRun {
    fn name(&self) -> &'static str {
        "humanoid run"
    }

    fn observation_space(&self, m: &Model) -> Space {
        // height, upright, velocities in the torso's frame, joints, clock
        Space::unbounded(12 + if self.joints { (m.nq - 7) + (m.nv - 6) } else { 0 })
    }

    fn action_space(&self, m: &Model) -> Space {
        Space::uniform(m.nu, -1.0, 1.0)
    }

    fn frame_skip(&self) -> usize {
        4
    }

    fn max_steps(&self) -> usize {
        self.max_steps
    }

    fn forward_before_observing(&self) -> bool {
        false
    }

    fn reset(&self, m: &Model, d: &mut Data, rng: &mut Rng) {
        let _ = d.reset_to_keyframe(m, 0);
        for q in &mut d.qpos[7..] {
            *q += rng.uniform(-0.02, 0.02);
        }
        for v in &mut d.qvel {
            *v += rng.uniform(-0.02, 0.02);
        }
    }

    fn act(&self, m: &Model, d: &mut Data, action: &[f64]) {
        d.ctrl.copy_from_slice(&m.key_ctrl[..m.nu]);
        let part = |k: usize| self.reach * action[k].clamp(-1.0, 1.0);
        d.ctrl[0] += part(0);
        d.ctrl[1] += part(1);
        for (k, (right, left)) in PAIRS.into_iter().enumerate() {
            let (same, opposite) = (part(2 + 2 * k), part(3 + 2 * k));
            d.ctrl[right] += same + opposite;
            d.ctrl[left] += same - opposite;
        }
    }

    fn observe(&self, _: &Model, d: &Data, out: &mut [f64]) {
        let turn = Quat::new(d.qpos[3], d.qpos[4], d.qpos[5], d.qpos[6]).normalized();
        let up = turn.conj().rotate(&Vec3::z());
        let velocity = turn.conj().rotate(&Vec3::new(d.qvel[0], d.qvel[1], d.qvel[2]));
        let (sin, cos) = math::sincos(std::f64::consts::TAU * d.time / self.stride);
        let own = [[d.qpos[2], up.x, up.y, up.z], [velocity.x, velocity.y, velocity.z, sin], [cos, d.qvel[3], d.qvel[4], d.qvel[5]]];
        let numbers = own.as_flattened().iter().chain(&d.qpos[7..]).chain(&d.qvel[6..]);
        for (out, x) in out.iter_mut().zip(numbers) {
            *out = *x;
        }
    }

    fn reward(&self, _: &Model, d: &Data) -> f64 {
        self.alive + d.qvel[0].min(self.speed)
    }

    fn done(&self, _: &Model, d: &Data) -> Done {
        let turn = Quat::new(d.qpos[3], d.qpos[4], d.qpos[5], d.qpos[6]);
        if d.qpos[2] < 0.9 || turn.rotate(&Vec3::z()).z < 0.7 { Done::Terminated } else { Done::No }
    }
}
