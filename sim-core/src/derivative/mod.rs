//! Derivatives: of forces by velocity, of a step and of inverse dynamics by state and control.

mod actuator;
mod analytic;
mod fluid;
mod inverse_fd;
mod transition;
mod tree;

pub use analytic::{AnalyticWork, transition_analytic};
pub use inverse_fd::{InverseDerivatives, inverse_fd};
pub use transition::{Transition, transition_fd};
pub use tree::Block6;

use sim_types::{DisableFlags, Force, Integrator, Motion};

use crate::data::Data;
use crate::model::Model;
use crate::pipeline::Parts;

/// Memory of the derivatives; holds nothing between stages.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Scratch {
    /// Derivative of the force on each subtree by a velocity common to it.
    pub(crate) subtree: Vec<Block6>,
    /// Per dof: forces that a unit velocity causes.
    pub(crate) caused: Vec<Force>,
    /// Per dof: accelerations that a unit velocity causes.
    pub(crate) turned: Vec<Motion>,
    /// A dense row.
    pub(crate) row: Vec<f64>,
}

impl Scratch {
    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.subtree.capacity() * size_of::<Block6>()
            + self.caused.capacity() * size_of::<Force>()
            + self.turned.capacity() * size_of::<Motion>()
            + self.row.capacity() * 8
    }
}

/// Computes the derivative of smooth forces by velocity: actuators, passive forces, and with `bias` minus the Coriolis
/// and centrifugal force.
///
/// Entries that couple dofs of different branches are left out, as in MuJoCo; so are constraints, the bias of tendon
/// armature, and what the user's hooks add.
///
/// Reads `cvel`, `cdof`, `cdof_dot`, `cinert`, `crb`, `ten_J`, `actuator_moment`, `actuator_force`; writes `qDeriv`.
#[doc(alias = "mjd_smooth_vel")]
pub fn smooth_vel<P: Parts>(m: &Model, d: &mut Data, parts: &P, bias: bool) {
    let mut scratch = std::mem::take(&mut d.scratch.derivative);
    d.qDeriv.fill(0.0);
    scratch.row.clear();
    scratch.row.resize(m.nv, 0.0);
    actuator::actuator_vel(m, d, parts, &mut scratch.row);

    // fluid and bias share one pass over the tree
    let passive = m.opt.has(DisableFlags::SPRING) || m.opt.has(DisableFlags::DAMPER);
    let medium = passive && (m.opt.viscosity > 0.0 || m.opt.density > 0.0);
    if medium || bias {
        scratch.subtree.clear();
        scratch.subtree.resize(m.nbody, Block6::ZERO);
        if medium {
            fluid::fluid_vel(m, d, m.opt.integrator == Integrator::ImplicitFast, &mut scratch.subtree);
        }
        tree::add(m, d, &mut scratch, bias);
    }
    if m.opt.has(DisableFlags::DAMPER) {
        damping_vel(m, d, &mut scratch.row);
    }
    d.scratch.derivative = scratch;
}

/// Dampers of joints and tendons.
fn damping_vel(m: &Model, d: &mut Data, row: &mut [f64]) {
    for dof in 0..m.nv {
        d.qDeriv[(m.D_rowadr[dof] + m.D_diag[dof]) as usize] -= m.dof_damping[dof];
    }
    for tendon in 0..m.ntendon {
        let damping = m.tendon_damping[tendon];
        if damping != 0.0 {
            let entries = m.ten_j_row(tendon);
            add_outer(m, &mut d.qDeriv, &d.ten_J[entries.clone()], &m.ten_J_colind[entries], -damping, row);
        }
    }
}

/// `qDeriv += scale·JᵀJ` for one sparse row `J`, where the pattern has entries. `dense` is a row of zeros, before and
/// after.
fn add_outer(m: &Model, out: &mut [f64], row: &[f64], columns: &[u32], scale: f64, dense: &mut [f64]) {
    for (x, &c) in row.iter().zip(columns) {
        dense[c as usize] += x;
    }
    for (x, &c) in row.iter().zip(columns) {
        let factor = x * scale;
        let entries = m.d_row(c as usize);
        for (y, &k) in out[entries.clone()].iter_mut().zip(&m.D_colind[entries]) {
            *y += factor * dense[k as usize];
        }
    }
    for &c in columns {
        dense[c as usize] = 0.0;
    }
}
