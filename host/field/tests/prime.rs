//! Fp and Fr against num-bigint: edge values in all pairs, then properties.

mod common;

use common::{big, edges, element, from_limbs, limbs, modulus, words};
use num_bigint::BigUint;
use num_traits::One;
use proptest::prelude::*;
use zkria_field::bn254::{Fp, Fr};
use zkria_field::{Field, PrimeField, batch_inverse};

/// All operations of two elements against big integers.
fn check_pair<F: PrimeField>(a: F, b: F) {
    let p = modulus::<F>();
    let (x, y) = (big(a), big(b));
    assert_eq!(big(a + b), (&x + &y) % &p, "{a:?} + {b:?}");
    assert_eq!(big(a - b), (&x + &p - &y) % &p, "{a:?} - {b:?}");
    assert_eq!(big(a * b), (&x * &y) % &p, "{a:?} * {b:?}");
    let (mut s, mut d, mut m) = (a, a, a);
    s += b;
    d -= b;
    m *= b;
    assert_eq!((s, d, m), (a + b, a - b, a * b));
}

/// All operations of one element against big integers.
fn check_one<F: PrimeField>(a: F) {
    let p = modulus::<F>();
    let x = big(a);
    assert!(x < p, "canonical limbs of {a:?}");
    assert!(
        from_limbs(a.to_montgomery_limbs()) < p,
        "{a:?} is stored reduced"
    );
    assert_eq!(big(-a), (&p - &x) % &p, "-{a:?}");
    assert_eq!(a.negate_if(true), -a);
    assert_eq!(a.negate_if(false), a);
    assert_eq!(big(a.double()), (&x + &x) % &p, "2 * {a:?}");
    assert_eq!(big(a.square()), (&x * &x) % &p, "{a:?}^2");
    assert_eq!(
        from_limbs(a.to_montgomery_limbs()),
        (&x << 256u32) % &p,
        "Montgomery form of {a:?}"
    );
    assert_eq!(F::from_limbs(a.to_limbs()), Some(a));
    assert_eq!(F::from_montgomery_limbs(a.to_montgomery_limbs()), Some(a));
    assert_eq!(a.is_zero(), x == BigUint::ZERO);
    match a.inverse() {
        None => assert!(a.is_zero(), "only zero lacks an inverse, not {a:?}"),
        Some(inv) => {
            let exp = &p - 2u32;
            assert_eq!(big(inv), x.modpow(&exp, &p), "1 / {a:?}");
        }
    }
    let mut bytes = [0u8; 32];
    a.write_bytes_le(&mut bytes);
    assert_eq!(BigUint::from_bytes_le(&bytes), x);
    assert_eq!(F::from_bytes_le(&bytes), Some(a));
}

#[test]
fn edge_values_in_all_pairs() {
    fn run<F: PrimeField>() {
        let values = edges::<F>();
        for &a in &values {
            check_one(a);
            for &b in &values {
                check_pair(a, b);
            }
        }
    }
    run::<Fp>();
    run::<Fr>();
}

#[test]
fn constants_are_the_curve_s() {
    // EIP-196 and EIP-197 write both moduli in decimal.
    let p: BigUint =
        "21888242871839275222246405745257275088696311157297823662689037894645226208583"
            .parse()
            .expect("decimal digits");
    let r: BigUint =
        "21888242871839275222246405745257275088548364400416034343698204186575808495617"
            .parse()
            .expect("decimal digits");
    assert_eq!(modulus::<Fp>(), p);
    assert_eq!(modulus::<Fr>(), r);
    assert_eq!((Fp::MODULUS_BITS, Fr::MODULUS_BITS), (254, 254));
    assert_eq!(big(Fp::ONE), BigUint::one());
    assert_eq!(Fp::default(), Fp::ZERO);
    assert_eq!(big(Fr::from(u64::MAX)), BigUint::from(u64::MAX));
}

#[test]
fn non_canonical_values_are_refused() {
    fn run<F: PrimeField>() {
        let p = modulus::<F>();
        for above in [
            p.clone(),
            &p + 1u32,
            &p * 2u32 - 1u32,
            (BigUint::one() << 256u32) - 1u32,
        ] {
            let l = limbs(&above);
            assert_eq!(F::from_limbs(l), None);
            assert_eq!(F::from_montgomery_limbs(l), None);
            let bytes = l.map(u64::to_le_bytes).concat();
            assert_eq!(F::from_bytes_le(&bytes), None);
            assert_eq!(big(F::from_limbs_reduced(l)), above % &p);
        }
        for wrong in [0usize, 31, 33, 64] {
            assert_eq!(F::from_bytes_le(&vec![0; wrong]), None, "{wrong} bytes");
        }
    }
    run::<Fp>();
    run::<Fr>();
}

#[test]
fn batch_inverse_leaves_zeros_and_inverts_the_rest() {
    for n in [0usize, 1, 2, 3, 33] {
        let mut next = words(7);
        let mut values: Vec<Fp> = (0..n).map(|_| Fp::random(&mut next)).collect();
        for at in [0, n / 2, n.saturating_sub(1)] {
            if let Some(v) = values.get_mut(at) {
                *v = Fp::ZERO;
            }
        }
        let expected: Vec<Fp> = values
            .iter()
            .map(|v| v.inverse().unwrap_or(Fp::ZERO))
            .collect();
        batch_inverse(&mut values);
        assert_eq!(values, expected, "n = {n}");
    }
}

#[test]
fn debug_prints_the_canonical_value_in_hex() {
    let text = format!("{:?}", Fr::from(0x2au64));
    assert_eq!(text, format!("Fr(0x{:064x})", 0x2a));
}

#[test]
fn random_differs_and_follows_its_source() {
    let a = Fp::random(&mut words(1));
    assert_eq!(a, Fp::random(&mut words(1)));
    assert_ne!(a, Fp::random(&mut words(2)));
    // All-ones words: (2^512 - 1) mod p.
    let expected = ((BigUint::one() << 512u32) - 1u32) % modulus::<Fp>();
    assert_eq!(big(Fp::random(&mut || u64::MAX)), expected);
}

proptest! {
    #[test]
    fn fp_matches_big_integers(a in element::<Fp>(), b in element::<Fp>()) {
        check_one(a);
        check_pair(a, b);
    }

    #[test]
    fn fr_matches_big_integers(a in element::<Fr>(), b in element::<Fr>()) {
        check_one(a);
        check_pair(a, b);
    }

    #[test]
    fn inverse_times_itself_is_one(a in element::<Fp>(), b in element::<Fr>()) {
        prop_assert_eq!(a.inverse().map(|i| i * a), (!a.is_zero()).then_some(Fp::ONE));
        prop_assert_eq!(b.inverse().map(|i| i * b), (!b.is_zero()).then_some(Fr::ONE));
    }

    #[test]
    fn wide_values_reduce(lo: [u64; 4], hi: [u64; 4]) {
        let value = from_limbs(lo) + (from_limbs(hi) << 256u32);
        prop_assert_eq!(big(Fr::from_wide([lo, hi])), value % modulus::<Fr>());
    }

    #[test]
    fn pow_matches_big_integers(a in element::<Fr>(), e: [u64; 2]) {
        let exp = from_limbs([e[0], e[1], 0, 0]);
        prop_assert_eq!(big(a.pow(&e)), big(a).modpow(&exp, &modulus::<Fr>()));
    }
}
