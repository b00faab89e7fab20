//! Four numbers at once: one trait, with registers of AVX and without.
//!
//! A kernel takes a token of the kind of registers it may use. A token for AVX exists only where the CPU was asked, so
//! having one is the proof that its instructions may run. All kinds do the same operation on each number, and no kind
//! fuses a product with a sum: results do not depend on the kind.
//!
//! Loops over arrays of four would be turned into vectors by the compiler too, but it often transposes small blocks on
//! the way, which costs more than the arithmetic.

#![expect(unsafe_code, reason = "instructions of AVX may only run after asking the CPU; a token proves it was asked")]

use crate::kernel::Four;

/// A kind of registers.
pub(crate) trait Simd: Copy {
    /// Four numbers.
    type V: Copy;
    /// The numbers of memory.
    fn load(self, x: &Four) -> Self::V;
    /// Writes them back.
    fn store(self, v: Self::V, out: &mut Four);
    /// The first numbers of memory, at most four; zero in the places that are left.
    ///
    /// Numbers that were copied together one by one and then loaded at once would wait for the copies to reach memory.
    fn load_part(self, x: &[f64]) -> Self::V;
    /// Writes as many of them back as there is room for.
    fn store_part(self, v: Self::V, out: &mut [f64]);
    /// Four times the same.
    fn splat(self, x: f64) -> Self::V;
    /// `a + b`.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a − b`.
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a·b`.
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    /// `v` where `x` is negative, 0 elsewhere.
    fn where_negative(self, x: Self::V, v: Self::V) -> Self::V;
    /// 0 where `x` is zero or more, `v` elsewhere, also where `x` is not a number.
    fn unless_positive(self, x: Self::V, v: Self::V) -> Self::V;
    /// Bits of the places where [`unless_positive`](Self::unless_positive) gives `v`.
    fn not_positive(self, x: Self::V) -> usize;
    /// The sum of the four, in the order of [`sum4`](crate::kernel::sum4).
    fn sum(self, v: Self::V) -> f64;
    /// The sums of four groups.
    fn sums(self, v: [Self::V; 4]) -> Self::V;

    /// `a + b·c`.
    #[inline(always)]
    fn add_mul(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.add(a, self.mul(b, c))
    }

    /// `a − b·c`.
    #[inline(always)]
    fn sub_mul(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.sub(a, self.mul(b, c))
    }
}

/// Registers that every machine has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain;

impl Simd for Plain {
    type V = Four;

    #[inline(always)]
    fn load(self, x: &Four) -> Four {
        *x
    }

    #[inline(always)]
    fn store(self, v: Four, out: &mut Four) {
        *out = v;
    }

    #[inline(always)]
    fn load_part(self, x: &[f64]) -> Four {
        let mut out = [0.0; 4];
        for (out, x) in out.iter_mut().zip(x) {
            *out = *x;
        }
        out
    }

    #[inline(always)]
    fn store_part(self, v: Four, out: &mut [f64]) {
        for (out, v) in out.iter_mut().zip(v) {
            *out = v;
        }
    }

    #[inline(always)]
    fn splat(self, x: f64) -> Four {
        [x; 4]
    }

    #[inline(always)]
    fn add(self, a: Four, b: Four) -> Four {
        [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]]
    }

    #[inline(always)]
    fn sub(self, a: Four, b: Four) -> Four {
        [a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]]
    }

    #[inline(always)]
    fn mul(self, a: Four, b: Four) -> Four {
        [a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]]
    }

    #[inline(always)]
    fn where_negative(self, x: Four, v: Four) -> Four {
        std::array::from_fn(|l| if x[l] < 0.0 { v[l] } else { 0.0 })
    }

    #[inline(always)]
    fn unless_positive(self, x: Four, v: Four) -> Four {
        std::array::from_fn(|l| if x[l] >= 0.0 { 0.0 } else { v[l] })
    }

    #[inline(always)]
    fn not_positive(self, x: Four) -> usize {
        (0..4).map(|l| if x[l] >= 0.0 { 0 } else { 1 << l }).sum()
    }

    #[inline(always)]
    fn sum(self, v: Four) -> f64 {
        crate::kernel::sum4(v)
    }

    #[inline(always)]
    fn sums(self, v: [Four; 4]) -> Four {
        v.map(crate::kernel::sum4)
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use avx::Avx;

#[cfg(target_arch = "x86_64")]
mod avx {
    use super::{Four, Simd};
    use core::arch::x86_64::*;

    /// Registers of 256 bits.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx(());

    impl Avx {
        /// The token.
        ///
        /// # Safety
        /// The CPU has AVX.
        #[inline(always)]
        pub(crate) unsafe fn new() -> Self {
            Self(())
        }
    }

    /// Masks of the first `n` places.
    const FIRST: [[i64; 4]; 5] = [[0; 4], [-1, 0, 0, 0], [-1, -1, 0, 0], [-1, -1, -1, 0], [-1; 4]];

    // SAFETY of every block below: there is a token, so the CPU has AVX; pointers come from references to four numbers,
    // and the unaligned forms of load and store ask for no more.
    impl Simd for Avx {
        type V = __m256d;

        #[inline(always)]
        fn load(self, x: &Four) -> __m256d {
            // SAFETY: see above
            unsafe { _mm256_loadu_pd(x.as_ptr()) }
        }

        #[inline(always)]
        fn store(self, v: __m256d, out: &mut Four) {
            // SAFETY: see above
            unsafe { _mm256_storeu_pd(out.as_mut_ptr(), v) }
        }

        #[inline(always)]
        fn load_part(self, x: &[f64]) -> __m256d {
            let mask = &FIRST[x.len().min(4)];
            // SAFETY: see above; a place that the mask leaves out is not read
            unsafe { _mm256_maskload_pd(x.as_ptr(), _mm256_loadu_si256(mask.as_ptr().cast())) }
        }

        #[inline(always)]
        fn store_part(self, v: __m256d, out: &mut [f64]) {
            let to = out.as_mut_ptr();
            // SAFETY: see above; no more is written than the slice is long
            unsafe {
                let (low, high) = (_mm256_castpd256_pd128(v), _mm256_extractf128_pd::<1>(v));
                match out.len() {
                    0 => {}
                    1 => _mm_store_sd(to, low),
                    2 => _mm_storeu_pd(to, low),
                    3 => {
                        _mm_storeu_pd(to, low);
                        _mm_store_sd(to.add(2), high);
                    }
                    _ => _mm256_storeu_pd(to, v),
                }
            }
        }

        #[inline(always)]
        fn splat(self, x: f64) -> __m256d {
            // SAFETY: see above
            unsafe { _mm256_set1_pd(x) }
        }

        #[inline(always)]
        fn add(self, a: __m256d, b: __m256d) -> __m256d {
            // SAFETY: see above
            unsafe { _mm256_add_pd(a, b) }
        }

        #[inline(always)]
        fn sub(self, a: __m256d, b: __m256d) -> __m256d {
            // SAFETY: see above
            unsafe { _mm256_sub_pd(a, b) }
        }

        #[inline(always)]
        fn mul(self, a: __m256d, b: __m256d) -> __m256d {
            // SAFETY: see above
            unsafe { _mm256_mul_pd(a, b) }
        }

        #[inline(always)]
        fn where_negative(self, x: __m256d, v: __m256d) -> __m256d {
            // SAFETY: see above
            unsafe { _mm256_and_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(x, _mm256_setzero_pd()), v) }
        }

        #[inline(always)]
        fn unless_positive(self, x: __m256d, v: __m256d) -> __m256d {
            // SAFETY: see above
            unsafe { _mm256_and_pd(_mm256_cmp_pd::<_CMP_NGE_UQ>(x, _mm256_setzero_pd()), v) }
        }

        #[inline(always)]
        fn not_positive(self, x: __m256d) -> usize {
            // SAFETY: see above
            unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_NGE_UQ>(x, _mm256_setzero_pd())) as usize }
        }

        #[inline(always)]
        fn sum(self, v: __m256d) -> f64 {
            // SAFETY: see above
            unsafe {
                let pair = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd::<1>(v));
                _mm_cvtsd_f64(_mm_add_sd(pair, _mm_unpackhi_pd(pair, pair)))
            }
        }

        #[inline(always)]
        fn sums(self, v: [__m256d; 4]) -> __m256d {
            // SAFETY: see above
            unsafe {
                let low = [_mm256_permute2f128_pd::<0x20>(v[0], v[2]), _mm256_permute2f128_pd::<0x20>(v[1], v[3])];
                let high = [_mm256_permute2f128_pd::<0x31>(v[0], v[2]), _mm256_permute2f128_pd::<0x31>(v[1], v[3])];
                _mm256_hadd_pd(_mm256_add_pd(low[0], high[0]), _mm256_add_pd(low[1], high[1]))
            }
        }
    }
}

/// Four neighbours in a slice, from `first` on.
#[inline(always)]
pub(crate) fn four(x: &[f64], first: usize) -> &Four {
    match x[first..].first_chunk() {
        Some(x) => x,
        None => &[0.0; 4],
    }
}
