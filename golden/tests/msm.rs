//! The bucket method against the naive sum and against arkworks, at every window width.

use ark_bn254::{Fq, Fr, G1Affine, G1Projective};
use ark_ec::{AffineRepr, CurveGroup, VariableBaseMSM};
use ark_ff::{BigInteger, PrimeField};
use zkria_golden::fp::{self, BigUint};
use zkria_golden::msm::{self, Digits};
use zkria_golden::{Error, G1Bytes, ScalarBytes, curve};

const BOTH: [Digits; 2] = [Digits::Unsigned, Digits::Signed];

fn to_ark(point: &G1Bytes) -> G1Affine {
    let x = Fq::from_le_bytes_mod_order(&point[..32]);
    let y = Fq::from_le_bytes_mod_order(&point[32..]);
    if point.iter().all(|&b| b == 0) {
        G1Affine::zero()
    } else {
        G1Affine::new(x, y)
    }
}

fn from_ark(point: &G1Projective) -> G1Bytes {
    let mut out = [0; 64];
    if let Some((x, y)) = point.into_affine().xy() {
        out[..32].copy_from_slice(&x.into_bigint().to_bytes_le());
        out[32..].copy_from_slice(&y.into_bigint().to_bytes_le());
    }
    out
}

fn ark_msm(points: &[G1Bytes], scalars: &[ScalarBytes]) -> G1Bytes {
    let points: Vec<_> = points.iter().map(to_ark).collect();
    let scalars: Vec<_> = scalars
        .iter()
        .map(|s| Fr::from_le_bytes_mod_order(s))
        .collect();
    from_ark(&G1Projective::msm(&points, &scalars).expect("equal lengths"))
}

/// Scalars at which a window, a carry or the top digit is at its end, for any width.
fn border_scalars() -> Vec<ScalarBytes> {
    let r = fp::fr_modulus();
    let one = BigUint::from(1u32);
    let mut values = vec![
        BigUint::ZERO,
        one.clone(),
        &r - 1u32,
        &r - 2u32,
        (&r - 1u32) / 2u32,
    ];
    for k in [1, 10, 11, 21, 22, 127, 128, 230, 231, 253] {
        values.extend([(&one << k) - 1u32, &one << k, (&one << k) + 1u32]);
    }
    // Every window of width 11 all ones below the top, and every signed digit at its carry.
    values.push((&one << 253) - 1u32);
    values.push((0..23).map(|w| BigUint::from(1024u32) << (11 * w)).sum());
    values.push((0..23).map(|w| BigUint::from(1023u32) << (11 * w)).sum());
    values.iter().map(fp::to_bytes_le).collect()
}

#[test]
fn every_window_width_agrees_with_naive_and_arkworks() {
    let mut scalars = border_scalars();
    scalars.extend(curve::scalars(2, 6));
    let mut points = curve::points_g1(1, scalars.len());
    let n = points.len();
    points[n - 1] = [0; 64]; // infinity
    points[n - 2] = points[3]; // repeated
    points[n - 3] = curve::neg_g1(&points[4]).unwrap(); // opposite
    let expected = msm::naive_g1(&points, &scalars).unwrap();
    assert_eq!(expected, ark_msm(&points, &scalars));
    for c in 2..=13 {
        for digits in BOTH {
            let got = msm::pippenger_g1(&points, &scalars, c, digits).unwrap();
            assert_eq!(got, expected, "c = {c}, {digits:?}");
        }
    }
}

/// A wide window costs up to a million additions, so only two windows get digits.
#[test]
fn widest_windows() {
    let points = curve::points_g1(3, 2);
    let one = BigUint::from(1u32);
    let scalars = [
        (&one << 253) + 12_345u32,
        (&one << 253) - (&one << 240) + 65_535u32,
    ];
    let scalars = scalars.map(|s| fp::to_bytes_le(&s));
    let expected = msm::naive_g1(&points, &scalars).unwrap();
    for (c, digits) in [(16, Digits::Unsigned), (20, Digits::Signed)] {
        assert_eq!(
            msm::pippenger_g1(&points, &scalars, c, digits),
            Ok(expected),
            "c = {c}"
        );
    }
}

#[test]
fn random_sizes_agree_with_arkworks() {
    for n in [0, 1, 2, 3, 31, 32, 33, 237, 1025] {
        let (points, scalars) = (curve::points_g1(n as u64, n), curve::scalars(n as u64, n));
        assert_eq!(
            msm::msm_g1(&points, &scalars),
            Ok(ark_msm(&points, &scalars)),
            "n = {n}"
        );
    }
}

#[test]
fn g2_agrees_with_naive() {
    let mut points = curve::points_g2(4, 9);
    let mut scalars = curve::scalars(4, 9);
    points[3] = points[2];
    scalars[3] = scalars[2]; // doubling in a bucket
    points[5] = curve::neg_g2(&points[4]).unwrap();
    scalars[5] = scalars[4]; // cancels in a bucket
    points[6] = [0; 128];
    scalars[7] = fp::to_bytes_le(&(fp::fr_modulus() - 1u32));
    let expected = msm::naive_g2(&points, &scalars).unwrap();
    assert_eq!(msm::msm_g2(&points, &scalars), Ok(expected));
    for digits in BOTH {
        assert_eq!(
            msm::pippenger_g2(&points, &scalars, 7, digits),
            Ok(expected)
        );
    }
    assert_eq!(msm::msm_g2(&[], &[]), Ok([0; 128]));
}

/// The digits make up the scalar again, stay in their range, and signed ones are those of the
/// closed formula `((s + H) >> c w mod 2^c) - 2^(c-1)`, `H = sum 2^(c-1+c w)`.
#[test]
fn digits_make_up_the_scalar() {
    for scalar in border_scalars() {
        let s = fp::from_bytes_le(&scalar);
        for c in 2..=20u32 {
            let base = 1i32 << c;
            for (digits, range) in [
                (Digits::Unsigned, 0..base),
                (Digits::Signed, -base / 2..base / 2),
            ] {
                let cut = digits.cut(&scalar, c).unwrap();
                assert_eq!(cut.len(), digits.windows(c));
                assert!(
                    cut.iter().all(|d| range.contains(d)),
                    "c = {c}, {digits:?}: {cut:?}"
                );
                let (mut plus, mut minus) = (BigUint::ZERO, BigUint::ZERO);
                for (w, &d) in cut.iter().enumerate() {
                    let term = BigUint::from(d.unsigned_abs()) << (c as usize * w);
                    if d < 0 { minus += term } else { plus += term }
                }
                assert_eq!(plus - minus, s, "c = {c}, {digits:?}");
            }
            let half = BigUint::from(1u32) << (c - 1);
            let windows = Digits::Signed.windows(c) as u32;
            let h: BigUint = (0..windows).map(|w| &half << (c * w)).sum();
            for (w, &d) in Digits::Signed.cut(&scalar, c).unwrap().iter().enumerate() {
                let biased = ((&s + &h) >> (c as usize * w)) % (BigUint::from(1u32) << c);
                assert_eq!(
                    BigUint::from((i64::from(d) + i64::from(base / 2)) as u64),
                    biased
                );
            }
        }
    }
}

/// Every bucket by its definition: the naive sum of the points whose digit names it.
#[test]
fn bucket_sums_by_definition() {
    let c = 5;
    let mut points = curve::points_g1(6, 40);
    let mut scalars = curve::scalars(6, 40);
    points[7] = curve::neg_g1(&points[6]).unwrap();
    scalars[7] = scalars[6];
    points[9] = points[8];
    scalars[9] = scalars[8];
    points[10] = [0; 64];
    for digits in BOTH {
        let sums = msm::bucket_sums_g1(&points, &scalars, c, digits).unwrap();
        assert_eq!(sums.len(), digits.windows(c));
        for (w, window) in sums.iter().enumerate() {
            assert_eq!(window.len(), digits.buckets(c));
            for (index, bucket) in window.iter().enumerate() {
                let mut expected = [0; 64];
                for (point, scalar) in points.iter().zip(&scalars) {
                    let digit = digits.cut(scalar, c).unwrap()[w];
                    if digit.unsigned_abs() as usize == index + 1 {
                        let term = if digit < 0 {
                            curve::neg_g1(point).unwrap()
                        } else {
                            *point
                        };
                        expected = curve::add_g1(&expected, &term).unwrap();
                    }
                }
                assert_eq!(*bucket, expected, "{digits:?}, window {w}, index {index}");
            }
        }
        let total = msm::combine_g1(&sums, c, digits).unwrap();
        assert_eq!(
            total,
            msm::naive_g1(&points, &scalars).unwrap(),
            "{digits:?}"
        );
    }
}

#[test]
fn the_accelerators_shape() {
    let (points, scalars) = (curve::points_g1(9, 100), curve::scalars(9, 100));
    let sums = msm::bucket_sums_g1(&points, &scalars, 11, Digits::Unsigned).unwrap();
    assert_eq!((sums.len(), sums[0].len()), (24, 2047));
    let total = msm::combine_g1(&sums, 11, Digits::Unsigned).unwrap();
    assert_eq!(total, ark_msm(&points, &scalars));
}

#[test]
fn results_at_infinity() {
    let p = curve::points_g1(1, 1)[0];
    let minus = curve::neg_g1(&p).unwrap();
    let s = curve::scalars(1, 1)[0];
    assert_eq!(msm::msm_g1(&[p, minus], &[s, s]), Ok([0; 64]));
    assert_eq!(msm::msm_g1(&[p], &[[0; 32]]), Ok([0; 64]));
    assert_eq!(msm::msm_g1(&[[0; 64]], &[s]), Ok([0; 64]));
    assert_eq!(msm::msm_g1(&[], &[]), Ok([0; 64]));
}

/// Many equal points with equal scalars: every addition but the first is in one chain of a bucket.
#[test]
fn equal_points_with_equal_scalars() {
    let p = curve::points_g1(1, 1)[0];
    let s = curve::scalars(1, 1)[0];
    let n_s = fp::mul(
        &fp::from_bytes_le(&s),
        &BigUint::from(8192u32),
        &fp::fr_modulus(),
    );
    let expected = curve::mul_g1(&p, &fp::to_bytes_le(&n_s)).unwrap();
    assert_eq!(msm::msm_g1(&vec![p; 8192], &vec![s; 8192]), Ok(expected));
}

#[test]
fn bad_input_is_refused_by_index() {
    let points = curve::points_g1(1, 3);
    let good = curve::scalars(1, 3);
    let r = fp::to_bytes_le(&fp::fr_modulus());
    for run in [msm::naive_g1, msm::msm_g1] {
        let length = Error::Length {
            points: 3,
            scalars: 2,
        };
        assert_eq!(run(&points, &good[..2]), Err(length));
        assert_eq!(
            run(&points, &[good[0], r, r]),
            Err(Error::Scalar { index: 1 })
        );
        assert_eq!(
            run(&points, &[good[0], good[1], [0xff; 32]]),
            Err(Error::Scalar { index: 2 })
        );
        let mut bad = points.clone();
        bad[2][40] ^= 1;
        assert_eq!(run(&bad, &good), Err(Error::OffCurve { index: 2 }));
        bad[1][..32].copy_from_slice(&[0xff; 32]);
        assert_eq!(run(&bad, &good), Err(Error::Coordinate { index: 1 }));
    }
    for c in [0, 1, 21] {
        let window = Err(Error::Window { c });
        assert_eq!(msm::pippenger_g1(&points, &good, c, Digits::Signed), window);
        assert!(msm::bucket_sums_g1(&points, &good, c, Digits::Unsigned).is_err());
        assert!(Digits::Signed.cut(&good[0], c).is_err());
    }
    let shape = Error::Shape {
        windows: 127,
        buckets: 3,
    };
    assert_eq!(msm::combine_g1(&[], 2, Digits::Unsigned), Err(shape));
}
