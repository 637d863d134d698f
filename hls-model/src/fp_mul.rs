//! `zk_fp_mul_ws`: Montgomery product, R = 2^255, in fifteen 17-bit words, no final subtraction.
//!
//! [`mul`] walks the words as the RTL does; the tests hold it to the closed form
//! `(a b + m p) / R` on num-bigint, with its bound `(0.378 A B + 1) p`.
//! [`MulUnit`] is the block's time behaviour.

use std::collections::VecDeque;

use crate::word::{P, Word, ZERO};

/// Bits of a word.
const WORD_BITS: usize = 17;
/// Words of a value.
const WORDS: usize = 15;
const MASK: u64 = (1 << WORD_BITS) - 1;

/// Cycles between the starts of two products in a full multiplier.
pub const INTERVAL: u64 = 120;
/// Edges from the one that takes operands to the one after which the product shows.
pub const LATENCY: u64 = 121;
/// Cycles before the end of a product in which the next operands are taken.
pub const WINDOW: u64 = 4;

/// -p^-1 mod 2^17, by Newton's iteration.
const fn neg_inverse() -> u64 {
    let mut x = 1u64;
    let mut i = 0;
    while i < 5 {
        x = x.wrapping_mul(2u64.wrapping_sub(P[0].wrapping_mul(x)));
        i += 1;
    }
    x.wrapping_neg() & MASK
}

const N_PRIME: u64 = neg_inverse();

fn split(w: &Word) -> [u64; WORDS] {
    std::array::from_fn(|i| {
        let bit = WORD_BITS * i;
        let (limb, shift) = (bit / 64, bit % 64);
        let mut v = w[limb] >> shift;
        if shift + WORD_BITS > 64 && limb < 3 {
            v |= w[limb + 1] << (64 - shift);
        }
        v & MASK
    })
}

fn join(words: &[u64; WORDS]) -> Word {
    let mut out = ZERO;
    for (i, v) in words.iter().enumerate() {
        let bit = WORD_BITS * i;
        let (limb, shift) = (bit / 64, bit % 64);
        out[limb] |= v << shift;
        if shift + WORD_BITS > 64 && limb < 3 {
            out[limb + 1] |= v >> (64 - shift);
        }
    }
    out
}

/// `a b / 2^255 mod p`, lazily reduced: the exact bits the RTL gives.
///
/// Bounds: `a`, `b` below 2p, and with `a < A p`, `b < B p` the result is below
/// `(0.378 A B + 1) p`; keep `A B <= 2.64` for a result below 2p.
///
/// # Panics
/// In debug builds, when the operands break that rule so far that the result leaves 255 bits.
pub fn mul(a: &Word, b: &Word) -> Word {
    let (a, b, p) = (split(a), split(b), split(&P));
    // Word 15 is the carry word.
    let mut t = [0u64; WORDS + 1];
    for b_word in b {
        let mut carry = 0;
        for j in 0..WORDS {
            let v = a[j] * b_word + t[j] + carry;
            t[j] = v & MASK;
            carry = v >> WORD_BITS;
        }
        t[WORDS] += carry;
        let m = (t[0] * N_PRIME) & MASK;
        let mut carry = (t[0] + m * p[0]) >> WORD_BITS;
        for j in 1..WORDS {
            let v = m * p[j] + t[j] + carry;
            t[j - 1] = v & MASK;
            carry = v >> WORD_BITS;
        }
        let v = t[WORDS] + carry;
        t[WORDS - 1] = v & MASK;
        t[WORDS] = v >> WORD_BITS;
    }
    debug_assert_eq!(t[WORDS], 0, "operand bounds broken");
    join(t.first_chunk().expect("fifteen words and the carry"))
}

/// When the block takes operands and shows products. `T` travels with an operation.
#[derive(Clone, Debug)]
pub struct MulUnit<T> {
    /// First operand cycle of the last product taken, possibly in the future.
    start: Option<u64>,
    /// Products not yet taken, with the cycle in which they show.
    done: VecDeque<(u64, T)>,
}

impl<T> Default for MulUnit<T> {
    fn default() -> Self {
        Self {
            start: None,
            done: VecDeque::new(),
        }
    }
}

impl<T: Copy> MulUnit<T> {
    /// First cycle in which `ready_o` is high.
    pub fn ready_at(&self) -> u64 {
        self.start.map_or(0, |s| s + INTERVAL - WINDOW)
    }

    /// Operands are taken in `cycle`.
    ///
    /// # Panics
    /// When `ready_o` is low in that cycle.
    pub fn take_operands(&mut self, cycle: u64, tag: T) {
        assert!(cycle >= self.ready_at(), "multiplier fed while not ready");
        let start = self
            .start
            .map_or(cycle + 1, |s| (s + INTERVAL).max(cycle + 1));
        self.start = Some(start);
        self.done.push_back((start + LATENCY, tag));
    }

    /// Cycle in which the oldest product shows, if one is under way.
    pub fn valid_at(&self) -> Option<u64> {
        self.done.front().map(|d| d.0)
    }

    /// The product shown in `cycle`.
    pub fn product(&self, cycle: u64) -> Option<T> {
        self.done.front().filter(|d| d.0 <= cycle).map(|d| d.1)
    }

    /// The shown product is taken in `cycle`. The model covers products taken within the next
    /// product's first 116 cycles; later the RTL would stand still.
    ///
    /// # Panics
    /// When no product shows, or it stood longer than that.
    pub fn take_product(&mut self, cycle: u64) {
        let (shown, _) = self.done.pop_front().expect("a product shows");
        assert!(
            shown <= cycle && cycle < shown + INTERVAL - WINDOW,
            "outside the model"
        );
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;
    use crate::word::{ONE, TWO_P, from_u32, less, sub, to_u32};

    fn big(w: &Word) -> BigUint {
        BigUint::from_slice(&to_u32(w))
    }

    /// (a b + m p) / R with m = -a b / p mod R: what CIOS gives whatever its word size.
    fn closed_form(a: &Word, b: &Word) -> BigUint {
        let r = BigUint::from(1u32) << 255;
        let p = big(&P);
        let p_inverse = p.modinv(&r).unwrap();
        let ab = big(a) * big(b);
        let m = (&r - (&ab * p_inverse) % &r) % &r;
        let sum = ab + m * p;
        assert_eq!(&sum % &r, BigUint::from(0u32));
        sum >> 255
    }

    fn edges() -> Vec<Word> {
        let mut all = vec![ZERO, [1, 0, 0, 0], ONE, P];
        all.push(sub(&P, &[1, 0, 0, 0]).0);
        all.push(crate::word::add(&P, &[1, 0, 0, 0]).0);
        all.push(sub(&TWO_P, &[1, 0, 0, 0]).0);
        all.push(sub(&TWO_P, &[3, 0, 0, 0]).0);
        for k in 1..WORDS {
            let bit = from_u32(&(BigUint::from(1u32) << (WORD_BITS * k)).to_u32_digits());
            if less(&bit, &P) {
                all.push(bit);
                all.push(sub(&bit, &[1, 0, 0, 0]).0);
                all.push(sub(&P, &bit).0);
            }
        }
        all
    }

    #[test]
    fn equals_the_closed_form_and_its_bound() {
        for a in edges() {
            for b in edges() {
                if !less(&a, &P) && !less(&b, &P) {
                    continue;
                }
                let got = mul(&a, &b);
                assert_eq!(big(&got), closed_form(&a, &b), "a {a:x?} b {b:x?}");
                assert!(less(&got, &TWO_P));
            }
        }
    }

    #[test]
    fn one_is_neutral() {
        for a in edges() {
            let got = mul(&a, &ONE);
            assert_eq!(big(&got) % big(&P), big(&a) % big(&P));
        }
    }

    #[test]
    fn two_lazy_operands_break_the_bound() {
        // The case of the specification: a = b = 2p - 3 gives 2.26p, so the rule is not idle.
        let a = sub(&TWO_P, &[3, 0, 0, 0]).0;
        assert!(closed_form(&a, &a) > big(&TWO_P));
    }

    #[test]
    fn full_unit_starts_every_120_cycles() {
        let mut unit = MulUnit::default();
        let mut shown = Vec::new();
        for cycle in 0..1000 {
            if cycle >= unit.ready_at() {
                unit.take_operands(cycle, ());
            }
            if unit.product(cycle).is_some() {
                unit.take_product(cycle);
                shown.push(cycle);
            }
        }
        assert_eq!(shown[0], 1 + LATENCY);
        assert!(shown.windows(2).all(|w| w[1] - w[0] == INTERVAL));
    }
}
