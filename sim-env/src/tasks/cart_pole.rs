//! A cart on a rail swings a pole up and keeps it there.

use std::f64::consts::PI;
use std::sync::Arc;

use sim_core::{Data, Model};
use sim_types::math;

use crate::env::Env;
use crate::error::EnvError;
use crate::rng::Rng;
use crate::space::Space;

/// The pole hangs at first; each action earns most with the pole upright and still, the cart in the middle of its rail.
///
/// Observed: place of the cart, cosine and sine of the pole's angle from upright, the two velocities; and all of these
/// but the cosine again, times a weight that is 1 at the top and fades below, so that a linear policy can do one thing
/// to swing and another to balance. One action: the push, from −1 to 1. Fifty actions per second; a reward is between
/// 0 and 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CartPole {
    /// Actions per episode.
    pub max_steps: usize,
}

impl Default for CartPole {
    fn default() -> Self {
        Self { max_steps: 500 }
    }
}

impl CartPole {
    /// The model of this task.
    pub fn model() -> Result<Arc<Model>, EnvError> {
        Ok(Arc::new(sim_mjcf::load_model(include_str!("cart_pole.xml"))?))
    }
}

impl Env for CartPole {
    fn name(&self) -> &'static str {
        "cart-pole swing-up"
    }

    fn check(&self, m: &Model) -> Result<(), String> {
        super::sizes(m, (2, 2, 1))
    }

    fn observation_space(&self, _: &Model) -> Space {
        Space::unbounded(9)
    }

    fn frame_skip(&self) -> usize {
        2
    }

    fn max_steps(&self) -> usize {
        self.max_steps
    }

    fn forward_before_observing(&self) -> bool {
        false
    }

    fn reset(&self, _: &Model, d: &mut Data, rng: &mut Rng) {
        d.qpos[0] = rng.uniform(-0.1, 0.1);
        d.qpos[1] = PI + rng.uniform(-0.1, 0.1);
        for v in &mut d.qvel {
            *v = rng.uniform(-0.05, 0.05);
        }
    }

    fn observe(&self, _: &Model, d: &Data, out: &mut [f64]) {
        let (sin, cos) = math::sincos(d.qpos[1]);
        let [x, v, w] = [d.qpos[0], d.qvel[0], d.qvel[1]];
        let square = upright(d.qpos[1]) * upright(d.qpos[1]);
        let top = square * square * square;
        out.copy_from_slice(&[x, cos, sin, v, w, top * x, top * sin, top * v, top * w]);
    }

    fn reward(&self, _: &Model, d: &Data) -> f64 {
        let upright = upright(d.qpos[1]);
        let balanced = near(1.0 - upright, 0.05) * near(d.qvel[1], 2.0);
        (0.2 * upright + 0.8 * balanced) * (0.5 + 0.5 * near(d.qpos[0], 1.0))
    }
}

/// From 0 for the pole that hangs to 1 for the pole that stands.
fn upright(angle: f64) -> f64 {
    0.5 * (1.0 + math::cos(angle))
}

/// 1 at zero, a half at `scale`, and less beyond.
fn near(x: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (x / scale) * (x / scale))
}
