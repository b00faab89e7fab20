//! Who is stepped: one environment, or several together.

use super::{Parts, Skip, stages_with};
use crate::data::Data;
use crate::error::StepError;
use crate::integrate;
use crate::model::Model;

/// Environments of one model that are stepped together.
pub(crate) trait Envs {
    /// Calls `f` for each that has not failed.
    fn each(&mut self, f: impl FnMut(&mut Data));

    /// As [`each`](Self::each), for what may fail. A single environment gives its error; a group remembers the error of
    /// each and gives none, since it goes on with the others.
    fn attempt(&mut self, f: impl FnMut(&mut Data) -> Result<(), StepError>) -> Result<(), StepError>;

    /// Calls `f` for all, with how each has fared so far (`done`, of a single environment), and remembers what it says.
    fn mend(
        &mut self,
        done: Result<(), StepError>,
        f: impl FnMut(&mut Data, Result<(), StepError>) -> Result<(), StepError>,
    ) -> Result<(), StepError>;

    /// The stages; see [`stages_with`]. Errors are those of [`attempt`](Self::attempt).
    fn stages<P: Parts>(&mut self, m: &Model, parts: &mut P, skip: Skip, sensors: bool) -> Result<(), StepError>;

    /// See [`integrate::damped_acceleration`].
    fn damped_acceleration(&mut self, m: &Model, reuse: bool);
}

impl Envs for Data {
    #[inline]
    fn each(&mut self, mut f: impl FnMut(&mut Data)) {
        f(self);
    }

    #[inline]
    fn attempt(&mut self, mut f: impl FnMut(&mut Data) -> Result<(), StepError>) -> Result<(), StepError> {
        f(self)
    }

    #[inline]
    fn mend(
        &mut self,
        done: Result<(), StepError>,
        mut f: impl FnMut(&mut Data, Result<(), StepError>) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        f(self, done)
    }

    #[inline]
    fn stages<P: Parts>(&mut self, m: &Model, parts: &mut P, skip: Skip, sensors: bool) -> Result<(), StepError> {
        stages_with(m, self, parts, skip, sensors)
    }

    #[inline]
    fn damped_acceleration(&mut self, m: &Model, reuse: bool) {
        integrate::damped_acceleration(m, self, reuse);
    }
}
