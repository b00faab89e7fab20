//! What the solver needs to know of a contact: dimension, friction, reference and impedance.

use sim_collision::{RawContact, make_frame};
use sim_types::{Contact, EnableFlags, MINVAL, OptId, SolImp, SolRef};

use crate::model::Model;

/// Least friction.
const MIN_FRICTION: f64 = 1e-5;

/// Parameters that all contacts of a pair of geoms share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Params {
    dim: u32,
    gap: f64,
    friction: [f64; 5],
    solref: SolRef,
    solreffriction: SolRef,
    solimp: SolImp,
}

impl Params {
    /// Mixes the parameters of two geoms, the lower type first.
    #[doc(alias = "mj_contactParam")]
    pub(super) fn mixed(m: &Model, [g1, g2]: [usize; 2]) -> Self {
        let gap = m.geom_gap[g1] + m.geom_gap[g2];
        let winner = match m.geom_priority[g1].cmp(&m.geom_priority[g2]) {
            std::cmp::Ordering::Greater => Some(g1),
            std::cmp::Ordering::Less => Some(g2),
            std::cmp::Ordering::Equal => None,
        };
        let (dim, friction, solref, solimp) = if let Some(g) = winner {
            (m.geom_condim[g], m.geom_friction[g], m.geom_solref[g], m.geom_solimp[g])
        } else {
            let weight = mix(m.geom_solmix[g1], m.geom_solmix[g2]);
            let blend = |a: f64, b: f64| weight * a + (1.0 - weight) * b;
            let (ref1, ref2) = (m.geom_solref[g1], m.geom_solref[g2]);
            // numbers of the direct format cannot be mixed
            let standard = ref1[0] > 0.0 && ref2[0] > 0.0;
            let solref = [0, 1].map(|k| if standard { blend(ref1[k], ref2[k]) } else { lesser(ref1[k], ref2[k]) });
            let (imp1, imp2) = (&m.geom_solimp[g1], &m.geom_solimp[g2]);
            (
                m.geom_condim[g1].max(m.geom_condim[g2]),
                m.geom_friction[g1].zip_map(&m.geom_friction[g2], greater),
                solref,
                std::array::from_fn(|k| blend(imp1[k], imp2[k])),
            )
        };
        let friction = [friction.x, friction.x, friction.y, friction.z, friction.z];
        Self { dim, gap, friction, solref, solreffriction: [0.0; 2], solimp }.overridden(m)
    }

    /// The parameters of an explicit pair.
    pub(super) fn explicit(m: &Model, pair: usize) -> Self {
        Self {
            dim: m.pair_dim[pair],
            gap: m.pair_gap[pair],
            friction: m.pair_friction[pair],
            solref: m.pair_solref[pair],
            solreffriction: m.pair_solreffriction[pair],
            solimp: m.pair_solimp[pair],
        }
        .overridden(m)
    }

    /// The same with the override flag and the least friction applied. Gaps stay.
    fn overridden(mut self, m: &Model) -> Self {
        if m.opt.enabled(EnableFlags::OVERRIDE) {
            self.solref = m.opt.o_solref;
            self.solreffriction = m.opt.o_solref;
            self.solimp = m.opt.o_solimp;
            self.friction = m.opt.o_friction;
        }
        for x in &mut self.friction {
            *x = greater(MIN_FRICTION, *x);
        }
        self
    }

    /// The whole contact.
    #[doc(alias = "mj_setContact")]
    #[inline]
    pub(super) fn contact(&self, raw: &RawContact, geom: [u32; 2], margin: f64) -> Contact {
        let includemargin = margin - self.gap;
        Contact {
            dist: raw.dist,
            pos: raw.pos,
            frame: make_frame(&raw.normal, &raw.tangent),
            includemargin,
            friction: self.friction,
            solref: self.solref,
            solreffriction: self.solreffriction,
            solimp: self.solimp,
            mu: 0.0,
            dim: self.dim,
            geom: [OptId::some(geom[0] as usize), OptId::some(geom[1] as usize)],
            flex: [OptId::NONE; 2],
            elem: [OptId::NONE; 2],
            vert: [OptId::NONE; 2],
            exclude: u32::from(raw.dist >= includemargin),
            efc_address: OptId::NONE,
        }
    }
}

/// Weight of the first geom.
fn mix(solmix1: f64, solmix2: f64) -> f64 {
    match (solmix1 >= MINVAL, solmix2 >= MINVAL) {
        (true, true) => solmix1 / (solmix1 + solmix2),
        (false, false) => 0.5,
        (false, true) => 0.0,
        (true, false) => 1.0,
    }
}

fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
