//! A prime in limbs of 52 bits, and what the lazy arithmetic of [`crate::Lanes`] derives from it.

use zkria_field::PrimeField;

pub(crate) const M52: u64 = (1 << 52) - 1;

/// A prime of at most `52 L - 6` bits in `L` limbs of 52 bits, Montgomery `R = 2^(52 L)`.
pub trait Radix52<const L: usize>: Copy + Send + Sync + 'static {
    /// The prime, limbs below `2^52`.
    const P: [u64; L];
    /// `-P^-1 mod 2^52`.
    const N0: u64 = neg_inv52(Self::P[0]);
    /// `A B` of the bounds of two factors must not exceed this: then `A P * B P <= R P`, and the
    /// Montgomery product is below `2 P`.
    const MUL_BOUND: u64 = (1 << 52) / (Self::P[L - 1] + 1);
    /// Limb `j` of `q P` at `MULTIPLES[j][q]`, the top limb unmasked.
    const MULTIPLES: [[u64; 8]; L] = multiples(&Self::P);
}

impl<F: PrimeField> Radix52<5> for F {
    const P: [u64; 5] = to_radix52(&F::MODULUS);
}

/// Four 64-bit limbs as five of 52 bits (the top one has 48).
pub const fn to_radix52(a: &[u64; 4]) -> [u64; 5] {
    [
        a[0] & M52,
        (a[0] >> 52 | a[1] << 12) & M52,
        (a[1] >> 40 | a[2] << 24) & M52,
        (a[2] >> 28 | a[3] << 36) & M52,
        a[3] >> 16,
    ]
}

/// Five limbs of 52 bits as four of 64, for a value below `2^256`; the inverse of [`to_radix52`].
pub const fn from_radix52(l: &[u64; 5]) -> [u64; 4] {
    [
        l[0] | l[1] << 52,
        l[1] >> 12 | l[2] << 40,
        l[2] >> 24 | l[3] << 28,
        l[3] >> 36 | l[4] << 16,
    ]
}

const fn neg_inv52(p: u64) -> u64 {
    let mut x: u64 = 1;
    let mut i = 0;
    while i < 6 {
        x = x.wrapping_mul(2u64.wrapping_sub(p.wrapping_mul(x)));
        i += 1;
    }
    x.wrapping_neg() & M52
}

/// Limb `j` of `k P`.
pub(crate) const fn multiple<const L: usize>(p: &[u64; L], k: u64) -> [u64; L] {
    let mut out = [0; L];
    let mut carry = 0;
    let mut j = 0;
    while j < L {
        let v = p[j] * k + carry;
        out[j] = if j + 1 < L { v & M52 } else { v };
        carry = v >> 52;
        j += 1;
    }
    out
}

const fn multiples<const L: usize>(p: &[u64; L]) -> [[u64; 8]; L] {
    let mut out = [[0; 8]; L];
    let mut q = 0;
    while q < 8 {
        let m = multiple(p, q as u64);
        let mut j = 0;
        while j < L {
            out[j][q] = m[j];
            j += 1;
        }
        q += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn radix_and_back() {
        let edges = [0, 1, M52, M52 + 1, u64::MAX, 1 << 63, 0x0123_4567_89ab_cdef];
        for (i, a) in edges.iter().enumerate() {
            let words = core::array::from_fn(|j| edges[(i + j * 3) % edges.len()] ^ a);
            let limbs = to_radix52(&words);
            assert!(limbs.iter().all(|&limb| limb <= M52));
            assert_eq!(from_radix52(&limbs), words);
        }
    }
}
