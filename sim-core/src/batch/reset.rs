//! Environments back to the reference pose or to a keyframe.

use std::sync::Arc;

use super::{BatchSim, StepStatus, layout};
use crate::data::Data;
use crate::error::ModelError;
use crate::model::Model;
use crate::warning::Warnings;

impl BatchSim {
    /// Resets one environment as [`Data::reset`] does: everything that the user or a step set is gone. `None` when there is
    /// no such environment.
    pub fn reset(&mut self, env: usize) -> Option<()> {
        let plain = self.records.get(env)?.own.is_none();
        if plain && Arc::ptr_eq(&self.models[env], self.crew.model()) {
            let (row, neq) = (self.layout.row, self.layout.neq);
            self.rows[env * row..][..row].copy_from_slice(&self.start.0);
            self.eq_active[env * neq..][..neq].copy_from_slice(&self.start.1);
            self.forget(env);
            return Some(());
        }
        self.reset_by(env, |m, d| d.reset(m));
        Some(())
    }

    /// Resets the environments whose entry is true. A short mask leaves the rest alone, surplus entries are ignored.
    pub fn reset_where(&mut self, mask: &[bool]) {
        for (env, _) in mask.iter().enumerate().filter(|(_, reset)| **reset) {
            if self.reset(env).is_none() {
                break;
            }
        }
    }

    /// Resets all environments.
    pub fn reset_all(&mut self) {
        for env in 0..self.len() {
            self.reset(env);
        }
    }

    /// Resets one environment to a keyframe of its model. `None` when there is no such environment; an error, and nothing
    /// changed, when there is no such keyframe.
    pub fn reset_to_keyframe(&mut self, env: usize, key: usize) -> Option<Result<(), ModelError>> {
        let nkey = self.models.get(env)?.nkey;
        if key >= nkey {
            return Some(Err(ModelError::NoKeyframe { key, nkey }));
        }
        let mut done = Ok(());
        self.reset_by(env, |m, d| done = d.reset_to_keyframe(m, key));
        Some(done)
    }

    /// Resets an environment by a function on data that fits its model.
    fn reset_by(&mut self, env: usize, f: impl FnOnce(&Model, &mut Data)) {
        let m = Arc::clone(&self.models[env]);
        let mut own = self.records[env].own.take();
        let worker = self.crew.first();
        let d = own.as_deref_mut().unwrap_or(worker);
        f(&m, d);
        let (row, neq) = (self.layout.row, self.layout.neq);
        let eq_active = &mut self.eq_active[env * neq..][..neq];
        layout::store(d, &mut self.rows[env * row..][..row], eq_active);
        self.records[env].own = own;
        self.forget(env);
    }

    /// What is known of the steps before a reset.
    fn forget(&mut self, env: usize) {
        let nsensordata = self.layout.nsensordata;
        self.sensordata[env * nsensordata..][..nsensordata].fill(0.0);
        let record = &mut self.records[env];
        record.warning = Warnings::default();
        (record.ncon, record.nefc) = (0, 0);
        record.error = None;
        self.status[env] = StepStatus::Ok;
    }
}
