//! Montgomery arithmetic modulo any odd prime below `2^254`, four 64-bit limbs, `R = 2^256`.
//!
//! The product is CIOS with the "no carry" shortcut: the modulus leaves spare bits in its top
//! limb, so the two carry words of a round never overflow their sum and no fifth accumulator
//! limb is needed. Results are brought below the modulus by one conditional subtraction; every
//! stored value is therefore canonical for its residue, and equality is a limb compare.
//!
//! Oracle: num-bigint in `tests/`, `zkria-golden` through `zkria-testkit`.
//!
//! Source: Koç, Acar, Kaliski 1996 (CIOS); the shortcut is described in the gnark-crypto
//! documentation and needs the top limb of the modulus below `2^63 - 1`.

use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::inverse;
use crate::limbs::{self, adc, mac};
use crate::traits::{Field, PrimeField};

/// Names a modulus; the implementing type is a marker, never a value.
pub trait MontParams: Send + Sync + 'static {
    /// The modulus: an odd prime below `2^254`, little-endian limbs.
    const MODULUS: [u64; 4];
    /// Name in debug output.
    const NAME: &'static str;
}

/// An element of the prime field named by `P`, stored as `value * 2^256 mod p`, fully reduced.
#[repr(transparent)]
pub struct Mont<P> {
    limbs: [u64; 4],
    params: PhantomData<fn() -> P>,
}

impl<P: MontParams> Mont<P> {
    const P: [u64; 4] = {
        assert!(P::MODULUS[0] & 1 == 1, "the modulus must be odd");
        assert!(P::MODULUS[3] >> 62 == 0, "the modulus must be below 2^254");
        P::MODULUS
    };
    /// `-p^-1 mod 2^64`.
    const N0: u64 = limbs::neg_inv64(P::MODULUS[0]);
    /// `2^256 mod p`, the internal form of one.
    const R: [u64; 4] = limbs::pow2_mod(256, &Self::P);
    /// `2^512 mod p`: multiplying by it enters Montgomery form.
    const R2: [u64; 4] = limbs::pow2_mod(512, &Self::P);
    /// `2^768 mod p`: multiplying an inverse of a Montgomery form by it restores the form.
    const R3: [u64; 4] = limbs::pow2_mod(768, &Self::P);
    const INVERSE: inverse::Modulus = inverse::Modulus::new(&P::MODULUS);

    #[inline(always)]
    const fn raw(limbs: [u64; 4]) -> Self {
        Self {
            limbs,
            params: PhantomData,
        }
    }

    /// `a * b / 2^256 mod p`, fully reduced, for `a < p` and any 256-bit `b`.
    ///
    /// Bound: before the last subtraction the value is below `(a*b + 2^256*p) / 2^256 < 2p`.
    #[inline(always)]
    const fn mont_mul(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        let p = &Self::P;
        let mut t = [0u64; 4];
        let mut i = 0;
        while i < 4 {
            let bi = b[i];
            let (t0, c) = mac(t[0], a[0], bi, 0);
            let m = t0.wrapping_mul(Self::N0);
            let (_, d) = mac(t0, m, p[0], 0);
            let (t1, c) = mac(t[1], a[1], bi, c);
            let (r0, d) = mac(t1, m, p[1], d);
            let (t2, c) = mac(t[2], a[2], bi, c);
            let (r1, d) = mac(t2, m, p[2], d);
            let (t3, c) = mac(t[3], a[3], bi, c);
            let (r2, d) = mac(t3, m, p[3], d);
            // No carry out: both words are below 2^63 because a and p are below 2^254.
            t = [r0, r1, r2, c + d];
            i += 1;
        }
        limbs::reduce_once(t, p)
    }

    /// `a^2 / 2^256 mod p`, fully reduced, for `a < p`: 10 limb products and 20 for the reduction
    /// against 36 of a product.
    #[inline(always)]
    const fn mont_square(a: &[u64; 4]) -> [u64; 4] {
        // Products of different limbs, each once ...
        let (r1, c) = mac(0, a[0], a[1], 0);
        let (r2, c) = mac(0, a[0], a[2], c);
        let (r3, r4) = mac(0, a[0], a[3], c);
        let (r3, c) = mac(r3, a[1], a[2], 0);
        let (r4, r5) = mac(r4, a[1], a[3], c);
        let (r5, r6) = mac(r5, a[2], a[3], 0);
        // ... doubled ...
        let r7 = r6 >> 63;
        let r6 = r6 << 1 | r5 >> 63;
        let r5 = r5 << 1 | r4 >> 63;
        let r4 = r4 << 1 | r3 >> 63;
        let r3 = r3 << 1 | r2 >> 63;
        let r2 = r2 << 1 | r1 >> 63;
        let r1 = r1 << 1;
        // ... and the squares of the limbs.
        let (r0, h0) = mac(0, a[0], a[0], 0);
        let (l1, h1) = mac(0, a[1], a[1], 0);
        let (l2, h2) = mac(0, a[2], a[2], 0);
        let (l3, h3) = mac(0, a[3], a[3], 0);
        let (r1, c) = adc(r1, h0, false);
        let (r2, c) = adc(r2, l1, c);
        let (r3, c) = adc(r3, h1, c);
        let (r4, c) = adc(r4, l2, c);
        let (r5, c) = adc(r5, h2, c);
        let (r6, c) = adc(r6, l3, c);
        let (r7, _) = adc(r7, h3, c);
        // The low half reduces to below p + 1, the high half is below p / 4: no carry, and the
        // sum is below 2p.
        let low = Self::fold(&[r0, r1, r2, r3]);
        let (sum, _) = limbs::add(&low, &[r4, r5, r6, r7]);
        limbs::reduce_once(sum, &Self::P)
    }

    /// `(a + k*p) / 2^256` for the `k < 2^256` that makes it whole; at most p.
    #[inline(always)]
    const fn fold(a: &[u64; 4]) -> [u64; 4] {
        let p = &Self::P;
        let mut t = *a;
        let mut i = 0;
        while i < 4 {
            let m = t[0].wrapping_mul(Self::N0);
            let (_, d) = mac(t[0], m, p[0], 0);
            let (r0, d) = mac(t[1], m, p[1], d);
            let (r1, d) = mac(t[2], m, p[2], d);
            let (r2, d) = mac(t[3], m, p[3], d);
            t = [r0, r1, r2, d];
            i += 1;
        }
        t
    }

    /// `a / 2^256 mod p`, fully reduced, for any 256-bit `a`: leaves Montgomery form.
    #[inline(always)]
    const fn mont_reduce(a: &[u64; 4]) -> [u64; 4] {
        limbs::reduce_once(Self::fold(a), &Self::P)
    }

    /// The element with the canonical value `limbs`, for constants.
    ///
    /// # Panics
    /// When `limbs` is not below the modulus; in a constant that is a compile error.
    pub const fn from_canonical(limbs: [u64; 4]) -> Self {
        assert!(
            limbs::less(&limbs, &Self::P),
            "constant not below the modulus"
        );
        Self::raw(Self::mont_mul(&Self::R2, &limbs))
    }
}

impl<P: MontParams> Field for Mont<P> {
    const ZERO: Self = Self::raw([0; 4]);
    const ONE: Self = Self::raw(Self::R);
    const BYTES: usize = 32;

    #[inline(always)]
    fn is_zero(&self) -> bool {
        let l = &self.limbs;
        (l[0] | l[1] | l[2] | l[3]) == 0
    }

    #[inline(always)]
    fn square(&self) -> Self {
        Self::raw(Self::mont_square(&self.limbs))
    }

    #[inline(always)]
    fn double(&self) -> Self {
        *self + *self
    }

    #[inline(always)]
    fn negate_if(self, negate: bool) -> Self {
        let negative = (-self).limbs;
        let mask = u64::from(negate).wrapping_neg();
        Self::raw(core::array::from_fn(|i| {
            self.limbs[i] ^ (mask & (self.limbs[i] ^ negative[i]))
        }))
    }

    fn inverse(&self) -> Option<Self> {
        if self.is_zero() {
            return None;
        }
        // (aR)^-1 * R^3 / R = a^-1 * R
        let inv = inverse::invert(&self.limbs, &Self::INVERSE);
        Some(Self::raw(Self::mont_mul(&Self::R3, &inv)))
    }

    fn from_bytes_le(bytes: &[u8]) -> Option<Self> {
        Self::from_limbs(limbs_from_bytes(bytes)?)
    }

    fn write_bytes_le(&self, out: &mut [u8]) {
        assert_eq!(out.len(), 32, "a field element takes 32 bytes");
        for (chunk, limb) in out.chunks_exact_mut(8).zip(self.to_limbs()) {
            chunk.copy_from_slice(&limb.to_le_bytes());
        }
    }

    fn random(next_u64: &mut impl FnMut() -> u64) -> Self {
        let mut word = || core::array::from_fn(|_| next_u64());
        Self::from_wide([word(), word()])
    }
}

/// Four limbs from 32 little-endian bytes.
fn limbs_from_bytes(bytes: &[u8]) -> Option<[u64; 4]> {
    let bytes: &[u8; 32] = bytes.try_into().ok()?;
    let (words, _) = bytes.as_chunks::<8>();
    Some(core::array::from_fn(|i| u64::from_le_bytes(words[i])))
}

impl<P: MontParams> PrimeField for Mont<P> {
    const MODULUS: [u64; 4] = P::MODULUS;
    const MODULUS_BITS: u32 = limbs::bits(&P::MODULUS);

    #[inline]
    fn to_limbs(&self) -> [u64; 4] {
        Self::mont_reduce(&self.limbs)
    }

    #[inline]
    fn from_limbs(limbs: [u64; 4]) -> Option<Self> {
        limbs::less(&limbs, &Self::P).then(|| Self::from_limbs_reduced(limbs))
    }

    #[inline]
    fn from_limbs_reduced(limbs: [u64; 4]) -> Self {
        Self::raw(Self::mont_mul(&Self::R2, &limbs))
    }

    fn from_wide(halves: [[u64; 4]; 2]) -> Self {
        // lo*R2/R = lo*R and hi*R3/R = hi*2^256*R
        Self::raw(Self::mont_mul(&Self::R2, &halves[0]))
            + Self::raw(Self::mont_mul(&Self::R3, &halves[1]))
    }

    #[inline]
    fn from_montgomery_limbs(limbs: [u64; 4]) -> Option<Self> {
        limbs::less(&limbs, &Self::P).then(|| Self::raw(limbs))
    }

    #[inline]
    fn to_montgomery_limbs(&self) -> [u64; 4] {
        self.limbs
    }
}

impl<P: MontParams> Add for Mont<P> {
    type Output = Self;
    #[inline(always)]
    fn add(self, rhs: Self) -> Self {
        // 2p < 2^255: the sum never leaves the four limbs.
        let (sum, _) = limbs::add(&self.limbs, &rhs.limbs);
        Self::raw(limbs::reduce_once(sum, &Self::P))
    }
}

impl<P: MontParams> Sub for Mont<P> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, rhs: Self) -> Self {
        let (d, borrow) = limbs::sub(&self.limbs, &rhs.limbs);
        let mask = (borrow as u64).wrapping_neg();
        let p = &Self::P;
        let (r0, c) = adc(d[0], p[0] & mask, false);
        let (r1, c) = adc(d[1], p[1] & mask, c);
        let (r2, c) = adc(d[2], p[2] & mask, c);
        let (r3, _) = adc(d[3], p[3] & mask, c);
        Self::raw([r0, r1, r2, r3])
    }
}

impl<P: MontParams> Mul for Mont<P> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, rhs: Self) -> Self {
        Self::raw(Self::mont_mul(&self.limbs, &rhs.limbs))
    }
}

impl<P: MontParams> Neg for Mont<P> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::ZERO - self
    }
}

impl<P: MontParams> AddAssign for Mont<P> {
    #[inline(always)]
    fn add_assign(&mut self, rhs: Self) {
        *self = *self + rhs;
    }
}

impl<P: MontParams> SubAssign for Mont<P> {
    #[inline(always)]
    fn sub_assign(&mut self, rhs: Self) {
        *self = *self - rhs;
    }
}

impl<P: MontParams> MulAssign for Mont<P> {
    #[inline(always)]
    fn mul_assign(&mut self, rhs: Self) {
        *self = *self * rhs;
    }
}

impl<P: MontParams> From<u64> for Mont<P> {
    fn from(value: u64) -> Self {
        Self::from_limbs_reduced([value, 0, 0, 0])
    }
}

// Written by hand: a derive would ask the marker `P` for the same traits.
impl<P> Clone for Mont<P> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Mont<P> {}

impl<P> PartialEq for Mont<P> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.limbs == other.limbs
    }
}

impl<P> Eq for Mont<P> {}

impl<P> Hash for Mont<P> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.limbs.hash(state);
    }
}

impl<P: MontParams> Default for Mont<P> {
    fn default() -> Self {
        Self::ZERO
    }
}

impl<P: MontParams> fmt::Debug for Mont<P> {
    /// The canonical value in hexadecimal, e.g. `Fp(0x2a)` padded to 64 digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [l0, l1, l2, l3] = self.to_limbs();
        write!(f, "{}(0x{l3:016x}{l2:016x}{l1:016x}{l0:016x})", P::NAME)
    }
}
