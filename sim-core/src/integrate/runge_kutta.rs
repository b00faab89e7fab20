//! The classical fourth-order Runge–Kutta method.

use super::{Rates, add_scaled, finite, integrate_pos, move_state};
use crate::data::Data;
use crate::error::StepError;
use crate::model::Model;
use crate::pipeline::{Envs, Parts, Skip, stages_with};

/// Share of the last rate of change that leads to each of the later stages.
const A: [f64; 3] = [0.5, 0.5, 1.0];
/// Weights of the four rates.
const B: [f64; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];

/// Memory of the method; holds nothing between steps.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stages {
    time: f64,
    qpos: Vec<f64>,
    qvel: Vec<f64>,
    act: Vec<f64>,
    /// What leads to the next stage.
    step: Vec<f64>,
    /// Weighted sums of the rates.
    sum_pos: Vec<f64>,
    sum_vel: Vec<f64>,
    sum_act: Vec<f64>,
}

/// Four evaluations of the dynamics, the first of them already done; no damping is implicit.
///
/// Everything that is computed from the state is that of the last evaluation afterwards, at the end of the step; only
/// the sensors belong to its beginning. All four solves start from the acceleration of the step before. The rates of
/// activations are averaged, then applied as over a single step.
#[doc(alias = "mj_RungeKutta")]
pub(super) fn runge_kutta<E: Envs, P: Parts>(m: &Model, e: &mut E, parts: &mut P) -> Result<(), StepError> {
    let h = m.opt.timestep;
    e.each(|d| with_stages(d, |d, s| s.start(d)));
    for (a, b) in A.into_iter().zip(B) {
        e.each(|d| {
            with_stages(d, |d, s| {
                s.add(d, b);
                s.lead(m, d, a);
                d.time = s.time + a * h;
            });
        });
        stages_with(m, e, parts, Skip::Nothing, false)?;
        e.attempt(|d| finite("acceleration", &d.qacc))?;
    }
    e.attempt(|d| with_stages(d, |d, s| finish(m, d, parts, s)))
}

/// Back to the beginning, then one step with the mean rates.
fn finish<P: Parts>(m: &Model, d: &mut Data, parts: &mut P, s: &mut Stages) -> Result<(), StepError> {
    s.add(d, B[3]);
    d.time = s.time;
    d.qpos.copy_from_slice(&s.qpos);
    d.qvel.copy_from_slice(&s.qvel);
    d.act.copy_from_slice(&s.act);
    move_state(m, d, parts, &Rates { act: Some(&s.sum_act), vel: &s.sum_vel, pos: Some(&s.sum_pos) })
}

/// Calls `f` with the memory of the method beside the rest of the data.
fn with_stages<R>(d: &mut Data, f: impl FnOnce(&mut Data, &mut Stages) -> R) -> R {
    let mut s = std::mem::take(&mut d.scratch.runge_kutta);
    let out = f(d, &mut s);
    d.scratch.runge_kutta = s;
    out
}

impl Stages {
    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        let state = self.qpos.capacity() + self.qvel.capacity() + self.act.capacity() + self.step.capacity();
        (state + self.sum_pos.capacity() + self.sum_vel.capacity() + self.sum_act.capacity()) * 8
    }

    /// Remembers the state at the beginning.
    fn start(&mut self, d: &Data) {
        self.time = d.time;
        self.qpos.clone_from(&d.qpos);
        self.qvel.clone_from(&d.qvel);
        self.act.clone_from(&d.act);
        for (sum, n) in
            [(&mut self.sum_pos, d.qvel.len()), (&mut self.sum_vel, d.qvel.len()), (&mut self.sum_act, d.act.len())]
        {
            sum.clear();
            sum.resize(n, 0.0);
        }
    }

    /// Counts the rates of the present stage.
    fn add(&mut self, d: &Data, weight: f64) {
        add_scaled(&mut self.sum_pos, &d.qvel, weight);
        add_scaled(&mut self.sum_vel, &d.qacc, weight);
        add_scaled(&mut self.sum_act, &d.act_dot, weight);
    }

    /// Moves to the next stage: from the beginning along the present rates, for a share of the step.
    fn lead(&mut self, m: &Model, d: &mut Data, share: f64) {
        let h = m.opt.timestep;
        self.step.clear();
        self.step.extend(d.qvel.iter().map(|x| x * share));
        d.qpos.copy_from_slice(&self.qpos);
        integrate_pos(m, &mut d.qpos, &self.step, h);
        along(&mut d.qvel, &self.qvel, &d.qacc, share, h);
        along(&mut d.act, &self.act, &d.act_dot, share, h);
    }
}

/// `x = start + h·share·rate`.
fn along(x: &mut [f64], start: &[f64], rate: &[f64], share: f64, h: f64) {
    for ((x, start), rate) in x.iter_mut().zip(start).zip(rate) {
        *x = start + (rate * share) * h;
    }
}
