//! Arrays of the state by MuJoCo's name, as numbers.

use std::ops::Range;

use sim_types::{Contact, Item};

use super::Data;
use crate::arrays::Array;
use crate::error::StepError;
use crate::model::Model;

impl Data {
    /// Checks that every array has the length that the model asks for.
    pub(crate) fn fits(&self, m: &Model) -> Result<(), StepError> {
        match self.misfit(m) {
            None if m.nbody == 0 => {
                Err(StepError::Unsupported { what: "a model without bodies: the world is one".to_owned() })
            }
            None => Ok(()),
            Some((array, got, want)) => Err(StepError::WrongSize { array, got, want }),
        }
    }

    /// MuJoCo's names of all arrays and numbers that [`Data::array`] gives.
    pub fn array_names() -> impl Iterator<Item = &'static str> {
        let single = ["time", "energy", "ncon", "solver_fwdinv"];
        let tables = Self::fields().iter().map(|f| f.name);
        let rows = crate::constraint::NAMES.iter().chain(crate::island::NAMES).copied();
        single.into_iter().chain(tables).chain(rows)
    }

    /// An array by MuJoCo's name; sparse ones (`M`, `ten_J`, `actuator_moment`) are given dense.
    pub fn array(&self, m: &Model, name: &str) -> Option<Array> {
        match name {
            "time" => return Some(Array::scalar(self.time)),
            "energy" => return Some(Array { shape: vec![2], data: self.energy.to_vec() }),
            "solver_fwdinv" => return Some(Array { shape: vec![2], data: self.solver_fwdinv.to_vec() }),
            "M" => {
                let mut data = vec![0.0; m.nv * m.nv];
                m.m_pattern().to_dense(&self.M, &mut data);
                return Some(Array { shape: vec![m.nv, m.nv], data });
            }
            "ten_J" => return Some(dense(&self.ten_J, &m.ten_J_colind, m.nv, (0..m.ntendon).map(|t| m.ten_j_row(t)))),
            "actuator_moment" => {
                return Some(dense(&self.actuator_moment, &m.moment_colind, m.nv, (0..m.nu).map(|a| m.moment_row(a))));
            }
            "ncon" => return Some(Array::scalar(self.ncon() as f64)),
            _ => {}
        }
        if let Some(part) = name.strip_prefix("contact.") {
            return self.contact_array(part);
        }
        if let Some(array) = self.efc.array(&self.qacc_smooth, name).or_else(|| self.island.array(m, &self.efc, name)) {
            return Some(array);
        }
        let field = Self::fields().iter().find(|f| f.name == name)?;
        let columns = match field.columns {
            Some(size) => Some(m.size(size)?),
            None => None,
        };
        Some(Array::from_column(self.column(name)?, m.size(field.rows)?, columns))
    }

    /// A field of all contacts.
    fn contact_array(&self, part: &str) -> Option<Array> {
        fn all<T: Item>(contacts: &[Contact], part: impl Fn(&Contact) -> T) -> Array {
            let mut data = Vec::with_capacity(contacts.len() * T::width());
            for contact in contacts {
                part(contact).write(&mut data);
            }
            let mut shape = vec![contacts.len()];
            // matrices are rows of nine, as in MuJoCo
            shape.extend((!T::SHAPE.is_empty()).then(T::width));
            Array { shape, data }
        }
        let con = &self.contact;
        Some(match part {
            "dist" => all(con, |c| c.dist),
            "pos" => all(con, |c| c.pos),
            "frame" => all(con, |c| c.frame),
            "includemargin" => all(con, |c| c.includemargin),
            "friction" => all(con, |c| c.friction),
            "solref" => all(con, |c| c.solref),
            "solreffriction" => all(con, |c| c.solreffriction),
            "solimp" => all(con, |c| c.solimp),
            "mu" => all(con, |c| c.mu),
            "dim" => all(con, |c| c.dim),
            "geom" => all(con, |c| c.geom),
            "geom1" => all(con, |c| c.geom[0]),
            "geom2" => all(con, |c| c.geom[1]),
            "flex" => all(con, |c| c.flex),
            "elem" => all(con, |c| c.elem),
            "vert" => all(con, |c| c.vert),
            "exclude" => all(con, |c| c.exclude),
            "efc_address" => all(con, |c| c.efc_address),
            _ => return None,
        })
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
