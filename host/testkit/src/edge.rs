//! Values that hit carries.

use std::collections::BTreeSet;

use zkria_field::PrimeField;
use zkria_golden::fp::{self, BigUint};

/// Limb widths in use: CPU words, IFMA limbs, the two sides of a DSP tile.
const RADICES: [u64; 4] = [64, 52, 26, 17];

/// Below `modulus`, ascending, each once: 0, 1, 2, m - 1, m - 2, (m - 1) / 2, and at every limb
/// edge k of radix 64, 52, 26 and 17 and at the modulus' top bit: `2^k`, `2^k - 1`, `m - 2^k`.
#[must_use]
pub fn edge_integers(modulus: &BigUint) -> Vec<BigUint> {
    let one = BigUint::from(1u32);
    let mut out = BTreeSet::from([
        BigUint::ZERO,
        one.clone(),
        BigUint::from(2u32),
        modulus - 1u32,
        modulus - 2u32,
        (modulus - 1u32) / 2u32,
    ]);
    let bits = modulus.bits();
    let limb_edges = RADICES
        .into_iter()
        .flat_map(|radix| (radix..bits).step_by(radix as usize));
    // The top bit of the modulus is an edge for every radix.
    for k in limb_edges.chain([bits - 1]) {
        let power = &one << k;
        out.extend([&power - 1u32, power.clone(), modulus - &power]);
    }
    out.retain(|v| v < modulus);
    out.into_iter().collect()
}

/// [`edge_integers`] of the field's modulus as field elements.
///
/// # Panics
/// When the field refuses a value below its modulus.
#[must_use]
pub fn edge_values<F: PrimeField>() -> Vec<F> {
    edge_integers(&integer(F::MODULUS))
        .iter()
        .map(element)
        .collect()
}

/// The integer in little-endian limbs.
pub(crate) fn integer(limbs: [u64; 4]) -> BigUint {
    let bytes: Vec<u8> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
    fp::from_bytes_le(&bytes)
}

/// Little-endian limbs of an integer below 2^256.
pub(crate) fn limbs(value: &BigUint) -> [u64; 4] {
    let mut out = [0; 4];
    for (limb, digit) in out.iter_mut().zip(value.iter_u64_digits()) {
        *limb = digit;
    }
    out
}

/// The field element with this canonical value.
pub(crate) fn element<F: PrimeField>(value: &BigUint) -> F {
    F::from_limbs(limbs(value)).unwrap_or_else(|| panic!("from_limbs refuses {value:#x}"))
}

#[cfg(test)]
mod tests {
    use zkria_field::bn254::{Fp, Fr};

    use super::*;

    #[test]
    fn all_limb_edges_are_there() {
        let p = fp::fp_modulus();
        let integers = edge_integers(&p);
        for k in [17u32, 26, 34, 52, 64, 104, 128, 192, 208, 234, 238, 253] {
            let power = BigUint::from(1u32) << k;
            for value in [power.clone(), &p - &power, power - 1u32] {
                assert!(integers.contains(&value), "k = {k}: {value:#x}");
            }
        }
        assert!(integers.iter().all(|v| v < &p));
        assert!(integers.is_sorted());
    }

    #[test]
    fn values_are_elements() {
        let values = edge_values::<Fp>();
        assert_eq!(values.len(), edge_integers(&fp::fp_modulus()).len());
        assert!(values.contains(&-Fp::from(1)));
        assert!(edge_values::<Fr>().contains(&-Fr::from(1)));
    }

    #[test]
    fn limbs_round_trip() {
        let value = fp::fp_modulus() - 3u32;
        assert_eq!(integer(limbs(&value)), value);
        assert_eq!(limbs(&BigUint::ZERO), [0; 4]);
    }
}
