//! The vectors of AVX2 and of AVX-512 (F, BW, VL, BITALG).
//!
//! # Safety
//! As for the traits: the caller knows that the machine has the instructions.

use super::lanes::{Lanes, Lanes16};
use std::arch::x86_64::*;

#[derive(Clone, Copy)]
pub struct Avx2(__m256i);

impl Lanes16 for Avx2 {
    const N: usize = 16;
    #[inline(always)]
    unsafe fn zero() -> Self {
        Avx2(_mm256_setzero_si256())
    }
    #[inline(always)]
    unsafe fn splat(x: u16) -> Self {
        Avx2(_mm256_set1_epi16(x as i16))
    }
    #[inline(always)]
    unsafe fn load(from: *const u16) -> Self {
        Avx2(_mm256_loadu_si256(from.cast()))
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u16) {
        _mm256_storeu_si256(to.cast(), self.0)
    }
    #[inline(always)]
    unsafe fn and(self, other: Self) -> Self {
        Avx2(_mm256_and_si256(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        Avx2(_mm256_add_epi16(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn shift_left(self, by: u32) -> Self {
        Avx2(_mm256_sll_epi16(self.0, _mm_cvtsi32_si128(by as i32)))
    }
    #[inline(always)]
    unsafe fn ones(self) -> Self {
        // Ones of a nibble by table, two nibbles to a byte, two bytes to a lane.
        let table = _mm256_setr_epi8(
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
        );
        let nibble = _mm256_set1_epi8(15);
        let low = _mm256_shuffle_epi8(table, _mm256_and_si256(self.0, nibble));
        let high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), nibble));
        Avx2(_mm256_maddubs_epi16(_mm256_add_epi8(low, high), _mm256_set1_epi8(1)))
    }
}

#[derive(Clone, Copy)]
pub struct Avx512(__m512i);

impl Lanes16 for Avx512 {
    const N: usize = 32;
    #[inline(always)]
    unsafe fn zero() -> Self {
        Avx512(_mm512_setzero_si512())
    }
    #[inline(always)]
    unsafe fn splat(x: u16) -> Self {
        Avx512(_mm512_set1_epi16(x as i16))
    }
    #[inline(always)]
    unsafe fn load(from: *const u16) -> Self {
        Avx512(_mm512_loadu_si512(from.cast()))
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u16) {
        _mm512_storeu_si512(to.cast(), self.0)
    }
    #[inline(always)]
    unsafe fn and(self, other: Self) -> Self {
        Avx512(_mm512_and_si512(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        Avx512(_mm512_add_epi16(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn shift_left(self, by: u32) -> Self {
        Avx512(_mm512_sll_epi16(self.0, _mm_cvtsi32_si128(by as i32)))
    }
    #[inline(always)]
    unsafe fn ones(self) -> Self {
        Avx512(_mm512_popcnt_epi16(self.0))
    }
}

macro_rules! signed {
    ($name:ident, $element:ty, $n:literal, $vector:ty, $splat:ident, $load:ident, $store:ident, $add:ident, $sub:ident,
     $mul:ident, $max:ident, $min:ident, $abs:ident, $u16:expr, $u32:expr) => {
        #[derive(Clone, Copy)]
        pub struct $name($vector);

        impl Lanes for $name {
            type E = $element;
            const N: usize = $n;
            #[inline(always)]
            unsafe fn splat(x: $element) -> Self {
                $name($splat(x))
            }
            #[inline(always)]
            unsafe fn load(from: *const $element) -> Self {
                $name($load(from.cast()))
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $element) {
                $store(to.cast(), self.0)
            }
            #[inline(always)]
            unsafe fn from_u16(from: *const u16) -> Self {
                $name($u16(from))
            }
            #[inline(always)]
            unsafe fn from_u32(from: *const u32) -> Self {
                $name($u32(from))
            }
            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                $name($add(self.0, other.0))
            }
            #[inline(always)]
            unsafe fn sub(self, other: Self) -> Self {
                $name($sub(self.0, other.0))
            }
            #[inline(always)]
            unsafe fn mul(self, other: Self) -> Self {
                $name($mul(self.0, other.0))
            }
            #[inline(always)]
            unsafe fn max(self, other: Self) -> Self {
                $name($max(self.0, other.0))
            }
            #[inline(always)]
            unsafe fn min(self, other: Self) -> Self {
                $name($min(self.0, other.0))
            }
            #[inline(always)]
            unsafe fn abs(self) -> Self {
                $name($abs(self.0))
            }
        }
    };
}

// Lanes of 16 bits are chosen only where every count fits into them, so that narrowing 32-bit counts never happens
// there: these four say so by going lane by lane.
#[inline(always)]
unsafe fn narrow<const N: usize>(from: *const u32) -> [i16; N] {
    std::array::from_fn(|i| from.add(i).read() as i16)
}
#[inline(always)]
unsafe fn narrow_256(from: *const u32) -> __m256i {
    _mm256_loadu_si256(narrow::<16>(from).as_ptr().cast())
}
#[inline(always)]
unsafe fn narrow_512(from: *const u32) -> __m512i {
    _mm512_loadu_si512(narrow::<32>(from).as_ptr().cast())
}
#[inline(always)]
unsafe fn same_256<T>(from: *const T) -> __m256i {
    _mm256_loadu_si256(from.cast())
}
#[inline(always)]
unsafe fn same_512<T>(from: *const T) -> __m512i {
    _mm512_loadu_si512(from.cast())
}
#[inline(always)]
unsafe fn widen_256(from: *const u16) -> __m256i {
    _mm256_cvtepu16_epi32(_mm_loadu_si128(from.cast()))
}
#[inline(always)]
unsafe fn widen_512(from: *const u16) -> __m512i {
    _mm512_cvtepu16_epi32(_mm256_loadu_si256(from.cast()))
}

signed!(
    Avx2I16,
    i16,
    16,
    __m256i,
    _mm256_set1_epi16,
    _mm256_loadu_si256,
    _mm256_storeu_si256,
    _mm256_add_epi16,
    _mm256_sub_epi16,
    _mm256_mullo_epi16,
    _mm256_max_epi16,
    _mm256_min_epi16,
    _mm256_abs_epi16,
    same_256,
    narrow_256
);
signed!(
    Avx2I32,
    i32,
    8,
    __m256i,
    _mm256_set1_epi32,
    _mm256_loadu_si256,
    _mm256_storeu_si256,
    _mm256_add_epi32,
    _mm256_sub_epi32,
    _mm256_mullo_epi32,
    _mm256_max_epi32,
    _mm256_min_epi32,
    _mm256_abs_epi32,
    widen_256,
    same_256
);
signed!(
    Avx512I16,
    i16,
    32,
    __m512i,
    _mm512_set1_epi16,
    _mm512_loadu_si512,
    _mm512_storeu_si512,
    _mm512_add_epi16,
    _mm512_sub_epi16,
    _mm512_mullo_epi16,
    _mm512_max_epi16,
    _mm512_min_epi16,
    _mm512_abs_epi16,
    same_512,
    narrow_512
);
signed!(
    Avx512I32,
    i32,
    16,
    __m512i,
    _mm512_set1_epi32,
    _mm512_loadu_si512,
    _mm512_storeu_si512,
    _mm512_add_epi32,
    _mm512_sub_epi32,
    _mm512_mullo_epi32,
    _mm512_max_epi32,
    _mm512_min_epi32,
    _mm512_abs_epi32,
    widen_512,
    same_512
);
