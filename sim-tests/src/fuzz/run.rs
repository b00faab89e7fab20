//! Loading and stepping a case.

use sim_core::pipeline::{Mujoco, step, step_partial};
use sim_core::{Data, Model, StepError};
use sim_mjcf::{LoadOptions, load_model, load_with};
use sim_types::{Quat, Vec3};

use super::bytes;
use super::case::Case;
use crate::Rng;

/// Bytes that a model may take in these runs: what any user gets.
pub const MEMORY: usize = 2 << 30;

/// Steps of each model.
pub(super) const STEPS: usize = 20;

/// What happened to a case, all of it right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The model was refused.
    Refused,
    /// It was stepped, and its state stayed finite.
    Stepped,
    /// It was stepped, and a warning was counted: a reset to the reference pose, or a bad control ignored.
    Warned,
    /// A step gave an error.
    StepError,
    /// It needs a stage that does not exist yet; what exists was run.
    Partial,
}

impl Outcome {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Refused, Self::Stepped, Self::Warned, Self::StepError, Self::Partial];

    /// One word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Stepped => "stepped",
            Self::Warned => "warned",
            Self::StepError => "step-error",
            Self::Partial => "partial",
        }
    }
}

/// Loads the case and steps it from odd states; `Err` says what must not happen.
pub fn run(case: &Case) -> Result<Outcome, String> {
    let loaded = load_with(&case.source(), &case.main, LoadOptions::default());
    let model = match loaded {
        Ok(loaded) => loaded.model,
        Err(error) => {
            return if error.to_string().is_empty() {
                Err("error without a message".to_owned())
            } else {
                Ok(Outcome::Refused)
            };
        }
    };
    model.check().map_err(|error| format!("loaded, but not consistent: {error}"))?;
    let rng = &mut Rng::new(case.states);
    if rng.one_in(4) {
        binary(&model, rng)?;
    }
    if rng.one_in(4) {
        // what cannot be written is an error, and what is written must be read again without harm
        if let Ok(text) = sim_mjcf::model_to_mjcf(&model) {
            let _ = load_model(&text);
        }
    }
    steps(&model, rng)
}

/// A broken binary file of the model: it is refused, or what it holds can be stepped.
fn binary(m: &Model, rng: &mut Rng) -> Result<(), String> {
    let mut file = m.to_bytes().map_err(|error| format!("cannot be written: {error}"))?;
    for _ in 0..=rng.below(2) {
        bytes::mutate(rng, &mut file);
    }
    match Model::from_bytes(&file) {
        Ok(m) => steps(&m, rng).map(|_| ()).map_err(|wrong| format!("from a binary file: {wrong}")),
        Err(_) => Ok(()),
    }
}

fn steps(m: &Model, rng: &mut Rng) -> Result<Outcome, String> {
    let mut d = m.make_data();
    let mut watch = Watch::default();
    for _ in 0..STEPS {
        if !watch.lost {
            disturb(rng, m, &mut d);
        }
        if !watch.step(m, &mut d)? {
            break;
        }
    }
    Ok(watch.outcome())
}

/// Steps a model and sees that nothing goes wrong unsaid.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// The model needs stages that do not exist yet.
    partial: bool,
    /// The last step ended beyond all numbers; the next one must notice.
    pub(super) lost: bool,
    warned: bool,
    failed: bool,
}

impl Watch {
    /// One step; after an error the data is reset. False when the model cannot be stepped at all, `Err` says what must
    /// not happen.
    pub(super) fn step(&mut self, m: &Model, d: &mut Data) -> Result<bool, String> {
        let mut parts = Mujoco::default();
        let mut done = if self.partial { step_partial(m, d, &mut parts) } else { step(m, d, &mut parts) };
        if matches!(done, Err(StepError::Unsupported { .. })) && !self.partial {
            self.partial = true;
            done = step_partial(m, d, &mut parts);
        }
        match done {
            Ok(()) => {}
            Err(StepError::Unsupported { .. }) => {
                self.partial = true;
                return Ok(false);
            }
            Err(StepError::WrongSize { array, .. }) => return Err(format!("{array} changed its size")),
            Err(_) => {
                self.failed = true;
                d.reset(m);
                return Ok(true);
            }
        }
        self.warned |= d.warning.any();
        let bad = first_not_finite(d);
        if let Some(what) = bad.filter(|_| self.lost && !d.warning.any()) {
            return Err(format!("{what} is not finite, and nothing says so"));
        }
        self.lost = bad.is_some();
        Ok(true)
    }

    /// What happened in all steps together.
    pub(super) fn outcome(&self) -> Outcome {
        match (self.partial, self.failed, self.warned) {
            (true, ..) => Outcome::Partial,
            (_, true, _) => Outcome::StepError,
            (.., true) => Outcome::Warned,
            _ => Outcome::Stepped,
        }
    }
}

fn first_not_finite(d: &Data) -> Option<&'static str> {
    let state = [("qpos", &d.qpos), ("qvel", &d.qvel), ("act", &d.act), ("qacc", &d.qacc)];
    state.into_iter().find(|(_, numbers)| numbers.iter().any(|x| !x.is_finite())).map(|(name, _)| name)
}

/// Writes odd numbers over some of what a user may set.
fn disturb(rng: &mut Rng, m: &Model, d: &mut Data) {
    for part in 0..9 {
        if !rng.one_in(6) {
            continue;
        }
        match part {
            0 => fill(rng, &mut d.qpos),
            1 => fill(rng, &mut d.qvel),
            2 => fill(rng, &mut d.act),
            3 => fill(rng, &mut d.ctrl),
            4 => fill(rng, &mut d.qfrc_applied),
            5 => fill(rng, d.xfrc_applied.as_flattened_mut()),
            6 => fill(rng, &mut d.qacc_warmstart),
            7 => {
                for pos in &mut d.mocap_pos {
                    *pos = Vec3::repeat(number(rng));
                }
                for quat in &mut d.mocap_quat {
                    *quat = Quat::new(number(rng), number(rng), number(rng), number(rng));
                }
            }
            _ => d.reset(m),
        }
    }
}

/// Writes one kind of number over all, or over one.
fn fill(rng: &mut Rng, numbers: &mut [f64]) {
    if numbers.is_empty() {
        return;
    }
    match rng.below(3) {
        0 => {
            let x = number(rng);
            numbers.fill(x);
        }
        1 => {
            let at = rng.below(numbers.len());
            numbers[at] = number(rng);
        }
        _ => {
            let random = rng.vector(numbers.len());
            numbers.copy_from_slice(&random);
        }
    }
}

fn number(rng: &mut Rng) -> f64 {
    let random = rng.signed();
    *rng.pick(&[0.0, random, 1e10, -1e10, 1e300, -1e300, f64::NAN, f64::INFINITY]).unwrap_or(&0.0)
}
