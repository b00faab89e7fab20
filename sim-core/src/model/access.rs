//! Ranges, chains, names and arrays by name.

use std::ops::Range;

use sim_types::linalg::{ForestSparse, TreeSparse};
use sim_types::{BodyId, CameraId, GeomId, Jacobian, JointId, KeyId, ObjType, SiteId};

use super::Model;
use crate::arrays::Array;

impl Model {
    /// Dofs of `body`, in order; empty for welded bodies.
    #[inline]
    pub fn body_dofs(&self, body: usize) -> Range<usize> {
        range(self.body_dofadr[body].raw(), self.body_dofnum[body])
    }

    /// Joints of `body`, in order.
    #[inline]
    pub fn body_jnts(&self, body: usize) -> Range<usize> {
        range(self.body_jntadr[body].raw(), self.body_jntnum[body])
    }

    /// Geoms of `body`, in order.
    #[inline]
    pub fn body_geoms(&self, body: usize) -> Range<usize> {
        range(self.body_geomadr[body].raw(), self.body_geomnum[body])
    }

    /// `dof` and every dof above it, ending at the root of its tree.
    pub fn dof_chain(&self, dof: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(dof), |&i| self.dof_parentid[i].get())
    }

    /// The dofs that move `body`, from its own last one up to the root of its tree.
    pub fn body_chain(&self, body: usize) -> impl Iterator<Item = usize> + '_ {
        let dofs = self.body_dofs(self.body_weldid[body] as usize);
        let last = if dofs.is_empty() { None } else { Some(dofs.end - 1) };
        std::iter::successors(last, |&i| self.dof_parentid[i].get())
    }

    /// Pattern of the inertia matrix.
    #[inline]
    pub fn m_pattern(&self) -> TreeSparse<'_> {
        TreeSparse { rownnz: &self.M_rownnz, rowadr: &self.M_rowadr, colind: &self.M_colind }
    }

    /// Entries of a row of the dof–dof pattern.
    #[inline]
    pub fn d_row(&self, dof: usize) -> Range<usize> {
        range(self.D_rowadr[dof] as i32, self.D_rownnz[dof])
    }

    /// The dof–dof pattern: every dof with all its ancestors and descendants.
    #[inline]
    pub fn d_pattern(&self) -> ForestSparse<'_> {
        ForestSparse { rownnz: &self.D_rownnz, rowadr: &self.D_rowadr, diag: &self.D_diag, colind: &self.D_colind }
    }

    /// True when constraint and tendon Jacobians are sparse in MuJoCo; a few rules depend on it.
    #[doc(alias = "mj_isSparse")]
    pub fn is_sparse(&self) -> bool {
        match self.opt.jacobian {
            Jacobian::Dense => false,
            Jacobian::Sparse => true,
            Jacobian::Auto => self.nv >= 60,
        }
    }

    /// Activations of an actuator; `None` when it has no state.
    pub fn actuator_acts(&self, actuator: usize) -> Option<Range<usize>> {
        let adr = self.actuator_actadr[actuator].get()?;
        Some(adr..adr + self.actuator_actnum[actuator] as usize).filter(|slots| !slots.is_empty())
    }

    /// Outputs of a sensor in `sensordata`.
    pub fn sensor_range(&self, sensor: usize) -> Range<usize> {
        range(self.sensor_adr[sensor] as i32, self.sensor_dim[sensor])
    }

    /// Path objects of a tendon.
    pub fn tendon_objects(&self, tendon: usize) -> Range<usize> {
        range(self.tendon_adr[tendon] as i32, self.tendon_num[tendon])
    }

    /// Entries of a row of the tendon Jacobian.
    #[inline]
    pub fn ten_j_row(&self, tendon: usize) -> Range<usize> {
        range(self.ten_J_rowadr[tendon] as i32, self.ten_J_rownnz[tendon])
    }

    /// Entries of a row of the actuator moments.
    #[inline]
    pub fn moment_row(&self, actuator: usize) -> Range<usize> {
        range(self.moment_rowadr[actuator] as i32, self.moment_rownnz[actuator])
    }

    /// The body with this name.
    pub fn body_id(&self, name: &str) -> Option<BodyId> {
        self.names.id(ObjType::Body, name).map(BodyId)
    }

    /// The joint with this name.
    pub fn joint_id(&self, name: &str) -> Option<JointId> {
        self.names.id(ObjType::Joint, name).map(JointId)
    }

    /// The geom with this name.
    pub fn geom_id(&self, name: &str) -> Option<GeomId> {
        self.names.id(ObjType::Geom, name).map(GeomId)
    }

    /// The site with this name.
    pub fn site_id(&self, name: &str) -> Option<SiteId> {
        self.names.id(ObjType::Site, name).map(SiteId)
    }

    /// The camera with this name.
    pub fn camera_id(&self, name: &str) -> Option<CameraId> {
        self.names.id(ObjType::Camera, name).map(CameraId)
    }

    /// The keyframe with this name.
    pub fn key_id(&self, name: &str) -> Option<KeyId> {
        self.names.id(ObjType::Key, name).map(KeyId)
    }

    /// The value of a size by MuJoCo's name, such as `nbody`.
    pub fn size(&self, name: &str) -> Option<usize> {
        Some(match name {
            "nq" => self.nq,
            "nv" => self.nv,
            "nu" => self.nu,
            "na" => self.na,
            "nbody" => self.nbody,
            "nbvh" => self.nbvh,
            "nbvhstatic" => self.nbvhstatic,
            "nbvhdynamic" => self.nbvhdynamic,
            "njnt" => self.njnt,
            "ntree" => self.ntree,
            "nM" => self.nM,
            "nB" => self.nB,
            "nC" => self.nC,
            "nD" => self.nD,
            "ngeom" => self.ngeom,
            "nsite" => self.nsite,
            "ncam" => self.ncam,
            "nlight" => self.nlight,
            "nflex" => self.nflex,
            "nflexnode" => self.nflexnode,
            "nflexvert" => self.nflexvert,
            "nflexedge" => self.nflexedge,
            "nflexelem" => self.nflexelem,
            "nflexelemdata" => self.nflexelemdata,
            "nflexelemedge" => self.nflexelemedge,
            "nflexshelldata" => self.nflexshelldata,
            "nflexevpair" => self.nflexevpair,
            "nJfe" => self.nJfe,
            "nJfv" => self.nJfv,
            "nmat" => self.nmat,
            "npair" => self.npair,
            "nexclude" => self.nexclude,
            "neq" => self.neq,
            "ntendon" => self.ntendon,
            "nwrap" => self.nwrap,
            "nsensor" => self.nsensor,
            "nnumeric" => self.nnumeric,
            "nnumericdata" => self.nnumericdata,
            "ntext" => self.ntext,
            "ntextdata" => self.ntextdata,
            "ntuple" => self.ntuple,
            "ntupledata" => self.ntupledata,
            "nkey" => self.nkey,
            "nmocap" => self.nmocap,
            "nuser_body" => self.nuser_body,
            "nuser_jnt" => self.nuser_jnt,
            "nuser_geom" => self.nuser_geom,
            "nuser_site" => self.nuser_site,
            "nuser_cam" => self.nuser_cam,
            "nuser_tendon" => self.nuser_tendon,
            "nuser_actuator" => self.nuser_actuator,
            "nuser_sensor" => self.nuser_sensor,
            "nJten" => self.nJten,
            "nJmom" => self.nJmom,
            "ngravcomp" => self.ngravcomp,
            "nemax" => self.nemax,
            "nuserdata" => self.nuserdata,
            "nsensordata" => self.nsensordata,
            "nhistory" => self.nhistory,
            _ => return self.assets.size(name),
        })
    }

    /// A size, a table array or a derived array, by MuJoCo's name, as numbers.
    ///
    /// `body_inertia_tensor` is `R·diag(body_inertia)·Rᵀ` per body: the principal axes themselves are not unique.
    pub fn array(&self, name: &str) -> Option<Array> {
        if let Some(n) = self.size(name) {
            return Some(Array::scalar(n as f64));
        }
        if name == "body_inertia_tensor" {
            return Some(self.inertia_tensors());
        }
        let own = Self::fields().iter().map(|f| (f, self.column(name)));
        let shared = super::Assets::fields().iter().map(|f| (f, self.assets.column(name)));
        let (field, column) = own.chain(shared).find(|(f, _)| f.name == name)?;
        let columns = match field.columns {
            Some(size) => Some(self.size(size)?),
            None => None,
        };
        Some(Array::from_column(column?, self.size(field.rows)?, columns))
    }

    fn inertia_tensors(&self) -> Array {
        let mut data = Vec::with_capacity(9 * self.nbody);
        for (quat, inertia) in self.body_iquat.iter().zip(&self.body_inertia) {
            let tensor = sim_types::math::rotate_diagonal(&quat.to_mat(), inertia);
            sim_types::Item::write(&tensor, &mut data);
        }
        Array { shape: vec![self.nbody, 9], data }
    }
}

#[inline]
fn range(adr: i32, num: u32) -> Range<usize> {
    let adr = adr.max(0) as usize;
    adr..adr + num as usize
}

impl super::Assets {
    /// The value of a size by MuJoCo's name, such as `nmesh`.
    pub fn size(&self, name: &str) -> Option<usize> {
        Some(match name {
            "nflextexcoord" => self.nflextexcoord,
            "noct" => self.noct,
            "nmesh" => self.nmesh,
            "nmeshvert" => self.nmeshvert,
            "nmeshnormal" => self.nmeshnormal,
            "nmeshtexcoord" => self.nmeshtexcoord,
            "nmeshface" => self.nmeshface,
            "nmeshgraph" => self.nmeshgraph,
            "nmeshpoly" => self.nmeshpoly,
            "nmeshpolyvert" => self.nmeshpolyvert,
            "nmeshpolymap" => self.nmeshpolymap,
            "nskin" => self.nskin,
            "nskinvert" => self.nskinvert,
            "nskintexvert" => self.nskintexvert,
            "nskinface" => self.nskinface,
            "nskinbone" => self.nskinbone,
            "nskinbonevert" => self.nskinbonevert,
            "nsdf" => self.nsdf,
            "nsdfdata" => self.nsdfdata,
            "nhfield" => self.nhfield,
            "nhfielddata" => self.nhfielddata,
            "ntex" => self.ntex,
            "ntexdata" => self.ntexdata,
            "npaths" => self.npaths,
            _ => return None,
        })
    }
}
