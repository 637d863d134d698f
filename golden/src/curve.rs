//! The groups G1 and G2 of BN254 over arkworks points: bytes in, bytes out.
//!
//! G1: `y^2 = x^3 + 3` over Fp, encoded x, y, 32 little-endian bytes each. G2: `y^2 = x^3 + 3/(9+u)`
//! over Fp2 with `u^2 = -1`, encoded x.c0, x.c1, y.c0, y.c1. Infinity is all zero bytes, which is no
//! point of either curve. Multiplication is double-and-add written out here, because arkworks' own
//! uses endomorphisms, which are wrong outside the prime-order subgroup.

use ark_bn254::{Fq, g1, g2};
use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, Field, PrimeField, Zero};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::codec::Codec;
use crate::{Error, G1Bytes, G2Bytes, ScalarBytes, fp};

/// `integer * point` by double-and-add from the top bit.
pub(crate) fn multiply<const N: usize, C: Codec<N>>(
    point: &Affine<C>,
    integer: &ScalarBytes,
) -> Projective<C> {
    let mut acc = Projective::<C>::zero();
    for byte in integer.iter().rev() {
        for bit in (0..8).rev() {
            acc.double_in_place();
            if byte >> bit & 1 == 1 {
                acc += point;
            }
        }
    }
    acc
}

fn sum<const N: usize, C: Codec<N>>(a: &[u8; N], b: &[u8; N]) -> Result<[u8; N], Error> {
    let (a, b) = (C::decode(a, 0)?, C::decode(b, 1)?);
    Ok(C::encode(&(Projective::from(a) + b).into_affine()))
}

fn twice<const N: usize, C: Codec<N>>(a: &[u8; N]) -> Result<[u8; N], Error> {
    let mut a = Projective::from(C::decode(a, 0)?);
    a.double_in_place();
    Ok(C::encode(&a.into_affine()))
}

fn product<const N: usize, C: Codec<N>>(a: &[u8; N], k: &ScalarBytes) -> Result<[u8; N], Error> {
    Ok(C::encode(&multiply(&C::decode(a, 0)?, k).into_affine()))
}

/// The generator (1, 2) of G1.
#[must_use]
pub fn generator_g1() -> G1Bytes {
    g1::Config::encode(&Affine::generator())
}

/// The generator of G2 that EIP-197 fixes.
#[must_use]
pub fn generator_g2() -> G2Bytes {
    g2::Config::encode(&Affine::generator())
}

/// Whether the bytes are canonical and name infinity or a point of G1.
#[must_use]
pub fn is_on_curve_g1(point: &G1Bytes) -> bool {
    g1::Config::decode(point, 0).is_ok()
}

/// Whether the bytes are canonical and name infinity or a point of the curve that holds G2; the
/// prime-order subgroup is [`in_subgroup_g2`].
#[must_use]
pub fn is_on_curve_g2(point: &G2Bytes) -> bool {
    g2::Config::decode(point, 0).is_ok()
}

/// Whether `r * point` is infinity.
///
/// # Errors
/// [`Error::Coordinate`] or [`Error::OffCurve`] with index 0.
pub fn in_subgroup_g2(point: &G2Bytes) -> Result<bool, Error> {
    let order = fp::to_bytes_le(&fp::fr_modulus());
    Ok(multiply(&g2::Config::decode(point, 0)?, &order).is_zero())
}

/// `a + b` in G1, every exceptional case included.
///
/// # Errors
/// [`Error::Coordinate`] or [`Error::OffCurve`]; index 0 is `a`, 1 is `b`.
pub fn add_g1(a: &G1Bytes, b: &G1Bytes) -> Result<G1Bytes, Error> {
    sum::<64, g1::Config>(a, b)
}

/// `a + b` in G2, every exceptional case included.
///
/// # Errors
/// [`Error::Coordinate`] or [`Error::OffCurve`]; index 0 is `a`, 1 is `b`.
pub fn add_g2(a: &G2Bytes, b: &G2Bytes) -> Result<G2Bytes, Error> {
    sum::<128, g2::Config>(a, b)
}

/// `2 * a` in G1, by the doubling formula.
///
/// # Errors
/// [`Error::Coordinate`] or [`Error::OffCurve`] with index 0.
pub fn double_g1(a: &G1Bytes) -> Result<G1Bytes, Error> {
    twice::<64, g1::Config>(a)
}

/// `2 * a` in G2, by the doubling formula.
///
/// # Errors
/// [`Error::Coordinate`] or [`Error::OffCurve`] with index 0.
pub fn double_g2(a: &G2Bytes) -> Result<G2Bytes, Error> {
    twice::<128, g2::Config>(a)
}

/// `-a` in G1.
///
/// # Errors
/// [`Error::Coordinate`] or [`Error::OffCurve`] with index 0.
pub fn neg_g1(a: &G1Bytes) -> Result<G1Bytes, Error> {
    Ok(g1::Config::encode(&-g1::Config::decode(a, 0)?))
}

/// `-a` in G2.
///
/// # Errors
/// [`Error::Coordinate`] or [`Error::OffCurve`] with index 0.
pub fn neg_g2(a: &G2Bytes) -> Result<G2Bytes, Error> {
    Ok(g2::Config::encode(&-g2::Config::decode(a, 0)?))
}

/// `k * a` in G1 for any 256-bit integer k, not only scalars below r.
///
/// # Errors
/// [`Error::Coordinate`] or [`Error::OffCurve`] with index 0.
pub fn mul_g1(a: &G1Bytes, k: &ScalarBytes) -> Result<G1Bytes, Error> {
    product::<64, g1::Config>(a, k)
}

/// `k * a` in G2 for any 256-bit integer k, not only scalars below r.
///
/// # Errors
/// [`Error::Coordinate`] or [`Error::OffCurve`] with index 0.
pub fn mul_g2(a: &G2Bytes, k: &ScalarBytes) -> Result<G2Bytes, Error> {
    product::<128, g2::Config>(a, k)
}

/// `n` points of G1 that `seed` determines, with no known relation between them: random x until
/// `x^3 + 3` is a square, and y of a random sign. None is infinity.
#[must_use]
pub fn points_g1(seed: u64, n: usize) -> Vec<G1Bytes> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let mut draw = || loop {
        let mut bytes = [0; 33];
        rng.fill_bytes(&mut bytes);
        let x = Fq::from_le_bytes_mod_order(&bytes[..32]);
        if let Some(y) = (x.square() * x + Fq::from(3u64)).sqrt() {
            let y = if bytes[32] & 1 == 1 { -y } else { y };
            break g1::Config::encode(&Affine::new_unchecked(x, y));
        }
    };
    (0..n).map(|_| draw()).collect()
}

/// `n` points of G2 that `seed` determines: random multiples of the generator (a random point of
/// the curve would lie outside the prime-order subgroup). None is infinity.
#[must_use]
pub fn points_g2(seed: u64, n: usize) -> Vec<G2Bytes> {
    let base = Affine::<g2::Config>::generator();
    let multiples: Vec<_> = scalars(seed, n)
        .iter()
        .map(|k| multiply::<128, _>(&base, k))
        .collect();
    Projective::normalize_batch(&multiples)
        .iter()
        .map(g2::Config::encode)
        .collect()
}

/// A point on the curve that holds G2, outside G2: the least x = k + 0u whose right side is a
/// square, and the y that is not the greater one. (The cofactor is about 2^254: a random point of
/// the curve is practically never in G2.)
///
/// # Panics
/// Never: half of all x have a point.
#[must_use]
pub fn outside_g2() -> G2Bytes {
    let point = (1u64..)
        .find_map(|k| Affine::<g2::Config>::get_point_from_x_unchecked(k.into(), false))
        .expect("half of all x have a point");
    g2::Config::encode(&point)
}

/// `n` scalars that `seed` determines, uniform in `1..r`.
#[must_use]
pub fn scalars(seed: u64, n: usize) -> Vec<ScalarBytes> {
    // The stream differs from that of `points_g1`, so one seed may serve both.
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    rng.set_stream(1);
    let order = fp::fr_modulus();
    let mut draw = || loop {
        let mut bytes = [0; 32];
        rng.fill_bytes(&mut bytes);
        bytes[31] &= 0x3f; // r has 254 bits
        let value = fp::from_bytes_le(&bytes);
        if value < order && value != fp::BigUint::ZERO {
            break bytes;
        }
    };
    (0..n).map(|_| draw()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small(k: u8) -> ScalarBytes {
        let mut out = [0; 32];
        out[0] = k;
        out
    }

    #[test]
    fn group_laws_with_exceptional_cases() {
        let zero = [0; 64];
        let p = points_g1(1, 2);
        let minus = neg_g1(&p[0]).unwrap();
        assert_eq!(add_g1(&p[0], &p[1]), add_g1(&p[1], &p[0]));
        assert_eq!(add_g1(&p[0], &p[0]), double_g1(&p[0]));
        assert_eq!(add_g1(&p[0], &minus).unwrap(), zero);
        assert_eq!(add_g1(&p[0], &zero).unwrap(), p[0]);
        assert_eq!(add_g1(&zero, &zero).unwrap(), zero);
        assert_eq!(double_g1(&zero).unwrap(), zero);
        assert_eq!(neg_g1(&zero).unwrap(), zero);
    }

    #[test]
    fn group_laws_in_g2() {
        let zero = [0; 128];
        let p = points_g2(1, 2);
        let minus = neg_g2(&p[0]).unwrap();
        assert_eq!(add_g2(&p[0], &p[1]), add_g2(&p[1], &p[0]));
        assert_eq!(add_g2(&p[0], &p[0]), double_g2(&p[0]));
        assert_eq!(add_g2(&p[0], &minus).unwrap(), zero);
        assert_eq!(add_g2(&zero, &p[1]).unwrap(), p[1]);
        assert!(in_subgroup_g2(&p[0]).unwrap());
    }

    #[test]
    fn multiples() {
        let g = generator_g1();
        let three = add_g1(&double_g1(&g).unwrap(), &g).unwrap();
        assert_eq!(mul_g1(&g, &small(3)).unwrap(), three);
        assert_eq!(mul_g1(&g, &small(0)).unwrap(), [0; 64]);
        let order = fp::to_bytes_le(&fp::fr_modulus());
        assert_eq!(mul_g1(&points_g1(5, 1)[0], &order).unwrap(), [0; 64]);
        assert_eq!(mul_g2(&generator_g2(), &order).unwrap(), [0; 128]);
    }

    /// Double-and-add against arkworks' own multiplication (with its endomorphism).
    #[test]
    fn multiplication_is_that_of_arkworks() {
        use ark_bn254::Fr;
        for (point, k) in points_g1(8, 8).iter().zip(scalars(8, 8)) {
            let affine = g1::Config::decode(point, 0).unwrap();
            let theirs = affine * Fr::from_le_bytes_mod_order(&k);
            assert_eq!(
                mul_g1(point, &k).unwrap(),
                g1::Config::encode(&theirs.into_affine())
            );
        }
    }

    #[test]
    fn bad_points_are_refused() {
        let mut off = generator_g1();
        off[32] = 3;
        assert_eq!(
            add_g1(&generator_g1(), &off),
            Err(Error::OffCurve { index: 1 })
        );
        assert!(!is_on_curve_g1(&off));

        // The generator with x + p: the same residue, not canonical.
        let mut big = generator_g1();
        big[..32].copy_from_slice(&fp::to_bytes_le(&(fp::fp_modulus() + 1u32)));
        assert_eq!(double_g1(&big), Err(Error::Coordinate { index: 0 }));

        // (p, 0) is no second encoding of infinity.
        let mut infinity = [0; 64];
        infinity[..32].copy_from_slice(&fp::to_bytes_le(&fp::fp_modulus()));
        assert_eq!(neg_g1(&infinity), Err(Error::Coordinate { index: 0 }));
        // (0, y) with y != 0 is not infinity either.
        let mut half = [0; 64];
        half[32] = 1;
        assert_eq!(neg_g1(&half), Err(Error::OffCurve { index: 0 }));
    }

    #[test]
    fn points_outside_g2_are_told_apart() {
        let point = outside_g2();
        assert!(is_on_curve_g2(&point));
        assert_eq!(in_subgroup_g2(&point), Ok(false));
        assert_eq!(in_subgroup_g2(&generator_g2()), Ok(true));
    }

    #[test]
    fn seeds_determine_and_tell_apart() {
        assert_eq!(points_g1(3, 4)[..2], points_g1(3, 2));
        assert_ne!(points_g1(3, 1), points_g1(4, 1));
        assert_ne!(scalars(3, 1), scalars(4, 1));
        assert!(points_g1(3, 64).iter().all(is_on_curve_g1));
        assert!(points_g2(3, 4).iter().all(is_on_curve_g2));
    }
}
