//! The degrees of freedom that move two bodies.

use crate::model::Model;

/// The dof moves the first body only.
pub(super) const FIRST: u8 = 1;
/// The dof moves the second body only.
pub(super) const SECOND: u8 = 2;

/// Every dof that moves one of two bodies or both, increasing, with the bodies that it moves.
#[doc(alias = "mj_mergeChain")]
pub(super) fn both_chains(m: &Model, body1: usize, body2: usize, out: &mut Vec<(u32, u8)>) {
    walk(m, body1, body2, true, out);
}

/// Every dof that moves exactly one of two bodies, increasing.
///
/// What is above both moves a common point of them alike: its column in the difference of their Jacobians is zero.
pub(super) fn unshared_chain(m: &Model, body1: usize, body2: usize, out: &mut Vec<(u32, u8)>) {
    walk(m, body1, body2, false, out);
}

fn walk(m: &Model, body1: usize, body2: usize, shared: bool, out: &mut Vec<(u32, u8)>) {
    out.clear();
    let (mut a, mut b) = (last_dof(m, body1), last_dof(m, body2));
    while a != b {
        let dof = if a > b { a } else { b };
        let side = if a > b { FIRST } else { SECOND };
        out.push((dof as u32, side));
        let up = m.dof_parentid[dof as usize].raw();
        if side == FIRST {
            a = up;
        } else {
            b = up;
        }
    }
    // from here on the two chains are one
    while shared && a >= 0 {
        out.push((a as u32, FIRST | SECOND));
        a = m.dof_parentid[a as usize].raw();
    }
    out.reverse();
}

/// The last dof of the body that carries this one, or −1.
fn last_dof(m: &Model, body: usize) -> i32 {
    let dofs = m.body_dofs(m.body_weldid[body] as usize);
    if dofs.is_empty() { -1 } else { dofs.end as i32 - 1 }
}
