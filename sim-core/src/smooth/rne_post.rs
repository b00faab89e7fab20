//! Accelerations and interaction forces of bodies, once the acceleration is known.

use sim_types::{DisableFlags, EqType, Force, Motion, Vec3};

use crate::constraint::{anchors, contact_force};
use crate::data::Data;
use crate::model::Model;

/// Computes the acceleration of every body, the external force on it, and the force its parent exerts on it.
///
/// Reads `qacc`, `qvel`, `cdof`, `cdof_dot`, `cvel`, `cinert`, `xfrc_applied`, `contact`, `efc`; writes `cacc`,
/// `cfrc_ext`, `cfrc_int`. Forces of joint and tendon equalities, of limits and of dry friction are internal.
/// Not part of a step: sensors ask for it.
#[doc(alias = "mj_rnePostConstraint")]
pub fn rne_post(m: &Model, d: &mut Data) {
    external_forces(m, d);
    contact_forces(m, d);
    equality_forces(m, d);

    // accelerations from the world outwards
    let gravity = if m.opt.has(DisableFlags::GRAVITY) { m.opt.gravity } else { Vec3::zeros() };
    d.cacc[0] = Motion::new(Vec3::zeros(), -gravity);
    d.cfrc_int[0] = Force::ZERO;
    for body in 1..m.nbody {
        let mut acc = d.cacc[m.body_parentid[body] as usize];
        for dof in m.body_dofs(body) {
            acc += d.cdof_dot[dof] * d.qvel[dof] + d.cdof[dof] * d.qacc[dof];
        }
        d.cacc[body] = acc;
        let momentum = d.cinert[body] * d.cvel[body];
        d.cfrc_int[body] = d.cinert[body] * acc + d.cvel[body].cross_force(&momentum) - d.cfrc_ext[body];
    }

    // the parent carries what its children need
    for body in (1..m.nbody).rev() {
        let own = d.cfrc_int[body];
        d.cfrc_int[m.body_parentid[body] as usize] += own;
    }
    d.lazy.rnepost = true;
}

/// Applied forces, moved from the bodies' centres of mass to the trees'.
fn external_forces(m: &Model, d: &mut Data) {
    d.cfrc_ext[0] = Force::ZERO;
    for body in 1..m.nbody {
        let x = &d.xfrc_applied[body];
        let at_com = Force::new(Vec3::new(x[3], x[4], x[5]), Vec3::new(x[0], x[1], x[2]));
        let offset = d.subtree_com[m.body_rootid[body] as usize] - d.xipos[body];
        d.cfrc_ext[body] = at_com.moved(&offset);
    }
}

/// Contact forces, on both bodies.
fn contact_forces(m: &Model, d: &mut Data) {
    for contact in 0..d.contact.len() {
        let con = &d.contact[contact];
        let (Some(geom1), Some(geom2)) = (con.geom[0].get(), con.geom[1].get()) else { continue };
        if con.efc_address.is_none() {
            continue;
        }
        let local = contact_force(d, contact);
        let world = Force::new(
            con.frame.tr_mul(&Vec3::new(local[3], local[4], local[5])),
            con.frame.tr_mul(&Vec3::new(local[0], local[1], local[2])),
        );
        let pos = con.pos;
        push(m, d, m.geom_bodyid[geom1] as usize, &pos, &-world);
        push(m, d, m.geom_bodyid[geom2] as usize, &pos, &world);
    }
}

/// Forces of connects and welds, at the points they hold. The torque of a weld is taken as its rows have it, in the
/// units of their residual, as in MuJoCo.
fn equality_forces(m: &Model, d: &mut Data) {
    let mut row = 0;
    while row < d.efc.ne {
        let eq = d.efc.id[row] as usize;
        let (rows, weld) = match m.eq_type[eq] {
            EqType::Connect => (3, false),
            EqType::Weld => (6, true),
            _ => {
                row += 1;
                continue;
            }
        };
        if let (Some([(body0, p0), (body1, p1)]), Some(f)) = (anchors(m, d, eq), d.efc.force.get(row..row + rows)) {
            let torque = if weld { Vec3::new(f[3], f[4], f[5]) } else { Vec3::zeros() };
            let force = Force::new(torque, Vec3::new(f[0], f[1], f[2]));
            push(m, d, body0, &p0, &force);
            push(m, d, body1, &p1, &-force);
        }
        row += rows;
    }
}

/// Adds a force at a point of a body to what acts on it from outside.
fn push(m: &Model, d: &mut Data, body: usize, point: &Vec3, force: &Force) {
    if body > 0 {
        let offset = d.subtree_com[m.body_rootid[body] as usize] - point;
        d.cfrc_ext[body] += force.moved(&offset);
    }
}
