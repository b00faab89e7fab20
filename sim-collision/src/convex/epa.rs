//! Penetration depth of two convex objects by the expanding polytope algorithm.
//!
//! The face of the polytope nearest to the origin is pushed out to the farthest vertex of the difference in its
//! direction, until nothing is left to push.
//!
//! MuJoCo: `engine_collision_gjk.c`.

use sim_types::MINVAL;

use super::gjk::{Limits, State};
use super::object::Object;
use super::polytope::{Hull, MOST_FACES, Nearest, Polytope, farthest};
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
    let mut hull = polytope.start(state, a, b)?;
    let face = expand(&mut hull, a, b, limits);
    hull.finish();
    let Some(face) = face else {
        state.found = false;
        return None;
    };
    (state.x1, state.x2) = polytope.witness(face);
    state.dist = -polytope.faces[face as usize].dist2().sqrt();
    state.found = true;
    Some(face)
}

/// Pushes faces out until the nearest one is on the surface of the difference.
#[inline(always)]
fn expand(hull: &mut Hull<'_>, a: &mut Object<'_>, b: &mut Object<'_>, limits: &Limits) -> Option<u32> {
    let discrete = a.is_discrete() && b.is_discrete();
    let tolerance = if discrete { MINVAL } else { limits.tolerance };
    let room = limits.iterations.max(MIN_ROOM).saturating_mul(6).min(MOST_FACES - 8);

    // the distance of the nearest face is a lower bound of the depth; each new vertex gives an upper bound
    let (mut upper, mut upper2) = (f64::MAX, f64::MAX);
    let mut best: Option<u32> = None;
    let mut next = hull.nearest();
    for _ in 0..limits.iterations {
        let Nearest { dist2: lower2, face: nearest } = next;
        if lower2 == f64::MAX || lower2 > upper2 {
            break;
        }
        best = Some(nearest);
        if lower2 <= 0.0 {
            break;
        }
        let normal = hull.foot(nearest);
        let lower = lower2.sqrt();
        let w = farthest(a, b, &normal, lower);
        let reach = dot(&normal, &w.v) / lower;
        if reach < upper {
            (upper, upper2) = (reach, reach * reach);
        }
        if upper - lower < tolerance {
            break;
        }

        // corners that were met before cannot push the face any further
        if discrete && hull.verts.iter().any(|v| v.i1 == w.i1 && v.i2 == w.i2) {
            break;
        }

        // the faces that the new vertex sees give way to a fan around it
        let new = hull.verts.len() as u32;
        hull.verts.push(w);
        hull.open(nearest, &w.v);
        if hull.horizon_count() < 3 {
            return None;
        }
        if hull.face_count() + hull.horizon_count() > room {
            break;
        }
        next = hull.close(new, lower2, upper2).ok()?;
        if hull.is_exhausted() {
            break;
        }
    }
    best
}
