//! The state of one environment as slices with MuJoCo's names.

use super::Record;
use super::layout::{Stored, cut};
use crate::model::Model;
use crate::warning::Warnings;

/// The state of one environment. Every field is that of [`Data`](crate::Data).
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names say it; Data has the words")]
pub struct EnvRef<'a> {
    pub time: f64,
    pub qpos: &'a [f64],
    pub qvel: &'a [f64],
    pub act: &'a [f64],
    pub history: &'a [f64],
    pub qacc_warmstart: &'a [f64],
    pub ctrl: &'a [f64],
    pub qfrc_applied: &'a [f64],
    pub xfrc_applied: &'a [[f64; 6]],
    pub eq_active: &'a [bool],
    pub mocap_pos: &'a [[f64; 3]],
    pub mocap_quat: &'a [[f64; 4]],
    pub userdata: &'a [f64],
    pub sensordata: &'a [f64],
    pub warning: &'a Warnings,
    /// Contacts in the last step.
    pub ncon: usize,
    /// Constraint rows in the last step.
    pub nefc: usize,
}

/// The state of one environment, to be changed. Every field is that of [`Data`](crate::Data).
#[derive(Debug)]
#[allow(missing_docs, reason = "the names say it; Data has the words")]
pub struct EnvMut<'a> {
    pub time: &'a mut f64,
    pub qpos: &'a mut [f64],
    pub qvel: &'a mut [f64],
    pub act: &'a mut [f64],
    pub history: &'a mut [f64],
    pub qacc_warmstart: &'a mut [f64],
    pub ctrl: &'a mut [f64],
    pub qfrc_applied: &'a mut [f64],
    pub xfrc_applied: &'a mut [[f64; 6]],
    pub eq_active: &'a mut [bool],
    pub mocap_pos: &'a mut [[f64; 3]],
    pub mocap_quat: &'a mut [[f64; 4]],
    pub userdata: &'a mut [f64],
}

impl<'a> EnvRef<'a> {
    pub(super) fn new(m: &Model, from: Stored<'a>, sensordata: &'a [f64], record: &'a Record) -> Self {
        let mut rest = from.row;
        let mut next = |n: usize| {
            let (now, later) = rest.split_at(n);
            rest = later;
            now
        };
        Self {
            time: next(1).first().copied().unwrap_or(0.0),
            qpos: next(m.nq),
            qvel: next(m.nv),
            act: next(m.na),
            history: next(m.nhistory),
            qacc_warmstart: next(m.nv),
            ctrl: next(m.nu),
            qfrc_applied: next(m.nv),
            xfrc_applied: next(6 * m.nbody).as_chunks().0,
            eq_active: from.eq_active,
            mocap_pos: next(3 * m.nmocap).as_chunks().0,
            mocap_quat: next(4 * m.nmocap).as_chunks().0,
            userdata: next(m.nuserdata),
            sensordata,
            warning: &record.warning,
            ncon: record.ncon,
            nefc: record.nefc,
        }
    }
}

impl<'a> EnvMut<'a> {
    /// The views of a row, which holds at least the time.
    pub(super) fn new(m: &Model, row: &'a mut [f64], eq_active: &'a mut [bool]) -> Option<Self> {
        let mut rest = row;
        Some(Self {
            time: cut(&mut rest, 1).first_mut()?,
            qpos: cut(&mut rest, m.nq),
            qvel: cut(&mut rest, m.nv),
            act: cut(&mut rest, m.na),
            history: cut(&mut rest, m.nhistory),
            qacc_warmstart: cut(&mut rest, m.nv),
            ctrl: cut(&mut rest, m.nu),
            qfrc_applied: cut(&mut rest, m.nv),
            xfrc_applied: cut(&mut rest, 6 * m.nbody).as_chunks_mut().0,
            eq_active,
            mocap_pos: cut(&mut rest, 3 * m.nmocap).as_chunks_mut().0,
            mocap_quat: cut(&mut rest, 4 * m.nmocap).as_chunks_mut().0,
            userdata: cut(&mut rest, m.nuserdata),
        })
    }
}
