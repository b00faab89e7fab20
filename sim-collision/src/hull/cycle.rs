//! Merging new facets into the horizon facet they are coplanar with.

use super::Fail;
use super::state::{Id, MergeKind, NONE, State, TAIL, cut_out, first, replace, swap_out};

/// Facets with more vertices than this keep their centre when they grow.
pub(super) const KEEP_CENTER: usize = 8;
/// Merges are counted up to this.
const MAX_MERGES: u32 = 511;

impl State<'_> {
    /// Merges all new facets that wait for it; true when there were any.
    pub(super) fn merge_cycles(&mut self) -> Result<bool, Fail> {
        let mut any = false;
        let mut facet = self.newfacet_list;
        while facet != NONE && facet != TAIL {
            let mut next = self.facets[facet].next;
            if self.facets[facet].plane.is_some() {
                facet = next;
                continue;
            }
            let horizon = self.horizon_of(facet)?;
            if self.facets[facet].link == facet {
                // a single facet
                for &v in &self.facets[facet].vertices[1..] {
                    self.vertices[v].lost_ridge = true;
                }
                self.facets[horizon].link = NONE;
                self.merge_facet_at_apex(facet, horizon)?;
            } else {
                let cycle = self.cycle(facet)?;
                for &same in &cycle {
                    if self.facets[same].cycle_done || self.facets[same].visible {
                        return Err(Fail::Topology);
                    }
                    self.facets[same].cycle_done = true;
                }
                while next != NONE && self.facets[next].cycle_done {
                    next = self.facets[next].next;
                }
                self.facets[horizon].link = NONE;
                self.merge_cycle(facet, &cycle, horizon)?;
                let merges = self.facets[horizon].merges + cycle.len() as u32;
                self.facets[horizon].merges = merges.min(MAX_MERGES);
            }
            any = true;
            facet = next;
        }
        if any {
            for f in self.facets_from(self.newfacet_list) {
                if self.facets[f].coplanar_horizon {
                    self.test_redundant_neighbors(f)?;
                    self.facets[f].coplanar_horizon = false;
                }
            }
            self.merge_degenerate()?;
        }
        Ok(any)
    }

    /// The facets of a cycle, from the one after `start` to `start`.
    fn cycle(&self, start: Id) -> Result<Vec<Id>, Fail> {
        let mut cycle = Vec::new();
        let mut at = start;
        while cycle.len() <= self.facets.len() {
            at = self.facets[at].link;
            if at == NONE || self.facets[at].plane.is_some() {
                return Err(Fail::Topology);
            }
            cycle.push(at);
            if at == start {
                return Ok(cycle);
            }
        }
        Err(Fail::Topology)
    }

    /// Merges the facets of a cycle into a horizon facet.
    fn merge_cycle(&mut self, start: Id, cycle: &[Id], into: Id) -> Result<(), Fail> {
        self.merges += 1;
        self.spend(self.facets[into].size())?;
        self.find_vertex_neighbors();
        let apex = self.apex_of(start)?;
        self.make_ridges(into);
        let same = self.cycle_neighbors(cycle, into)?;
        self.cycle_ridges(cycle, into, same)?;
        self.cycle_vertices(cycle, apex, into, same);
        if first(&self.facets[into].vertices)? != apex {
            self.facets[into].vertices.insert(0, apex);
        }
        if !self.facets[into].newfacet {
            self.renew_vertices(&self.facets[into].vertices.clone());
        }

        // the horizon facet is new now, the others go
        self.remove_facet(into);
        self.append_facet(into);
        let f = &mut self.facets[into];
        f.newfacet = true;
        f.simplicial = false;
        f.new_merge = true;
        if f.vertices.len() <= KEEP_CENTER {
            f.center = None;
        }
        for &f in cycle {
            self.will_delete(f, into);
        }
        Ok(())
    }

    /// Joins the neighbours of a cycle to the horizon facet; returns the mark that the cycle's facets bear.
    fn cycle_neighbors(&mut self, cycle: &[Id], into: Id) -> Result<u64, Fail> {
        let same = self.visit + 1;
        self.visit += 2;
        let mine = self.visit;
        for &f in cycle {
            self.facets[f].visit = same;
        }
        self.facets[into].visit = mine;
        let mut neighbors = std::mem::take(&mut self.facets[into].neighbors);
        neighbors.retain(|&n| self.facets[n].visit != same);
        for &n in &neighbors {
            self.facets[n].visit = mine;
        }
        self.facets[into].neighbors = neighbors;
        for &f in cycle {
            for n in self.facets[f].neighbors.clone() {
                if self.facets[n].visit == same {
                    continue;
                }
                let known = self.facets[n].visit == mine;
                if self.facets[n].simplicial {
                    if known {
                        self.make_ridges(n);
                        swap_out(&mut self.facets[n].neighbors, f);
                        continue;
                    }
                    self.facets[into].neighbors.push(n);
                    replace(&mut self.facets[n].neighbors, f, into)?;
                    self.move_ridge_between(n, f, into);
                } else {
                    swap_out(&mut self.facets[n].neighbors, f);
                    if known {
                        continue;
                    }
                    self.facets[n].neighbors.push(into);
                    self.facets[into].neighbors.push(n);
                }
                self.facets[n].visit = mine;
            }
        }
        Ok(same)
    }

    /// The ridge between `n` and `from`, if there is one, becomes one between `n` and `into`.
    fn move_ridge_between(&mut self, n: Id, from: Id, into: Id) {
        for i in 0..self.facets[n].ridges.len() {
            let r = &mut self.ridges[self.facets[n].ridges[i]];
            if r.top == from {
                r.top = into;
                return;
            }
            if r.bottom == from {
                r.bottom = into;
                return;
            }
        }
    }

    /// Moves the outer ridges of a cycle to the horizon facet, and drops the inner ones.
    fn cycle_ridges(&mut self, cycle: &[Id], into: Id, same: u64) -> Result<(), Fail> {
        let mut ridges = std::mem::take(&mut self.facets[into].ridges);
        ridges.retain(|&r| self.facets[self.other_facet(r, into)].visit != same);
        self.facets[into].ridges = ridges;
        for &f in cycle {
            for r in std::mem::take(&mut self.facets[f].ridges) {
                let ridge = &mut self.ridges[r];
                let n = if ridge.top == f {
                    ridge.top = into;
                    ridge.bottom
                } else if ridge.bottom == f {
                    ridge.bottom = into;
                    ridge.top
                } else if ridge.top == into || ridge.bottom == into {
                    self.add_ridge(into, r);
                    continue;
                } else {
                    return Err(Fail::Topology);
                };
                if n == into {
                    continue;
                }
                if self.facets[n].visit == same {
                    swap_out(&mut self.facets[n].ridges, r);
                } else {
                    self.add_ridge(into, r);
                }
            }
            if self.facets[f].simplicial {
                self.new_cycle_ridges(f, into, same);
            }
        }
        Ok(())
    }

    /// Makes ridges between the horizon facet and the outer triangles next to a facet of the cycle.
    fn new_cycle_ridges(&mut self, f: Id, into: Id, same: u64) {
        for i in 0..self.facets[f].neighbors.len() {
            let n = self.facets[f].neighbors[i];
            if self.facets[n].visit == same || !self.facets[n].simplicial {
                continue;
            }
            let vertices = without(&self.facets[f].vertices, i);
            let top = self.facets[f].top_orient ^ (i % 2 == 1);
            let r = if top {
                let r = self.new_ridge(vertices, into, n);
                self.ridges[r].simplicial_bottom = true;
                r
            } else {
                let r = self.new_ridge(vertices, n, into);
                self.ridges[r].simplicial_top = true;
                r
            };
            self.add_ridge(into, r);
            self.add_ridge(n, r);
        }
    }

    /// Tells the vertices of a cycle that their facet is the horizon facet; one that has no other is deleted.
    fn cycle_vertices(&mut self, cycle: &[Id], apex: Id, into: Id, same: u64) {
        self.facets[into].visit = same;
        self.vertex_visit += 1;
        self.vertices[apex].visit = self.vertex_visit;
        let mut vertices = Vec::new();
        for &f in cycle {
            for &v in &self.facets[f].vertices {
                if self.vertices[v].visit != self.vertex_visit {
                    self.vertices[v].visit = self.vertex_visit;
                    self.vertices[v].seen = false;
                    vertices.push(v);
                }
            }
        }
        vertices.push(apex);
        for v in vertices {
            let facets = &self.facets;
            let vertex = &mut self.vertices[v];
            vertex.lost_ridge = true;
            vertex.neighbors.retain(|&n| facets[n].visit != same);
            vertex.neighbors.push(into);
            if vertex.neighbors.len() < 2 {
                vertex.deleted = true;
                cut_out(&mut self.facets[into].vertices, v);
                self.deleted_vertices.push(v);
            }
        }
    }

    /// Gives a triangle ridges to all its neighbours, so that it can be merged.
    pub(super) fn make_ridges(&mut self, facet: Id) {
        if !self.facets[facet].simplicial {
            return;
        }
        self.facets[facet].simplicial = false;
        for i in 0..self.facets[facet].neighbors.len() {
            let n = self.facets[facet].neighbors[i];
            self.facets[n].seen = false;
        }
        for i in 0..self.facets[facet].ridges.len() {
            let n = self.other_facet(self.facets[facet].ridges[i], facet);
            self.facets[n].seen = true;
        }
        for i in 0..self.facets[facet].neighbors.len() {
            let n = self.facets[facet].neighbors[i];
            if self.facets[n].seen {
                continue;
            }
            let vertices = without(&self.facets[facet].vertices, i);
            let top = self.facets[facet].top_orient ^ (i % 2 == 1);
            let (above, below) = if top { (facet, n) } else { (n, facet) };
            let (tested, neighbor_simplicial) = (self.facets[facet].tested, self.facets[n].simplicial);
            let r = self.new_ridge(vertices, above, below);
            let ridge = &mut self.ridges[r];
            ridge.simplicial_top = top || neighbor_simplicial;
            ridge.simplicial_bottom = !top || neighbor_simplicial;
            ridge.tested = tested;
            self.add_ridge(facet, r);
            self.add_ridge(n, r);
        }
    }

    /// Merges a new triangle into the horizon.
    fn merge_facet_at_apex(&mut self, facet: Id, horizon: Id) -> Result<(), Fail> {
        self.merge_facet(facet, horizon, MergeKind::CoplanarHorizon, None)
    }
}

/// The vertices of a triangle without one of them.
fn without(vertices: &[Id], skip: usize) -> [Id; 2] {
    let at = |i: usize| vertices.get(i).copied().unwrap_or(TAIL);
    match skip {
        0 => [at(1), at(2)],
        1 => [at(0), at(2)],
        _ => [at(0), at(1)],
    }
}
