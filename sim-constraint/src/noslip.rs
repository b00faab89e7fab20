//! Noslip: friction forces again, as if they needed no regularisation; normal forces stay as they are.
//!
//! MuJoCo: `engine_solver.c`, `mj_solNoSlip`.

use crate::dual::{Dual, accept};
use crate::lane::Simd;
use crate::pgs::clamp;
use crate::problem::{ContactRows, Problem, Rows, Settings, Solution, Solved, SolverStat};
use crate::qcqp;
use crate::wide;
use sim_types::MINVAL;

/// Smallest diagonal of a block without regularisation.
const FLOOR: f64 = 1e-10;

/// Improves `out.force`; iterations and statistics follow those of the main solver.
pub(crate) fn solve(p: &Problem<'_>, opt: &Settings, out: &mut Solution<'_>, w: &mut Dual, solved: &mut Solved) {
    w.build(p, false);
    w.force.copy_from_slice(out.force);
    w.sync(&p.rows);
    w.classify(&p.rows);
    let rows = &p.rows;
    for iter in 0..opt.noslip_iterations {
        let mut improvement = 0.0;

        // the cost of regularisation disappears
        if iter == 0 {
            for (f, r) in w.force.iter().zip(&w.r) {
                improvement += 0.5 * f * f * r;
            }
        }
        improvement += wide::noslip_sweep(rows, w);
        let (nactive, nchange) = w.classify(rows);
        improvement *= p.scale;
        if let Some(stat) = out.stat.get_mut(solved.niter) {
            let (nactive, nchange) = (nactive as i32, nchange as i32);
            *stat = SolverStat { improvement, nactive, nchange, ..SolverStat::default() };
        }
        solved.niter += 1;
        if improvement < opt.noslip_tolerance || improvement.is_nan() {
            break;
        }
    }
    w.finish(p, out);
}

/// Improves every block with friction once; returns by how much the cost fell.
#[inline(always)]
pub(crate) fn sweep<T: Simd>(t: T, rows: &Rows<'_>, w: &mut Dual) -> f64 {
    let mut improvement = 0.0;
    for k in rows.ne..rows.ne + rows.nf {
        improvement -= dry_friction(t, w, k, rows.frictionloss[k]);
    }
    for k in rows.ne + rows.nf + rows.nl..w.blocks.len() {
        improvement -= match w.blocks[k].contact.map(|c| &rows.contacts[c]) {
            Some(c) if c.is_elliptic() => elliptic(t, w, k, c),
            Some(c) if c.is_pyramid() => pyramid(t, w, k, c),
            _ => 0.0,
        };
    }
    improvement
}

/// One row of friction loss; returns the change of the cost.
#[inline(always)]
fn dry_friction<T: Simd>(t: T, w: &mut Dual, k: usize, loss: f64) -> f64 {
    let i = w.blocks[k].row;
    let old = w.force[i];
    let res = w.b[i] + w.product(t, k)[0];
    let diag = larger(MINVAL, w.gram(k)[0]);
    let f = clamp(old - res * (1.0 / diag), loss);
    let step = f - old;
    w.force[i] = f;
    w.add(t, k, &[step, 0.0, 0.0, 0.0, 0.0, 0.0]);
    0.5 * step * step * diag + step * res
}

/// Pairs of opposite edges; their sum is fixed.
#[inline(always)]
fn pyramid<T: Simd>(t: T, w: &mut Dual, k: usize, c: &ContactRows) -> f64 {
    let (i, dim) = (w.blocks[k].row, w.blocks[k].dim);
    let mut y = w.product(t, k);
    let mut delta = [0.0; 6];
    let mut change = 0.0;
    for side in 1..dim {
        let (row, mu) = (i + 2 * (side - 1), c.friction[side - 1]);
        let g = w.gram(k);
        let (normal, cross, tangent) = (g[0], mu * g[side], mu * mu * g[side * dim + side]);
        let a = [
            larger(FLOOR, normal + 2.0 * cross + tangent),
            normal - tangent,
            normal - tangent,
            larger(FLOOR, normal - 2.0 * cross + tangent),
        ];
        let old = [w.force[row], w.force[row + 1]];
        let res = [w.b[row] + y[0] + mu * y[side], w.b[row + 1] + y[0] - mu * y[side]];
        let mut f = shift_pair(&a, &old, &res);
        change += accept(&a, &mut f, &old, &res);
        w.force[row..row + 2].copy_from_slice(&f);

        // effect of both edges on the block
        let (plus, minus) = (f[0] - old[0], f[1] - old[1]);
        let (normal_step, tangent_step) = (plus + minus, mu * (plus - minus));
        let g = w.gram(k);
        for j in 0..dim {
            y[j] += g[j * dim] * normal_step + g[j * dim + side] * tangent_step;
        }
        delta[0] += normal_step;
        delta[side] += tangent_step;
    }
    w.add(t, k, &delta);
    change
}

/// Best split of the sum of two edges.
fn shift_pair(a: &[f64; 4], old: &[f64; 2], res: &[f64; 2]) -> [f64; 2] {
    let b0 = res[0] - (a[0] * old[0] + a[1] * old[1]);
    let b1 = res[1] - (a[2] * old[0] + a[3] * old[1]);
    let mid = 0.5 * (old[0] + old[1]);
    let k1 = a[0] + a[3] - a[1] - a[2];
    let k0 = mid * (a[0] - a[3]) + b0 - b1;
    if k1 < MINVAL {
        return [mid, mid];
    }
    let y = -k0 / k1;
    if y < -mid {
        [0.0, 2.0 * mid]
    } else if y > mid {
        [2.0 * mid, 0.0]
    } else {
        [mid + y, mid - y]
    }
}

/// Friction of an elliptic contact.
#[inline(always)]
fn elliptic<T: Simd>(t: T, w: &mut Dual, k: usize, c: &ContactRows) -> f64 {
    let (i, dim) = (w.blocks[k].row, w.blocks[k].dim);
    let n = dim - 1;
    let y = w.product(t, k);
    let g = w.gram(k);
    let (mut a, mut b) = ([0.0; 25], [0.0; 5]);
    let (mut res, mut old, mut f) = ([0.0; 5], [0.0; 5], [0.0; 5]);
    old[..n].copy_from_slice(&w.force[i + 1..i + dim]);
    for j in 0..n {
        for l in 0..n {
            let x = g[(j + 1) * dim + l + 1];
            a[j * n + l] = if j == l { larger(FLOOR, x) } else { x };
        }
        res[j] = w.b[i + 1 + j] + y[j + 1];
        b[j] = res[j];
        for l in 0..n {
            b[j] -= a[j * n + l] * old[l];
        }
    }
    if w.force[i] >= MINVAL {
        qcqp::friction(&a, &b, &c.friction, w.force[i], &mut f[..n]);
    }
    let change = accept(&a[..n * n], &mut f[..n], &old, &res);
    let mut delta = [0.0; 6];
    for j in 0..n {
        delta[j + 1] = f[j] - old[j];
        w.force[i + 1 + j] = f[j];
    }
    w.add(t, k, &delta);
    change
}

fn larger(floor: f64, x: f64) -> f64 {
    if x > floor { x } else { floor }
}
