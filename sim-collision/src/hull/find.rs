//! The facet that a point is furthest above.

use super::Fail;
use super::plane::Point;
use super::state::{Id, NONE, State};

/// Lower than any height.
const LOWEST: f64 = -f64::MAX / 2.0;

/// A facet, the height of the point above it, and whether that is outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Best {
    pub(super) facet: Id,
    pub(super) height: f64,
    pub(super) outside: bool,
}

impl State<'_> {
    /// After many merges neighbouring facets are less regular, and searches go further.
    fn reach(&self) -> f64 {
        if self.merges > 50 { 2.0 } else { 1.0 }
    }

    /// A point this high is clearly outside.
    pub(super) fn clearly_outside(&self) -> f64 {
        self.reach() * (2.0 * self.tol.min_outside).max(self.max_outside)
    }

    /// True when the new facets should be searched one by one.
    pub(super) fn many_merges(&self) -> bool {
        self.merges > 50
    }

    /// Climbs from facet to facet while the height grows; stops early at an outside facet unless `best_outside`.
    pub(super) fn find_best(
        &mut self,
        point: u32,
        start: Id,
        best_outside: bool,
        only_new: bool,
    ) -> Result<Best, Fail> {
        let p = self.points[point as usize];
        self.visit += 1;
        let visit = self.visit;
        let mut best = Best { facet: NONE, height: LOWEST, outside: true };
        if !self.facets[start].flipped {
            best.height = self.height(&p, start)?;
            best.facet = start;
            if !best_outside && best.height >= self.tol.min_outside {
                return Ok(best);
            }
        }
        self.facets[start].visit = visit;
        let mut at = start;
        while let Some((next, height)) = self.higher_neighbor(&p, at, best.height, visit, only_new)? {
            best.facet = next;
            best.height = height;
            if !best_outside && height >= self.tol.min_outside {
                return Ok(best);
            }
            at = next;
        }
        if only_new {
            if best.facet == NONE {
                return self.find_best_new(point, self.newfacet_list, best_outside);
            }
            if !self.find_best_not_sharp && best.height < -self.tol.dist_round {
                if self.new_facets_are_sharp() {
                    self.find_best_new = true;
                    return self.find_best_new(point, best.facet, best_outside);
                }
                self.find_best_not_sharp = true;
            }
        }
        if best.facet == NONE {
            return Err(Fail::Topology);
        }
        self.find_best_horizon(&p, best)
    }

    /// The first unvisited neighbour that the point is higher above.
    fn higher_neighbor(
        &mut self,
        p: &Point,
        facet: Id,
        above: f64,
        visit: u64,
        only_new: bool,
    ) -> Result<Option<(Id, f64)>, Fail> {
        for i in 0..self.facets[facet].neighbors.len() {
            let n = self.facets[facet].neighbors[i];
            let neighbor = &mut self.facets[n];
            if (only_new && !neighbor.newfacet) || neighbor.visit == visit {
                continue;
            }
            neighbor.visit = visit;
            if !neighbor.flipped {
                let height = self.height(p, n)?;
                if height > above {
                    return Ok(Some((n, height)));
                }
            }
        }
        Ok(None)
    }

    /// Tests all facets from `start` on, then the new ones before it; then looks around the best.
    pub(super) fn find_best_new(&mut self, point: u32, start: Id, best_outside: bool) -> Result<Best, Fail> {
        let p = self.points[point as usize];
        if start == NONE || self.facets[start].next == NONE {
            return Err(Fail::Topology);
        }
        self.visit += 1;
        let visit = self.visit;
        let enough = if best_outside { f64::INFINITY } else { self.clearly_outside() };
        let mut best = Best { facet: NONE, height: LOWEST, outside: true };
        for (round, from) in [start, self.newfacet_list].into_iter().enumerate() {
            let mut at = from;
            while at != NONE && self.facets[at].next != NONE {
                if at == start && round > 0 {
                    break;
                }
                self.facets[at].visit = visit;
                if !self.facets[at].flipped {
                    let height = self.height(&p, at)?;
                    if height > best.height {
                        best.facet = at;
                        best.height = height;
                        if height >= enough {
                            return Ok(best);
                        }
                    }
                }
                at = self.facets[at].next;
            }
        }
        if best.facet == NONE {
            best.facet = start;
        }
        self.find_best_horizon(&p, best)
    }

    /// Looks at neighbours of neighbours that are about as high as the best.
    fn find_best_horizon(&mut self, p: &Point, start: Best) -> Result<Best, Fail> {
        let mut best = start;
        self.visit += 1;
        let visit = self.visit;
        let reach = self.reach()
            * (self.max_outside + 2.0 * self.tol.dist_round + self.tol.min_visible.max(self.tol.max_coplanar));
        let mut lowest = best.height - reach;
        self.facets[best.facet].visit = visit;
        let (mut at, mut next) = (best.facet, NONE);
        let mut waiting: Vec<Id> = Vec::new();
        loop {
            for i in 0..self.facets[at].neighbors.len() {
                let n = self.facets[at].neighbors[i];
                if self.facets[n].visit == visit {
                    continue;
                }
                self.facets[n].visit = visit;
                if !self.facets[n].flipped {
                    let height = self.height(p, n)?;
                    if height > best.height {
                        lowest = height - reach;
                        if height > best.height + reach {
                            waiting.clear();
                        }
                        best.facet = n;
                        best.height = height;
                    } else if height < lowest {
                        continue;
                    }
                }
                if next != NONE {
                    waiting.push(next);
                }
                next = n;
            }
            if next != NONE {
                at = next;
                next = NONE;
            } else if let Some(facet) = waiting.pop() {
                at = facet;
            } else {
                break;
            }
        }
        best.outside = best.height >= self.tol.min_outside;
        Ok(best)
    }

    /// True when the new facets face more than one octant.
    fn new_facets_are_sharp(&self) -> bool {
        let mut octants = self
            .facets_from(self.newfacet_list)
            .into_iter()
            .filter_map(|f| self.facets[f].plane)
            .map(|plane| plane.normal.map(|x| x > 0.0));
        let first = octants.next();
        octants.any(|octant| Some(octant) != first)
    }
}
