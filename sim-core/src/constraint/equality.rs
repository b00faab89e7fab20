//! Rows of equality constraints: connect, weld, joint and tendon couplings.

use sim_constraint::impedance::{RowKind, regularizer};
use sim_types::{ConstraintType, DisableFlags, EqType, ObjType, OptId, Quat, Vec3};

use super::chain::{FIRST, SECOND, both_chains};
use super::rows::{Efc, Head, softness};
use super::tendon::tendon_row;
use crate::data::Data;
use crate::model::Model;

/// Adds the rows of all active equalities. Rows of deformables are not built: such models are refused.
#[doc(alias = "mj_instantiateEquality")]
pub(super) fn add(m: &Model, d: &mut Data, efc: &mut Efc) {
    if m.neq == 0 || !m.opt.has(DisableFlags::EQUALITY) {
        return;
    }
    let mut chain = std::mem::take(&mut d.scratch.chain);
    for eq in 0..m.neq {
        if !d.eq_active[eq] || d.equality_sleeps(m, eq) {
            continue;
        }
        match m.eq_type[eq] {
            EqType::Connect | EqType::Weld => pose(m, d, eq, &mut chain, efc),
            EqType::Joint | EqType::Tendon => coupling(m, d, eq, efc),
            EqType::Flex | EqType::FlexVert | EqType::Distance => {}
        }
    }
    d.scratch.chain = chain;
    efc.ne = efc.nbase();
    efc.nefc = efc.nbase();
}

/// The two points that a connect or weld holds together, and their bodies.
pub(crate) fn anchors(m: &Model, d: &Data, eq: usize) -> Option<[(usize, Vec3); 2]> {
    let ids = [m.eq_obj1id[eq].get()?, m.eq_obj2id[eq].get()?];
    if m.eq_objtype[eq] == ObjType::Site {
        return Some(ids.map(|site| (m.site_bodyid[site] as usize, d.site_xpos[site])));
    }
    // the anchors of a weld are stored crosswise
    let data = &m.eq_data[eq];
    let order = if m.eq_type[eq] == EqType::Weld { [3, 0] } else { [0, 3] };
    let at = |k: usize| {
        let local = Vec3::new(data[order[k]], data[order[k] + 1], data[order[k] + 2]);
        (ids[k], d.xmat[ids[k]] * local + d.xpos[ids[k]])
    };
    Some([at(0), at(1)])
}

/// Connect: three rows; weld: three more for the orientation.
fn pose(m: &Model, d: &Data, eq: usize, chain: &mut Vec<(u32, u8)>, efc: &mut Efc) {
    let Some([(body0, p0), (body1, p1)]) = anchors(m, d, eq) else { return };
    let weld = m.eq_type[eq] == EqType::Weld;
    both_chains(m, body0, body1, chain);
    let offset = [(body0, p0), (body1, p1)].map(|(body, p)| p - d.subtree_com[m.body_rootid[body] as usize]);

    // velocity of the first point relative to the second
    let first = efc.nbase();
    let point = |dof: u32, offset: &Vec3| {
        let axis = &d.cdof[dof as usize];
        axis.lin + axis.rot.cross(offset)
    };
    let relative = |&(dof, sides): &(u32, u8)| match sides {
        FIRST => point(dof, &offset[0]),
        SECOND => -point(dof, &offset[1]),
        _ => point(dof, &offset[0]) - point(dof, &offset[1]),
    };
    fill(efc, chain, relative);
    let error = p0 - p1;
    let mut pos = [error.x, error.y, error.z, 0.0, 0.0, 0.0];
    if weld {
        let turn = Turn::new(m, d, eq, [body0, body1]);
        pos[3..].copy_from_slice(turn.error().as_slice());
        fill(efc, chain, |&(dof, sides)| {
            let axis = d.cdof[dof as usize].rot;
            turn.rate(&match sides {
                FIRST => axis,
                SECOND => -axis,
                _ => Vec3::zeros(),
            })
        });
    }
    if !efc.drop_if_empty(m, first) {
        let rows = if weld { 6 } else { 3 };
        finish(m, eq, efc, &pos[..rows], [body0, body1]);
    }
}

/// Adds three rows; `entry` gives the column of a dof.
#[inline(always)]
fn fill(efc: &mut Efc, chain: &[(u32, u8)], entry: impl Fn(&(u32, u8)) -> Vec3) {
    efc.push_block(3, &chain.iter().map(|c| c.0), |rows| {
        let (x, rest) = rows.split_at_mut(chain.len());
        let (y, z) = rest.split_at_mut(chain.len());
        for (((x, y), z), c) in x.iter_mut().zip(y).zip(z).zip(chain) {
            [*x, *y, *z] = entry(c).into();
        }
    });
}

/// Impedance from the length of the whole violation, metres and quaternion parts together.
fn finish(m: &Model, eq: usize, efc: &mut Efc, pos: &[f64], bodies: [usize; 2]) {
    let soft = softness(m, &m.eq_solref[eq], &[0.0; 2], &m.eq_solimp[eq]);
    let violation = pos.iter().map(|x| x * x).sum::<f64>().sqrt();
    let imp = soft.impedance(violation, 0.0);
    let kbip = soft.kbip(RowKind::Position, imp);
    for (row, &pos) in pos.iter().enumerate() {
        let part = usize::from(row > 2);
        let diag = m.body_invweight0[bodies[0]][part] + m.body_invweight0[bodies[1]][part];
        let head = Head { kind: ConstraintType::Equality, id: eq, pos, margin: 0.0, frictionloss: 0.0 };
        efc.push_head(&head, kbip, regularizer(imp.0, diag));
    }
}

/// The relative orientation that a weld holds at the identity.
struct Turn {
    /// Orientation of the first object, with the relative pose that the weld keeps.
    first: Quat,
    /// Inverse orientation of the second.
    second: Quat,
    scale: f64,
}

impl Turn {
    fn new(m: &Model, d: &Data, eq: usize, bodies: [usize; 2]) -> Self {
        let data = &m.eq_data[eq];
        let site = |k: usize, id: OptId| id.get().map_or(d.xquat[bodies[k]], |s| d.xquat[bodies[k]] * m.site_quat[s]);
        let [first, second] = if m.eq_objtype[eq] == ObjType::Site {
            [site(0, m.eq_obj1id[eq]), site(1, m.eq_obj2id[eq])]
        } else {
            let kept = Quat::new(data[6], data[7], data[8], data[9]);
            [d.xquat[bodies[0]] * kept, d.xquat[bodies[1]]]
        };
        Self { first, second: second.conj(), scale: data[10] }
    }

    fn error(&self) -> Vec3 {
        (self.second * self.first).vec() * self.scale
    }

    /// How fast the error changes when the first object turns with `axis` relative to the second.
    fn rate(&self, axis: &Vec3) -> Vec3 {
        let pure = Quat::new(0.0, axis.x, axis.y, axis.z);
        (self.second * pure * self.first).vec() * 0.5 * self.scale
    }
}

/// One scalar is a polynomial of another: joint positions or tendon lengths.
fn coupling(m: &Model, d: &mut Data, eq: usize, efc: &mut Efc) {
    let Some(id0) = m.eq_obj1id[eq].get() else { return };
    let id1 = m.eq_obj2id[eq].get();
    let joint = m.eq_type[eq] == EqType::Joint;
    let deviation = |id: usize| {
        if joint {
            let adr = m.jnt_qposadr[id] as usize;
            d.qpos[adr] - m.qpos0[adr]
        } else {
            d.ten_length[id] - m.tendon_length0[id]
        }
    };
    let data = &m.eq_data[eq];
    let mut pos = deviation(id0) - data[0];
    let mut slope = 0.0;
    if let Some(id) = id1 {
        let x = deviation(id);
        pos -= data[1] * x + data[2] * x * x + data[3] * x * x * x + data[4] * x * x * x * x;
        slope = data[1] + 2.0 * data[2] * x + 3.0 * data[3] * x * x + 4.0 * data[4] * x * x * x;
    }
    if !joint {
        for id in [Some(id0), id1].into_iter().flatten() {
            if d.tendon_efcadr[id].is_none() {
                d.tendon_efcadr[id] = OptId::some(efc.nbase());
            }
        }
    }
    if joint {
        let dofs = [Some(id0), id1].map(|id| id.map(|j| m.jnt_dofadr[j]));
        coupled_dofs(dofs, slope, efc);
    } else {
        coupled_tendons(m, d, [Some(id0), id1], slope, efc);
    }
    let weight = |id: usize| if joint { m.dof_invweight0[m.jnt_dofadr[id] as usize] } else { m.tendon_invweight0[id] };
    let diag = weight(id0) + id1.map_or(0.0, weight);
    let soft = softness(m, &m.eq_solref[eq], &[0.0; 2], &m.eq_solimp[eq]);
    let head = Head { kind: ConstraintType::Equality, id: eq, pos, margin: 0.0, frictionloss: 0.0 };
    efc.finish_row(m, &head, &soft, diag);
}

/// One entry per dof, in increasing order; a dof coupled with itself has one entry.
fn coupled_dofs([dof0, dof1]: [Option<u32>; 2], slope: f64, efc: &mut Efc) {
    let entry0 = dof0.map(|dof| (dof, 1.0));
    let entry1 = dof1.map(|dof| (dof, -slope));
    match (entry0, entry1) {
        (Some(a), Some(b)) if a.0 == b.0 => efc.push_entries([(a.0, a.1 + b.1)].into_iter()),
        (Some(a), Some(b)) if a.0 > b.0 => efc.push_entries([b, a].into_iter()),
        (a, b) => efc.push_entries([a, b].into_iter().flatten()),
    }
}

/// The union of two tendon rows: the first minus `slope` times the second.
fn coupled_tendons(m: &Model, d: &Data, tendons: [Option<usize>; 2], slope: f64, efc: &mut Efc) {
    let row = |tendon: Option<usize>, scale: f64| {
        let entries = tendon.into_iter().flat_map(|t| tendon_row(m, d, t));
        entries.map(move |(col, x)| (col, scale * x)).peekable()
    };
    let (mut a, mut b) = (row(tendons[0], 1.0), row(tendons[1], -slope));
    efc.push_entries(std::iter::from_fn(|| match (a.peek().copied(), b.peek().copied()) {
        (Some(x), Some(y)) if x.0 == y.0 => {
            a.next();
            b.next();
            Some((x.0, x.1 + y.1))
        }
        (Some(x), Some(y)) if x.0 > y.0 => {
            b.next();
            Some(y)
        }
        (Some(x), _) => {
            a.next();
            Some(x)
        }
        (None, _) => b.next(),
    }));
}
