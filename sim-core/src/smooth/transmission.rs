//! Actuator lengths and moment arms.

use sim_types::{JointType, Quat, TrnType, Vec3};

use super::acceleration::apply_force;
use crate::data::Data;
use crate::model::Model;

/// Why a contact has no rows (`mjContact::exclude`): it is closer than its margin, but not by the gap.
const IN_GAP: u32 = 1;

/// Computes actuator lengths and moments.
///
/// Reads `qpos`, `site_xpos`, `site_xmat`, `xquat`, `ten_length`, `ten_J`, `cdof`, `contact`; writes `actuator_length`,
/// `actuator_moment`.
#[doc(alias = "mj_transmission")]
pub fn transmission(m: &Model, d: &mut Data) {
    let mut row = std::mem::take(&mut d.scratch.nv);
    row.fill(0.0);
    for actuator in 0..m.nu {
        let gear = &m.actuator_gear[actuator];
        let [first, second] = m.actuator_trnid[actuator].map(sim_types::OptId::get);
        if let Some(length) = single_dof(m, d, actuator) {
            d.actuator_length[actuator] = length;
            continue;
        }
        d.actuator_length[actuator] = match (m.actuator_trntype[actuator], first) {
            (TrnType::Joint, Some(jnt)) => joint(m, d, jnt, gear, false, &mut row),
            (TrnType::JointInParent, Some(jnt)) => joint(m, d, jnt, gear, true, &mut row),
            (TrnType::Tendon, Some(tendon)) => {
                let entries = m.ten_j_row(tendon);
                for (x, &col) in d.ten_J[entries.clone()].iter().zip(&m.ten_J_colind[entries]) {
                    row[col as usize] = gear[0] * x;
                }
                gear[0] * d.ten_length[tendon]
            }
            (TrnType::SliderCrank, Some(crank)) => match second {
                Some(slider) => slider_crank(m, d, actuator, [crank, slider], &mut row),
                None => 0.0,
            },
            (TrnType::Site, Some(site)) => match second {
                None => {
                    let (force, torque) = turned(&d.site_xmat[site], gear);
                    site_wrench(m, d, site, &force, &torque, &mut row);
                    0.0
                }
                Some(reference) => site_in_site(m, d, [site, reference], gear, &mut row),
            },
            (TrnType::Body, Some(body)) => {
                adhesion(m, d, body, &mut row);
                0.0
            }
            (_, _) => 0.0,
        };
        let entries = m.moment_row(actuator);
        for (x, &col) in d.actuator_moment[entries.clone()].iter_mut().zip(&m.moment_colind[entries]) {
            *x = std::mem::take(&mut row[col as usize]);
        }
    }
    d.scratch.nv = row;
}

/// The length of an actuator of a hinge or slide, with its moment; `None` for all others.
#[inline]
fn single_dof(m: &Model, d: &mut Data, actuator: usize) -> Option<f64> {
    if !matches!(m.actuator_trntype[actuator], TrnType::Joint | TrnType::JointInParent) {
        return None;
    }
    let jnt = m.actuator_trnid[actuator][0].get()?;
    if !matches!(m.jnt_type[jnt], JointType::Slide | JointType::Hinge) {
        return None;
    }
    let gear = m.actuator_gear[actuator][0];
    let entries = m.moment_row(actuator);
    let [moment] = &mut d.actuator_moment[entries] else { return None };
    *moment = gear;
    Some(d.qpos[m.jnt_qposadr[jnt] as usize] * gear)
}

/// Gear as force and torque in the frame `mat`.
fn turned(mat: &sim_types::Mat3, gear: &[f64; 6]) -> (Vec3, Vec3) {
    (mat * Vec3::new(gear[0], gear[1], gear[2]), mat * Vec3::new(gear[3], gear[4], gear[5]))
}

fn joint(m: &Model, d: &Data, jnt: usize, gear: &[f64; 6], in_parent: bool, row: &mut [f64]) -> f64 {
    let (adr, dof) = (m.jnt_qposadr[jnt] as usize, m.jnt_dofadr[jnt] as usize);
    let quat = |adr: usize| Quat::from_slice(&d.qpos[adr..]).unwrap_or_default().normalized();
    let into_child = |axis: Vec3, quat: Quat| if in_parent { quat.conj().rotate(&axis) } else { axis };
    match m.jnt_type[jnt] {
        JointType::Slide | JointType::Hinge => {
            row[dof] = gear[0];
            d.qpos[adr] * gear[0]
        }
        JointType::Ball => {
            let turn = quat(adr);
            let axis = into_child(Vec3::new(gear[0], gear[1], gear[2]), turn);
            row[dof..dof + 3].copy_from_slice(axis.as_slice());
            turn.to_velocity(1.0).dot(&axis)
        }
        JointType::Free => {
            let axis = into_child(Vec3::new(gear[3], gear[4], gear[5]), quat(adr + 3));
            row[dof..dof + 3].copy_from_slice(&gear[..3]);
            row[dof + 3..dof + 6].copy_from_slice(axis.as_slice());
            0.0
        }
    }
}

/// The rod of a slider-crank has constant length: the slider's travel follows from the crank's position.
fn slider_crank(m: &Model, d: &Data, actuator: usize, [crank, slider]: [usize; 2], row: &mut [f64]) -> f64 {
    let (rod, gear) = (m.actuator_cranklength[actuator], m.actuator_gear[actuator][0]);
    let axis: Vec3 = d.site_xmat[slider].column(2).into_owned();
    let vec = d.site_xpos[crank] - d.site_xpos[slider];
    let along = vec.dot(&axis);
    let det = along * along + rod * rod - vec.dot(&vec);

    // length = along − √det, and its slope in `vec` and `axis`; a rod that is too short stretches
    let (length, by_vec, by_axis) = if det > 0.0 {
        let root = det.sqrt();
        let share = 1.0 - along / root;
        (along - root, axis * share + vec / root, vec * share)
    } else {
        (along, axis, vec)
    };
    site_wrench(m, d, crank, &(by_vec * gear), &Vec3::zeros(), row);
    // the axis turns with the slider: d(axis) = ω × axis
    site_wrench(m, d, slider, &(by_vec * -gear), &(axis.cross(&by_axis) * gear), row);
    length * gear
}

/// A force between two sites: the reference site carries the frame.
fn site_in_site(m: &Model, d: &Data, [site, reference]: [usize; 2], gear: &[f64; 6], row: &mut [f64]) -> f64 {
    let (tran, rot) = (Vec3::new(gear[0], gear[1], gear[2]), Vec3::new(gear[3], gear[4], gear[5]));
    let frame = &d.site_xmat[reference];
    let mut length = 0.0;
    if tran != Vec3::zeros() {
        length += frame.tr_mul(&(d.site_xpos[site] - d.site_xpos[reference])).dot(&tran);
    }
    if rot != Vec3::zeros() {
        // the order of this product is MuJoCo's
        let quat = |s: usize| m.site_quat[s] * d.xquat[m.site_bodyid[s] as usize];
        length += quat(site).rotation_from(quat(reference)).dot(&rot);
    }
    let (force, torque) = (frame * tran, frame * rot);
    site_wrench(m, d, site, &force, &torque, row);
    site_wrench(m, d, reference, &-force, &-torque, row);

    // dofs above both move them together
    let mut above = [m.site_bodyid[site], m.site_bodyid[reference]].map(|body| m.body_chain(body as usize).peekable());
    let [a, b] = &mut above;
    loop {
        match (a.peek().copied(), b.peek().copied()) {
            (Some(i), Some(j)) if i == j => {
                row[i] = 0.0;
                a.next();
                b.next();
            }
            (Some(i), Some(j)) if i > j => drop(a.next()),
            (Some(_), Some(_)) => drop(b.next()),
            _ => break,
        }
    }
    length
}

/// Pulls a body along the mean of its contact normals, those in the gap included.
fn adhesion(m: &Model, d: &Data, body: usize, row: &mut [f64]) {
    let mut count = 0.0;
    for con in &d.contact {
        let [Some(geom1), Some(geom2)] = con.geom.map(sim_types::OptId::get) else { continue };
        let bodies = [m.geom_bodyid[geom1] as usize, m.geom_bodyid[geom2] as usize];
        if !bodies.contains(&body) {
            continue;
        }
        if con.exclude == IN_GAP || con.efc_address.is_some() {
            count += 1.0;
            let normal: Vec3 = con.frame.row(0).transpose();
            for (body, sign) in bodies.into_iter().zip([-1.0, 1.0]) {
                let offset = con.pos - d.subtree_com[m.body_rootid[body] as usize];
                apply_force(m, &d.cdof, body, &offset, &(normal * sign), &Vec3::zeros(), row);
            }
        }
    }
    if count > 0.0 {
        for x in row.iter_mut() {
            *x *= -1.0 / count;
        }
    }
}

/// Adds the generalized force of a wrench at a site.
fn site_wrench(m: &Model, d: &Data, site: usize, force: &Vec3, torque: &Vec3, row: &mut [f64]) {
    let body = m.site_bodyid[site] as usize;
    let offset = d.site_xpos[site] - d.subtree_com[m.body_rootid[body] as usize];
    apply_force(m, &d.cdof, body, &offset, force, torque, row);
}
