//! Points that are not on the hull yet, and the facets that keep them.

use super::Fail;
use super::find::Best;
use super::state::{Id, NONE, State, TAIL};

/// A coplanar point this many times too high becomes an outside point again.
const TOO_HIGH: f64 = 30.0;

impl State<'_> {
    /// Gives every point to the first facet it is clearly above, then the rest to the best facet.
    pub(super) fn partition_all(&mut self, simplex: &[usize]) -> Result<(), Fail> {
        let mut left: Vec<u32> = (0..self.points.len() as u32).filter(|&p| !simplex.contains(&(p as usize))).collect();
        let enough = self.clearly_outside();
        for facet in self.facets_from(self.facet_list) {
            let (mut kept, mut outside) = (Vec::new(), Vec::new());
            let mut best: Option<(u32, f64)> = None;
            for &point in &left {
                let height = self.height(&self.points[point as usize], facet)?;
                if height < enough {
                    kept.push(point);
                    continue;
                }
                // the highest is kept aside, to be the last
                match best {
                    Some((before, top)) if height > top => {
                        outside.push(before);
                        best = Some((point, height));
                    }
                    Some(_) => outside.push(point),
                    None => best = Some((point, height)),
                }
            }
            if let Some((point, height)) = best {
                outside.push(point);
                self.facets[facet].furthest = height;
            }
            self.facets[facet].outside = outside;
            left = kept;
        }
        self.find_best_new = true;
        for point in left {
            self.partition_point(point, self.facet_list)?;
        }
        self.find_best_new = false;
        Ok(())
    }

    /// Gives a point to the facet it is highest above, if it is not inside all.
    pub(super) fn partition_point(&mut self, point: u32, start: Id) -> Result<(), Fail> {
        let mut best = if self.find_best_new {
            self.find_best_new(point, start, false)?
        } else {
            self.find_best(point, start, false, true)?
        };
        if self.facets[best.facet].visible {
            return Err(Fail::Topology);
        }
        if self.narrow && best.height >= -self.tol.near_inside {
            best.outside = true;
        }
        if best.outside {
            self.add_outside(point, best);
        } else if best.height >= -self.tol.near_inside.max(self.tol.max_coplanar) {
            self.add_coplanar(point, best.facet, best)?;
        }
        Ok(())
    }

    fn add_outside(&mut self, point: u32, best: Best) {
        let (height, min_outside, narrow) = (best.height, self.tol.min_outside, self.narrow);
        let f = &mut self.facets[best.facet];
        let mut wakes = false;
        if f.outside.is_empty() {
            f.outside.push(point);
            f.furthest = height;
            wakes = !narrow || height > min_outside;
        } else if f.furthest < height {
            wakes = narrow && f.furthest < min_outside && height >= min_outside;
            f.outside.push(point);
            f.furthest = height;
        } else {
            let last = f.outside.len() - 1;
            f.outside.insert(last, point);
        }

        // a facet with its first outside point must come after those already processed
        if wakes && self.facet_next != best.facet {
            if self.facets[best.facet].newfacet {
                if self.facet_next != NONE && self.facets[self.facet_next].newfacet {
                    self.facet_next = self.newfacet_list;
                }
            } else {
                self.remove_facet(best.facet);
                self.append_facet(best.facet);
                if self.newfacet_list != NONE {
                    self.facets[best.facet].newfacet = true;
                }
            }
        }
    }

    /// Finds the facet of a coplanar point and gives it to that; points well inside are dropped.
    pub(super) fn partition_coplanar(&mut self, point: u32, start: Id, all_new: bool) -> Result<(), Fail> {
        let best =
            if all_new { self.find_best_new(point, start, true)? } else { self.find_best(point, start, true, false)? };
        if best.height < -self.tol.near_inside {
            self.repartitioned = NONE;
            return Ok(());
        }
        let from_corner = start != best.facet && best.height > self.max_outside && {
            match (self.facets[start].plane, self.facets[best.facet].plane) {
                (Some(a), Some(b)) => super::plane::dot(&a.normal, &b.normal) < 0.0,
                _ => false,
            }
        };
        if self.facets[best.facet].visible {
            return Err(Fail::Topology);
        }
        if from_corner {
            return self.repartition(point, best.facet);
        }
        self.add_coplanar(point, start, best)
    }

    /// Keeps a point with a facet that it is in, or a little below.
    fn add_coplanar(&mut self, point: u32, start: Id, best: Best) -> Result<(), Fail> {
        if self.facets[best.facet].visible {
            return Err(Fail::Topology);
        }
        if best.height > self.max_outside {
            if best.height > self.widest * TOO_HIGH {
                if start == best.facet {
                    if self.repartitioned == start {
                        return Err(Fail::Topology);
                    }
                    self.repartitioned = start;
                }
                return self.repartition(point, best.facet);
            }
            self.repartitioned = NONE;
            self.max_outside = best.height;
        }
        let height_of_last = match self.facets[best.facet].coplanar.last() {
            Some(&last) => self.height(&self.points[last as usize], best.facet)?,
            None => f64::MIN,
        };
        let coplanar = &mut self.facets[best.facet].coplanar;
        let end = if height_of_last < best.height { coplanar.len() } else { coplanar.len() - 1 };
        coplanar.insert(end, point);
        Ok(())
    }

    fn repartition(&mut self, point: u32, facet: Id) -> Result<(), Fail> {
        let before = std::mem::replace(&mut self.find_best_new, false);
        self.partition_point(point, facet)?;
        self.find_best_new = before;
        self.repartitioned = NONE;
        Ok(())
    }

    /// Hands the points of visible facets, and deleted vertices, to the facets that are new.
    pub(super) fn partition_visible(&mut self) -> Result<(), Fail> {
        for visible in self.visible_facets() {
            let outside = std::mem::take(&mut self.facets[visible].outside);
            let coplanar = std::mem::take(&mut self.facets[visible].coplanar);
            if outside.is_empty() && coplanar.is_empty() {
                continue;
            }
            let mut start = self.replacement(visible)?;
            if start == NONE {
                start = self.newfacet_list;
            }
            if start == NONE || start == TAIL {
                return Err(Fail::Topology);
            }
            for point in outside {
                self.partition_point(point, start)?;
            }
            for point in coplanar {
                self.partition_coplanar(point, start, self.find_best_new)?;
            }
        }
        for i in 0..self.deleted_vertices.len() {
            let v = self.deleted_vertices[i];
            if !self.vertices[v].partitioned {
                if self.newfacet_list == NONE || self.newfacet_list == TAIL {
                    return Err(Fail::Topology);
                }
                self.partition_coplanar(self.vertices[v].point, self.newfacet_list, true)?;
                self.vertices[v].partitioned = true;
            }
        }
        Ok(())
    }

    /// Moves the facet with the furthest point to the front.
    pub(super) fn furthest_next(&mut self) {
        let mut best = (NONE, f64::MIN);
        for f in self.facets_from(self.facet_list) {
            if !self.facets[f].outside.is_empty() && self.facets[f].furthest > best.1 {
                best = (f, self.facets[f].furthest);
            }
        }
        if best.0 != NONE {
            self.remove_facet(best.0);
            let before = if self.facet_next == NONE { TAIL } else { self.facet_next };
            self.insert_facet(best.0, before);
            self.facet_next = best.0;
        }
    }

    /// The next point to add: the furthest of the first facet that has one.
    pub(super) fn next_furthest(&mut self) -> Option<(u32, Id)> {
        while self.facet_next != TAIL && self.facet_next != NONE {
            let facet = self.facet_next;
            if self.narrow && self.facets[facet].not_furthest {
                self.find_furthest(facet);
            }
            let f = &mut self.facets[facet];
            let too_low = self.narrow && f.furthest < self.tol.min_outside;
            if f.outside.is_empty() || too_low {
                self.facet_next = f.next;
                continue;
            }
            return f.outside.pop().map(|point| (point, facet));
        }
        None
    }

    /// Measures the highest outside point again.
    fn find_furthest(&mut self, facet: Id) {
        let Some(plane) = self.facets[facet].plane else { return };
        let points = self.points;
        let f = &mut self.facets[facet];
        let heights = f.outside.iter().map(|&p| plane.height(&points[p as usize]));
        f.furthest = heights.fold(f64::MIN, f64::max);
        f.not_furthest = false;
    }
}
