//! Whether a plan still fits its model.

use std::sync::Arc;

use sim_types::{DisableFlags, EnableFlags, GeomType, OptId, Vec3};

use crate::model::{Assets, Model};

/// A copy of what a plan depends on. A model may be edited between steps; comparing is cheap.
#[derive(Clone, Debug)]
pub(super) struct Key {
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
    pub(super) fn new(m: &Model, by_user: bool) -> Self {
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

    /// True when nothing changed. Bits are compared, all of them before any is looked at: this runs in every step.
    pub(super) fn fits(&self, m: &Model, by_user: bool) -> bool {
        self.flags == flags(m, by_user)
            // the copy held here keeps the assets from being changed in place
            && Arc::ptr_eq(&self.assets, &m.assets)
            && same(&self.geom_type, &m.geom_type, |x| x.number() as u64)
            && same(&self.geom_contype, &m.geom_contype, |x| u64::from(x.cast_unsigned()))
            && same(&self.geom_conaffinity, &m.geom_conaffinity, |x| u64::from(x.cast_unsigned()))
            && same(&self.geom_bodyid, &m.geom_bodyid, u64::from)
            && same_vectors(&self.geom_size, &m.geom_size)
            && same(&self.geom_rbound, &m.geom_rbound, f64::to_bits)
            && same(&self.geom_margin, &m.geom_margin, f64::to_bits)
            && same(&self.body_weldid, &m.body_weldid, u64::from)
            && same(&self.body_parentid, &m.body_parentid, u64::from)
            && same(&self.body_contype, &m.body_contype, |x| u64::from(x.cast_unsigned()))
            && same(&self.body_conaffinity, &m.body_conaffinity, |x| u64::from(x.cast_unsigned()))
            && same(&self.body_bvhadr, &m.body_bvhadr, |x| x.raw() as u64)
            && same(&self.exclude_signature, &m.exclude_signature, u64::from)
            && same(&self.pair_geom1, &m.pair_geom1, u64::from)
            && same(&self.pair_geom2, &m.pair_geom2, u64::from)
            && same(&self.pair_margin, &m.pair_margin, f64::to_bits)
    }
}

/// Options that a plan depends on.
fn flags(m: &Model, by_user: bool) -> (bool, bool, bool, u64, bool) {
    let over = m.opt.enabled(EnableFlags::OVERRIDE);
    let margin = if over { m.opt.o_margin.to_bits() } else { 0 };
    (m.opt.has(DisableFlags::FILTERPARENT), m.opt.has(DisableFlags::MIDPHASE), over, margin, by_user)
}

/// True when two arrays have the same bits. Not `==`, which calls the C library: with AVX-512 that compares short arrays by
/// masked loads, and on these calls, most likely those for empty arrays, small models spent up to a fifth of a step.
#[inline]
fn same<T: Copy>(a: &[T], b: &[T], bits: impl Fn(T) -> u64) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |differ, (x, y)| differ | (bits(*x) ^ bits(*y))) == 0
}

/// True when two arrays of vectors have the same bits.
#[inline]
fn same_vectors(a: &[Vec3], b: &[Vec3]) -> bool {
    let differ = |x: f64, y: f64| x.to_bits() ^ y.to_bits();
    let pairs = a.iter().zip(b);
    a.len() == b.len() && pairs.fold(0, |d, (u, v)| d | differ(u.x, v.x) | differ(u.y, v.y) | differ(u.z, v.z)) == 0
}
