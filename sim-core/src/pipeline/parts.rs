//! What a user may plug into the pipeline.

use sim_constraint::{ContactSolver, Mujoco as DefaultSolver};
use sim_types::Stage;

use crate::actuation::{ActuatorGainModel, DefaultGain};
use crate::data::Data;
use crate::model::Model;

/// A part of the step, for observers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StageName {
    /// Poses, centres of mass, cameras and lights.
    Kinematics,
    /// Inertia matrix and its factor.
    Inertia,
    /// Contacts.
    Collision,
    /// Tendons and transmissions.
    Transmission,
    /// Rows, islands and the solve of constraints.
    Constraint,
    /// Velocities, passive and bias forces.
    Velocity,
    /// Actuator forces.
    Actuation,
    /// Sensors of all stages.
    Sensor,
    /// Smooth acceleration.
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
            Self::Collision => "collision",
            Self::Transmission => "transmission",
            Self::Constraint => "constraint",
            Self::Velocity => "velocity",
            Self::Actuation => "actuation",
            Self::Sensor => "sensor",
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

    /// Called for actuators with user dynamics: write their part of `d.act_dot`.
    #[doc(alias = "mjcb_act_dyn")]
    fn activation(&self, _m: &Model, _d: &mut Data, _actuator: usize, _ctrl: f64) {}

    /// The bias of actuators with a user bias.
    #[doc(alias = "mjcb_act_bias")]
    fn actuator_bias(&self, _m: &Model, _d: &Data, _actuator: usize) -> f64 {
        0.0
    }

    /// Called after the sensors of a stage, when the model has user sensors there: write their part of `d.sensordata`.
    #[doc(alias = "mjcb_sensor")]
    fn sensor(&self, _m: &Model, _d: &mut Data, _stage: Stage) {}

    /// True when [`contact_filter`](Self::contact_filter) decides which geoms may touch, instead of the masks
    /// `geom_contype` and `geom_conaffinity`. Those of the bodies still count, and so do all other filters.
    fn filters_contacts(&self) -> bool {
        false
    }

    /// Whether two geoms must not touch, the lower type first. Explicit pairs are not asked about.
    #[doc(alias = "mjcb_contactfilter")]
    fn contact_filter(&self, _m: &Model, _d: &Data, _geom1: usize, _geom2: usize) -> bool {
        false
    }

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
    /// Gains of actuators.
    type Gain: ActuatorGainModel;
    /// Constraint forces.
    type ContactSolver: ContactSolver;

    /// The user functions.
    fn hooks(&self) -> &Self::Hooks;

    /// The gains of actuators.
    fn gain(&self) -> &Self::Gain;

    /// The solver of constraint forces.
    fn contact_solver(&self) -> &Self::ContactSolver;
}

/// The bundle this crate ships: choose each part, the defaults are MuJoCo's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kit<H = NoHooks, A = DefaultGain, C = DefaultSolver> {
    /// User functions.
    pub hooks: H,
    /// Gains of actuators.
    pub gain: A,
    /// Constraint forces.
    pub contact_solver: C,
}

impl<H: Hooks, A: ActuatorGainModel, C: ContactSolver> Parts for Kit<H, A, C> {
    type Hooks = H;
    type Gain = A;
    type ContactSolver = C;

    #[inline]
    fn hooks(&self) -> &H {
        &self.hooks
    }

    #[inline]
    fn gain(&self) -> &A {
        &self.gain
    }

    #[inline]
    fn contact_solver(&self) -> &C {
        &self.contact_solver
    }
}

/// MuJoCo's own parts.
pub type Mujoco = Kit;
