//! Keyframes while the tree changes: their values are kept per joint, actuator and mocap body, and put together again
//! when the model is compiled.
//!
//! A keyframe is a list of numbers, which means nothing without the model it was written for. When a part with
//! keyframes is attached, or a body is deleted, the numbers are handed out to the elements they belong to. Elements that
//! come later are at their reference in such a keyframe.

use super::{Key, Spec};
use crate::error::{Location, Warning};
use sim_types::{DynType, JointType};
use std::collections::BTreeMap;

/// Keyframes whose values are kept by the elements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pending {
    pub(crate) keys: Vec<PendingKey>,
    pub(crate) states: BTreeMap<String, State>,
}

/// A keyframe that is put together at compilation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PendingKey {
    pub(crate) name: String,
    pub(crate) time: f64,
    /// Which of qpos, qvel, act, ctrl, mpos, mquat were given.
    pub(crate) given: [bool; 6],
    pub(crate) at: Location,
}

/// Values by index of joint, actuator or body. What is not there is at its reference.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    pub(crate) qpos: BTreeMap<usize, [f64; 7]>,
    pub(crate) qvel: BTreeMap<usize, [f64; 6]>,
    pub(crate) act: BTreeMap<usize, Vec<f64>>,
    pub(crate) ctrl: BTreeMap<usize, f64>,
    pub(crate) mpos: BTreeMap<usize, [f64; 3]>,
    pub(crate) mquat: BTreeMap<usize, [f64; 4]>,
}

/// Where the values of every element stand in the vectors of a keyframe, as far as the spec says.
#[derive(Default)]
pub(crate) struct Layout {
    /// Joints with their addresses in qpos and qvel.
    pub(crate) joints: Vec<(usize, usize, usize)>,
    /// Bodies in the order of their mocap ids.
    pub(crate) mocap: Vec<usize>,
    /// Actuators with state: their address and number of values in act.
    acts: Vec<(usize, usize, usize)>,
    nv: usize,
    na: usize,
    nu: usize,
    /// What short vectors are padded with. MuJoCo takes it from the model as written.
    pub(crate) qpos: Vec<f64>,
    pub(crate) mpos: Vec<f64>,
    pub(crate) mquat: Vec<f64>,
}

impl Layout {
    /// The layout of a spec that is not compiled.
    ///
    /// A hinge's reference is its `ref`, unconverted. A joint counts as what its default class says, because MuJoCo looks
    /// at the element's own type only later: a free or ball joint whose class says nothing is treated as a hinge.
    #[doc(alias = "mjCModel::ComputeReference")]
    pub(crate) fn of(spec: &Spec) -> Self {
        let mut layout = Self { nu: spec.actuators.len(), ..Self::default() };
        let mut joints = vec![Vec::new(); spec.bodies.len()];
        for (i, joint) in spec.joints.iter().enumerate() {
            if let Some(list) = joints.get_mut(joint.body) {
                list.push(i);
            }
        }
        for body in depth_first(spec) {
            layout.add_body(spec, body, &joints[body]);
        }
        for (i, actuator) in spec.actuators.iter().enumerate() {
            let own = usize::try_from(actuator.actdim).unwrap_or(0);
            let number = if own > 0 { own } else { usize::from(actuator.dyntype != DynType::None) };
            if number > 0 {
                layout.acts.push((i, layout.na, number));
                layout.na = layout.na.saturating_add(number);
            }
        }
        layout
    }

    fn add_body(&mut self, spec: &Spec, index: usize, joints: &[usize]) {
        let body = &spec.bodies[index];
        if body.mocap {
            self.mocap.push(index);
            self.mpos.extend_from_slice(body.pos.as_slice());
            self.mquat.extend_from_slice(&body.quat.to_array());
        }
        for &i in joints {
            let joint = &spec.joints[i];
            self.joints.push((i, self.qpos.len(), self.nv));
            self.nv += joint.r#type.nv();
            let class = spec.defaults.get(joint.class).filter(|_| !joint.freejoint);
            let class_type = class.map_or(JointType::Hinge, |c| c.joint.r#type);
            let mut values = [0.0; 7];
            match class_type {
                JointType::Free => {
                    values[..3].copy_from_slice(body.pos.as_slice());
                    values[3..].copy_from_slice(&body.quat.to_array());
                }
                JointType::Ball => values[0] = 1.0,
                JointType::Slide | JointType::Hinge => values[0] = joint.r#ref,
            }
            self.qpos.extend_from_slice(&values[..joint.r#type.nq()]);
        }
    }

    /// How many values a state holds.
    fn len(&self) -> usize {
        2 * self.joints.len() + self.na + self.nu + 2 * self.mocap.len()
    }
}

/// Bodies in the order of their ids; those that do not hang on the world are left out.
pub(crate) fn depth_first(spec: &Spec) -> Vec<usize> {
    let mut children = vec![Vec::new(); spec.bodies.len()];
    for (i, body) in spec.bodies.iter().enumerate().skip(1) {
        if let Some(list) = children.get_mut(body.parent) {
            list.push(i);
        }
    }
    let mut order = Vec::with_capacity(spec.bodies.len());
    let mut stack: Vec<usize> = spec.bodies.first().map(|_| Spec::WORLD).into_iter().collect();
    while let Some(body) = stack.pop() {
        // a body is the child of one other, so that none comes twice
        stack.extend(std::mem::take(&mut children[body]).into_iter().rev());
        order.push(body);
    }
    order
}

impl Spec {
    /// Pads keyframes that are too short for the model as it is now; says which.
    #[doc(alias = "mjCModel::ExpandAllKeyframes")]
    pub(crate) fn pad_keys(&mut self) -> Vec<Warning> {
        let mut padded = Vec::new();
        if self.keys.is_empty() {
            return padded;
        }
        let layout = Layout::of(self);
        let zero = vec![0.0; layout.nv.max(layout.nu)];
        for key in &mut self.keys {
            let before = size(key);
            pad(&mut key.qpos, &layout.qpos, 1);
            pad(&mut key.qvel, &zero[..layout.nv], 1);
            if !key.act.is_empty() && key.act.len() < layout.na && layout.na < MAX_ACT {
                key.act.resize(layout.na, 0.0);
            }
            pad(&mut key.ctrl, &zero[..layout.nu], 1);
            pad(&mut key.mpos, &layout.mpos, 3);
            pad(&mut key.mquat, &layout.mquat, 4);
            if size(key) != before {
                let message = format!("keyframe '{}' is filled up for what is attached", key.name);
                padded.push(Warning { at: key.at.clone(), message });
            }
        }
        padded
    }

    /// Hands the values of all keyframes out to the elements, under new names.
    ///
    /// The error says which keyframe does not fit the model, or that there are too many values.
    #[doc(alias = "mjCModel::StoreKeyframes")]
    pub(crate) fn store_keys(
        &self,
        into: &mut Pending,
        rename: impl Fn(&str) -> String,
        limit: usize,
    ) -> Result<(), String> {
        if self.keys.is_empty() {
            return Ok(());
        }
        let layout = Layout::of(self);
        let values = self.keys.len().saturating_add(into.keys.len()).saturating_mul(layout.len());
        if values > limit {
            return Err(format!("its keyframes would hold {values} values, and the limit is {limit}"));
        }
        for key in &self.keys {
            check_sizes(key, &layout)?;
            let name = rename(&key.name);
            store(key, &layout, into.states.entry(name.clone()).or_default(), self);
            let vectors = [&key.qpos, &key.qvel, &key.act, &key.ctrl, &key.mpos, &key.mquat];
            let given = vectors.map(|v| !v.is_empty());
            into.keys.push(PendingKey { name, time: key.time, given, at: key.at.clone() });
        }
        Ok(())
    }
}

/// Activations beyond which nothing is padded: such a model is refused later.
const MAX_ACT: usize = 1 << 24;

/// Numbers in a keyframe.
fn size(key: &Key) -> usize {
    [&key.qpos, &key.qvel, &key.act, &key.ctrl, &key.mpos, &key.mquat].into_iter().map(Vec::len).sum()
}

fn pad(vector: &mut Vec<f64>, reference: &[f64], unit: usize) {
    if !vector.is_empty() && vector.len() < reference.len() {
        vector.truncate(vector.len() / unit * unit);
        let rest = &reference[vector.len()..];
        vector.extend_from_slice(rest);
    }
}

fn check_sizes(key: &Key, layout: &Layout) -> Result<(), String> {
    let sizes = [
        ("qpos", key.qpos.len(), layout.qpos.len()),
        ("qvel", key.qvel.len(), layout.nv),
        ("act", key.act.len(), layout.na),
        ("ctrl", key.ctrl.len(), layout.nu),
        ("mpos", key.mpos.len(), layout.mpos.len()),
        ("mquat", key.mquat.len(), layout.mquat.len()),
    ];
    for (what, got, want) in sizes {
        if got != 0 && got != want {
            return Err(format!(
                "{what} of keyframe '{}' must have {want} numbers, as many as the model has at this point, not {got}",
                key.name
            ));
        }
    }
    Ok(())
}

/// Hands out the values of one keyframe; all sizes are right.
fn store(key: &Key, layout: &Layout, state: &mut State, spec: &Spec) {
    for &(joint, qposadr, dofadr) in &layout.joints {
        let kind = spec.joints[joint].r#type;
        if let Some(values) = key.qpos.get(qposadr..qposadr + kind.nq()) {
            let mut all = [0.0; 7];
            all[..values.len()].copy_from_slice(values);
            state.qpos.insert(joint, all);
        }
        if let Some(values) = key.qvel.get(dofadr..dofadr + kind.nv()) {
            let mut all = [0.0; 6];
            all[..values.len()].copy_from_slice(values);
            state.qvel.insert(joint, all);
        }
    }
    for &(actuator, adr, number) in &layout.acts {
        if let Some(values) = key.act.get(adr..adr + number) {
            state.act.insert(actuator, values.to_vec());
        }
    }
    for (actuator, &value) in key.ctrl.iter().enumerate() {
        state.ctrl.insert(actuator, value);
    }
    for (id, &body) in layout.mocap.iter().enumerate() {
        if let Some(&[x, y, z]) = key.mpos.get(3 * id..3 * id + 3) {
            state.mpos.insert(body, [x, y, z]);
        }
        if let Some(&[w, x, y, z]) = key.mquat.get(4 * id..4 * id + 4) {
            state.mquat.insert(body, [w, x, y, z]);
        }
    }
}

/// Copies one kind of value in every state.
macro_rules! copy_values {
    ($self:ident, $other:ident, $from:ident, $to:ident, $field:ident) => {
        match $other {
            Some(other) => {
                for (name, source) in &other.states {
                    if let Some(value) = source.$field.get(&$from) {
                        $self.states.entry(name.clone()).or_default().$field.insert($to, value.clone());
                    }
                }
            }
            None => {
                for state in $self.states.values_mut() {
                    if let Some(value) = state.$field.get(&$from).cloned() {
                        state.$field.insert($to, value);
                    }
                }
            }
        }
    };
}

impl Pending {
    /// True if there is nothing to put together.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Gives joint `to` the values of joint `from`, of another spec if there is one.
    pub(crate) fn copy_joint(&mut self, other: Option<&Self>, from: usize, to: usize) {
        copy_values!(self, other, from, to, qpos);
        copy_values!(self, other, from, to, qvel);
    }

    /// Gives actuator `to` the values of actuator `from`, of another spec if there is one.
    pub(crate) fn copy_actuator(&mut self, other: Option<&Self>, from: usize, to: usize) {
        copy_values!(self, other, from, to, act);
        copy_values!(self, other, from, to, ctrl);
    }

    /// Gives body `to` the values of body `from`, of another spec if there is one.
    pub(crate) fn copy_body(&mut self, other: Option<&Self>, from: usize, to: usize) {
        copy_values!(self, other, from, to, mpos);
        copy_values!(self, other, from, to, mquat);
    }

    pub(crate) fn forget_joint(&mut self, joint: usize) {
        for state in self.states.values_mut() {
            state.qpos.remove(&joint);
            state.qvel.remove(&joint);
        }
    }

    pub(crate) fn forget_actuator(&mut self, actuator: usize) {
        for state in self.states.values_mut() {
            state.act.remove(&actuator);
            state.ctrl.remove(&actuator);
        }
    }

    pub(crate) fn forget_body(&mut self, body: usize) {
        for state in self.states.values_mut() {
            state.mpos.remove(&body);
            state.mquat.remove(&body);
        }
    }

    /// Follows elements to new indices; those without one are forgotten.
    pub(crate) fn remap(&mut self, joints: &[Option<usize>], actuators: &[Option<usize>], bodies: &[Option<usize>]) {
        for state in self.states.values_mut() {
            move_entries(&mut state.qpos, joints);
            move_entries(&mut state.qvel, joints);
            move_entries(&mut state.act, actuators);
            move_entries(&mut state.ctrl, actuators);
            move_entries(&mut state.mpos, bodies);
            move_entries(&mut state.mquat, bodies);
        }
    }
}

fn move_entries<T>(map: &mut BTreeMap<usize, T>, to: &[Option<usize>]) {
    let old = std::mem::take(map);
    *map = old.into_iter().filter_map(|(from, value)| Some((to.get(from).copied().flatten()?, value))).collect();
}
