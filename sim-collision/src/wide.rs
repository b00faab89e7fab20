//! Searches compiled twice, for every CPU and for CPUs with AVX, and chosen at run time.
//!
//! Both do the same operations in the same order, and none fuses a product with a sum, so a result does not depend on
//! which one ran.

#![expect(
    unsafe_code,
    reason = "code for AVX may only be called after asking the CPU; this is the one place of the crate that does"
)]

use sim_types::Vec3;

use crate::broadphase::{self, Block};
use crate::convex::Object;
use crate::convex::feet::{self, Corners, Foot, Four, LANES};
use crate::convex::gjk::{self, Limits, State};
use crate::convex::subdistance::{self, Near};
use crate::hull_faces::{self, Planes};
use crate::hull_search::{self, HullSearch};
use crate::pair::edges::{self, EdgeSystem, NearEdges};
use crate::rows::{self, Balls, RowPairs};

/// Whether code for AVX may run.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn avx() -> bool {
    #[cfg(test)]
    if tests::PLAIN.get() {
        return false;
    }
    std::arch::is_x86_feature_detected!("avx")
}

/// See [`RowPairs::find`].
pub(crate) fn find(pairs: &RowPairs, balls: &Balls, normals: &[Vec3], bits: &mut [u64]) {
    #[cfg(target_arch = "x86_64")]
    if avx() {
        // SAFETY: the CPU has AVX, which is all that the function asks for beyond the build's own target.
        return unsafe { rows::avx::find(pairs, balls, normals, bits) };
    }
    rows::plain::find(pairs, balls, normals, bits);
}

/// See [`broadphase::overlaps`].
#[inline]
pub(crate) fn overlaps(blocks: &[Block], starts: &[f32], end: f32, place: usize, found: impl FnMut(usize)) {
    #[cfg(target_arch = "x86_64")]
    if avx() {
        // SAFETY: the CPU has AVX, which is all that the function asks for beyond the build's own target.
        return unsafe { broadphase::overlaps_avx(blocks, starts, end, place, found) };
    }
    broadphase::overlaps(blocks, starts, end, place, found);
}

/// See [`gjk::gjk_plain`].
#[inline]
pub(crate) fn gjk(state: &mut State, a: &mut Object<'_>, b: &mut Object<'_>, limits: &Limits) {
    #[cfg(target_arch = "x86_64")]
    if avx() {
        // SAFETY: the CPU has AVX, which is all that the function asks for beyond the build's own target.
        return unsafe { gjk::gjk_avx(state, a, b, limits) };
    }
    gjk::gjk_plain(state, a, b, limits);
}

/// See [`hull_search::foremost`].
#[inline(always)]
pub(crate) fn foremost(hull: &HullSearch, dir: &Vec3) -> Result<usize, f64> {
    if hull.small.is_empty() {
        return Err(f64::INFINITY);
    }
    #[cfg(target_arch = "x86_64")]
    if avx() {
        // SAFETY: the CPU has AVX, which is all that the function asks for beyond the build's own target.
        return unsafe { hull_search::foremost_avx(hull, dir) };
    }
    hull_search::foremost(hull, dir)
}

/// See [`hull_faces::highest`].
#[inline(always)]
pub(crate) fn highest(planes: &[Planes], p: &Vec3) -> (usize, f64) {
    #[cfg(target_arch = "x86_64")]
    if avx() {
        // SAFETY: the CPU has AVX, which is all that the function asks for beyond the build's own target.
        return unsafe { hull_faces::highest_avx(planes, p) };
    }
    hull_faces::highest(planes, p)
}

/// See [`HullSearch::climb`].
#[inline(always)]
pub(crate) fn climb(hull: &HullSearch, start: usize, max: f64, dir: &Vec3) -> usize {
    #[cfg(target_arch = "x86_64")]
    if avx() {
        // SAFETY: the CPU has AVX, which is all that the function asks for beyond the build's own target.
        return unsafe { hull_search::climb_avx(hull, start, max, dir) };
    }
    hull_search::climb(hull, start, max, dir)
}

/// See [`feet::feet_plain`].
#[inline]
pub(crate) fn feet(corners: &Corners<'_>) -> ([Foot; LANES], u32) {
    #[cfg(target_arch = "x86_64")]
    if avx() {
        // SAFETY: the CPU has AVX, which is all that the function asks for beyond the build's own target.
        return unsafe { feet::avx::feet(corners) };
    }
    feet::feet_plain(corners)
}

/// See [`feet::face_planes_plain`].
#[inline]
pub(crate) fn face_planes(corners: &Corners<'_>) -> ([Foot; LANES], u32) {
    #[cfg(target_arch = "x86_64")]
    if avx() {
        // SAFETY: the CPU has AVX, which is all that the function asks for beyond the build's own target.
        return unsafe { feet::avx::face_planes(corners) };
    }
    feet::face_planes_plain(corners)
}

/// See [`subdistance::triangle_plain`].
#[inline(always)]
pub(crate) fn triangle(corners: [&Vec3; 3], foot: &Vec3) -> Near {
    #[cfg(target_arch = "x86_64")]
    if avx() {
        // SAFETY: the CPU has AVX, which is all that the function asks for beyond the build's own target.
        return unsafe { subdistance::avx::triangle(corners, foot) };
    }
    subdistance::triangle_plain(corners, foot)
}

/// See [`feet::least_plain`].
#[inline]
pub(crate) fn least(all: &[Four]) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if avx() {
        // SAFETY: the CPU has AVX, which is all that the function asks for beyond the build's own target.
        return unsafe { feet::avx::least(all) };
    }
    feet::least_plain(all)
}

/// See [`edges::near_edges_plain`].
#[inline]
pub(crate) fn near_edges(system: &EdgeSystem) -> NearEdges {
    #[cfg(target_arch = "x86_64")]
    if avx() {
        // SAFETY: the CPU has AVX, which is all that the function asks for beyond the build's own target.
        return unsafe { edges::avx::near_edges(system) };
    }
    edges::near_edges_plain(system)
}

#[cfg(test)]
pub(crate) mod tests;
