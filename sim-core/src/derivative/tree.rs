//! Forces that depend on the velocities of bodies, as derivatives on the tree.
//!
//! The force on a body depends on the velocities of all dofs above it. Because every 6-vector is expressed at one point
//! of its tree, the derivatives of all bodies of a subtree add up to one 6×6 matrix, as inertias do in the composite
//! rigid body algorithm. One pass then gives all entries, O(nv · depth).
//!
//! For the bias force: the velocity of dof `j` changes the velocity of a body `b` above which it stands by its axis
//! `s_j`, and its acceleration by `w_j + s_j × v_b` with `w_j = ċ_j + v_j × s_j`, where `v_j` is the velocity just
//! after the joint. So the derivative of `I·a + v ×* I·v` is `I·w_j + K·s_j`, and both `I` and `K` add up over a
//! subtree.

use sim_types::{Force, Inertia, JointType, Mat3, Motion, Vec3};

use super::Scratch;
use crate::data::Data;
use crate::model::Model;

/// A linear map from motions to forces, by its four blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Block6 {
    /// Torque by angular velocity.
    pub rr: Mat3,
    /// Torque by linear velocity.
    pub rl: Mat3,
    /// Force by angular velocity.
    pub lr: Mat3,
    /// Force by linear velocity.
    pub ll: Mat3,
}

/// Adds the sum over subtrees of `scratch.subtree` (one map per body) to `qDeriv`, with `bias` minus the derivative of
/// the bias force.
pub(super) fn add(m: &Model, d: &mut Data, scratch: &mut Scratch, bias: bool) {
    let Scratch { subtree, caused, turned, .. } = scratch;
    for body in (1..m.nbody).rev() {
        if bias {
            let own = bias_of_body(&d.cinert[body], &d.cvel[body]);
            subtree[body].rr -= own.rr;
            subtree[body].lr -= own.lr;
        }
        let parent = m.body_parentid[body] as usize;
        if parent > 0 {
            let own = subtree[body];
            subtree[parent] += &own;
        }
    }
    turned.clear();
    turned.resize(m.nv, Motion::ZERO);
    if bias {
        turn_axes(m, d, turned);
    }

    // force that a unit velocity of each dof causes on what it moves
    caused.clear();
    caused.extend((0..m.nv).map(|dof| {
        let body = m.dof_bodyid[dof] as usize;
        subtree[body].apply(&d.cdof[dof]) - d.crb[body] * turned[dof]
    }));

    for dof in 0..m.nv {
        let body = m.dof_bodyid[dof] as usize;
        let (axis, entries) = (d.cdof[dof], m.d_row(dof));
        let (back, weight) = (subtree[body].apply_transposed(&axis), d.crb[body] * axis);
        for (y, &c) in d.qDeriv[entries.clone()].iter_mut().zip(&m.D_colind[entries]) {
            let c = c as usize;
            *y += if c < dof { d.cdof[c].dot(&back) - turned[c].dot(&weight) } else { axis.dot(&caused[c]) };
        }
    }
}

/// The part `K` of the derivative of a body's bias force; its other two blocks are zero.
fn bias_of_body(inertia: &Inertia, vel: &Motion) -> Block6 {
    let [xx, yy, zz, xy, xz, yz] = inertia.rot;
    let j = Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    let momentum = *inertia * *vel;
    let (w, v, c) = (vel.rot.cross_matrix(), vel.lin.cross_matrix(), inertia.moment.cross_matrix());
    let rr = w * j - j * w - momentum.rot.cross_matrix() - c * v - v * c;
    Block6 { rr, lr: momentum.lin.cross_matrix() * -2.0, ..Block6::ZERO }
}

/// `w_j` of the module docs.
fn turn_axes(m: &Model, d: &Data, out: &mut [Motion]) {
    for jnt in 0..m.njnt {
        let mut dof = m.jnt_dofadr[jnt] as usize;
        match m.jnt_type[jnt] {
            JointType::Slide | JointType::Hinge => out[dof] = d.cdof_dot[dof] * 2.0,
            kind => {
                // the translations of a free joint do not turn, and nothing moves before them
                if kind == JointType::Free {
                    dof += 3;
                }
                let spin =
                    d.cdof[dof] * d.qvel[dof] + d.cdof[dof + 1] * d.qvel[dof + 1] + d.cdof[dof + 2] * d.qvel[dof + 2];
                for k in dof..dof + 3 {
                    out[k] = d.cdof_dot[k] * 2.0 + spin.cross(&d.cdof[k]);
                }
            }
        }
    }
}

impl Default for Block6 {
    fn default() -> Self {
        Self::ZERO
    }
}

impl std::ops::AddAssign<&Self> for Block6 {
    fn add_assign(&mut self, o: &Self) {
        self.rr += o.rr;
        self.rl += o.rl;
        self.lr += o.lr;
        self.ll += o.ll;
    }
}

impl Block6 {
    /// The map to zero.
    pub const ZERO: Self = {
        let zero = Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        Self { rr: zero, rl: zero, lr: zero, ll: zero }
    };

    /// The force that a motion causes.
    #[inline]
    pub fn apply(&self, v: &Motion) -> Force {
        Force::new(self.rr * v.rot + self.rl * v.lin, self.lr * v.rot + self.ll * v.lin)
    }

    /// The force whose power along any `u` is that of `self.apply(u)` along `v`.
    #[inline]
    pub fn apply_transposed(&self, v: &Motion) -> Force {
        Force::new(self.rr.tr_mul(&v.rot) + self.lr.tr_mul(&v.lin), self.rl.tr_mul(&v.rot) + self.ll.tr_mul(&v.lin))
    }

    /// The symmetric part.
    #[must_use]
    pub fn symmetric(&self) -> Self {
        let rl = (self.rl + self.lr.transpose()) * 0.5;
        Self {
            rr: (self.rr + self.rr.transpose()) * 0.5,
            rl,
            lr: rl.transpose(),
            ll: (self.ll + self.ll.transpose()) * 0.5,
        }
    }

    /// The same map, given at a point and in axes of its own, seen at the reference point with world axes: `mat` turns
    /// local vectors into world vectors, `offset` leads from the reference point to the local one.
    #[must_use]
    pub fn to_reference(&self, mat: &Mat3, offset: &Vec3) -> Self {
        let world = |x: &Mat3| mat * x * mat.transpose();
        let (rr, rl, lr, ll) = (world(&self.rr), world(&self.rl), world(&self.lr), world(&self.ll));
        let s = offset.cross_matrix();
        let force_by_spin = lr - ll * s;
        Self { rr: rr - rl * s + s * force_by_spin, rl: rl + s * ll, lr: force_by_spin, ll }
    }
}
