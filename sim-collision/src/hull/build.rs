//! Adding a point: the facets it sees are replaced by a cone from the point to their horizon.

use super::Fail;
use super::state::{Id, NONE, State, TAIL, first, replace, swap_out};
use std::collections::HashMap;

impl State<'_> {
    /// Adds points until none is outside, or until there are `max_vertices` vertices.
    pub(super) fn build(&mut self, max_vertices: usize) -> Result<(), Fail> {
        self.facet_next = self.facet_list;
        while let Some((point, facet)) = self.next_furthest() {
            if self.num_vertices >= max_vertices {
                return Ok(());
            }
            self.add_point(point, facet)?;
        }
        Ok(())
    }

    fn add_point(&mut self, point: u32, facet: Id) -> Result<(), Fail> {
        self.widest = self.max_outside.max(self.tol.one_merge + self.tol.dist_round).max(self.tol.min_outside);
        self.find_horizon(point, facet)?;
        self.first_newfacet = self.facets.len();
        self.make_cone(point)?;
        self.match_new_facets()?;
        for f in self.facets_from(self.newfacet_list) {
            if !self.facets[f].merge_horizon {
                self.set_plane(f)?;
            }
        }
        self.update_vertex_neighbors_cone();

        // merge what is not clearly convex, then hand over the points
        self.facet_merges.clear();
        self.degenerate_merges.clear();
        self.find_best_new = false;
        self.premerge()?;
        let new = self.facets_from(self.newfacet_list);
        self.find_best_new = self.many_merges() || new.iter().any(|&f| !self.facets[f].simplicial);
        self.partition_visible()?;
        self.find_best_new = false;
        self.find_best_not_sharp = false;
        self.delete_visible();
        self.reset_lists(true);
        Ok(())
    }

    /// Moves the facets that a point sees to the end of the list, starting from one that it does.
    fn find_horizon(&mut self, point: u32, facet: Id) -> Result<(), Fail> {
        let p = self.points[point as usize];
        self.remove_facet(facet);
        self.append_facet(facet);
        self.visible_list = facet;
        self.num_visible = 1;
        self.facets[facet].visible = true;
        self.facets[facet].link = NONE;
        self.visit += 1;
        let mut has_horizon = false;
        let mut visible = facet;
        while visible != NONE && self.facets[visible].visible {
            self.facets[visible].visit = self.visit;
            for i in 0..self.facets[visible].neighbors.len() {
                let n = self.facets[visible].neighbors[i];
                if self.facets[n].visit == self.visit {
                    continue;
                }
                self.facets[n].visit = self.visit;
                let height = self.height(&p, n)?;
                if height > self.tol.min_visible {
                    self.remove_facet(n);
                    self.append_facet(n);
                    self.facets[n].visible = true;
                    self.facets[n].link = NONE;
                    self.num_visible += 1;
                    continue;
                }
                has_horizon = true;
                self.facets[n].coplanar_horizon = height >= -self.tol.max_coplanar;
                if self.facets[n].coplanar_horizon && height > 0.0 {
                    self.max_outside = self.max_outside.max(height);
                    self.facets[n].max_outside = self.facets[n].max_outside.max(height);
                }
            }
            visible = self.facets[visible].next;
        }
        if has_horizon { Ok(()) } else { Err(Fail::Topology) }
    }

    /// New facets from a point to the horizon, joined to the facets beyond it.
    fn make_cone(&mut self, point: u32) -> Result<(), Fail> {
        self.newfacet_list = TAIL;
        self.newvertex_list = TAIL;
        let apex = self.new_vertex(point);
        self.append_vertex(apex);
        self.visit += 1;
        let (mut last, mut last_by_ridge) = (NONE, NONE);
        for visible in self.visible_facets() {
            for i in 0..self.facets[visible].neighbors.len() {
                let n = self.facets[visible].neighbors[i];
                self.facets[n].seen = false;
            }
            if self.facets[visible].had_ridges {
                self.facets[visible].visit = self.visit;
                last_by_ridge = self.cone_over_ridges(visible, apex)?;
            }
            if self.facets[visible].simplicial {
                last = self.cone_over_neighbors(visible, apex)?;
            }
            if last_by_ridge != NONE {
                last = last_by_ridge;
            }
            if last != NONE {
                self.facets[visible].link = last;
            }
            self.facets[visible].ridges.clear();
            self.facets[visible].neighbors.clear();
        }
        Ok(())
    }

    /// New facets of a visible facet over its ridges; also used to cut a facet into triangles.
    pub(super) fn cone_over_ridges(&mut self, visible: Id, apex: Id) -> Result<Id, Fail> {
        let mut new = NONE;
        for ridge in self.facets[visible].ridges.clone() {
            let n = self.other_facet(ridge, visible);
            if !self.facets[n].visible {
                let top_orient = self.ridges[ridge].top == visible;
                let [a, b] = self.ridges[ridge].vertices;
                new = self.make_new_facet(vec![apex, a, b], top_orient, n);
                if self.facets[n].coplanar_horizon {
                    self.join_cycle(new, n);
                }
                if self.facets[n].seen {
                    if self.facets[n].simplicial {
                        return Err(Fail::Topology);
                    }
                    self.facets[n].neighbors.push(new);
                } else {
                    replace(&mut self.facets[n].neighbors, visible, new)?;
                }
                if self.facets[n].simplicial {
                    swap_out(&mut self.facets[n].ridges, ridge);
                } else {
                    self.add_ridge(new, ridge);
                    let r = &mut self.ridges[ridge];
                    if top_orient {
                        r.top = new;
                        r.simplicial_top = true;
                    } else {
                        r.bottom = new;
                        r.simplicial_bottom = true;
                    }
                }
            }
            self.facets[n].seen = true;
        }
        Ok(new)
    }

    /// Notes that a new facet will be merged into the horizon facet `n`, with others of its kind.
    fn join_cycle(&mut self, new: Id, n: Id) {
        self.facets[new].merge_horizon = true;
        if self.facets[n].seen {
            let cycle = self.facets[n].link;
            self.facets[new].link = self.facets[cycle].link;
            self.facets[cycle].link = new;
        } else {
            self.facets[new].link = new;
            self.facets[n].link = new;
        }
    }

    /// New facets of a visible triangle over the edges where its neighbour is a triangle too.
    fn cone_over_neighbors(&mut self, visible: Id, apex: Id) -> Result<Id, Fail> {
        let mut new = NONE;
        for n in self.facets[visible].neighbors.clone() {
            if self.facets[n].seen || self.facets[n].visible {
                continue;
            }
            let skip = self.facets[n].neighbors.iter().position(|&x| x == visible).ok_or(Fail::Topology)?;
            let mut vertices = vec![apex];
            vertices.extend(self.facets[n].vertices.iter().enumerate().filter(|(i, _)| *i != skip).map(|(_, v)| v));
            if vertices.len() != 3 {
                return Err(Fail::Topology);
            }
            let top_orient = self.facets[n].top_orient == (skip % 2 == 1);
            new = self.make_new_facet(vertices, top_orient, n);
            if self.facets[n].coplanar_horizon {
                self.facets[new].link = new;
                self.facets[new].merge_horizon = true;
            }
            self.facets[n].neighbors[skip] = new;
        }
        Ok(new)
    }

    fn make_new_facet(&mut self, vertices: Vec<Id>, top_orient: bool, horizon: Id) -> Id {
        self.renew_vertices(&vertices);
        let new = self.new_facet();
        self.facets[new].vertices = vertices;
        self.facets[new].top_orient = top_orient;
        self.facets[new].neighbors.push(horizon);
        self.append_facet(new);
        new
    }

    /// Makes new facets that share an edge from the apex neighbours of each other.
    ///
    /// Three facets at one edge would have to be merged; that happens only in very thin hulls and is given up.
    pub(super) fn match_new_facets(&mut self) -> Result<(), Fail> {
        let new = self.facets_from(self.newfacet_list);
        for &f in &new {
            self.facets[f].neighbors.truncate(1);
            self.facets[f].neighbors.resize(3, NONE);
        }
        let mut open: HashMap<Id, Vec<Id>> = HashMap::new();
        let mut unmatched = 0usize;
        for &f in &new {
            for skip in 1..3 {
                let key = self.facets[f].vertices[3 - skip];
                let at_edge = open.entry(key).or_default();
                let Some(&other) = at_edge.iter().find(|&&other| other != f) else {
                    if !at_edge.contains(&f) {
                        at_edge.push(f);
                    }
                    unmatched += 1;
                    continue;
                };
                let other_skip = if self.facets[other].vertices[1] == key { 2 } else { 1 };
                let same = skip == other_skip;
                let differ = self.facets[f].top_orient != self.facets[other].top_orient;
                if same != differ || self.facets[other].neighbors[other_skip] != NONE {
                    return Err(Fail::Topology);
                }
                self.facets[other].neighbors[other_skip] = f;
                self.facets[f].neighbors[skip] = other;
                unmatched = unmatched.saturating_sub(1);
            }
        }
        if unmatched == 0 { Ok(()) } else { Err(Fail::Topology) }
    }

    /// Tells the vertices of the cone about the new facets, and finds those that have no facet left.
    fn update_vertex_neighbors_cone(&mut self) {
        let new = self.facets_from(self.newfacet_list);
        if self.vertex_neighbors {
            for v in self.vertices_from(self.newvertex_list) {
                let mut i = 0;
                while i < self.vertices[v].neighbors.len() {
                    if self.facets[self.vertices[v].neighbors[i]].visible {
                        self.vertices[v].neighbors.swap_remove(i);
                    } else {
                        i += 1;
                    }
                }
            }
            self.add_neighbors(&new, true);
        }
        self.find_deleted_vertices();
    }

    /// The same after merges or cutting: order is kept, and nothing is added twice.
    pub(super) fn update_vertex_neighbors(&mut self) {
        let new = self.facets_from(self.newfacet_list);
        if self.vertex_neighbors {
            for v in self.vertices_from(self.newvertex_list) {
                let facets = &self.facets;
                self.vertices[v].neighbors.retain(|&n| !facets[n].visible);
            }
            for f in new {
                let fresh = self.first_newfacet != 0 && f >= self.first_newfacet;
                self.add_neighbors(&[f], fresh);
            }
        }
        self.find_deleted_vertices();
    }

    fn add_neighbors(&mut self, facets: &[Id], fresh: bool) {
        for &f in facets {
            for i in 0..self.facets[f].vertices.len() {
                let v = self.facets[f].vertices[i];
                if fresh || !self.vertices[v].neighbors.contains(&f) {
                    self.vertices[v].neighbors.push(f);
                }
            }
        }
    }

    fn find_deleted_vertices(&mut self) {
        for visible in self.visible_facets() {
            for i in 0..self.facets[visible].vertices.len() {
                let v = self.facets[visible].vertices[i];
                if self.vertices[v].newfacet || self.vertices[v].deleted {
                    continue;
                }
                let survives = self.vertices[v].neighbors.iter().any(|&n| !self.facets[n].visible);
                if self.vertex_neighbors && survives {
                    swap_out(&mut self.vertices[v].neighbors, visible);
                } else {
                    self.vertices[v].deleted = true;
                    self.deleted_vertices.push(v);
                }
            }
        }
    }

    /// Lets vertices know their facets.
    pub(super) fn find_vertex_neighbors(&mut self) {
        if self.vertex_neighbors {
            return;
        }
        for v in &mut self.vertices {
            v.neighbors.clear();
        }
        for f in self.facets_from(self.facet_list) {
            if !self.facets[f].visible {
                self.add_neighbors(&[f], true);
            }
        }
        self.vertex_neighbors = true;
    }

    /// Drops visible facets and deleted vertices.
    pub(super) fn delete_visible(&mut self) {
        for f in self.visible_facets() {
            self.delete_facet(f);
        }
        self.num_visible = 0;
        for v in std::mem::take(&mut self.deleted_vertices) {
            self.remove_vertex(v);
            self.vertices[v].neighbors = Vec::new();
        }
    }

    /// Takes a facet out of the list for good and frees what it holds.
    pub(super) fn delete_facet(&mut self, f: Id) {
        self.remove_facet(f);
        let facet = &mut self.facets[f];
        facet.vertices = Vec::new();
        facet.neighbors = Vec::new();
        facet.ridges = Vec::new();
        facet.outside = Vec::new();
        facet.coplanar = Vec::new();
    }

    /// The facet beyond the horizon that a new facet was made for.
    pub(super) fn horizon_of(&self, facet: Id) -> Result<Id, Fail> {
        first(&self.facets[facet].neighbors)
    }
}
