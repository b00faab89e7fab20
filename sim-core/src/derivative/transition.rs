//! Derivatives of a step by finite differences.

use sim_types::Integrator;

use crate::data::{Data, StateBits};
use crate::error::StepError;
use crate::integrate::{differentiate_pos, integrate_pos};
use crate::model::Model;
use crate::pipeline::{self, Parts, Skip, step_skip};
use crate::warning::{Warning, Warnings};

/// Matrices of the linearised step, row-major, each optional: `δx⁺ = A·δx + B·δu`, `δs = C·δx + D·δu`.
///
/// A state `x` is positions, velocities and activations, with positions as velocities (`2·nv + na` numbers); `u` is the
/// control, `s` the sensors.
#[derive(Debug, Default)]
pub struct Transition<'a> {
    /// Next state by state, `(2·nv + na) × (2·nv + na)`.
    pub a: Option<&'a mut [f64]>,
    /// Next state by control, `(2·nv + na) × nu`.
    pub b: Option<&'a mut [f64]>,
    /// Sensors by state, `nsensordata × (2·nv + na)`.
    pub c: Option<&'a mut [f64]>,
    /// Sensors by control, `nsensordata × nu`.
    pub d: Option<&'a mut [f64]>,
}

/// Computes the derivatives of a step by finite differences, with perturbations of size `eps`; `centered` takes twice
/// the time and squares the error.
///
/// Controls are not moved out of their range: at its end the difference is one-sided. The state of `d` is kept; what
/// is computed from it belongs to the last perturbation. Runge–Kutta and delays are refused, and so is a state whose
/// step is reset.
///
/// ```
/// use sim_core::derivative::{Transition, transition_fd};
/// # fn linearise(m: &sim_core::Model) -> Result<(), sim_core::StepError> {
/// let mut d = m.make_data();
/// let nx = 2 * m.nv + m.na;
/// let (mut a, mut b) = (vec![0.0; nx * nx], vec![0.0; nx * m.nu]);
/// let mut out = Transition { a: Some(&mut a), b: Some(&mut b), ..Transition::default() };
/// transition_fd(m, &mut d, &mut sim_core::Mujoco::default(), 1e-6, true, &mut out)?;
/// # Ok(())
/// # }
/// # assert!(linearise(&sim_core::Model::default()).is_err(), "a model without a world");
/// ```
#[doc(alias = "mjd_transitionFD")]
pub fn transition_fd<P: Parts>(
    m: &Model,
    d: &mut Data,
    parts: &mut P,
    eps: f64,
    centered: bool,
    out: &mut Transition<'_>,
) -> Result<(), StepError> {
    pipeline::check_runnable(m, d)?;
    refuse(m)?;
    check_sizes(m, out)?;
    let mut fd = Differences::new(m, d, eps, centered, out.c.is_some() || out.d.is_some())?;
    let warning = d.warning;
    let done = fd.run(m, d, parts, out);
    // also after an error the state is what it was
    d.warning = warning;
    fd.restore(m, d)?;
    done
}

/// Every matrix that is asked for has its size.
pub(super) fn check_sizes(m: &Model, out: &Transition<'_>) -> Result<(), StepError> {
    let nx = 2 * m.nv + m.na;
    for (array, matrix, want) in [
        ("A", &out.a, nx * nx),
        ("B", &out.b, nx * m.nu),
        ("C", &out.c, m.nsensordata * nx),
        ("D", &out.d, m.nsensordata * m.nu),
    ] {
        let got = matrix.as_ref().map_or(want, |x| x.len());
        if got != want {
            return Err(StepError::WrongSize { array, got, want });
        }
    }
    Ok(())
}

pub(super) fn refuse(m: &Model) -> Result<(), StepError> {
    let refused = |what: &str| Err(StepError::Unsupported { what: what.to_owned() });
    if m.opt.integrator == Integrator::Rk4 {
        return refused("derivatives of a step of the integrator RK4; choose another integrator");
    }
    if m.nhistory > 0 {
        return refused("derivatives of a step with delays; leave out `delay` and `nsample`");
    }
    Ok(())
}

/// What is moved.
#[derive(Clone, Copy, Debug)]
pub(super) enum Input {
    /// A control.
    Control(usize),
    /// An activation.
    Activation(usize),
    /// A velocity.
    Velocity(usize),
    /// A position, along a dof.
    Position(usize),
}

/// A state after a step, and the sensors of that step.
#[derive(Clone, Default)]
struct Outcome {
    qpos: Vec<f64>,
    rest: Vec<f64>,
    sensor: Vec<f64>,
}

struct Differences {
    eps: f64,
    centered: bool,
    sensors: bool,
    saved: Vec<f64>,
    nominal: Outcome,
    plus: Outcome,
    minus: Outcome,
    direction: Vec<f64>,
    column: Vec<f64>,
}

impl Differences {
    fn new(m: &Model, d: &Data, eps: f64, centered: bool, sensors: bool) -> Result<Self, StepError> {
        let mut saved = vec![0.0; m.state_size(StateBits::INTEGRATION)];
        d.get_state(m, StateBits::INTEGRATION, &mut saved)?;
        let (nominal, plus, minus) = Default::default();
        let (direction, column) = (vec![0.0; m.nv], Vec::new());
        Ok(Self { eps, centered, sensors, saved, nominal, plus, minus, direction, column })
    }

    fn restore(&self, m: &Model, d: &mut Data) -> Result<(), StepError> {
        d.set_state(m, StateBits::INTEGRATION, &self.saved)
    }

    /// Controls first and positions last: each kind reuses what the kinds before it did not change.
    fn run<P: Parts>(
        &mut self,
        m: &Model,
        d: &mut Data,
        parts: &mut P,
        out: &mut Transition<'_>,
    ) -> Result<(), StepError> {
        let mut nominal = std::mem::take(&mut self.nominal);
        step_into(m, d, parts, Skip::Nothing, self.sensors, &mut nominal)?;
        self.nominal = nominal;
        self.restore(m, d)?;

        if out.b.is_some() || out.d.is_some() {
            for i in 0..m.nu {
                self.difference(m, d, parts, Input::Control(i))?;
                write_column(m, m.nu, i, &self.column, (&mut out.b, &mut out.d));
            }
        }
        if out.a.is_some() || out.c.is_some() {
            let nx = 2 * m.nv + m.na;
            let inputs = (0..m.na)
                .map(|i| (2 * m.nv + i, Input::Activation(i)))
                .chain((0..m.nv).map(|i| (m.nv + i, Input::Velocity(i))))
                .chain((0..m.nv).map(|i| (i, Input::Position(i))));
            for (column, input) in inputs {
                self.difference(m, d, parts, input)?;
                write_column(m, nx, column, &self.column, (&mut out.a, &mut out.c));
            }
        }
        Ok(())
    }

    /// The derivative by one input, state then sensors, into `column`.
    fn difference<P: Parts>(&mut self, m: &Model, d: &mut Data, parts: &mut P, input: Input) -> Result<(), StepError> {
        let (forward, backward) = self.sides(m, d, input);
        let (mut plus, mut minus) = (std::mem::take(&mut self.plus), std::mem::take(&mut self.minus));
        if forward {
            self.nudge(m, d, input, self.eps);
            step_into(m, d, parts, input.skip(), self.sensors, &mut plus)?;
            self.restore(m, d)?;
        }
        if backward {
            self.nudge(m, d, input, -self.eps);
            step_into(m, d, parts, input.skip(), self.sensors, &mut minus)?;
            self.restore(m, d)?;
        }
        (self.plus, self.minus) = (plus, minus);

        let (from, to, dx) = match (forward, backward) {
            (true, false) => (&self.nominal, &self.plus, self.eps),
            (false, true) => (&self.minus, &self.nominal, self.eps),
            (true, true) => (&self.minus, &self.plus, 2.0 * self.eps),
            (false, false) => (&self.nominal, &self.nominal, self.eps),
        };
        self.column.clear();
        self.column.resize(m.nv, 0.0);
        differentiate_pos(m, &mut self.column, dx, &from.qpos, &to.qpos);
        let pairs = to.rest.iter().zip(&from.rest).chain(to.sensor.iter().zip(&from.sensor));
        self.column.extend(pairs.map(|(to, from)| (to - from) / dx));
        Ok(())
    }

    /// Which perturbations to make: forward, backward.
    fn sides(&self, m: &Model, d: &Data, input: Input) -> (bool, bool) {
        match input {
            Input::Control(i) => control_sides(m, d, i, self.eps, self.centered),
            _ => (true, self.centered),
        }
    }

    fn nudge(&mut self, m: &Model, d: &mut Data, input: Input, by: f64) {
        match input {
            Input::Control(i) => d.ctrl[i] += by,
            Input::Activation(i) => d.act[i] += by,
            Input::Velocity(i) => d.qvel[i] += by,
            Input::Position(i) => {
                self.direction.fill(0.0);
                self.direction[i] = 1.0;
                integrate_pos(m, &mut d.qpos, &self.direction, by);
            }
        }
    }
}

/// Which perturbations of a control stay in its range: forward, backward. Without `centered` backward only where
/// forward is not possible.
pub(super) fn control_sides(m: &Model, d: &Data, i: usize, eps: f64, centered: bool) -> (bool, bool) {
    let (u, [low, high]) = (d.ctrl[i], m.actuator_ctrlrange[i]);
    let free = |a: f64, b: f64| !m.actuator_ctrllimited[i] || (a >= low && b <= high);
    let forward = free(u, u + eps);
    (forward, (centered || !forward) && free(u - eps, u))
}

/// Writes a column, next state then sensors, into the matrices that are asked for.
pub(super) fn write_column(
    m: &Model,
    width: usize,
    at: usize,
    column: &[f64],
    (state, sensor): (&mut Option<&mut [f64]>, &mut Option<&mut [f64]>),
) {
    let (x, s) = column.split_at(2 * m.nv + m.na);
    for (matrix, values) in [(state.as_deref_mut(), x), (sensor.as_deref_mut(), s)] {
        if let Some(matrix) = matrix {
            for (row, value) in matrix.chunks_exact_mut(width).zip(values) {
                row[at] = *value;
            }
        }
    }
}

impl Input {
    /// What stays as it was in the nominal step.
    pub(super) fn skip(self) -> Skip {
        match self {
            Self::Control(_) | Self::Activation(_) => Skip::Velocity,
            Self::Velocity(_) => Skip::Position,
            Self::Position(_) => Skip::Nothing,
        }
    }
}

fn step_into<P: Parts>(
    m: &Model,
    d: &mut Data,
    parts: &mut P,
    skip: Skip,
    sensors: bool,
    out: &mut Outcome,
) -> Result<(), StepError> {
    d.warning = Warnings::default();
    step_skip(m, d, parts, skip, sensors)?;
    // a step that was reset says nothing about this state
    for kind in [Warning::BadQpos, Warning::BadQvel, Warning::BadQacc] {
        if d.warning.get(kind).number > 0 {
            let (what, index) = (StepError::bad_name(kind), d.warning.get(kind).lastinfo);
            return Err(StepError::BadState { what, index, value: f64::NAN });
        }
    }
    out.qpos.clone_from(&d.qpos);
    out.rest.clone_from(&d.qvel);
    out.rest.extend_from_slice(&d.act);
    if sensors {
        out.sensor.clone_from(&d.sensordata);
    }
    Ok(())
}
