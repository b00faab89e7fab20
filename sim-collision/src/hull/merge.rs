//! Merging facets that are not clearly convex to each other.
//!
//! After a cone is made, new facets in the plane of the horizon are merged into it, then facets that face inwards, then
//! pairs of neighbours that are coplanar or concave, the closest first. A merge may leave facets with too few neighbours
//! or inside another; those are merged in turn.

use super::Fail;
use super::plane::Point;
use super::state::{Id, Merge, MergeKind, NONE, State, first, swap_out};

/// A merge wider than this many times the usual is given up.
const TOO_WIDE: f64 = 100.0;
/// Facets with more vertices are compared by their centres.
const MANY_VERTICES: usize = 26;
/// Facets with more vertices look at nonconvex ridges first.
const SOME_VERTICES: usize = 18;

/// The neighbour that a facet is closest to, and how far its vertices are below and above that.
#[derive(Clone, Copy, Debug)]
struct Nearest {
    facet: Id,
    distance: f64,
    min: f64,
    max: f64,
}

impl State<'_> {
    /// All merges after a cone was made.
    pub(super) fn premerge(&mut self) -> Result<(), Fail> {
        if self.is_clearly_convex()? {
            return Ok(());
        }
        let mut merged = self.merge_cycles()?;
        merged |= self.merge_flipped()?;
        self.collect_merges_first()?;
        self.merge_all(merged)
    }

    /// True when all new facets are triangles next to triangles, and clearly convex to each other and the horizon.
    fn is_clearly_convex(&mut self) -> Result<bool, Fail> {
        let new = self.facets_from(self.newfacet_list);
        for &f in &new {
            let horizon = self.horizon_of(f)?;
            let facet = &self.facets[f];
            if !self.facets[horizon].simplicial || facet.flipped || facet.plane.is_none() {
                return Ok(false);
            }
        }
        let limit = -2.0 * self.tol.dist_round;
        for &f in &new {
            let (vertices, neighbors) = (&self.facets[f].vertices, &self.facets[f].neighbors);
            for i in 1..3 {
                if self.height(&self.at(vertices[i]), neighbors[i])? >= limit {
                    return Ok(false);
                }
            }
            let beyond = self.facets[neighbors[0]].vertices.iter().find(|v| !vertices[1..].contains(v));
            if let Some(&v) = beyond
                && self.height(&self.at(v), f)? >= limit
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Merges facets that face inwards into their nearest neighbours.
    fn merge_flipped(&mut self) -> Result<bool, Fail> {
        let mut merged = false;
        for f in self.facets_from(self.newfacet_list) {
            if self.facets[f].flipped && !self.facets[f].visible {
                self.append_merge(f, f, MergeKind::Flip, 0.0)?;
            }
        }
        for merge in std::mem::take(&mut self.facet_merges) {
            if merge.kind == MergeKind::Flip && !self.facets[merge.facet1].visible {
                let near = self.nearest_neighbor(merge.facet1)?;
                self.merge_facet(merge.facet1, near.facet, MergeKind::Flip, Some((near.min, near.max)))?;
                merged = true;
            }
        }
        self.merge_degenerate()?;
        Ok(merged)
    }

    /// Tests all ridges of new facets.
    fn collect_merges_first(&mut self) -> Result<(), Fail> {
        self.visit += 1;
        for f in self.facets_from(self.newfacet_list) {
            self.facets[f].visit = self.visit;
            for i in 0..self.facets[f].neighbors.len() {
                let n = self.facets[f].neighbors[i];
                if self.facets[n].visit != self.visit && self.test_merge(f, n)? {
                    let between = self.facets[n].ridges.iter().copied().find(|&r| self.other_facet(r, n) == f);
                    if let Some(ridge) = between {
                        self.ridges[ridge].nonconvex = true;
                    }
                }
            }
            self.facets[f].tested = true;
            for i in 0..self.facets[f].ridges.len() {
                let r = self.facets[f].ridges[i];
                self.ridges[r].tested = true;
            }
        }
        self.sort_merges();
        Ok(())
    }

    /// Tests the ridges of facets that were merged since.
    fn collect_merges(&mut self) -> Result<(), Fail> {
        self.visit += 1;
        for f in self.facets_from(self.newfacet_list) {
            if self.facets[f].tested {
                continue;
            }
            self.facets[f].visit = self.visit;
            for i in 0..self.facets[f].neighbors.len() {
                let n = self.facets[f].neighbors[i];
                self.facets[n].seen = false;
            }
            for i in 0..self.facets[f].ridges.len() {
                let r = self.facets[f].ridges[i];
                if self.ridges[r].tested && !self.ridges[r].nonconvex {
                    continue;
                }
                let n = self.other_facet(r, f);
                if self.facets[n].seen {
                    self.ridges[r].tested = true;
                    self.ridges[r].nonconvex = false;
                } else if self.facets[n].visit != self.visit {
                    self.facets[n].seen = true;
                    let nonconvex = self.test_merge(f, n)?;
                    self.ridges[r].nonconvex = nonconvex;
                    self.ridges[r].tested = true;
                }
            }
            self.facets[f].tested = true;
        }
        self.sort_merges();
        Ok(())
    }

    /// Sorts merges so that the last is the best: coplanar before concave, closest before further.
    fn sort_merges(&mut self) {
        self.facet_merges.sort_by(|a, b| b.kind.cmp(&a.kind).then_with(|| b.distance.total_cmp(&a.distance)));
    }

    /// Decides whether two facets must be merged: each centre should be clearly below the other facet.
    fn test_merge(&mut self, f: Id, n: Id) -> Result<bool, Fail> {
        let radius = self.tol.centrum;
        let (center_f, center_n) = (self.center(f)?, self.center(n)?);
        let (above_n, above_f) = (self.height(&center_f, n)?, self.height(&center_n, f)?);
        let concave = above_n > radius || above_f > radius;
        let mut coplanar = above_n <= radius && above_n >= -radius;
        if !coplanar && above_f <= radius {
            coplanar = above_f >= -radius;
        }
        match (concave, coplanar) {
            (false, false) => return Ok(false),
            (true, true) if above_n > above_f => self.append_merge(f, n, MergeKind::ConcaveCoplanar, above_n)?,
            (true, true) => self.append_merge(n, f, MergeKind::ConcaveCoplanar, above_f)?,
            (true, false) => self.append_merge(f, n, MergeKind::Concave, above_n.max(above_f))?,
            (false, true) => self.append_merge(f, n, MergeKind::Coplanar, above_n.abs().min(above_f.abs()))?,
        }
        Ok(true)
    }

    /// The mean of a facet's vertices, in its plane.
    fn center(&mut self, facet: Id) -> Result<Point, Fail> {
        if let Some(center) = self.facets[facet].center {
            return Ok(center);
        }
        let mean = self.mean(&self.facets[facet].vertices);
        let plane = self.facets[facet].plane.ok_or(Fail::Topology)?;
        let center = plane.project(&mean, plane.height(&mean));
        self.facets[facet].center = Some(center);
        Ok(center)
    }

    /// Notes a merge in the list it belongs to.
    pub(super) fn append_merge(&mut self, f: Id, n: Id, kind: MergeKind, distance: f64) -> Result<(), Fail> {
        if self.facets[f].redundant && kind != MergeKind::Mirror || self.facets[n].redundant {
            return Ok(());
        }
        if self.facets[f].degenerate && kind == MergeKind::Degenerate {
            return Ok(());
        }
        if self.facets[n].flipped && !self.facets[f].flipped {
            return Err(Fail::Topology);
        }
        let merge = Merge { facet1: f, facet2: n, kind, distance };
        match kind {
            MergeKind::Degenerate => {
                self.facets[f].degenerate = true;
                match self.degenerate_merges.last() {
                    Some(last) if last.kind != MergeKind::Degenerate => self.degenerate_merges.insert(0, merge),
                    _ => self.degenerate_merges.push(merge),
                }
            }
            MergeKind::Redundant => {
                self.facets[f].redundant = true;
                self.degenerate_merges.push(merge);
            }
            MergeKind::Mirror => {
                self.facets[f].redundant = true;
                self.facets[n].redundant = true;
                self.degenerate_merges.push(merge);
            }
            _ => self.facet_merges.push(merge),
        }
        Ok(())
    }

    /// Does all merges, and those that they make necessary.
    fn merge_all(&mut self, mut other_merge: bool) -> Result<(), Fail> {
        let mut merged;
        loop {
            merged = false;
            while !self.facet_merges.is_empty() || !self.degenerate_merges.is_empty() {
                if !self.degenerate_merges.is_empty() {
                    self.merge_degenerate()?;
                    merged = true;
                }
                while let Some(merge) = self.facet_merges.pop() {
                    let (f1, f2) = (&self.facets[merge.facet1], &self.facets[merge.facet2]);
                    if f1.visible || f2.visible {
                        continue;
                    }
                    // coplanar merges are independent: a facet just merged is tested again first
                    let untested = (!f1.tested && f1.newfacet) || (!f2.tested && f2.newfacet);
                    if merge.kind == MergeKind::Coplanar && untested {
                        continue;
                    }
                    self.merge_nonconvex(merge)?;
                    self.merge_degenerate()?;
                    merged = true;
                }
                self.collect_merges()?;
            }
            if merged || other_merge {
                merged = false;
                other_merge = false;
                if self.reduce_vertices()? {
                    self.collect_merges()?;
                    continue;
                }
            }
            break;
        }
        if merged || other_merge {
            for f in self.facets_from(self.newfacet_list) {
                self.facets[f].new_merge = false;
            }
        }
        Ok(())
    }

    /// Merges one of two facets into its nearest neighbour, whichever moves less.
    fn merge_nonconvex(&mut self, merge: Merge) -> Result<(), Fail> {
        let (mut f1, mut f2) = (merge.facet1, merge.facet2);
        if !self.facets[f1].newfacet {
            std::mem::swap(&mut f1, &mut f2);
        }
        let near1 = self.nearest_neighbor(f1)?;
        let near2 = self.nearest_neighbor(f2)?;
        let (from, near) = if near1.distance < near2.distance { (f1, near1) } else { (f2, near2) };
        self.merge_facet(from, near.facet, merge.kind, Some((near.min, near.max)))
    }

    /// The neighbour whose plane is closest to a facet.
    fn nearest_neighbor(&mut self, f: Id) -> Result<Nearest, Fail> {
        let size = self.facets[f].vertices.len();
        self.spend(size + self.facets[f].ridges.len())?;
        let by_center = size > MANY_VERTICES;
        if by_center {
            self.center(f)?;
        }
        let mut best = Nearest { facet: NONE, distance: f64::MAX, min: 0.0, max: 0.0 };
        if size > SOME_VERTICES {
            for r in self.facets[f].ridges.clone() {
                if self.ridges[r].nonconvex {
                    self.compare_neighbor(f, self.other_facet(r, f), by_center, &mut best)?;
                }
            }
        }
        if best.facet == NONE {
            for n in self.facets[f].neighbors.clone() {
                self.compare_neighbor(f, n, by_center, &mut best)?;
            }
        }
        if best.facet == NONE {
            return Err(Fail::Topology);
        }
        if by_center {
            let exact = self.distance_between(f, best.facet)?;
            (best.min, best.max) = (exact.min, exact.max);
        }
        Ok(best)
    }

    fn compare_neighbor(&self, f: Id, n: Id, by_center: bool, best: &mut Nearest) -> Result<(), Fail> {
        if self.facets[f].flipped && self.facets[n].flipped && best.facet != NONE && !self.facets[best.facet].flipped {
            return Ok(());
        }
        let found = match self.facets[f].center {
            Some(center) if by_center => {
                let height = 3.0 * self.height(&center, n)?;
                Nearest { facet: n, distance: height.abs(), min: height.min(0.0), max: height.max(0.0) }
            }
            _ => self.distance_between(f, n)?,
        };
        if found.distance < best.distance {
            *best = found;
        }
        Ok(())
    }

    /// How far the vertices that only `f` has are below and above `n`.
    fn distance_between(&self, f: Id, n: Id) -> Result<Nearest, Fail> {
        let (mut min, mut max) = (0.0f64, 0.0f64);
        let theirs = &self.facets[n].vertices;
        self.spend(self.facets[f].vertices.len().saturating_mul(theirs.len()))?;
        for v in &self.facets[f].vertices {
            if !theirs.contains(v) {
                let height = self.height(&self.at(*v), n)?;
                min = min.min(height);
                max = max.max(height);
            }
        }
        Ok(Nearest { facet: n, distance: max.max(-min), min, max })
    }

    /// Merges facets with too few neighbours, and facets inside another.
    pub(super) fn merge_degenerate(&mut self) -> Result<usize, Fail> {
        let mut count = 0;
        while let Some(merge) = self.degenerate_merges.pop() {
            let f = merge.facet1;
            if self.facets[f].visible {
                continue;
            }
            self.facets[f].degenerate = false;
            self.facets[f].redundant = false;
            if merge.kind == MergeKind::Redundant {
                let into = self.replacement(merge.facet2)?;
                if into == NONE {
                    return Err(Fail::Topology);
                }
                if into != f {
                    self.merge_facet(f, into, merge.kind, None)?;
                    count += 1;
                }
                continue;
            }
            match self.facets[f].neighbors.len() {
                0 => {
                    self.drop_facet(f);
                    count += 1;
                }
                1 | 2 => {
                    let near = self.nearest_neighbor(f)?;
                    self.merge_facet(f, near.facet, merge.kind, Some((near.min, near.max)))?;
                    count += 1;
                }
                _ => {}
            }
        }
        Ok(count)
    }

    /// Removes a facet that no other touches.
    fn drop_facet(&mut self, f: Id) {
        self.will_delete(f, NONE);
        for v in self.facets[f].vertices.clone() {
            swap_out(&mut self.vertices[v].neighbors, f);
            if self.vertices[v].neighbors.is_empty() {
                self.vertices[v].deleted = true;
                self.deleted_vertices.push(v);
            }
        }
    }

    /// Refuses a merge that would bend the hull too much.
    pub(super) fn check_width(&self, f1: Id, f2: Id, (min, max): (f64, f64)) -> Result<(), Fail> {
        let limit = (TOO_WIDE * self.tol.one_merge).max(self.facets[f1].max_outside).max(self.facets[f2].max_outside);
        if max > limit || -min > limit { Err(Fail::Topology) } else { Ok(()) }
    }

    /// The facet's newest vertex.
    pub(super) fn apex_of(&self, facet: Id) -> Result<Id, Fail> {
        first(&self.facets[facet].vertices)
    }
}
