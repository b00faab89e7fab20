//! Islands: sets of kinematic trees that constraints connect, each solved on its own.

mod export;
mod sleep;
pub(crate) mod wake;

pub(crate) use export::NAMES;
pub use sleep::Awake;
pub(crate) use sleep::{FULLY_AWAKE, sensor_sleeps, update as update_sleep};

use sim_types::{ConstraintType, DisableFlags, EqType, ObjType, OptId};

use crate::constraint::Efc;
use crate::data::Data;
use crate::model::Model;

/// Which trees, dofs and rows belong together. Islands are numbered by their smallest tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Islands {
    /// Number of islands; zero also when they are switched off.
    pub nisland: usize,
    /// Number of dofs in islands.
    pub nidof: usize,
    /// Island of each tree; none when no row touches it.
    pub tree_island: Vec<OptId>,
    /// Trees by island, free trees last.
    pub map_itree2tree: Vec<u32>,
    /// First tree of each island in `map_itree2tree`, and the end of the last.
    pub island_itreeadr: Vec<u32>,
    /// Dofs by island, free dofs last.
    pub map_idof2dof: Vec<u32>,
    /// The inverse of `map_idof2dof`.
    pub map_dof2idof: Vec<u32>,
    /// First dof of each island in `map_idof2dof`, and the end of the last.
    pub island_idofadr: Vec<u32>,
    /// Island of each base row.
    pub base_island: Vec<u32>,
    /// Union–find over trees.
    parent: Vec<u32>,
}

/// Finds the islands of the present rows.
///
/// Reads `efc`, `contact`; writes `island`.
#[doc(alias = "mj_island")]
pub fn island(m: &Model, d: &mut Data) {
    d.island.clear();
    if !m.opt.has(DisableFlags::ISLAND) || d.efc.nefc == 0 || m.ntree == 0 {
        return;
    }
    if m.ntree == 1 {
        return d.island.only_one(m, d.efc.nbase());
    }
    let mut islands = std::mem::take(&mut d.island);
    islands.find(m, d);
    d.island = islands;
}

impl Islands {
    /// True when one island has every dof: nothing needs to be gathered.
    pub fn is_whole(&self, m: &Model) -> bool {
        self.nisland == 1 && self.nidof == m.nv
    }

    /// Forgets all islands, keeps the memory.
    pub(crate) fn clear(&mut self) {
        (self.nisland, self.nidof) = (0, 0);
    }

    /// Copies everything; allocates nothing when the room is there.
    pub(crate) fn copy_from(&mut self, from: &Self) {
        (self.nisland, self.nidof) = (from.nisland, from.nidof);
        self.tree_island.clone_from(&from.tree_island);
        for (to, from) in self.lists_mut().into_iter().zip(from.lists()) {
            to.clone_from(from);
        }
    }

    fn lists(&self) -> [&Vec<u32>; 7] {
        [
            &self.map_itree2tree,
            &self.island_itreeadr,
            &self.map_idof2dof,
            &self.map_dof2idof,
            &self.island_idofadr,
            &self.base_island,
            &self.parent,
        ]
    }

    fn lists_mut(&mut self) -> [&mut Vec<u32>; 7] {
        [
            &mut self.map_itree2tree,
            &mut self.island_itreeadr,
            &mut self.map_idof2dof,
            &mut self.map_dof2idof,
            &mut self.island_idofadr,
            &mut self.base_island,
            &mut self.parent,
        ]
    }

    fn find(&mut self, m: &Model, d: &Data) {
        self.parent.clear();
        self.parent.extend(0..m.ntree as u32);
        self.tree_island.clear();
        self.tree_island.resize(m.ntree, OptId::NONE);

        // first tree of every base row; trees that a row touches are marked and joined
        self.base_island.clear();
        let (mut base, nscalar) = (0, d.efc.ne + d.efc.nf + d.efc.nl);
        while base < nscalar {
            let rows = block_length(&d.efc, base, nscalar);
            let tree = self.join(m, d, base);
            self.base_island.extend(std::iter::repeat_n(tree, rows));
            base += rows;
        }
        let (mut before, mut tree) = ([OptId::NONE; 2], 0);
        for contact in &d.efc.contacts {
            // contacts of the same geoms follow one another
            let base = contact.base as usize;
            let geoms = d.contact.get(d.efc.id[base] as usize).map_or([OptId::NONE; 2], |c| c.geom);
            if geoms != before || geoms.contains(&OptId::NONE) {
                tree = self.join(m, d, base);
                before = geoms;
            }
            self.base_island.resize(base + contact.dim as usize, tree);
        }

        // number the islands by their smallest tree, which is the root of its set
        for tree in 0..m.ntree {
            if self.tree_island[tree].is_some() {
                let root = self.root(tree as u32) as usize;
                let island = if root == tree { self.nisland } else { self.tree_island[root].get().unwrap_or(0) };
                self.tree_island[tree] = OptId::some(island);
                self.nisland += usize::from(root == tree);
            }
        }
        for island in &mut self.base_island {
            *island = self.tree_island[*island as usize].get().unwrap_or(0) as u32;
        }
        self.sort(m);
    }

    /// One tree, so one island, and every list is the identity.
    fn only_one(&mut self, m: &Model, nbase: usize) {
        (self.nisland, self.nidof) = (1, m.nv);
        self.tree_island.clear();
        self.tree_island.push(OptId::some(0));
        for (list, n) in [
            (&mut self.map_itree2tree, 1),
            (&mut self.map_idof2dof, m.nv as u32),
            (&mut self.map_dof2idof, m.nv as u32),
        ] {
            if list.len() != n as usize {
                list.clear();
                list.extend(0..n);
            }
        }
        for (list, end) in [(&mut self.island_itreeadr, 1), (&mut self.island_idofadr, m.nv as u32)] {
            list.clear();
            list.extend([0, end]);
        }
        self.base_island.clear();
        self.base_island.resize(nbase, 0);
    }

    /// Lists of trees and dofs by island.
    fn sort(&mut self, m: &Model) {
        let n = self.nisland;
        let island_of = |tree: usize| self.tree_island[tree].get().unwrap_or(n);
        by_island(n, m.ntree, island_of, &mut self.map_itree2tree, &mut self.island_itreeadr);
        // the dofs of a tree are neighbours
        self.map_idof2dof.clear();
        self.map_dof2idof.resize(m.nv, 0);
        self.island_idofadr.clear();
        for island in 0..=n {
            self.island_idofadr.push(self.map_idof2dof.len() as u32);
            let end = self.island_itreeadr.get(island + 1).map_or(m.ntree, |end| *end as usize);
            for &tree in &self.map_itree2tree[self.island_itreeadr[island] as usize..end] {
                let (dof, count) = (m.tree_dofadr[tree as usize], m.tree_dofnum[tree as usize]);
                let idof = self.map_idof2dof.len() as u32;
                self.map_idof2dof.extend(dof..dof + count);
                for (to, idof) in self.map_dof2idof[dof as usize..(dof + count) as usize].iter_mut().zip(idof..) {
                    *to = idof;
                }
            }
        }
        self.nidof = self.island_idofadr[n] as usize;
    }

    /// Joins the trees of a block of rows and returns the first of them.
    fn join(&mut self, m: &Model, d: &Data, base: usize) -> u32 {
        let id = d.efc.id[base] as usize;
        let dof_tree = |dof: u32| OptId::some(m.dof_treeid[dof as usize] as usize);
        let pair = match d.efc.kind[base] {
            ConstraintType::FrictionDof => Some([dof_tree(id as u32), OptId::NONE]),
            ConstraintType::LimitJoint => Some([dof_tree(m.jnt_dofadr[id]), OptId::NONE]),
            ConstraintType::Equality => equality_trees(m, id),
            ConstraintType::FrictionTendon | ConstraintType::LimitTendon => None,
            _ => contact_trees(m, d, id),
        };
        if let Some([a, b]) = pair {
            let (first, second) = if a.is_some() { (a, b) } else { (b, a) };
            let first = first.get().unwrap_or(0);
            self.touch(first, second.get().unwrap_or(first));
            return first as u32;
        }

        // scan the row; MuJoCo's dense rows have no entries where the number is zero
        let dense = !m.is_sparse();
        let mut first = None;
        let mut last = 0;
        for e in d.efc.entries(base) {
            if dense && d.efc.J[e] == 0.0 {
                continue;
            }
            let tree = m.dof_treeid[d.efc.colind[e] as usize] as usize;
            if first.is_none() {
                first = Some(tree);
                self.touch(tree, tree);
            } else if tree != last {
                self.touch(last, tree);
            }
            last = tree;
        }
        first.unwrap_or(0) as u32
    }

    /// Marks two trees as constrained and joins them; the smaller root stays a root.
    fn touch(&mut self, a: usize, b: usize) {
        self.tree_island[a] = OptId::some(0);
        self.tree_island[b] = OptId::some(0);
        let (a, b) = (self.root(a as u32), self.root(b as u32));
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        self.parent[high as usize] = low;
    }

    fn root(&mut self, mut tree: u32) -> u32 {
        while self.parent[tree as usize] != tree {
            let up = self.parent[tree as usize];
            self.parent[tree as usize] = self.parent[up as usize];
            tree = up;
        }
        tree
    }
}

/// Base rows of one constraint that stand together.
fn block_length(efc: &Efc, base: usize, end: usize) -> usize {
    let (kind, id) = (efc.kind[base], efc.id[base]);
    (base + 1..end).take_while(|&i| efc.kind[i] == kind && efc.id[i] == id).count() + 1
}

/// Trees of the two bodies of a connect or weld; `None` when the row must be scanned.
fn equality_trees(m: &Model, eq: usize) -> Option<[OptId; 2]> {
    if !matches!(m.eq_type[eq], EqType::Connect | EqType::Weld) {
        return None;
    }
    let site = m.eq_objtype[eq] == ObjType::Site;
    Some([m.eq_obj1id[eq], m.eq_obj2id[eq]].map(|id| {
        let Some(id) = id.get() else { return OptId::NONE };
        m.body_treeid[if site { m.site_bodyid[id] as usize } else { id }]
    }))
}

/// Trees of the two geoms of a contact; `None` when the row must be scanned.
fn contact_trees(m: &Model, d: &Data, contact: usize) -> Option<[OptId; 2]> {
    let [a, b] = d.contact.get(contact)?.geom;
    let tree = |geom: usize| m.body_treeid[m.geom_bodyid[geom] as usize];
    Some([tree(a.get()?), tree(b.get()?)])
}

/// Sorts `0..n` by island, stably, those of no island last; `adr` gets the start of each island and the end of the last.
fn by_island(nisland: usize, n: usize, island: impl Fn(usize) -> usize, map: &mut Vec<u32>, adr: &mut Vec<u32>) {
    adr.clear();
    adr.resize(nisland + 2, 0);
    for i in 0..n {
        adr[island(i) + 1] += 1;
    }
    for i in 1..adr.len() {
        adr[i] += adr[i - 1];
    }
    map.resize(n, 0);
    for i in 0..n {
        let slot = &mut adr[island(i)];
        map[*slot as usize] = i as u32;
        *slot += 1;
    }
    // every start has moved to the next one's: shift them back
    adr.rotate_right(1);
    adr[0] = 0;
    adr.truncate(nisland + 1);
}
