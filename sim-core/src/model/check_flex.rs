//! Invariants of deformables: every list of a flex lies within its arrays and every id within its list.

use super::Model;
use super::check::below;
use crate::error::ModelError;

impl Model {
    /// Checks what the flex stages rely on.
    pub(super) fn check_flexes(&self) -> Result<(), ModelError> {
        for flex in 0..self.nflex {
            self.check_flex_ranges(flex)?;
            self.check_flex_ids(flex)?;
        }
        for (i, id) in self.flex_nodebodyid.iter().enumerate() {
            below("flex_nodebodyid", i, *id as usize, self.nbody)?;
        }
        for (i, id) in self.flex_vertbodyid.iter().enumerate() {
            below("flex_vertbodyid", i, id.get().unwrap_or(0), self.nbody)?;
        }
        Ok(())
    }

    fn check_flex_ranges(&self, flex: usize) -> Result<(), ModelError> {
        let dim = self.flex_dim[flex] as usize;
        if !(1..=3).contains(&dim) {
            return Err(ModelError::Inconsistent { what: format!("flex {flex} has {dim} dimensions") });
        }
        let nodes = [0, 8, 27].get(self.flex_interp[flex] as usize).copied();
        if nodes != Some(self.flex_nodenum[flex] as usize) {
            return Err(ModelError::Inconsistent { what: format!("flex {flex} has a wrong number of nodes") });
        }
        let elems = self.flex_elemnum[flex] as usize;
        let end = |adr: &[u32], num: usize| (adr[flex] as usize).saturating_add(num);
        let edges_of_elem = [1, 3, 6][dim - 1];
        for (array, end, size) in [
            ("flex_nodeadr", end(&self.flex_nodeadr, self.flex_nodenum[flex] as usize), self.nflexnode),
            ("flex_vertadr", end(&self.flex_vertadr, self.flex_vertnum[flex] as usize), self.nflexvert),
            ("flex_edgeadr", end(&self.flex_edgeadr, self.flex_edgenum[flex] as usize), self.nflexedge),
            ("flex_elemadr", end(&self.flex_elemadr, elems), self.nflexelem),
            ("flex_elemdataadr", end(&self.flex_elemdataadr, elems * (dim + 1)), self.nflexelemdata),
            ("flex_elemedgeadr", end(&self.flex_elemedgeadr, elems * edges_of_elem), self.nflexelemedge),
        ] {
            below(array, flex, end, size + 1)?;
        }
        for (array, adr, num, size) in [
            (
                "flex_shelldataadr",
                self.flex_shelldataadr[flex],
                self.flex_shellnum[flex] as usize * dim,
                self.nflexshelldata,
            ),
            ("flex_evpairadr", self.flex_evpairadr[flex], self.flex_evpairnum[flex] as usize, self.nflexevpair),
            ("flex_bvhadr", self.flex_bvhadr[flex], self.flex_bvhnum[flex] as usize, self.nbvh),
        ] {
            below(array, flex, adr.get().map_or(0, |adr| adr.saturating_add(num)), size + 1)?;
        }
        Ok(())
    }

    fn check_flex_ids(&self, flex: usize) -> Result<(), ModelError> {
        let dim = self.flex_dim[flex] as usize;
        let (verts, edges) = (self.flex_vertnum[flex] as usize, self.flex_edgenum[flex] as usize);
        let elems = self.flex_elemnum[flex] as usize;
        let edge_start = self.flex_edgeadr[flex] as usize;
        for edge in edge_start..edge_start + edges {
            for v in self.flex_edge[edge] {
                below("flex_edge", edge, v as usize, verts)?;
            }
        }
        let start = self.flex_elemdataadr[flex] as usize;
        for (i, v) in self.flex_elem[start..start + elems * (dim + 1)].iter().enumerate() {
            below("flex_elem", start + i, *v as usize, verts)?;
        }
        let start = self.flex_elemedgeadr[flex] as usize;
        for (i, e) in self.flex_elemedge[start..start + elems * [1, 3, 6][dim - 1]].iter().enumerate() {
            below("flex_elemedge", start + i, *e as usize, edges)?;
        }
        if dim == 2 && elems == 0 {
            return Err(ModelError::Inconsistent { what: format!("flex {flex} has no elements") });
        }

        // vertices move with bodies exactly when they are not interpolated
        let first = self.flex_vertadr[flex] as usize;
        let with_bodies = self.flex_interp[flex] == 0;
        let consistent = self.flex_vertbodyid[first..first + verts].iter().all(|id| id.is_none() != with_bodies);
        if !consistent {
            return Err(ModelError::Inconsistent { what: format!("flex {flex} has vertices without a body") });
        }
        Ok(())
    }
}
