//! Penetration depth of two convex objects by the expanding polytope algorithm.
//!
//! The face of the polytope nearest to the origin is pushed out to the farthest vertex of the difference in its
//! direction, until nothing is left to push.
//!
//! MuJoCo: `engine_collision_gjk.c`.

use sim_types::MINVAL;

use super::gjk::{Limits, State};
use super::object::Object;
use super::polytope::{Nearest, Polytope};
use super::vec::dot;

/// Faces are not added beyond six times this number, or six times the number of iterations if that is more.
const MIN_ROOM: usize = 170;

/// Writes depth and nearest points to `state` and returns the face that holds them; `None` when the search fails.
pub(super) fn epa(
    state: &mut State,
    polytope: &mut Polytope,
    a: &mut Object<'_>,
    b: &mut Object<'_>,
    limits: &Limits,
) -> Option<u32> {
    state.dist = 0.0;
    if !polytope.start(state, a, b) {
        return None;
    }
    let Some(face) = expand(polytope, a, b, limits) else {
        state.found = false;
        return None;
    };
    (state.x1, state.x2) = polytope.witness(face);
    state.dist = -polytope.faces[face as usize].dist2().sqrt();
    state.found = true;
    Some(face)
}

/// Pushes faces out until the nearest one is on the surface of the difference.
fn expand(polytope: &mut Polytope, a: &mut Object<'_>, b: &mut Object<'_>, limits: &Limits) -> Option<u32> {
    let discrete = a.is_discrete() && b.is_discrete();
    let tolerance = if discrete { MINVAL } else { limits.tolerance };
    let room = limits.iterations.max(MIN_ROOM).saturating_mul(6);

    // the distance of the nearest face is a lower bound of the depth; each new vertex gives an upper bound
    let (mut upper, mut upper2) = (f64::MAX, f64::MAX);
    let mut best: Option<u32> = None;
    let mut next = polytope.nearest();
    for _ in 0..limits.iterations {
        let Some(Nearest { dist2: lower2, face: nearest }) = next else { break };
        if lower2 > upper2 {
            break;
        }
        best = Some(nearest);
        if lower2 <= 0.0 {
            break;
        }
        let normal = polytope.faces[nearest as usize].foot();
        let lower = lower2.sqrt();
        let new = polytope.support(a, b, &normal, lower);
        let w = &polytope.verts[new as usize];
        let reach = dot(&normal, &w.v) / lower;
        if reach < upper {
            (upper, upper2) = (reach, reach * reach);
        }
        if upper - lower < tolerance {
            break;
        }

        // corners that were met before cannot push the face any further
        if discrete && polytope.verts[..new as usize].iter().any(|v| v.i1 == w.i1 && v.i2 == w.i2) {
            break;
        }

        // the faces that the new vertex sees give way to a fan around it
        let w = w.v;
        polytope.open(nearest, &w);
        if polytope.horizon.len() < 3 {
            return None;
        }
        if polytope.faces.len() + polytope.horizon.len() > room {
            break;
        }
        next = polytope.close(new, lower2, upper2).ok()?;
        if polytope.is_exhausted() {
            break;
        }
    }
    best
}
