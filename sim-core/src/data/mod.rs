//! The state and everything computed from it.

mod export;
mod reset;
mod state;
mod table;

pub use state::StateBits;
pub use table::Data;

use crate::model::Model;

/// Which lazily computed parts belong to the present state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LazyFlags {
    /// Potential energy.
    pub energypos: bool,
    /// Kinetic energy.
    pub energyvel: bool,
    /// Velocities of subtrees.
    pub subtreevel: bool,
    /// Accelerations and interaction forces of bodies.
    pub rnepost: bool,
}

/// Memory that stages work in; holds nothing between stages.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Scratch {
    /// One number per dof.
    pub nv: Vec<f64>,
    /// The acceleration that is integrated.
    pub qacc: Vec<f64>,
    /// The stages of Runge–Kutta.
    pub runge_kutta: crate::integrate::RungeKuttaScratch,
    /// Derivatives of smooth forces.
    pub derivative: crate::derivative::Scratch,
    /// Inverse dynamics.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub inverse: crate::inverse::Scratch,
    /// One number per actuator.
    pub nu: Vec<f64>,
    /// One number per activation.
    pub na: Vec<f64>,
    /// One number per tendon.
    pub ntendon: Vec<f64>,
    /// Room for two values of the largest sensor with a delay buffer.
    pub sensor: Vec<f64>,
    /// Wrenches per body.
    pub body_force: Vec<sim_types::Force>,
    /// Islands gathered for their solve, and the memory of the solvers.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub solve: crate::constraint::SolveScratch,
    /// Poses of sleeping bodies before kinematics.
    pub poses: Vec<(u32, sim_types::Vec3, sim_types::Quat)>,
    /// Dofs that move two bodies, and which of them.
    pub chain: Vec<(u32, u8)>,
    /// Dofs that move one of the bodies of a contact.
    pub unshared: crate::constraint::Unshared,
    /// Wrenches per body, for a second use in the same stage.
    pub body_motion: Vec<sim_types::Motion>,
    /// The collision stage.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub collision: Option<Box<crate::collision::Work>>,
}

/// Multiplications that contacts and constraints of a new state may take in one evaluation: about a second.
pub const WORK_LIMIT: u64 = 1 << 31;

/// Multiplications that a contact takes at least, from the search to the solution of its rows: about four microseconds.
const CONTACT_WORK: u64 = 1 << 13;

impl Model {
    /// A state for this model, at the reference pose.
    #[doc(alias = "mj_makeData")]
    pub fn make_data(&self) -> Data {
        let mut d = Data { work_limit: Some(WORK_LIMIT), ..Data::default() };
        d.resize_arrays(self);
        d.scratch.nv.resize(self.nv, 0.0);
        d.scratch.nu.resize(self.nu, 0.0);
        d.scratch.na.resize(self.na, 0.0);
        d.scratch.ntendon.resize(self.ntendon, 0.0);
        let buffered = (0..self.nsensor).filter(|&s| self.sensor_historyadr[s].is_some());
        d.scratch.sensor.resize(buffered.map(|s| 2 * self.sensor_dim[s] as usize).max().unwrap_or(0), 0.0);
        d.scratch.body_force.resize(self.nbody, sim_types::Force::ZERO);
        d.scratch.body_motion.resize(self.nbody, sim_types::Motion::ZERO);
        d.reset(self);
        d
    }
}

impl Data {
    /// How many contacts fit into [`work_limit`](Self::work_limit). A thousand always do: what takes time then is the
    /// solver, which counts for itself.
    pub(crate) fn contacts_in_time(&self) -> usize {
        let most = |work: u64| usize::try_from(work / CONTACT_WORK).unwrap_or(usize::MAX).max(1000);
        self.work_limit.map_or(usize::MAX, most)
    }

    /// Copies everything from `from`, which must be of the same model; allocates nothing then.
    #[doc(alias = "mj_copyData")]
    pub fn copy_from(&mut self, from: &Self) {
        self.copy_arrays(from);
        self.contact.clone_from(&from.contact);
        self.contact_limit = from.contact_limit;
        self.work_limit = from.work_limit;
        self.time = from.time;
        self.energy = from.energy;
        self.warning = from.warning;
        self.lazy = from.lazy;
        self.efc.copy_from(&from.efc);
        self.island.copy_from(&from.island);
        self.solver.copy_from(&from.solver);
        self.solver_fwdinv = from.solver_fwdinv;
        self.restart = from.restart;
        self.awake = from.awake;
    }

    /// Bytes this state occupies, heap included.
    pub fn bytes(&self) -> usize {
        let scratch = &self.scratch;
        size_of::<Self>()
            + self.array_bytes()
            + (scratch.nv.capacity() + scratch.nu.capacity() + scratch.na.capacity() + scratch.ntendon.capacity()) * 8
            + (scratch.body_force.capacity() + scratch.body_motion.capacity()) * 48
            + self.contact.capacity() * size_of::<sim_types::Contact>()
            + scratch.runge_kutta.bytes()
            + scratch.derivative.bytes()
            + scratch.collision.as_ref().map_or(0, |work| work.bytes())
    }
}
