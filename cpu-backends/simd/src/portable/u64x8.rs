//! Eight words in an array.

use core::array::from_fn;

use super::Portable;
use crate::u64x8::U64x8;

const M52: u64 = (1 << 52) - 1;

/// Eight lanes without vector instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortableU64x8([u64; 8]);

/// The 104-bit product of the low 52 bits.
fn product52(a: u64, b: u64) -> u128 {
    u128::from(a & M52) * u128::from(b & M52)
}

impl U64x8 for PortableU64x8 {
    type Cpu = Portable;

    #[inline(always)]
    fn cpu(self) -> Portable {
        Portable
    }
    #[inline(always)]
    fn splat(_: Portable, x: u64) -> Self {
        Self([x; 8])
    }
    #[inline(always)]
    fn load(_: Portable, words: &[u64; 8]) -> Self {
        Self(*words)
    }
    #[inline(always)]
    fn store(self, words: &mut [u64; 8]) {
        *words = self.0;
    }
    #[inline(always)]
    fn add(self, rhs: Self) -> Self {
        Self(from_fn(|i| self.0[i].wrapping_add(rhs.0[i])))
    }
    #[inline(always)]
    fn sub(self, rhs: Self) -> Self {
        Self(from_fn(|i| self.0[i].wrapping_sub(rhs.0[i])))
    }
    #[inline(always)]
    fn and(self, rhs: Self) -> Self {
        Self(from_fn(|i| self.0[i] & rhs.0[i]))
    }
    #[inline(always)]
    fn or(self, rhs: Self) -> Self {
        Self(from_fn(|i| self.0[i] | rhs.0[i]))
    }
    #[inline(always)]
    fn shl<const K: u32>(self) -> Self {
        Self(self.0.map(|x| x << K))
    }
    #[inline(always)]
    fn shr<const K: u32>(self) -> Self {
        Self(self.0.map(|x| x >> K))
    }
    #[inline(always)]
    fn sar<const K: u32>(self) -> Self {
        Self(self.0.map(|x| (x.cast_signed() >> K).cast_unsigned()))
    }
    #[inline(always)]
    fn funnel<const K: u32>(self, low: Self) -> Self {
        Self(from_fn(|i| self.0[i] << K | low.0[i] >> (64 - K)))
    }
    #[inline(always)]
    fn madd52lo(self, a: Self, b: Self) -> Self {
        Self(from_fn(|i| {
            self.0[i].wrapping_add(product52(a.0[i], b.0[i]) as u64 & M52)
        }))
    }
    #[inline(always)]
    fn madd52hi(self, a: Self, b: Self) -> Self {
        Self(from_fn(|i| {
            self.0[i].wrapping_add((product52(a.0[i], b.0[i]) >> 52) as u64)
        }))
    }
    #[inline(always)]
    fn permute(self, index: Self) -> Self {
        Self(from_fn(|i| self.0[(index.0[i] & 7) as usize]))
    }
    #[inline(always)]
    fn select(self, mask: u8, other: Self) -> Self {
        Self(from_fn(|i| {
            if mask >> i & 1 == 1 {
                other.0[i]
            } else {
                self.0[i]
            }
        }))
    }
    #[inline(always)]
    fn eq_mask(self, rhs: Self) -> u8 {
        (0..8).fold(0, |mask, i| mask | u8::from(self.0[i] == rhs.0[i]) << i)
    }
    #[inline(always)]
    fn transpose(rows: [Self; 8]) -> [Self; 8] {
        from_fn(|j| Self(from_fn(|i| rows[i].0[j])))
    }
}
