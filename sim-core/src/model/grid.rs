//! Geoms whose shape is a distance field on a grid, supplied by a program.

use std::sync::Arc;

use sim_collision::sdf::{GridView, SdfGrid};
use sim_types::{GeomType, OptId, Vec3};

use super::{Assets, Model};
use crate::error::ModelError;

impl Model {
    /// Gives a geom the shape of a distance field on a grid, whatever it was before: its type becomes `sdf`, and its
    /// sizes and bounds those of the grid. It then collides with every type of geom, planes and height fields included.
    /// Mass and inertia of its body stay as they are.
    ///
    /// MuJoCo has no such geoms. A model with one can be kept in a binary file, but not be written as MJCF.
    ///
    /// ```
    /// use sim_core::{Model, SdfGrid};
    /// # fn shape(model: &mut Model, bowl: usize) -> Result<(), Box<dyn std::error::Error>> {
    /// // a ball of radius 0.4 with a hole along z
    /// let distance = |p: &nalgebra::Vector3<f64>| (p.norm() - 0.4).max(0.1 - p.x.hypot(p.y));
    /// let grid = SdfGrid::from_fn([41; 3], 0.025, nalgebra::Vector3::repeat(-0.5), distance)?;
    /// model.set_geom_sdf(bowl, &grid)?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_geom_sdf(&mut self, geom: usize, grid: &SdfGrid) -> Result<(), ModelError> {
        if geom >= self.ngeom {
            return Err(ModelError::Inconsistent {
                what: format!("there is no geom {geom}; the model has {}", self.ngeom),
            });
        }
        let view = grid.view();
        let assets = Arc::make_mut(&mut self.assets);
        let Ok(adr) = u32::try_from(assets.nsdfdata) else {
            return Err(ModelError::Inconsistent {
                what: "more samples of distance fields than an index can count".into(),
            });
        };
        assets.sdf_geom.push(geom as u32);
        assets.sdf_size.push(view.size);
        assets.sdf_cell.push(view.cell);
        assets.sdf_origin.push(view.origin);
        assets.sdf_adr.push(adr);
        assets.sdf_data.extend_from_slice(view.values);
        assets.nsdf += 1;
        assets.nsdfdata += view.values.len();

        let [x, y, z, hx, hy, hz] = view.aabb();
        self.geom_type[geom] = GeomType::Sdf;
        self.geom_dataid[geom] = OptId::NONE;
        self.geom_size[geom] = Vec3::new(hx, hy, hz);
        self.geom_aabb[geom] = [x, y, z, hx, hy, hz];
        // around the origin of the geom, which need not be the middle of the grid
        self.geom_rbound[geom] = Vec3::new(x.abs() + hx, y.abs() + hy, z.abs() + hz).norm();
        self.refit_tree(geom);
        Ok(())
    }

    /// Makes the boxes of a body's tree fit a geom that changed.
    fn refit_tree(&mut self, geom: usize) {
        let body = self.geom_bodyid[geom] as usize;
        let Some(adr) = self.body_bvhadr[body].get() else { return };
        let num = self.body_bvhnum[body] as usize;

        // the corners of the geom's box in the inertial frame of the body
        let to_body = (self.geom_pos[geom], self.geom_quat[geom]);
        let (ipos, iquat) = (self.body_ipos[body], self.body_iquat[body]);
        let [x, y, z, hx, hy, hz] = self.geom_aabb[geom];
        let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        for corner in 0..8 {
            let side = |bit: usize, half: f64| if corner & bit == 0 { -half } else { half };
            let local = Vec3::new(x + side(1, hx), y + side(2, hy), z + side(4, hz));
            let at = iquat.conj().rotate(&(to_body.1.rotate(&local) + to_body.0 - ipos));
            (low, high) = (low.inf(&at), high.sup(&at));
        }

        // children stand behind their parents
        for node in (adr..adr + num).rev() {
            let [left, right] = self.bvh_child[node].map(|c| c.get().map(|c| self.bvh_aabb[adr + c]));
            let (low, high) = match (left, right) {
                (Some(a), Some(b)) => (ends(&a).0.inf(&ends(&b).0), ends(&a).1.sup(&ends(&b).1)),
                _ if self.bvh_nodeid[node].get() == Some(geom) => (low, high),
                _ => continue,
            };
            let (centre, half) = ((high + low) / 2.0, (high - low) / 2.0);
            self.bvh_aabb[node] = [centre.x, centre.y, centre.z, half.x, half.y, half.z];
        }
    }

    /// Grids have all their samples.
    pub(super) fn check_grids(&self) -> Result<(), ModelError> {
        let a = &*self.assets;
        let whole = |id: &usize| {
            let samples = a.sdf_size[*id].iter().map(|n| u64::from(*n)).try_fold(1_u64, u64::checked_mul);
            let cell = a.sdf_cell[*id];
            samples.is_some_and(|n| n == a.sdf_grid(*id).values.len() as u64 && n > 0) && cell > 0.0 && cell.is_finite()
        };
        match (0..a.nsdf).find(|id| !whole(id)) {
            Some(id) => Err(ModelError::Inconsistent { what: format!("distance field {id} is no grid") }),
            None => Ok(()),
        }
    }
}

impl Assets {
    /// The distance field on a grid that a geom has as its shape when it is of type `sdf`.
    pub fn sdf_of(&self, geom: usize) -> Option<GridView<'_>> {
        self.sdf_geom.iter().rposition(|g| *g as usize == geom).map(|id| self.sdf_grid(id))
    }

    fn sdf_grid(&self, id: usize) -> GridView<'_> {
        let size = self.sdf_size[id];
        let adr = self.sdf_adr[id] as usize;
        let samples = size.iter().map(|n| *n as usize).try_fold(1_usize, usize::checked_mul);
        let values = samples.and_then(|n| self.sdf_data.get(adr..adr.checked_add(n)?)).unwrap_or_default();
        GridView { size, cell: self.sdf_cell[id], origin: self.sdf_origin[id], values }
    }
}

/// Low and high corner of a box given by centre and half sizes.
fn ends([x, y, z, hx, hy, hz]: &[f64; 6]) -> (Vec3, Vec3) {
    (Vec3::new(x - hx, y - hy, z - hz), Vec3::new(x + hx, y + hy, z + hz))
}
