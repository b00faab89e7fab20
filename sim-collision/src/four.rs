//! Arithmetic on four numbers at a time, for CPUs with AVX.

use std::arch::x86_64::{
    __m256d, _mm_cvtsd_f64, _mm_unpackhi_pd, _mm256_add_pd, _mm256_castpd256_pd128, _mm256_extractf128_pd,
    _mm256_mul_pd, _mm256_permute2f128_pd, _mm256_setr_pd, _mm256_sub_pd, _mm256_unpackhi_pd, _mm256_unpacklo_pd,
};

use sim_types::Vec3;

/// Four vectors, one register per coordinate.
pub(crate) type Vectors = [__m256d; 3];

/// Four vectors from memory.
#[inline]
#[target_feature(enable = "avx")]
pub(crate) fn load([p, q, r, s]: [&Vec3; 4]) -> Vectors {
    [_mm256_setr_pd(p.x, q.x, r.x, s.x), _mm256_setr_pd(p.y, q.y, r.y, s.y), _mm256_setr_pd(p.z, q.z, r.z, s.z)]
}

/// `v − w`.
#[inline]
#[target_feature(enable = "avx")]
pub(crate) fn sub(v: Vectors, w: Vectors) -> Vectors {
    [_mm256_sub_pd(v[0], w[0]), _mm256_sub_pd(v[1], w[1]), _mm256_sub_pd(v[2], w[2])]
}

/// `v·w`, summed from left to right.
#[inline]
#[target_feature(enable = "avx")]
pub(crate) fn dot(v: Vectors, w: Vectors) -> __m256d {
    let xy = _mm256_add_pd(_mm256_mul_pd(v[0], w[0]), _mm256_mul_pd(v[1], w[1]));
    _mm256_add_pd(xy, _mm256_mul_pd(v[2], w[2]))
}

/// `v` times a number each.
#[inline]
#[target_feature(enable = "avx")]
pub(crate) fn scale(v: Vectors, by: __m256d) -> Vectors {
    [_mm256_mul_pd(v[0], by), _mm256_mul_pd(v[1], by), _mm256_mul_pd(v[2], by)]
}

/// The four numbers of a register.
#[inline]
#[target_feature(enable = "avx")]
pub(crate) fn numbers(v: __m256d) -> [f64; 4] {
    let (low, high) = (_mm256_castpd256_pd128(v), _mm256_extractf128_pd::<1>(v));
    [
        _mm_cvtsd_f64(low),
        _mm_cvtsd_f64(_mm_unpackhi_pd(low, low)),
        _mm_cvtsd_f64(high),
        _mm_cvtsd_f64(_mm_unpackhi_pd(high, high)),
    ]
}

/// From one register per coordinate to the coordinates of each of four vectors, and a fourth number each.
#[inline]
#[target_feature(enable = "avx")]
pub(crate) fn rows(v: Vectors, last: __m256d) -> [[f64; 4]; 4] {
    let (xy, xy2) = (_mm256_unpacklo_pd(v[0], v[1]), _mm256_unpackhi_pd(v[0], v[1]));
    let (zd, zd2) = (_mm256_unpacklo_pd(v[2], last), _mm256_unpackhi_pd(v[2], last));
    [
        numbers(_mm256_permute2f128_pd::<0x20>(xy, zd)),
        numbers(_mm256_permute2f128_pd::<0x20>(xy2, zd2)),
        numbers(_mm256_permute2f128_pd::<0x31>(xy, zd)),
        numbers(_mm256_permute2f128_pd::<0x31>(xy2, zd2)),
    ]
}
