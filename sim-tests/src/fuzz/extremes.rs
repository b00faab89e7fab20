//! Models stepped from extreme states with extreme controls.

use std::path::Path;

use sim_core::{Data, Model};
use sim_mjcf::load_file;
use sim_types::{DisableFlags, Quat, Vec3};

use super::run::{Outcome, STEPS, Watch};
use crate::Rng;

/// What a state or a control is filled with.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fill {
    /// As it is at the start.
    Start,
    /// Numbers between −1 and 1.
    Random,
    /// The same number everywhere.
    All(f64),
}

const FILLS: [Fill; 6] =
    [Fill::Start, Fill::Random, Fill::All(1e10), Fill::All(-1e10), Fill::All(1e300), Fill::All(f64::NAN)];

/// Number of pairs of a state and a control.
pub const EXTREMES: usize = FILLS.len() * FILLS.len();

/// Steps the model from the extreme state and with the extreme control that have this number: with automatic reset and
/// without. `Err` says what must not happen.
pub fn extreme(m: &Model, number: usize) -> Result<Outcome, String> {
    let (state, control) = (FILLS[number / FILLS.len() % FILLS.len()], FILLS[number % FILLS.len()]);
    let mut outcome = Outcome::Refused;
    for autoreset in [true, false] {
        let changed;
        let mut model = m;
        if m.opt.has(DisableFlags::AUTORESET) != autoreset {
            let mut other = m.clone();
            other.opt.disableflags ^= DisableFlags::AUTORESET;
            changed = other;
            model = &changed;
        }
        let rng = &mut Rng::new(number as u64);
        let mut d = model.make_data();
        state.into_state(rng, &mut d);
        let mut watch = Watch::default();
        for _ in 0..STEPS {
            control.into_control(rng, &mut d);
            let wrong = |wrong| format!("{wrong}; state {state:?}, control {control:?}, automatic reset {autoreset}");
            if !watch.step(model, &mut d).map_err(wrong)? {
                break;
            }
        }
        outcome = outcome.max(watch.outcome());
    }
    Ok(outcome)
}

/// The model in a file, or why there is none.
pub fn extreme_model(file: &Path) -> Result<Model, String> {
    load_file(file).map_err(|error| error.to_string())
}

impl Fill {
    fn into_state(self, rng: &mut Rng, d: &mut Data) {
        for numbers in [&mut d.qpos, &mut d.qvel, &mut d.act] {
            self.write(rng, numbers);
        }
    }

    fn into_control(self, rng: &mut Rng, d: &mut Data) {
        for numbers in [&mut d.ctrl, &mut d.qfrc_applied, &mut d.qacc_warmstart] {
            self.write(rng, numbers);
        }
        self.write(rng, d.xfrc_applied.as_flattened_mut());
        let mut x = [0.0; 7];
        for (pos, quat) in d.mocap_pos.iter_mut().zip(&mut d.mocap_quat) {
            if self != Self::Start {
                self.write(rng, &mut x);
                (*pos, *quat) = (Vec3::new(x[0], x[1], x[2]), Quat::new(x[3], x[4], x[5], x[6]));
            }
        }
    }

    fn write(self, rng: &mut Rng, numbers: &mut [f64]) {
        match self {
            Self::Start => {}
            Self::Random => numbers.iter_mut().for_each(|x| *x = rng.signed()),
            Self::All(value) => numbers.fill(value),
        }
    }
}
