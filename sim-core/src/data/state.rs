//! The state as one vector of numbers, in MuJoCo's order and with MuJoCo's component bits.

use bitflags::bitflags;
use sim_types::{Quat, Vec3};

use super::Data;
use crate::error::StepError;
use crate::model::Model;

bitflags! {
    /// Parts of the state (`mjtState`). A state vector is their concatenation in the order of the bits.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct StateBits: u32 {
        /// Simulated time.
        const TIME = 1 << 0;
        /// Positions.
        const QPOS = 1 << 1;
        /// Velocities.
        const QVEL = 1 << 2;
        /// Activations.
        const ACT = 1 << 3;
        /// Delay buffers.
        const HISTORY = 1 << 4;
        /// Acceleration the solver starts from.
        const WARMSTART = 1 << 5;
        /// Controls.
        const CTRL = 1 << 6;
        /// Applied generalized forces.
        const QFRC_APPLIED = 1 << 7;
        /// Applied forces on bodies.
        const XFRC_APPLIED = 1 << 8;
        /// Activity of equality constraints.
        const EQ_ACTIVE = 1 << 9;
        /// Positions of mocap bodies.
        const MOCAP_POS = 1 << 10;
        /// Orientations of mocap bodies.
        const MOCAP_QUAT = 1 << 11;
        /// User numbers.
        const USERDATA = 1 << 12;
        /// Plugin state; always empty here.
        const PLUGIN = 1 << 13;
        /// What physics evolves.
        const PHYSICS = Self::QPOS.bits() | Self::QVEL.bits() | Self::ACT.bits() | Self::HISTORY.bits();
        /// What physics evolves, and time.
        const FULLPHYSICS = Self::TIME.bits() | Self::PHYSICS.bits() | Self::PLUGIN.bits();
        /// What the user sets.
        const USER = Self::CTRL.bits() | Self::QFRC_APPLIED.bits() | Self::XFRC_APPLIED.bits()
            | Self::EQ_ACTIVE.bits() | Self::MOCAP_POS.bits() | Self::MOCAP_QUAT.bits() | Self::USERDATA.bits();
        /// Everything that the next step depends on.
        const INTEGRATION = Self::FULLPHYSICS.bits() | Self::USER.bits() | Self::WARMSTART.bits();
    }
}

impl Model {
    /// Length of the state vector with these parts.
    #[doc(alias = "mj_stateSize")]
    pub fn state_size(&self, parts: StateBits) -> usize {
        single_bits(parts).map(|part| self.part_size(part)).sum()
    }

    fn part_size(&self, part: StateBits) -> usize {
        match part {
            StateBits::TIME => 1,
            StateBits::QPOS => self.nq,
            StateBits::QVEL | StateBits::WARMSTART | StateBits::QFRC_APPLIED => self.nv,
            StateBits::ACT => self.na,
            StateBits::HISTORY => self.nhistory,
            StateBits::CTRL => self.nu,
            StateBits::XFRC_APPLIED => 6 * self.nbody,
            StateBits::EQ_ACTIVE => self.neq,
            StateBits::MOCAP_POS => 3 * self.nmocap,
            StateBits::MOCAP_QUAT => 4 * self.nmocap,
            StateBits::USERDATA => self.nuserdata,
            _ => 0,
        }
    }
}

impl Data {
    /// Writes the chosen parts of the state into `out`, which must have [`Model::state_size`] numbers.
    #[doc(alias = "mj_getState")]
    pub fn get_state(&self, m: &Model, parts: StateBits, out: &mut [f64]) -> Result<(), StepError> {
        self.fits(m)?;
        check_length(m, parts, out.len())?;
        self.write_state(m, parts, out);
        Ok(())
    }

    /// As [`get_state`](Self::get_state), when everything has the right length.
    pub(crate) fn write_state(&self, m: &Model, parts: StateBits, out: &mut [f64]) {
        let mut rest = out;
        for part in single_bits(parts) {
            let (now, later) = rest.split_at_mut(m.part_size(part));
            rest = later;
            match part {
                StateBits::TIME => now[0] = self.time,
                StateBits::XFRC_APPLIED => now.copy_from_slice(self.xfrc_applied.as_flattened()),
                StateBits::EQ_ACTIVE => {
                    for (x, active) in now.iter_mut().zip(&self.eq_active) {
                        *x = f64::from(u8::from(*active));
                    }
                }
                StateBits::MOCAP_POS => {
                    for (x, pos) in now.chunks_exact_mut(3).zip(&self.mocap_pos) {
                        x.copy_from_slice(pos.as_slice());
                    }
                }
                StateBits::MOCAP_QUAT => {
                    for (x, quat) in now.chunks_exact_mut(4).zip(&self.mocap_quat) {
                        x.copy_from_slice(&quat.to_array());
                    }
                }
                StateBits::PLUGIN => {}
                plain => now.copy_from_slice(self.plain_part(plain)),
            }
        }
    }

    /// Sets the chosen parts of the state from `numbers`, which must have [`Model::state_size`] numbers. Computes
    /// nothing.
    #[doc(alias = "mj_setState")]
    pub fn set_state(&mut self, m: &Model, parts: StateBits, numbers: &[f64]) -> Result<(), StepError> {
        self.fits(m)?;
        check_length(m, parts, numbers.len())?;
        self.read_state(m, parts, numbers);
        Ok(())
    }

    /// As [`set_state`](Self::set_state), when everything has the right length.
    pub(crate) fn read_state(&mut self, m: &Model, parts: StateBits, numbers: &[f64]) {
        let mut rest = numbers;
        for part in single_bits(parts) {
            let (now, later) = rest.split_at(m.part_size(part));
            rest = later;
            match part {
                StateBits::TIME => self.time = now[0],
                StateBits::XFRC_APPLIED => self.xfrc_applied.as_flattened_mut().copy_from_slice(now),
                StateBits::EQ_ACTIVE => {
                    for (active, x) in self.eq_active.iter_mut().zip(now) {
                        *active = *x != 0.0;
                    }
                }
                StateBits::MOCAP_POS => {
                    for (pos, x) in self.mocap_pos.iter_mut().zip(now.chunks_exact(3)) {
                        *pos = Vec3::from_column_slice(x);
                    }
                }
                StateBits::MOCAP_QUAT => {
                    for (quat, x) in self.mocap_quat.iter_mut().zip(now.chunks_exact(4)) {
                        *quat = Quat::new(x[0], x[1], x[2], x[3]);
                    }
                }
                StateBits::PLUGIN => {}
                plain => self.plain_part_mut(plain).copy_from_slice(now),
            }
        }
    }

    /// The parts that are plain vectors of numbers.
    fn plain_part(&self, part: StateBits) -> &[f64] {
        match part {
            StateBits::QPOS => &self.qpos,
            StateBits::QVEL => &self.qvel,
            StateBits::ACT => &self.act,
            StateBits::HISTORY => &self.history,
            StateBits::WARMSTART => &self.qacc_warmstart,
            StateBits::CTRL => &self.ctrl,
            StateBits::QFRC_APPLIED => &self.qfrc_applied,
            StateBits::USERDATA => &self.userdata,
            _ => &[],
        }
    }

    fn plain_part_mut(&mut self, part: StateBits) -> &mut [f64] {
        match part {
            StateBits::QPOS => &mut self.qpos,
            StateBits::QVEL => &mut self.qvel,
            StateBits::ACT => &mut self.act,
            StateBits::HISTORY => &mut self.history,
            StateBits::WARMSTART => &mut self.qacc_warmstart,
            StateBits::CTRL => &mut self.ctrl,
            StateBits::QFRC_APPLIED => &mut self.qfrc_applied,
            StateBits::USERDATA => &mut self.userdata,
            _ => &mut [],
        }
    }
}

/// The single bits of a set, lowest first.
fn single_bits(parts: StateBits) -> impl Iterator<Item = StateBits> {
    (0..14).map(|k| StateBits::from_bits_truncate(1 << k)).filter(move |bit| parts.contains(*bit))
}

fn check_length(m: &Model, parts: StateBits, got: usize) -> Result<(), StepError> {
    let want = m.state_size(parts);
    if got == want { Ok(()) } else { Err(StepError::WrongSize { array: "state vector", got, want }) }
}
