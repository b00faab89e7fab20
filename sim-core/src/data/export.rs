//! Arrays of the state by MuJoCo's name, as numbers.

use super::Data;
use crate::arrays::Array;
use crate::error::StepError;
use crate::model::Model;

impl Data {
    /// Checks that every array has the length that the model asks for.
    pub(crate) fn fits(&self, m: &Model) -> Result<(), StepError> {
        match self.misfit(m) {
            None => Ok(()),
            Some((array, got, want)) => Err(StepError::WrongSize { array, got, want }),
        }
    }

    /// An array by MuJoCo's name; `M` is given as the full symmetric matrix.
    pub fn array(&self, m: &Model, name: &str) -> Option<Array> {
        match name {
            "time" => return Some(Array::scalar(self.time)),
            "energy" => return Some(Array { shape: vec![2], data: self.energy.to_vec() }),
            "M" => {
                let mut data = vec![0.0; m.nv * m.nv];
                m.m_pattern().to_dense(&self.M, &mut data);
                return Some(Array { shape: vec![m.nv, m.nv], data });
            }
            _ => {}
        }
        let field = Self::fields().iter().find(|f| f.name == name)?;
        let columns = match field.columns {
            Some(size) => Some(m.size(size)?),
            None => None,
        };
        Some(Array::from_column(self.column(name)?, m.size(field.rows)?, columns))
    }
}
