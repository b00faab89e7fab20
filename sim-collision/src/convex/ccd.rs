//! Signed distance of two convex objects: distance search first, penetration search when they overlap.
//!
//! Balls and capsules are shrunk to a point or a segment, for which the distance search is exact and cheap; only when
//! these cores touch is the full search needed.
//!
//! MuJoCo: `mjc_ccd`.

use sim_types::Vec3;

use super::epa::epa;
use super::gjk::{Limits, State, gjk};
use super::object::{Body, Object};
use super::polytope::Polytope;
use super::vec::{normalized, rotate, rotate_t};
use crate::HullSearch;
use crate::hull_faces::Nearest;

/// What a query found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signed {
    /// Distance, negative in penetration; zero when the penetration search failed, `f64::MAX` beyond the cutoff.
    pub(super) dist: f64,
    /// Points of the two surfaces at this distance, if any were computed.
    pub(super) points: Option<(Vec3, Vec3)>,
    /// The face of the polytope that holds them, in penetration.
    pub(super) face: Option<u32>,
}

/// Signed distance of `a` and `b`, with their margins. The objects remember where their searches ended.
pub(super) fn signed_distance(
    a: &mut Object<'_>,
    b: &mut Object<'_>,
    limits: &Limits,
    polytope: &mut Polytope,
) -> Signed {
    let mut state = State::new(a, b);

    // round objects by their cores
    let (grow_a, grow_b) = (growth(a), growth(b));
    if grow_a.is_some() || grow_b.is_some() {
        let margins = (a.margin, b.margin);
        let (grow_a, grow_b) = (shrink(a, grow_a), shrink(b, grow_b));
        let wider = Limits { cutoff: limits.cutoff + (grow_a + grow_b), ..*limits };
        if !by_faces(&mut state, a, b, &wider) {
            gjk(&mut state, a, b, &wider);
        }
        (a.core, b.core) = (false, false);
        (a.margin, b.margin) = margins;

        // the cores are apart: grow them back along the line between the nearest points
        if state.dist > limits.tolerance {
            let n = normalized(&(state.x2 - state.x1));
            state.x1 += n * grow_a;
            state.x2 -= n * grow_b;
            state.dist -= grow_a + grow_b;
            let dist = if state.dist > limits.cutoff { f64::MAX } else { state.dist };
            return Signed { dist, points: state.found.then_some((state.x1, state.x2)), face: None };
        }
        if let Some(dir) = state.skipped.take() {
            b.support(&dir);
        }
        (state.x1, state.x2) = (a.center(), b.center());
    }

    // the full search
    gjk(&mut state, a, b, limits);
    let mut face = None;
    if state.dist <= limits.tolerance && state.n > 1 {
        face = epa(&mut state, polytope, a, b, limits);
    }
    Signed { dist: state.dist, points: state.found.then_some((state.x1, state.x2)), face }
}

/// [`gjk`] for the centre of a ball outside a mesh of few faces, by looking at all of these; false when that is not enough.
#[inline]
fn by_faces(state: &mut State, a: &Object<'_>, b: &Object<'_>, limits: &Limits) -> bool {
    let faces = b.mesh().and_then(|mesh| mesh.search).and_then(HullSearch::faces);
    let Some(faces) = faces.filter(|_| a.is_centre() && b.margin == 0.0) else { return false };
    let local = rotate_t(&b.mat, &(a.pos - b.pos));
    match faces.nearest(&local, (limits.tolerance, limits.cutoff), 0.5 * limits.tolerance * limits.tolerance) {
        Nearest::At(foot, dist) => {
            (state.x1, state.x2) = (a.pos, rotate(&b.mat, &foot) + b.pos);
            (state.dist, state.found) = (dist, true);
            true
        }
        Nearest::Far => {
            (state.dist, state.found) = (f64::MAX, false);
            true
        }
        Nearest::Unknown => false,
    }
}

/// What must be added to the core of a ball or capsule.
fn growth(object: &Object<'_>) -> Option<f64> {
    match object.body {
        Body::Sphere { radius } | Body::Capsule { radius, .. } => Some(radius + 0.5 * object.margin),
        _ => None,
    }
}

/// Shrinks an object that has a core to it; returns what was taken off.
fn shrink(object: &mut Object<'_>, growth: Option<f64>) -> f64 {
    if growth.is_some() {
        (object.core, object.margin) = (true, 0.0);
    }
    growth.unwrap_or(0.0)
}
