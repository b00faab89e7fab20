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
use super::polytope::{Face, Polytope};
use super::vec::normalized;

/// What a query found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signed {
    /// Distance, negative in penetration; zero when the penetration search failed, `f64::MAX` beyond the cutoff.
    pub(super) dist: f64,
    /// Points of the two surfaces at this distance, if any were computed.
    pub(super) points: Option<(Vec3, Vec3)>,
    /// The face of the polytope that holds them, in penetration.
    pub(super) face: Option<Face>,
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
    if let (core_a, core_b) = (core(a), core(b))
        && (core_a.is_some() || core_b.is_some())
    {
        let (grow_a, grow_b) = (core_a.map_or(0.0, |c| c.1), core_b.map_or(0.0, |c| c.1));
        let full = (a.body, a.margin, b.body, b.margin);
        if let Some((body, _)) = core_a {
            (a.body, a.margin) = (body, 0.0);
        }
        if let Some((body, _)) = core_b {
            (b.body, b.margin) = (body, 0.0);
        }
        let wider = Limits { cutoff: limits.cutoff + (grow_a + grow_b), ..*limits };
        gjk(&mut state, a, b, &wider);
        (a.body, a.margin, b.body, b.margin) = full;

        // the cores are apart: grow them back along the line between the nearest points
        if state.dist > limits.tolerance {
            let n = normalized(&(state.x2 - state.x1));
            state.x1 += n * grow_a;
            state.x2 -= n * grow_b;
            state.dist -= grow_a + grow_b;
            let dist = if state.dist > limits.cutoff { f64::MAX } else { state.dist };
            return Signed { dist, points: state.found.then_some((state.x1, state.x2)), face: None };
        }
        state = State::new(a, b);
    }

    // the full search
    gjk(&mut state, a, b, limits);
    let mut face = None;
    if state.dist <= limits.tolerance && state.n > 1 {
        face = epa(&mut state, polytope, a, b, limits);
    }
    Signed { dist: state.dist, points: state.found.then_some((state.x1, state.x2)), face }
}

/// The core of a ball or capsule and what must be added to it.
fn core<'a>(object: &Object<'a>) -> Option<(Body<'a>, f64)> {
    match object.body {
        Body::Sphere { radius } => Some((Body::Point, radius + 0.5 * object.margin)),
        Body::Capsule { radius, half } => Some((Body::Line { half }, radius + 0.5 * object.margin)),
        _ => None,
    }
}
