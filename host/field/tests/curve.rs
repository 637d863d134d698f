//! Points: group laws in every exceptional case, known multiples, encodings, the subgroup.

mod common;

use common::{element, limbs, modulus, random, words};
use num_bigint::BigUint;
use proptest::prelude::*;
use zkria_field::bn254::{Fp, Fp2, Fr, G1, G2};
use zkria_field::{Affine, Field, Group, Jacobian, PrimeField};

/// `k * generator` by the plainest double-and-add over affine chord and tangent.
fn naive_multiple<G: Group>(k: u64) -> Affine<G> {
    let mut acc = Affine::INFINITY;
    for _ in 0..k {
        acc = naive_add(&acc, &G::generator());
    }
    acc
}

/// Affine addition straight from the definition; the oracle of the formulas here.
fn naive_add<G: Group>(p: &Affine<G>, q: &Affine<G>) -> Affine<G> {
    if p.is_infinity() {
        return *q;
    }
    if q.is_infinity() {
        return *p;
    }
    let slope = if p.x != q.x {
        (q.y - p.y) * (q.x - p.x).inverse().expect("the x differ")
    } else if p.y == q.y && !p.y.is_zero() {
        let xx = p.x.square();
        (xx + xx + xx) * p.y.double().inverse().expect("y is not zero")
    } else {
        return Affine::INFINITY;
    };
    let x = slope.square() - p.x - q.x;
    Affine {
        x,
        y: slope * (p.x - x) - p.y,
    }
}

/// The same group element with another denominator.
fn rescale<G: Group>(p: &Affine<G>, z: G::Base) -> Jacobian<G> {
    if p.is_infinity() {
        // Infinity with x and y that are not 1.
        return Jacobian {
            x: z,
            y: z.square(),
            z: G::Base::ZERO,
        };
    }
    Jacobian {
        x: p.x * z.square(),
        y: p.y * z.square() * z,
        z,
    }
}

fn check_addition<G: Group>() {
    let multiples: Vec<Affine<G>> = (0..6).map(naive_multiple).collect();
    let points: Vec<Affine<G>> = multiples.iter().flat_map(|p| [*p, p.neg()]).collect();
    for (i, p) in points.iter().enumerate() {
        assert!(p.is_on_curve());
        for (j, q) in points.iter().enumerate() {
            let expected = naive_add(p, q);
            let zs = [G::Base::ONE, random::<G::Base>((13 * i + j) as u64)];
            for z1 in zs {
                let a = rescale(p, z1);
                let mixed = a.add_mixed(q);
                assert_eq!(mixed.to_affine(), expected, "mixed {p:?} + {q:?}");
                for z2 in zs {
                    let sum = a.add(&rescale(q, z2));
                    assert_eq!(sum.to_affine(), expected, "{p:?} + {q:?}");
                    assert_eq!(sum, mixed, "equality ignores z");
                    assert_eq!(a == rescale(q, z2), p == q, "{p:?} == {q:?}");
                }
            }
        }
        let z = random::<G::Base>(i as u64);
        let doubled = rescale(p, z).double();
        assert_eq!(doubled.to_affine(), naive_add(p, p), "2 * {p:?}");
        assert_eq!(rescale(p, z).neg().to_affine(), p.neg());
    }
}

#[test]
fn addition_in_every_case() {
    check_addition::<G1>();
    check_addition::<G2>();
}

#[test]
fn a_point_of_order_two_doubles_to_infinity() {
    // Not on our curves (odd order); the formulas must still not invent a point.
    let p = Jacobian::<G1> {
        x: Fp::from(5u64),
        y: Fp::ZERO,
        z: Fp::ONE,
    };
    assert!(p.double().is_infinity());
}

fn check_multiples<G: Group>() {
    let g = Jacobian::from(G::generator());
    for k in 0..20 {
        assert_eq!(g.mul_limbs(&[k]).to_affine(), naive_multiple::<G>(k));
    }
    let r = G::Scalar::MODULUS;
    assert!(g.mul_limbs(&r).is_infinity(), "r * G");
    let r_minus_1 = limbs(&(modulus::<G::Scalar>() - 1u32));
    assert_eq!(g.mul_limbs(&r_minus_1), g.neg(), "(r - 1) * G");
    assert!(g.mul_limbs(&[]).is_infinity());
    assert!(Jacobian::<G>::INFINITY.mul_limbs(&r_minus_1).is_infinity());
    let (a, b) = (random::<G::Scalar>(1), random::<G::Scalar>(2));
    assert_eq!(g.mul(&a).add(&g.mul(&b)), g.mul(&(a + b)));
    assert_eq!(g.mul(&a).mul(&b), g.mul(&(a * b)));
}

#[test]
fn multiples() {
    check_multiples::<G1>();
    check_multiples::<G2>();
}

#[test]
fn known_multiple_of_the_generator() {
    // 2 * G1, the second vector that every BN254 implementation carries (EIP-196 tests).
    let x: BigUint = "1368015179489954701390400359078579693043519447331113978918064868415326638035"
        .parse()
        .expect("decimal digits");
    let y: BigUint = "9918110051302171585080402603319702774565515993150576347155970296011118125764"
        .parse()
        .expect("decimal digits");
    let expected = Affine::<G1> {
        x: Fp::from_limbs(limbs(&x)).expect("below p"),
        y: Fp::from_limbs(limbs(&y)).expect("below p"),
    };
    assert_eq!(
        Jacobian::from(G1::generator()).double().to_affine(),
        expected
    );
}

fn check_batch<G: Group>() {
    let g = Jacobian::from(G::generator());
    let mut points: Vec<Jacobian<G>> = (1..9).map(|k| g.mul_limbs(&[k])).collect();
    points.insert(0, Jacobian::INFINITY);
    points.insert(4, Jacobian::INFINITY);
    points.push(Jacobian::INFINITY);
    let one_by_one: Vec<Affine<G>> = points.iter().map(Jacobian::to_affine).collect();
    assert_eq!(Jacobian::batch_to_affine(&points), one_by_one);
    assert!(Jacobian::<G>::batch_to_affine(&[]).is_empty());
}

#[test]
fn batch_to_affine_agrees_with_one_by_one() {
    check_batch::<G1>();
    check_batch::<G2>();
}

fn check_encoding<G: Group>() {
    for k in 0..5 {
        let p = naive_multiple::<G>(k);
        let bytes = p.to_bytes_le();
        assert_eq!(bytes.len(), Affine::<G>::BYTES);
        assert_eq!(Affine::<G>::from_bytes_le(&bytes), Some(p));
        assert_eq!(Affine::<G>::from_bytes_le(&bytes[1..]), None);
    }
    let zeros = vec![0; Affine::<G>::BYTES];
    assert_eq!(Affine::<G>::INFINITY.to_bytes_le(), zeros);
    let modulus = modulus::<Fp>().to_bytes_le();
    for at in (0..zeros.len()).step_by(32) {
        let mut bytes = zeros.clone();
        bytes[at..at + 32].copy_from_slice(&modulus);
        assert_eq!(Affine::<G>::from_bytes_le(&bytes), None, "p at byte {at}");
    }
}

#[test]
fn encodings() {
    check_encoding::<G1>();
    check_encoding::<G2>();
    let g2 = G2::generator();
    let bytes = g2.to_bytes_le();
    let parts: Vec<Fp> = bytes
        .chunks(32)
        .map(|c| Fp::from_bytes_le(c).expect("canonical"))
        .collect();
    assert_eq!(parts, [g2.x.c0, g2.x.c1, g2.y.c0, g2.y.c1]);
}

#[test]
fn points_off_the_curve_are_told() {
    let mut p = G1::generator();
    p.y += Fp::ONE;
    assert!(!p.is_on_curve());
    let zero_x = Affine::<G1> {
        x: Fp::ZERO,
        y: Fp::ONE,
    };
    assert!(!zero_x.is_infinity() && !zero_x.is_on_curve());
    assert!(Affine::<G2>::INFINITY.is_on_curve());
    let mut q = G2::generator();
    q.x.c1 += Fp::ONE;
    assert!(!q.is_on_curve());
}

/// A square root in Fp2 where there is one (`p = 3 mod 4`, complex method).
fn sqrt(a: Fp2) -> Option<Fp2> {
    let p = modulus::<Fp>();
    let root = |x: Fp| {
        let r = x.pow(&limbs(&((&p + 1u32) >> 2u32)));
        (r.square() == x).then_some(r)
    };
    let half = Fp::from(2u64).inverse().expect("2 is not zero");
    let norm_root = root(a.norm())?;
    [norm_root, -norm_root].into_iter().find_map(|n| {
        let c0 = root((a.c0 + n) * half)?;
        let candidate = Fp2::new(c0, a.c1 * half * c0.inverse()?);
        (candidate.square() == a).then_some(candidate)
    })
}

#[test]
fn subgroup_of_g2_agrees_with_multiplying_by_r() {
    let g = Jacobian::from(G2::generator());
    assert!(G2::in_subgroup(&Affine::INFINITY));
    for seed in 0..8 {
        let p = g.mul(&random::<Fr>(seed)).to_affine();
        assert!(G2::in_subgroup(&p), "seed {seed}");
    }
    // Points of the whole twist: its cofactor is about 2^254, so none of these lies in G2, and
    // their multiples by r lie in the cofactor's part.
    let mut next = words(99);
    let mut outside = 0;
    // Every second x has a point; the bound keeps broken arithmetic from running for ever.
    for _ in 0..100 {
        let x = Fp2::random(&mut next);
        let Some(y) = sqrt(x.square() * x + G2::b()) else {
            continue;
        };
        let p = Affine::<G2> { x, y };
        assert!(p.is_on_curve());
        let times_r = Jacobian::from(p).mul_limbs(&Fr::MODULUS);
        assert!(!times_r.is_infinity());
        assert!(!G2::in_subgroup(&p), "{p:?}");
        assert!(!G2::in_subgroup(&times_r.to_affine()));
        let mixed = g.add_mixed(&times_r.to_affine()).to_affine();
        assert!(!G2::in_subgroup(&mixed));
        outside += 1;
    }
    assert!(outside > 20, "only {outside} points found");
    assert!(G1::in_subgroup(&G1::generator()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn scalar_multiplication_is_linear(a in element::<Fr>(), b in element::<Fr>()) {
        let g = Jacobian::from(G1::generator());
        prop_assert_eq!(g.mul(&a).add(&g.mul(&b)), g.mul(&(a + b)));
        prop_assert!(g.mul(&a).to_affine().is_on_curve());
    }
}
