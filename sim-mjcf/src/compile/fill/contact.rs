//! Contact pairs and excluded body pairs, sorted by the bodies they join.

use super::super::names;
use crate::error::Problems;
use crate::spec::Spec;
use sim_core::Model;
use sim_types::ObjType;

/// Arrays of contact pairs.
#[doc(alias = "mjCPair::Compile")]
pub(super) fn pairs(spec: &Spec, m: &mut Model, problems: &mut Problems) {
    let mut sorted = Vec::with_capacity(spec.pairs.len());
    for p in &spec.pairs {
        if !matches!(p.condim, 1 | 3 | 4 | 6) {
            problems.invalid(&p.at, "pair", &p.name, format!("condim must be 1, 3, 4 or 6, not {}", p.condim));
        }
        let ids =
            [&p.geom1, &p.geom2].map(|name| names::resolve(&m.names, (ObjType::Geom, "geom"), name, &p.at, problems));
        let [Some(first), Some(second)] = ids else { continue };
        let (body1, body2) = (m.geom_bodyid[first], m.geom_bodyid[second]);
        let geoms = if body1 > body2 { [second, first] } else { [first, second] };
        sorted.push((signature(body1, body2), geoms, p));
    }
    sorted.sort_by_key(|s| s.0);

    for (signature, [first, second], p) in &sorted {
        m.pair_dim.push(p.condim as u32);
        m.pair_geom1.push(*first as u32);
        m.pair_geom2.push(*second as u32);
        m.pair_signature.push(*signature);
        m.pair_solref.push(p.solref);
        m.pair_solreffriction.push(p.solreffriction);
        m.pair_solimp.push(p.solimp);
        m.pair_margin.push(p.margin);
        m.pair_gap.push(p.gap);
        m.pair_friction.push(p.friction);
    }
    m.npair = sorted.len();
    names::replace(&mut m.names, ObjType::Pair, sorted.iter().map(|s| &s.2.name));
}

/// Signatures of excluded body pairs.
#[doc(alias = "mjCBodyPair::Compile")]
pub(super) fn excludes(spec: &Spec, m: &mut Model, problems: &mut Problems) {
    let mut sorted = Vec::with_capacity(spec.excludes.len());
    for e in &spec.excludes {
        let ids =
            [&e.body1, &e.body2].map(|name| names::resolve(&m.names, (ObjType::Body, "body"), name, &e.at, problems));
        if let [Some(first), Some(second)] = ids {
            sorted.push((signature(first as u32, second as u32), e));
        }
    }
    sorted.sort_by_key(|s| s.0);
    m.exclude_signature = sorted.iter().map(|s| s.0).collect();
    m.nexclude = sorted.len();
    names::replace(&mut m.names, ObjType::Exclude, sorted.iter().map(|s| &s.1.name));
}

/// Two body ids in one number, the smaller one first. Ids have at most 16 bits.
fn signature(body1: u32, body2: u32) -> u32 {
    (body1.min(body2) << 16) + body1.max(body2)
}
