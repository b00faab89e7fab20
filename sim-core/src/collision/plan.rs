//! What collision can know before it sees a state: which geoms may touch, in which order, and the shapes' hulls.
//!
//! The order of contacts is MuJoCo's: pairs of bodies by their ids, explicit pairs before the others of the same bodies;
//! within two bodies by the ids of the geoms, the lower type first, when their trees are used, else as two loops.

use std::sync::Arc;

use sim_collision::broadphase::row_words;
use sim_collision::pair::{Method, method};
use sim_types::{DisableFlags, EnableFlags, GeomType, OptId, Vec3};

use super::shape::{Hulls, tree};
use crate::model::{Assets, Model};

/// Up to so many colliding geoms, all pairs of bounding spheres are tested; beyond, bodies are sorted along an axis.
const MAX_ROWS: usize = 128;

/// Two geoms that may touch, the lower type first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair {
    pub(super) geom: [u32; 2],
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

/// Pairs as bits.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// The geoms that may touch anything, ascending.
    pub(super) geoms: Vec<u32>,
    /// Radius of each, margin included; infinite for planes.
    pub(super) radius: Vec<f64>,
    /// Bit j of row i: geoms i and j are a pair.
    pub(super) allowed: Vec<u64>,
    /// Number of bits before each word of `allowed`.
    before: Vec<u32>,
    /// Place in `pairs` of each bit of `allowed`.
    place: Vec<u32>,
    /// All pairs in the order of their contacts.
    pub(super) pairs: Vec<Pair>,
    /// A bit per pair that is always a candidate.
    pub(super) always: Vec<u64>,
}

impl Rows {
    /// Place in `pairs` of two geoms, by their places in `geoms`, the first smaller.
    #[inline]
    pub(super) fn place(&self, i: usize, j: usize) -> usize {
        let word = i * row_words(self.geoms.len()) + j / 64;
        let below = self.allowed[word] & ((1 << (j % 64)) - 1);
        self.place[(self.before[word] + below.count_ones()) as usize] as usize
    }
}

/// Bodies to be sorted.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweep {
    /// Bodies other than the world that may touch anything, ascending.
    pub(super) bodies: Vec<u32>,
    /// Pairs of bodies that meet whatever their distance, sorted.
    pub(super) always: Vec<[u32; 2]>,
    /// Explicit pairs with their bodies, sorted by these.
    pub(super) explicit: Vec<([u32; 2], Pair)>,
    /// Whether a geom is in the tree of its body.
    pub(super) in_tree: Vec<bool>,
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
        let active: Vec<u32> = (0..m.ngeom as u32).filter(|&g| filters.geom_collides(m, g as usize)).collect();
        let broad = if active.len() <= MAX_ROWS {
            Broad::Rows(rows(m, &filters, &in_tree))
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

    fn geom_collides(&self, m: &Model, geom: usize) -> bool {
        self.collides[m.geom_bodyid[geom] as usize]
            && (self.by_user || m.geom_contype[geom] != 0 || m.geom_conaffinity[geom] != 0)
    }

    /// True when MuJoCo sorts these bodies along an axis.
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
            let pair = Pair { geom, margin, explicit: OptId::some(p), by_tree: false, by_sweep: false };
            has_method(m, geom).then_some(([b1.min(b2), b1.max(b2)], pair))
        })
        .collect();
    pairs.sort_by_key(|(bodies, _)| *bodies);
    pairs
}

fn has_method(m: &Model, [g1, g2]: [u32; 2]) -> bool {
    !matches!(method(m.geom_type[g1 as usize], m.geom_type[g2 as usize]), Method::None)
}

/// True when two geoms of two bodies are listed as an explicit pair.
pub(super) fn is_explicit(explicit: &[([u32; 2], Pair)], bodies: [u32; 2], geom: [u32; 2]) -> bool {
    let from = explicit.partition_point(|(b, _)| *b < bodies);
    let listed = explicit[from..].iter().take_while(|(b, _)| *b == bodies);
    listed.map(|(_, pair)| pair.geom).any(|g| g == geom || [g[1], g[0]] == geom)
}

/// All pairs of geoms of a model with few geoms.
fn rows(m: &Model, filters: &BodyFilter, in_tree: &[bool]) -> Rows {
    let explicit = explicit_pairs(m);
    let bodies: Vec<usize> = (0..m.nbody).filter(|&b| filters.collides[b]).collect();
    let mut pairs = Vec::new();
    let mut merged = explicit.iter().peekable();
    for (i, &b1) in bodies.iter().enumerate() {
        for &b2 in &bodies[i + 1..] {
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
                    if reached
                        && filters.geoms_collide(m, g1, g2)
                        && has_method(m, geom)
                        && !is_explicit(&explicit, key, geom)
                    {
                        let margin = margin(m, geom.map(|g| g as usize));
                        let by_sweep = filters.by_sweep(b1, b2);
                        pairs.push(Pair { geom, margin, explicit: OptId::NONE, by_tree: tree, by_sweep });
                    }
                }
            }
            if tree {
                pairs[start..].sort_by_key(|pair| pair.geom);
            }
        }
    }
    pairs.extend(merged.map(|(_, pair)| *pair));
    as_bits(m, pairs)
}

/// The pairs as rows of bits.
fn as_bits(m: &Model, pairs: Vec<Pair>) -> Rows {
    let dynamic = || pairs.iter().enumerate().filter(|(_, pair)| pair.explicit.is_none());
    let mut geoms: Vec<u32> = dynamic().flat_map(|(_, pair)| pair.geom).collect();
    geoms.sort_unstable();
    geoms.dedup();
    let words = row_words(geoms.len());
    let mut allowed = vec![0_u64; words * geoms.len()];
    let mut always = vec![0_u64; row_words(pairs.len())];
    let mut places = Vec::new();
    let index = |g: u32| geoms.partition_point(|x| *x < g);
    for (place, pair) in pairs.iter().enumerate() {
        if pair.explicit.is_some() {
            always[place / 64] |= 1 << (place % 64);
            continue;
        }
        let (i, j) = (index(pair.geom[0].min(pair.geom[1])), index(pair.geom[0].max(pair.geom[1])));
        allowed[i * words + j / 64] |= 1 << (j % 64);
        places.push(([i, j], place as u32));
    }
    places.sort_unstable();
    let mut count = 0;
    let mut before = Vec::with_capacity(allowed.len());
    for word in &allowed {
        before.push(count);
        count += word.count_ones();
    }
    let radius = geoms.iter().map(|&g| reach(m, g as usize)).collect();
    let place = places.into_iter().map(|(_, place)| place).collect();
    Rows { geoms, radius, allowed, before, place, pairs, always }
}

/// Radius of the bounding sphere with a geom's share of the margin; infinite where MuJoCo does not test spheres.
fn reach(m: &Model, geom: usize) -> f64 {
    let rbound = m.geom_rbound[geom];
    let margin = if m.opt.enabled(EnableFlags::OVERRIDE) { 0.5 * m.opt.o_margin } else { m.geom_margin[geom] };
    if rbound > 0.0 { rbound + margin } else { f64::INFINITY }
}

fn sweep(m: &Model, filters: &BodyFilter, in_tree: Vec<bool>) -> Sweep {
    let mut always = Vec::new();
    for b1 in (0..m.nbody).filter(|&b| filters.always[b]) {
        for b2 in (0..m.nbody).filter(|&b| b != b1) {
            let (low, high) = (b1.min(b2), b1.max(b2));
            if filters.bodies_collide(m, low, high) {
                always.push([low as u32, high as u32]);
            }
        }
    }
    always.sort_unstable();
    always.dedup();
    let bodies = (1..m.nbody as u32).filter(|&b| filters.collides[b as usize]).collect();
    Sweep { bodies, always, explicit: explicit_pairs(m), in_tree }
}

/// A copy of what a plan depends on. A model may be edited between steps; comparing is cheap.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    flags: (bool, bool, bool, u64, bool),
    geom_type: Vec<GeomType>,
    geom_contype: Vec<i32>,
    geom_conaffinity: Vec<i32>,
    geom_bodyid: Vec<u32>,
    geom_size: Vec<Vec3>,
    geom_rbound: Vec<f64>,
    geom_margin: Vec<f64>,
    body_weldid: Vec<u32>,
    body_parentid: Vec<u32>,
    body_contype: Vec<i32>,
    body_conaffinity: Vec<i32>,
    body_bvhadr: Vec<OptId>,
    exclude_signature: Vec<u32>,
    pair_geom1: Vec<u32>,
    pair_geom2: Vec<u32>,
    pair_margin: Vec<f64>,
    assets: Arc<Assets>,
}

impl Key {
    fn new(m: &Model, by_user: bool) -> Self {
        Self {
            flags: flags(m, by_user),
            geom_type: m.geom_type.clone(),
            geom_contype: m.geom_contype.clone(),
            geom_conaffinity: m.geom_conaffinity.clone(),
            geom_bodyid: m.geom_bodyid.clone(),
            geom_size: m.geom_size.clone(),
            geom_rbound: m.geom_rbound.clone(),
            geom_margin: m.geom_margin.clone(),
            body_weldid: m.body_weldid.clone(),
            body_parentid: m.body_parentid.clone(),
            body_contype: m.body_contype.clone(),
            body_conaffinity: m.body_conaffinity.clone(),
            body_bvhadr: m.body_bvhadr.clone(),
            exclude_signature: m.exclude_signature.clone(),
            pair_geom1: m.pair_geom1.clone(),
            pair_geom2: m.pair_geom2.clone(),
            pair_margin: m.pair_margin.clone(),
            assets: Arc::clone(&m.assets),
        }
    }

    fn fits(&self, m: &Model, by_user: bool) -> bool {
        self.flags == flags(m, by_user)
            // the copy held here keeps the assets from being changed in place
            && Arc::ptr_eq(&self.assets, &m.assets)
            && self.geom_type == m.geom_type
            && self.geom_contype == m.geom_contype
            && self.geom_conaffinity == m.geom_conaffinity
            && self.geom_bodyid == m.geom_bodyid
            && self.geom_size == m.geom_size
            && self.geom_rbound == m.geom_rbound
            && self.geom_margin == m.geom_margin
            && self.body_weldid == m.body_weldid
            && self.body_parentid == m.body_parentid
            && self.body_contype == m.body_contype
            && self.body_conaffinity == m.body_conaffinity
            && self.body_bvhadr == m.body_bvhadr
            && self.exclude_signature == m.exclude_signature
            && self.pair_geom1 == m.pair_geom1
            && self.pair_geom2 == m.pair_geom2
            && self.pair_margin == m.pair_margin
    }
}

/// Options that a plan depends on.
fn flags(m: &Model, by_user: bool) -> (bool, bool, bool, u64, bool) {
    let over = m.opt.enabled(EnableFlags::OVERRIDE);
    let margin = if over { m.opt.o_margin.to_bits() } else { 0 };
    (m.opt.has(DisableFlags::FILTERPARENT), m.opt.has(DisableFlags::MIDPHASE), over, margin, by_user)
}
