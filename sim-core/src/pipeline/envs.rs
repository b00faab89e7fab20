//! Who goes through the stages: one environment, or several together.

use crate::data::Data;
use crate::error::StepError;
use crate::integrate;
use crate::model::Model;
use crate::smooth;

/// Environments of one model that go through the stages together. A stage with a method here computes them at once where
/// that is faster, with the same bits; the others are called for each.
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

    /// See [`smooth::kinematics`].
    fn kinematics(&mut self, m: &Model);
    /// See [`smooth::com_pos`].
    fn com_pos(&mut self, m: &Model);
    /// See [`smooth::crb`].
    fn crb(&mut self, m: &Model);
    /// See [`smooth::factor_m`].
    fn factor_m(&mut self, m: &Model);
    /// See [`smooth::com_vel`].
    fn com_vel(&mut self, m: &Model);
    /// See [`smooth::rne`].
    fn rne(&mut self, m: &Model);
    /// See [`smooth::solve_smooth`].
    fn acceleration(&mut self, m: &Model);
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
    fn kinematics(&mut self, m: &Model) {
        smooth::kinematics(m, self);
    }

    #[inline]
    fn com_pos(&mut self, m: &Model) {
        smooth::com_pos(m, self);
    }

    #[inline]
    fn crb(&mut self, m: &Model) {
        smooth::crb(m, self);
    }

    #[inline]
    fn factor_m(&mut self, m: &Model) {
        smooth::factor_m(m, self);
    }

    #[inline]
    fn com_vel(&mut self, m: &Model) {
        smooth::com_vel(m, self);
    }

    #[inline]
    fn rne(&mut self, m: &Model) {
        smooth::rne(m, self);
    }

    #[inline]
    fn acceleration(&mut self, m: &Model) {
        smooth::solve_smooth(m, self);
    }

    #[inline]
    fn damped_acceleration(&mut self, m: &Model, reuse: bool) {
        integrate::damped_acceleration(m, self, reuse);
    }
}
