//! Compiling a spec in code: from text, from a file, and again after an edit, with the state kept.

use crate::error::MjcfError;
use crate::spec::Spec;
use crate::{LoadOptions, LoadReport, Memory, Source};
use sim_core::{Data, Model};
use sim_types::{ObjType, OptId};
use std::collections::HashMap;

impl Spec {
    /// A spec of an empty world.
    #[doc(alias = "mj_makeSpec")]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads MJCF text. Files that it names are not looked for: see [`crate::load_spec`].
    ///
    /// ```
    /// let (mut spec, _) = sim_mjcf::Spec::parse("<mujoco><worldbody><body name='a'/></worldbody></mujoco>")?;
    /// spec.delete_body(spec.find_body("a").unwrap())?;
    /// assert_eq!(spec.compile()?.nbody, 1);
    /// # Ok::<(), sim_mjcf::MjcfError>(())
    /// ```
    #[doc(alias = "mj_parseXMLString")]
    pub fn parse(xml: &str) -> Result<(Self, LoadReport), MjcfError> {
        const NAME: &str = "<string>";
        crate::load_spec(&Memory::from([(NAME, xml)]), NAME, LoadOptions::default())
    }

    /// Reads an MJCF file.
    #[cfg(not(target_arch = "wasm32"))]
    #[doc(alias = "mj_parseXML")]
    pub fn from_file(path: impl AsRef<std::path::Path>) -> Result<(Self, LoadReport), MjcfError> {
        let path = path.as_ref();
        let Some(name) = path.to_str() else {
            return Err(crate::unreadable(&path.to_string_lossy(), "the path is not UTF-8"));
        };
        crate::load_spec(&crate::Files, name, LoadOptions::default())
    }

    /// Compiles a spec that needs no files; [`crate::compile()`] is for those that do.
    #[doc(alias = "mj_compile")]
    pub fn compile(&self) -> Result<Model, MjcfError> {
        crate::compile(self, &Memory::new(), LoadOptions::default()).map(|loaded| loaded.model)
    }

    /// Compiles the spec again after an edit and carries the state over: positions, velocities, activations, controls,
    /// mocap poses and time. What is new, or has another type than before, is at its reference.
    ///
    /// Elements are recognised by name. One without a name is recognised by its body and its place among the nameless
    /// elements of that body.
    ///
    /// ```
    /// use sim_mjcf::spec::Geom;
    ///
    /// let xml = "<mujoco><worldbody><body name='a'><joint name='j'/><geom size='.1'/></body></worldbody></mujoco>";
    /// let (mut spec, _) = sim_mjcf::Spec::parse(xml)?;
    /// let model = spec.compile()?;
    /// let mut data = model.make_data();
    /// data.qpos[0] = 0.3;
    /// spec.add_body(0, "b");
    /// let (model, data) = spec.recompile((&model, &data), &sim_mjcf::Memory::new(), Default::default())?;
    /// assert_eq!((model.nbody, data.qpos[0]), (3, 0.3));
    /// # Ok::<(), sim_mjcf::MjcfError>(())
    /// ```
    #[doc(alias = "mj_recompile")]
    pub fn recompile(
        &self,
        old: (&Model, &Data),
        source: &dyn Source,
        options: LoadOptions,
    ) -> Result<(Model, Data), MjcfError> {
        let model = crate::compile(self, source, options)?.model;
        let mut data = model.make_data();
        carry_over(old, (&model, &mut data));
        Ok((model, data))
    }
}

/// Copies the state of everything that is in both models.
fn carry_over((old, from): (&Model, &Data), (new, to): (&Model, &mut Data)) {
    to.time = from.time;
    let (old_bodies, new_bodies) = (body_keys(old), body_keys(new));
    let known: HashMap<&str, usize> = old_bodies.iter().enumerate().map(|(i, key)| (key.as_str(), i)).collect();

    // joints
    let old_joints: HashMap<String, usize> = joint_keys(old, &old_bodies).into_iter().zip(0..).collect();
    for (jnt, key) in joint_keys(new, &new_bodies).iter().enumerate() {
        let Some(&before) = old_joints.get(key).filter(|&&j| old.jnt_type[j] == new.jnt_type[jnt]) else { continue };
        let kind = new.jnt_type[jnt];
        copy(&from.qpos, old.jnt_qposadr[before], &mut to.qpos, new.jnt_qposadr[jnt], kind.nq());
        copy(&from.qvel, old.jnt_dofadr[before], &mut to.qvel, new.jnt_dofadr[jnt], kind.nv());
    }

    // actuators
    let old_actuators: HashMap<String, usize> = actuator_keys(old).into_iter().zip(0..).collect();
    for (actuator, key) in actuator_keys(new).iter().enumerate() {
        let Some(&before) = old_actuators.get(key) else { continue };
        to.ctrl[actuator] = from.ctrl[before];
        let number = new.actuator_actnum[actuator];
        let address = |adr: OptId| adr.get().map(|adr| adr as u32);
        let addresses = (address(old.actuator_actadr[before]), address(new.actuator_actadr[actuator]));
        if let (Some(a), Some(b), true) = (addresses.0, addresses.1, number == old.actuator_actnum[before]) {
            copy(&from.act, a, &mut to.act, b, number as usize);
        }
    }

    // mocap bodies
    for (body, key) in new_bodies.iter().enumerate() {
        let before = known.get(key.as_str()).and_then(|&b| old.body_mocapid[b].get());
        if let (Some(after), Some(before)) = (new.body_mocapid[body].get(), before) {
            to.mocap_pos[after] = from.mocap_pos[before];
            to.mocap_quat[after] = from.mocap_quat[before];
        }
    }
}

fn copy(from: &[f64], at: u32, to: &mut [f64], place: u32, number: usize) {
    let (at, place) = (at as usize, place as usize);
    if let (Some(values), Some(slots)) = (from.get(at..at + number), to.get_mut(place..place + number)) {
        slots.copy_from_slice(values);
    }
}

/// What a body is recognised by: its name, else its parent and its place among that body's nameless children.
fn body_keys(m: &Model) -> Vec<String> {
    let mut keys: Vec<String> = Vec::with_capacity(m.nbody);
    let mut nameless = vec![0_usize; m.nbody];
    for body in 0..m.nbody {
        let parent = m.body_parentid[body] as usize;
        let key = if let Some(name) = m.names.name(ObjType::Body, body) {
            format!("={name}")
        } else {
            nameless[parent] += 1;
            format!("{}/{}", keys.get(parent).map_or("", String::as_str), nameless[parent])
        };
        keys.push(key);
    }
    keys
}

fn joint_keys(m: &Model, bodies: &[String]) -> Vec<String> {
    let mut nameless = vec![0_usize; m.nbody];
    let key = |jnt: usize| {
        if let Some(name) = m.names.name(ObjType::Joint, jnt) {
            return format!("={name}");
        }
        let body = m.jnt_bodyid[jnt] as usize;
        nameless[body] += 1;
        format!("{}/{}", bodies[body], nameless[body])
    };
    (0..m.njnt).map(key).collect()
}

fn actuator_keys(m: &Model) -> Vec<String> {
    let mut nameless = 0_usize;
    let key = |actuator: usize| {
        if let Some(name) = m.names.name(ObjType::Actuator, actuator) {
            return format!("={name}");
        }
        nameless += 1;
        format!("/{nameless}")
    };
    (0..m.nu).map(key).collect()
}
