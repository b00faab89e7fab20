//! Vertices that merging has made superfluous: those no ridge needs, and those between only two facets.

use super::Fail;
use super::state::{Id, State, cut_out, swap_out};

impl State<'_> {
    /// Removes superfluous vertices of merged facets; true when that made a facet degenerate.
    pub(super) fn reduce_vertices(&mut self) -> Result<bool, Fail> {
        let mut degenerate = self.merge_degenerate()? > 0;

        // every restart follows a merge, so there are no more of them than facets
        for _ in 0..=self.facets.len() {
            if self.remove_unused_vertices()? || self.rename_between_two()? {
                degenerate = true;
                continue;
            }
            for v in self.vertices_from(self.newvertex_list) {
                self.vertices[v].lost_ridge &= self.vertices[v].deleted;
            }
            return Ok(degenerate);
        }
        Err(Fail::Topology)
    }

    /// Removes vertices that no ridge of their facet has; true after a merge that followed from it.
    fn remove_unused_vertices(&mut self) -> Result<bool, Fail> {
        for f in self.facets_from(self.newfacet_list) {
            if self.facets[f].new_merge && self.remove_extra_vertices(f) {
                self.test_degenerate(f)?;
                if self.merge_degenerate()? > 0 {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Replaces vertices that have only two facets left; true after a merge that followed from it.
    fn rename_between_two(&mut self) -> Result<bool, Fail> {
        for f in self.facets_from(self.newfacet_list) {
            if !self.facets[f].new_merge {
                continue;
            }
            self.facets[f].new_merge = false;
            let mut i = 0;
            while i < self.facets[f].vertices.len() {
                let v = self.facets[f].vertices[i];
                if self.vertices[v].lost_ridge && self.rename_shared_vertex(v, f)? {
                    if self.merge_degenerate()? > 0 {
                        return Ok(true);
                    }
                } else {
                    i += 1;
                }
            }
        }
        Ok(false)
    }

    /// Removes vertices that no ridge of a facet has.
    fn remove_extra_vertices(&mut self, f: Id) -> bool {
        if self.facets[f].simplicial {
            return false;
        }
        for &v in &self.facets[f].vertices {
            self.vertices[v].seen = false;
        }
        for &r in &self.facets[f].ridges {
            for v in self.ridges[r].vertices {
                self.vertices[v].seen = true;
            }
        }
        let extra: Vec<Id> = self.facets[f].vertices.iter().copied().filter(|&v| !self.vertices[v].seen).collect();
        for &v in &extra {
            cut_out(&mut self.facets[f].vertices, v);
            swap_out(&mut self.vertices[v].neighbors, f);
            if self.vertices[v].neighbors.is_empty() {
                self.vertices[v].deleted = true;
                self.deleted_vertices.push(v);
            }
        }
        !extra.is_empty()
    }

    /// Replaces a vertex between exactly two facets by one that both have; false when none fits.
    fn rename_shared_vertex(&mut self, v: Id, f: Id) -> Result<bool, Fail> {
        let &[a, b] = self.vertices[v].neighbors.as_slice() else { return Ok(false) };
        let other = if a == f { b } else { a };
        self.visit += 1;
        self.facets[other].visit = self.visit;
        let between = |s: &Self, r: Id| s.other_facet(r, f) == other && s.ridges[r].vertices.contains(&v);
        let ridges: Vec<Id> = self.facets[f].ridges.iter().copied().filter(|&r| between(self, r)).collect();
        let theirs = &self.facets[other].vertices;
        let mut shared: Vec<Id> = self.facets[f].vertices.iter().copied().filter(|x| theirs.contains(x)).collect();
        swap_out(&mut shared, v);
        let Some(new) = self.find_new_vertex(v, shared, &ridges) else { return Ok(false) };
        self.rename_vertex(v, new, &ridges)?;
        self.test_degenerate(f)?;
        Ok(true)
    }

    /// A vertex that can stand for `old` on these ridges: no ridge may come to lie on another.
    fn find_new_vertex(&mut self, old: Id, mut candidates: Vec<Id>, ridges: &[Id]) -> Option<Id> {
        let uses = |v: Id| ridges.iter().filter(|&&r| self.ridges[r].vertices.contains(&v)).count();
        let mut i = 0;
        while i < candidates.len() {
            if uses(candidates[i]) == 0 {
                candidates.swap_remove(i);
            } else {
                i += 1;
            }
        }
        candidates.sort_by_key(|&v| uses(v));
        candidates.into_iter().find(|&v| !self.would_coincide(v, old, ridges))
    }

    /// True when a ridge of `v`, with `old` in its place, is one of `ridges`.
    fn would_coincide(&self, v: Id, old: Id, ridges: &[Id]) -> bool {
        let rest = |r: Id, skip: Id| self.ridges[r].vertices.into_iter().find(|&x| x != skip);
        let neighbors = &self.vertices[v].neighbors;
        let mut around = Vec::new();
        for &n in neighbors {
            for &r in &self.facets[n].ridges {
                let inner = neighbors.contains(&self.other_facet(r, n));
                if inner && self.ridges[r].vertices.contains(&v) && !around.contains(&r) {
                    around.push(r);
                }
            }
        }
        around.into_iter().any(|r| ridges.iter().any(|&mine| mine != r && rest(r, v) == rest(mine, old)))
    }

    /// Replaces a vertex on its ridges; it had two facets, so none keeps it.
    fn rename_vertex(&mut self, old: Id, new: Id, ridges: &[Id]) -> Result<(), Fail> {
        for &r in ridges {
            if self.rename_in_ridge(r, old, new)? && self.has_duplicate(r, new) {
                // two ridges between the same vertices pinch the hull; it would have to be cut there
                return Err(Fail::Topology);
            }
        }
        let facets = self.vertices[old].neighbors.clone();
        for &f in &facets {
            cut_out(&mut self.facets[f].vertices, old);
            self.test_degenerate(f)?;
        }
        self.vertices[old].deleted = true;
        self.deleted_vertices.push(old);
        Ok(())
    }

    /// Replaces a vertex of a ridge; false when nothing is left of the ridge.
    fn rename_in_ridge(&mut self, r: Id, old: Id, new: Id) -> Result<bool, Fail> {
        let vertices = self.ridges[r].vertices;
        let old_place = vertices.iter().position(|&v| v == old).ok_or(Fail::Topology)?;
        let kept = vertices[1 - old_place];
        if kept == new {
            self.delete_ridge(r);
            return Ok(false);
        }
        let new_place = usize::from(kept > new);
        let ridge = &mut self.ridges[r];
        ridge.vertices = if new_place == 0 { [new, kept] } else { [kept, new] };
        ridge.simplicial_top = false;
        ridge.simplicial_bottom = false;
        if old_place != new_place {
            std::mem::swap(&mut ridge.top, &mut ridge.bottom);
        }
        Ok(true)
    }

    /// True when another ridge of the same facets has the same vertices.
    fn has_duplicate(&self, r: Id, new: Id) -> bool {
        let ridge = &self.ridges[r];
        let enough = |f: Id| {
            let size = self.facets[f].vertices.len();
            size > 3 || (size == 3 && (self.facets[f].simplicial || !self.facets[f].vertices.contains(&new)))
        };
        if !enough(ridge.top) || !enough(ridge.bottom) {
            return false;
        }
        [ridge.top, ridge.bottom].into_iter().any(|f| {
            let facet = &self.facets[f];
            let same = |other: Id| other != r && self.ridges[other].vertices == ridge.vertices;
            !facet.simplicial && facet.merges > 0 && facet.ridges.iter().any(|&other| same(other))
        })
    }
}
