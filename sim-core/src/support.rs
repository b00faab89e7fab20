//! What a model needs that this version does not have.
//!
//! A model is never simulated with a part of its physics silently missing: stepping it is refused by name ([`missing`]). The list
//! shrinks as stages arrive.

use sim_types::{BiasType, DisableFlags, GainType, GeomType, Integrator, ObjType};

use crate::error::StepError;
use crate::model::Model;

/// A stage that this version does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingStage {
    /// Contacts between geoms.
    Collision,
    /// Constraint rows and their solver.
    Constraint,
    /// Sensors that need contacts, rays or constraint rows.
    Sensor,
    /// The range of lengths of a muscle, found by simulation.
    LengthRange,
    /// Deformables.
    Flex,
    /// The integrator that the model asks for.
    Integrator,
}

/// A stage that a model needs and does not find, and the object that needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The stage.
    pub stage: MissingStage,
    /// What needs it, for people.
    pub what: String,
}

/// Everything that the model needs and this version lacks, given the flags that are set now.
pub fn missing(m: &Model) -> Vec<Gap> {
    let has = |flag| m.opt.has(flag) && m.opt.has(DisableFlags::CONSTRAINT);
    let named = |kind, id: usize| m.names.name(kind, id).map_or_else(|| format!("{id}"), |name| format!("'{name}'"));
    let mut gaps = Vec::new();
    let mut gap = |stage, what: String| gaps.push(Gap { stage, what });

    if has(DisableFlags::CONTACT)
        && let Some((a, b)) = first_colliding_pair(m)
    {
        let (a, b) = (named(ObjType::Geom, a), named(ObjType::Geom, b));
        gap(MissingStage::Collision, format!("contact between geoms {a} and {b}"));
    }
    if has(DisableFlags::LIMIT)
        && let Some(jnt) = m.jnt_limited.iter().position(|x| *x)
    {
        gap(MissingStage::Constraint, format!("limit of joint {}", named(ObjType::Joint, jnt)));
    }
    if has(DisableFlags::FRICTIONLOSS)
        && let Some(dof) = m.dof_frictionloss.iter().position(|x| *x > 0.0)
    {
        let jnt = m.dof_jntid[dof] as usize;
        gap(MissingStage::Constraint, format!("frictionloss of joint {}", named(ObjType::Joint, jnt)));
    }
    if has(DisableFlags::EQUALITY) && m.neq > 0 {
        gap(MissingStage::Constraint, format!("equality constraint {}", named(ObjType::Equality, 0)));
    }
    if has(DisableFlags::LIMIT)
        && let Some(tendon) = m.tendon_limited.iter().position(|x| *x)
    {
        gap(MissingStage::Constraint, format!("limit of tendon {}", named(ObjType::Tendon, tendon)));
    }
    if has(DisableFlags::FRICTIONLOSS)
        && let Some(tendon) = m.tendon_frictionloss.iter().position(|x| *x > 0.0)
    {
        gap(MissingStage::Constraint, format!("frictionloss of tendon {}", named(ObjType::Tendon, tendon)));
    }
    let muscle = |a: usize| m.actuator_gaintype[a] == GainType::Muscle || m.actuator_biastype[a] == BiasType::Muscle;
    if m.opt.has(DisableFlags::ACTUATION)
        && let Some(actuator) =
            (0..m.nu).find(|&a| muscle(a) && m.actuator_lengthrange[a][0] >= m.actuator_lengthrange[a][1])
    {
        let name = named(ObjType::Actuator, actuator);
        gap(MissingStage::LengthRange, format!("length range of muscle {name}: give it as lengthrange"));
    }
    if m.opt.has(DisableFlags::SENSOR)
        && let Some(sensor) = m.sensor_type.iter().position(|kind| !crate::sensor::is_supported(*kind))
    {
        let (name, kind) = (named(ObjType::Sensor, sensor), m.sensor_type[sensor]);
        gap(MissingStage::Sensor, format!("sensor {name} of type {kind:?}"));
    }
    if m.nflex > 0 {
        gap(MissingStage::Flex, format!("flex {}", named(ObjType::Flex, 0)));
    }
    if let Err(StepError::Unsupported { what }) = check_integrator(m) {
        gap(MissingStage::Integrator, what);
    }
    gaps
}

/// Refuses an integrator that this version does not have.
pub(crate) fn check_integrator(m: &Model) -> Result<(), StepError> {
    match m.opt.integrator {
        Integrator::Euler => Ok(()),
        other => Err(StepError::Unsupported { what: format!("integrator {other:?}") }),
    }
}

/// Refuses a model that needs a missing stage.
pub(crate) fn check(m: &Model) -> Result<(), StepError> {
    match missing(m).into_iter().next() {
        None => Ok(()),
        Some(gap) => Err(StepError::Unsupported { what: gap.what }),
    }
}

/// Two geoms that the collision filters let through, if there are any.
fn first_colliding_pair(m: &Model) -> Option<(usize, usize)> {
    if m.npair > 0 {
        return Some((m.pair_geom1[0] as usize, m.pair_geom2[0] as usize));
    }
    let active = |g: &usize| m.geom_contype[*g] != 0 || m.geom_conaffinity[*g] != 0;
    for a in (0..m.ngeom).filter(active) {
        if let Some(b) = (a + 1..m.ngeom).filter(active).find(|&b| may_collide(m, a, b)) {
            return Some((a, b));
        }
    }
    None
}

fn may_collide(m: &Model, a: usize, b: usize) -> bool {
    let by_type = m.geom_contype[a] & m.geom_conaffinity[b] != 0 || m.geom_contype[b] & m.geom_conaffinity[a] != 0;
    let flat = |g: usize| matches!(m.geom_type[g], GeomType::Plane | GeomType::Hfield);
    if !by_type || (flat(a) && flat(b)) {
        return false;
    }
    let (body_a, body_b) = (m.geom_bodyid[a] as usize, m.geom_bodyid[b] as usize);
    let (weld_a, weld_b) = (m.body_weldid[body_a] as usize, m.body_weldid[body_b] as usize);
    if weld_a == weld_b {
        return false;
    }
    let excluded = |x: usize, y: usize| m.exclude_signature.contains(&(((x as u32) << 16) + y as u32));
    if excluded(body_a, body_b) || excluded(body_b, body_a) {
        return false;
    }
    // a body and its parent, unless the parent is the world
    let parent = |weld: usize| m.body_weldid[m.body_parentid[weld] as usize] as usize;
    let related = weld_a != 0 && weld_b != 0 && (weld_a == parent(weld_b) || weld_b == parent(weld_a));
    !(related && m.opt.has(DisableFlags::FILTERPARENT))
}
