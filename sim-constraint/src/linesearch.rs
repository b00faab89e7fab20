//! Exact search along a line: Newton steps on the derivative until it is bracketed, then a shrinking bracket.
//!
//! Along a line every row is a quadratic polynomial between its breakpoints, and an elliptic cone has a closed form.
//! Polynomials of rows without breakpoints are added once.
//!
//! MuJoCo: `engine_solver.c`, `PrimalSearch`.

use crate::cost::cone_weight;
use crate::lane::Simd;
use crate::problem::{ContactRows, Rows};
use crate::rows::Runs;
use crate::{passes, wide};
use sim_types::MINVAL;

/// The cost along one line, ready to be evaluated.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    /// Gauss cost and equality rows.
    fixed: [f64; 3],
    friction: Vec<FrictionRow>,
    /// One-sided rows among elliptic contacts: weight, residual, its slope.
    single: [Vec<f64>; 3],
    cones: Vec<Cone>,
    neval: usize,
}

/// Residuals and weights of the rows of a line.
#[derive(Clone, Copy)]
pub(crate) struct LineRows<'a> {
    pub(crate) rows: &'a Rows<'a>,
    pub(crate) runs: &'a Runs,
    pub(crate) d: &'a [f64],
    /// Residual at the start.
    pub(crate) jar: &'a [f64],
    /// Slope of the residual.
    pub(crate) jv: &'a [f64],
}

/// When to stop.
#[derive(Clone, Copy)]
pub(crate) struct LineTolerance {
    /// Derivative that counts as zero.
    pub(crate) gtol: f64,
    /// Limit on evaluations.
    pub(crate) iterations: usize,
}

/// Where a search ended.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineResult {
    /// Step; 0 when no step improves.
    pub(crate) alpha: f64,
    /// Derivative left, when one was computed.
    pub(crate) slope: Option<f64>,
    pub(crate) neval: usize,
}

#[derive(Clone, Copy, Debug)]
struct FrictionRow {
    start: f64,
    dir: f64,
    loss: f64,
    bound: f64,
    q: [f64; 3],
}

/// An elliptic contact along the line: normal `u0 + α·v0`, squared tangent `uu + 2α·uv + α²·vv`.
#[derive(Clone, Copy, Debug)]
struct Cone {
    u0: f64,
    v0: f64,
    uu: f64,
    uv: f64,
    vv: f64,
    weight: f64,
    mu: f64,
    q: [f64; 3],
}

/// The cost along a line at one place, with its derivatives.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Point {
    alpha: f64,
    cost: f64,
    d1: f64,
    d2: f64,
}

impl Point {
    /// The minimum of the parabola at this point.
    fn newton(self) -> f64 {
        self.alpha - self.d1 / self.d2
    }
}

impl Line {
    /// Searches from α = 0.
    pub(crate) fn search(&mut self, l: LineRows<'_>, tol: LineTolerance) -> LineResult {
        self.neval = 0;
        let p0 = self.eval(l, 0.0);
        let mut p1 = self.eval(l, p0.newton());
        if p1.d1.abs() < tol.gtol {
            return self.found(p1);
        }

        // Newton steps until the derivative changes sign
        let dir = if p1.d1 < 0.0 { 1.0 } else { -1.0 };
        let mut p2 = p0;
        while p1.d1 * dir <= -tol.gtol && self.neval < tol.iterations {
            p2 = p1;
            p1 = self.eval(l, p1.newton());
            if p1.d1.abs() < tol.gtol {
                return self.found(p1);
            }
        }
        if self.neval >= tol.iterations {
            return self.found(p1);
        }
        self.bracket(l, [p0, p1, p2], tol)
    }

    /// Shrinks the bracket between `p1` and `p2`.
    fn bracket(&mut self, l: LineRows<'_>, [p0, mut p1, mut p2]: [Point; 3], tol: LineTolerance) -> LineResult {
        let mut p2next = p1;
        let mut p1next = self.eval(l, p1.newton());
        while self.neval < tol.iterations {
            let mid = self.eval(l, 0.5 * (p1.alpha + p2.alpha));
            let candidates = [p1next, p2next, mid];

            // the cheapest candidate that is flat enough
            let mut best: Option<Point> = None;
            for c in candidates {
                if c.d1.abs() < tol.gtol && best.is_none_or(|b| c.cost < b.cost) {
                    best = Some(c);
                }
            }
            if let Some(best) = best {
                return self.found(best);
            }

            let moved1 = self.tighten(l, &mut p1, &candidates, &mut p1next);
            let moved2 = self.tighten(l, &mut p2, &candidates, &mut p2next);
            if !moved1 && !moved2 {
                return self.found(mid);
            }
        }

        // out of evaluations: the better end, if it improves at all
        if p1.cost <= p2.cost && p1.cost < p0.cost {
            self.found(p1)
        } else if p2.cost <= p1.cost && p2.cost < p0.cost {
            self.found(p2)
        } else {
            LineResult { alpha: 0.0, slope: None, neval: self.neval }
        }
    }

    /// Moves one end of the bracket to the candidate with the smallest derivative of the same sign.
    fn tighten(&mut self, l: LineRows<'_>, p: &mut Point, candidates: &[Point; 3], next: &mut Point) -> bool {
        let mut moved = false;
        for c in candidates {
            let closer = (p.d1 < 0.0 && c.d1 < 0.0 && p.d1 < c.d1) || (p.d1 > 0.0 && c.d1 > 0.0 && p.d1 > c.d1);
            if closer {
                *p = *c;
                moved = true;
            }
        }
        if moved {
            *next = self.eval(l, p.newton());
        }
        moved
    }

    fn found(&self, p: Point) -> LineResult {
        LineResult { alpha: p.alpha, slope: Some(p.d1.abs()), neval: self.neval }
    }

    /// Cost and derivatives at `alpha`.
    fn eval(&mut self, l: LineRows<'_>, alpha: f64) -> Point {
        self.neval += 1;
        wide::eval_line(self, l, alpha)
    }

    /// Computes the polynomials; `gauss` is that of the Gauss cost.
    pub(crate) fn prepare(&mut self, l: LineRows<'_>, gauss: [f64; 3]) {
        let rows = l.rows;
        self.fixed = gauss;
        self.friction.clear();
        self.single.iter_mut().for_each(Vec::clear);
        self.cones.clear();

        for i in 0..rows.ne {
            let q = quadratic(l.d[i], l.jar[i], l.jv[i]);
            for k in 0..3 {
                self.fixed[k] += q[k];
            }
        }
        for i in rows.ne..rows.ne + rows.nf {
            let loss = rows.frictionloss[i];
            let q = quadratic(l.d[i], l.jar[i], l.jv[i]);
            self.friction.push(FrictionRow { start: l.jar[i], dir: l.jv[i], loss, bound: rows.r[i] * loss, q });
        }
        if l.runs.one_sided < rows.nefc {
            for con in rows.contacts {
                if con.is_elliptic() {
                    self.cones.push(Cone::new(con, l));
                    continue;
                }
                for (out, from) in self.single.iter_mut().zip([l.d, l.jar, l.jv]) {
                    out.extend_from_slice(&from[con.row as usize..con.row as usize + con.nrow()]);
                }
            }
        }
    }
}

/// Cost and derivatives at `alpha`.
#[inline(always)]
pub(crate) fn eval<T: Simd>(t: T, line: &Line, l: LineRows<'_>, alpha: f64) -> Point {
    let rows = l.rows.ne + l.rows.nf..l.runs.one_sided;
    let mut q = passes::line(t, &l.d[rows.clone()], &l.jar[rows.clone()], &l.jv[rows], alpha);
    for k in 0..3 {
        q[k] += line.fixed[k];
    }
    if let [d, jar, jv] = &line.single
        && !d.is_empty()
    {
        let single = passes::line(t, d, jar, jv, alpha);
        for k in 0..3 {
            q[k] += single[k];
        }
    }
    for row in &line.friction {
        row.add(alpha, &mut q);
    }
    let mut p = Point { alpha, ..Point::default() };
    for cone in &line.cones {
        cone.add(alpha, &mut q, &mut p);
    }
    p.cost += alpha * alpha * q[2] + alpha * q[1] + q[0];
    p.d1 += 2.0 * alpha * q[2] + q[1];
    p.d2 += 2.0 * q[2];

    // convex by construction, but for rounding
    if p.d2 <= 0.0 {
        p.d2 = MINVAL;
    }
    p
}

/// `½D(jar + α·jv)²` as coefficients of 1, α, α².
#[inline]
fn quadratic(d: f64, jar: f64, jv: f64) -> [f64; 3] {
    let dj = d * jar;
    [0.5 * (jar * dj), jv * dj, 0.5 * (jv * d * jv)]
}

impl FrictionRow {
    #[inline]
    fn add(&self, alpha: f64, q: &mut [f64; 3]) {
        let x = self.start + alpha * self.dir;
        if -self.bound < x && x < self.bound {
            for k in 0..3 {
                q[k] += self.q[k];
            }
        } else if x <= -self.bound {
            q[0] += self.loss * (-0.5 * self.bound - self.start);
            q[1] += -self.loss * self.dir;
        } else {
            q[0] += self.loss * (-0.5 * self.bound + self.start);
            q[1] += self.loss * self.dir;
        }
    }
}

impl Cone {
    fn new(con: &ContactRows, l: LineRows<'_>) -> Self {
        let (i, dim) = (con.row as usize, con.dim as usize);
        let (d, jar, jv) = (&l.d[i..i + dim], &l.jar[i..i + dim], &l.jv[i..i + dim]);
        let mut cone = Cone {
            u0: jar[0] * con.mu,
            v0: jv[0] * con.mu,
            uu: 0.0,
            uv: 0.0,
            vv: 0.0,
            weight: cone_weight(d[0], con.mu),
            mu: con.mu,
            q: quadratic(d[0], jar[0], jv[0]),
        };
        for k in 1..dim {
            let q = quadratic(d[k], jar[k], jv[k]);
            for n in 0..3 {
                cone.q[n] += q[n];
            }
            let (u, v) = (jar[k] * con.friction[k - 1], jv[k] * con.friction[k - 1]);
            cone.uu += u * u;
            cone.uv += u * v;
            cone.vv += v * v;
        }
        cone
    }

    #[inline]
    fn add(&self, alpha: f64, q: &mut [f64; 3], p: &mut Point) {
        let n = self.u0 + alpha * self.v0;
        let tt = self.uu + alpha * (2.0 * self.uv + alpha * self.vv);
        let t = if tt > 0.0 { tt.sqrt() } else { 0.0 };

        // inside the cone: no cost; inside its polar: quadratic
        let (top, bottom) = if t > 0.0 { (n >= self.mu * t, self.mu * n + t <= 0.0) } else { (n >= 0.0, n < 0.0) };
        if top {
            return;
        }
        if bottom {
            for k in 0..3 {
                q[k] += self.q[k];
            }
            return;
        }

        // between: square of the distance to the cone
        let slope = self.uv + alpha * self.vv;
        let t1 = slope / t;
        let t2 = self.vv / t - slope * t1 / (t * t);
        let e = n - self.mu * t;
        let e1 = self.v0 - self.mu * t1;
        p.cost += 0.5 * self.weight * e * e;
        p.d1 += self.weight * e * e1;
        p.d2 += self.weight * (e1 * e1 - e * self.mu * t2);
    }
}
