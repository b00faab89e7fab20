//! Invariants of a model that did not come from the compiler: array lengths, ids in range, parents before children.

use sim_types::{GeomType, ObjType, OptId, TrnType, WrapType};

use super::Model;
use crate::error::ModelError;

impl Model {
    /// Checks that the arrays have their lengths and that every id points to something.
    ///
    /// The compiler and the model file reader call it; call it after editing sizes or ids by hand. A model that passes
    /// can be stepped without a panic.
    pub fn check(&self) -> Result<(), ModelError> {
        self.check_lengths()?;
        self.check_tree()?;
        self.check_objects()?;
        self.check_geoms()?;
        self.check_targets()?;
        self.check_flexes()?;
        self.check_patterns()?;
        self.check_dof_pattern()
    }

    fn check_lengths(&self) -> Result<(), ModelError> {
        match self.misfit(self).or_else(|| self.assets.misfit(&self.assets)) {
            None => Ok(()),
            Some((array, got, want)) => Err(ModelError::WrongLength { array: array.to_owned(), got, want }),
        }
    }

    fn check_tree(&self) -> Result<(), ModelError> {
        if self.nbody == 0 {
            return Err(ModelError::Inconsistent { what: "there is no world body".into() });
        }
        for body in 0..self.nbody {
            // parents, roots and weld bodies come before their children
            let limit = body.max(1);
            below("body_parentid", body, self.body_parentid[body] as usize, limit)?;
            below("body_rootid", body, self.body_rootid[body] as usize, body + 1)?;
            below("body_weldid", body, self.body_weldid[body] as usize, body + 1)?;
            below("body_jntadr", body, self.body_jnts(body).end, self.njnt + 1)?;
            below("body_dofadr", body, self.body_dofs(body).end, self.nv + 1)?;
            below("body_geomadr", body, self.body_geoms(body).end, self.ngeom + 1)?;
            if let Some(id) = self.body_mocapid[body].get() {
                below("body_mocapid", body, id, self.nmocap)?;
            }
            if let Some(tree) = self.body_treeid[body].get() {
                below("body_treeid", body, tree, self.ntree)?;
            }
        }
        for jnt in 0..self.njnt {
            below("jnt_bodyid", jnt, self.jnt_bodyid[jnt] as usize, self.nbody)?;
            below("jnt_qposadr", jnt, self.jnt_qposadr[jnt] as usize + self.jnt_type[jnt].nq(), self.nq + 1)?;
            below("jnt_dofadr", jnt, self.jnt_dofadr[jnt] as usize + self.jnt_type[jnt].nv(), self.nv + 1)?;
        }
        for dof in 0..self.nv {
            below("dof_bodyid", dof, self.dof_bodyid[dof] as usize, self.nbody)?;
            below("dof_treeid", dof, self.dof_treeid[dof] as usize, self.ntree)?;
            below("dof_jntid", dof, self.dof_jntid[dof] as usize, self.njnt)?;
            if let Some(parent) = self.dof_parentid[dof].get() {
                below("dof_parentid", dof, parent, dof)?;
            }
        }
        Ok(())
    }

    fn check_objects(&self) -> Result<(), ModelError> {
        for (array, ids) in [
            ("geom_bodyid", &self.geom_bodyid),
            ("site_bodyid", &self.site_bodyid),
            ("cam_bodyid", &self.cam_bodyid),
            ("light_bodyid", &self.light_bodyid),
        ] {
            for (i, &id) in ids.iter().enumerate() {
                below(array, i, id as usize, self.nbody)?;
            }
        }
        let targets = [("cam_targetbodyid", &self.cam_targetbodyid), ("light_targetbodyid", &self.light_targetbodyid)];
        for (array, ids) in targets {
            for (i, id) in ids.iter().enumerate() {
                below(array, i, id.get().unwrap_or(0), self.nbody)?;
            }
        }
        Ok(())
    }

    /// Assets of geoms, and the geoms of explicit pairs.
    fn check_geoms(&self) -> Result<(), ModelError> {
        self.check_grids()?;
        for (geom, id) in self.geom_dataid.iter().enumerate() {
            let limit = match self.geom_type[geom] {
                GeomType::Sdf if self.assets.sdf_of(geom).is_some() => continue,
                GeomType::Mesh | GeomType::Sdf => self.assets.nmesh,
                GeomType::Hfield => self.assets.nhfield,
                _ => continue,
            };
            below("geom_dataid", geom, id.get().unwrap_or(usize::MAX), limit)?;
        }
        for pair in 0..self.npair {
            below("pair_geom1", pair, self.pair_geom1[pair] as usize, self.ngeom)?;
            below("pair_geom2", pair, self.pair_geom2[pair] as usize, self.ngeom)?;
        }
        Ok(())
    }

    /// Targets of tendons, actuators, sensors and equalities.
    fn check_targets(&self) -> Result<(), ModelError> {
        for tendon in 0..self.ntendon {
            let objects = self.tendon_objects(tendon);
            below("tendon_adr", tendon, objects.end, self.nwrap + 1)?;
            if objects.is_empty() {
                return Err(ModelError::Inconsistent { what: format!("tendon {tendon} has no path") });
            }
        }
        for (object, id) in self.wrap_objid.iter().enumerate() {
            let limit = match self.wrap_type[object] {
                WrapType::None | WrapType::Pulley => continue,
                WrapType::Joint => self.njnt,
                WrapType::Site => self.nsite,
                WrapType::Sphere | WrapType::Cylinder => self.ngeom,
            };
            below("wrap_objid", object, id.get().unwrap_or(usize::MAX), limit)?;
        }
        for actuator in 0..self.nu {
            let limit = match self.actuator_trntype[actuator] {
                TrnType::Joint | TrnType::JointInParent => self.njnt,
                TrnType::Tendon => self.ntendon,
                TrnType::Site | TrnType::SliderCrank => self.nsite,
                TrnType::Body => self.nbody,
                TrnType::Undefined => continue,
            };
            for id in self.actuator_trnid[actuator].iter().filter_map(|id| id.get()) {
                below("actuator_trnid", actuator, id, limit)?;
            }
            let acts = self.actuator_acts(actuator).map_or(0, |slots| slots.end);
            below("actuator_actadr", actuator, acts, self.na + 1)?;
            let samples = self.actuator_history[actuator][0] as usize;
            self.check_history("actuator_historyadr", actuator, self.actuator_historyadr[actuator], samples, 1)?;
        }
        for sensor in 0..self.nsensor {
            below("sensor_adr", sensor, self.sensor_range(sensor).end, self.nsensordata + 1)?;
            let (samples, dim) = (self.sensor_history[sensor][0] as usize, self.sensor_dim[sensor] as usize);
            self.check_history("sensor_historyadr", sensor, self.sensor_historyadr[sensor], samples, dim)?;
            for (array, kind, id) in [
                ("sensor_objid", self.sensor_objtype[sensor], self.sensor_objid[sensor]),
                ("sensor_refid", self.sensor_reftype[sensor], self.sensor_refid[sensor]),
            ] {
                if let (Some(id), Some(limit)) = (id.get(), self.count(kind)) {
                    below(array, sensor, id, limit)?;
                }
            }
        }
        Ok(())
    }

    fn check_history(&self, array: &str, i: usize, adr: OptId, n: usize, dim: usize) -> Result<(), ModelError> {
        match adr.get() {
            None => Ok(()),
            Some(adr) if n > 0 => below(array, i, adr + 2 + n + n * dim, self.nhistory + 1),
            Some(_) => Err(ModelError::Inconsistent { what: format!("{array}[{i}] has a buffer of no samples") }),
        }
    }

    /// How many objects of a kind there are, for kinds that tendons, sensors and equalities refer to.
    fn count(&self, kind: ObjType) -> Option<usize> {
        Some(match kind {
            ObjType::Body | ObjType::XBody => self.nbody,
            ObjType::Joint => self.njnt,
            ObjType::Geom => self.ngeom,
            ObjType::Site => self.nsite,
            ObjType::Camera => self.ncam,
            ObjType::Tendon => self.ntendon,
            ObjType::Actuator => self.nu,
            _ => return None,
        })
    }

    /// The pattern of M must be what factoring relies on: the first entries of a row are its ancestors' rows.
    fn check_patterns(&self) -> Result<(), ModelError> {
        let mut adr = 0;
        for dof in 0..self.nv {
            let nnz = self.M_rownnz[dof] as usize;
            if self.M_rowadr[dof] as usize != adr || nnz == 0 || adr + nnz > self.nC {
                return Err(ModelError::Inconsistent { what: format!("row {dof} of M is misplaced") });
            }
            let cols = &self.M_colind[adr..adr + nnz];
            let parent = self.dof_parentid[dof].get();
            let fits = match (cols.split_last(), parent) {
                (Some((diag, [])), _) => *diag as usize == dof,
                (Some((diag, above)), Some(parent)) => {
                    let start = self.M_rowadr[parent] as usize;
                    *diag as usize == dof
                        && self.M_colind[start..].get(..above.len()) == Some(above)
                        && above.len() == self.M_rownnz[parent] as usize
                }
                _ => false,
            };
            if !fits {
                return Err(ModelError::Inconsistent { what: format!("row {dof} of M does not follow its parent's") });
            }
            adr += nnz;
        }
        Ok(())
    }
}

impl Model {
    /// The dof–dof pattern has rows one after another, with increasing columns and their diagonal, and its maps to and
    /// from M stay inside.
    fn check_dof_pattern(&self) -> Result<(), ModelError> {
        let mut adr = 0;
        for dof in 0..self.nv {
            let row = self.d_row(dof);
            let columns = self.D_colind.get(row.clone()).unwrap_or(&[]);
            let diagonal = columns.get(self.D_diag[dof] as usize);
            let sorted = columns.windows(2).all(|pair| pair[0] < pair[1]);
            let inside = columns.last().is_some_and(|c| (*c as usize) < self.nv);
            if row.start != adr || diagonal.map(|c| *c as usize) != Some(dof) || !sorted || !inside {
                return Err(ModelError::Inconsistent {
                    what: format!("row {dof} of the dof–dof pattern is misplaced"),
                });
            }
            adr = row.end;
        }
        for (i, at) in self.mapD2M.iter().enumerate() {
            below("mapD2M", i, *at as usize, self.nD)?;
        }
        for (i, at) in self.mapM2M.iter().enumerate() {
            below("mapM2M", i, *at as usize, self.nM)?;
        }
        for (i, at) in self.mapM2D.iter().enumerate() {
            if let Some(at) = at.get() {
                below("mapM2D", i, at, self.nC)?;
            }
        }
        Ok(())
    }
}

pub(super) fn below(array: &str, index: usize, value: usize, limit: usize) -> Result<(), ModelError> {
    if value < limit {
        Ok(())
    } else {
        Err(ModelError::IdOutOfRange { array: array.to_owned(), index, value: value as i64, limit })
    }
}
