//! Cutting merged facets into triangles.
//!
//! Every merged facet becomes a fan around its newest vertex. Ridges at that vertex give triangles without area, which
//! are dropped and their neighbours joined; where that joins a facet to itself, two facets mirror each other and go too.

use super::Fail;
use super::state::{Id, MergeKind, NONE, State, TAIL, first, replace};

impl State<'_> {
    /// Cuts all merged facets.
    pub(super) fn triangulate(&mut self) -> Result<(), Fail> {
        self.visit += 1;
        self.facet_merges.clear();
        self.degenerate_merges.clear();
        self.newvertex_list = TAIL;
        let (mut first_facet, mut first_vertex) = (NONE, NONE);
        for f in self.facets_from(self.facet_list) {
            if self.facets[f].visible || self.facets[f].simplicial {
                continue;
            }
            if first_facet == NONE {
                first_facet = f;
            }
            self.triangulate_facet(f, &mut first_vertex)?;
        }
        if first_facet == NONE {
            return Ok(());
        }
        for f in self.facets_from(first_facet) {
            let vertices = &self.facets[f].vertices;
            if !self.facets[f].visible && vertices.first() == vertices.get(1) {
                self.drop_null(f)?;
            }
        }
        self.visible_list = TAIL;
        while let Some(merge) = self.degenerate_merges.pop() {
            if merge.kind == MergeKind::Mirror {
                self.drop_mirror(merge.facet1, merge.facet2)?;
            }
        }
        self.newvertex_list = first_vertex;
        self.visible_list = NONE;
        self.update_vertex_neighbors();
        self.reset_lists(false);
        self.mark_degenerate(first_facet);
        self.delete_cut_facets(first_facet)
    }

    /// Cuts one facet into a fan around its newest vertex.
    fn triangulate_facet(&mut self, f: Id, first_vertex: &mut Id) -> Result<(), Fail> {
        self.first_newfacet = self.facets.len();
        for i in 0..self.facets[f].neighbors.len() {
            let n = self.facets[f].neighbors[i];
            self.facets[n].seen = false;
            self.facets[n].coplanar_horizon = false;
        }
        self.visible_list = TAIL;
        self.newfacet_list = TAIL;
        self.facets[f].visit = self.visit;
        let apex = self.apex_of(f)?;
        self.cone_over_ridges(f, apex)?;
        self.will_delete(f, NONE);
        for new in self.facets_from(self.newfacet_list) {
            let plane = self.facets[f].plane;
            let facet = &mut self.facets[new];
            facet.triangulated = true;
            facet.link = f;
            facet.degenerate = false;
            facet.plane = plane;
        }
        self.match_new_facets()?;
        if *first_vertex == NONE {
            *first_vertex = self.newvertex_list;
        }
        self.newvertex_list = NONE;
        self.visible_list = NONE;
        self.update_vertex_neighbors();
        self.reset_lists(false);
        Ok(())
    }

    /// Drops a triangle that uses a vertex twice, and joins the two facets beside it.
    fn drop_null(&mut self, f: Id) -> Result<(), Fail> {
        let &[a, b] = self.facets[f].neighbors.first_chunk().ok_or(Fail::Topology)?;
        self.link_facets((f, a), (f, b))?;
        self.will_delete(f, NONE);
        Ok(())
    }

    /// Makes `a` and `b` neighbours, each in the place of an old one; neighbours already, they mirror each other.
    fn link_facets(&mut self, (old_a, a): (Id, Id), (old_b, b): (Id, Id)) -> Result<(), Fail> {
        let forth = self.facets[a].neighbors.contains(&b);
        if forth != self.facets[b].neighbors.contains(&a) {
            return Err(Fail::Topology);
        }
        if forth && !self.is_mirror(a, b) {
            self.append_merge(a, b, MergeKind::Mirror, 0.0)?;
        }
        replace(&mut self.facets[b].neighbors, old_b, a)?;
        replace(&mut self.facets[a].neighbors, old_a, b)
    }

    fn is_mirror(&self, a: Id, b: Id) -> bool {
        let pair = |m: &super::state::Merge| (m.facet1, m.facet2) == (a, b) || (m.facet1, m.facet2) == (b, a);
        self.facets[a].redundant
            && self.facets[b].redundant
            && self.degenerate_merges.iter().any(|m| m.kind == MergeKind::Mirror && pair(m))
    }

    /// Drops two facets with the same vertices, and joins their neighbours.
    fn drop_mirror(&mut self, a: Id, b: Id) -> Result<(), Fail> {
        for i in 0..self.facets[a].neighbors.len() {
            let n = self.facets[a].neighbors[i];
            let m = *self.facets[b].neighbors.get(i).ok_or(Fail::Topology)?;
            if (n == b && m == a) || self.is_mirror(n, m) || (self.facets[n].visible && self.facets[m].visible) {
                continue;
            }
            self.link_facets((a, n), (b, m))?;
        }
        self.will_delete(a, NONE);
        self.will_delete(b, NONE);
        Ok(())
    }

    /// Marks triangles that touch another merged facet twice.
    fn mark_degenerate(&mut self, start: Id) {
        let owner = |s: &Self, f: Id| if s.facets[f].triangulated { s.facets[f].link } else { f };
        for f in self.facets_from(start) {
            if !self.facets[f].triangulated || self.facets[f].visible {
                continue;
            }
            if let Ok(n) = first(&self.facets[f].neighbors) {
                let across = owner(self, n);
                let others = &self.facets[f].neighbors[1..];
                self.facets[f].degenerate = others.iter().any(|&n| owner(self, n) == across);
            }
        }
    }

    /// Deletes the facets that were cut, and the triangles that were dropped.
    fn delete_cut_facets(&mut self, start: Id) -> Result<(), Fail> {
        let (mut owner, mut cut) = (NONE, NONE);
        let mut f = start;
        while f != NONE && f != TAIL {
            let mut next = self.facets[f].next;
            if self.facets[f].visible {
                if self.facets[f].triangulated {
                    self.delete_facet(f);
                } else {
                    if cut != NONE && owner == NONE {
                        self.delete_facet(cut);
                    }
                    cut = f;
                    owner = NONE;
                }
            } else if self.facets[f].triangulated {
                if cut == NONE || self.facets[f].link != cut {
                    return Err(Fail::Topology);
                }
                if owner == NONE && !self.facets[f].degenerate {
                    owner = f;
                    next = self.facets[cut].next;
                    self.delete_facet(cut);
                } else if owner != NONE {
                    self.facets[f].link = owner;
                }
            }
            f = next;
        }
        if cut != NONE && owner == NONE {
            self.delete_facet(cut);
        }
        Ok(())
    }
}
