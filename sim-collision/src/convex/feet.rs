//! Work of the penetration search that takes four numbers at a time: the planes of new faces, and the nearest face.

use sim_types::{MAXVAL, MINVAL, Vec3};

use super::subdistance::{project_at_other_corners, span};
use super::vec::{MINVAL2, cross, dot};

/// Numbers looked at together.
pub(crate) const LANES: usize = 4;
/// The same number of each of four faces.
pub(crate) type Four = [f64; LANES];
/// First, second and third corners of four triangles.
pub(crate) type Corners<'a> = [[&'a Vec3; LANES]; 3];

/// The foot of the perpendicular from the origin to the plane of a triangle, and the square of its distance; all zero
/// for a triangle without a plane.
pub(crate) type Foot = [f64; 4];

/// [`Foot`] of four triangles.
#[inline(always)]
pub(super) fn feet(corners: &Corners<'_>) -> [Foot; LANES] {
    let (mut feet, mut sure) = crate::wide::feet(corners);

    // planes whose normal is better taken at another corner are rare
    if sure != 0b1111 {
        for (lane, foot) in feet.iter_mut().enumerate() {
            if sure & 1 == 0 {
                *foot = foot_at_other_corners(corners[0][lane], corners[1][lane], corners[2][lane]);
            }
            sure >>= 1;
        }
    }
    feet
}

#[cold]
fn foot_at_other_corners(a: &Vec3, b: &Vec3, c: &Vec3) -> Foot {
    let (ab, bc, n) = span(a, b, c);
    let v = if dot(&n, &n) == 0.0 { None } else { project_at_other_corners(a, c, &ab, &(c - a), &bc) };
    let v = v.unwrap_or_default();
    [v.x, v.y, v.z, dot(&v, &v)]
}

/// Feet with normals taken at the second corners, and a bit per triangle where that is good enough.
pub(crate) fn feet_plain(corners: &Corners<'_>) -> ([Foot; LANES], u32) {
    let mut feet = [[0.0; 4]; LANES];
    let mut sure = 0;
    for (lane, foot) in feet.iter_mut().enumerate() {
        let [a, b, c] = [corners[0][lane], corners[1][lane], corners[2][lane]];
        let (_, _, n) = span(a, b, c);
        let (nv, nn) = (dot(&n, b), dot(&n, &n));
        let v = n * (nv / nn);
        *foot = [v.x, v.y, v.z, dot(&v, &v)];
        sure |= u32::from(nv != 0.0 && nn > MINVAL) << lane;
    }
    (feet, sure)
}

/// Unit normals of four faces, and their signed distances from the origin; a face without a normal is infinitely far.
#[inline(always)]
pub(super) fn face_planes(corners: &Corners<'_>) -> [Foot; LANES] {
    let (planes, sure) = crate::wide::face_planes(corners);
    if sure == 0b1111 {
        return planes;
    }
    [0, 1, 2, 3].map(|lane: usize| face_plane(corners[0][lane], corners[1][lane], corners[2][lane]))
}

#[cold]
fn face_plane(a: &Vec3, b: &Vec3, c: &Vec3) -> Foot {
    let normal = cross(&(c - a), &(b - a));
    let norm2 = dot(&normal, &normal);
    if norm2 > MINVAL2 && norm2 < MAXVAL * MAXVAL {
        let unit = normal * (1.0 / norm2.sqrt());
        [unit.x, unit.y, unit.z, dot(&unit, a)]
    } else {
        [normal.x, normal.y, normal.z, f64::MAX]
    }
}

/// Unit normals and distances of four faces, and a bit per face that has a normal.
pub(crate) fn face_planes_plain(corners: &Corners<'_>) -> ([Foot; LANES], u32) {
    let mut sure = 0;
    let planes = [0, 1, 2, 3].map(|lane: usize| {
        let [a, b, c] = [corners[0][lane], corners[1][lane], corners[2][lane]];
        let normal = cross(&(c - a), &(b - a));
        let norm2 = dot(&normal, &normal);
        let unit = normal * (1.0 / norm2.sqrt());
        sure |= u32::from(norm2 > MINVAL2 && norm2 < MAXVAL * MAXVAL) << lane;
        [unit.x, unit.y, unit.z, dot(&unit, a)]
    });
    (planes, sure)
}

/// Where the least number is, the first on ties; `None` when none is less than `f64::MAX`.
pub(crate) fn least_plain(all: &[Four]) -> Option<usize> {
    let (mut least, mut place) = (f64::MAX, None);
    for (i, four) in all.iter().enumerate() {
        for (lane, x) in four.iter().enumerate() {
            if *x < least {
                (least, place) = (*x, Some(LANES * i + lane));
            }
        }
    }
    place
}

/// The same for CPUs with AVX.
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx {
    use std::arch::x86_64::{
        __m256d, _CMP_EQ_OQ, _CMP_GT_OQ, _CMP_LT_OQ, _CMP_NEQ_UQ, _mm256_and_pd, _mm256_cmp_pd, _mm256_cvtsd_f64,
        _mm256_div_pd, _mm256_min_pd, _mm256_movemask_pd, _mm256_mul_pd, _mm256_permute_pd, _mm256_permute2f128_pd,
        _mm256_set1_pd, _mm256_setr_pd, _mm256_setzero_pd, _mm256_sqrt_pd, _mm256_sub_pd,
    };

    use sim_types::{MAXVAL, MINVAL};

    use super::{Corners, Foot, Four, LANES, MINVAL2};
    use crate::four::{Vectors, dot, load, rows, scale, sub};

    /// `v[i]·w[j] − v[j]·w[i]`.
    #[inline]
    #[target_feature(enable = "avx")]
    fn minor(v: Vectors, w: Vectors, i: usize, j: usize) -> __m256d {
        _mm256_sub_pd(_mm256_mul_pd(v[i], w[j]), _mm256_mul_pd(v[j], w[i]))
    }

    #[inline]
    #[target_feature(enable = "avx")]
    pub(crate) fn feet(corners: &Corners<'_>) -> ([Foot; LANES], u32) {
        let [a, b, c] = [load(corners[0]), load(corners[1]), load(corners[2])];
        let (ab, bc) = (sub(b, a), sub(c, b));
        let n = [minor(bc, ab, 1, 2), minor(bc, ab, 2, 0), minor(bc, ab, 0, 1)];
        let (nv, nn) = (dot(n, b), dot(n, n));
        let v = scale(n, _mm256_div_pd(nv, nn));
        let dist2 = dot(v, v);
        let long = _mm256_cmp_pd::<_CMP_GT_OQ>(nn, _mm256_set1_pd(MINVAL));
        let sure = _mm256_and_pd(long, _mm256_cmp_pd::<_CMP_NEQ_UQ>(nv, _mm256_setzero_pd()));

        (rows(v, dist2), _mm256_movemask_pd(sure) as u32)
    }

    #[inline]
    #[target_feature(enable = "avx")]
    pub(crate) fn face_planes(corners: &Corners<'_>) -> ([Foot; LANES], u32) {
        let [a, b, c] = [load(corners[0]), load(corners[1]), load(corners[2])];
        let (ab, ac) = (sub(b, a), sub(c, a));
        let n = [minor(ac, ab, 1, 2), minor(ac, ab, 2, 0), minor(ac, ab, 0, 1)];
        let nn = dot(n, n);
        let unit = scale(n, _mm256_div_pd(_mm256_set1_pd(1.0), _mm256_sqrt_pd(nn)));
        let long = _mm256_cmp_pd::<_CMP_GT_OQ>(nn, _mm256_set1_pd(MINVAL2));
        let sure = _mm256_and_pd(long, _mm256_cmp_pd::<_CMP_LT_OQ>(nn, _mm256_set1_pd(MAXVAL * MAXVAL)));
        (rows(unit, dot(unit, a)), _mm256_movemask_pd(sure) as u32)
    }

    #[inline]
    #[target_feature(enable = "avx")]
    pub(crate) fn least(all: &[Four]) -> Option<usize> {
        // where a number is not one, the minimum is the second operand
        let mut least = _mm256_set1_pd(f64::MAX);
        for [p, q, r, s] in all {
            least = _mm256_min_pd(_mm256_setr_pd(*p, *q, *r, *s), least);
        }
        let halves = _mm256_min_pd(_mm256_permute2f128_pd::<1>(least, least), least);
        let least = _mm256_min_pd(_mm256_permute_pd::<0b0101>(halves), halves);
        if _mm256_cvtsd_f64(least) == f64::MAX {
            return None;
        }
        for (i, [p, q, r, s]) in all.iter().enumerate() {
            let equal = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_EQ_OQ>(_mm256_setr_pd(*p, *q, *r, *s), least));
            if equal != 0 {
                return Some(LANES * i + equal.trailing_zeros() as usize);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Both kinds of code give the same bits; equal, zero and tiny triangles are among them.
        #[test]
        fn planes_do_not_depend_on_the_cpu(
            points in prop::collection::vec(prop::array::uniform3(-1.0..1.0f64), 12), same in 0_usize..12, tiny in 0..3,
        ) {
            let scale = [1.0, 1e-4, 1e-9][tiny as usize];
            let points: Vec<Vec3> = points.iter().map(|p| Vec3::from(*p) * scale).collect();
            let mut at: Vec<&Vec3> = points.iter().collect();
            at[same] = at[0];
            let corners = [[at[0], at[1], at[2], at[3]], [at[4], at[5], at[6], at[7]], [at[8], at[9], at[10], at[11]]];
            let bits = |(feet, sure): ([Foot; LANES], u32)| (feet.map(|f| f.map(f64::to_bits)), sure);
            prop_assert_eq!(bits(crate::wide::feet(&corners)), bits(feet_plain(&corners)));
            prop_assert_eq!(bits(crate::wide::face_planes(&corners)), bits(face_planes_plain(&corners)));
        }

        #[test]
        fn the_least_is_the_first_of_equals(mut all in prop::collection::vec(prop::array::uniform4(0..9), 0..9)) {
            all.dedup();
            let number = |x: i32| if x == 8 { f64::NAN } else if x == 7 { f64::MAX } else { f64::from(x) };
            let all: Vec<Four> = all.iter().map(|four| four.map(number)).collect();
            prop_assert_eq!(crate::wide::least(&all), least_plain(&all));
        }
    }

    #[test]
    fn a_triangle_without_a_plane_has_no_foot() {
        let (p, q) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.0, 0.0, 1.0));
        let (r, s) = (Vec3::new(1.0, 0.0, 1.0), Vec3::new(0.0, 1.0, 1.0));
        let found = feet(&[[&p, &q, &q, &p], [&p, &r, &q, &p], [&p, &s, &s, &q]]);
        assert_eq!(found, [[0.0; 4], [0.0, 0.0, 1.0, 1.0], [0.0; 4], [0.0; 4]]);
    }
}
