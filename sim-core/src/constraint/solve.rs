//! The solve: from rows and smooth acceleration to constraint forces and acceleration.

use sim_constraint::{
    ContactSolver, Problem, Settings, Solution, SolveError, Solved, SolverStat, Start, StartCost, Work,
};
use sim_types::{DisableFlags, Solver};

use super::Efc;
use super::gather::{Slot, dofs_of, gather_rows, scatter_rows};
use crate::data::Data;
use crate::error::StepError;
use crate::model::Model;
use crate::pipeline::Parts;
use crate::warning::Warning;

/// Islands with statistics of their own, and entries per island (`mjNISLAND`, `mjNSOLVER`).
const NISLAND: usize = 20;
const NSOLVER: usize = 200;

/// What the last solve reports, for the first 20 islands; a solve of the whole system is island 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SolverStats {
    /// Iterations of each island.
    pub niter: Vec<usize>,
    /// Entries of the matrix that each island's solver worked with.
    pub nnz: Vec<usize>,
    /// Whether each island's solver met a test of convergence before its iterations ran out.
    pub converged: Vec<bool>,
    stat: Vec<SolverStat>,
    stride: usize,
}

/// Memory of the solve; holds nothing between steps, so a copy of it is empty and any two are equal.
#[derive(Debug, Default)]
pub struct SolveScratch {
    /// Behind a pointer, because it is taken out of `Data` and put back in every step.
    whole: Option<Box<Work>>,
    slots: Vec<Slot>,
}

impl Clone for SolveScratch {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for SolveScratch {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Solves for the constraint forces and the acceleration.
///
/// Reads `efc`, `island`, `M` and its factor, `qfrc_smooth`, `qacc_smooth`, `qacc_warmstart`; writes `qacc`,
/// `qfrc_constraint`, `efc.force`, `efc.state`, `solver`.
#[doc(alias = "mj_fwdConstraint")]
pub fn solve<P: Parts>(m: &Model, d: &mut Data, parts: &P) -> Result<(), StepError> {
    d.solver.niter.clear();
    d.solver.nnz.clear();
    d.solver.converged.clear();
    if d.contact.len() > d.contacts_in_time() {
        let what = format!("more than {} contacts", d.contacts_in_time());
        return Err(StepError::TooLarge { what, advice: ", or set its `contact_limit`" });
    }
    if d.efc.nefc == 0 {
        d.qfrc_constraint.fill(0.0);
        d.qacc.copy_from_slice(&d.qacc_smooth);
        return Ok(());
    }
    let mut scratch = std::mem::take(&mut d.scratch.solve);
    d.efc.force.resize(d.efc.nefc, 0.0);
    d.efc.state.resize(d.efc.nefc, 0);
    let opt = Settings { work: d.work_limit.unwrap_or(u64::MAX), ..Settings::from(&m.opt) };
    let by_island = d.island.nisland > 0 && opt.noslip_iterations == 0 && opt.solver != Solver::Pgs;
    let result = if by_island && !d.island.is_whole(m) {
        let mut efc = std::mem::take(&mut d.efc);
        let result = islands(m, d, &mut efc, parts.contact_solver(), &opt, &mut scratch.slots);
        d.efc = efc;
        result
    } else {
        let work = scratch.whole.get_or_insert_default();
        whole(m, d, parts.contact_solver(), &opt, (work, by_island))
    };
    d.scratch.solve = scratch;
    result.map_err(|e| match e {
        SolveError::TooLarge { .. } => StepError::TooLarge { what: e.to_string(), advice: ", or choose the solver CG" },
        SolveError::BadDof { dof } => StepError::Unsolvable { what: e.to_string(), dof: Some(dof) },
        _ => StepError::Unsolvable { what: e.to_string(), dof: None },
    })
}

/// The whole system at once, on the arrays as they are.
fn whole<S: ContactSolver>(
    m: &Model,
    d: &mut Data,
    solver: &S,
    opt: &Settings,
    (work, as_island): (&mut Work, bool),
) -> Result<(), SolveError> {
    let mut force = std::mem::take(&mut d.efc.force);
    let mut state = std::mem::take(&mut d.efc.state);
    // the tests of convergence are relative to the inertia: MuJoCo has one rule for islands and one for the whole
    let scale = if as_island {
        let diagonal = m.M_rowadr.iter().zip(&m.M_rownnz).map(|(adr, nnz)| d.M[(adr + nnz - 1) as usize]);
        1.0 / diagonal.sum::<f64>()
    } else {
        1.0 / (m.stat.meaninertia * m.nv.max(1) as f64)
    };
    let problem = Problem {
        timestep: m.opt.timestep,
        scale,
        pattern: m.m_pattern(),
        m: &d.M,
        ld: &d.qLD,
        diaginv: &d.qLDiagInv,
        qfrc_smooth: &d.qfrc_smooth,
        qacc_smooth: &d.qacc_smooth,
        rows: d.efc.rows(),
    };
    // where there are islands, dofs of none start without forces; what that saves does not decide where to start
    let mut start = Start::Smooth;
    if m.opt.has(DisableFlags::WARMSTART) {
        d.qacc.copy_from_slice(&d.qacc_warmstart);
        let mut spared = 0.0;
        if d.island.nisland > 0 && opt.solver != Solver::Pgs {
            spared = free_cost(m, d);
            for &dof in &d.island.map_idof2dof[d.island.nidof..] {
                d.qacc[dof as usize] = d.qacc_smooth[dof as usize];
            }
        }
        let mut cost = solver.start(&problem, opt, &d.qacc, work);
        cost.warm += spared;
        start = cost.choose();
    }
    let mut out = Solution {
        qacc: &mut d.qacc,
        qfrc_constraint: &mut d.qfrc_constraint,
        force: &mut force,
        state: &mut state,
        stat: d.solver.prepare(opt, 1, 0),
    };
    let solved = solver.solve(&problem, opt, start, &mut out, work);
    d.efc.force = force;
    d.efc.state = state;
    let solved = solved?;
    d.solver.record(0, &solved);
    if solved.cut {
        d.warning.raise(Warning::CnstrFull, solved.niter);
    }
    Ok(())
}

/// Every island on its own; dofs of no island keep their smooth acceleration.
fn islands<S: ContactSolver>(
    m: &Model,
    d: &mut Data,
    efc: &mut Efc,
    solver: &S,
    opt: &Settings,
    slots: &mut Vec<Slot>,
) -> Result<(), SolveError> {
    let n = d.island.nisland;
    if slots.len() < n {
        slots.resize_with(n, Slot::default);
    }
    let slots = &mut slots[..n];
    for (island, slot) in slots.iter_mut().enumerate() {
        slot.gather_dofs(m, d, island);
    }
    gather_rows(d, efc, slots);
    slots.iter_mut().for_each(Slot::finish);

    // one decision for all: start where the last step ended, or without constraint forces
    let mut start = Start::Smooth;
    if m.opt.has(DisableFlags::WARMSTART) {
        let mut cost = StartCost { warm: free_cost(m, d), smooth: 0.0 };
        for slot in slots.iter_mut() {
            let (problem, out) = slot.split(m.opt.timestep);
            cost += solver.start(&problem, opt, out.qacc, out.work);
        }
        start = cost.choose();
    }
    d.qacc.copy_from_slice(&d.qacc_smooth);
    d.qfrc_constraint.fill(0.0);
    let mut opt = *opt;
    for (island, slot) in slots.iter_mut().enumerate() {
        let (problem, out) = slot.split(m.opt.timestep);
        let mut solution = Solution {
            qacc: out.qacc,
            qfrc_constraint: out.qfrc_constraint,
            force: out.force,
            state: out.state,
            stat: d.solver.prepare(&opt, n, island),
        };
        let solved = solver.solve(&problem, &opt, start, &mut solution, out.work);
        let solved = solved.map_err(|e| in_whole(d, efc, island, e))?;
        d.solver.record(island, &solved);
        opt.work_done = opt.work_done.saturating_add(solved.work);
        if solved.cut {
            d.warning.raise(Warning::CnstrFull, solved.niter);
        }
        let first = d.island.island_idofadr[island] as usize;
        for (i, &dof) in d.island.map_idof2dof[first..first + slot.qacc.len()].iter().enumerate() {
            d.qacc[dof as usize] = slot.qacc[i];
            d.qfrc_constraint[dof as usize] = slot.qfrc_constraint[i];
        }
    }
    scatter_rows(d, efc, slots);
    Ok(())
}

/// What the dofs of no island add to the cost of the warm start.
fn free_cost(m: &Model, d: &Data) -> f64 {
    let off = |dof: usize| d.qacc_warmstart[dof] - d.qacc_smooth[dof];
    let mut cost = 0.0;
    for &dof in &d.island.map_idof2dof[d.island.nidof..] {
        let dof = dof as usize;
        let (adr, nnz) = (m.M_rowadr[dof] as usize, m.M_rownnz[dof] as usize);
        let (own, above) = (adr + nnz - 1, adr..adr + nnz - 1);
        let coupled = d.M[above.clone()].iter().zip(&m.M_colind[above]).map(|(x, col)| x * off(*col as usize));
        cost += off(dof) * (0.5 * d.M[own] * off(dof) + coupled.sum::<f64>());
    }
    cost
}

/// An error of an island, in the numbers of the whole system.
fn in_whole(d: &Data, efc: &Efc, island: usize, error: SolveError) -> SolveError {
    match error {
        SolveError::BadDof { dof } => {
            SolveError::BadDof { dof: dofs_of(d, island).0.get(dof).map_or(dof, |dof| *dof as usize) }
        }
        SolveError::BadRow { row } => SolveError::BadRow { row: row_in_whole(d, efc, island, row).unwrap_or(row) },
        other => other,
    }
}

fn row_in_whole(d: &Data, efc: &Efc, island: usize, row: usize) -> Option<usize> {
    let scalars = (0..efc.ne + efc.nf + efc.nl).map(|row| (row, row, 1));
    let contacts = efc.contacts.iter().map(|c| (c.base as usize, c.row as usize, c.nrow()));
    let own = scalars.chain(contacts).filter(|(base, ..)| d.island.base_island[*base] as usize == island);
    own.flat_map(|(_, row, count)| row..row + count).nth(row)
}

impl SolverStats {
    /// Numbers of each iteration of an island, as far as they are kept: 200 at most.
    pub fn iterations(&self, island: usize) -> &[SolverStat] {
        let n = self.niter.get(island).map_or(0, |n| (*n).min(self.stride));
        self.stat.get(island * self.stride..island * self.stride + n).unwrap_or(&[])
    }

    /// Room for the statistics of an island; none beyond the islands that are kept.
    fn prepare(&mut self, opt: &Settings, nisland: usize, island: usize) -> &mut [SolverStat] {
        let stride = (opt.iterations.saturating_add(opt.noslip_iterations)).min(NSOLVER);
        self.stride = stride;
        self.stat.resize(stride * nisland.min(NISLAND), SolverStat::default());
        self.stat.get_mut(island * stride..(island + 1) * stride).unwrap_or(&mut [])
    }

    fn record(&mut self, island: usize, solved: &Solved) {
        if island < NISLAND {
            self.niter.push(solved.niter);
            self.nnz.push(solved.nnz);
            self.converged.push(solved.converged);
        }
    }

    pub(crate) fn copy_from(&mut self, from: &Self) {
        self.niter.clone_from(&from.niter);
        self.nnz.clone_from(&from.nnz);
        self.converged.clone_from(&from.converged);
        self.stat.clone_from(&from.stat);
        self.stride = from.stride;
    }
}
