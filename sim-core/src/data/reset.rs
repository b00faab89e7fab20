//! Back to the reference pose or to a keyframe.

use super::Data;
use crate::error::ModelError;
use crate::model::Model;

impl Data {
    /// Back to the reference pose: everything zero but positions, mocap poses and the activity of equalities.
    #[doc(alias = "mj_resetData")]
    pub fn reset(&mut self, m: &Model) {
        self.resize_arrays(m);
        self.clear_arrays();
        self.time = 0.0;
        self.energy = [0.0; 2];
        self.warning = crate::warning::Warnings::default();
        self.lazy = super::LazyFlags::default();
        self.qpos.copy_from_slice(&m.qpos0);
        crate::actuation::history_reset(m, &mut self.history);
        self.eq_active.copy_from_slice(&m.eq_active0);
        for body in 0..m.nbody {
            if let Some(id) = m.body_mocapid[body].get() {
                self.mocap_pos[id] = m.body_pos[body];
                self.mocap_quat[id] = m.body_quat[body];
            }
        }
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
