//! Keyframes: vectors that are absent become the initial state, short ones are padded.

use super::pose::{normalize, normalized};
use super::tree::Body;
use crate::error::Problems;
use crate::spec::{Key, Spec};
use sim_core::Model;
use sim_types::{JointType, Quat, Vec3};

/// What short vectors are padded with. MuJoCo takes it from the model as written, before anything is compiled.
pub(super) struct Reference {
    qpos: Vec<f64>,
    mpos: Vec<f64>,
    mquat: Vec<f64>,
}

/// The padding, from bodies in final order that are not compiled yet.
///
/// A hinge gives its `ref` unconverted. A joint counts as what its default class says, because MuJoCo looks at the
/// element's own type only later: a free or ball joint whose class says nothing is treated as a hinge.
#[doc(alias = "mjCModel::ComputeReference")]
pub(super) fn reference(spec: &Spec, bodies: &[Body<'_>]) -> Reference {
    let mut r = Reference { qpos: Vec::new(), mpos: Vec::new(), mquat: Vec::new() };
    for body in bodies {
        if body.spec.mocap {
            r.mpos.extend_from_slice(body.spec.pos.as_slice());
            r.mquat.extend_from_slice(&body.spec.quat.to_array());
        }
        for joint in &body.joints {
            let class_type = spec.defaults.get(joint.spec.class).map_or(JointType::Hinge, |c| c.joint.r#type);
            let mut values = [0.0; 7];
            match class_type {
                JointType::Free => {
                    values[..3].copy_from_slice(body.spec.pos.as_slice());
                    values[3..].copy_from_slice(&body.spec.quat.to_array());
                }
                JointType::Ball => values[0] = 1.0,
                JointType::Slide | JointType::Hinge => values[0] = joint.spec.r#ref,
            }
            r.qpos.extend_from_slice(&values[..joint.spec.r#type.nq()]);
        }
    }
    r
}

/// Fills the `key_*` arrays; the tree's arrays and sizes must be there already.
#[doc(alias = "mjCKey::Compile")]
pub(super) fn fill(spec: &Spec, reference: &Reference, m: &mut Model, problems: &mut Problems) {
    // where a keyframe says nothing: the initial state
    let (mut mpos, mut mquat) = (vec![0.0; 3 * m.nmocap], vec![0.0; 4 * m.nmocap]);
    for (body, id) in m.body_mocapid.iter().enumerate() {
        if let Some(id) = id.get() {
            mpos[3 * id..3 * id + 3].copy_from_slice(m.body_pos[body].as_slice());
            mquat[4 * id..4 * id + 4].copy_from_slice(&m.body_quat[body].to_array());
        }
    }

    let missing = Key::default();
    for i in 0..m.nkey {
        let key = spec.keys.get(i).unwrap_or(&missing);
        m.key_time.push(key.time);
        let zero = vec![0.0; m.nv.max(m.na).max(m.nu)];
        let mut vector = |(what, unit): (&str, usize), given: &[f64], initial: &[f64], padding: &[f64]| {
            if given.is_empty() {
                return initial.to_vec();
            }
            if given.len() > initial.len() {
                let message = format!("{what} must have {} numbers, not {}", initial.len(), given.len());
                problems.invalid(&key.at, "key", &key.name, message);
            }
            // padding starts after the last whole unit
            let whole = if given.len() < initial.len() { given.len() / unit * unit } else { given.len() };
            let rest = padding.get(whole..initial.len()).unwrap_or_default();
            given[..whole].iter().chain(rest).copied().collect()
        };
        let mut qpos = vector(("qpos", 1), &key.qpos, &m.qpos0, &reference.qpos);
        let qvel = vector(("qvel", 1), &key.qvel, &zero[..m.nv], &zero);
        let act = vector(("act", 1), &key.act, &zero[..m.na], &zero);
        let ctrl = vector(("ctrl", 1), &key.ctrl, &zero[..m.nu], &zero);
        let mpos = vector(("mpos", 3), &key.mpos, &mpos, &reference.mpos);
        let mquat = vector(("mquat", 4), &key.mquat, &mquat, &reference.mquat);
        normalize_qpos(m, &mut qpos);
        m.key_qpos.extend(qpos);
        m.key_qvel.extend(qvel);
        m.key_act.extend(act);
        m.key_ctrl.extend(ctrl);
        m.key_mpos.extend(mpos.chunks_exact(3).map(Vec3::from_column_slice));
        m.key_mquat.extend(mquat.chunks_exact(4).filter_map(Quat::from_slice).map(normalized));
    }
}

/// Scales the quaternions inside `qpos` to length one; a zero one becomes the identity.
fn normalize_qpos(m: &Model, qpos: &mut [f64]) {
    for (kind, adr) in m.jnt_type.iter().zip(&m.jnt_qposadr) {
        let adr = *adr as usize
            + match kind {
                JointType::Free => 3,
                JointType::Ball => 0,
                JointType::Slide | JointType::Hinge => continue,
            };
        if let Some(part) = qpos.get_mut(adr..adr + 4) {
            normalize(part);
            let unit = Quat::from_slice(part).unwrap_or_default().normalized();
            part.copy_from_slice(&unit.to_array());
        }
    }
}
