//! What Newton and CG share: the start, the descent along search directions, the tests of convergence.
//!
//! Tests come before the work for the next direction, which the last iteration does not need.
//!
//! MuJoCo: `engine_solver.c`, `mj_solPrimal`.

use crate::cost::{self, RowForces, Updated};
use crate::inertia::Inertia;
use crate::kernel::Four;
use crate::lane::Simd;
use crate::linesearch::{Line, LineResult, LineRows, LineTolerance};
use crate::packed::{Packed, pad};
use crate::problem::{Problem, Settings, Solution, Solved, SolverStat, Start, StartCost};
use crate::rows::spread;
use crate::{vector, wide};
use sim_types::MINVAL;

/// A way to choose search directions.
pub(crate) trait Descent {
    /// Sets `search` at the start.
    fn first<T: Simd>(&mut self, t: T, p: &Problem<'_>, s: &mut Point);

    /// Sets `search` after a step that was not the last.
    fn next<T: Simd>(&mut self, t: T, p: &Problem<'_>, s: &mut Point);

    /// Called before the gradient is replaced; may take it, and what it was preconditioned to.
    fn save(&mut self, _s: &mut Point) {}

    /// Reports updates of a factor.
    const UPDATES: bool = false;
}

/// A point of the descent, with all that depends on it. Vectors over dofs are padded with zeros to a multiple of four.
#[derive(Clone, Debug, Default)]
pub(crate) struct Point {
    pub(crate) packed: Packed,
    pub(crate) inertia: Inertia,
    /// `D` per row.
    pub(crate) d: Vec<f64>,
    /// `J·a − aref` per row.
    pub(crate) jar: Vec<f64>,
    pub(crate) state: Vec<u8>,
    /// States before the last step.
    pub(crate) old: Vec<u8>,
    /// Counts of the last step.
    pub(crate) rows: Updated,
    pub(crate) grad: Vec<Four>,
    pub(crate) mgrad: Vec<Four>,
    /// Direction of the step.
    pub(crate) search: Vec<Four>,
    pub(crate) cost: f64,
    gauss: f64,
    /// Acceleration, and its product with the inertia.
    a: Vec<Four>,
    ma: Vec<Four>,
}

/// Memory of primal solvers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Primal {
    pub(crate) point: Point,
    jv: Vec<f64>,
    mv: Vec<Four>,
    /// Force of the constraints on the dofs.
    qfrc: Vec<Four>,
    smooth: Smooth,
    line: Line,
    start: Prepared,
}

/// What there is without constraints, padded.
#[derive(Clone, Debug, Default)]
struct Smooth {
    force: Vec<Four>,
    acceleration: Vec<Four>,
}

/// Residuals at both points a solve may start from.
#[derive(Clone, Debug, Default)]
struct Prepared {
    of: Option<Key>,
    warm: Vec<f64>,
    smooth: Vec<f64>,
}

/// Tells one problem from another: where its arrays are, and a few of its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    arrays: [usize; 4],
    numbers: [u64; 4],
}

pub(crate) fn key(p: &Problem<'_>) -> Key {
    let bits = |x: Option<&f64>| x.map_or(0, |x| x.to_bits());
    Key {
        arrays: [p.rows.j.as_ptr() as usize, p.qfrc_smooth.as_ptr() as usize, p.rows.nefc, p.nv()],
        numbers: [
            bits(p.rows.aref.first()),
            bits(p.rows.aref.last()),
            bits(p.qacc_smooth.last()),
            bits(p.rows.j.last()),
        ],
    }
}

/// Costs at the warm start and at `qacc_smooth`; keeps the residuals for [`solve`], which begins at the warm start.
#[inline(always)]
pub(crate) fn start<T: Simd>(t: T, w: &mut Primal, p: &Problem<'_>, warm: &[f64]) -> StartCost {
    let (s, nc) = (&mut w.point, p.nv().div_ceil(4));
    s.packed.build(t, &p.rows, p.nv());
    spread(&p.rows, &s.packed.runs, p.rows.d, &mut s.d);
    s.inertia.fit(p);
    pad(t, warm, &mut s.a);
    pad(t, p.qacc_smooth, &mut w.smooth.acceleration);
    pad(t, p.qfrc_smooth, &mut w.smooth.force);
    for x in [&mut s.ma, &mut s.grad, &mut s.mgrad, &mut s.search, &mut w.mv, &mut w.qfrc] {
        x.resize(nc, [0.0; 4]);
        // places beyond the last dof
        if let Some(last) = x.last_mut() {
            *last = [0.0; 4];
        }
    }
    let Prepared { of, warm, smooth } = &mut w.start;
    warm.resize(p.rows.nefc, 0.0);
    smooth.resize(p.rows.nefc, 0.0);
    s.packed.mul::<T, 2, true>(t, &p.rows, [&s.a, &w.smooth.acceleration], [warm, smooth]);
    s.inertia.mul(t, p, &s.a, &mut s.ma);
    *of = Some(key(p));
    s.gauss = gauss(t, s, &w.smooth);
    StartCost {
        warm: cost::total(t, &p.rows, &s.packed.runs, &s.d, warm) + s.gauss,
        smooth: cost::total(t, &p.rows, &s.packed.runs, &s.d, smooth),
    }
}

/// Descends from `start` until converged.
#[inline(always)]
pub(crate) fn solve<T: Simd, D: Descent>(
    t: T,
    w: &mut Primal,
    descent: &mut D,
    (p, opt, start): Task<'_>,
    out: &mut Solution<'_>,
) -> Solved {
    w.begin(t, p, start, out);
    let (mut solved, mut step) = (Solved::default(), None);
    loop {
        let old_cost = w.point.cost;
        w.update(t, p, out, step);
        w.gradient(t, p, out);
        match step {
            None => descent.first(t, p, &mut w.point),
            Some((line, scale)) => {
                let stat = w.stat::<T, D>(t, p.scale, old_cost, (line, scale));
                if let Some(entry) = out.stat.get_mut(solved.niter) {
                    *entry = stat;
                }
                solved.niter += 1;
                if stat.improvement < opt.tolerance || stat.gradient < opt.tolerance {
                    solved.converged = true;
                    break;
                }
                if solved.niter < opt.iterations {
                    descent.next(t, p, &mut w.point);
                }
            }
        }
        if solved.niter >= opt.iterations {
            break;
        }
        let (line, scale) = w.search(t, p, opt);
        if line.alpha == 0.0 {
            solved.converged = true;
            break;
        }
        if !line.alpha.is_finite() {
            break;
        }
        descent.save(&mut w.point);
        step = Some((line, scale));
    }
    w.finish(out);
    solved
}

/// A problem, how to solve it, and where to start.
pub(crate) type Task<'a> = (&'a Problem<'a>, &'a Settings, Start);

/// A step along the search direction, and what scales its slope.
type Step = (LineResult, f64);

impl Primal {
    /// Sets acceleration, `M·a` and residual at the start.
    #[inline(always)]
    fn begin<T: Simd>(&mut self, t: T, p: &Problem<'_>, start: Start, out: &mut Solution<'_>) {
        let n = p.rows.nefc;
        if self.start.of.take() != Some(key(p)) {
            wide::primal_start(self, p, out.qacc);
            self.start.of = None;
        }
        let s = &mut self.point;
        if start == Start::Warm {
            std::mem::swap(&mut s.jar, &mut self.start.warm);
        } else {
            std::mem::swap(&mut s.jar, &mut self.start.smooth);
            s.a.copy_from_slice(&self.smooth.acceleration);
            s.inertia.mul(t, p, &s.a, &mut s.ma);
            s.gauss = gauss(t, s, &self.smooth);
        }
        s.state.resize(n, 0);
        s.old.resize(n, 0);
        self.jv.resize(n, 0.0);
    }

    /// Moves along the search direction by a step, if there is one; states, forces and cost there.
    #[inline(always)]
    fn update<T: Simd>(&mut self, t: T, p: &Problem<'_>, out: &mut Solution<'_>, step: Option<Step>) {
        let s = &mut self.point;
        if let Some((line, _)) = step {
            vector::axpy(t, &mut s.a, line.alpha, &s.search);
            vector::axpy(t, &mut s.ma, line.alpha, &self.mv);
            s.gauss = gauss(t, s, &self.smooth);
        }
        std::mem::swap(&mut s.old, &mut s.state);
        let step = step.map(|(line, _)| (line.alpha, self.jv.as_slice()));
        let rows = RowForces { force: out.force, state: &mut s.state, old: &s.old };
        s.rows = cost::update(t, &p.rows, &s.packed.runs, &s.d, &mut s.jar, step, rows);
        s.cost = s.rows.cost + s.gauss;
    }

    /// Force on the dofs, and the gradient.
    #[inline(always)]
    fn gradient<T: Simd>(&mut self, t: T, p: &Problem<'_>, out: &Solution<'_>) {
        let s = &mut self.point;
        s.packed.mul_t(t, &p.rows, out.force, &mut self.qfrc);
        let nc = s.grad.len();
        let (ma, smooth, qfrc) = (&s.ma[..nc], &self.smooth.force[..nc], &self.qfrc[..nc]);
        for c in 0..nc {
            let g = t.sub(t.sub(t.load(&ma[c]), t.load(&smooth[c])), t.load(&qfrc[c]));
            t.store(g, &mut s.grad[c]);
        }
    }

    /// Numbers of the iteration that ended here.
    #[inline(always)]
    fn stat<T: Simd, D: Descent>(&self, t: T, scale: f64, old_cost: f64, (line, slope): Step) -> SolverStat {
        let s = &self.point;
        SolverStat {
            improvement: scale * (old_cost - s.cost),
            gradient: scale * vector::norm(t, &s.grad),
            lineslope: line.slope.map_or(1.0, |left| left * slope),
            nactive: s.rows.nactive as i32,
            nchange: s.rows.nchange as i32,
            neval: line.neval as i32,
            nupdate: if D::UPDATES { s.rows.nupdate as i32 } else { 0 },
        }
    }

    /// Searches along `search`; the second number scales slopes.
    #[inline(always)]
    fn search<T: Simd>(&mut self, t: T, p: &Problem<'_>, opt: &Settings) -> Step {
        let s = &self.point;
        let length = vector::norm(t, &s.search);
        if length < MINVAL {
            return (LineResult::default(), 0.0);
        }
        s.inertia.mul(t, p, &s.search, &mut self.mv);
        s.packed.mul::<T, 1, false>(t, &p.rows, [&s.search], [&mut self.jv]);
        let [inertia, force, curvature] = vector::dots(t, &s.search, [&s.ma, &self.smooth.force, &self.mv]);
        let gauss = [s.gauss, inertia - force, 0.5 * curvature];
        let rows = LineRows { rows: &p.rows, runs: &s.packed.runs, d: &s.d, jar: &s.jar, jv: &self.jv };
        self.line.prepare(rows, gauss);
        let gtol = opt.tolerance * opt.ls_tolerance * length / p.scale;
        (self.line.search(rows, LineTolerance { gtol, iterations: opt.ls_iterations }), p.scale / length)
    }

    /// Hands out acceleration, states, and forces on the dofs.
    #[inline(always)]
    fn finish(&self, out: &mut Solution<'_>) {
        let nv = out.qfrc_constraint.len();
        out.qacc.copy_from_slice(&self.point.a.as_flattened()[..nv]);
        out.qfrc_constraint.copy_from_slice(&self.qfrc.as_flattened()[..nv]);
        for (out, s) in out.state.iter_mut().zip(&self.point.state) {
            *out = i32::from(*s);
        }
    }
}

/// `½(a − a₀)ᵀM(a − a₀)`.
#[inline(always)]
fn gauss<T: Simd>(t: T, s: &Point, smooth: &Smooth) -> f64 {
    0.5 * vector::product_of_differences(t, [&s.ma, &smooth.force], [&s.a, &smooth.acceleration])
}
