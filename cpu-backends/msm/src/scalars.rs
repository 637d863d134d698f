//! Scalars cut into signed digits.
//!
//! A scalar above `r / 2` is replaced by `-(r - s)`: one bit fewer, and small negative scalars
//! become as cheap as small ones. The digits of a window then lie in `-2^(c-1) .. 2^(c-1)`, so
//! a window needs `2^(c-1)` buckets. Instead of carrying from window to window, `2^(c-1)` is
//! added to every window but the top one beforehand and subtracted from each digit afterwards:
//! any digit can then be read alone, from 32 bytes a scalar.

use core::ops::Range;

use zkria_field::{Group, PrimeField};

use crate::accumulate::PairAdder;

/// Bit 255 of the stored scalar: the digits are to be negated. Free, because a biased scalar is
/// below `2^255` (see [`SignedScalars::recode`]).
const NEGATE: u64 = 1 << 63;

/// Scalars of one call as non-negative numbers with a sign, and what is known of their size.
pub(crate) struct SignedScalars {
    /// `|s|`, with [`NEGATE`] set where `s` was negative.
    words: Vec<[u64; 4]>,
    /// The largest `|s|`.
    max: [u64; 4],
    /// Sum of the bit lengths of all `|s|`.
    total_bits: u64,
}

impl SignedScalars {
    /// Reads `scalars`; where a base is infinity the scalar counts as zero, so that infinity
    /// never reaches a bucket.
    pub(crate) fn new<G: Group, A: PairAdder<G>>(
        bases: &[A::Point],
        scalars: &[G::Scalar],
    ) -> Self {
        const { assert!(G::Scalar::MODULUS_BITS < 256, "bit 255 holds the sign") }
        let mut max = [0; 4];
        let mut total_bits = 0;
        let words = bases
            .iter()
            .zip(scalars)
            .map(|(base, scalar)| {
                if A::is_infinity(base) {
                    return [0; 4];
                }
                let (mut s, negate) = shorter(scalar.to_limbs(), &G::Scalar::MODULUS);
                if s.iter().rev().gt(max.iter().rev()) {
                    max = s;
                }
                total_bits += u64::from(bit_length(&s));
                if negate {
                    s[3] |= NEGATE;
                }
                s
            })
            .collect();
        Self {
            words,
            max,
            total_bits,
        }
    }

    /// Number of points that windows hold on average: all for full-width scalars, a tenth where
    /// nine in ten are 0 or 1. This, not the number of points, decides the window width.
    pub(crate) fn load(&self) -> usize {
        match bit_length(&self.max) {
            0 => 0,
            bits => (self.total_bits / u64::from(bits)) as usize,
        }
    }

    /// Cuts into windows of `c` bits, `2 <= c <= 24`, as few as hold the largest scalar.
    pub(crate) fn recode(mut self, c: u32) -> Recoded {
        let windows = (1..)
            .find(|&w| fits(&self.max, c, w))
            .expect("enough windows hold any scalar");
        let bias = bias(c, windows);
        for s in &mut self.words {
            let sign = s[3] & NEGATE;
            s[3] &= !NEGATE;
            // With b bits in r, |s| < 2^(b-1) and, the windows being as few as possible, the bias
            // is below 2^(c * (windows - 1)) <= 2^(b-1): the sum leaves bit 255 alone for b < 256.
            *s = add(s, &bias);
            s[3] |= sign;
        }
        Recoded {
            words: self.words,
            c,
            windows,
        }
    }
}

/// Signed digits of all scalars.
pub(crate) struct Recoded {
    words: Vec<[u64; 4]>,
    c: u32,
    windows: u32,
}

impl Recoded {
    /// Width of a window in bits.
    pub(crate) fn c(&self) -> u32 {
        self.c
    }

    /// Number of windows; 1 or more.
    pub(crate) fn windows(&self) -> usize {
        self.windows as usize
    }

    /// Buckets of a window: digits of absolute value `1..=buckets()`.
    pub(crate) fn buckets(&self) -> usize {
        1 << (self.c - 1)
    }

    /// The digits of window `w` of the scalars in `range`.
    #[inline]
    pub(crate) fn digits(
        &self,
        w: usize,
        range: Range<usize>,
    ) -> impl Iterator<Item = i32> + Clone {
        let shift = self.c * w as u32;
        let half = if w + 1 < self.windows() {
            1i32 << (self.c - 1)
        } else {
            0
        };
        // The top digit of a biased scalar fits c bits as well (at most 2^(c-1)).
        let mask = (1u64 << self.c) - 1;
        let (limb, bit) = ((shift / 64) as usize, shift % 64);
        self.words[range].iter().map(move |s| {
            // The sign bit is read only by windows that reach bit 255, and masked out there.
            let low = s[limb] >> bit;
            let high = match s.get(limb + 1) {
                Some(next) => next << 1 << (63 - bit),
                None => 0,
            };
            let mut raw = low | high;
            if shift + self.c > 255 {
                raw &= (1u64 << (255 - shift)) - 1;
            }
            let digit = (raw & mask) as i32 - half;
            if s[3] & NEGATE != 0 { -digit } else { digit }
        })
    }
}

/// `a - b` modulo `2^256`, and the borrow.
#[inline(always)]
pub(crate) fn sub(a: &[u64; 4], b: &[u64; 4]) -> ([u64; 4], bool) {
    let mut out = [0; 4];
    let mut borrow = false;
    for i in 0..4 {
        let (d, b0) = a[i].overflowing_sub(b[i]);
        let (d, b1) = d.overflowing_sub(u64::from(borrow));
        out[i] = d;
        borrow = b0 | b1;
    }
    (out, borrow)
}

/// `(s, false)` or `(r - s, true)`, whichever is smaller.
fn shorter(s: [u64; 4], r: &[u64; 4]) -> ([u64; 4], bool) {
    let (opposite, _) = sub(r, &s);
    if opposite.iter().rev().lt(s.iter().rev()) {
        (opposite, true)
    } else {
        (s, false)
    }
}

/// `2^(c-1)` in each of the `windows - 1` lower windows.
fn bias(c: u32, windows: u32) -> [u64; 4] {
    let mut bias = [0u64; 4];
    for w in 0..windows - 1 {
        let bit = c * w + c - 1;
        bias[(bit / 64) as usize] |= 1 << (bit % 64);
    }
    bias
}

/// Whether `s`, cut into `windows` of `c` bits, leaves at most `2^(c-1)` for the top window.
fn fits(s: &[u64; 4], c: u32, windows: u32) -> bool {
    let top = shift_right(&add(s, &bias(c, windows)), c * (windows - 1));
    top[1..] == [0; 3] && top[0] <= 1 << (c - 1)
}

fn shift_right(s: &[u64; 4], by: u32) -> [u64; 4] {
    let (limbs, bits) = ((by / 64) as usize, by % 64);
    core::array::from_fn(|i| {
        let word = |at: usize| s.get(at).copied().unwrap_or(0);
        word(limbs + i) >> bits | word(limbs + i + 1) << 1 << (63 - bits)
    })
}

fn add(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let mut sum = [0; 4];
    let mut carry = false;
    for i in 0..4 {
        let (s, c0) = a[i].overflowing_add(b[i]);
        let (s, c1) = s.overflowing_add(u64::from(carry));
        sum[i] = s;
        carry = c0 | c1;
    }
    debug_assert!(!carry, "a biased scalar stays below 2^255");
    sum
}

fn bit_length(s: &[u64; 4]) -> u32 {
    s.iter()
        .rposition(|&limb| limb != 0)
        .map_or(0, |i| 64 * i as u32 + 64 - s[i].leading_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accumulate::AffineAdder;
    use zkria_field::bn254::{Fr, G1};
    use zkria_field::{Affine, Field, Jacobian};

    fn signed(bases: &[Affine<G1>], scalars: &[Fr]) -> SignedScalars {
        SignedScalars::new::<G1, AffineAdder<G1>>(bases, scalars)
    }

    /// `sum digit_w * 2^(c*w)` of each scalar, as field elements.
    fn rebuild(recoded: &Recoded, n: usize) -> Vec<Fr> {
        let mut sums = vec![Fr::ZERO; n];
        for w in (0..recoded.windows()).rev() {
            for (sum, digit) in sums.iter_mut().zip(recoded.digits(w, 0..n)) {
                for _ in 0..recoded.c() {
                    *sum = sum.double();
                }
                let magnitude = Fr::from(u64::from(digit.unsigned_abs()));
                *sum += if digit < 0 { -magnitude } else { magnitude };
            }
        }
        sums
    }

    fn edge_scalars() -> Vec<Fr> {
        let two = Fr::from(2u64);
        let half = two.inverse().expect("2 is not zero");
        let mut all = vec![Fr::ZERO, Fr::ONE, -Fr::ONE, half, half - Fr::ONE, -half];
        for k in 0..254u64 {
            let power = two.pow(&[k]);
            all.extend([power, -power, power - Fr::ONE, power + Fr::ONE]);
        }
        // (r - 1) / 2, the largest that stays positive, and its neighbour.
        all.extend([(-Fr::ONE) * half, (-Fr::ONE) * half + Fr::ONE]);
        all
    }

    #[test]
    fn digits_rebuild_every_scalar_for_every_width() {
        let scalars = edge_scalars();
        let bases = vec![G1::generator(); scalars.len()];
        for c in 2..=20 {
            let recoded = signed(&bases, &scalars).recode(c);
            let half = recoded.buckets() as u32;
            for w in 0..recoded.windows() {
                for digit in recoded.digits(w, 0..scalars.len()) {
                    assert!(digit.unsigned_abs() <= half, "c {c}, window {w}: {digit}");
                }
            }
            assert_eq!(rebuild(&recoded, scalars.len()), scalars, "c = {c}");
            // And alone, where the number of windows fits the one scalar.
            for (base, scalar) in bases.iter().zip(&scalars) {
                let one = signed(&[*base], &[*scalar]).recode(c);
                assert_eq!(rebuild(&one, 1), [*scalar], "c = {c}, alone");
            }
        }
    }

    #[test]
    fn small_scalars_of_either_sign_need_few_windows() {
        let scalars = [Fr::from(200u64), -Fr::from(200u64), Fr::ONE];
        let bases = [G1::generator(); 3];
        let read = signed(&bases, &scalars);
        assert_eq!(read.load(), 2, "17 bits of 3 * 8");
        assert_eq!(read.recode(5).windows(), 2);
    }

    #[test]
    fn a_scalar_of_infinity_counts_as_zero() {
        let bases = [Jacobian::<G1>::INFINITY.to_affine(), G1::generator()];
        let read = signed(&bases, &[-Fr::from(9u64), Fr::from(3u64)]);
        let recoded = read.recode(4);
        assert_eq!(rebuild(&recoded, 2), [Fr::ZERO, Fr::from(3u64)]);
        assert_eq!(signed(&[], &[]).load(), 0);
    }
}
