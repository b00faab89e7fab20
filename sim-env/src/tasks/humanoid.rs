//! A humanoid runs forwards.

use std::sync::Arc;

use sim_core::{Data, Model};
use sim_types::Quat;
use sim_types::math::{self, Vec3};

use crate::env::{Done, Env};
use crate::error::EnvError;
use crate::rng::Rng;
use crate::space::Space;

/// Joints, each with a control.
const JOINTS: usize = 16;
/// Controls of the right and the left side that belong together.
const PAIRS: [(usize, usize); 7] = [(2, 7), (3, 8), (4, 9), (5, 10), (6, 11), (12, 14), (13, 15)];

/// The humanoid earns its forward velocity and a little for being on its feet; a fall ends the episode.
///
/// Observed: height of the torso, which way is up and how the torso moves and turns, in its own frame; sine and cosine
/// of a clock, without which a linear policy could not repeat a stride; angles and velocities of the joints. Actions, 16
/// from −1 to 1, move the angles that the joints are held at away from those of standing: two for the waist, then two
/// for each pair of joints, the first for both sides alike, the second for one against the other, which is what legs do
/// in a stride. Fifty actions per second.
#[derive(Clone, Debug, PartialEq)]
pub struct HumanoidRun {
    /// Actions per episode.
    pub max_steps: usize,
    /// Velocity beyond which nothing more is earned, in metres per second.
    pub speed: f64,
    /// Reward per action for being on its feet.
    pub alive: f64,
    /// Seconds of one stride: the period of the clock.
    pub stride: f64,
    /// How far an action of 1 moves the angles, in radians.
    pub reach: f64,
    /// Whether angles and velocities of the joints are observed.
    pub joints: bool,
}

impl Default for HumanoidRun {
    fn default() -> Self {
        Self { max_steps: 500, speed: 2.0, alive: 0.5, stride: 0.8, reach: 0.6, joints: true }
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

    fn check(&self, m: &Model) -> Result<(), String> {
        super::sizes(m, (7 + JOINTS, 6 + JOINTS, JOINTS))?;
        if m.nkey == 0 { Err("a keyframe to start from".to_owned()) } else { Ok(()) }
    }

    fn observation_space(&self, m: &Model) -> Space {
        let joints = if self.joints { m.nq - 7 + m.nv - 6 } else { 0 };
        Space::unbounded(12 + joints)
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
        // `check` has seen the keyframe
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
        let torso = torso(d).conj();
        let up = torso.rotate(&Vec3::z());
        let velocity = torso.rotate(&Vec3::new(d.qvel[0], d.qvel[1], d.qvel[2]));
        let (sin, cos) = math::sincos(std::f64::consts::TAU * d.time / self.stride);
        let own = [[d.qpos[2], sin, cos], up.into(), velocity.into(), [d.qvel[3], d.qvel[4], d.qvel[5]]];
        // joints come last and find no place when they are not wanted
        let numbers = own.as_flattened().iter().chain(&d.qpos[7..]).chain(&d.qvel[6..]);
        for (out, x) in out.iter_mut().zip(numbers) {
            *out = *x;
        }
    }

    fn reward(&self, _: &Model, d: &Data) -> f64 {
        self.alive + d.qvel[0].min(self.speed)
    }

    fn done(&self, _: &Model, d: &Data) -> Done {
        let upright = torso(d).rotate(&Vec3::z()).z;
        if d.qpos[2] < 0.9 || upright < 0.7 { Done::Terminated } else { Done::No }
    }
}

/// Orientation of the torso.
fn torso(d: &Data) -> Quat {
    Quat::new(d.qpos[3], d.qpos[4], d.qpos[5], d.qpos[6]).normalized()
}
