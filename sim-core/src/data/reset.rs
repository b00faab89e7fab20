//! Back to the reference pose or to a keyframe.

use sim_types::{EnableFlags, SleepPolicy};

use super::Data;
use crate::error::ModelError;
use crate::island::wake::start_asleep;
use crate::island::{FULLY_AWAKE, update_sleep};
use crate::model::Model;
use crate::pipeline::{Mujoco, Skip, stages};

impl Model {
    /// Checks that the trees with sleep policy `Init` can start asleep: nothing that is awake touches or moves them.
    pub fn check_sleep(&self) -> Result<(), ModelError> {
        // a reset leaves what cannot sleep awake; this asks why
        self.make_data().start_sleep(self)
    }
}

impl Data {
    /// Back to the reference pose: everything zero but positions, mocap poses and the activity of equalities.
    #[doc(alias = "mj_resetData")]
    pub fn reset(&mut self, m: &Model) {
        self.resize_arrays(m);
        self.clear_arrays();
        self.contact.clear();
        self.time = 0.0;
        self.energy = [0.0; 2];
        self.solver_fwdinv = [0.0; 2];
        self.warning = crate::warning::Warnings::default();
        self.lazy = super::LazyFlags::default();
        self.restart = None;
        self.qpos.copy_from_slice(&m.qpos0);
        self.efc.clear();
        self.island.clear();
        crate::actuation::history_reset(m, &mut self.history);
        self.eq_active.copy_from_slice(&m.eq_active0);
        for body in 0..m.nbody {
            if let Some(id) = m.body_mocapid[body].get() {
                self.mocap_pos[id] = m.body_pos[body];
                self.mocap_quat[id] = m.body_quat[body];
            }
        }
        // trees that cannot start asleep stay awake: the compiler has refused such models
        if self.start_sleep(m).is_err() {
            self.tree_asleep.fill(FULLY_AWAKE);
            update_sleep(m, self, false);
        }
    }

    /// Everything awake, or asleep where the model says so.
    pub(crate) fn start_sleep(&mut self, m: &Model) -> Result<(), ModelError> {
        self.tree_asleep.fill(FULLY_AWAKE);
        let init = m.tree_sleep_policy.contains(&SleepPolicy::Init);
        if init && m.opt.enabled(EnableFlags::SLEEP) {
            update_sleep(m, self, true);
            // a pose without forces that make sense has nothing that could sleep
            let done = stages(m, self, &mut Mujoco::default(), Skip::Nothing);
            done.map_err(|e| ModelError::Inconsistent { what: e.to_string() })?;
            start_asleep(m, self)?;
        }
        update_sleep(m, self, false);
        Ok(())
    }

    /// Back to a keyframe of the model.
    #[doc(alias = "mj_resetDataKeyframe")]
    pub fn reset_to_keyframe(&mut self, m: &Model, key: usize) -> Result<(), ModelError> {
        if key >= m.nkey {
            return Err(ModelError::NoKeyframe { key, nkey: m.nkey });
        }
        self.reset(m);
        self.time = m.key_time[key];
        self.qpos.copy_from_slice(&m.key_qpos[key * m.nq..(key + 1) * m.nq]);
        self.qvel.copy_from_slice(&m.key_qvel[key * m.nv..(key + 1) * m.nv]);
        self.act.copy_from_slice(&m.key_act[key * m.na..(key + 1) * m.na]);
        self.ctrl.copy_from_slice(&m.key_ctrl[key * m.nu..(key + 1) * m.nu]);
        self.mocap_pos.copy_from_slice(&m.key_mpos[key * m.nmocap..(key + 1) * m.nmocap]);
        self.mocap_quat.copy_from_slice(&m.key_mquat[key * m.nmocap..(key + 1) * m.nmocap]);
        Ok(())
    }
}
