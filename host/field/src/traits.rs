//! The traits that every field and group of zkria joins.

use core::fmt::Debug;
use core::hash::Hash;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::curve::Affine;

/// A finite field element in its internal form (Montgomery for the big primes).
///
/// Equality is equality of field elements: every stored value is fully reduced.
pub trait Field:
    Copy
    + Debug
    + Default
    + Eq
    + Hash
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
{
    /// The additive identity.
    const ZERO: Self;
    /// The multiplicative identity.
    const ONE: Self;
    /// Length of the canonical little-endian encoding in bytes (32 for BN254 Fp and Fr, 64 for Fp2).
    const BYTES: usize;

    /// Whether this is [`Field::ZERO`].
    fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }
    /// `self * self`.
    fn square(&self) -> Self;
    /// `self + self`.
    fn double(&self) -> Self;
    /// `-self` where `negate`, else `self`; no branch where the type can do without, since the
    /// sign of a digit is as good as random.
    #[inline(always)]
    fn negate_if(self, negate: bool) -> Self {
        if negate { -self } else { self }
    }
    /// The multiplicative inverse; `None` for zero. Not constant-time.
    fn inverse(&self) -> Option<Self>;
    /// `self^exp`, `exp` as little-endian 64-bit limbs. Not constant-time.
    fn pow(&self, exp: &[u64]) -> Self {
        let mut acc = Self::ONE;
        for limb in exp.iter().rev() {
            for bit in (0..64).rev() {
                acc = acc.square();
                if (limb >> bit) & 1 == 1 {
                    acc *= *self;
                }
            }
        }
        acc
    }
    /// Reads the canonical little-endian encoding; `None` when `bytes` is not [`Field::BYTES`]
    /// long or a coordinate is not below its modulus.
    fn from_bytes_le(bytes: &[u8]) -> Option<Self>;
    /// Writes the canonical little-endian encoding into `out`, which is [`Field::BYTES`] long.
    ///
    /// # Panics
    /// When `out` has another length.
    fn write_bytes_le(&self, out: &mut [u8]);
    /// A uniform element from a source of uniform 64-bit words: 512 bits reduced for each prime
    /// field coordinate, so the bias is below `2^-256`. The source is a closure, so that this
    /// crate needs no random generator: `Fr::random(&mut || rng.next_u64())`.
    fn random(next_u64: &mut impl FnMut() -> u64) -> Self;
}

/// A prime field of at most 256 bits, with access to canonical limbs.
pub trait PrimeField: Field + From<u64> {
    /// The modulus, little-endian limbs.
    const MODULUS: [u64; 4];
    /// Bits of the modulus (254 for BN254 Fp and Fr).
    const MODULUS_BITS: u32;

    /// Canonical little-endian limbs, below the modulus.
    fn to_limbs(&self) -> [u64; 4];
    /// From canonical limbs; `None` when not below the modulus.
    fn from_limbs(limbs: [u64; 4]) -> Option<Self>;
    /// From any 256-bit value, reduced modulo the modulus.
    fn from_limbs_reduced(limbs: [u64; 4]) -> Self;
    /// From any 512-bit value `halves[0] + halves[1] * 2^256`, reduced modulo the modulus.
    fn from_wide(halves: [[u64; 4]; 2]) -> Self;
    /// From limbs that hold `value * 2^256 mod modulus` (snarkjs' form); `None` when not reduced.
    fn from_montgomery_limbs(limbs: [u64; 4]) -> Option<Self>;
    /// The limbs of `value * 2^256 mod modulus`.
    fn to_montgomery_limbs(&self) -> [u64; 4];
}

/// A short Weierstrass group `y^2 = x^3 + b` of prime order. The implementing type is a marker
/// (`bn254::G1`, `bn254::G2`), never a value.
pub trait Group: Copy + Clone + Debug + Default + Eq + Hash + Send + Sync + 'static {
    /// Field of the coordinates.
    type Base: Field;
    /// Field of the scalars.
    type Scalar: PrimeField;

    /// Curve name as the command line spells it, e.g. `bn254`.
    const CURVE: &'static str;
    /// Group name as the command line spells it, `g1` or `g2`.
    const GROUP: &'static str;

    /// The curve constant `b`.
    fn b() -> Self::Base;
    /// The standard generator.
    fn generator() -> Affine<Self>;
    /// Whether a point already known to be on the curve lies in the prime-order subgroup.
    fn in_subgroup(point: &Affine<Self>) -> bool;
}
