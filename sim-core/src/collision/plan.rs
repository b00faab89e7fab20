//! What collision can know before it sees a state: which geoms may touch, in which order, and the shapes' hulls.
//!
//! The order of contacts is MuJoCo's: pairs of bodies by their ids, explicit pairs before the others of the same bodies;
//! within two bodies by the ids of the geoms, the lower type first, when their trees are used, else as two loops.

use sim_collision::pair::{Method, method};
use sim_collision::rows::RowPairs;
use sim_types::{DisableFlags, EnableFlags, GeomType, OptId};

use super::key::Key;
use super::shape::{Hulls, tree};
use crate::model::Model;

/// Up to so many pairs of geoms, all bounding spheres are tested; beyond, bodies are sorted along an axis.
const MAX_PAIRS: usize = 12_000;
/// Up to so many pairs of geoms whose bodies are not sorted, because one is fixed, all bounding spheres are tested.
const MAX_FIXED: usize = 60_000;
/// Up to so many bodies, what the filters say of each pair is kept in a table.
const MAX_TABLE: usize = 2048;

/// Two geoms that may touch, the lower type first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) geom: [u32; 2],
    /// How they collide.
    pub(super) method: Method,
    /// Distance at which contacts begin.
    pub(super) margin: f64,
    /// The explicit pair, if it is one.
    pub(super) explicit: OptId,
    /// MuJoCo walks the trees of the two bodies to find it.
    pub(super) by_tree: bool,
    /// MuJoCo sorts the two bodies along an axis to find it.
    pub(super) by_sweep: bool,
}

/// How candidates are found.
#[derive(Clone, Debug)]
pub(super) enum Broad {
    /// All bounding spheres against all, for few geoms.
    Rows(Rows),
    /// Bodies sorted along an axis, then their geoms.
    Sweep(Sweep),
}

/// All pairs of a model with few geoms.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// The geoms that may touch anything without being an explicit pair, ascending.
    pub(super) geoms: Vec<u32>,
    /// Radius of each, margin included; that of a plane is its margin.
    pub(super) radius: Vec<f64>,
    /// The planes among them.
    pub(super) planes: Vec<u32>,
    /// The pairs that must be near, by their places in `pairs`.
    pub(super) near: RowPairs,
    /// All pairs in the order of their contacts.
    pub(super) pairs: Vec<Pair>,
    /// A bit per pair that is always a candidate.
    pub(super) always: Vec<u64>,
}

/// Bodies to be sorted.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweep {
    /// Bodies other than the world that may touch anything, ascending.
    pub(super) bodies: Vec<u32>,
    /// Pairs of bodies that meet whatever their distance, sorted. Empty when `fixed` has their geoms.
    pub(super) always: Vec<[u32; 2]>,
    /// Explicit pairs, and pairs of geoms of bodies that meet whatever their distance unless these are too many.
    pub(super) fixed: Rows,
    /// The bodies of each of these, the lower id first.
    pub(super) fixed_bodies: Vec<[u32; 2]>,
    /// Bit j of row i: bodies i and j of the list are sorted and may touch. Empty when there are too many of them.
    allowed: Vec<u64>,
    /// Explicit pairs with their bodies, sorted by these.
    pub(super) explicit: Vec<([u32; 2], Pair)>,
    /// Whether a geom is in the tree of its body.
    pub(super) in_tree: Vec<bool>,
}

impl Sweep {
    /// True when two bodies of the list are sorted and may touch, by their places in it, the first smaller.
    #[inline]
    pub(super) fn allows(&self, m: &Model, filters: &BodyFilter, i: u32, j: u32) -> bool {
        let (i, j) = (i as usize, j as usize);
        if let Some(word) = self.allowed.get(i * self.bodies.len().div_ceil(64) + j / 64) {
            return word >> (j % 64) & 1 == 1;
        }
        let (b1, b2) = (self.bodies[i] as usize, self.bodies[j] as usize);
        filters.by_sweep(b1, b2) && filters.bodies_collide(m, b1, b2)
    }
}

/// The plan for one model; valid while [`Plan::fits`].
#[derive(Clone, Debug)]
pub(super) struct Plan {
    key: Key,
    pub(super) broad: Broad,
    pub(super) hulls: Hulls,
    pub(super) filters: BodyFilter,
}

impl Plan {
    /// Makes the plan. With `by_user`, the user's filter replaces the masks of geoms.
    pub(super) fn new(m: &Model, by_user: bool) -> Self {
        let filters = BodyFilter::new(m, by_user);
        let in_tree = tree_members(m);
        let broad = if filters.count_pairs(m, MAX_PAIRS, Which::All) {
            Broad::Rows(rows(m, &filters, &in_tree, Which::All))
        } else {
            Broad::Sweep(sweep(m, &filters, in_tree))
        };
        Self { key: Key::new(m, by_user), broad, hulls: Hulls::new(&m.assets), filters }
    }

    /// True when nothing changed in the model that the plan depends on.
    pub(super) fn fits(&self, m: &Model, by_user: bool) -> bool {
        self.key.fits(m, by_user)
    }
}

/// Margin of a dynamic pair.
#[doc(alias = "mj_assignMargin")]
#[inline]
pub(super) fn margin(m: &Model, [g1, g2]: [usize; 2]) -> f64 {
    if m.opt.enabled(EnableFlags::OVERRIDE) { m.opt.o_margin } else { m.geom_margin[g1] + m.geom_margin[g2] }
}

/// The lower type first; equal types stay.
#[inline]
pub(super) fn by_type(m: &Model, [g1, g2]: [u32; 2]) -> [u32; 2] {
    if m.geom_type[g1 as usize].number() > m.geom_type[g2 as usize].number() { [g2, g1] } else { [g1, g2] }
}

/// Which pairs of bodies are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    All,
    /// Those that are not sorted, because one is fixed.
    Fixed,
    None,
}

/// Rules for pairs of bodies, and for geoms of bodies that passed.
#[derive(Clone, Debug, Default)]
pub(super) struct BodyFilter {
    /// Masks of a body's geoms, or'ed.
    masks: Vec<[i32; 2]>,
    /// Whether a body may touch anything.
    collides: Vec<bool>,
    /// Whether a body meets every other without regard to distance: the world, and what is fixed to it and has a plane.
    always: Vec<bool>,
    exclude: Vec<u32>,
    by_user: bool,
}

impl BodyFilter {
    fn new(m: &Model, by_user: bool) -> Self {
        let or = |all: &[i32], body: usize| m.body_geoms(body).fold(0, |sum, g| sum | all[g]);
        let collides: Vec<bool> = (0..m.nbody).map(|b| m.body_contype[b] != 0 || m.body_conaffinity[b] != 0).collect();
        let plane = |b: usize| m.body_geoms(b).any(|g| m.geom_type[g] == GeomType::Plane);
        let fixed = |b: usize| if b == 0 { m.body_geomnum[0] > 0 } else { m.body_weldid[b] == 0 && plane(b) };
        let mut exclude = m.exclude_signature.clone();
        exclude.sort_unstable();
        Self {
            masks: (0..m.nbody).map(|b| [or(&m.geom_contype, b), or(&m.geom_conaffinity, b)]).collect(),
            always: (0..m.nbody).map(|b| collides[b] && fixed(b)).collect(),
            collides,
            exclude,
            by_user,
        }
    }

    /// True when geoms of these bodies may touch, the lower id first.
    pub(super) fn bodies_collide(&self, m: &Model, b1: usize, b2: usize) -> bool {
        if !self.collides[b1] || !self.collides[b2] {
            return false;
        }
        // rigidly joined, or parent and child
        let (w1, w2) = (m.body_weldid[b1] as usize, m.body_weldid[b2] as usize);
        let above = |weld: usize| m.body_weldid[m.body_parentid[weld] as usize] as usize;
        let related = || w1 != 0 && w2 != 0 && (w1 == above(w2) || w2 == above(w1));
        if w1 == w2 || (m.opt.has(DisableFlags::FILTERPARENT) && related()) {
            return false;
        }
        // masks, as they are now and as they were compiled
        let compiled = |b: usize| [m.body_contype[b], m.body_conaffinity[b]];
        masks_meet(self.masks[b1], self.masks[b2])
            && masks_meet(compiled(b1), compiled(b2))
            && self.exclude.binary_search(&((b1 as u32) << 16).wrapping_add(b2 as u32)).is_err()
    }

    /// True when two geoms of such bodies may touch.
    #[inline]
    pub(super) fn geoms_collide(&self, m: &Model, g1: usize, g2: usize) -> bool {
        let mask = |g: usize| [m.geom_contype[g], m.geom_conaffinity[g]];
        self.by_user || masks_meet(mask(g1), mask(g2))
    }

    /// True when the bodies that pass the filters have at most so many pairs of geoms.
    fn count_pairs(&self, m: &Model, most: usize, which: Which) -> bool {
        let bodies: Vec<usize> = (0..m.nbody).filter(|&b| self.collides[b]).collect();
        let fixed: Vec<usize> = bodies.iter().copied().filter(|&b| self.always[b]).collect();
        let mut count = m.npair;
        for (i, &b1) in bodies.iter().enumerate() {
            for &b2 in self.partners(&bodies, &fixed, i, which) {
                if self.bodies_collide(m, b1, b2) {
                    count = count.saturating_add(m.body_geoms(b1).len().saturating_mul(m.body_geoms(b2).len()));
                }
            }
            if count > most {
                return false;
            }
        }
        count <= most
    }

    /// The bodies that a pair of the body at place `i` may have as its second, of all bodies and of the fixed ones.
    fn partners<'a>(&self, bodies: &'a [usize], fixed: &'a [usize], i: usize, which: Which) -> &'a [usize] {
        match which {
            Which::None => &[],
            Which::Fixed if !self.always[bodies[i]] => &fixed[fixed.partition_point(|&b| b <= bodies[i])..],
            Which::Fixed | Which::All => &bodies[i + 1..],
        }
    }

    /// True when MuJoCo sorts these bodies along an axis.
    #[inline]
    fn by_sweep(&self, b1: usize, b2: usize) -> bool {
        !self.always[b1] && !self.always[b2]
    }
}

fn masks_meet([type1, affinity1]: [i32; 2], [type2, affinity2]: [i32; 2]) -> bool {
    type1 & affinity2 != 0 || type2 & affinity1 != 0
}

/// True when MuJoCo walks the trees of two bodies.
pub(super) fn by_tree(m: &Model, b1: usize, b2: usize) -> bool {
    let single = m.body_geomnum[b1] == 1 && m.body_geomnum[b2] == 1;
    !single && m.opt.has(DisableFlags::MIDPHASE) && m.body_bvhadr[b1].is_some() && m.body_bvhadr[b2].is_some()
}

/// Whether each geom is in the tree of its body.
fn tree_members(m: &Model) -> Vec<bool> {
    let mut member = vec![false; m.ngeom];
    for body in 0..m.nbody {
        let Some(adr) = m.body_bvhadr[body].get() else { continue };
        for id in tree(m, adr as u32, m.body_bvhnum[body]).nodeid {
            if let Some(slot) = id.get().and_then(|g| member.get_mut(g)) {
                *slot = true;
            }
        }
    }
    member
}

/// Explicit pairs with their bodies, the lower body first, sorted by these.
fn explicit_pairs(m: &Model) -> Vec<([u32; 2], Pair)> {
    let over = m.opt.enabled(EnableFlags::OVERRIDE);
    let mut pairs: Vec<_> = (0..m.npair)
        .filter_map(|p| {
            let given = [m.pair_geom1[p], m.pair_geom2[p]];
            let geom = by_type(m, given);
            let [b1, b2] = given.map(|g| m.geom_bodyid[g as usize]);
            let margin = if over { m.opt.o_margin } else { m.pair_margin[p] };
            let method = method_of(m, geom)?;
            let pair = Pair { geom, method, margin, explicit: OptId::some(p), by_tree: false, by_sweep: false };
            Some(([b1.min(b2), b1.max(b2)], pair))
        })
        .collect();
    pairs.sort_by_key(|(bodies, _)| *bodies);
    pairs
}

/// How two geoms collide, the lower type first; `None` when they never do.
#[inline]
pub(super) fn method_of(m: &Model, [g1, g2]: [u32; 2]) -> Option<Method> {
    let method = method(m.geom_type[g1 as usize], m.geom_type[g2 as usize]);
    (!matches!(method, Method::None)).then_some(method)
}

/// True when two geoms of two bodies are listed as an explicit pair.
pub(super) fn is_explicit(explicit: &[([u32; 2], Pair)], bodies: [u32; 2], geom: [u32; 2]) -> bool {
    let from = explicit.partition_point(|(b, _)| *b < bodies);
    let listed = explicit[from..].iter().take_while(|(b, _)| *b == bodies);
    listed.map(|(_, pair)| pair.geom).any(|g| g == geom || [g[1], g[0]] == geom)
}

/// All pairs of geoms of the bodies that pass the filters, and the explicit pairs.
fn rows(m: &Model, filters: &BodyFilter, in_tree: &[bool], which: Which) -> Rows {
    let explicit = explicit_pairs(m);
    let bodies: Vec<usize> = (0..m.nbody).filter(|&b| filters.collides[b]).collect();
    let fixed: Vec<usize> = bodies.iter().copied().filter(|&b| filters.always[b]).collect();
    let mut pairs = Vec::new();
    let mut merged = explicit.iter().peekable();
    for (i, &b1) in bodies.iter().enumerate() {
        for &b2 in filters.partners(&bodies, &fixed, i, which) {
            if !filters.bodies_collide(m, b1, b2) {
                continue;
            }
            let key = [b1 as u32, b2 as u32];
            while let Some((_, pair)) = merged.next_if(|(bodies, _)| *bodies <= key) {
                pairs.push(*pair);
            }
            let tree = by_tree(m, b1, b2);
            let start = pairs.len();
            for g1 in m.body_geoms(b1) {
                for g2 in m.body_geoms(b2) {
                    let geom = by_type(m, [g1 as u32, g2 as u32]);
                    let reached = !tree || (in_tree[g1] && in_tree[g2]);
                    let Some(method) = method_of(m, geom) else { continue };
                    if reached && filters.geoms_collide(m, g1, g2) && !is_explicit(&explicit, key, geom) {
                        let margin = margin(m, geom.map(|g| g as usize));
                        let by_sweep = filters.by_sweep(b1, b2);
                        pairs.push(Pair { geom, method, margin, explicit: OptId::NONE, by_tree: tree, by_sweep });
                    }
                }
            }
            if tree {
                pairs[start..].sort_by_key(|pair| pair.geom);
            }
        }
    }
    pairs.extend(merged.map(|(_, pair)| *pair));
    in_rows(m, pairs)
}

/// The pairs as rows.
fn in_rows(m: &Model, pairs: Vec<Pair>) -> Rows {
    let mut geoms: Vec<u32> = pairs.iter().filter(|pair| pair.explicit.is_none()).flat_map(|pair| pair.geom).collect();
    geoms.sort_unstable();
    geoms.dedup();
    let index = |g: u32| geoms.partition_point(|x| *x < g);
    let mut always = vec![0_u64; pairs.len().div_ceil(64)];
    let mut near = Vec::new();
    for (place, pair) in pairs.iter().enumerate() {
        if pair.explicit.is_some() {
            always[place / 64] |= 1 << (place % 64);
        } else {
            near.push((pair.geom.map(index), place as u32));
        }
    }
    let is_plane: Vec<bool> = geoms.iter().map(|&g| m.geom_type[g as usize] == GeomType::Plane).collect();
    let planes = geoms.iter().zip(&is_plane).filter(|(_, plane)| **plane).map(|(g, _)| *g).collect();
    let radius = geoms.iter().map(|&g| reach(m, g as usize)).collect();
    Rows { near: RowPairs::new(&near, &is_plane), geoms, radius, planes, pairs, always }
}

/// Radius of the bounding sphere with a geom's share of the margin; infinite where MuJoCo does not test spheres. A plane
/// has its share alone.
fn reach(m: &Model, geom: usize) -> f64 {
    let rbound = m.geom_rbound[geom];
    let margin = if m.opt.enabled(EnableFlags::OVERRIDE) { 0.5 * m.opt.o_margin } else { m.geom_margin[geom] };
    if m.geom_type[geom] == GeomType::Plane {
        margin
    } else if rbound > 0.0 {
        rbound + margin
    } else {
        f64::INFINITY
    }
}

fn sweep(m: &Model, filters: &BodyFilter, in_tree: Vec<bool>) -> Sweep {
    let few = filters.count_pairs(m, MAX_FIXED, Which::Fixed);
    let mut always = Vec::new();
    for b1 in (0..m.nbody).filter(|&b| filters.always[b] && !few) {
        for b2 in (0..m.nbody).filter(|&b| b != b1) {
            let (low, high) = (b1.min(b2), b1.max(b2));
            if filters.bodies_collide(m, low, high) {
                always.push([low as u32, high as u32]);
            }
        }
    }
    always.sort_unstable();
    always.dedup();
    let bodies: Vec<u32> = (1..m.nbody as u32).filter(|&b| filters.collides[b as usize]).collect();
    let allowed = if bodies.len() <= MAX_TABLE { table(m, filters, &bodies) } else { Vec::new() };
    let fixed = rows(m, filters, &in_tree, if few { Which::Fixed } else { Which::None });
    let of = |pair: &Pair| [m.geom_bodyid[pair.geom[0] as usize], m.geom_bodyid[pair.geom[1] as usize]];
    let fixed_bodies = fixed.pairs.iter().map(of).map(|[b1, b2]| [b1.min(b2), b1.max(b2)]).collect();
    Sweep { bodies, always, fixed, fixed_bodies, allowed, explicit: explicit_pairs(m), in_tree }
}

/// A bit per pair of bodies that may touch, set where the first comes first.
fn table(m: &Model, filters: &BodyFilter, bodies: &[u32]) -> Vec<u64> {
    let words = bodies.len().div_ceil(64);
    let mut allowed = vec![0; words * bodies.len()];
    for (i, &b1) in bodies.iter().enumerate() {
        for (j, &b2) in bodies.iter().enumerate().skip(i + 1) {
            let (b1, b2) = (b1 as usize, b2 as usize);
            if filters.by_sweep(b1, b2) && filters.bodies_collide(m, b1, b2) {
                allowed[i * words + j / 64] |= 1 << (j % 64);
            }
        }
    }
    allowed
}
