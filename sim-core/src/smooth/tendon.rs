//! Tendon paths: lengths, Jacobians, and what armature adds.

use sim_tendon::{Obstacle, Wrap, wrap};
use sim_types::math::normalize3;
use sim_types::{JointType, MINVAL, Motion, Vec3, WrapType};

use super::acceleration::apply_force;
use crate::data::Data;
use crate::model::Model;

/// Computes tendon lengths, their Jacobian and the points of their paths.
///
/// Reads `qpos`, `site_xpos`, `geom_xpos`, `geom_xmat`, `cdof`, `subtree_com`; writes `ten_length`, `ten_J`,
/// `ten_wrapadr`, `ten_wrapnum`, `wrap_obj`, `wrap_xpos`.
#[doc(alias = "mj_tendon")]
pub fn tendon(m: &Model, d: &mut Data) {
    let mut row = std::mem::take(&mut d.scratch.nv);
    row.fill(0.0);
    let mut drawn = 0;
    for tendon in 0..m.ntendon {
        d.ten_wrapadr[tendon] = drawn as u32;
        if d.tendon_sleeps(m, tendon) {
            d.ten_length[tendon] = 0.0;
            d.ten_wrapnum[tendon] = 0;
            d.ten_J[m.ten_j_row(tendon)].fill(0.0);
            continue;
        }
        let objects = m.tendon_objects(tendon);
        let length = if m.wrap_type[objects.start] == WrapType::Joint {
            fixed(m, d, tendon, &mut row)
        } else {
            spatial(m, d, tendon, &mut row, &mut drawn)
        };
        d.ten_length[tendon] = length;
        d.ten_wrapnum[tendon] = drawn as u32 - d.ten_wrapadr[tendon];

        // gather the row by its pattern, and leave the scratch clean
        let entries = m.ten_j_row(tendon);
        for (x, &col) in d.ten_J[entries.clone()].iter_mut().zip(&m.ten_J_colind[entries]) {
            *x = std::mem::take(&mut row[col as usize]);
        }
    }
    d.scratch.nv = row;
}

/// Adds the inertia along tendons to `M`, on the entries that `M` has.
///
/// Reads `ten_J`; changes `M`. Coupling between dofs of different branches is lost, as in MuJoCo.
#[doc(alias = "mj_tendonArmature")]
pub fn tendon_armature(m: &Model, d: &mut Data) {
    if m.tendon_armature.iter().all(|x| *x == 0.0) {
        return;
    }
    let mut dense = std::mem::take(&mut d.scratch.nv);
    dense.fill(0.0);
    for tendon in 0..m.ntendon {
        let armature = m.tendon_armature[tendon];
        if armature == 0.0 {
            continue;
        }
        let entries = m.ten_j_row(tendon);
        for (x, &col) in d.ten_J[entries.clone()].iter().zip(&m.ten_J_colind[entries.clone()]) {
            dense[col as usize] = *x;
        }
        for &dof in &m.ten_J_colind[entries.clone()] {
            let scale = armature * dense[dof as usize];
            let (adr, nnz) = (m.M_rowadr[dof as usize] as usize, m.M_rownnz[dof as usize] as usize);
            for (x, &col) in d.M[adr..adr + nnz].iter_mut().zip(&m.M_colind[adr..adr + nnz]) {
                *x += scale * dense[col as usize];
            }
        }
        for &col in &m.ten_J_colind[entries] {
            dense[col as usize] = 0.0;
        }
    }
    d.scratch.nv = dense;
}

/// Adds to `qfrc_bias` the force that tendon armature needs because Jacobians change.
///
/// Reads `ten_J`, `cvel`, `cdof`, `cdof_dot`, `qvel`; changes `qfrc_bias`.
#[doc(alias = "mj_tendonBias")]
pub fn tendon_bias(m: &Model, d: &mut Data) {
    for tendon in 0..m.ntendon {
        let armature = m.tendon_armature[tendon];
        if armature == 0.0 {
            continue;
        }
        let rate = jacobian_rate_times_velocity(m, d, tendon);
        let entries = m.ten_j_row(tendon);
        for (x, &col) in d.ten_J[entries.clone()].iter().zip(&m.ten_J_colind[entries]) {
            d.qfrc_bias[col as usize] += armature * rate * x;
        }
    }
}

/// A fixed tendon: a linear combination of joint positions.
fn fixed(m: &Model, d: &Data, tendon: usize, row: &mut [f64]) -> f64 {
    let dense = !m.is_sparse();
    let mut length = 0.0;
    for object in m.tendon_objects(tendon) {
        let Some(jnt) = m.wrap_objid[object].get() else { continue };
        let (coef, dof) = (m.wrap_prm[object], m.jnt_dofadr[jnt] as usize);
        length += coef * d.qpos[m.jnt_qposadr[jnt] as usize];
        // a joint listed twice counts twice in a sparse Jacobian, once in a dense one: MuJoCo's rule
        row[dof] = if dense { coef } else { row[dof] + coef };
    }
    length
}

/// A spatial tendon: straight pieces between sites and around geoms.
fn spatial(m: &Model, d: &mut Data, tendon: usize, row: &mut [f64], drawn: &mut usize) -> f64 {
    let mut length = 0.0;
    let mut walk = Walk::new(m, tendon);
    while let Some(part) = walk.next(m, d) {
        let PathPart::Leg(Leg { ends, wrapped, divisor, last }) = part else {
            draw(d, drawn, -2, &Vec3::zeros());
            continue;
        };
        match wrapped {
            None => {
                length += (ends[0].pos - ends[1].pos).norm() / divisor;
                piece(m, d, [&ends[0], &ends[1]], divisor, row);
                draw(d, drawn, -1, &ends[0].pos);
            }
            Some((geom, w)) => {
                let body = m.geom_bodyid[geom] as usize;
                let touch = w.points.map(|pos| End { pos, body });
                let straight = (ends[0].pos - touch[0].pos).norm() + (touch[1].pos - ends[1].pos).norm();
                length += (straight + w.length) / divisor;
                piece(m, d, [&ends[0], &touch[0]], divisor, row);
                piece(m, d, [&touch[1], &ends[1]], divisor, row);
                draw(d, drawn, -1, &ends[0].pos);
                draw(d, drawn, geom as i32, &touch[0].pos);
                draw(d, drawn, geom as i32, &touch[1].pos);
            }
        }
        if last {
            draw(d, drawn, -1, &ends[1].pos);
        }
    }
    length
}

/// Adds the gradient of the length of one straight piece. Ends on one body do not move apart.
fn piece(m: &Model, d: &Data, ends: [&End; 2], divisor: f64, row: &mut [f64]) {
    if ends[0].body == ends[1].body {
        return;
    }
    let mut pull = ends[1].pos - ends[0].pos;
    normalize3(&mut pull);
    for (end, sign) in ends.into_iter().zip([-1.0, 1.0]) {
        let offset = end.pos - d.subtree_com[m.body_rootid[end.body] as usize];
        apply_force(m, &d.cdof, end.body, &offset, &(pull * (sign / divisor)), &Vec3::zeros(), row);
    }
}

/// Stores a point of the path for drawing.
fn draw(d: &mut Data, drawn: &mut usize, object: i32, pos: &Vec3) {
    let (slot, half) = (*drawn / 2, *drawn % 2);
    if let (Some(obj), Some(xpos)) = (d.wrap_obj.get_mut(slot), d.wrap_xpos.get_mut(slot)) {
        obj[half] = object;
        xpos[3 * half..3 * half + 3].copy_from_slice(pos.as_slice());
    }
    *drawn += 1;
}

/// `d/dt(ten_J)·qvel` of one tendon: zero for fixed tendons, exact for paths over sites. The compiler refuses armature on
/// paths that wrap.
fn jacobian_rate_times_velocity(m: &Model, d: &Data, tendon: usize) -> f64 {
    if m.wrap_type[m.tendon_objects(tendon).start] == WrapType::Joint {
        return 0.0;
    }
    let mut sum = 0.0;
    let mut walk = Walk::new(m, tendon);
    while let Some(part) = walk.next(m, d) {
        let PathPart::Leg(Leg { ends, wrapped: None, divisor, .. }) = part else { continue };
        if ends[0].body == ends[1].body {
            continue;
        }
        // direction of the piece and its rate of change
        let mut dir = ends[1].pos - ends[0].pos;
        let norm = normalize3(&mut dir);
        let vel = [point_velocity(m, d, &ends[0]), point_velocity(m, d, &ends[1])];
        let apart = vel[1] - vel[0];
        let turn = if norm > MINVAL { (apart - dir * dir.dot(&apart)) / norm } else { Vec3::zeros() };

        // (J̇₂ − J̇₁)v · dir + (J₂ − J₁)v · d/dt(dir)
        let rate = point_jacobian_rate(m, d, &ends[1], &vel[1]) - point_jacobian_rate(m, d, &ends[0], &vel[0]);
        sum += (rate.dot(&dir) + apart.dot(&turn)) / divisor;
    }
    sum
}

fn point_velocity(m: &Model, d: &Data, end: &End) -> Vec3 {
    let offset = end.pos - d.subtree_com[m.body_rootid[end.body] as usize];
    d.cvel[end.body].moved(&offset).lin
}

/// `J̇·qvel` of a point of a body.
#[doc(alias = "mj_jacDot")]
fn point_jacobian_rate(m: &Model, d: &Data, end: &End, vel: &Vec3) -> Vec3 {
    let offset = end.pos - d.subtree_com[m.body_rootid[end.body] as usize];
    let mut sum = Vec3::zeros();
    for dof in m.body_chain(end.body) {
        let jnt = m.dof_jntid[dof] as usize;
        let turns_with_itself = match m.jnt_type[jnt] {
            JointType::Ball => true,
            JointType::Free => dof >= m.jnt_dofadr[jnt] as usize + 3,
            JointType::Slide | JointType::Hinge => false,
        };
        let axis = &d.cdof[dof];
        let rate: Motion =
            if turns_with_itself { d.cvel[m.dof_bodyid[dof] as usize].cross(axis) } else { d.cdof_dot[dof] };
        sum += (rate.lin + rate.rot.cross(&offset) + axis.rot.cross(vel)) * d.qvel[dof];
    }
    sum
}

/// A point of the path that is fixed in a body.
#[derive(Clone, Copy)]
struct End {
    pos: Vec3,
    body: usize,
}

/// A part of the path.
enum PathPart {
    /// The path branches; what follows counts only in part.
    Pulley,
    /// From a site to the next.
    Leg(Leg),
}

/// Site to site, straight or around a geom.
struct Leg {
    ends: [End; 2],
    wrapped: Option<(usize, Wrap)>,
    divisor: f64,
    /// The path ends or branches after this leg.
    last: bool,
}

/// Walks the objects of a spatial tendon.
struct Walk {
    at: usize,
    end: usize,
    divisor: f64,
}

impl Walk {
    fn new(m: &Model, tendon: usize) -> Self {
        let objects = m.tendon_objects(tendon);
        Self { at: objects.start, end: objects.end, divisor: 1.0 }
    }

    fn next(&mut self, m: &Model, d: &Data) -> Option<PathPart> {
        while self.at + 1 < self.end {
            let (first, second) = (self.at, self.at + 1);
            if m.wrap_type[first] == WrapType::Pulley {
                self.divisor = m.wrap_prm[first];
                self.at += 1;
                return Some(PathPart::Pulley);
            }
            if m.wrap_type[second] == WrapType::Pulley {
                self.at += 1;
                continue;
            }
            return self.leg(m, d, first, second).map(PathPart::Leg);
        }
        None
    }

    fn leg(&mut self, m: &Model, d: &Data, first: usize, second: usize) -> Option<Leg> {
        let site = |object: usize| {
            let id = m.wrap_objid.get(object)?.get()?;
            Some(End { pos: *d.site_xpos.get(id)?, body: m.site_bodyid[id] as usize })
        };
        let obstacle = match m.wrap_type[second] {
            WrapType::Sphere => Some(Obstacle::Sphere),
            WrapType::Cylinder => Some(Obstacle::Cylinder),
            _ => None,
        };
        let to = if obstacle.is_some() { second + 1 } else { second };
        let ends = [site(first)?, site(to)?];
        let mut wrapped = None;
        if let (Some(kind), Some(geom)) = (obstacle, m.wrap_objid[second].get()) {
            let side = sim_types::math::floor(m.wrap_prm[second] + 0.5);
            let side = if side >= 0.0 { d.site_xpos.get(side as usize) } else { None };
            let points = [ends[0].pos, ends[1].pos];
            let w = wrap(kind, &points, &d.geom_xpos[geom], &d.geom_xmat[geom], m.geom_size[geom].x, side);
            wrapped = w.map(|w| (geom, w));
        }
        self.at = to;
        let last = to + 1 >= self.end || m.wrap_type[to + 1] == WrapType::Pulley;
        Some(Leg { ends, wrapped, divisor: self.divisor, last })
    }
}
