//! Bodies as intervals along three axes: MuJoCo's broad phase.
//!
//! The axes are the rows of the matrix whose columns are the principal axes of the geoms' centres. The first axis is
//! compared in single precision. Both matter only where two bodies touch exactly, and there they decide.

use std::ops::Range;

use sim_collision::broadphase::{Ends, sweep};
use sim_types::math::eig3;
use sim_types::{EnableFlags, Mat3, Vec3};

use super::plan::{Plan, Sweep};
use super::work::Work;
use crate::data::Data;
use crate::model::Model;

/// The axes along which MuJoCo sorts the bodies, as rows.
pub(super) fn axes(m: &Model, d: &Data) -> Mat3 {
    let moving = || m.geom_bodyid.iter().zip(&d.geom_xpos).filter(|(body, _)| **body != 0).map(|(_, pos)| pos);
    let (mut centre, mut count) = (Vec3::zeros(), 0);
    for pos in moving() {
        centre += pos;
        count += 1;
    }
    let share = 1.0 / f64::from(count.max(1));
    centre *= share;
    let [mut xx, mut xy, mut xz, mut yy, mut yz, mut zz] = [0.0; 6];
    for pos in moving() {
        let dif = pos - centre;
        xx += dif.x * dif.x;
        xy += dif.x * dif.y;
        xz += dif.x * dif.z;
        yy += dif.y * dif.y;
        yz += dif.y * dif.z;
        zz += dif.z * dif.z;
    }
    eig3(&(Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz) * share)).1
}

/// Writes the body's interval along each axis, lower ends first.
#[doc(alias = "makeAAMM")]
#[inline(always)]
fn interval(m: &Model, d: &Data, axes: &Mat3, body: usize, ends: &mut Ends) {
    let geoms = m.body_geoms(body);
    if geoms.len() == 1 {
        geom_interval(m, d, axes, geoms.start, ends);
    } else {
        geoms_interval(m, d, axes, geoms, ends);
    }
}

/// The interval around several geoms.
fn geoms_interval(m: &Model, d: &Data, axes: &Mat3, geoms: Range<usize>, ends: &mut Ends) {
    let (low, high) = (f64::INFINITY, f64::NEG_INFINITY);
    *ends = [low, low, low, high, high, high];
    for geom in geoms {
        let mut other = *ends;
        geom_interval(m, d, axes, geom, &mut other);
        for k in 0..3 {
            ends[k] = ends[k].min(other[k]);
            ends[k + 3] = ends[k + 3].max(other[k + 3]);
        }
    }
}

/// The interval of one geom. Each number goes to its place: a copy of six that were just written has to wait for them.
#[inline(always)]
fn geom_interval(m: &Model, d: &Data, axes: &Mat3, geom: usize, ends: &mut Ends) {
    let over = m.opt.enabled(EnableFlags::OVERRIDE);
    let margin = if over { 0.5 * m.opt.o_margin } else { m.geom_margin[geom] };
    let (pos, radius) = (&d.geom_xpos[geom], m.geom_rbound[geom]);
    for k in 0..3 {
        let centre = pos.x * axes[(k, 0)] + pos.y * axes[(k, 1)] + pos.z * axes[(k, 2)];
        ends[k] = centre - radius - margin;
        ends[k + 3] = centre + radius + margin;
    }
}

/// True when MuJoCo's sweep finds two bodies, the lower id first.
pub(super) fn sweep_finds(m: &Model, d: &Data, axes: &Mat3, b1: usize, b2: usize) -> bool {
    let [one, two] = [b1, b2].map(|body| {
        let mut ends = [0.0; 6];
        interval(m, d, axes, body, &mut ends);
        ends
    });
    let first = (two[0] as f32) < one[3] as f32 && one[0] as f32 <= two[3] as f32;
    first && (1..3).all(|k| one[k] <= two[k + 3] && two[k] <= one[k + 3])
}

/// Fills `work.bodies` with the pairs of bodies that may touch, sorted; false when there are far too many of them.
#[doc(alias = "mj_broadphase")]
pub(super) fn body_pairs(m: &Model, d: &Data, plan: &Plan, list: &Sweep, work: &mut Work) -> bool {
    let axes = axes(m, d);
    work.ends.resize(list.bodies.len(), [0.0; 6]);
    for (ends, &body) in work.ends.iter_mut().zip(&list.bodies) {
        interval(m, d, &axes, body as usize, ends);
    }
    let complete = sweep(&work.ends, &mut work.sweep, &mut work.swept, |i, j| list.allows(m, &plan.filters, i, j));

    // merge with the bodies that meet at any distance
    work.bodies.clear();
    let mut always = list.always.iter().copied().peekable();
    for &(i, j) in &work.swept {
        let pair = [list.bodies[i as usize], list.bodies[j as usize]];
        while let Some(before) = always.next_if(|other| *other < pair) {
            work.bodies.push(before);
        }
        if always.peek() != Some(&pair) {
            work.bodies.push(pair);
        }
    }
    work.bodies.extend(always);
    complete
}
