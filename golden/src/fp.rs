//! Arithmetic modulo a prime on plain big integers, the oracle of every field implementation.
//!
//! Nothing here knows limbs, carries or reduction tricks: a product is an integer product and a
//! remainder. Arkworks is not used either, so that this file and [`crate::curve`] check each other.
//! Values are [`BigUint`]; [`from_bytes_le`] and [`to_bytes_le`] join them to the byte encodings.

pub use num_bigint::BigUint;

/// The parameter u of the Barreto-Naehrig curve BN254 (`alt_bn128`).
const BN_U: u64 = 4_965_661_367_192_848_881;

/// `sum coefficients[i] * u^i`, the shape in which a BN curve states its moduli.
fn bn_polynomial(coefficients: [u32; 5]) -> BigUint {
    coefficients
        .iter()
        .rev()
        .fold(BigUint::ZERO, |acc, &k| acc * BN_U + k)
}

/// Base modulus p of BN254, 254 bits: `36u^4 + 36u^3 + 24u^2 + 6u + 1`.
///
/// Source: Barreto and Naehrig 2005; u from the libff curve `alt_bn128`; equal to EIP-196's p.
#[must_use]
pub fn fp_modulus() -> BigUint {
    bn_polynomial([1, 6, 24, 36, 36])
}

/// Group order and scalar modulus r of BN254, 254 bits: `36u^4 + 36u^3 + 18u^2 + 6u + 1`.
///
/// Source: as [`fp_modulus`]; equal to EIP-197's group order.
#[must_use]
pub fn fr_modulus() -> BigUint {
    bn_polynomial([1, 6, 18, 36, 36])
}

/// The integer in little-endian `bytes` of any length; not reduced.
#[must_use]
pub fn from_bytes_le(bytes: &[u8]) -> BigUint {
    BigUint::from_bytes_le(bytes)
}

/// Little-endian bytes of a value below 2^256.
///
/// # Panics
/// When `value` needs more than 32 bytes.
#[must_use]
pub fn to_bytes_le(value: &BigUint) -> [u8; 32] {
    let bytes = value.to_bytes_le();
    assert!(
        bytes.len() <= 32,
        "value of {} bits does not fit 32 bytes",
        value.bits()
    );
    let mut out = [0; 32];
    out[..bytes.len()].copy_from_slice(&bytes);
    out
}

/// `a + b mod modulus`; operands of any size.
#[must_use]
pub fn add(a: &BigUint, b: &BigUint, modulus: &BigUint) -> BigUint {
    (a + b) % modulus
}

/// `a - b mod modulus`; operands of any size.
#[must_use]
pub fn sub(a: &BigUint, b: &BigUint, modulus: &BigUint) -> BigUint {
    (a % modulus + modulus - b % modulus) % modulus
}

/// `-a mod modulus`; operand of any size.
#[must_use]
pub fn neg(a: &BigUint, modulus: &BigUint) -> BigUint {
    sub(&BigUint::ZERO, a, modulus)
}

/// `a * b mod modulus`; operands of any size.
#[must_use]
pub fn mul(a: &BigUint, b: &BigUint, modulus: &BigUint) -> BigUint {
    a * b % modulus
}

/// `a^exponent mod modulus`; `0^0` is 1.
#[must_use]
pub fn pow(a: &BigUint, exponent: &BigUint, modulus: &BigUint) -> BigUint {
    a.modpow(exponent, modulus)
}

/// The inverse of `a` modulo a prime; `None` when `a` is a multiple of it.
#[must_use]
pub fn inverse(a: &BigUint, modulus: &BigUint) -> Option<BigUint> {
    // Extended Euclid, and the answer is multiplied out before it leaves.
    let inv = a.modinv(modulus)?;
    (mul(a, &inv, modulus) == BigUint::from(1u32)).then_some(inv)
}

/// The exact value a Montgomery multiplier holds when it makes no final subtraction:
/// `(a*b + q*modulus) / 2^log2_r` with `q = -a*b/modulus mod 2^log2_r`.
///
/// q lies in `[0, 2^log2_r)` and is unique, so the value is the same for every word size of a
/// CIOS, SOS or FIOS schedule whose words make up `log2_r` bits. It is below
/// `a*b / 2^log2_r + modulus`, congruent to `a*b / 2^log2_r`, and in general not reduced.
/// Operands of any size; the modulus is odd.
///
/// # Panics
/// When the modulus is even (it has no inverse modulo a power of two).
///
/// Source: Montgomery 1985; word-serial forms in Koc, Acar and Kaliski 1996.
#[must_use]
pub fn mont_mul_raw(a: &BigUint, b: &BigUint, modulus: &BigUint, log2_r: u32) -> BigUint {
    let r = BigUint::from(1u32) << log2_r;
    let product = a * b;
    let inv = modulus
        .modinv(&r)
        .expect("an odd modulus is invertible modulo 2^log2_r");
    let q = neg(&(&product * inv), &r);
    let sum = product + q * modulus;
    let quotient = &sum >> log2_r;
    assert_eq!(
        &quotient << log2_r,
        sum,
        "q was chosen so that 2^log2_r divides the sum"
    );
    quotient
}

/// `a * b / 2^log2_r mod modulus`, reduced; operands of any size.
///
/// # Panics
/// When the modulus is even.
#[must_use]
pub fn mont_mul(a: &BigUint, b: &BigUint, modulus: &BigUint, log2_r: u32) -> BigUint {
    // By definition, not by way of `mont_mul_raw`: the two check each other.
    let r_inv = (BigUint::from(1u32) << log2_r)
        .modinv(modulus)
        .expect("2^log2_r is invertible modulo an odd modulus");
    a * b * r_inv % modulus
}

/// Into Montgomery form: `a * 2^log2_r mod modulus`.
#[must_use]
pub fn to_mont(a: &BigUint, modulus: &BigUint, log2_r: u32) -> BigUint {
    (a << log2_r) % modulus
}

/// Out of Montgomery form: `a / 2^log2_r mod modulus`.
///
/// # Panics
/// When the modulus is even.
#[must_use]
pub fn from_mont(a: &BigUint, modulus: &BigUint, log2_r: u32) -> BigUint {
    mont_mul(a, &BigUint::from(1u32), modulus, log2_r)
}

/// An element `c0 + c1 u` of the quadratic extension with `u^2 = -1`.
pub type Fp2 = [BigUint; 2];

/// `a + b` in the quadratic extension.
#[must_use]
pub fn fp2_add(a: &Fp2, b: &Fp2, modulus: &BigUint) -> Fp2 {
    [add(&a[0], &b[0], modulus), add(&a[1], &b[1], modulus)]
}

/// `a - b` in the quadratic extension.
#[must_use]
pub fn fp2_sub(a: &Fp2, b: &Fp2, modulus: &BigUint) -> Fp2 {
    [sub(&a[0], &b[0], modulus), sub(&a[1], &b[1], modulus)]
}

/// `a * b` in the quadratic extension: four products, no Karatsuba.
#[must_use]
pub fn fp2_mul(a: &Fp2, b: &Fp2, modulus: &BigUint) -> Fp2 {
    let c0 = sub(&(&a[0] * &b[0]), &(&a[1] * &b[1]), modulus);
    let c1 = (&a[0] * &b[1] + &a[1] * &b[0]) % modulus;
    [c0, c1]
}

/// The inverse in the quadratic extension, by the norm: `(c0 - c1 u) / (c0^2 + c1^2)`; `None` for zero.
#[must_use]
pub fn fp2_inverse(a: &Fp2, modulus: &BigUint) -> Option<Fp2> {
    let norm = inverse(&(&a[0] * &a[0] + &a[1] * &a[1]), modulus)?;
    Some([
        mul(&a[0], &norm, modulus),
        mul(&neg(&a[1], modulus), &norm, modulus),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(v: u64) -> BigUint {
        BigUint::from(v)
    }

    /// Arkworks states the moduli as literals; here they come from the curve's parameter.
    #[test]
    fn moduli_are_those_of_arkworks() {
        use ark_ff::{BigInteger, PrimeField};
        let p = from_bytes_le(&ark_bn254::Fq::MODULUS.to_bytes_le());
        let r = from_bytes_le(&ark_bn254::Fr::MODULUS.to_bytes_le());
        assert_eq!(fp_modulus(), p);
        assert_eq!(fr_modulus(), r);
        assert_eq!((p.bits(), r.bits()), (254, 254));
    }

    #[test]
    fn small_field_by_exhaustion() {
        let m = int(13);
        for a in 0..13u64 {
            assert_eq!(neg(&int(a), &m), int((13 - a) % 13));
            assert_eq!(inverse(&int(a), &m).is_none(), a == 0);
            for b in 0..13u64 {
                assert_eq!(add(&int(a), &int(b), &m), int((a + b) % 13));
                assert_eq!(sub(&int(a), &int(b), &m), int((13 + a - b) % 13));
                assert_eq!(mul(&int(a), &int(b), &m), int(a * b % 13));
                // 2^4 mod 13 = 3, and 3 * 9 = 27 = 1 mod 13.
                assert_eq!(mont_mul(&int(a), &int(b), &m, 4), int(a * b * 9 % 13));
            }
        }
    }

    /// The raw product agrees with a word-serial CIOS written out, for two word sizes.
    #[test]
    fn raw_product_is_what_a_word_serial_loop_holds() {
        let cios = |a: &BigUint, b: &BigUint, n: &BigUint, word: u32, words: u32| {
            let base = BigUint::from(1u32) << word;
            let n0_neg_inv = neg(&n.modinv(&base).expect("odd"), &base);
            let mut t = BigUint::ZERO;
            for i in 0..words {
                let b_i = (b >> (word * i)) % &base;
                t += a * b_i;
                let m = (&t % &base) * &n0_neg_inv % &base;
                t = (t + m * n) >> word;
            }
            t
        };
        let p = fp_modulus();
        let lazy = &p * 2u32 - 3u32;
        for (a, b) in [
            (lazy.clone(), lazy.clone()),
            (&p - 1u32, lazy),
            (BigUint::ZERO, p.clone()),
        ] {
            let raw = mont_mul_raw(&a, &b, &p, 255);
            assert_eq!(raw, cios(&a, &b, &p, 17, 15), "17-bit words");
            assert_eq!(raw, cios(&a, &b, &p, 51, 5), "51-bit words");
            assert_eq!(&raw % &p, mont_mul(&a, &b, &p, 255));
        }
    }

    /// rtl.md section 3: with R = 2^255 two lazy operands leave [0, 2p), here at 2.26p.
    #[test]
    fn two_lazy_operands_pass_two_p() {
        let p = fp_modulus();
        let lazy = &p * 2u32 - 3u32;
        let raw = mont_mul_raw(&lazy, &lazy, &p, 255);
        assert!(raw > &p * 226u32 / 100u32 && raw < &p * 227u32 / 100u32);
    }

    #[test]
    fn montgomery_round_trip_and_bytes() {
        let p = fp_modulus();
        let a = &p - 5u32;
        assert_eq!(from_mont(&to_mont(&a, &p, 256), &p, 256), a);
        assert_eq!(from_bytes_le(&to_bytes_le(&a)), a);
    }

    #[test]
    fn quadratic_extension() {
        let p = fp_modulus();
        let u = [BigUint::ZERO, int(1)];
        assert_eq!(fp2_mul(&u, &u, &p), [&p - 1u32, BigUint::ZERO], "u^2 = -1");
        let a = [int(7), &p - 11u32];
        let inv = fp2_inverse(&a, &p).expect("not zero");
        assert_eq!(fp2_mul(&a, &inv, &p), [int(1), BigUint::ZERO]);
        assert_eq!(fp2_inverse(&[BigUint::ZERO, BigUint::ZERO], &p), None);
        assert_eq!(fp2_sub(&fp2_add(&a, &u, &p), &u, &p), a);
    }
}
