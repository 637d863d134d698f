//! Eight words in a 512-bit register. One instruction a method, but for the transposition.

use core::arch::x86_64::*;

use super::Ifma;
use crate::u64x8::U64x8;

/// Eight lanes in an AVX-512 register.
///
/// Only functions that are given an [`Ifma`] or another `IfmaU64x8` make one: whoever has a value
/// runs on a CPU with AVX-512F, IFMA and VBMI2. That is the reason of every block below.
#[derive(Clone, Copy, Debug)]
pub struct IfmaU64x8(__m512i);

/// An intrinsic that needs no more than the features.
macro_rules! intrinsic {
    ($call:expr) => {{
        // SAFETY: a value of `IfmaU64x8` or `Ifma` is an argument: the CPU has the features.
        unsafe { $call }
    }};
}

impl U64x8 for IfmaU64x8 {
    type Cpu = Ifma;

    #[inline(always)]
    fn cpu(self) -> Ifma {
        Ifma(())
    }
    #[inline(always)]
    fn splat(_: Ifma, x: u64) -> Self {
        Self(intrinsic!(_mm512_set1_epi64(x.cast_signed())))
    }
    #[inline(always)]
    fn load(_: Ifma, words: &[u64; 8]) -> Self {
        // SAFETY: 64 readable bytes of any alignment; the CPU has the features (see the type).
        Self(unsafe { _mm512_loadu_si512(words.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, words: &mut [u64; 8]) {
        // SAFETY: 64 writable bytes of any alignment; the CPU has the features (see the type).
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn add(self, rhs: Self) -> Self {
        Self(intrinsic!(_mm512_add_epi64(self.0, rhs.0)))
    }
    #[inline(always)]
    fn sub(self, rhs: Self) -> Self {
        Self(intrinsic!(_mm512_sub_epi64(self.0, rhs.0)))
    }
    #[inline(always)]
    fn and(self, rhs: Self) -> Self {
        Self(intrinsic!(_mm512_and_si512(self.0, rhs.0)))
    }
    #[inline(always)]
    fn or(self, rhs: Self) -> Self {
        Self(intrinsic!(_mm512_or_si512(self.0, rhs.0)))
    }
    #[inline(always)]
    fn shl<const K: u32>(self) -> Self {
        Self(intrinsic!(_mm512_slli_epi64::<K>(self.0)))
    }
    #[inline(always)]
    fn shr<const K: u32>(self) -> Self {
        Self(intrinsic!(_mm512_srli_epi64::<K>(self.0)))
    }
    #[inline(always)]
    fn sar<const K: u32>(self) -> Self {
        Self(intrinsic!(_mm512_srai_epi64::<K>(self.0)))
    }
    #[inline(always)]
    fn funnel<const K: u32>(self, low: Self) -> Self {
        // The intrinsic's count is signed; a const generic cannot be converted, so match.
        Self(intrinsic!(match K {
            12 => _mm512_shldi_epi64::<12>(self.0, low.0),
            24 => _mm512_shldi_epi64::<24>(self.0, low.0),
            36 => _mm512_shldi_epi64::<36>(self.0, low.0),
            _ => _mm512_shldv_epi64(self.0, low.0, _mm512_set1_epi64(i64::from(K))),
        }))
    }
    #[inline(always)]
    fn madd52lo(self, a: Self, b: Self) -> Self {
        Self(intrinsic!(_mm512_madd52lo_epu64(self.0, a.0, b.0)))
    }
    #[inline(always)]
    fn madd52hi(self, a: Self, b: Self) -> Self {
        Self(intrinsic!(_mm512_madd52hi_epu64(self.0, a.0, b.0)))
    }
    #[inline(always)]
    fn permute(self, index: Self) -> Self {
        Self(intrinsic!(_mm512_permutexvar_epi64(index.0, self.0)))
    }
    #[inline(always)]
    fn select(self, mask: u8, other: Self) -> Self {
        Self(intrinsic!(_mm512_mask_mov_epi64(self.0, mask, other.0)))
    }
    #[inline(always)]
    fn eq_mask(self, rhs: Self) -> u8 {
        intrinsic!(_mm512_cmpeq_epi64_mask(self.0, rhs.0))
    }
    #[inline(always)]
    fn transpose(rows: [Self; 8]) -> [Self; 8] {
        // Pairs of words, then pairs of pairs, then halves: three steps of eight shuffles.
        let mut out = rows;
        for i in 0..4 {
            let (a, b) = (rows[2 * i].0, rows[2 * i + 1].0);
            out[2 * i].0 = intrinsic!(_mm512_unpacklo_epi64(a, b));
            out[2 * i + 1].0 = intrinsic!(_mm512_unpackhi_epi64(a, b));
        }
        // Now out[2i + k] holds words k, k+2, k+4, k+6 of rows 2i and 2i+1.
        let even = intrinsic!(_mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13));
        let odd = intrinsic!(_mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15));
        let step = out;
        for half in 0..2 {
            for k in 0..2 {
                let (a, b) = (step[4 * half + k].0, step[4 * half + 2 + k].0);
                out[4 * half + k].0 = intrinsic!(_mm512_permutex2var_epi64(a, even, b));
                out[4 * half + 2 + k].0 = intrinsic!(_mm512_permutex2var_epi64(a, odd, b));
            }
        }
        // Now out[4h + j] holds words j and j+4 of rows 4h .. 4h+3.
        let step = out;
        for j in 0..4 {
            let (a, b) = (step[j].0, step[4 + j].0);
            out[j].0 = intrinsic!(_mm512_shuffle_i64x2::<0x44>(a, b));
            out[4 + j].0 = intrinsic!(_mm512_shuffle_i64x2::<0xee>(a, b));
        }
        out
    }
}
