//! The quadratic extension of BN254's base field, `Fp[u] / (u^2 + 1)`.

use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use super::Fp;
use crate::traits::Field;

/// `c0 + c1 * u` with `u^2 = -1`.
///
/// Encoding: c0 then c1, 32 bytes each, little-endian (EIP-197 writes the other order).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Fp2 {
    /// The real part.
    pub c0: Fp,
    /// The imaginary part.
    pub c1: Fp,
}

impl Fp2 {
    /// `c0 + c1 * u`.
    pub const fn new(c0: Fp, c1: Fp) -> Self {
        Self { c0, c1 }
    }

    /// `c0 - c1 * u`, which is also the p-th power.
    pub fn conjugate(&self) -> Self {
        Self::new(self.c0, -self.c1)
    }

    /// `c0^2 + c1^2`, the product of the element and its conjugate.
    pub fn norm(&self) -> Fp {
        self.c0.square() + self.c1.square()
    }
}

impl Field for Fp2 {
    const ZERO: Self = Self::new(Fp::ZERO, Fp::ZERO);
    const ONE: Self = Self::new(Fp::ONE, Fp::ZERO);
    const BYTES: usize = 64;

    #[inline(always)]
    fn is_zero(&self) -> bool {
        self.c0.is_zero() && self.c1.is_zero()
    }

    #[inline(always)]
    fn square(&self) -> Self {
        // (c0 + c1)(c0 - c1) = c0^2 - c1^2
        Self::new(
            (self.c0 + self.c1) * (self.c0 - self.c1),
            (self.c0 * self.c1).double(),
        )
    }

    #[inline(always)]
    fn double(&self) -> Self {
        Self::new(self.c0.double(), self.c1.double())
    }

    #[inline(always)]
    fn negate_if(self, negate: bool) -> Self {
        Self::new(self.c0.negate_if(negate), self.c1.negate_if(negate))
    }

    fn inverse(&self) -> Option<Self> {
        let inv = self.norm().inverse()?;
        Some(Self::new(self.c0 * inv, -(self.c1 * inv)))
    }

    fn from_bytes_le(bytes: &[u8]) -> Option<Self> {
        let (c0, c1) = bytes.split_at_checked(32)?;
        Some(Self::new(Fp::from_bytes_le(c0)?, Fp::from_bytes_le(c1)?))
    }

    fn write_bytes_le(&self, out: &mut [u8]) {
        assert_eq!(out.len(), 64, "an Fp2 element takes 64 bytes");
        let (c0, c1) = out.split_at_mut(32);
        self.c0.write_bytes_le(c0);
        self.c1.write_bytes_le(c1);
    }

    fn random(next_u64: &mut impl FnMut() -> u64) -> Self {
        Self::new(Fp::random(next_u64), Fp::random(next_u64))
    }
}

impl Add for Fp2 {
    type Output = Self;
    #[inline(always)]
    fn add(self, rhs: Self) -> Self {
        Self::new(self.c0 + rhs.c0, self.c1 + rhs.c1)
    }
}

impl Sub for Fp2 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, rhs: Self) -> Self {
        Self::new(self.c0 - rhs.c0, self.c1 - rhs.c1)
    }
}

impl Mul for Fp2 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, rhs: Self) -> Self {
        // Karatsuba: three products instead of four.
        let a = self.c0 * rhs.c0;
        let b = self.c1 * rhs.c1;
        let cross = (self.c0 + self.c1) * (rhs.c0 + rhs.c1);
        Self::new(a - b, cross - a - b)
    }
}

impl Neg for Fp2 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.c0, -self.c1)
    }
}

impl AddAssign for Fp2 {
    #[inline(always)]
    fn add_assign(&mut self, rhs: Self) {
        *self = *self + rhs;
    }
}

impl SubAssign for Fp2 {
    #[inline(always)]
    fn sub_assign(&mut self, rhs: Self) {
        *self = *self - rhs;
    }
}

impl MulAssign for Fp2 {
    #[inline(always)]
    fn mul_assign(&mut self, rhs: Self) {
        *self = *self * rhs;
    }
}
