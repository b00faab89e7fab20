//! From velocities to positions at the end of the step, in tangents.

use sim_types::math::{cos, sin};
use sim_types::{JointType, Mat3, Vec3};

use crate::model::Model;

/// How the tangents of positions at the end of a step follow from those at its beginning and from the velocity.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    timestep: f64,
    turns: Vec<Turn>,
}

/// Three dofs of one rotation: `q⁺ = q·exp(h·ω)`.
#[derive(Clone, Copy, Debug)]
struct Turn {
    dof: usize,
    /// By the orientation before.
    before: Mat3,
    /// By `h·ω`.
    rate: Mat3,
}

impl Chain {
    /// Prepares for a step that starts at velocity `qvel` and applies the acceleration `qacc`.
    pub(super) fn prepare(&mut self, m: &Model, qvel: &[f64], qacc: &[f64]) {
        self.timestep = m.opt.timestep;
        self.turns.clear();
        for jnt in 0..m.njnt {
            let dof = m.jnt_dofadr[jnt] as usize
                + match m.jnt_type[jnt] {
                    JointType::Ball => 0,
                    JointType::Free => 3,
                    JointType::Slide | JointType::Hinge => continue,
                };
            let turn = Vec3::from_fn(|k, _| self.timestep * (qvel[dof + k] + self.timestep * qacc[dof + k]));
            let (before, rate) = exponential(&turn);
            self.turns.push(Turn { dof, before, rate });
        }
    }

    /// `pos = T·pos + h·Jᵣ·vel`, where `vel` is the change of the velocity at the end.
    pub(super) fn apply(&self, pos: &mut [f64], vel: &[f64]) {
        let mut turns = self.turns.iter().peekable();
        let mut dof = 0;
        while dof < pos.len() {
            if let Some(turn) = turns.next_if(|turn| turn.dof == dof) {
                let old = Vec3::new(pos[dof], pos[dof + 1], pos[dof + 2]);
                let rate = Vec3::new(vel[dof], vel[dof + 1], vel[dof + 2]) * self.timestep;
                let new = turn.before * old + turn.rate * rate;
                pos[dof..dof + 3].copy_from_slice(new.as_slice());
                dof += 3;
            } else {
                pos[dof] += self.timestep * vel[dof];
                dof += 1;
            }
        }
    }
}

/// `exp(−[x]×)`, and the derivative of `exp(x)` in its own tangent, `I − (1−cos t)/t²·[x]× + (t−sin t)/t³·[x]×²`.
fn exponential(x: &Vec3) -> (Mat3, Mat3) {
    let (cross, t) = (x.cross_matrix(), x.norm());
    let square = cross * cross;
    let (sine, cosine, third) = if t < 1e-3 {
        // three terms of each series
        let t2 = t * t;
        (
            1.0 - t2 / 6.0 * (1.0 - t2 / 20.0),
            0.5 - t2 / 24.0 * (1.0 - t2 / 30.0),
            1.0 / 6.0 - t2 / 120.0 * (1.0 - t2 / 42.0),
        )
    } else {
        (sin(t) / t, (1.0 - cos(t)) / (t * t), (t - sin(t)) / (t * t * t))
    };
    (Mat3::identity() - cross * sine + square * cosine, Mat3::identity() - cross * cosine + square * third)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_types::Quat;

    /// Both maps against differences of quaternions, at a large and a small rotation.
    #[test]
    fn tangents_are_those_of_quaternions() {
        for size in [1.0, 1e-4] {
            let turn = Vec3::new(0.5, -0.9, 0.3) * size;
            let (before, rate) = exponential(&turn);
            let start = Quat::new(0.5, 0.5, -0.5, 0.5);
            let end = start.integrate(&turn, 1.0);
            for k in 0..3 {
                let along = |h: f64| Vec3::from_fn(|i, _| if i == k { h } else { 0.0 });
                let moved = |h: f64| start.integrate(&along(h), 1.0).integrate(&turn, 1.0).rotation_from(end);
                let faster = |h: f64| start.integrate(&(turn + along(h)), 1.0).rotation_from(end);
                let by_before = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                let by_rate = (faster(1e-5) - faster(-1e-5)) / 2e-5;
                assert!((by_before - before.column(k)).norm() < 1e-9, "{size} {k}");
                assert!((by_rate - rate.column(k)).norm() < 1e-9, "{size} {k}");
            }
        }
    }
}
