//! Taking elements out of a spec.

use super::adopt::{Adopt, Home, Namespace};
use super::index::Index;
use super::kinds::{Placed, with_dependent_lists, with_fixed_lists};
use super::*;
use crate::error::{Location, MjcfError, Problem};
use crate::limits::Limits;

impl Spec {
    /// Deletes a body with everything below it and everything that refers to it: contact pairs, excluded pairs, tendons,
    /// equality constraints, actuators, sensors. What could not be resolved before stays. Keyframes lose the values of
    /// what is deleted. Later elements move up.
    #[doc(alias = "mjs_delete")]
    pub fn delete_body(&mut self, body: usize) -> Result<(), MjcfError> {
        self.remove_body(body, Limits::default(), &mut |_, _| {}).map_err(|message| {
            let (at, name) = self.bodies.get(body).map_or_else(Default::default, |b| (b.at.clone(), b.name.clone()));
            Problem::invalid(&at, "body", &name, message).into()
        })
    }

    /// Deletes a body; `gone` hears of every record outside of the tree that goes with it.
    pub(crate) fn remove_body(
        &mut self,
        body: usize,
        limits: Limits,
        gone: &mut dyn FnMut(&Location, String),
    ) -> Result<(), String> {
        if body == Self::WORLD || body >= self.bodies.len() {
            return Err("only a body that exists, and not the world, can be deleted".to_owned());
        }

        // what can be resolved now and not afterwards goes; names matter only to those
        macro_rules! none {
            ($($list:ident)*) => { true $(&& self.$list.is_empty())* };
        }
        let named = !with_dependent_lists!(none);
        let names = |spec: &Self| if named { Index::of(spec) } else { Index::default() };
        let index = names(self);
        macro_rules! resolved {
            ($($list:ident)*) => { ($(resolved(&self.$list, self, &index),)*) };
        }
        let before = with_dependent_lists!(resolved);

        // MuJoCo copies the model first, and actuators that are copied forget what earlier keyframes say
        for (i, _) in resolved(&self.actuators, self, &index).iter().enumerate().filter(|(_, resolved)| **resolved) {
            self.pending.forget_actuator(i);
        }
        let mut pending = std::mem::take(&mut self.pending);
        let stored = self.store_keys(&mut pending, str::to_owned, limits.elements);
        self.pending = pending;
        stored?;
        self.keys.clear();
        self.remove_tree(body);
        let mut index = names(self);
        let actuators = self.actuators.len();
        let mut kept_actuators = Vec::new();
        macro_rules! retain {
            ($($list:ident)*) => {
                let ($($list,)*) = before;
                $(
                    let after = resolved(&self.$list, self, &index);
                    let keep: Vec<bool> = $list.iter().zip(after).map(|(before, after)| !before || after).collect();
                    report_gone(&self.$list, &keep, gone);
                    if keep.contains(&false) {
                        retain(&mut self.$list, &keep);
                        index.replace(&self.$list);
                    }
                    if stringify!($list) == "actuators" {
                        kept_actuators = keep;
                    }
                )*
            };
        }
        with_dependent_lists!(retain);
        debug_assert_eq!(kept_actuators.len(), actuators);
        let (same_joints, same_bodies) = (same(self.joints.len()), same(self.bodies.len()));
        self.pending.remap(&same_joints, &shifts(&kept_actuators), &same_bodies);
        Ok(())
    }

    /// Takes a body and all below it out of the tree.
    fn remove_tree(&mut self, body: usize) {
        let keep: Vec<bool> = below(self, body).into_iter().map(|inside| !inside).collect();
        let to = shifts(&keep);
        let body_to = |b: usize| to.get(b).copied().flatten();
        let frame_keep: Vec<bool> = self.frames.iter().map(|f| keep.get(f.body) != Some(&false)).collect();
        let frame_to = shifts(&frame_keep);
        let joint_keep: Vec<bool> = self.joints.iter().map(|j| keep.get(j.body) != Some(&false)).collect();
        self.pending.remap(&shifts(&joint_keep), &same(self.actuators.len()), &to);

        retain(&mut self.bodies, &keep);
        for body in &mut self.bodies {
            body.parent = body_to(body.parent).unwrap_or(body.parent);
            body.frame = body.frame.and_then(|f| frame_to.get(f).copied().flatten());
        }
        macro_rules! fixed {
            ($($list:ident)*) => {
                $(
                    let list = &mut self.$list;
                    list.retain(|element| keep.get(element.body()) != Some(&false));
                    for element in list {
                        *element.body_mut() = body_to(element.body()).unwrap_or(element.body());
                        let frame = element.frame().and_then(|f| frame_to.get(f).copied().flatten());
                        *element.frame_mut() = frame;
                    }
                )*
            };
        }
        fixed! { frames }
        with_fixed_lists!(fixed);
    }

    /// Deletes a frame; what stands in it stands in the frame around it from now on.
    pub fn delete_frame(&mut self, frame: usize) -> Option<Frame> {
        if frame >= self.frames.len() {
            return None;
        }
        let deleted = self.frames.remove(frame);
        let follow = |f: &mut Option<usize>| {
            *f = match *f {
                Some(i) if i == frame => deleted.frame,
                Some(i) if i > frame => Some(i - 1),
                other => other,
            };
        };
        macro_rules! fixed {
            ($($list:ident)*) => { $(self.$list.iter_mut().for_each(|e| follow(&mut e.frame));)* };
        }
        fixed! { bodies frames }
        with_fixed_lists!(fixed);
        Some(deleted)
    }

    /// Deletes a default class and the classes nested in it. Elements keep what they took from it and belong to `main`.
    ///
    /// `main` itself cannot be deleted.
    pub fn delete_class(&mut self, class: usize) -> Option<DefaultClass> {
        if class == Self::MAIN || class >= self.defaults.len() {
            return None;
        }
        let mut keep = vec![true; self.defaults.len()];
        keep[class] = false;
        // a class comes after the one it is nested in
        for i in class + 1..self.defaults.len() {
            keep[i] = self.defaults[i].parent.is_none_or(|p| keep.get(p) != Some(&false));
        }
        let to = shifts(&keep);
        let deleted = self.defaults.get(class).cloned();
        retain(&mut self.defaults, &keep);
        let follow = |c: &mut usize| *c = to.get(*c).copied().flatten().unwrap_or(Self::MAIN);
        for class in &mut self.defaults {
            class.parent.iter_mut().for_each(follow);
        }
        macro_rules! follow {
            ($($list:ident)*) => {
                $(for record in &mut self.$list {
                    kinds::Refers::for_each_index(record, &mut |class| follow(class), &mut |_| {});
                })*
            };
        }
        follow! { bodies frames }
        with_fixed_lists!(follow);
        kinds::with_asset_lists!(follow);
        kinds::with_referring_lists!(follow);
        deleted
    }
}

/// One deletion per kind of element that nothing else depends on by index.
macro_rules! deletions {
    ($($(#[$doc:meta])* $function:ident: $list:ident $type:ident;)*) => {
        impl Spec {
            $($(#[$doc])*
            /// Later ones move up. What refers to it by name is not looked for: compilation then says what is missing.
            pub fn $function(&mut self, index: usize) -> Option<$type> {
                if index >= self.$list.len() {
                    return None;
                }
                let mut keep = vec![true; self.$list.len()];
                keep[index] = false;
                match stringify!($list) {
                    "joints" => {
                        let (actuators, bodies) = (same(self.actuators.len()), same(self.bodies.len()));
                        self.pending.remap(&shifts(&keep), &actuators, &bodies);
                    }
                    "actuators" => {
                        let (joints, bodies) = (same(self.joints.len()), same(self.bodies.len()));
                        self.pending.remap(&joints, &shifts(&keep), &bodies);
                    }
                    _ => {}
                }
                Some(self.$list.remove(index))
            })*
        }
    };
}

deletions! {
    /// Deletes a joint. Keyframes are not shortened.
    delete_joint: joints Joint;
    /// Deletes a geom.
    delete_geom: geoms Geom;
    /// Deletes a site.
    delete_site: sites Site;
    /// Deletes a camera.
    delete_camera: cameras Camera;
    /// Deletes a light.
    delete_light: lights Light;
    /// Deletes a mesh.
    delete_mesh: meshes Mesh;
    /// Deletes a height field.
    delete_hfield: hfields Hfield;
    /// Deletes a skin.
    delete_skin: skins Skin;
    /// Deletes a flex.
    delete_flex: flexes Flex;
    /// Deletes a material.
    delete_material: materials Material;
    /// Deletes a texture.
    delete_texture: textures Texture;
    /// Deletes a contact pair.
    delete_pair: pairs Pair;
    /// Deletes an excluded body pair.
    delete_exclude: excludes Exclude;
    /// Deletes an equality constraint.
    delete_equality: equalities Equality;
    /// Deletes a tendon.
    delete_tendon: tendons Tendon;
    /// Deletes an actuator. Keyframes are not shortened.
    delete_actuator: actuators Actuator;
    /// Deletes a sensor.
    delete_sensor: sensors Sensor;
    /// Deletes a numeric.
    delete_numeric: numerics Numeric;
    /// Deletes a text.
    delete_text: texts Text;
    /// Deletes a tuple.
    delete_tuple: tuples Tuple;
    /// Deletes a keyframe.
    delete_key: keys Key;
}

/// Which records of a list can be resolved.
fn resolved<T: Adopt>(list: &[T], spec: &Spec, index: &Index) -> Vec<bool> {
    let home = Home { spec, index };
    list.iter().map(|record| record.clone().adopt(&Namespace::default(), home).is_ok()).collect()
}

fn report_gone<T: Adopt>(list: &[T], keep: &[bool], gone: &mut dyn FnMut(&Location, String)) {
    for (record, _) in list.iter().zip(keep).filter(|(_, keep)| !**keep) {
        gone(record.at(), format!("{} '{}'", T::WORD, record.name()));
    }
}

/// Bodies at or below one body.
fn below(spec: &Spec, body: usize) -> Vec<bool> {
    let mut children = vec![Vec::new(); spec.bodies.len()];
    for (i, b) in spec.bodies.iter().enumerate().skip(1) {
        if let Some(list) = children.get_mut(b.parent) {
            list.push(i);
        }
    }
    let mut inside = vec![false; spec.bodies.len()];
    let mut todo = vec![body];
    while let Some(body) = todo.pop() {
        if body != Spec::WORLD && !std::mem::replace(&mut inside[body], true) {
            todo.append(&mut children[body]);
        }
    }
    inside
}

/// New index of every element that is kept.
fn shifts(keep: &[bool]) -> Vec<Option<usize>> {
    let mut next = 0..;
    keep.iter().map(|&keep| if keep { next.next() } else { None }).collect()
}

fn same(n: usize) -> Vec<Option<usize>> {
    (0..n).map(Some).collect()
}

fn retain<T>(list: &mut Vec<T>, keep: &[bool]) {
    let mut keep = keep.iter();
    list.retain(|_| keep.next().is_none_or(|keep| *keep));
}
