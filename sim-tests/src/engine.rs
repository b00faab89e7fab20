//! The engine under test, addressed by the names of a golden.

use std::error::Error;

use sim_core::{Data, Model};

use crate::{Golden, Section};

/// Writes arrays of a section over the data; `M` is taken from the dense matrix.
pub fn write<'a>(
    m: &Model,
    d: &mut Data,
    section: &Section,
    fields: impl IntoIterator<Item = &'a str>,
) -> Result<(), Box<dyn Error>> {
    for field in fields {
        let values = &section.get(field).ok_or_else(|| format!("the golden has no {field}"))?.data;
        match field {
            "time" => d.time = values[0],
            "M" => {
                for dof in 0..m.nv {
                    for k in m.M_rowadr[dof]..m.M_rowadr[dof] + m.M_rownnz[dof] {
                        d.M[k as usize] = values[dof * m.nv + m.M_colind[k as usize] as usize];
                    }
                }
            }
            _ => {
                let column = d.column_mut(field).ok_or_else(|| format!("the engine has no {field}"))?;
                if !column.read(values) {
                    return Err(format!("{field} does not take {} numbers", values.len()).into());
                }
            }
        }
    }
    Ok(())
}

/// Fresh data with a golden's state written over it.
pub fn data_at(m: &Model, golden: &Golden, state: &str) -> Result<Data, Box<dyn Error>> {
    let mut d = m.make_data();
    let section = golden.section(&format!("state {state}"));
    write(m, &mut d, section, section.keys().map(String::as_str))?;
    Ok(d)
}

/// An array of the data by MuJoCo's name; empty when the engine has no such array.
pub fn read(m: &Model, d: &Data, field: &str) -> Vec<f64> {
    d.array(m, field).map(|a| a.data).unwrap_or_default()
}
