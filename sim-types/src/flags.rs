//! Disable and enable bits of the physics options, with MuJoCo 3.5.0's values.

use bitflags::bitflags;

bitflags! {
    /// Default features that are switched off (`mjtDisableBit`).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct DisableFlags: u32 {
        /// The whole constraint solver.
        const CONSTRAINT = 1 << 0;
        /// Equality constraints.
        const EQUALITY = 1 << 1;
        /// Dry friction of joints and tendons.
        const FRICTIONLOSS = 1 << 2;
        /// Joint and tendon limits.
        const LIMIT = 1 << 3;
        /// Contacts.
        const CONTACT = 1 << 4;
        /// Passive springs.
        const SPRING = 1 << 5;
        /// Passive dampers.
        const DAMPER = 1 << 6;
        /// Gravity.
        const GRAVITY = 1 << 7;
        /// Clamping of controls to their range.
        const CLAMPCTRL = 1 << 8;
        /// Starting the solver from the last solution.
        const WARMSTART = 1 << 9;
        /// Ignoring contacts between a body and its parent.
        const FILTERPARENT = 1 << 10;
        /// Actuator forces.
        const ACTUATION = 1 << 11;
        /// Keeping constraint time constants above two timesteps.
        const REFSAFE = 1 << 12;
        /// Sensors.
        const SENSOR = 1 << 13;
        /// Bounding volume trees between broad and narrow phase.
        const MIDPHASE = 1 << 14;
        /// Implicit joint damping in the Euler integrator.
        const EULERDAMP = 1 << 15;
        /// Resetting the state when it goes bad.
        const AUTORESET = 1 << 16;
        /// The native convex collision algorithm.
        const NATIVECCD = 1 << 17;
        /// Solving independent islands separately.
        const ISLAND = 1 << 18;
    }
}

bitflags! {
    /// Optional features that are switched on (`mjtEnableBit`).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct EnableFlags: u32 {
        /// Override the contact parameters of all geoms.
        const OVERRIDE = 1 << 0;
        /// Compute energies.
        const ENERGY = 1 << 1;
        /// Compare forward and inverse dynamics.
        const FWDINV = 1 << 2;
        /// Inverse dynamics of the discrete-time system.
        const INVDISCRETE = 1 << 3;
        /// Several contacts per convex pair.
        const MULTICCD = 1 << 4;
        /// Sleeping of trees at rest.
        const SLEEP = 1 << 5;
    }
}

impl DisableFlags {
    /// The names used by `<flag>` in MJCF, with their bits, in bit order.
    pub const NAMES: [(&'static str, Self); 19] = [
        ("constraint", Self::CONSTRAINT),
        ("equality", Self::EQUALITY),
        ("frictionloss", Self::FRICTIONLOSS),
        ("limit", Self::LIMIT),
        ("contact", Self::CONTACT),
        ("spring", Self::SPRING),
        ("damper", Self::DAMPER),
        ("gravity", Self::GRAVITY),
        ("clampctrl", Self::CLAMPCTRL),
        ("warmstart", Self::WARMSTART),
        ("filterparent", Self::FILTERPARENT),
        ("actuation", Self::ACTUATION),
        ("refsafe", Self::REFSAFE),
        ("sensor", Self::SENSOR),
        ("midphase", Self::MIDPHASE),
        ("eulerdamp", Self::EULERDAMP),
        ("autoreset", Self::AUTORESET),
        ("nativeccd", Self::NATIVECCD),
        ("island", Self::ISLAND),
    ];
}

impl EnableFlags {
    /// The names used by `<flag>` in MJCF, with their bits, in bit order.
    pub const NAMES: [(&'static str, Self); 6] = [
        ("override", Self::OVERRIDE),
        ("energy", Self::ENERGY),
        ("fwdinv", Self::FWDINV),
        ("invdiscrete", Self::INVDISCRETE),
        ("multiccd", Self::MULTICCD),
        ("sleep", Self::SLEEP),
    ];
}
