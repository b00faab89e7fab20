//! What the hull is made of while it is built: facets, the ridges between them, vertices, and lists of them.
//!
//! Facets and vertices live in arenas and are linked into lists that end in a sentinel, element 0. A facet with three
//! vertices is *simplicial*: its vertices run from the newest to the oldest, and neighbour `i` lies across from vertex
//! `i`. Facets that were merged are bounded by ridges, each with its vertices in the same order; seen from outside, the
//! ridge runs one way along the facet at its `top` and the other way along the one at its `bottom`.

use super::Fail;
use super::plane::{Plane, Point, Tolerance};
use std::cell::Cell;

/// Index of a facet, ridge or vertex.
pub(super) type Id = usize;

/// The absent facet or vertex.
pub(super) const NONE: Id = usize::MAX;

/// The sentinel at the end of both lists.
pub(super) const TAIL: Id = 0;

/// One side of the hull.
#[derive(Clone, Debug)]
pub(super) struct Facet {
    pub(super) prev: Id,
    pub(super) next: Id,
    /// Vertices from newest to oldest.
    pub(super) vertices: Vec<Id>,
    pub(super) neighbors: Vec<Id>,
    pub(super) ridges: Vec<Id>,
    /// Whether it ever had a ridge.
    pub(super) had_ridges: bool,
    /// Absent while the facet waits to be merged into the horizon.
    pub(super) plane: Option<Plane>,
    /// Projected mean of the vertices, kept once computed.
    pub(super) center: Option<Point>,
    /// Points above the facet, the furthest last.
    pub(super) outside: Vec<u32>,
    /// Points in the facet or a little below, the highest last.
    pub(super) coplanar: Vec<u32>,
    /// Height of the furthest point.
    pub(super) furthest: f64,
    /// Largest distance that a merged vertex or point is above the plane.
    pub(super) max_outside: f64,
    pub(super) merges: u32,
    pub(super) visit: u64,
    /// What took its place, the next of its cycle, or the cycle that will be merged into it.
    pub(super) link: Id,
    pub(super) top_orient: bool,
    pub(super) simplicial: bool,
    pub(super) seen: bool,
    pub(super) visible: bool,
    pub(super) newfacet: bool,
    pub(super) new_merge: bool,
    pub(super) tested: bool,
    pub(super) flipped: bool,
    pub(super) coplanar_horizon: bool,
    pub(super) merge_horizon: bool,
    pub(super) cycle_done: bool,
    pub(super) degenerate: bool,
    pub(super) redundant: bool,
    pub(super) keep_center: bool,
    pub(super) not_furthest: bool,
    /// Made by cutting a merged facet into triangles.
    pub(super) triangulated: bool,
}

impl Facet {
    /// How much a merge with it has to go through.
    pub(super) fn size(&self) -> usize {
        self.vertices.len() + self.neighbors.len() + self.ridges.len()
    }
}

/// The edge between two facets, one of which was merged.
#[derive(Clone, Debug)]
pub(super) struct Ridge {
    pub(super) vertices: [Id; 2],
    pub(super) top: Id,
    pub(super) bottom: Id,
    pub(super) nonconvex: bool,
    pub(super) tested: bool,
    pub(super) simplicial_top: bool,
    pub(super) simplicial_bottom: bool,
}

/// A point that is a corner of the hull.
#[derive(Clone, Debug)]
pub(super) struct Vertex {
    pub(super) point: u32,
    pub(super) prev: Id,
    pub(super) next: Id,
    pub(super) neighbors: Vec<Id>,
    pub(super) visit: u64,
    pub(super) newfacet: bool,
    pub(super) seen: bool,
    pub(super) deleted: bool,
    pub(super) lost_ridge: bool,
    pub(super) partitioned: bool,
}

/// Why two facets are to be merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MergeKind {
    Coplanar,
    Concave,
    ConcaveCoplanar,
    Flip,
    Degenerate,
    Redundant,
    Mirror,
    CoplanarHorizon,
}

/// A merge that has been decided on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Merge {
    pub(super) facet1: Id,
    pub(super) facet2: Id,
    pub(super) kind: MergeKind,
    pub(super) distance: f64,
}

/// The hull under construction.
pub(super) struct State<'a> {
    pub(super) points: &'a [Point],
    pub(super) facets: Vec<Facet>,
    pub(super) ridges: Vec<Ridge>,
    pub(super) vertices: Vec<Vertex>,
    pub(super) tol: Tolerance,
    pub(super) interior: Point,
    /// First facet of the whole list, of the visible ones, of the new ones, and of those still to be processed.
    pub(super) facet_list: Id,
    pub(super) visible_list: Id,
    pub(super) newfacet_list: Id,
    pub(super) facet_next: Id,
    pub(super) vertex_list: Id,
    pub(super) newvertex_list: Id,
    pub(super) first_newfacet: Id,
    pub(super) num_facets: usize,
    pub(super) num_visible: usize,
    pub(super) num_vertices: usize,
    pub(super) visit: u64,
    pub(super) vertex_visit: u64,
    /// Whether vertices know their facets; false until the first merge.
    pub(super) vertex_neighbors: bool,
    pub(super) find_best_new: bool,
    pub(super) find_best_not_sharp: bool,
    pub(super) narrow: bool,
    /// Largest distance of a coplanar point or merged vertex above its facet.
    pub(super) max_outside: f64,
    /// The same when the last point was added, and not less than what one merge does.
    pub(super) widest: f64,
    pub(super) merges: usize,
    pub(super) facet_merges: Vec<Merge>,
    pub(super) degenerate_merges: Vec<Merge>,
    pub(super) deleted_vertices: Vec<Id>,
    /// The facet whose coplanar point was last sent back to be partitioned.
    pub(super) repartitioned: Id,
    /// Steps of merging so far.
    work: Cell<u64>,
    /// Heights of points above facets that may still be asked for.
    looks: Cell<u64>,
}

/// Steps of merging that are allowed, some seconds of work: many points in one plane cost their square.
const MAX_WORK: u64 = 30_000_000;
/// Heights that may be asked for, about a second of work, and at least so many per point: points all over a ball take 75
/// each, points in one place or plane their number.
const MAX_LOOKS: u64 = 50_000_000;
const LOOKS_PER_POINT: u64 = 400;

impl<'a> State<'a> {
    /// Counts steps of merging; fails when there were too many.
    pub(super) fn spend(&self, steps: usize) -> Result<(), Fail> {
        self.work.set(self.work.get().saturating_add(steps as u64));
        if self.work.get() > MAX_WORK { Err(Fail::Work) } else { Ok(()) }
    }

    pub(super) fn new(points: &'a [Point], tol: Tolerance) -> Self {
        let mut state = State {
            points,
            facets: Vec::new(),
            ridges: Vec::new(),
            vertices: Vec::new(),
            tol,
            interior: [0.0; 3],
            facet_list: TAIL,
            visible_list: NONE,
            newfacet_list: TAIL,
            facet_next: NONE,
            vertex_list: TAIL,
            newvertex_list: TAIL,
            first_newfacet: 0,
            num_facets: 0,
            num_visible: 0,
            num_vertices: 0,
            visit: 0,
            vertex_visit: 0,
            vertex_neighbors: false,
            find_best_new: false,
            find_best_not_sharp: false,
            narrow: false,
            max_outside: 0.0,
            widest: (tol.one_merge + tol.dist_round).max(tol.min_outside),
            merges: 0,
            facet_merges: Vec::new(),
            degenerate_merges: Vec::new(),
            deleted_vertices: Vec::new(),
            repartitioned: NONE,
            work: Cell::new(0),
            looks: Cell::new(MAX_LOOKS.max(LOOKS_PER_POINT * points.len() as u64)),
        };
        state.new_facet();
        state.new_vertex(0);
        state
    }

    pub(super) fn new_facet(&mut self) -> Id {
        self.facets.push(Facet {
            prev: NONE,
            next: NONE,
            vertices: Vec::new(),
            neighbors: Vec::new(),
            ridges: Vec::new(),
            had_ridges: false,
            plane: None,
            center: None,
            outside: Vec::new(),
            coplanar: Vec::new(),
            furthest: 0.0,
            max_outside: self.tol.dist_round,
            merges: 0,
            visit: 0,
            link: NONE,
            top_orient: false,
            simplicial: true,
            seen: false,
            visible: false,
            newfacet: true,
            new_merge: false,
            tested: false,
            flipped: false,
            coplanar_horizon: false,
            merge_horizon: false,
            cycle_done: false,
            degenerate: false,
            redundant: false,
            keep_center: false,
            not_furthest: false,
            triangulated: false,
        });
        self.facets.len() - 1
    }

    pub(super) fn new_vertex(&mut self, point: u32) -> Id {
        self.vertices.push(Vertex {
            point,
            prev: NONE,
            next: NONE,
            neighbors: Vec::new(),
            visit: 0,
            newfacet: false,
            seen: false,
            deleted: false,
            lost_ridge: false,
            partitioned: false,
        });
        self.vertices.len() - 1
    }

    pub(super) fn new_ridge(&mut self, vertices: [Id; 2], top: Id, bottom: Id) -> Id {
        let (simplicial_top, simplicial_bottom) = (false, false);
        self.ridges.push(Ridge {
            vertices,
            top,
            bottom,
            nonconvex: false,
            tested: false,
            simplicial_top,
            simplicial_bottom,
        });
        self.ridges.len() - 1
    }

    /// Gives a ridge to a facet.
    pub(super) fn add_ridge(&mut self, facet: Id, ridge: Id) {
        self.facets[facet].ridges.push(ridge);
        self.facets[facet].had_ridges = true;
    }

    /// The point of a vertex.
    pub(super) fn at(&self, vertex: Id) -> Point {
        self.points[self.vertices[vertex].point as usize]
    }

    /// Height of a point above a facet.
    pub(super) fn height(&self, point: &Point, facet: Id) -> Result<f64, Fail> {
        self.looks.set(self.looks.get().checked_sub(1).ok_or(Fail::Work)?);
        Ok(self.facets[facet].plane.as_ref().ok_or(Fail::Topology)?.height(point))
    }

    /// The facet on the other side of a ridge.
    pub(super) fn other_facet(&self, ridge: Id, facet: Id) -> Id {
        let r = &self.ridges[ridge];
        if r.top == facet { r.bottom } else { r.top }
    }

    /// Facets of a list from `start` to the end.
    pub(super) fn facets_from(&self, start: Id) -> Vec<Id> {
        let mut list = Vec::new();
        let mut at = start;
        while at != NONE && at != TAIL {
            list.push(at);
            at = self.facets[at].next;
        }
        list
    }

    /// Visible facets, from the first of their list.
    pub(super) fn visible_facets(&self) -> Vec<Id> {
        let mut list = Vec::new();
        let mut at = self.visible_list;
        while at != NONE && self.facets[at].visible {
            list.push(at);
            at = self.facets[at].next;
        }
        list
    }

    /// Vertices of a list from `start` to the end.
    pub(super) fn vertices_from(&self, start: Id) -> Vec<Id> {
        let mut list = Vec::new();
        let mut at = start;
        while at != NONE && at != TAIL {
            list.push(at);
            at = self.vertices[at].next;
        }
        list
    }

    /// Adds a facet at the end of the list.
    pub(super) fn append_facet(&mut self, facet: Id) {
        if self.newfacet_list == TAIL {
            self.newfacet_list = facet;
            if self.visible_list == TAIL {
                self.visible_list = facet;
            }
        }
        if self.facet_next == TAIL {
            self.facet_next = facet;
        }
        let prev = self.facets[TAIL].prev;
        self.facets[facet].prev = prev;
        self.facets[facet].next = TAIL;
        match prev {
            NONE => self.facet_list = facet,
            _ => self.facets[prev].next = facet,
        }
        self.facets[TAIL].prev = facet;
        self.num_facets += 1;
    }

    /// Takes a facet out of the list.
    pub(super) fn remove_facet(&mut self, facet: Id) {
        let (prev, next) = (self.facets[facet].prev, self.facets[facet].next);
        for list in [&mut self.newfacet_list, &mut self.facet_next, &mut self.visible_list] {
            if *list == facet {
                *list = next;
            }
        }
        match prev {
            NONE => self.facet_list = next,
            _ => self.facets[prev].next = next,
        }
        if next != NONE {
            self.facets[next].prev = prev;
        }
        self.num_facets = self.num_facets.saturating_sub(1);
    }

    /// Puts a facet before `before`, which is the first facet of some list.
    pub(super) fn insert_facet(&mut self, facet: Id, before: Id) {
        let prev = self.facets[before].prev;
        self.facets[facet].prev = prev;
        self.facets[facet].next = before;
        if prev != NONE {
            self.facets[prev].next = facet;
        }
        self.facets[before].prev = facet;
        if self.facet_list == before {
            self.facet_list = facet;
        }
        if self.facet_next == before {
            self.facet_next = facet;
        }
        self.num_facets += 1;
    }

    /// Moves a facet to the visible ones, which will be deleted; `replacement` takes its points.
    pub(super) fn will_delete(&mut self, facet: Id, replacement: Id) {
        self.remove_facet(facet);
        let before = if self.visible_list == NONE { TAIL } else { self.visible_list };
        self.insert_facet(facet, before);
        self.visible_list = facet;
        self.num_visible += 1;
        let f = &mut self.facets[facet];
        f.visible = true;
        f.link = replacement;
        f.ridges.clear();
        f.neighbors.clear();
    }

    /// Adds a vertex at the end of the list and marks it as new.
    pub(super) fn append_vertex(&mut self, vertex: Id) {
        if self.newvertex_list == TAIL {
            self.newvertex_list = vertex;
        }
        let prev = self.vertices[TAIL].prev;
        let v = &mut self.vertices[vertex];
        v.newfacet = true;
        v.prev = prev;
        v.next = TAIL;
        match prev {
            NONE => self.vertex_list = vertex,
            _ => self.vertices[prev].next = vertex,
        }
        self.vertices[TAIL].prev = vertex;
        self.num_vertices += 1;
    }

    /// Takes a vertex out of the list.
    pub(super) fn remove_vertex(&mut self, vertex: Id) {
        let (prev, next) = (self.vertices[vertex].prev, self.vertices[vertex].next);
        if self.newvertex_list == vertex {
            self.newvertex_list = next;
        }
        match prev {
            NONE => self.vertex_list = next,
            _ => self.vertices[prev].next = next,
        }
        if next != NONE {
            self.vertices[next].prev = prev;
        }
        self.num_vertices = self.num_vertices.saturating_sub(1);
    }

    /// Moves vertices that are not new to the end of the list.
    pub(super) fn renew_vertices(&mut self, vertices: &[Id]) {
        for &v in vertices {
            if !self.vertices[v].newfacet {
                self.remove_vertex(v);
                self.append_vertex(v);
            }
        }
    }

    /// Forgets which facets and vertices are new, and which facets are visible.
    pub(super) fn reset_lists(&mut self, reset_visible: bool) {
        for v in self.vertices_from(self.newvertex_list) {
            self.vertices[v].newfacet = false;
        }
        self.newvertex_list = NONE;
        self.first_newfacet = 0;
        for f in self.facets_from(self.newfacet_list) {
            self.facets[f].newfacet = false;
        }
        self.newfacet_list = NONE;
        if reset_visible {
            for f in self.visible_facets() {
                self.facets[f].link = NONE;
                self.facets[f].visible = false;
            }
            self.num_visible = 0;
        }
        self.visible_list = NONE;
    }

    /// What took the place of a visible facet, at the end of the chain.
    pub(super) fn replacement(&self, facet: Id) -> Result<Id, Fail> {
        let mut at = facet;
        for _ in 0..=self.facets.len() {
            if at == NONE || !self.facets[at].visible {
                return Ok(at);
            }
            at = self.facets[at].link;
        }
        Err(Fail::Topology)
    }
}

/// Removes the first `old` by moving the last element into its place; false when there is none.
pub(super) fn swap_out(list: &mut Vec<Id>, old: Id) -> bool {
    match list.iter().position(|&x| x == old) {
        Some(i) => {
            list.swap_remove(i);
            true
        }
        None => false,
    }
}

/// Removes the first `old` and keeps the order.
pub(super) fn cut_out(list: &mut Vec<Id>, old: Id) {
    if let Some(i) = list.iter().position(|&x| x == old) {
        list.remove(i);
    }
}

/// Puts `new` in the place of `old`.
pub(super) fn replace(list: &mut [Id], old: Id, new: Id) -> Result<(), Fail> {
    let slot = list.iter_mut().find(|x| **x == old).ok_or(Fail::Topology)?;
    *slot = new;
    Ok(())
}

/// The first element.
pub(super) fn first(list: &[Id]) -> Result<Id, Fail> {
    list.first().copied().ok_or(Fail::Topology)
}
