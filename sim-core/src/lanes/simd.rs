//! Four numbers in one register, and code that is compiled for it.
//!
//! The type is AVX's where there may be AVX, and an array elsewhere; [`available`] says whether it may be used. Nothing
//! here fuses a product with a sum, and each operation does to every number what IEEE 754 says, so results do not
//! depend on the type.

#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "code for AVX2 may only be called after asking the CPU; this is the one place that does"
    )
)]

use super::LANES;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx::F4;
#[cfg(not(target_arch = "x86_64"))]
pub(crate) use plain::F4;

/// True when four environments at once are faster than one after the other. Otherwise no [`F4`] may be computed with.
pub(super) fn available() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("avx2")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// A function that is compiled for wide registers, with everything that is inlined into it.
pub(super) trait Kernel {
    /// Does the work. Must be `#[inline(always)]`, and so must be what it calls.
    fn run(self);
}

/// Runs a kernel if [`available`], which the caller has asked already: this is for [`super::Lanes`] alone.
#[inline]
pub(super) fn run<K: Kernel>(kernel: K) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn avx2<K: Kernel>(kernel: K) {
            kernel.run();
        }
        // SAFETY: kernels hold a `Lanes`, and there is one only on a CPU with AVX2 (`available`), which is all that the
        // function asks for beyond the build's own target.
        unsafe { avx2(kernel) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    kernel.run();
}

/// Puts numbers of four environments side by side, as many as fit into `to`.
#[inline(always)]
pub(super) fn gather(from: [&[f64]; LANES], to: &mut [F4]) {
    let n = to.len();
    let [a, b, c, d] = from;
    let (a, b, c, d) = (&a[..n], &b[..n], &c[..n], &d[..n]);
    let (fours, _) = to.as_chunks_mut::<4>();
    for (i, four) in fours.iter_mut().enumerate() {
        let i = 4 * i;
        if let (Some(a), Some(b), Some(c), Some(d)) =
            (a[i..].first_chunk(), b[i..].first_chunk(), c[i..].first_chunk(), d[i..].first_chunk())
        {
            *four = F4::transposed([F4::load(a), F4::load(b), F4::load(c), F4::load(d)]);
        }
    }
    for i in n - n % 4..n {
        to[i] = F4::load(&[a[i], b[i], c[i], d[i]]);
    }
}

/// Gives four environments their numbers, as many as there are in `from`.
#[inline(always)]
pub(super) fn scatter(from: &[F4], to: [&mut [f64]; LANES]) {
    let n = from.len();
    let [a, b, c, d] = to;
    let (a, b, c, d) = (&mut a[..n], &mut b[..n], &mut c[..n], &mut d[..n]);
    let (fours, _) = from.as_chunks::<4>();
    for (i, four) in fours.iter().enumerate() {
        let i = 4 * i;
        if let (Some(a), Some(b), Some(c), Some(d)) =
            (a[i..].first_chunk_mut(), b[i..].first_chunk_mut(), c[i..].first_chunk_mut(), d[i..].first_chunk_mut())
        {
            let [p, q, r, s] = F4::transposed(*four);
            p.store(a);
            q.store(b);
            r.store(c);
            s.store(d);
        }
    }
    for i in n - n % 4..n {
        let mut numbers = [0.0; 4];
        from[i].store(&mut numbers);
        [a[i], b[i], c[i], d[i]] = numbers;
    }
}

#[cfg(target_arch = "x86_64")]
mod avx {
    use std::arch::x86_64::*;
    use std::ops::{Add, Div, Mul, Neg, Sub};

    use sim_types::lane::{self, Lane};

    /// Four numbers.
    #[derive(Clone, Copy, Debug)]
    #[repr(transparent)]
    pub(crate) struct F4(__m256d);

    macro_rules! operator {
        ($($trait:ident $method:ident $intrinsic:ident;)*) => {$(
            impl $trait for F4 {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    // SAFETY: only kernels compute with the type, and they run on CPUs with AVX2 (`super::run`).
                    Self(unsafe { $intrinsic(self.0, other.0) })
                }
            }
        )*};
    }
    operator! {
        Add add _mm256_add_pd;
        Sub sub _mm256_sub_pd;
        Mul mul _mm256_mul_pd;
        Div div _mm256_div_pd;
    }

    impl Neg for F4 {
        type Output = Self;
        #[inline(always)]
        fn neg(self) -> Self {
            // SAFETY: as for the operators.
            Self(unsafe { _mm256_xor_pd(self.0, _mm256_set1_pd(-0.0)) })
        }
    }

    impl Lane for F4 {
        type Mask = Self;

        #[inline(always)]
        fn splat(x: f64) -> Self {
            // SAFETY: as for the operators.
            Self(unsafe { _mm256_set1_pd(x) })
        }
        #[inline(always)]
        fn sqrt(self) -> Self {
            // SAFETY: as for the operators.
            Self(unsafe { _mm256_sqrt_pd(self.0) })
        }
        #[inline(always)]
        fn abs(self) -> Self {
            // SAFETY: as for the operators.
            Self(unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0) })
        }
        #[inline(always)]
        fn lt(self, other: Self) -> Self {
            // SAFETY: as for the operators.
            Self(unsafe { _mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0) })
        }
        #[inline(always)]
        fn le(self, other: Self) -> Self {
            // SAFETY: as for the operators.
            Self(unsafe { _mm256_cmp_pd::<_CMP_LE_OQ>(self.0, other.0) })
        }
        #[inline(always)]
        fn eq(self, other: Self) -> Self {
            // SAFETY: as for the operators.
            Self(unsafe { _mm256_cmp_pd::<_CMP_EQ_OQ>(self.0, other.0) })
        }
        #[inline(always)]
        fn select(mask: Self, yes: Self, no: Self) -> Self {
            // SAFETY: as for the operators.
            Self(unsafe { _mm256_blendv_pd(no.0, yes.0, mask.0) })
        }
        #[inline(always)]
        fn all(mask: Self) -> bool {
            // SAFETY: as for the operators.
            unsafe { _mm256_movemask_pd(mask.0) == 15 }
        }
        #[inline(always)]
        fn sincos(self) -> (Self, Self) {
            // SAFETY: as for the operators.
            let small = unsafe { _mm256_movemask_pd(self.abs().le(Self::splat(lane::SMALL_ANGLE)).0) } == 0b1111;
            if small {
                return lane::sincos_small(self);
            }
            let (mut x, mut sin, mut cos) = ([0.0; 4], [0.0; 4], [0.0; 4]);
            self.store(&mut x);
            for k in 0..4 {
                (sin[k], cos[k]) = sim_types::math::sincos(x[k]);
            }
            (Self::load(&sin), Self::load(&cos))
        }
    }

    impl F4 {
        /// No numbers yet; may be made on any CPU.
        pub(crate) fn zero() -> Self {
            Self(sim_types::cast::must_cast([0.0_f64; 4]))
        }

        #[inline(always)]
        pub(crate) fn load(x: &[f64; 4]) -> Self {
            // SAFETY: as for the operators; four numbers may be read there.
            Self(unsafe { _mm256_loadu_pd(x.as_ptr()) })
        }

        #[inline(always)]
        pub(crate) fn store(self, x: &mut [f64; 4]) {
            // SAFETY: as for the operators; four numbers may be written there.
            unsafe { _mm256_storeu_pd(x.as_mut_ptr(), self.0) }
        }

        /// Rows as columns.
        #[inline(always)]
        pub(crate) fn transposed([a, b, c, d]: [Self; 4]) -> [Self; 4] {
            // SAFETY: as for the operators.
            unsafe {
                let (ab0, ab1) = (_mm256_unpacklo_pd(a.0, b.0), _mm256_unpackhi_pd(a.0, b.0));
                let (cd0, cd1) = (_mm256_unpacklo_pd(c.0, d.0), _mm256_unpackhi_pd(c.0, d.0));
                [
                    Self(_mm256_permute2f128_pd::<0x20>(ab0, cd0)),
                    Self(_mm256_permute2f128_pd::<0x20>(ab1, cd1)),
                    Self(_mm256_permute2f128_pd::<0x31>(ab0, cd0)),
                    Self(_mm256_permute2f128_pd::<0x31>(ab1, cd1)),
                ]
            }
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod plain {
    use std::ops::{Add, Div, Mul, Neg, Sub};

    use sim_types::lane::Lane;

    /// Four numbers.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct F4([f64; 4]);

    macro_rules! operator {
        ($($trait:ident $method:ident;)*) => {$(
            impl $trait for F4 {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    Self(std::array::from_fn(|k| $trait::$method(self.0[k], other.0[k])))
                }
            }
        )*};
    }
    operator! {
        Add add;
        Sub sub;
        Mul mul;
        Div div;
    }

    impl Neg for F4 {
        type Output = Self;
        #[inline(always)]
        fn neg(self) -> Self {
            Self(self.0.map(|x| -x))
        }
    }

    impl Lane for F4 {
        type Mask = [bool; 4];

        #[inline(always)]
        fn splat(x: f64) -> Self {
            Self([x; 4])
        }
        #[inline(always)]
        fn sqrt(self) -> Self {
            Self(self.0.map(f64::sqrt))
        }
        #[inline(always)]
        fn abs(self) -> Self {
            Self(self.0.map(f64::abs))
        }
        #[inline(always)]
        fn lt(self, other: Self) -> [bool; 4] {
            std::array::from_fn(|k| self.0[k] < other.0[k])
        }
        #[inline(always)]
        fn le(self, other: Self) -> [bool; 4] {
            std::array::from_fn(|k| self.0[k] <= other.0[k])
        }
        #[inline(always)]
        fn eq(self, other: Self) -> [bool; 4] {
            std::array::from_fn(|k| self.0[k] == other.0[k])
        }
        #[inline(always)]
        fn select(mask: [bool; 4], yes: Self, no: Self) -> Self {
            Self(std::array::from_fn(|k| if mask[k] { yes.0[k] } else { no.0[k] }))
        }
        #[inline(always)]
        fn all(mask: [bool; 4]) -> bool {
            mask == [true; 4]
        }
        #[inline(always)]
        fn sincos(self) -> (Self, Self) {
            let both = self.0.map(sim_types::math::sincos);
            (Self(both.map(|x| x.0)), Self(both.map(|x| x.1)))
        }
    }

    impl F4 {
        pub(crate) fn zero() -> Self {
            Self([0.0; 4])
        }

        #[inline(always)]
        pub(crate) fn load(x: &[f64; 4]) -> Self {
            Self(*x)
        }

        #[inline(always)]
        pub(crate) fn store(self, x: &mut [f64; 4]) {
            *x = self.0;
        }

        /// Rows as columns.
        #[inline(always)]
        pub(crate) fn transposed(rows: [Self; 4]) -> [Self; 4] {
            std::array::from_fn(|i| Self(std::array::from_fn(|k| rows[k].0[i])))
        }
    }
}
