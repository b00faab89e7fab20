//! Extended position-based dynamics: rows are satisfied one after the other, a fixed number of times.
//!
//! An extension; MuJoCo has nothing like it. Each row has the compliance `R` and the reference acceleration it has for
//! the other solvers, so one sweep applies `Δλ = −(C + R·λ)/(J·M⁻¹·Jᵀ + R)` with `C = J·a − aref`. Friction obeys
//! Coulomb's law with the normal force of the moment: it is cut back to the cone, and does not push bodies apart as
//! the convex cones do. There is no test of convergence, so the cost of a solve is known beforehand.

use crate::dual::Dual;
use crate::lane::Plain;
use crate::pgs::clamp;
use crate::problem::{ContactRows, Problem, Settings, Solution, SolveError, Solved, Start, StartCost};
use crate::solver::{ContactSolver, Work, finite, first_bad, without_forces};

/// Solves by sweeps over the rows; ignores [`Settings`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XpbdSolver {
    /// Number of sweeps.
    pub iterations: usize,
}

impl Default for XpbdSolver {
    fn default() -> Self {
        Self { iterations: 50 }
    }
}

impl ContactSolver for XpbdSolver {
    fn start(&self, _p: &Problem<'_>, _opt: &Settings, _warm: &[f64], _work: &mut Work) -> StartCost {
        StartCost::default()
    }

    fn solve(
        &self,
        p: &Problem<'_>,
        _opt: &Settings,
        _start: Start,
        out: &mut Solution<'_>,
        work: &mut Work,
    ) -> Result<Solved, SolveError> {
        p.check_solution(out)?;
        p.check()?;
        if p.rows.nefc == 0 {
            without_forces(p, out);
            return Ok(Solved { converged: true, ..Solved::default() });
        }
        let w = work.dual_mut();
        w.build(p, false);
        w.force.fill(0.0);
        w.sync(&p.rows);
        for _ in 0..self.iterations {
            for k in 0..w.blocks.len() {
                match w.blocks[k].contact.map(|c| &p.rows.contacts[c]) {
                    Some(c) if c.dim > 1 => contact(w, k, c),
                    _ => scalar(p, w, k),
                }
            }
        }
        w.classify(&p.rows);
        w.finish(p, out);
        if finite(out) {
            Ok(Solved { niter: self.iterations, converged: true, ..Solved::default() })
        } else {
            Err(first_bad(p, out))
        }
    }
}

/// A row without cone.
fn scalar(p: &Problem<'_>, w: &mut Dual, k: usize) {
    let (i, rows) = (w.blocks[k].row, &p.rows);
    let old = w.force[i];
    let mut f = old - (w.b[i] + w.product(Plain, k)[0] + w.r[i] * old) / (w.gram(k)[0] + w.r[i]);
    if i >= rows.ne + rows.nf {
        f = f.max(0.0);
    } else if i >= rows.ne {
        f = clamp(f, rows.frictionloss[i]);
    }
    w.force[i] = f;
    w.add(Plain, k, &[f - old, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

/// Normal, then friction within the cone of the normal force.
fn contact(w: &mut Dual, k: usize, c: &ContactRows) {
    let (i, dim) = (w.blocks[k].row, w.blocks[k].dim);
    let (mut old, mut b, mut r) = ([0.0; 6], [0.0; 6], [0.0; 6]);
    if c.is_pyramid() {
        // what the edges add up to: forces, linear terms and compliances in base rows
        b[0] = 0.5 * (w.b[i] + w.b[i + 1]);
        r[0] = w.r[i] / (2 * (dim - 1)) as f64;
        for t in 1..dim {
            let (plus, minus, mu) = (i + 2 * t - 2, i + 2 * t - 1, c.friction[t - 1]);
            old[0] += w.force[plus] + w.force[minus];
            old[t] = mu * (w.force[plus] - w.force[minus]);
            b[t] = (w.b[plus] - w.b[minus]) / (2.0 * mu);
            r[t] = w.r[i] / (2.0 * mu * mu);
        }
    } else {
        old[..dim].copy_from_slice(&w.force[i..i + dim]);
        b[..dim].copy_from_slice(&w.b[i..i + dim]);
        r[..dim].copy_from_slice(&w.r[i..i + dim]);
    }

    let (mut y, mut f) = (w.product(Plain, k), old);
    let g = w.gram(k);
    for t in 0..dim {
        f[t] -= (b[t] + y[t] + r[t] * f[t]) / (g[t * dim + t] + r[t]);
        if t == 0 {
            f[0] = f[0].max(0.0);
        }
        for (j, y) in y.iter_mut().enumerate().take(dim) {
            *y += g[j * dim + t] * (f[t] - old[t]);
        }
    }
    cut(c, &mut f[..dim]);

    let mut delta = [0.0; 6];
    for t in 0..dim {
        delta[t] = f[t] - old[t];
    }
    if c.is_pyramid() {
        edges(c, &f[..dim], &mut w.force[i..]);
    } else {
        w.force[i..i + dim].copy_from_slice(&f[..dim]);
    }
    w.add(Plain, k, &delta);
}

/// Shortens friction to the cone: its ellipse, or the diamond of a pyramid.
fn cut(c: &ContactRows, f: &mut [f64]) {
    let ratios = f[1..].iter().zip(&c.friction).map(|(f, mu)| (f / mu).abs());
    let size = if c.is_pyramid() { ratios.sum::<f64>() } else { ratios.map(|x| x * x).sum::<f64>().sqrt() };
    if size > f[0] {
        let scale = f[0] / size;
        for f in &mut f[1..] {
            *f *= scale;
        }
    }
}

/// Splits a force among the edges of its pyramid: what friction needs, and the rest evenly.
fn edges(c: &ContactRows, f: &[f64], out: &mut [f64]) {
    let need: f64 = f[1..].iter().zip(&c.friction).map(|(f, mu)| (f / mu).abs()).sum();
    let rest = (f[0] - need).max(0.0) / (2 * (f.len() - 1)) as f64;
    for ((edge, f), mu) in out.chunks_exact_mut(2).zip(&f[1..]).zip(&c.friction) {
        edge[0] = (f / mu).max(0.0) + rest;
        edge[1] = (-f / mu).max(0.0) + rest;
    }
}
