//! Where the parts of an environment's state stand in its row of numbers.

use sim_types::{Quat, Vec3};

use crate::data::{Data, StateBits};
use crate::model::Model;

/// Bits of [`StateBits`].
const NPART: usize = 14;
/// Place of the bits that are not stored as a copy of numbers.
const EQ_ACTIVE: usize = StateBits::EQ_ACTIVE.bits().trailing_zeros() as usize;

/// A row holds MuJoCo's integration state in the order of its bits, but for `eq_active`, which are not numbers.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Start of each part, and the end of the last.
    start: [usize; NPART + 1],
    /// Numbers of a row.
    pub(super) row: usize,
    /// Equality constraints of an environment.
    pub(super) neq: usize,
    /// Numbers of all sensors.
    pub(super) nsensordata: usize,
}

/// The memory of one environment, read only.
#[derive(Clone, Copy)]
pub(super) struct Stored<'a> {
    pub(super) row: &'a [f64],
    pub(super) eq_active: &'a [bool],
}

impl Layout {
    pub(super) fn new(m: &Model) -> Self {
        let mut start = [0; NPART + 1];
        for part in 0..NPART {
            let size = if part == EQ_ACTIVE { 0 } else { m.state_size(bit(part)) };
            start[part + 1] = start[part] + size;
        }
        Self { start, row: start[NPART], neq: m.neq, nsensordata: m.nsensordata }
    }

    fn size(&self, part: usize) -> usize {
        if part == EQ_ACTIVE { self.neq } else { self.start[part + 1] - self.start[part] }
    }

    /// Writes the chosen parts, in MuJoCo's order; `out` has their size.
    pub(super) fn get(&self, parts: StateBits, from: Stored<'_>, out: &mut [f64]) {
        let mut rest = out;
        for part in (0..NPART).filter(|&part| parts.contains(bit(part))) {
            let now = cut(&mut rest, self.size(part));
            if part == EQ_ACTIVE {
                for (x, active) in now.iter_mut().zip(from.eq_active) {
                    *x = f64::from(u8::from(*active));
                }
            } else {
                now.copy_from_slice(&from.row[self.start[part]..self.start[part + 1]]);
            }
        }
    }

    /// Reads the chosen parts, in MuJoCo's order; `numbers` has their size.
    pub(super) fn set(&self, parts: StateBits, numbers: &[f64], row: &mut [f64], eq_active: &mut [bool]) {
        let mut rest = numbers;
        for part in (0..NPART).filter(|&part| parts.contains(bit(part))) {
            let (now, later) = rest.split_at(self.size(part));
            rest = later;
            if part == EQ_ACTIVE {
                for (active, x) in eq_active.iter_mut().zip(now) {
                    *active = *x != 0.0;
                }
            } else {
                row[self.start[part]..self.start[part + 1]].copy_from_slice(now);
            }
        }
    }
}

/// Puts a row into data that fits the model.
pub(super) fn load(from: Stored<'_>, d: &mut Data) {
    let mut rest = from.row;
    let mut next = |n: usize| {
        let (now, later) = rest.split_at(n);
        rest = later;
        now
    };
    d.time = next(1).first().copied().unwrap_or(0.0);
    for part in [&mut d.qpos, &mut d.qvel, &mut d.act, &mut d.history, &mut d.qacc_warmstart, &mut d.ctrl] {
        let n = part.len();
        part.copy_from_slice(next(n));
    }
    let n = d.qfrc_applied.len();
    d.qfrc_applied.copy_from_slice(next(n));
    let xfrc = d.xfrc_applied.as_flattened_mut();
    let n = xfrc.len();
    xfrc.copy_from_slice(next(n));
    for pos in &mut d.mocap_pos {
        *pos = Vec3::from_column_slice(next(3));
    }
    for quat in &mut d.mocap_quat {
        *quat = Quat::from_slice(next(4)).unwrap_or_default();
    }
    let n = d.userdata.len();
    d.userdata.copy_from_slice(next(n));
    d.eq_active.copy_from_slice(from.eq_active);
}

/// Takes a row out of data that fits the model.
pub(super) fn store(d: &Data, row: &mut [f64], eq_active: &mut [bool]) {
    let mut rest = row;
    cut(&mut rest, 1).fill(d.time);
    for part in [&d.qpos, &d.qvel, &d.act, &d.history, &d.qacc_warmstart, &d.ctrl, &d.qfrc_applied] {
        cut(&mut rest, part.len()).copy_from_slice(part);
    }
    let xfrc = d.xfrc_applied.as_flattened();
    cut(&mut rest, xfrc.len()).copy_from_slice(xfrc);
    for pos in &d.mocap_pos {
        cut(&mut rest, 3).copy_from_slice(pos.as_slice());
    }
    for quat in &d.mocap_quat {
        cut(&mut rest, 4).copy_from_slice(&quat.to_array());
    }
    cut(&mut rest, d.userdata.len()).copy_from_slice(&d.userdata);
    eq_active.copy_from_slice(&d.eq_active);
}

fn bit(part: usize) -> StateBits {
    StateBits::from_bits_truncate(1 << part)
}

/// Cuts the first `n` elements off a slice.
#[expect(clippy::mut_mut, reason = "the slice itself becomes shorter")]
pub(super) fn cut<'a, T>(rest: &mut &'a mut [T], n: usize) -> &'a mut [T] {
    let (now, later) = std::mem::take(rest).split_at_mut(n);
    *rest = later;
    now
}
