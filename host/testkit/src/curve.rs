//! The group law of our point types against the oracle.

use zkria_field::{Affine, Group, Jacobian};
use zkria_golden::curve::scalars;
use zkria_golden::fp::{self, BigUint};

use crate::edge::limbs;
use crate::oracle::{Oracle, affine};

/// Asserts that `got` encodes to `expected`.
#[track_caller]
fn same<G: Group>(op: &str, got: &Affine<G>, expected: &[u8]) {
    assert_eq!(got.to_bytes_le(), expected, "{op}: {got:?}");
}

/// The same point with a denominator that is not one.
fn with_denominator<G: Group>(point: Affine<G>, other: Affine<G>) -> Jacobian<G> {
    Jacobian::from(point)
        .add(&other.into())
        .add(&Jacobian::from(other).neg())
}

/// Everything a group promises, against the oracle: generator, membership, encodings, addition in
/// all forms with every exceptional case, doubling, negation, multiplication, conversions.
///
/// # Panics
/// At the first difference, with the operation and its operands.
pub fn check_curve<G: Oracle>() {
    same("generator", &G::generator(), &G::oracle_generator());
    check_encoding::<G>();
    check_membership::<G>();
    check_addition::<G>();
    check_multiplication::<G>();
    check_batch::<G>();
}

fn zero<G: Oracle>() -> Vec<u8> {
    vec![0; Affine::<G>::BYTES]
}

fn check_encoding<G: Oracle>() {
    for bytes in G::oracle_points(11, 8).iter().chain([&zero::<G>()]) {
        same("encoding round trip", &affine::<G>(bytes), bytes);
    }
    same("INFINITY", &Affine::<G>::INFINITY, &zero::<G>());
    assert_eq!(
        Affine::<G>::default(),
        Affine::INFINITY,
        "the default is infinity"
    );

    let good = G::oracle_generator();
    for len in [0, 1, good.len() - 1, good.len() + 1] {
        let mut other = good.clone();
        other.resize(len, 0);
        assert_eq!(
            Affine::<G>::from_bytes_le(&other),
            None,
            "a point of {len} bytes"
        );
    }
    // Every 32-byte coordinate in turn: the modulus, then one more than all ones of it.
    let modulus = G::base_modulus();
    for value in [modulus.clone(), (BigUint::from(1u32) << 256u32) - 1u32] {
        for at in (0..good.len()).step_by(32) {
            let mut bad = good.clone();
            bad[at..at + 32].copy_from_slice(&fp::to_bytes_le(&value));
            assert_eq!(
                Affine::<G>::from_bytes_le(&bad),
                None,
                "coordinate at byte {at}"
            );
        }
    }
}

fn check_membership<G: Oracle>() {
    for bytes in G::oracle_points(12, 8).iter().chain([&zero::<G>()]) {
        let point = affine::<G>(bytes);
        assert!(point.is_on_curve(), "is_on_curve of {point:?}");
        assert!(G::in_subgroup(&point), "in_subgroup of {point:?}");
        assert_eq!(
            point.is_infinity(),
            *bytes == zero::<G>(),
            "is_infinity of {point:?}"
        );
    }
    let mut off = G::oracle_generator();
    off[0] ^= 1;
    assert!(
        !affine::<G>(&off).is_on_curve(),
        "a changed x is off the curve"
    );
    off = zero::<G>();
    off[0] = 1;
    assert!(!affine::<G>(&off).is_on_curve(), "(1, 0) is off the curve");
    if let Some(outside) = G::outside() {
        let point = affine::<G>(&outside);
        assert!(
            point.is_on_curve() && !G::in_subgroup(&point),
            "in_subgroup of {point:?}"
        );
    }
}

fn check_addition<G: Oracle>() {
    // P, Q, -P, 2P, infinity: every pair meets another branch of a formula.
    let mut points = G::oracle_points(13, 2);
    points.push(G::oracle_neg(&points[0]).expect("valid"));
    points.push(G::oracle_add(&points[0], &points[0]).expect("valid"));
    points.push(zero::<G>());
    let helper = affine::<G>(&G::oracle_points(14, 1)[0]);

    for a in &points {
        let pa = affine::<G>(a);
        let minus = G::oracle_neg(a).expect("valid");
        let twice = G::oracle_add(a, a).expect("valid");
        same("affine neg", &pa.neg(), &minus);
        for ja in [Jacobian::from(pa), with_denominator(pa, helper)] {
            same("to_affine", &ja.to_affine(), a);
            same("double", &ja.double().to_affine(), &twice);
            same("neg", &ja.neg().to_affine(), &minus);
            for b in &points {
                let pb = affine::<G>(b);
                let sum = G::oracle_add(a, b).expect("valid");
                let what = format!("{pa:?} + {pb:?}");
                same(
                    &format!("mixed {what}"),
                    &ja.add_mixed(&pb).to_affine(),
                    &sum,
                );
                for jb in [Jacobian::from(pb), with_denominator(pb, helper)] {
                    same(&what, &ja.add(&jb).to_affine(), &sum);
                    assert_eq!(ja == jb, a == b, "equality of {pa:?} and {pb:?}");
                }
            }
        }
    }
    assert_eq!(Jacobian::<G>::INFINITY.to_affine(), Affine::INFINITY);
    assert_eq!(
        Jacobian::<G>::default(),
        Jacobian::INFINITY,
        "the default is infinity"
    );
}

fn check_multiplication<G: Oracle>() {
    let order = G::order();
    let mut integers: Vec<BigUint> = [0u32, 1, 2, 3, 15, 16, 17].map(BigUint::from).to_vec();
    integers.extend([
        &order - 1u32,
        order.clone(),
        &order + 1u32,
        (&order - 1u32) / 2u32,
    ]);
    integers.push((BigUint::from(1u32) << 256u32) - 1u32);
    integers.extend([64, 127, 128, 253].map(|k| BigUint::from(1u32) << k));
    integers.extend(scalars(15, 8).iter().map(|s| fp::from_bytes_le(s)));
    let point = &G::oracle_points(15, 1)[0];
    for k in &integers {
        let expected = G::oracle_mul(point, &fp::to_bytes_le(k)).expect("valid");
        let got = Jacobian::from(affine::<G>(point)).mul_limbs(&limbs(k));
        same(&format!("mul_limbs by {k:#x}"), &got.to_affine(), &expected);
    }
    let infinity = Jacobian::<G>::INFINITY.mul_limbs(&limbs(&integers[10]));
    assert_eq!(
        infinity.to_affine(),
        Affine::INFINITY,
        "a multiple of infinity"
    );
}

fn check_batch<G: Oracle>() {
    assert_eq!(Jacobian::<G>::batch_to_affine(&[]), []);
    let points: Vec<Affine<G>> = G::oracle_points(16, 9).iter().map(|p| affine(p)).collect();
    let mut jacobian: Vec<Jacobian<G>> = points
        .iter()
        .map(|p| with_denominator(*p, points[0]))
        .collect();
    jacobian.insert(0, Jacobian::INFINITY);
    jacobian.insert(5, Jacobian::INFINITY);
    jacobian.push(Jacobian::INFINITY);
    let got = Jacobian::batch_to_affine(&jacobian);
    let one_by_one: Vec<_> = jacobian.iter().map(Jacobian::to_affine).collect();
    assert_eq!(got, one_by_one, "batch_to_affine");
    assert_eq!(got[1..5], points[..4], "batch_to_affine");
    assert_eq!(got[5], Affine::INFINITY, "batch_to_affine");
}
