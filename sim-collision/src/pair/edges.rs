//! A segment against the four parallel edges of a box: where each pair comes nearest.

use sim_types::{MINVAL, Vec3};

/// The segment of a capsule in the frame of a box; its points are `centre + x·half_vec`, x between −1 and 1.
pub(super) struct Segment {
    pub(super) centre: Vec3,
    /// Unit direction.
    pub(super) axis: Vec3,
    /// From the centre to the end.
    pub(super) half_vec: Vec3,
    pub(super) half: f64,
}

/// Nearest points of the segment and the four edges along an axis, an entry for each edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NearEdges {
    /// Squared distance.
    pub(crate) dist2: [f64; 4],
    /// Parameter on the segment.
    pub(crate) along: [f64; 4],
    /// Parameter on the edge.
    pub(crate) edge: [f64; 4],
    /// A bit for each edge where its lower end is nearest, and for the upper end.
    pub(crate) lower: u32,
    pub(crate) upper: u32,
}

/// Codes of the lower corners of the edges along each axis: bit k chooses the positive side of axis k.
pub(super) const EDGES: [[usize; 4]; 3] = [[0, 2, 4, 6], [0, 1, 4, 5], [0, 1, 2, 3]];

/// Signs of the coordinates of their midpoints.
const SIGNS: [[[f64; 4]; 3]; 3] = [
    [[0.0; 4], [-1.0, 1.0, -1.0, 1.0], [-1.0, -1.0, 1.0, 1.0]],
    [[-1.0, 1.0, -1.0, 1.0], [0.0; 4], [-1.0, -1.0, 1.0, 1.0]],
    [[-1.0, 1.0, -1.0, 1.0], [-1.0, -1.0, 1.0, 1.0], [0.0; 4]],
];

/// The 2×2 system for the parameters of the nearest points on an edge along an axis and on the segment.
pub(crate) struct EdgeSystem {
    axis: usize,
    aa: f64,
    ab: f64,
    bb: f64,
    inv_aa: f64,
    inv_bb: f64,
    inv_det: f64,
    size: [f64; 3],
    centre: [f64; 3],
    half_vec: [f64; 3],
}

impl EdgeSystem {
    /// None when the segment is parallel to the axis.
    #[inline]
    pub(super) fn new(s: &Segment, size: &Vec3, axis: usize) -> Option<Self> {
        let aa = size[axis] * size[axis];
        let ab = -size[axis] * s.half_vec[axis];
        let bb = s.half * s.half;
        let det = aa * bb - ab * ab;
        let (size, centre, half_vec) = ((*size).into(), s.centre.into(), s.half_vec.into());
        let [inv_aa, inv_bb, inv_det] = [1.0 / aa, 1.0 / bb, 1.0 / det];
        let sound = det.abs() >= MINVAL;
        sound.then_some(Self { axis, aa, ab, bb, inv_aa, inv_bb, inv_det, size, centre, half_vec })
    }
}

/// Nearest points on the segment and on each edge.
pub(crate) fn near_edges_plain(system: &EdgeSystem) -> NearEdges {
    let &EdgeSystem { axis, aa, ab, bb, inv_aa, inv_bb, inv_det, size, centre, half_vec: h } = system;
    let mut all = NearEdges { dist2: [0.0; 4], along: [0.0; 4], edge: [0.0; 4], lower: 0, upper: 0 };
    for lane in 0..4 {
        let offset = [0, 1, 2].map(|k: usize| size[k] * SIGNS[axis][k][lane] - centre[k]);
        let u = -size[axis] * offset[axis];
        let v = h[0] * offset[0] + h[1] * offset[1] + h[2] * offset[2];
        let (mut edge, mut end) = clamped((bb * u - ab * v) * inv_det);
        let mut along = if end == 0 { (aa * v - ab * u) * inv_det } else { (v - edge * ab) * inv_bb };
        if !(-1.0..=1.0).contains(&along) {
            along = if along > 1.0 { 1.0 } else { -1.0 };
            // a point back inside the edge keeps the end that was chosen before
            let again = clamped((u - along * ab) * inv_aa);
            edge = again.0;
            end = if again.1 == 0 { end } else { again.1 };
        }
        let mut gap = [0, 1, 2].map(|k: usize| offset[k] - h[k] * along);
        gap[axis] += size[axis] * edge;
        all.dist2[lane] = gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2];
        (all.along[lane], all.edge[lane]) = (along, edge);
        all.lower |= u32::from(end < 0) << lane;
        all.upper |= u32::from(end > 0) << lane;
    }
    all
}

/// A parameter moved into [−1, 1], and the end that it was moved to or 0.
fn clamped(x: f64) -> (f64, i32) {
    if x > 1.0 {
        (1.0, 1)
    } else if x < -1.0 {
        (-1.0, -1)
    } else {
        (x, 0)
    }
}

/// The same for CPUs with AVX, all edges at once.
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx {
    use std::arch::x86_64::{
        __m256d, _CMP_GE_OQ, _CMP_GT_OQ, _CMP_LE_OQ, _CMP_LT_OQ, _mm256_add_pd, _mm256_and_pd, _mm256_andnot_pd,
        _mm256_blendv_pd, _mm256_cmp_pd, _mm256_movemask_pd, _mm256_mul_pd, _mm256_or_pd, _mm256_set1_pd,
        _mm256_setr_pd, _mm256_sub_pd,
    };

    use super::{EdgeSystem, NearEdges, SIGNS};
    use crate::four::{dot, numbers};

    /// Numbers moved into [−1, 1], and where they were above and below.
    #[inline]
    #[target_feature(enable = "avx")]
    fn clamped(x: __m256d) -> (__m256d, __m256d, __m256d) {
        let (one, minus) = (_mm256_set1_pd(1.0), _mm256_set1_pd(-1.0));
        let (above, below) = (_mm256_cmp_pd::<_CMP_GT_OQ>(x, one), _mm256_cmp_pd::<_CMP_LT_OQ>(x, minus));
        (_mm256_blendv_pd(_mm256_blendv_pd(x, one, above), minus, below), above, below)
    }

    /// `(p·q − r·s)·t`.
    #[inline]
    #[target_feature(enable = "avx")]
    fn solve(p: f64, q: __m256d, r: f64, s: __m256d, t: f64) -> __m256d {
        let difference = _mm256_sub_pd(_mm256_mul_pd(_mm256_set1_pd(p), q), _mm256_mul_pd(_mm256_set1_pd(r), s));
        _mm256_mul_pd(difference, _mm256_set1_pd(t))
    }

    #[inline]
    #[target_feature(enable = "avx")]
    pub(crate) fn near_edges(system: &EdgeSystem) -> NearEdges {
        let &EdgeSystem { axis, aa, ab, bb, inv_aa, inv_bb, inv_det, size, centre, half_vec } = system;
        let (one, minus) = (_mm256_set1_pd(1.0), _mm256_set1_pd(-1.0));
        let h = [_mm256_set1_pd(half_vec[0]), _mm256_set1_pd(half_vec[1]), _mm256_set1_pd(half_vec[2])];
        let mut offset = h;
        for k in 0..3 {
            let [p, q, r, s] = SIGNS[axis][k];
            let middle = _mm256_mul_pd(_mm256_set1_pd(size[k]), _mm256_setr_pd(p, q, r, s));
            offset[k] = _mm256_sub_pd(middle, _mm256_set1_pd(centre[k]));
        }
        let u = _mm256_mul_pd(_mm256_set1_pd(-size[axis]), offset[axis]);
        let v = dot(h, offset);
        let (first, above, below) = clamped(solve(bb, u, ab, v, inv_det));
        let inside = solve(aa, v, ab, u, inv_det);
        let reached = _mm256_sub_pd(v, _mm256_mul_pd(first, _mm256_set1_pd(ab)));
        let at_end = _mm256_mul_pd(reached, _mm256_set1_pd(inv_bb));
        let along = _mm256_blendv_pd(inside, at_end, _mm256_or_pd(above, below));

        // beyond an end of the segment; a point back inside the edge keeps the end that was chosen before
        let end = _mm256_blendv_pd(minus, one, _mm256_cmp_pd::<_CMP_GT_OQ>(along, one));
        let reached = _mm256_sub_pd(u, _mm256_mul_pd(end, _mm256_set1_pd(ab)));
        let (again, above2, below2) = clamped(_mm256_mul_pd(reached, _mm256_set1_pd(inv_aa)));
        let stays = _mm256_and_pd(_mm256_cmp_pd::<_CMP_GE_OQ>(along, minus), _mm256_cmp_pd::<_CMP_LE_OQ>(along, one));
        let along = _mm256_blendv_pd(end, along, stays);
        let edge = _mm256_blendv_pd(again, first, stays);
        let moved = _mm256_andnot_pd(stays, _mm256_or_pd(above2, below2));
        let upper = _mm256_blendv_pd(above, above2, moved);
        let lower = _mm256_blendv_pd(below, below2, moved);

        let mut gap = offset;
        for k in 0..3 {
            gap[k] = _mm256_sub_pd(offset[k], _mm256_mul_pd(h[k], along));
        }
        gap[axis] = _mm256_add_pd(gap[axis], _mm256_mul_pd(_mm256_set1_pd(size[axis]), edge));
        NearEdges {
            dist2: numbers(dot(gap, gap)),
            along: numbers(along),
            edge: numbers(edge),
            lower: _mm256_movemask_pd(lower) as u32,
            upper: _mm256_movemask_pd(upper) as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Both kinds of code give the same bits.
        #[test]
        fn edges_do_not_depend_on_the_cpu(
            centre in prop::array::uniform3(-2.0..2.0f64), axis in prop::array::uniform3(-1.0..1.0f64),
            size in prop::array::uniform3(0.1..1.0f64), half in 0.1..2.0f64,
        ) {
            let axis = Vec3::from(axis);
            prop_assume!(axis.norm() > 1e-3);
            let axis = axis.normalize();
            let s = Segment { centre: centre.into(), axis, half_vec: axis * half, half };
            for k in 0..3 {
                if let Some(system) = EdgeSystem::new(&s, &size.into(), k) {
                    prop_assert_eq!(crate::wide::near_edges(&system), near_edges_plain(&system));
                }
            }
        }
    }
}
