//! Physics options and model statistics.

use crate::enums::{Cone, Integrator, Jacobian, Solver};
use crate::flags::{DisableFlags, EnableFlags};
use crate::math::Vec3;

/// Reference parameters of a constraint: time constant and damping ratio, or −stiffness and −damping.
pub type SolRef = [f64; 2];
/// Impedance parameters of a constraint: dmin, dmax, width, midpoint, power.
pub type SolImp = [f64; 5];

/// MuJoCo's default reference parameters.
pub const SOLREF_DEFAULT: SolRef = [0.02, 1.0];
/// MuJoCo's default impedance parameters.
pub const SOLIMP_DEFAULT: SolImp = [0.9, 0.95, 0.001, 0.5, 2.0];

/// Physics options (`mjOption`), with MuJoCo's names and defaults.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Options {
    /// Simulated time per step, in seconds.
    pub timestep: f64,
    /// Ratio of friction to normal impedance in contacts.
    pub impratio: f64,
    /// Tolerance of the main solver.
    pub tolerance: f64,
    /// Tolerance of the line search.
    pub ls_tolerance: f64,
    /// Tolerance of the noslip solver.
    pub noslip_tolerance: f64,
    /// Tolerance of convex collision.
    pub ccd_tolerance: f64,
    /// Velocity below which a tree may fall asleep.
    pub sleep_tolerance: f64,
    /// Gravitational acceleration.
    pub gravity: Vec3,
    /// Velocity of the medium.
    pub wind: Vec3,
    /// Magnetic flux, for magnetometers.
    pub magnetic: Vec3,
    /// Density of the medium.
    pub density: f64,
    /// Viscosity of the medium.
    pub viscosity: f64,
    /// Contact margin when contact parameters are overridden.
    pub o_margin: f64,
    /// Contact reference parameters when overridden.
    pub o_solref: SolRef,
    /// Contact impedance parameters when overridden.
    pub o_solimp: SolImp,
    /// Contact friction when overridden.
    pub o_friction: [f64; 5],
    /// Integration method.
    pub integrator: Integrator,
    /// Shape of the friction cone.
    pub cone: Cone,
    /// Storage of the constraint Jacobian.
    pub jacobian: Jacobian,
    /// Constraint solver.
    pub solver: Solver,
    /// Limit on iterations of the main solver.
    pub iterations: i32,
    /// Limit on iterations of one line search.
    pub ls_iterations: i32,
    /// Limit on iterations of the noslip solver.
    pub noslip_iterations: i32,
    /// Limit on iterations of convex collision.
    pub ccd_iterations: i32,
    /// Default features that are switched off.
    pub disableflags: DisableFlags,
    /// Optional features that are switched on.
    pub enableflags: EnableFlags,
    /// Actuator groups that are switched off, one bit each.
    pub disableactuator: u32,
    /// Starting points of a signed-distance collision.
    pub sdf_initpoints: i32,
    /// Descent iterations of a signed-distance collision.
    pub sdf_iterations: i32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            timestep: 0.002,
            impratio: 1.0,
            tolerance: 1e-8,
            ls_tolerance: 0.01,
            noslip_tolerance: 1e-6,
            ccd_tolerance: 1e-6,
            sleep_tolerance: 1e-4,
            gravity: Vec3::new(0.0, 0.0, -9.81),
            wind: Vec3::zeros(),
            magnetic: Vec3::new(0.0, -0.5, 0.0),
            density: 0.0,
            viscosity: 0.0,
            o_margin: 0.0,
            o_solref: SOLREF_DEFAULT,
            o_solimp: SOLIMP_DEFAULT,
            o_friction: [1.0, 1.0, 0.005, 0.0001, 0.0001],
            integrator: Integrator::Euler,
            cone: Cone::Pyramidal,
            jacobian: Jacobian::Auto,
            solver: Solver::Newton,
            iterations: 100,
            ls_iterations: 50,
            noslip_iterations: 0,
            ccd_iterations: 35,
            disableflags: DisableFlags::empty(),
            enableflags: EnableFlags::empty(),
            disableactuator: 0,
            sdf_initpoints: 40,
            sdf_iterations: 10,
        }
    }
}

impl Options {
    /// True when this default feature is on.
    #[inline]
    pub fn has(&self, feature: DisableFlags) -> bool {
        !self.disableflags.intersects(feature)
    }

    /// True when this optional feature is on.
    #[inline]
    pub fn enabled(&self, feature: EnableFlags) -> bool {
        self.enableflags.intersects(feature)
    }
}

/// Scales of a model at its reference pose (`mjStatistic`).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Statistic {
    /// Mean of the diagonal of the inertia matrix.
    pub meaninertia: f64,
    /// Mean mass of a body.
    pub meanmass: f64,
    /// Mean size of a body.
    pub meansize: f64,
    /// Size of the whole model.
    pub extent: f64,
    /// Centre of the model.
    pub center: Vec3,
}

impl Default for Statistic {
    fn default() -> Self {
        Self { meaninertia: 1.0, meanmass: 1.0, meansize: 0.2, extent: 2.0, center: Vec3::zeros() }
    }
}
