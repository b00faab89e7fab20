//! Guards around the stages: data that fits, numbers that are sane.

use sim_types::DisableFlags;
use sim_types::math::is_bad;

use super::origin::origin;
use super::{Parts, Skip, stages};
use crate::data::Data;
use crate::error::{BadNumber, StepError};
use crate::model::Model;
use crate::support;
use crate::warning::Warning;

/// The data fits the model, the timestep is a number, and no stage is missing.
pub(crate) fn runnable(m: &Model, d: &Data) -> Result<(), StepError> {
    d.fits(m)?;
    model(m)
}

/// The timestep is a number, and no stage is missing.
pub(crate) fn model(m: &Model) -> Result<(), StepError> {
    timestep(m)?;
    support::check(m)
}

pub(super) fn timestep(m: &Model) -> Result<(), StepError> {
    let timestep = m.opt.timestep;
    if timestep > 0.0 && timestep.is_finite() { Ok(()) } else { Err(StepError::InvalidTimestep { timestep }) }
}

/// The checks before a step: positions, velocities, activations.
pub(super) fn state(m: &Model, d: &mut Data) -> Result<(), StepError> {
    d.restart = None;
    pos(m, d)?;
    vel(m, d)?;
    act(m, d)
}

/// Resets, or fails, when a position is bad.
#[doc(alias = "mj_checkPos")]
fn pos(m: &Model, d: &mut Data) -> Result<(), StepError> {
    match first_bad(&d.qpos) {
        None => Ok(()),
        Some((index, value)) => recover(m, d, Warning::BadQpos, (index, value)),
    }
}

/// Resets, or fails, when a velocity is bad.
#[doc(alias = "mj_checkVel")]
fn vel(m: &Model, d: &mut Data) -> Result<(), StepError> {
    match first_bad(&d.qvel) {
        None => Ok(()),
        Some((index, value)) => recover(m, d, Warning::BadQvel, (index, value)),
    }
}

/// Resets, or fails, when an activation is not a number: nothing after this would notice.
fn act(m: &Model, d: &mut Data) -> Result<(), StepError> {
    match d.act.iter().copied().enumerate().find(|(_, x)| !x.is_finite()) {
        None => Ok(()),
        Some((index, value)) => recover(m, d, Warning::BadCtrl, (index, value)),
    }
}

/// Resets and computes everything again, or fails, when an acceleration is bad or could not be found.
#[doc(alias = "mj_checkAcc")]
pub(super) fn acc<P: Parts>(
    m: &Model,
    d: &mut Data,
    parts: &mut P,
    stages_done: Result<(), StepError>,
) -> Result<(), StepError> {
    let (index, value) = match (stages_done, first_bad(&d.qacc)) {
        (Ok(()), None) => return Ok(()),
        (Ok(()), Some(bad)) => bad,
        (Err(StepError::Unsolvable { dof, .. }), _) if m.opt.has(DisableFlags::AUTORESET) => {
            (dof.unwrap_or(0), f64::NAN)
        }
        (Err(e), _) => return Err(e),
    };
    recover(m, d, Warning::BadQacc, (index, value))?;
    stages(m, d, parts, Skip::Nothing)
}

fn first_bad(numbers: &[f64]) -> Option<(usize, f64)> {
    numbers.iter().copied().enumerate().find(|(_, x)| is_bad(*x))
}

/// With automatic reset on: back to the reference pose, the warning kept. Otherwise an error. Both name the first bad
/// number; that of an acceleration is where it came from.
fn recover(m: &Model, d: &mut Data, kind: Warning, (index, value): (usize, f64)) -> Result<(), StepError> {
    let own = (BadNumber { what: StepError::bad_name(kind), index }, value);
    let (bad, value) = if kind == Warning::BadQacc { origin(d).unwrap_or(own) } else { own };
    if m.opt.has(DisableFlags::AUTORESET) {
        let first = d.restart.take();
        d.reset(m);
        d.restart = first.or(Some(bad));
        d.warning.raise(kind, index);
        Ok(())
    } else {
        d.warning.raise(kind, index);
        Err(StepError::BadState { what: bad.what, index: bad.index, value })
    }
}
