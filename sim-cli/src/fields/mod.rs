//! Fields by the names of MuJoCo's Python bindings.
//!
//! A name is one of three things: an array that this version computes; an array of MuJoCo's whose stage does not exist
//! here yet, which has a known answer (nothing) when the model gives that stage nothing to do; or a mistake.

mod pending;

use anyhow::{Result, bail};
use sim_core::support::{MissingStage, missing};
use sim_core::{Array, Assets, Data, Model};
use sim_types::Item;

use crate::suggest::did_you_mean;
use pending::{CONTACT_FIELDS, Dim, NOT_STORED_DATA, NOT_STORED_MODEL, PENDING, Pending};

/// Where the values of a data field come from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Source {
    /// From `Data`, after the stages ran.
    Computed,
    /// Known without computing: the model gives its stage nothing to do.
    Nothing(Array),
    /// Not available in this version.
    LeftOut,
}

/// Finds out where a data field comes from; an error when MuJoCo has no such field.
pub(crate) fn data_source(m: &Model, name: &str) -> Result<Source> {
    let stored = is_stored(name);
    if CONTACT_FIELDS.contains(&name) {
        let gaps = missing(m);
        let partial = gaps.iter().any(|gap| matches!(gap.stage, MissingStage::Flex | MissingStage::Sdf));
        return Ok(if partial { Source::LeftOut } else { Source::Computed });
    }
    if let Some(pending) = PENDING.iter().find(|p| p.name == name) {
        return Ok(match (is_missing(m, pending), stored) {
            (true, _) => Source::LeftOut,
            (false, true) => Source::Computed,
            (false, false) => Source::Nothing(zeros(m, pending)),
        });
    }
    if stored {
        return Ok(Source::Computed);
    }
    if NOT_STORED_DATA.split_whitespace().any(|known| known == name) {
        return Ok(Source::LeftOut);
    }
    bail!("data has no field '{name}'{}", did_you_mean(name, data_names()))
}

/// The values of a data field; `None` when this version does not compute it.
pub(crate) fn data_array(m: &Model, d: &Data, name: &str, source: &Source) -> Option<Array> {
    match source {
        Source::Computed => d.array(m, name).map(two_dimensional),
        Source::Nothing(array) => Some(array.clone()),
        Source::LeftOut => None,
    }
}

/// A model field; `None` when MuJoCo has it and this version does not, an error when MuJoCo does not have it.
pub(crate) fn model_array(m: &Model, name: &str) -> Result<Option<Array>> {
    if let Some(array) = m.array(name) {
        return Ok(Some(two_dimensional(array)));
    }
    let vector = |data: Vec<f64>| Array { shape: vec![data.len()], data };
    Ok(match name {
        "njmax" => Some(Array::scalar(m.njmax as f64)),
        "nconmax" => Some(Array::scalar(m.nconmax as f64)),
        "stat.meaninertia" => Some(Array::scalar(m.stat.meaninertia)),
        "stat.meanmass" => Some(Array::scalar(m.stat.meanmass)),
        "stat.meansize" => Some(Array::scalar(m.stat.meansize)),
        "stat.extent" => Some(Array::scalar(m.stat.extent)),
        "stat.center" => {
            let mut data = Vec::new();
            m.stat.center.write(&mut data);
            Some(vector(data))
        }
        _ if NOT_STORED_MODEL.split_whitespace().any(|known| known == name) => None,
        _ => {
            let fields = Model::fields().iter().chain(Assets::fields()).map(|f| f.name);
            bail!("model has no field '{name}'{}", did_you_mean(name, fields))
        }
    })
}

/// Names of all data fields that this version can compute.
pub(crate) fn computed_names() -> impl Iterator<Item = &'static str> {
    Data::array_names()
}

fn data_names() -> impl Iterator<Item = &'static str> {
    computed_names().chain(CONTACT_FIELDS.iter().copied()).chain(PENDING.iter().map(|p| p.name))
}

fn is_stored(name: &str) -> bool {
    computed_names().any(|stored| stored == name)
}

/// True when the model needs a stage that this version does not have.
fn is_missing(m: &Model, field: &Pending) -> bool {
    let gaps = missing(m);
    field.stages.iter().any(|stage| gaps.iter().any(|gap| gap.stage == *stage))
}

fn zeros(m: &Model, field: &Pending) -> Array {
    let shape: Vec<usize> = field
        .shape
        .iter()
        .map(|dim| match dim {
            Dim::Fixed(n) => *n,
            Dim::Size(name) => m.size(name).unwrap_or(0),
        })
        .collect();
    let data = vec![0.0; shape.iter().product()];
    Array { shape, data }
}

/// MuJoCo's arrays have at most two dimensions: a 3×3 matrix is a row of nine.
fn two_dimensional(mut array: Array) -> Array {
    if array.shape.len() > 2 {
        let columns = array.shape[1..].iter().product();
        array.shape.truncate(1);
        array.shape.push(columns);
    }
    array
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(m: &Model, name: &str) -> Option<Vec<usize>> {
        match data_source(m, name).unwrap() {
            Source::Nothing(array) => Some(array.shape),
            _ => None,
        }
    }

    #[test]
    fn a_stage_with_nothing_to_do_has_empty_fields() {
        let m = Model { nv: 4, ..Model::default() };
        assert_eq!(shape(&m, "flexedge_length"), Some(vec![0]));
        assert_eq!(data_source(&m, "contact.pos").unwrap(), Source::Computed);
        assert_eq!(data_source(&m, "efc_J").unwrap(), Source::Computed);
        assert_eq!(data_source(&m, "sensordata").unwrap(), Source::Computed);
    }

    #[test]
    fn a_stage_that_is_needed_and_missing_leaves_its_fields_out() {
        let m = Model { nflex: 1, ..Model::default() };
        for name in ["flexvert_xpos", "ncon", "efc_J", "qfrc_constraint", "qM"] {
            assert_eq!(data_source(&m, name).unwrap(), Source::LeftOut, "{name}");
        }
        assert_eq!(data_source(&m, "qpos").unwrap(), Source::Computed);
    }

    #[test]
    fn a_name_that_mujoco_does_not_have_is_an_error() {
        let m = Model::default();
        let message = data_source(&m, "qpso").unwrap_err().to_string();
        assert_eq!(message, "data has no field 'qpso'; did you mean 'qpos'?");
        assert!(model_array(&m, "body_mas").unwrap_err().to_string().contains("'body_mass'"));
        assert_eq!(model_array(&m, "name_bodyadr").unwrap(), None);
    }

    #[test]
    fn no_name_is_in_two_lists() {
        for name in NOT_STORED_DATA.split_whitespace() {
            assert!(!data_names().any(|n| n == name), "{name}");
        }
        let m = Model::default();
        for name in NOT_STORED_MODEL.split_whitespace() {
            assert!(m.array(name).is_none(), "{name}");
        }
    }
}
