//! The engine under test, addressed by the names of a golden.

use std::error::Error;

use sim_core::{Data, Model};
use sim_types::EnableFlags;

use crate::{Golden, Section, model_path, mujoco_model};

/// The model with this name, as the engine compiles it.
pub fn load(name: &str) -> Result<Model, Box<dyn Error>> {
    let model = sim_mjcf::load_file(model_path(name)).map_err(|e| format!("{name}: {e}"))?;
    Ok(model)
}

/// The model with energy switched on, as for the goldens.
pub fn load_for(golden: &Golden) -> Result<Model, Box<dyn Error>> {
    let mut m = load(&golden.name)?;
    m.opt.enableflags |= EnableFlags::ENERGY;
    Ok(m)
}

/// The model from MuJoCo's numbers and the model from our compiler.
pub fn both(golden: &Golden) -> Result<Vec<Model>, Box<dyn Error>> {
    Ok(vec![mujoco_model(golden)?, load_for(golden)?])
}

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
