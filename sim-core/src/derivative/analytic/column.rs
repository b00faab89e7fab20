//! Column by column: how the equations change with one input, and what follows for the next state.

use super::velocity::has_closed_form;
use super::{AnalyticWork, EPS, Residual};
use crate::data::Data;
use crate::derivative::Transition;
use crate::derivative::transition::{Input, control_sides, write_column};
use crate::error::StepError;
use crate::integrate::integrate_pos;
use crate::model::Model;
use crate::pipeline::Parts;

impl AnalyticWork {
    /// Controls first and positions last: each kind reuses what the kinds before it did not change.
    pub(super) fn columns<P: Parts>(
        &mut self,
        m: &Model,
        d: &mut Data,
        parts: &P,
        out: &mut Transition<'_>,
    ) -> Result<(), StepError> {
        if out.b.is_some() || out.d.is_some() {
            for i in 0..m.nu {
                self.by_differences(m, d, parts, Input::Control(i));
                self.finish(m, Input::Control(i))?;
                write_column(m, m.nu, i, &self.column, (&mut out.b, &mut out.d));
            }
        }
        if out.a.is_none() && out.c.is_none() {
            return Ok(());
        }
        let nx = 2 * m.nv + m.na;
        for i in 0..m.na {
            self.by_differences(m, d, parts, Input::Activation(i));
            self.finish(m, Input::Activation(i))?;
            write_column(m, nx, 2 * m.nv + i, &self.column, (&mut out.a, &mut out.c));
        }
        let closed = !self.sensors && has_closed_form(m);
        let mut step_too = false;
        if closed {
            self.residual_by_velocity(m, d, parts);
            step_too = self.step_by_velocity(m, d);
        }
        for i in 0..m.nv {
            if closed {
                self.plus.clear(m);
                for dof in 0..m.nv {
                    self.plus.force[dof] = self.by_vel[dof * m.nv + i];
                    if step_too {
                        self.plus.step[dof] = self.dense[dof * m.nv + i];
                    }
                }
            } else {
                self.by_differences(m, d, parts, Input::Velocity(i));
            }
            self.finish(m, Input::Velocity(i))?;
            write_column(m, nx, m.nv + i, &self.column, (&mut out.a, &mut out.c));
        }
        for i in 0..m.nv {
            self.by_differences(m, d, parts, Input::Position(i));
            self.finish(m, Input::Position(i))?;
            write_column(m, nx, i, &self.column, (&mut out.a, &mut out.c));
        }
        Ok(())
    }

    /// Derivatives of residuals, activations and sensors by one input, into `plus`.
    fn by_differences<P: Parts>(&mut self, m: &Model, d: &mut Data, parts: &P, input: Input) {
        let (mut forward, mut backward) = match input {
            Input::Control(i) => control_sides(m, d, i, EPS, true),
            _ => (true, true),
        };
        if !forward && !backward {
            self.plus.clear(m);
            return;
        }
        let (mut plus, mut minus) = (std::mem::take(&mut self.plus), std::mem::take(&mut self.minus));
        let wanted = (forward, backward);
        if forward {
            forward = self.moved(m, d, parts, (input, EPS), &mut plus);
        }
        if backward {
            backward = self.moved(m, d, parts, (input, -EPS), &mut minus);
        }
        if !forward && !backward {
            // a constraint that presses is nowhere around: its force is kept
            forward = true;
            backward = false;
            let by = if wanted.0 { EPS } else { -EPS };
            self.held(m, d, parts, (input, by), &mut plus);
        }
        match (forward, backward) {
            (true, true) => plus.subtract(&minus, 2.0 * EPS),
            (true, false) => plus.subtract(&self.nominal, EPS),
            _ => {
                plus.copy_from(&self.nominal);
                plus.subtract(&minus, EPS);
            }
        }
        (self.plus, self.minus) = (plus, minus);
    }

    /// The equations with one input moved; the input is put back. False when a constraint is gone.
    fn moved<P: Parts>(
        &mut self,
        m: &Model,
        d: &mut Data,
        parts: &P,
        (input, by): (Input, f64),
        out: &mut Residual,
    ) -> bool {
        let kept = self.nudge(m, d, input, by);
        let complete = self.evaluate(m, d, parts, input.skip(), out);
        self.put_back(d, input, kept);
        complete
    }

    /// As [`moved`](Self::moved), with the constraint force of the solution.
    fn held<P: Parts>(&mut self, m: &Model, d: &mut Data, parts: &P, (input, by): (Input, f64), out: &mut Residual) {
        let kept = self.nudge(m, d, input, by);
        self.evaluate(m, d, parts, input.skip(), out);
        self.evaluate_held(m, d, parts, out);
        self.put_back(d, input, kept);
    }

    fn nudge(&mut self, m: &Model, d: &mut Data, input: Input, by: f64) -> f64 {
        let place = match input {
            Input::Control(i) => &mut d.ctrl[i],
            Input::Activation(i) => &mut d.act[i],
            Input::Velocity(i) => &mut d.qvel[i],
            Input::Position(i) => {
                self.direction.clear();
                self.direction.resize(m.nv, 0.0);
                self.direction[i] = 1.0;
                integrate_pos(m, &mut d.qpos, &self.direction, by);
                return 0.0;
            }
        };
        let kept = *place;
        *place += by;
        kept
    }

    fn put_back(&self, d: &mut Data, input: Input, kept: f64) {
        match input {
            Input::Control(i) => d.ctrl[i] = kept,
            Input::Activation(i) => d.act[i] = kept,
            Input::Velocity(i) => d.qvel[i] = kept,
            Input::Position(_) => d.qpos.copy_from_slice(&self.qpos),
        }
    }

    /// From the derivatives in `plus` to the column of the next state and the sensors.
    fn finish(&mut self, m: &Model, input: Input) -> Result<(), StepError> {
        let nv = m.nv;
        // acceleration of the constraint problem, then that of the integrator
        let acc = &mut self.plus.force;
        for x in acc.iter_mut() {
            *x = -*x;
        }
        self.system.solve_constraints(acc);
        self.product.resize(nv, 0.0);
        self.system.mul_inertia(m, acc, &mut self.product);
        for (x, step) in self.product.iter_mut().zip(&self.plus.step) {
            *x -= step;
        }
        self.system.solve_step(m, acc, &mut self.product);

        self.column.clear();
        self.column.resize(2 * nv, 0.0);
        let (pos, vel) = self.column.split_at_mut(nv);
        for (v, x) in vel.iter_mut().zip(&self.product) {
            *v = m.opt.timestep * x;
        }
        match input {
            Input::Velocity(i) => vel[i] += 1.0,
            Input::Position(i) => pos[i] = 1.0,
            Input::Control(_) | Input::Activation(_) => {}
        }
        self.chain.apply(pos, vel);
        self.column.extend_from_slice(&self.plus.act);
        self.column.extend_from_slice(&self.plus.sensor);
        match self.column.iter().position(|x| !x.is_finite()) {
            None => Ok(()),
            Some(row) => Err(StepError::Unsolvable {
                what: format!("the derivative of number {row} by {input:?} is not finite"),
                dof: None,
            }),
        }
    }
}

impl Residual {
    /// Everything zero.
    fn clear(&mut self, m: &Model) {
        for (x, n) in [(&mut self.force, m.nv), (&mut self.step, m.nv), (&mut self.act, m.na)] {
            x.clear();
            x.resize(n, 0.0);
        }
        self.sensor.fill(0.0);
    }

    /// `self ← (self − from) / dx`.
    fn subtract(&mut self, from: &Self, dx: f64) {
        for (x, y) in [
            (&mut self.force, &from.force),
            (&mut self.step, &from.step),
            (&mut self.act, &from.act),
            (&mut self.sensor, &from.sensor),
        ] {
            for (x, y) in x.iter_mut().zip(y) {
                *x = (*x - y) / dx;
            }
        }
    }

    fn copy_from(&mut self, from: &Self) {
        self.force.clone_from(&from.force);
        self.step.clone_from(&from.step);
        self.act.clone_from(&from.act);
        self.sensor.clone_from(&from.sensor);
    }
}
