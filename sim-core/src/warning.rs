//! Warnings are data: counted here, read by the caller, never printed.

/// What can go wrong without stopping the simulation (`mjtWarning`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Warning {
    /// The inertia matrix is close to singular.
    Inertia = 0,
    /// A limit on contacts was reached: some are missing.
    ContactFull = 1,
    /// A limit on constraints was reached: contacts without rows, or a solver that stopped before it converged.
    CnstrFull = 2,
    /// A viewer ran out of room; the engine never raises it.
    VgeomFull = 3,
    /// A position is NaN or huge.
    BadQpos = 4,
    /// A velocity is NaN or huge.
    BadQvel = 5,
    /// An acceleration is NaN or huge.
    BadQacc = 6,
    /// A control is NaN or huge.
    BadCtrl = 7,
}

/// How often a warning was raised, and for what last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WarningStat {
    /// Index of the last offender: dof, position or control.
    pub lastinfo: usize,
    /// Number of times.
    pub number: u32,
}

/// One counter per kind of warning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Warnings([WarningStat; 8]);

impl Warnings {
    /// The counter of one kind.
    pub fn get(&self, kind: Warning) -> WarningStat {
        self.0[kind as usize]
    }

    /// True when anything was raised.
    pub fn any(&self) -> bool {
        self.0.iter().any(|w| w.number > 0)
    }

    pub(crate) fn raise(&mut self, kind: Warning, info: usize) {
        let w = &mut self.0[kind as usize];
        w.lastinfo = info;
        w.number = w.number.saturating_add(1);
    }

    /// Counters in the order of [`Warning`].
    pub fn all(&self) -> &[WarningStat; 8] {
        &self.0
    }
}
