//! `field.json`: sums, products and inverses in Fp, Fr and Fp2 at the values that hit carries,
//! and lazily reduced Montgomery products with R = 2^255.

use serde::{Deserialize, Serialize};

use super::{File, hex};
use crate::curve;
use crate::fp::{self, BigUint, Fp2};

/// One vector of `field.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Case {
    /// All operations on a pair of prime field elements.
    Prime {
        /// What the operands are.
        name: String,
        /// What the pair is there for.
        why: String,
        /// `fp` or `fr`.
        field: String,
        /// First operand.
        a: String,
        /// Second operand.
        b: String,
        /// `a + b`.
        add: String,
        /// `a - b`.
        sub: String,
        /// `a * b`.
        mul: String,
        /// `1 / a`; absent for 0.
        inverse_a: Option<String>,
        /// `a * 2^256`, the stored form of snarkjs and of most CPU libraries.
        montgomery_256_a: String,
        /// `a * 2^255`, the stored form of the accelerator's profile `compact`.
        montgomery_255_a: String,
    },
    /// All operations on a pair of Fp2 elements `[c0, c1]`, `u^2 = -1`.
    Fp2 {
        /// What the operands are.
        name: String,
        /// What the pair is there for.
        why: String,
        /// First operand.
        a: [String; 2],
        /// Second operand.
        b: [String; 2],
        /// `a + b`.
        add: [String; 2],
        /// `a - b`.
        sub: [String; 2],
        /// `a * b`.
        mul: [String; 2],
        /// `1 / a`; absent for 0.
        inverse_a: Option<[String; 2]>,
    },
    /// A Montgomery product modulo p of operands below 2^255, without and with final subtraction.
    Montgomery {
        /// What the operands are.
        name: String,
        /// What the pair is there for.
        why: String,
        /// log2 of R.
        log2_r: u32,
        /// First operand, not necessarily below p.
        a: String,
        /// Second operand, not necessarily below p.
        b: String,
        /// `(a b + q p) / R`, exactly what a multiplier without final subtraction holds.
        raw: String,
        /// `a b / R mod p`.
        reduced: String,
    },
}

/// A value with the name that says where it comes from.
type Named = (String, BigUint);

fn named(name: &str, value: BigUint) -> Named {
    (name.to_owned(), value)
}

/// 0, 1, p - 1, and 2^k and p - 2^k at limb edges of radix 64, 52, 26 and 17.
fn edges(modulus: &BigUint) -> Vec<Named> {
    let one = BigUint::from(1u32);
    let mut out = vec![
        named("0", BigUint::ZERO),
        named("1", one.clone()),
        named("m-1", modulus - 1u32),
        named("(m-1)/2", (modulus - 1u32) / 2u32),
    ];
    for k in [17, 26, 52, 64, 128, 238, 253] {
        out.push(named(&format!("2^{k}"), &one << k));
        out.push(named(&format!("2^{k}-1"), (&one << k) - 1u32));
        out.push(named(&format!("m-2^{k}"), modulus - (&one << k)));
    }
    out
}

/// Each edge value beside a far one, so that every value is an operand twice.
fn prime_cases(field: &str, modulus: &BigUint, seed: u64) -> Vec<Case> {
    let mut values = edges(modulus);
    for (i, bytes) in curve::scalars(seed, 2).iter().enumerate() {
        values.push(named(
            &format!("random {i}"),
            fp::from_bytes_le(bytes) % modulus,
        ));
    }
    let n = values.len();
    (0..n)
        .map(|i| {
            let ((name_a, a), (name_b, b)) = (&values[i], &values[(i * 5 + 2) % n]);
            Case::Prime {
                name: format!("{field}: {name_a}, {name_b}"),
                why: "carries at limb edges of radix 64, 52, 26 and 17".to_owned(),
                field: field.to_owned(),
                a: hex(a),
                b: hex(b),
                add: hex(&fp::add(a, b, modulus)),
                sub: hex(&fp::sub(a, b, modulus)),
                mul: hex(&fp::mul(a, b, modulus)),
                inverse_a: fp::inverse(a, modulus).map(|v| hex(&v)),
                montgomery_256_a: hex(&fp::to_mont(a, modulus, 256)),
                montgomery_255_a: hex(&fp::to_mont(a, modulus, 255)),
            }
        })
        .collect()
}

fn hex2(v: &Fp2) -> [String; 2] {
    [hex(&v[0]), hex(&v[1])]
}

fn fp2_cases(p: &BigUint) -> Vec<Case> {
    let one = || BigUint::from(1u32);
    let random: Vec<BigUint> = curve::scalars(23, 4)
        .iter()
        .map(|b| fp::from_bytes_le(b) % p)
        .collect();
    let elements: Vec<(&str, Fp2)> = vec![
        ("0", [BigUint::ZERO, BigUint::ZERO]),
        ("1", [one(), BigUint::ZERO]),
        ("u", [BigUint::ZERO, one()]),
        ("-1 - u", [p - 1u32, p - 1u32]),
        ("1 - u", [one(), p - 1u32]),
        ("2^64 - 2^128 u", [one() << 64, p - (one() << 128)]),
        ("random 0", [random[0].clone(), random[1].clone()]),
        ("random 1", [random[2].clone(), random[3].clone()]),
    ];
    let mut out = Vec::new();
    for (i, (name_a, a)) in elements.iter().enumerate() {
        for (name_b, b) in &elements[i.max(1)..] {
            out.push(Case::Fp2 {
                name: format!("fp2: {name_a}, {name_b}"),
                why: "signs of u^2 = -1 and both coordinates at their ends".to_owned(),
                a: hex2(a),
                b: hex2(b),
                add: hex2(&fp::fp2_add(a, b, p)),
                sub: hex2(&fp::fp2_sub(a, b, p)),
                mul: hex2(&fp::fp2_mul(a, b, p)),
                inverse_a: fp::fp2_inverse(a, p).map(|v| hex2(&v)),
            });
        }
    }
    out
}

fn montgomery_cases(p: &BigUint) -> Vec<Case> {
    let one = BigUint::from(1u32);
    let two_p = p * 2u32;
    let operands = [
        named("0", BigUint::ZERO),
        named("1", one.clone()),
        named("2^17-1", (&one << 17) - 1u32),
        named("p-1", p - 1u32),
        named("p", p.clone()),
        named("p+1", p + 1u32),
        named("2p-3", &two_p - 3u32),
        named("2p-1", &two_p - 1u32),
        named("2^255-1", (&one << 255) - 1u32),
    ];
    let mut out = Vec::new();
    for (i, (name_a, a)) in operands.iter().enumerate() {
        for (name_b, b) in &operands[i..] {
            let raw = fp::mont_mul_raw(a, b, p, 255);
            // A product below 2p needs A B <= 2.64 for operands below A p and B p.
            let why = if raw >= two_p {
                "two lazy operands: the product passes 2p, so a multiplier without final \
                 subtraction must not be given both"
            } else if &raw >= p {
                "the product passes p and stays below 2p"
            } else {
                "the product is reduced without a subtraction"
            };
            out.push(Case::Montgomery {
                name: format!("{name_a}, {name_b}"),
                why: why.to_owned(),
                log2_r: 255,
                a: hex(a),
                b: hex(b),
                reduced: hex(&fp::mont_mul(a, b, p, 255)),
                raw: hex(&raw),
            });
        }
    }
    out
}

/// The content of `field.json`.
#[must_use]
pub fn file() -> File<Case> {
    let (p, r) = (fp::fp_modulus(), fp::fr_modulus());
    let mut cases = prime_cases("fp", &p, 21);
    cases.extend(prime_cases("fr", &r, 22));
    cases.extend(fp2_cases(&p));
    cases.extend(montgomery_cases(&p));
    File {
        comment: "BN254 Fp, Fr and Fp2 (u^2 = -1); m is the modulus of the field. Plain integers, \
                  canonical except operands and raw products of op montgomery."
            .to_owned(),
        source: "golden/src/vectors/field.rs: num-bigint, integer product and remainder".to_owned(),
        cases,
    }
}
