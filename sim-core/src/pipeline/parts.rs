//! What a user may plug into the pipeline.

use crate::data::Data;
use crate::model::Model;

/// A part of the step, for observers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StageName {
    /// Poses, centres of mass, cameras and lights.
    Kinematics,
    /// Inertia matrix and its factor.
    Inertia,
    /// Velocities, passive and bias forces.
    Velocity,
    /// Smooth acceleration and constraint forces.
    Acceleration,
    /// Integration in time.
    Integrate,
}

impl StageName {
    /// Lower-case name, for reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Kinematics => "kinematics",
            Self::Inertia => "inertia",
            Self::Velocity => "velocity",
            Self::Acceleration => "acceleration",
            Self::Integrate => "integrate",
        }
    }
}

/// User functions called during a step. Every one does nothing by default.
pub trait Hooks {
    /// Called before actuation: set `d.ctrl`, `d.qfrc_applied`, `d.xfrc_applied`.
    #[doc(alias = "mjcb_control")]
    fn control(&self, _m: &Model, _d: &mut Data) {}

    /// Called after passive forces: add to `d.qfrc_passive`.
    #[doc(alias = "mjcb_passive")]
    fn passive(&self, _m: &Model, _d: &mut Data) {}

    /// Called when a stage begins; for timers.
    fn stage(&self, _stage: StageName) {}
}

/// No user functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoHooks;

impl Hooks for NoHooks {}

/// The exchangeable parts of the pipeline, bundled.
pub trait Parts {
    /// User functions.
    type Hooks: Hooks;

    /// The user functions.
    fn hooks(&self) -> &Self::Hooks;
}

/// The bundle this crate ships: choose each part, the defaults are MuJoCo's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kit<H = NoHooks> {
    /// User functions.
    pub hooks: H,
}

impl<H: Hooks> Parts for Kit<H> {
    type Hooks = H;

    #[inline]
    fn hooks(&self) -> &H {
        &self.hooks
    }
}

/// MuJoCo's own parts.
pub type Mujoco = Kit;
