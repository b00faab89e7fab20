//! The solver seam: one trait, its default, and the driver that chooses where to start.

use crate::cg::Cg;
use crate::dual::Dual;
use crate::newton::Newton;
use crate::primal::{Key, Primal, key};
use crate::problem::{Problem, Settings, Solution, SolveError, Solved, Start, StartCost};
use crate::rows::row_of;
use crate::{noslip, pgs, wide};
use sim_types::Solver;

/// Finds the constraint forces of a problem.
///
/// [`Mujoco`] is the default. `Box<dyn ContactSolver>` is a solver too.
pub trait ContactSolver {
    /// Costs of the two points a solve may start from; zeros when they do not matter. A solve of the same problem with
    /// the same `work` that follows may use what was computed here; its `out.qacc` must then be this warm start.
    fn start(&self, p: &Problem<'_>, opt: &Settings, warm: &[f64], work: &mut Work) -> StartCost;

    /// Solves the problem; `out.qacc` holds the warm start.
    fn solve(
        &self,
        p: &Problem<'_>,
        opt: &Settings,
        start: Start,
        out: &mut Solution<'_>,
        work: &mut Work,
    ) -> Result<Solved, SolveError>;
}

impl<S: ContactSolver + ?Sized> ContactSolver for Box<S> {
    fn start(&self, p: &Problem<'_>, opt: &Settings, warm: &[f64], work: &mut Work) -> StartCost {
        (**self).start(p, opt, warm, work)
    }

    fn solve(
        &self,
        p: &Problem<'_>,
        opt: &Settings,
        start: Start,
        out: &mut Solution<'_>,
        work: &mut Work,
    ) -> Result<Solved, SolveError> {
        (**self).solve(p, opt, start, out, work)
    }
}

/// Memory of the solvers; keeps its capacity from solve to solve. One per island.
#[derive(Clone, Debug, Default)]
pub struct Work {
    primal: Primal,
    newton: Newton,
    cg: Cg,
    dual: Dual,
    /// The problem whose lengths and indices were checked.
    checked: Option<Key>,
    /// Where the pattern of the inertia was that was checked last, and its lengths.
    pattern: Option<[usize; 11]>,
}

impl Work {
    /// Checks a problem; of the inertia's pattern only one that was not there at the last check.
    fn check(&mut self, p: &Problem<'_>) -> Result<(), SolveError> {
        let place = |x: &[u32]| [x.as_ptr() as usize, x.len()];
        let [[a, b], [c, d], [e, f]] = [place(p.pattern.rowadr), place(p.pattern.rownnz), place(p.pattern.colind)];
        let lengths = [p.m.len(), p.ld.len(), p.diaginv.len(), p.qacc_smooth.len(), p.nv()];
        let [g, h, i, j, k] = lengths;
        let pattern = [a, b, c, d, e, f, g, h, i, j, k];
        if self.pattern != Some(pattern) {
            self.pattern = None;
            p.check_inertia()?;
            self.pattern = Some(pattern);
        }
        p.rows.check(p.nv())
    }

    /// Memory of dual solvers.
    pub(crate) fn dual_mut(&mut self) -> &mut Dual {
        &mut self.dual
    }
}

/// MuJoCo's solvers, chosen by [`Settings::solver`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mujoco;

impl ContactSolver for Mujoco {
    fn start(&self, p: &Problem<'_>, opt: &Settings, warm: &[f64], work: &mut Work) -> StartCost {
        // PGS compares its own cost with that of no force; solve reports a problem that is not well formed
        if opt.solver == Solver::Pgs || p.rows.nefc == 0 || warm.len() != p.nv() || work.check(p).is_err() {
            return StartCost::default();
        }
        work.checked = Some(key(p));
        wide::primal_start(&mut work.primal, p, warm)
    }

    fn solve(
        &self,
        p: &Problem<'_>,
        opt: &Settings,
        start: Start,
        out: &mut Solution<'_>,
        work: &mut Work,
    ) -> Result<Solved, SolveError> {
        p.check_solution(out)?;
        if work.checked.take() != Some(key(p)) {
            work.check(p)?;
        }
        if p.rows.nefc == 0 {
            without_forces(p, out);
            return Ok(Solved { converged: true, ..Solved::default() });
        }
        let asked = opt;
        let each = work_of_iteration(p, asked, &mut work.newton)?;
        let most = usize::try_from(asked.work.saturating_sub(asked.work_done) / each).unwrap_or(usize::MAX).max(1);
        let opt = &asked.with_at_most(most);
        let mut solved = match opt.solver {
            Solver::Newton => wide::newton(&mut work.primal, &mut work.newton, (p, opt, start), out),
            Solver::Cg => wide::conjugate(&mut work.primal, &mut work.cg, (p, opt, start), out),
            Solver::Pgs => pgs::solve(p, opt, start, out, &mut work.dual, &mut work.primal.point.d),
        };
        if opt.solver == Solver::Newton {
            solved.nnz = work.newton.nnz(p);
        }
        solved.cut = asked.iterations > most && solved.niter >= most && !solved.converged;
        if opt.noslip_iterations > 0 {
            let before = solved.niter;
            noslip::solve(p, opt, out, &mut work.dual, &mut solved);
            solved.cut |= asked.noslip_iterations > most && solved.niter - before >= most;
        }
        solved.work = each.saturating_mul(solved.niter as u64 + 1);
        if !finite(out) {
            return Err(first_bad(p, out));
        }
        if opt.strict && !solved.converged {
            without_forces(p, out);
        }
        Ok(solved)
    }
}

/// Evaluations of one line search: halving a bracket of doubles takes fewer.
const LINE: usize = 2000;
/// What an iteration costs at least, in multiplications.
const OVERHEAD: u64 = 20_000;

impl Settings {
    /// With as many iterations as there is room for.
    fn with_at_most(&self, most: usize) -> Self {
        let (iterations, noslip_iterations) = (self.iterations.min(most), self.noslip_iterations.min(most));
        Self { iterations, noslip_iterations, ls_iterations: self.ls_iterations.min(LINE), ..*self }
    }
}

/// Multiplications of one iteration, as an estimate; an error when even one is too much.
fn work_of_iteration(p: &Problem<'_>, opt: &Settings, newton: &mut Newton) -> Result<u64, SolveError> {
    let mut each = (16 * p.rows.j.len() as u64 + 64 * p.rows.nefc as u64).max(OVERHEAD);
    if opt.solver == Solver::Newton {
        // for most it is enough to know what a full matrix takes
        let full = (p.nv() as u64).saturating_pow(3) / 6;
        let little = full.saturating_mul(opt.iterations.max(1) as u64) <= opt.work / 2;
        each = each.saturating_add(if little { full } else { newton.work(p) });
    }
    if each > opt.work {
        return Err(SolveError::TooLarge { nv: p.nv(), nefc: p.rows.nefc, work: each, limit: opt.work });
    }
    Ok(each)
}

/// MuJoCo's CG, whatever [`Settings::solver`] says, that gives no forces where it does not converge.
///
/// The result is the smooth acceleration then, and [`Solved::converged`] is false: for tests and experiments that must
/// not take an unfinished iterate for a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CgStrict;

impl CgStrict {
    fn settings(opt: &Settings) -> Settings {
        Settings { solver: Solver::Cg, strict: true, ..*opt }
    }
}

impl ContactSolver for CgStrict {
    fn start(&self, p: &Problem<'_>, opt: &Settings, warm: &[f64], work: &mut Work) -> StartCost {
        Mujoco.start(p, &Self::settings(opt), warm, work)
    }

    fn solve(
        &self,
        p: &Problem<'_>,
        opt: &Settings,
        start: Start,
        out: &mut Solution<'_>,
        work: &mut Work,
    ) -> Result<Solved, SolveError> {
        Mujoco.solve(p, &Self::settings(opt), start, out, work)
    }
}

/// Solves one problem that is the whole system: chooses the start, then solves.
///
/// `warm` is the acceleration to start from if that is better than `qacc_smooth`; `None` when warm starts are off.
pub fn solve<S: ContactSolver + ?Sized>(
    solver: &S,
    p: &Problem<'_>,
    opt: &Settings,
    warm: Option<&[f64]>,
    out: &mut Solution<'_>,
    work: &mut Work,
) -> Result<Solved, SolveError> {
    let mut start = Start::Smooth;
    if let Some(warm) = warm {
        p.check_solution(out)?;
        if warm.len() != p.nv() {
            return Err(SolveError::Shape { what: "the warm start has the wrong length" });
        }
        start = solver.start(p, opt, warm, work).choose();
        out.qacc.copy_from_slice(warm);
    }
    solver.solve(p, opt, start, out, work)
}

/// The result of a problem without forces.
pub(crate) fn without_forces(p: &Problem<'_>, out: &mut Solution<'_>) {
    out.qacc.copy_from_slice(p.qacc_smooth);
    out.qfrc_constraint.fill(0.0);
    out.force.fill(0.0);
    out.state.fill(0);
}

/// True when every number of the result is finite.
pub(crate) fn finite(out: &Solution<'_>) -> bool {
    all_finite(out.qacc) && all_finite(out.force)
}

/// True when no number is NaN or infinite: zero times such a number is NaN.
fn all_finite(x: &[f64]) -> bool {
    let (whole, rest) = x.as_chunks::<4>();
    let mut sum = [0.0; 4];
    for x in whole {
        for l in 0..4 {
            sum[l] += 0.0 * x[l];
        }
    }
    sum.iter().sum::<f64>() + rest.iter().map(|x| 0.0 * x).sum::<f64>() == 0.0
}

/// Names the first dof or row that made a result not finite.
pub(crate) fn first_bad(p: &Problem<'_>, out: &Solution<'_>) -> SolveError {
    for i in 0..p.nv() {
        let (adr, nnz) = (p.pattern.rowadr[i] as usize, p.pattern.rownnz[i] as usize);
        let own = [p.qfrc_smooth[i], p.qacc_smooth[i], p.diaginv[i]];
        let inertia = p.m.get(adr..adr + nnz).unwrap_or_default().iter();
        let factor = p.ld.get(adr..adr + nnz).unwrap_or_default().iter();
        if !own.iter().chain(inertia).chain(factor).all(|x| x.is_finite()) {
            return SolveError::BadDof { dof: i };
        }
    }
    let nscalar = p.rows.ne + p.rows.nf + p.rows.nl;
    for i in 0..p.rows.nbase() {
        let own = [p.rows.d[i], p.rows.r[i], p.rows.aref[i], p.rows.frictionloss[i]];
        if !own.iter().chain(p.rows.row(i).0).all(|x| x.is_finite()) {
            return SolveError::BadRow { row: row_of(p.rows.contacts, nscalar, i) };
        }
    }
    if let Some(row) = out.force.iter().position(|x| !x.is_finite()) {
        return SolveError::BadRow { row };
    }
    SolveError::BadDof { dof: out.qacc.iter().position(|x| !x.is_finite()).unwrap_or(0) }
}
