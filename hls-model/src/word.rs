//! 256-bit words as the accelerator's memories and registers hold them: four 64-bit limbs, the
//! least significant first, usually a field value below 2p in Montgomery form with R = 2^255.
//!
//! Plain integer arithmetic, independent of `zkria-field` on purpose: the tests check this model
//! against num-bigint, and the RTL against this model.

/// A 256-bit word, little-endian limbs.
pub type Word = [u64; 4];

/// 0.
pub const ZERO: Word = [0; 4];

/// p, the BN254 base field modulus.
pub const P: Word = [
    0x3c20_8c16_d87c_fd47,
    0x9781_6a91_6871_ca8d,
    0xb850_45b6_8181_585d,
    0x3064_4e72_e131_a029,
];

/// 2p, the bound of lazy values.
pub const TWO_P: Word = add(&P, &P).0;

/// 1 in Montgomery form: 2^255 mod p = 2^255 - 2p.
pub const ONE: Word = sub(&[0, 0, 0, 1 << 63], &TWO_P).0;

/// `a + b` mod 2^256 and the carry out.
pub const fn add(a: &Word, b: &Word) -> (Word, bool) {
    let mut out = [0; 4];
    let mut carry = false;
    let mut i = 0;
    while i < 4 {
        let (s, c0) = a[i].overflowing_add(b[i]);
        let (s, c1) = s.overflowing_add(carry as u64);
        out[i] = s;
        carry = c0 | c1;
        i += 1;
    }
    (out, carry)
}

/// `a - b` mod 2^256 and the borrow out.
pub const fn sub(a: &Word, b: &Word) -> (Word, bool) {
    let mut out = [0; 4];
    let mut borrow = false;
    let mut i = 0;
    while i < 4 {
        let (d, b0) = a[i].overflowing_sub(b[i]);
        let (d, b1) = d.overflowing_sub(borrow as u64);
        out[i] = d;
        borrow = b0 | b1;
        i += 1;
    }
    (out, borrow)
}

/// Whether `a < b`.
pub const fn less(a: &Word, b: &Word) -> bool {
    sub(a, b).1
}

/// Little-endian 32-bit words, as the simulator's ports take them.
pub fn to_u32(w: &Word) -> Vec<u32> {
    w.iter()
        .flat_map(|limb| [*limb as u32, (limb >> 32) as u32])
        .collect()
}

/// The inverse of [`to_u32`]; missing words are zero, words past the eighth are ignored.
pub fn from_u32(words: &[u32]) -> Word {
    let mut out = ZERO;
    for (i, word) in words.iter().take(8).enumerate() {
        out[i / 2] |= u64::from(*word) << (32 * (i % 2));
    }
    out
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;

    fn big(w: &Word) -> BigUint {
        BigUint::from_slice(&to_u32(w))
    }

    #[test]
    fn constants_are_what_they_say() {
        let p: BigUint =
            "21888242871839275222246405745257275088696311157297823662689037894645226208583"
                .parse()
                .unwrap();
        assert_eq!(big(&P), p);
        assert_eq!(big(&TWO_P), &p * 2u32);
        assert_eq!(big(&ONE), (BigUint::from(1u32) << 255) % &p);
    }

    #[test]
    fn words_survive_ports() {
        assert_eq!(from_u32(&to_u32(&P)), P);
        assert_eq!(from_u32(&[7]), [7, 0, 0, 0]);
    }

    #[test]
    fn carries_ripple() {
        let max = [u64::MAX; 4];
        assert_eq!(add(&max, &[1, 0, 0, 0]), (ZERO, true));
        assert_eq!(sub(&ZERO, &[1, 0, 0, 0]), (max, true));
        assert!(less(&P, &TWO_P) && !less(&P, &P));
    }
}
