//! Fp2 against schoolbook formulas over num-bigint.

mod common;

use common::{big, element, fp2_edges, modulus, random};
use num_bigint::BigUint;
use proptest::prelude::*;
use zkria_field::bn254::{Fp, Fp2};
use zkria_field::{Field, batch_inverse};

fn pair(a: Fp2) -> (BigUint, BigUint) {
    (big(a.c0), big(a.c1))
}

fn check(a: Fp2, b: Fp2) {
    let p = modulus::<Fp>();
    let ((a0, a1), (b0, b1)) = (pair(a), pair(b));
    let real = (&a0 * &b0 + &p * &p - &a1 * &b1) % &p;
    let imaginary = (&a0 * &b1 + &a1 * &b0) % &p;
    assert_eq!(pair(a * b), (real, imaginary), "{a:?} * {b:?}");
    assert_eq!(pair(a + b), ((&a0 + &b0) % &p, (&a1 + &b1) % &p));
    assert_eq!(pair(a - b), ((&a0 + &p - &b0) % &p, (&a1 + &p - &b1) % &p));
    assert_eq!(a.square(), a * a, "{a:?}^2");
    assert_eq!(a.double(), a + a);
    assert_eq!(-a + a, Fp2::ZERO);
    assert_eq!((a.negate_if(true), a.negate_if(false)), (-a, a));
    assert_eq!(a * a.conjugate(), Fp2::new(a.norm(), Fp::ZERO));
    match a.inverse() {
        None => assert!(a.is_zero()),
        Some(inv) => assert_eq!(inv * a, Fp2::ONE, "1 / {a:?}"),
    }
    let mut bytes = [0u8; 64];
    a.write_bytes_le(&mut bytes);
    assert_eq!(BigUint::from_bytes_le(&bytes[..32]), a0, "c0 comes first");
    assert_eq!(Fp2::from_bytes_le(&bytes), Some(a));
}

#[test]
fn edge_values() {
    let values = fp2_edges();
    for (i, &a) in values.iter().enumerate() {
        // A stride coprime to the length meets different partners for each a.
        for j in (0..values.len()).step_by(37) {
            check(a, values[(i + j) % values.len()]);
        }
    }
}

#[test]
fn encoding_refuses_what_is_not_canonical() {
    let p = modulus::<Fp>().to_bytes_le();
    let mut bytes = [0u8; 64];
    bytes[..32].copy_from_slice(&p);
    assert_eq!(Fp2::from_bytes_le(&bytes), None, "c0 = p");
    bytes[..32].fill(0);
    bytes[32..].copy_from_slice(&p);
    assert_eq!(Fp2::from_bytes_le(&bytes), None, "c1 = p");
    for wrong in [0usize, 31, 32, 63, 65, 96] {
        assert_eq!(Fp2::from_bytes_le(&vec![0; wrong]), None, "{wrong} bytes");
    }
}

#[test]
fn batch_inverse_over_fp2() {
    let mut values: Vec<Fp2> = (0..9).map(random).collect();
    values[4] = Fp2::ZERO;
    let expected: Vec<Fp2> = values
        .iter()
        .map(|v| v.inverse().unwrap_or(Fp2::ZERO))
        .collect();
    batch_inverse(&mut values);
    assert_eq!(values, expected);
}

proptest! {
    #[test]
    fn matches_schoolbook(
        a0 in element::<Fp>(), a1 in element::<Fp>(),
        b0 in element::<Fp>(), b1 in element::<Fp>(),
    ) {
        check(Fp2::new(a0, a1), Fp2::new(b0, b1));
    }
}
