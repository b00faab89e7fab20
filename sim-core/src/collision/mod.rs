//! Contacts between geoms: who may touch, where they touch, and what the solver must know of it.
//!
//! The contacts and their order are MuJoCo's, the way to them is not: where few geoms can collide, all bounding spheres are
//! tested at once and the trees of boxes are not walked. The one thing that MuJoCo's walk decides is whether geoms count
//! that only just touch, so it is asked about these alone.

mod broad;
mod key;
mod narrow;
mod params;
mod plan;
pub(crate) mod shape;
mod work;

use sim_types::{DisableFlags, OptId, Vec3};

use crate::data::Data;
use crate::model::Model;
use crate::pipeline::{Hooks, Parts};
use crate::warning::Warning;
pub(crate) use narrow::convex_options;
use narrow::{Narrow, dynamic_margin, walk};
use plan::{Broad, Pair, Rows, Sweep, by_tree, by_type, is_explicit, method_of};
pub use work::Work;

/// Finds all contacts.
///
/// Reads the poses of geoms and bodies; writes `contact`. Disabled with constraints or contacts.
#[doc(alias = "mj_collision")]
pub fn collision<P: Parts>(m: &Model, d: &mut Data, parts: &P) {
    d.contact.clear();
    if !m.opt.has(DisableFlags::CONSTRAINT) || !m.opt.has(DisableFlags::CONTACT) || m.nbody < 2 {
        return;
    }
    let mut work = d.scratch.collision.take().unwrap_or_default();
    let plan = work.take_plan(m, parts.hooks().filters_contacts());
    let mut narrow = Narrow::new(m, d, &mut work, &plan, parts);
    match &plan.broad {
        Broad::Rows(rows) => narrow.rows(rows),
        Broad::Sweep(list) => narrow.sweep(list),
    }
    work.plan = Some(plan);
    d.scratch.collision = Some(work);
}

/// Makes the plan for a model that copies of this state will share.
pub(crate) fn prepare(m: &Model, d: &mut Data) {
    let mut work = d.scratch.collision.take().unwrap_or_default();
    work.plan = Some(work.take_plan(m, false));
    d.scratch.collision = Some(work);
}

impl Data {
    /// Number of contacts.
    pub fn ncon(&self) -> usize {
        self.contact.len()
    }
}

impl<P: Parts> Narrow<'_, P> {
    /// Few pairs of geoms: all bounding spheres, then the pairs that are left in their order.
    fn rows(&mut self, rows: &Rows) {
        self.find_near(rows);
        for word in 0..self.work.candidates.len() {
            let mut bits = self.work.candidates[word];
            while bits != 0 {
                let place = 64 * word + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                self.pair(&rows.pairs[place]);
            }
        }
    }

    /// Fills `candidates` with a bit per pair that is near.
    fn find_near(&mut self, rows: &Rows) {
        let Work { balls, normals, candidates, .. } = &mut *self.work;
        balls.place(rows.geoms.iter().map(|&geom| &self.d.geom_xpos[geom as usize]));
        normals.clear();
        for &geom in &rows.planes {
            let mat = &self.d.geom_xmat[geom as usize];
            normals.push(Vec3::new(mat[(0, 2)], mat[(1, 2)], mat[(2, 2)]));
        }
        candidates.clear();
        candidates.extend_from_slice(&rows.always);
        rows.near.find(balls, normals, candidates);
    }

    /// Many geoms: pairs of bodies first. What touches fixed bodies is found apart and merged by the bodies' ids.
    fn sweep(&mut self, list: &Sweep) {
        if !broad::body_pairs(self.m, self.d, self.plan, list, self.work) {
            self.d.warning.raise(Warning::ContactFull, self.d.contact_limit.unwrap_or(usize::MAX));
        }
        self.find_near(&list.fixed);
        let mut index = 0;
        for word in 0..self.work.candidates.len() {
            let mut bits = self.work.candidates[word];
            while bits != 0 {
                let place = 64 * word + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                while let Some(&bodies) = self.work.bodies.get(index).filter(|b| **b < list.fixed_bodies[place]) {
                    self.body_pair(list, bodies);
                    index += 1;
                }
                self.pair(&list.fixed.pairs[place]);
            }
        }
        while let Some(&bodies) = self.work.bodies.get(index) {
            self.body_pair(list, bodies);
            index += 1;
        }
    }

    /// All geoms of two bodies, in MuJoCo's order.
    fn body_pair(&mut self, list: &Sweep, bodies: [u32; 2]) {
        let (m, filters) = (self.m, &self.plan.filters);
        let [b1, b2] = [bodies[0] as usize, bodies[1] as usize];
        if m.body_geomnum[b1] == 1 && m.body_geomnum[b2] == 1 {
            let [g1, g2] = [m.body_geoms(b1).start, m.body_geoms(b2).start];
            if filters.geoms_collide(m, g1, g2) {
                self.geom_pair(list, bodies, by_type(m, [g1 as u32, g2 as u32]), false);
            }
            return;
        }
        let tree = by_tree(m, b1, b2);
        let mut geoms = std::mem::take(&mut self.work.geoms);
        geoms.clear();
        if tree && m.body_geoms(b1).len() * m.body_geoms(b2).len() > ALL_TO_ALL {
            let complete = walk(m, self.d, [b1, b2], &mut self.work.stack, |g1, g2| {
                if g1 < m.ngeom && g2 < m.ngeom && filters.geoms_collide(m, g1, g2) {
                    geoms.push(by_type(m, [g1 as u32, g2 as u32]));
                }
            });
            if !complete {
                self.d.warning.raise(Warning::ContactFull, self.d.contact.len());
            }
        } else {
            for g1 in m.body_geoms(b1).filter(|&g| !tree || list.in_tree[g]) {
                for g2 in m.body_geoms(b2).filter(|&g| !tree || list.in_tree[g]) {
                    let geom = by_type(m, [g1 as u32, g2 as u32]);
                    let apart = || self.spheres_apart([geom[0] as usize, geom[1] as usize], dynamic_margin(m, geom));
                    if filters.geoms_collide(m, g1, g2) && !apart() {
                        geoms.push(geom);
                    }
                }
            }
        }
        if tree && geoms.len() > 1 {
            geoms.sort_unstable();
        }
        for &geom in &geoms {
            self.geom_pair(list, bodies, geom, tree);
        }
        self.work.geoms = geoms;
    }

    /// Two geoms of two bodies, the lower type first, unless they are an explicit pair.
    #[inline]
    fn geom_pair(&mut self, list: &Sweep, bodies: [u32; 2], geom: [u32; 2], by_tree: bool) {
        let Some(method) = method_of(self.m, geom) else { return };
        if list.explicit.is_empty() || !is_explicit(&list.explicit, bodies, geom) {
            let margin = dynamic_margin(self.m, geom);
            self.pair(&Pair { geom, method, margin, explicit: OptId::NONE, by_tree, by_sweep: false });
        }
    }
}

/// Up to so many pairs of geoms of two bodies, spheres are tested without walking the trees.
const ALL_TO_ALL: usize = 32;
