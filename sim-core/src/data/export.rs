//! Arrays of the state by MuJoCo's name, as numbers.

use std::ops::Range;

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

    /// An array by MuJoCo's name; sparse ones (`M`, `ten_J`, `actuator_moment`) are given dense.
    pub fn array(&self, m: &Model, name: &str) -> Option<Array> {
        match name {
            "time" => return Some(Array::scalar(self.time)),
            "energy" => return Some(Array { shape: vec![2], data: self.energy.to_vec() }),
            "M" => {
                let mut data = vec![0.0; m.nv * m.nv];
                m.m_pattern().to_dense(&self.M, &mut data);
                return Some(Array { shape: vec![m.nv, m.nv], data });
            }
            "ten_J" => return Some(dense(&self.ten_J, &m.ten_J_colind, m.nv, (0..m.ntendon).map(|t| m.ten_j_row(t)))),
            "actuator_moment" => {
                return Some(dense(&self.actuator_moment, &m.moment_colind, m.nv, (0..m.nu).map(|a| m.moment_row(a))));
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

/// Compressed rows as a full matrix with `nv` columns.
fn dense(values: &[f64], columns: &[u32], nv: usize, rows: impl Iterator<Item = Range<usize>>) -> Array {
    let mut data = Vec::new();
    let mut nrow = 0;
    for (row, entries) in rows.enumerate() {
        nrow = row + 1;
        data.resize(nrow * nv, 0.0);
        for (x, &col) in values[entries.clone()].iter().zip(&columns[entries]) {
            data[row * nv + col as usize] = *x;
        }
    }
    Array { shape: vec![nrow, nv], data }
}
