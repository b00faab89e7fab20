//! What Newton and CG share: the start, the descent along search directions, the tests of convergence.
//!
//! Tests come before the work for the next direction, which the last iteration does not need.
//!
//! MuJoCo: `engine_solver.c`, `mj_solPrimal`.

use crate::cost::{self, RowForces, Updated, axpy};
use crate::inertia::Inertia;
use crate::kernel::Four;
use crate::linesearch::{Line, LineResult, LineRows, LineTolerance};
use crate::packed::{Packed, pad};
use crate::problem::{Problem, Settings, Solution, Solved, SolverStat, Start, StartCost};
use crate::rows::spread;
use crate::wide;
use sim_types::MINVAL;

/// A way to choose search directions.
pub(crate) trait Descent {
    /// Sets `mgrad` and `search` at the start.
    fn first(&mut self, p: &Problem<'_>, s: &mut Point);

    /// Sets `mgrad` and `search` after a step that was not the last.
    fn next(&mut self, p: &Problem<'_>, s: &mut Point);

    /// Called before the gradient is replaced; may take it, and what it was preconditioned to.
    fn save(&mut self, _s: &mut Point) {}

    /// Reports updates of a factor.
    const UPDATES: bool = false;
}

/// A point of the descent, with all that depends on it.
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
    pub(crate) grad: Vec<f64>,
    pub(crate) mgrad: Vec<f64>,
    /// Direction of the step, padded to a multiple of four.
    pub(crate) search: Vec<Four>,
    pub(crate) cost: f64,
    gauss: f64,
    ma: Vec<f64>,
}

/// Memory of primal solvers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Primal {
    pub(crate) point: Point,
    jv: Vec<f64>,
    mv: Vec<f64>,
    x: Vec<Four>,
    x2: Vec<Four>,
    /// Force of the constraints on the dofs, padded.
    qfrc: Vec<Four>,
    line: Line,
    start: Prepared,
}

/// Residuals at both points a solve may start from.
#[derive(Clone, Debug, Default)]
struct Prepared {
    of: Option<Key>,
    warm: Vec<f64>,
    smooth: Vec<f64>,
    ma: Vec<f64>,
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

impl Primal {
    /// Costs at the warm start and at `qacc_smooth`; keeps the residuals for [`solve`](Self::solve).
    pub(crate) fn start(&mut self, p: &Problem<'_>, warm: &[f64]) -> StartCost {
        self.point.packed.build(&p.rows, p.nv());
        spread(&p.rows, &self.point.packed.runs, p.rows.d, &mut self.point.d);
        self.point.inertia.fit(p);
        self.residuals(p, warm);
        self.start.ma.resize(p.nv(), 0.0);
        self.point.inertia.mul(p, warm, &self.x, &mut self.start.ma);
        self.start.of = Some(key(p));
        let (d, runs) = (&self.point.d, &self.point.packed.runs);
        StartCost {
            warm: cost::total(&p.rows, runs, d, &self.start.warm) + gauss(p, &self.start.ma, warm),
            smooth: cost::total(&p.rows, runs, d, &self.start.smooth),
        }
    }

    /// Residuals at `warm` and at `qacc_smooth`.
    fn residuals(&mut self, p: &Problem<'_>, warm: &[f64]) {
        pad(warm, &mut self.x);
        pad(p.qacc_smooth, &mut self.x2);
        let Prepared { warm, smooth, .. } = &mut self.start;
        warm.resize(p.rows.nefc, 0.0);
        smooth.resize(p.rows.nefc, 0.0);
        wide::residual_two(&self.point.packed, &p.rows, [&self.x, &self.x2], [warm, smooth]);
    }

    /// Descends from `start` until converged.
    pub(crate) fn solve<D: Descent>(
        &mut self,
        p: &Problem<'_>,
        opt: &Settings,
        start: Start,
        descent: &mut D,
        out: &mut Solution<'_>,
    ) -> Solved {
        self.begin(p, start, out);
        self.update(p, out, None);
        self.gradient(p, out);
        descent.first(p, &mut self.point);

        let mut solved = Solved::default();
        while solved.niter < opt.iterations {
            let (line, scale) = self.search(p, opt);
            if line.alpha == 0.0 {
                solved.converged = true;
                break;
            }
            if !line.alpha.is_finite() {
                break;
            }
            descent.save(&mut self.point);
            let old_cost = self.point.cost;
            self.update(p, out, Some(line.alpha));
            self.gradient(p, out);

            // statistics, then the tests
            let s = &self.point;
            let stat = SolverStat {
                improvement: p.scale * (old_cost - s.cost),
                gradient: p.scale * norm(&s.grad),
                lineslope: line.slope.map_or(1.0, |slope| slope * scale),
                nactive: s.rows.nactive as i32,
                nchange: s.rows.nchange as i32,
                neval: line.neval as i32,
                nupdate: if D::UPDATES { s.rows.nupdate as i32 } else { 0 },
            };
            if let Some(entry) = out.stat.get_mut(solved.niter) {
                *entry = stat;
            }
            solved.niter += 1;
            if stat.improvement < opt.tolerance || stat.gradient < opt.tolerance {
                solved.converged = true;
                break;
            }
            descent.next(p, &mut self.point);
        }
        self.finish(out);
        solved
    }

    /// Sets acceleration, `M·a` and residual at the start.
    fn begin(&mut self, p: &Problem<'_>, start: Start, out: &mut Solution<'_>) {
        let (n, nv) = (p.rows.nefc, p.nv());
        let s = &mut self.point;
        let prepared = self.start.of.take() == Some(key(p));
        if !prepared {
            s.packed.build(&p.rows, p.nv());
            spread(&p.rows, &s.packed.runs, p.rows.d, &mut s.d);
            s.inertia.fit(p);
        }
        if start == Start::Smooth {
            out.qacc.copy_from_slice(p.qacc_smooth);
        }
        match (prepared, start) {
            (true, Start::Warm) => {
                std::mem::swap(&mut s.jar, &mut self.start.warm);
                std::mem::swap(&mut s.ma, &mut self.start.ma);
            }
            (true, Start::Smooth) => std::mem::swap(&mut s.jar, &mut self.start.smooth),
            (false, _) => {
                self.residuals(p, out.qacc);
                std::mem::swap(&mut self.point.jar, &mut self.start.warm);
            }
        }
        let s = &mut self.point;
        s.ma.resize(nv, 0.0);
        if !prepared || start == Start::Smooth {
            pad(out.qacc, &mut self.x);
            s.inertia.mul(p, out.qacc, &self.x, &mut s.ma);
        }
        s.state.resize(n, 0);
        s.old.resize(n, 0);
        for x in [&mut s.grad, &mut s.mgrad, &mut self.mv] {
            x.resize(nv, 0.0);
        }
        s.search.clear();
        s.search.resize(nv.div_ceil(4), [0.0; 4]);
        self.qfrc.resize(nv.div_ceil(4), [0.0; 4]);
        self.jv.resize(n, 0.0);
    }

    /// Moves along the search direction by a step, if there is one; states, forces and cost there.
    fn update(&mut self, p: &Problem<'_>, out: &mut Solution<'_>, step: Option<f64>) {
        let s = &mut self.point;
        if let Some(alpha) = step {
            axpy(out.qacc, alpha, s.search.as_flattened());
            axpy(&mut s.ma, alpha, &self.mv);
        }
        std::mem::swap(&mut s.old, &mut s.state);
        let step = step.map(|alpha| (alpha, self.jv.as_slice()));
        let rows = RowForces { force: out.force, state: &mut s.state, old: &s.old };
        s.rows = cost::update(&p.rows, &s.packed.runs, &s.d, &mut s.jar, step, rows);
        s.gauss = gauss(p, &s.ma, out.qacc);
        s.cost = s.rows.cost + s.gauss;
    }

    /// Force on the dofs, and the gradient.
    fn gradient(&mut self, p: &Problem<'_>, out: &Solution<'_>) {
        let s = &mut self.point;
        wide::mul_t(&s.packed, &p.rows, out.force, &mut self.qfrc);
        for (((g, ma), smooth), f) in s.grad.iter_mut().zip(&s.ma).zip(p.qfrc_smooth).zip(self.qfrc.as_flattened()) {
            *g = ma - smooth - f;
        }
    }

    /// Searches along `search`; the second number scales slopes.
    fn search(&mut self, p: &Problem<'_>, opt: &Settings) -> (LineResult, f64) {
        let s = &self.point;
        let search = &s.search.as_flattened()[..p.nv()];
        let length = norm(search);
        if length < MINVAL {
            return (LineResult::default(), 0.0);
        }
        s.inertia.mul(p, search, &s.search, &mut self.mv);
        wide::mul(&s.packed, &p.rows, [&s.search], [&mut self.jv]);
        let [inertia, force, curvature] = wide::three_dots(search, [&s.ma, p.qfrc_smooth, &self.mv]);
        let gauss = [s.gauss, inertia - force, 0.5 * curvature];
        let rows = LineRows { rows: &p.rows, runs: &s.packed.runs, d: &s.d, jar: &s.jar, jv: &self.jv };
        self.line.prepare(rows, gauss);
        let gtol = opt.tolerance * opt.ls_tolerance * length / p.scale;
        (self.line.search(rows, LineTolerance { gtol, iterations: opt.ls_iterations }), p.scale / length)
    }

    /// Hands out states, and forces on the dofs.
    fn finish(&self, out: &mut Solution<'_>) {
        let nv = out.qfrc_constraint.len();
        out.qfrc_constraint.copy_from_slice(&self.qfrc.as_flattened()[..nv]);
        for (out, s) in out.state.iter_mut().zip(&self.point.state) {
            *out = i32::from(*s);
        }
    }
}

/// `½(a − a₀)ᵀM(a − a₀)`, given `M·a`.
fn gauss(p: &Problem<'_>, ma: &[f64], a: &[f64]) -> f64 {
    0.5 * wide::product_of_differences([&ma[..p.nv()], p.qfrc_smooth], [a, p.qacc_smooth])
}

/// Length of a vector.
fn norm(x: &[f64]) -> f64 {
    wide::dot(x, [x])[0].sqrt()
}
