//! Rows of contacts: one normal, and as many friction directions as the contact has.

use sim_constraint::ContactRows;
use sim_constraint::impedance::{RowKind, SolParam, elliptic_friction, pyramid_friction, regularizer};
use sim_types::{Cone, ConstraintType, Contact, DisableFlags, OptId, SolImp, SolRef};

use super::rows::{Efc, Head, softness};
use crate::data::Data;
use crate::model::Model;
use crate::warning::Warning;

/// Why a contact has no rows (`mjContact::exclude`): no degree of freedom moves it.
const NO_DOFS: u32 = 3;
/// Entries of the Jacobian after which contacts get no more rows: thousands of contacts between chains of thousands of
/// dofs would fill the memory.
const ENTRIES: usize = 1 << 26;

/// Adds the rows of every contact that takes part.
#[doc(alias = "mj_instantiateContact")]
pub(super) fn add(m: &Model, d: &mut Data, efc: &mut Efc) {
    if !m.opt.has(DisableFlags::CONTACT) || m.nv == 0 {
        return;
    }
    let mut contacts = std::mem::take(&mut d.contact);
    let mut chain = std::mem::take(&mut d.scratch.unshared);
    let mut chain_of = [usize::MAX; 2];
    let mut soft: Option<Soft> = None;
    for (id, con) in contacts.iter_mut().enumerate() {
        con.efc_address = OptId::NONE;
        let (Some(geom1), Some(geom2)) = (con.geom[0].get(), con.geom[1].get()) else { continue };
        if con.exclude != 0 || !matches!(con.dim, 1 | 3 | 4 | 6) {
            continue;
        }
        let bodies = [m.geom_bodyid[geom1] as usize, m.geom_bodyid[geom2] as usize];
        if bodies.iter().all(|&body| m.body_weldid[body] == 0) {
            con.exclude = NO_DOFS;
            continue;
        }
        if efc.J.len() > ENTRIES {
            d.warning.raise(Warning::CnstrFull, efc.nefc);
            continue;
        }
        con.efc_address = OptId::some(efc.nefc);
        // contacts of the same bodies follow one another
        if chain_of != bodies {
            chain.find(m, &d.cdof, bodies);
            chain_of = bodies;
        }
        efc.push_block(con.dim as usize, &chain.dofs().iter().copied(), |rows| chain.fill(con, &d.subtree_com, rows));
        let soft = match &mut soft {
            Some(soft) if soft.is_of(con) => soft,
            soft => soft.insert(Soft::new(m, con)),
        };
        soften(m, soft, con, (id, bodies), efc);
    }
    d.scratch.unshared = chain;
    d.contact = contacts;
}

/// Velocities of the rows of all contacts, from those of their bodies.
///
/// The same as the product of rows and `qvel`, in a time that does not depend on the number of dofs.
pub(super) fn velocities(m: &Model, d: &Data, vel: &mut [f64]) {
    for rows in &d.efc.contacts {
        let (base, dim) = (rows.base as usize, rows.dim as usize);
        let Some(con) = d.contact.get(d.efc.id[base] as usize) else { continue };
        let [Some(geom1), Some(geom2)] = con.geom.map(OptId::get) else { continue };
        let [first, second] = [geom1, geom2].map(|geom| {
            let body = m.geom_bodyid[geom] as usize;
            let offset = con.pos - d.subtree_com[m.body_rootid[body] as usize];
            let motion = &d.cvel[body];
            (motion.rot, motion.lin + motion.rot.cross(&offset))
        });
        let relative = [second.1 - first.1, second.0 - first.0];
        for (k, vel) in vel[base..base + dim].iter_mut().enumerate() {
            *vel = con.frame.row(k % 3).transpose().dot(&relative[k / 3]);
        }
    }
}

/// What the parameters of a contact give for any depth; neighbours often share them.
#[derive(Clone, Copy)]
struct Soft {
    of: (SolRef, SolRef, SolImp),
    param: SolParam,
    spring: [f64; 4],
    sideways: [f64; 4],
}

impl Soft {
    fn new(m: &Model, con: &Contact) -> Self {
        let param = softness(m, &con.solref, &con.solreffriction, &con.solimp);
        let spring = param.kbip(RowKind::Position, (0.0, 0.0));
        let sideways = param.kbip(RowKind::ConeFriction, (0.0, 0.0));
        Self { of: (con.solref, con.solreffriction, con.solimp), param, spring, sideways }
    }

    fn is_of(&self, con: &Contact) -> bool {
        self.of.0 == con.solref && self.of.1 == con.solreffriction && self.of.2 == con.solimp
    }
}

/// Everything of the contact's rows but their Jacobian, and the friction of the regularised cone.
fn soften(m: &Model, soft: &Soft, con: &mut Contact, (id, bodies): (usize, [usize; 2]), efc: &mut Efc) {
    let imp = soft.param.impedance(con.dist, con.includemargin);
    let [spring, sideways] = [soft.spring, soft.sideways].map(|[k, b, ..]| [k, b, imp.0, imp.1]);
    let weight = m.body_invweight0[bodies[0]][0] + m.body_invweight0[bodies[1]][0];
    let dim = con.dim as usize;
    let kind = match (dim, m.opt.cone) {
        (1, _) => ConstraintType::ContactFrictionless,
        (_, Cone::Elliptic) => ConstraintType::ContactElliptic,
        (_, Cone::Pyramidal) => ConstraintType::ContactPyramidal,
    };

    // regularisation: of the normal, from there of all others
    let (r, inverse, other);
    if kind == ConstraintType::ContactPyramidal {
        let edge = regularizer(imp.0, weight + con.friction[0] * con.friction[0] * weight);
        let (mu, edges) = pyramid_friction(edge, &con.friction, m.opt.impratio);
        con.mu = mu;
        (r, inverse, other) = ([edges; 6], [1.0 / edges; 6], spring);
    } else {
        let mut own = [regularizer(imp.0, weight); 6];
        if kind == ConstraintType::ContactElliptic {
            con.mu = elliptic_friction(&mut own[..dim], &con.friction, m.opt.impratio);
        }
        (r, inverse, other) = (own, own.map(|r| 1.0 / r), sideways);
    }
    let head = Head { kind, id, pos: con.dist, margin: con.includemargin, frictionloss: 0.0 };
    match dim {
        1 => efc.push_contact_heads::<1>(&head, spring, other, [&r, &inverse]),
        3 => efc.push_contact_heads::<3>(&head, spring, other, [&r, &inverse]),
        4 => efc.push_contact_heads::<4>(&head, spring, other, [&r, &inverse]),
        _ => efc.push_contact_heads::<6>(&head, spring, other, [&r, &inverse]),
    }
    let rows = ContactRows {
        row: efc.nefc as u32,
        base: (efc.nbase() - dim) as u32,
        dim: con.dim,
        elliptic: kind == ConstraintType::ContactElliptic,
        mu: con.mu,
        friction: con.friction,
    };
    efc.nefc += rows.nrow();
    efc.contacts.push(rows);
}
