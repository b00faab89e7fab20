//! Merging one facet into another.

use super::Fail;
use super::cycle::KEEP_CENTER;
use super::state::{Id, MergeKind, State, cut_out, first, replace, swap_out};

/// Merges are counted up to this.
const MAX_MERGES: u32 = 511;

impl State<'_> {
    /// Merges `from` into `into`; `range` tells how far its vertices are below and above, where that matters.
    pub(super) fn merge_facet(
        &mut self,
        from: Id,
        into: Id,
        kind: MergeKind,
        range: Option<(f64, f64)>,
    ) -> Result<(), Fail> {
        self.merges += 1;
        self.spend(self.facets[from].size() + self.facets[into].size())?;
        if let Some(range) = range {
            self.check_width(from, into, range)?;
        }
        let left = self.num_facets.saturating_sub(self.num_visible);
        if from == into || self.facets[from].visible || self.facets[into].visible || left <= 4 {
            return Err(Fail::Topology);
        }
        self.find_vertex_neighbors();
        self.make_ridges(from);
        self.make_ridges(into);
        if let Some((min, max)) = range {
            self.max_outside = self.max_outside.max(max);
            let wide = max > self.tol.wide_facet || min < -self.tol.wide_facet;
            let f = &mut self.facets[into];
            f.max_outside = f.max_outside.max(max);
            f.keep_center |= wide;
        }
        let merges = self.facets[from].merges + self.facets[into].merges + 1;
        self.facets[into].merges = merges.min(MAX_MERGES);
        self.facets[into].new_merge = true;
        self.update_tested(from, into);
        if self.facets[from].vertices.len() == 3 {
            self.merge_simplex(from, into, kind == MergeKind::CoplanarHorizon)?;
        } else {
            self.vertex_visit += 1;
            for i in 0..self.facets[into].vertices.len() {
                let v = self.facets[into].vertices[i];
                self.vertices[v].visit = self.vertex_visit;
            }
            self.merge_neighbors(from, into)?;
            self.merge_vertices(from, into)?;
            self.merge_ridges(from, into);
            self.merge_vertex_neighbors(from, into)?;
            if !self.facets[into].newfacet {
                self.renew_vertices(&self.facets[into].vertices.clone());
            }
        }
        self.remove_facet(into);
        self.append_facet(into);
        self.facets[into].newfacet = true;
        self.facets[into].tested = false;
        if kind != MergeKind::CoplanarHorizon {
            self.test_redundant_neighbors(into)?;
            self.test_degenerate_neighbors(from)?;
            self.test_degenerate(into)?;
        }
        self.will_delete(from, into);
        Ok(())
    }

    /// Ridges have to be tested again unless the centre stays.
    fn update_tested(&mut self, from: Id, into: Id) {
        self.facets[into].tested = false;
        for i in 0..self.facets[from].ridges.len() {
            let r = self.facets[from].ridges[i];
            self.ridges[r].tested = false;
        }
        let f = &mut self.facets[into];
        if f.center.is_none() {
            return;
        }
        let size = f.vertices.len();
        if !f.keep_center {
            f.keep_center = size > KEEP_CENTER;
        } else if size == 3 {
            f.keep_center = false;
        }
        if !f.keep_center {
            f.center = None;
            for i in 0..self.facets[into].ridges.len() {
                let r = self.facets[into].ridges[i];
                self.ridges[r].tested = false;
            }
        }
    }

    /// Merges a triangle: one vertex may be new to the other facet.
    fn merge_simplex(&mut self, from: Id, into: Id, at_apex: bool) -> Result<(), Fail> {
        let (opposite, is_new) = self.add_opposite_vertex(from, into, at_apex)?;
        for i in 0..self.facets[from].vertices.len() {
            let v = self.facets[from].vertices[i];
            if v == opposite && is_new {
                replace(&mut self.vertices[v].neighbors, from, into)?;
            } else {
                self.leave_facet(v, from, into);
            }
        }
        self.visit += 1;
        for i in 0..self.facets[into].neighbors.len() {
            let n = self.facets[into].neighbors[i];
            self.facets[n].visit = self.visit;
        }
        // a ridge that is deleted leaves its place to the last one
        let mut i = 0;
        while i < self.facets[from].ridges.len() {
            let r = self.facets[from].ridges[i];
            let other = self.other_facet(r, from);
            if other == into {
                self.delete_ridge(r);
                swap_out(&mut self.facets[into].neighbors, from);
                continue;
            }
            i += 1;
            self.add_ridge(into, r);
            if self.facets[other].visit == self.visit {
                self.make_ridges(other);
                self.forget_neighbor(other, from, into)?;
            } else {
                self.facets[into].neighbors.push(other);
                replace(&mut self.facets[other].neighbors, from, into)?;
                self.facets[other].visit = self.visit;
            }
            self.move_ridge(r, from, into);
        }
        Ok(())
    }

    /// Adds the vertex of a triangle that is not on the shared ridge; true when the other facet did not have it.
    fn add_opposite_vertex(&mut self, from: Id, into: Id, at_apex: bool) -> Result<(Id, bool), Fail> {
        if at_apex {
            let apex = self.apex_of(from)?;
            if !self.facets[into].newfacet {
                self.renew_vertices(&self.facets[into].vertices.clone());
            }
            let is_new = first(&self.facets[into].vertices)? != apex;
            if is_new {
                self.facets[into].vertices.insert(0, apex);
            }
            return Ok((apex, is_new));
        }
        let shared = self.facets[from].ridges.iter().copied().find(|&r| self.other_facet(r, from) == into);
        let shared = shared.map_or([usize::MAX; 2], |r| self.ridges[r].vertices);
        for v in shared.into_iter().filter(|&v| v != usize::MAX) {
            self.vertices[v].lost_ridge = true;
        }
        let opposite =
            self.facets[from].vertices.iter().copied().find(|v| !shared.contains(v)).ok_or(Fail::Topology)?;

        // vertices run from newest to oldest
        let vertices = &mut self.facets[into].vertices;
        let place = vertices.iter().position(|&v| v <= opposite).unwrap_or(vertices.len());
        let is_new = vertices.get(place) != Some(&opposite);
        if is_new {
            vertices.insert(place, opposite);
        }
        if self.facets[into].newfacet {
            self.renew_vertices(&[opposite]);
        } else {
            self.renew_vertices(&self.facets[into].vertices.clone());
        }
        Ok((opposite, is_new))
    }

    /// Takes a facet from a vertex that the merged facet keeps; without a second facet the vertex is deleted.
    fn leave_facet(&mut self, v: Id, from: Id, into: Id) {
        swap_out(&mut self.vertices[v].neighbors, from);
        if self.vertices[v].neighbors.len() < 2 {
            cut_out(&mut self.facets[into].vertices, v);
            self.vertices[v].deleted = true;
            self.deleted_vertices.push(v);
        }
    }

    /// A facet that touches both merged facets loses one neighbour; the merged facet takes the first place if that was it.
    fn forget_neighbor(&mut self, other: Id, from: Id, into: Id) -> Result<(), Fail> {
        let neighbors = &mut self.facets[other].neighbors;
        if first(neighbors)? == from {
            swap_out(neighbors, into);
            replace(neighbors, from, into)
        } else {
            swap_out(neighbors, from);
            Ok(())
        }
    }

    fn merge_neighbors(&mut self, from: Id, into: Id) -> Result<(), Fail> {
        self.visit += 1;
        for i in 0..self.facets[into].neighbors.len() {
            let n = self.facets[into].neighbors[i];
            self.facets[n].visit = self.visit;
        }
        for n in self.facets[from].neighbors.clone() {
            if self.facets[n].visit == self.visit {
                self.make_ridges(n);
                self.forget_neighbor(n, from, into)?;
            } else if n != into {
                self.facets[into].neighbors.push(n);
                replace(&mut self.facets[n].neighbors, from, into)?;
            }
        }
        swap_out(&mut self.facets[from].neighbors, into);
        swap_out(&mut self.facets[into].neighbors, from);
        Ok(())
    }

    /// The vertices of both facets, from newest to oldest.
    fn merge_vertices(&mut self, from: Id, into: Id) -> Result<(), Fail> {
        let mut all = self.facets[from].vertices.clone();
        all.append(&mut self.facets[into].vertices);
        let both = all.len();
        all.sort_unstable_by(|a, b| b.cmp(a));
        all.dedup();
        let shared = both - all.len();
        self.facets[into].vertices = all;
        if shared < 2 { Err(Fail::Topology) } else { Ok(()) }
    }

    fn merge_ridges(&mut self, from: Id, into: Id) {
        // a ridge that is deleted leaves its place to the last one
        let mut i = 0;
        while i < self.facets[into].ridges.len() {
            let r = self.facets[into].ridges[i];
            if self.ridges[r].top == from || self.ridges[r].bottom == from {
                self.delete_ridge(r);
            } else {
                i += 1;
            }
        }
        for r in self.facets[from].ridges.clone() {
            self.move_ridge(r, from, into);
            self.add_ridge(into, r);
        }
    }

    fn move_ridge(&mut self, r: Id, from: Id, into: Id) {
        let ridge = &mut self.ridges[r];
        if ridge.top == from {
            ridge.top = into;
            ridge.simplicial_top = false;
        } else {
            ridge.bottom = into;
            ridge.simplicial_bottom = false;
        }
    }

    fn merge_vertex_neighbors(&mut self, from: Id, into: Id) -> Result<(), Fail> {
        for v in self.facets[from].vertices.clone() {
            if self.vertices[v].visit == self.vertex_visit {
                self.leave_facet(v, from, into);
            } else {
                replace(&mut self.vertices[v].neighbors, from, into)?;
            }
        }
        Ok(())
    }

    /// Takes a ridge from both its facets; if it was nonconvex, another ridge between them remembers that.
    pub(super) fn delete_ridge(&mut self, r: Id) {
        let (top, bottom) = (self.ridges[r].top, self.ridges[r].bottom);
        if self.ridges[r].nonconvex {
            self.ridges[r].nonconvex = false;
            let touches = |other: Id| self.ridges[other].top == bottom || self.ridges[other].bottom == bottom;
            let twin = self.facets[top].ridges.iter().copied().find(|&other| other != r && touches(other));
            if let Some(twin) = twin {
                self.ridges[twin].nonconvex = true;
            }
        }
        for v in self.ridges[r].vertices {
            self.vertices[v].lost_ridge = true;
        }
        swap_out(&mut self.facets[top].ridges, r);
        swap_out(&mut self.facets[bottom].ridges, r);
    }

    /// Finds neighbours all of whose vertices a facet has.
    pub(super) fn test_redundant_neighbors(&mut self, f: Id) -> Result<(), Fail> {
        if self.facets[f].neighbors.len() < 3 {
            return self.append_merge(f, f, MergeKind::Degenerate, 0.0);
        }
        self.vertex_visit += 1;
        for i in 0..self.facets[f].vertices.len() {
            let v = self.facets[f].vertices[i];
            self.vertices[v].visit = self.vertex_visit;
        }
        for i in 0..self.facets[f].neighbors.len() {
            let n = self.facets[f].neighbors[i];
            let neighbor = &self.facets[n];
            if neighbor.visible {
                return Err(Fail::Topology);
            }
            if neighbor.degenerate || neighbor.redundant || (self.facets[f].flipped && !neighbor.flipped) {
                continue;
            }
            if neighbor.vertices.iter().all(|&v| self.vertices[v].visit == self.vertex_visit) {
                self.append_merge(n, f, MergeKind::Redundant, 0.0)?;
            }
        }
        Ok(())
    }

    /// Finds neighbours that have too few neighbours left.
    fn test_degenerate_neighbors(&mut self, f: Id) -> Result<(), Fail> {
        for i in 0..self.facets[f].neighbors.len() {
            let n = self.facets[f].neighbors[i];
            if self.facets[n].visible {
                return Err(Fail::Topology);
            }
            if !self.facets[n].degenerate && !self.facets[n].redundant && self.facets[n].neighbors.len() < 3 {
                self.append_merge(n, n, MergeKind::Degenerate, 0.0)?;
            }
        }
        Ok(())
    }

    /// Finds out whether a facet is inside a neighbour or has too few neighbours.
    pub(super) fn test_degenerate(&mut self, f: Id) -> Result<(), Fail> {
        if self.facets[f].flipped {
            return Ok(());
        }
        for i in 0..self.facets[f].neighbors.len() {
            let n = self.facets[f].neighbors[i];
            if self.facets[n].flipped {
                continue;
            }
            if self.facets[n].visible {
                return Err(Fail::Topology);
            }
            let theirs = &self.facets[n].vertices;
            if self.facets[f].vertices.iter().all(|v| theirs.contains(v)) {
                return self.append_merge(f, n, MergeKind::Redundant, 0.0);
            }
        }
        if self.facets[f].neighbors.len() < 3 {
            self.append_merge(f, f, MergeKind::Degenerate, 0.0)?;
        }
        Ok(())
    }
}
