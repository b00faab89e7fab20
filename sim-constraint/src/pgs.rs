//! Projected Gauss–Seidel: forces are improved row by row, a contact with an elliptic cone as one block.
//!
//! An elliptic contact without force gets one only when its normal residual is negative, as in MuJoCo; sliding alone
//! does not start it, so with elliptic cones the end point may miss the optimum.
//!
//! MuJoCo: `engine_solver.c`, `mj_solPGS`.

use crate::cost::RowForces;
use crate::dual::{Block, Dual, WORSE, accept};
use crate::gram;
use crate::lane::Simd;
use crate::problem::{ContactRows, Problem, Settings, Solution, Solved, SolverStat, Start};
use crate::qcqp;
use crate::wide;
use sim_types::MINVAL;

/// Solves from the forces of the warm start, if they are better than none.
pub(crate) fn solve(
    p: &Problem<'_>,
    opt: &Settings,
    start: Start,
    out: &mut Solution<'_>,
    w: &mut Dual,
    d: &mut Vec<f64>,
) -> Solved {
    w.build(p, p.rows.nbase() <= gram::ROWS);
    begin(p, start, out, w, d);
    w.classify(&p.rows);
    let mut solved = Solved { nnz: p.rows.nefc * p.rows.nefc, ..Solved::default() };
    while solved.niter < opt.iterations {
        let mut improvement = wide::pgs_sweep(p, w);
        let (nactive, nchange) = w.classify(&p.rows);
        improvement *= p.scale;
        if let Some(stat) = out.stat.get_mut(solved.niter) {
            let (nactive, nchange) = (nactive as i32, nchange as i32);
            *stat = SolverStat { improvement, nactive, nchange, ..SolverStat::default() };
        }
        solved.niter += 1;
        if improvement < opt.tolerance {
            solved.converged = true;
            break;
        }
        if improvement.is_nan() {
            break;
        }
    }
    w.finish(p, out);
    solved
}

/// Improves every block once; returns by how much the cost fell.
#[inline(always)]
pub(crate) fn sweep<T: Simd>(t: T, p: &Problem<'_>, w: &mut Dual) -> f64 {
    if w.is_whole {
        return sweep_whole(t, p, w);
    }
    let mut improvement = 0.0;
    for k in 0..w.blocks.len() {
        improvement -= match w.blocks[k].contact.map(|c| &p.rows.contacts[c]) {
            Some(c) if c.is_elliptic() => elliptic(t, w, k, c),
            Some(c) if c.is_pyramid() => pyramid(t, w, k, c),
            _ => scalar(t, p, w, k),
        };
    }
    improvement
}

/// [`sweep`] with the whole matrix at hand.
#[inline(always)]
fn sweep_whole<T: Simd>(t: T, p: &Problem<'_>, w: &mut Dual) -> f64 {
    let mut change = 0.0;
    for k in 0..w.blocks.len() {
        let block = w.blocks[k];
        change += match (block.contact.map(|c| &p.rows.contacts[c]), block.dim) {
            (None, _) | (Some(_), 1) => scalar_whole(t, p, w, block),
            (Some(c), _) if c.is_elliptic() => elliptic(t, w, k, c),
            (Some(c), 3) => pyramid_whole::<T, 3, 4>(t, w, block, c),
            (Some(c), 4) => pyramid_whole::<T, 4, 6>(t, w, block, c),
            (Some(c), _) => pyramid_whole::<T, 6, 10>(t, w, block, c),
        };
    }
    -change
}

/// [`scalar`] with the whole matrix at hand.
#[inline(always)]
fn scalar_whole<T: Simd>(t: T, p: &Problem<'_>, w: &mut Dual, block: Block) -> f64 {
    let (i, rows) = (block.row, &p.rows);
    let (old, r) = (w.force[i], w.r[i]);
    let res = w.b[i] + w.whole.y()[block.base] + r * old;
    let diag = w.diagonal_of(&block)[0] + r;
    let mut f = old - res * (1.0 / diag);
    if i >= rows.ne + rows.nf {
        f = positive(f);
    } else if i >= rows.ne {
        f = clamp(f, rows.frictionloss[i]);
    }
    let step = f - old;
    let change = 0.5 * step * (diag * step) + step * res;
    if step == 0.0 || change > WORSE {
        return 0.0;
    }
    w.force[i] = f;
    w.whole.add(t, block.base, &[step]);
    change
}

/// [`pyramid`] with the whole matrix at hand: `E` edges, whose effect on each other is in a table.
#[inline(always)]
fn pyramid_whole<T: Simd, const D: usize, const E: usize>(t: T, w: &mut Dual, block: Block, c: &ContactRows) -> f64 {
    let row = block.row;
    let r = w.r[row];
    let (Some(force), Some(b), Some(y)) = (
        w.force[row..].first_chunk_mut::<E>(),
        w.b[row..].first_chunk::<E>(),
        w.whole.y()[block.base..].first_chunk::<D>(),
    ) else {
        return 0.0;
    };
    let mut res = [0.0; E];
    for k in 1..D {
        let (e, side) = (2 * k - 2, c.friction[k - 1] * y[k]);
        res[e] = b[e] + y[0] + side + r * force[e];
        res[e + 1] = b[e + 1] + y[0] - side + r * force[e + 1];
    }

    let table = w.whole.edges::<E>(block.edges);
    let (inverse, diagonal, coupling) = (&table[0], &table[1], &table[2..2 + E]);
    let (mut change, mut steps, mut any) = (0.0, [0.0; E], false);
    for e in 0..E {
        let old = force[e];
        let f = positive(old - res[e] * inverse[e]);
        let step = f - old;
        let gain = 0.5 * step * (diagonal[e] * step) + step * res[e];
        if step != 0.0 && (gain <= WORSE || gain.is_nan()) {
            change += gain;
            force[e] = f;
            steps[e] = step;
            any = true;
            for other in e + 1..E {
                res[other] += coupling[e][other] * step;
            }
        }
    }
    if any {
        let mut delta = [0.0; D];
        for k in 1..D {
            let (plus, minus) = (steps[2 * k - 2], steps[2 * k - 1]);
            delta[0] += plus + minus;
            delta[k] = c.friction[k - 1] * (plus - minus);
        }
        w.whole.add(t, block.base, &delta);
    }
    change
}

/// Forces to start from.
fn begin(p: &Problem<'_>, start: Start, out: &Solution<'_>, w: &mut Dual, d: &mut Vec<f64>) {
    if start == Start::Warm {
        let mut jar = std::mem::take(&mut w.scratch_rows);
        w.residual(p, out.qacc, &mut jar);
        crate::rows::spread(&p.rows, &w.packed.runs, p.rows.d, d);
        let out = RowForces { force: &mut w.force, state: &mut w.state, old: &w.old };
        wide::update(&p.rows, &w.packed.runs, d, &mut jar, None, out);
        w.scratch_rows = jar;
        w.sync(&p.rows);
        if w.cost() <= 0.0 {
            return;
        }
    }
    w.force.fill(0.0);
    w.sync(&p.rows);
}

/// One row; returns the change of the cost.
#[inline(always)]
fn scalar<T: Simd>(t: T, p: &Problem<'_>, w: &mut Dual, k: usize) -> f64 {
    let i = w.blocks[k].row;
    let old = w.force[i];
    let res = w.b[i] + w.product(t, k)[0] + w.r[i] * old;
    let diag = w.gram(k)[0] + w.r[i];
    let mut f = old - res * (1.0 / diag);
    let rows = &p.rows;
    if i >= rows.ne + rows.nf {
        f = positive(f);
    } else if i >= rows.ne {
        f = clamp(f, rows.frictionloss[i]);
    }
    let mut f = [f];
    let change = accept(&[diag], &mut f, &[old], &[res]);
    w.force[i] = f[0];
    w.add(t, k, &[f[0] - old, 0.0, 0.0, 0.0, 0.0, 0.0]);
    change
}

/// Edges of a pyramid one after another; their effect on each other is followed within the block.
#[inline(always)]
fn pyramid<T: Simd>(t: T, w: &mut Dual, k: usize, c: &ContactRows) -> f64 {
    let (i, dim) = (w.blocks[k].row, w.blocks[k].dim);
    let mut y = w.product(t, k);
    let mut delta = [0.0; 6];
    let mut change = 0.0;
    for edge in 0..2 * (dim - 1) {
        let side = 1 + edge / 2;
        let mu = if edge % 2 == 0 { c.friction[side - 1] } else { -c.friction[side - 1] };
        let (row, g) = (i + edge, w.gram(k));
        let diag = g[0] + 2.0 * mu * g[side] + mu * mu * g[side * dim + side] + w.r[row];
        let old = w.force[row];
        let res = w.b[row] + y[0] + mu * y[side] + w.r[row] * old;
        let mut f = [positive(old - res * (1.0 / diag))];
        change += accept(&[diag], &mut f, &[old], &[res]);
        let step = f[0] - old;
        if step != 0.0 {
            for j in 0..dim {
                y[j] += (g[j * dim] + mu * g[j * dim + side]) * step;
            }
            delta[0] += step;
            delta[side] += mu * step;
            w.force[row] = f[0];
        }
    }
    w.add(t, k, &delta);
    change
}

/// An elliptic contact: along the ray of its force, then friction with the normal fixed.
#[inline(always)]
fn elliptic<T: Simd>(t: T, w: &mut Dual, k: usize, c: &ContactRows) -> f64 {
    let (i, dim) = (w.blocks[k].row, w.blocks[k].dim);
    let y = w.product(t, k);
    let (mut a, mut res, mut old, mut f) = ([0.0; 36], [0.0; 6], [0.0; 6], [0.0; 6]);
    a[..dim * dim].copy_from_slice(w.gram(k));
    old[..dim].copy_from_slice(&w.force[i..i + dim]);
    for j in 0..dim {
        a[j * dim + j] += w.r[i + j];
        res[j] = w.b[i + j] + y[j] + w.r[i + j] * old[j];
    }
    f[..dim].copy_from_slice(&old[..dim]);
    normal_step(&a, &res, &mut f[..dim]);

    // friction, with the normal where it is now
    let n = dim - 1;
    let (mut ac, mut bc) = ([0.0; 25], [0.0; 5]);
    for j in 0..n {
        bc[j] = res[j + 1] + a[(j + 1) * dim] * (f[0] - old[0]);
        for l in 0..n {
            ac[j * n + l] = a[(j + 1) * dim + l + 1];
            bc[j] -= ac[j * n + l] * old[l + 1];
        }
    }
    if f[0] < MINVAL {
        f[1..].fill(0.0);
    } else {
        qcqp::friction(&ac, &bc, &c.friction, f[0], &mut f[1..dim]);
    }
    let change = accept(&a[..dim * dim], &mut f[..dim], &old, &res);
    let mut delta = [0.0; 6];
    for j in 0..dim {
        delta[j] = f[j] - old[j];
        w.force[i + j] = f[j];
    }
    w.add(t, k, &delta);
    change
}

/// Scales the force, or starts a normal force where there is none.
fn normal_step(a: &[f64; 36], res: &[f64; 6], f: &mut [f64]) {
    let dim = f.len();
    if f[0] < MINVAL {
        f[0] = positive(f[0] - res[0] * (1.0 / a[0]));
        f[1..].fill(0.0);
        return;
    }
    let (mut vav, mut vr) = (0.0, 0.0);
    for j in 0..dim {
        for l in 0..dim {
            vav += f[j] * a[j * dim + l] * f[l];
        }
        vr += f[j] * res[j];
    }
    if vav >= MINVAL {
        let mut x = -vr / vav;
        if f[0] + x * f[0] < 0.0 {
            x = -1.0;
        }
        for v in f {
            *v += x * *v;
        }
    }
}

/// Cuts a force to the interval of dry friction.
#[inline(always)]
pub(crate) fn clamp(f: f64, loss: f64) -> f64 {
    if f < -loss {
        -loss
    } else if f > loss {
        loss
    } else {
        f
    }
}

#[inline(always)]
fn positive(f: f64) -> f64 {
    if f < 0.0 { 0.0 } else { f }
}
