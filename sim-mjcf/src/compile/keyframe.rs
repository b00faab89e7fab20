//! Keyframes: vectors that are absent become the initial state, short ones are padded.

use super::pose::{normalize, normalized};
use crate::error::Problems;
use crate::spec::pending::{Layout, PendingKey, State};
use crate::spec::{Key, Spec};
use sim_core::Model;
use sim_types::{JointType, Quat, Vec3};

/// Fills the `key_*` arrays; the tree's arrays and sizes must be there already.
#[doc(alias = "mjCKey::Compile")]
pub(super) fn fill(spec: &Spec, reference: &Layout, m: &mut Model, problems: &mut Problems) {
    // where a keyframe says nothing: the initial state
    let (mut mpos, mut mquat) = (vec![0.0; 3 * m.nmocap], vec![0.0; 4 * m.nmocap]);
    for (body, id) in m.body_mocapid.iter().enumerate() {
        if let Some(id) = id.get() {
            mpos[3 * id..3 * id + 3].copy_from_slice(m.body_pos[body].as_slice());
            mquat[4 * id..4 * id + 4].copy_from_slice(&m.body_quat[body].to_array());
        }
    }

    let keys = all(spec, reference, m, &mpos, &mquat);
    for key in &keys {
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
            if given.len() < initial.len() {
                let message =
                    format!("{what} has {} of {} numbers; the others are filled in", given.len(), initial.len());
                problems.warn(&key.at, format!("keyframe '{}': {message}", key.name));
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

/// All keyframes: those of the spec, empty ones up to the number asked for, then those of attached parts.
#[doc(alias = "mjCModel::ResolveKeyframes")]
fn all(spec: &Spec, layout: &Layout, m: &Model, mpos: &[f64], mquat: &[f64]) -> Vec<Key> {
    let mut keys = spec.keys.clone();
    keys.resize(m.nkey.saturating_sub(spec.pending.keys.len()).max(keys.len()), Key::default());
    for pending in &spec.pending.keys {
        keys.push(Key { name: pending.name.clone(), at: pending.at.clone(), ..Key::default() });
    }
    for pending in &spec.pending.keys {
        // of several keyframes without a name all values go to the last
        let (key, state) = (keys.iter_mut().rfind(|k| k.name == pending.name), spec.pending.states.get(&pending.name));
        if let (Some(key), Some(state)) = (key, state) {
            assemble(key, pending, state, layout, m);
            if pending.given[4] {
                key.mpos = mocap(&layout.mocap, mpos, |body| state.mpos.get(&body));
            }
            if pending.given[5] {
                key.mquat = mocap(&layout.mocap, mquat, |body| state.mquat.get(&body));
            }
        }
    }
    keys
}

/// Puts the values of joints and actuators together; what has none is at its reference.
fn assemble(key: &mut Key, pending: &PendingKey, state: &State, layout: &Layout, m: &Model) {
    let [qpos, qvel, act, ctrl, ..] = pending.given;
    key.time = pending.time;
    if qpos {
        key.qpos.clone_from(&m.qpos0);
    }
    if qvel {
        key.qvel = vec![0.0; m.nv];
    }
    if act {
        key.act = vec![0.0; m.na];
    }
    if ctrl {
        key.ctrl = vec![0.0; m.nu];
    }
    for (&(joint, _, _), id) in layout.joints.iter().zip(0..m.njnt) {
        let (kind, qposadr, dofadr) = (m.jnt_type[id], m.jnt_qposadr[id] as usize, m.jnt_dofadr[id] as usize);
        let place = key.qpos.get_mut(qposadr..qposadr + kind.nq());
        if let (Some(place), Some(values)) = (place, state.qpos.get(&joint).filter(|v| !v[0].is_nan())) {
            place.copy_from_slice(&values[..kind.nq()]);
        }
        let place = key.qvel.get_mut(dofadr..dofadr + kind.nv());
        if let (Some(place), Some(values)) = (place, state.qvel.get(&joint).filter(|v| !v[0].is_nan())) {
            place.copy_from_slice(&values[..kind.nv()]);
        }
    }
    for (&actuator, values) in &state.act {
        let Some(adr) = m.actuator_actadr.get(actuator).and_then(|adr| adr.get()) else { continue };
        if !values.first().is_some_and(|v| v.is_nan()) {
            for (place, value) in key.act.iter_mut().skip(adr).zip(values) {
                *place = *value;
            }
        }
    }
    for (&actuator, &value) in &state.ctrl {
        if let Some(place) = key.ctrl.get_mut(actuator).filter(|_| !value.is_nan()) {
            *place = value;
        }
    }
}

/// Values of all mocap bodies; what has none is at its reference.
fn mocap<'a, const N: usize>(
    bodies: &[usize],
    reference: &[f64],
    value: impl Fn(usize) -> Option<&'a [f64; N]>,
) -> Vec<f64> {
    let mut values = reference.to_vec();
    for (&body, place) in bodies.iter().zip(values.chunks_exact_mut(N)) {
        if let Some(given) = value(body).filter(|v| !v[0].is_nan()) {
            place.copy_from_slice(given);
        }
    }
    values
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
