//! What a model needs that this version does not have.
//!
//! A model is never simulated with a part of its physics silently missing: stepping it is refused by name ([`missing`]). The list
//! shrinks as stages arrive.

use sim_types::{DisableFlags, EqType, GeomType, ObjType};

use crate::error::StepError;
use crate::model::Model;

/// A stage that this version does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingStage {
    /// A kind of sensor.
    Sensor,
    /// Distance fields made from meshes.
    Sdf,
    /// Deformables.
    Flex,
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

    let octree = |g: usize| m.geom_dataid[g].get().and_then(|mesh| m.assets.mesh_octadr.get(mesh)?.get());
    if has(DisableFlags::CONTACT)
        && let Some(geom) = (0..m.ngeom)
            .find(|&g| m.geom_type[g] == GeomType::Sdf && octree(g).is_none() && m.assets.sdf_of(g).is_none())
    {
        gap(MissingStage::Sdf, format!("distance field of geom {}", named(ObjType::Geom, geom)));
    }
    let of_flex = |eq: &usize| matches!(m.eq_type[*eq], EqType::Flex | EqType::FlexVert);
    if has(DisableFlags::EQUALITY)
        && let Some(eq) = (0..m.neq).find(of_flex)
    {
        gap(MissingStage::Flex, format!("equality constraint {}", named(ObjType::Equality, eq)));
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
    gaps
}

/// Refuses a model that needs a missing stage.
pub(crate) fn check(m: &Model) -> Result<(), StepError> {
    match missing(m).into_iter().next() {
        None => Ok(()),
        Some(gap) => Err(StepError::Unsupported { what: gap.what }),
    }
}
