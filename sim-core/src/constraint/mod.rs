//! Constraints: rows, their references, and the solve.

mod chain;
mod contact;
mod equality;
mod export;
mod force;
mod friction;
mod gather;
mod limit;
mod rows;
mod solve;
mod tendon;
mod update;

pub use chain::Unshared;
pub use force::contact_force;
pub use rows::Efc;
pub use sim_constraint::{CgStrict, ContactSolver, Mujoco as MujocoSolver, XpbdSolver};
pub use solve::{SolveScratch, SolverStats, solve};
pub use update::constraint_update;

use sim_constraint::impedance;
use sim_types::{DisableFlags, EnableFlags, OptId};

use crate::data::Data;
use crate::model::Model;

pub(crate) use equality::anchors;
pub(crate) use export::NAMES;
pub(crate) use force::limit_rows;

/// Builds the rows of all constraints that are active at the present positions.
///
/// Reads `qpos`, poses, `cdof`, tendons, `contact`; writes `efc`, `tendon_efcadr`, and of the contacts `efc_address`,
/// `mu`, `exclude`. Rows stand in MuJoCo's order: equalities, dry friction, limits, contacts.
#[doc(alias = "mj_makeConstraint")]
pub fn make(m: &Model, d: &mut Data) {
    let mut efc = std::mem::take(&mut d.efc);
    efc.clear();
    d.tendon_efcadr.fill(OptId::NONE);
    if m.opt.has(DisableFlags::CONSTRAINT) {
        equality::add(m, d, &mut efc);
        friction::add(m, d, &mut efc);
        limit::add(m, d, &mut efc);
        contact::add(m, d, &mut efc);
    }
    d.efc = efc;
}

/// Computes the acceleration that each row is pulled towards.
///
/// Reads `qvel`, `cvel`, `contact`, `efc`; writes `efc.vel`, `efc.aref`.
#[doc(alias = "mj_referenceConstraint")]
pub fn reference(m: &Model, d: &mut Data) {
    let mut vel = std::mem::take(&mut d.efc.vel);
    vel.resize(d.efc.nbase(), 0.0);
    if m.opt.enabled(EnableFlags::SLEEP) {
        // velocities of sleeping bodies are not kept up to date
        d.efc.mul_j(&d.qvel, &mut vel);
    } else {
        d.efc.mul_j_scalars(&d.qvel, &mut vel);
        contact::velocities(m, d, &mut vel);
    }
    d.efc.vel = vel;
    let Efc { vel, aref, KBIP, pos, margin, .. } = &mut d.efc;
    aref.clear();
    aref.extend(
        vel.iter()
            .zip(&*KBIP)
            .zip(pos.iter().zip(&*margin))
            .map(|((vel, kbip), (pos, margin))| impedance::reference(*kbip, *pos, *margin, *vel)),
    );
}
