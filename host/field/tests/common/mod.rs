//! Edge values, random values and big-integer views shared by the tests of this crate.

#![allow(
    dead_code,
    reason = "each test file uses its own part of these helpers"
)]

use num_bigint::BigUint;
use num_traits::One;
use proptest::prelude::*;
use zkria_field::bn254::{Fp, Fp2};
use zkria_field::{Field, PrimeField};

/// The modulus as a big integer.
pub(crate) fn modulus<F: PrimeField>() -> BigUint {
    from_limbs(F::MODULUS)
}

/// Little-endian limbs as a big integer.
pub(crate) fn from_limbs(limbs: [u64; 4]) -> BigUint {
    BigUint::from_bytes_le(&limbs.map(u64::to_le_bytes).concat())
}

/// A big integer below `2^256` as limbs.
pub(crate) fn limbs(value: &BigUint) -> [u64; 4] {
    let mut digits = value.to_u64_digits();
    assert!(digits.len() <= 4, "at most 256 bits");
    digits.resize(4, 0);
    digits.try_into().expect("resized to four")
}

/// The canonical value of an element.
pub(crate) fn big<F: PrimeField>(x: F) -> BigUint {
    from_limbs(x.to_limbs())
}

/// Bits at which some representation of ours has a border: limbs of radix 64 and 52, the 17- and
/// 26-bit sides of a DSP tile, and the widths around the modulus.
fn borders() -> impl Iterator<Item = u32> {
    let steps = [64u32, 52, 17, 26];
    let mut all: Vec<u32> = steps
        .iter()
        .flat_map(|&s| (1..).map(move |i| i * s).take_while(|&k| k < 254))
        .chain([1, 2, 127, 128, 252, 253])
        .collect();
    all.sort_unstable();
    all.dedup();
    all.into_iter()
}

/// 0, 1, p-1 and their neighbours, `2^k`, `2^k - 1` and `p - 2^k` at every border, and the same
/// again as internal (Montgomery) limbs, so that the carries inside a product are met too.
pub(crate) fn edges<F: PrimeField>() -> Vec<F> {
    let p = modulus::<F>();
    let one = BigUint::one();
    let mut values = vec![
        BigUint::ZERO,
        one.clone(),
        &one + &one,
        &p - &one,
        &p - &one - &one,
        (&p - &one) >> 1u32,
        (&p + &one) >> 1u32,
    ];
    for k in borders() {
        let power = &one << k;
        values.extend([&power - &one, power.clone(), &p - &power]);
    }
    values
        .iter()
        .flat_map(|v| {
            let l = limbs(v);
            [
                F::from_limbs(l).expect("an edge value is below the modulus"),
                F::from_montgomery_limbs(l).expect("an edge value is below the modulus"),
            ]
        })
        .collect()
}

/// Edge elements of Fp2: all pairs of a few coordinates.
pub(crate) fn fp2_edges() -> Vec<Fp2> {
    let coordinates: Vec<Fp> = edges::<Fp>().into_iter().step_by(5).collect();
    coordinates
        .iter()
        .flat_map(|&c0| coordinates.iter().map(move |&c1| Fp2::new(c0, c1)))
        .collect()
}

/// Any element, edge values included.
pub(crate) fn element<F: PrimeField>() -> impl Strategy<Value = F> {
    prop_oneof![
        4 => any::<[u64; 4]>().prop_map(F::from_limbs_reduced),
        1 => proptest::sample::select(edges::<F>()),
    ]
}

/// A small deterministic source of words for `Field::random` (splitmix64).
pub(crate) fn words(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// A random element.
pub(crate) fn random<F: Field>(seed: u64) -> F {
    F::random(&mut words(seed))
}
