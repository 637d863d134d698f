//! Our groups and the oracle's bytes.

use zkria_field::bn254::{Fp, Fp2, G1, G2};
use zkria_field::{Affine, Field, Group};
use zkria_golden::fp::BigUint;
use zkria_golden::{Error, ScalarBytes, curve, fp, msm, vectors};

/// Group operations on encoded points, as `zkria-golden` computes them.
///
/// Points are encodings of [`Affine::to_bytes_le`]. The oracle's refusal of a bad point or scalar
/// is an error.
pub trait Oracle: Group {
    /// The standard generator.
    fn oracle_generator() -> Vec<u8>;
    /// Points that `seed` determines; none is infinity.
    fn oracle_points(seed: u64, n: usize) -> Vec<Vec<u8>>;
    /// A point on the curve and outside the group, where there are any.
    fn outside() -> Option<Vec<u8>>;
    /// Modulus of the prime field below the coordinates.
    fn base_modulus() -> BigUint;
    /// Order of the group.
    fn order() -> BigUint;
    /// `a + b`.
    ///
    /// # Errors
    /// A bad point.
    fn oracle_add(a: &[u8], b: &[u8]) -> Result<Vec<u8>, Error>;
    /// `-a`.
    ///
    /// # Errors
    /// A bad point.
    fn oracle_neg(a: &[u8]) -> Result<Vec<u8>, Error>;
    /// `k * a` for any 256-bit k.
    ///
    /// # Errors
    /// A bad point.
    fn oracle_mul(a: &[u8], k: &ScalarBytes) -> Result<Vec<u8>, Error>;
    /// `sum scalars[i] * points[i]`.
    ///
    /// # Errors
    /// A bad point, a bad scalar, different lengths.
    fn oracle_msm(points: &[Vec<u8>], scalars: &[ScalarBytes]) -> Result<Vec<u8>, Error>;
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes
        .try_into()
        .unwrap_or_else(|_| panic!("a point of {N} bytes, not {}", bytes.len()))
}

/// The oracle's functions of one group under one roof.
macro_rules! oracle {
    ($group:ty, $base:ty, $generator:ident, $points:ident, $outside:expr, $add:ident, $neg:ident,
     $mul:ident, $msm:ident) => {
        impl Oracle for $group {
            fn oracle_generator() -> Vec<u8> {
                curve::$generator().to_vec()
            }
            fn oracle_points(seed: u64, n: usize) -> Vec<Vec<u8>> {
                curve::$points(seed, n).iter().map(|p| p.to_vec()).collect()
            }
            fn outside() -> Option<Vec<u8>> {
                $outside
            }
            fn base_modulus() -> BigUint {
                fp::fp_modulus()
            }
            fn order() -> BigUint {
                fp::fr_modulus()
            }
            fn oracle_add(a: &[u8], b: &[u8]) -> Result<Vec<u8>, Error> {
                Ok(curve::$add(&array(a), &array(b))?.to_vec())
            }
            fn oracle_neg(a: &[u8]) -> Result<Vec<u8>, Error> {
                Ok(curve::$neg(&array(a))?.to_vec())
            }
            fn oracle_mul(a: &[u8], k: &ScalarBytes) -> Result<Vec<u8>, Error> {
                Ok(curve::$mul(&array(a), k)?.to_vec())
            }
            fn oracle_msm(points: &[Vec<u8>], scalars: &[ScalarBytes]) -> Result<Vec<u8>, Error> {
                let points: Vec<_> = points.iter().map(|p| array(p)).collect();
                Ok(msm::$msm(&points, scalars)?.to_vec())
            }
        }
        const _: () = assert!(Affine::<$group>::BYTES == 2 * <$base as Field>::BYTES);
    };
}

oracle!(
    G1,
    Fp,
    generator_g1,
    points_g1,
    None,
    add_g1,
    neg_g1,
    mul_g1,
    msm_g1
);
oracle!(
    G2,
    Fp2,
    generator_g2,
    points_g2,
    Some(curve::outside_g2().to_vec()),
    add_g2,
    neg_g2,
    mul_g2,
    msm_g2
);

/// Our type from the oracle's bytes.
#[track_caller]
pub(crate) fn affine<G: Group>(bytes: &[u8]) -> Affine<G> {
    Affine::from_bytes_le(bytes).unwrap_or_else(|| panic!("from_bytes_le refuses {bytes:02x?}"))
}

/// The oracle's bytes of a scalar.
pub(crate) fn scalar_bytes<F: Field>(scalar: &F) -> ScalarBytes {
    let mut out = [0; 32];
    scalar.write_bytes_le(&mut out);
    out
}

/// The known answers of `golden/vectors/msm.json` for one group: name, points, scalars, result.
pub(crate) type KnownMsm<G> = (String, Vec<Affine<G>>, Vec<<G as Group>::Scalar>, Affine<G>);

/// The known answers for `G`; none for a curve that the file does not know.
pub(crate) fn known_msms<G: Group>() -> Vec<KnownMsm<G>> {
    if G::CURVE != "bn254" {
        return Vec::new();
    }
    let point = |p: &vectors::Point| {
        affine(&vectors::point_bytes(p).expect("the file's points are well formed"))
    };
    let scalar = |s: &String| {
        let bytes = vectors::parse_hex_bytes(s).expect("the file's scalars are well formed");
        G::Scalar::from_bytes_le(&bytes).expect("the file's scalars are below r")
    };
    let cases = vectors::msm::file()
        .cases
        .into_iter()
        .filter(|case| case.group == G::GROUP);
    cases
        .map(|case| {
            let points = case.points.iter().map(point).collect();
            let scalars = case.scalars.iter().map(scalar).collect();
            (case.name, points, scalars, point(&case.result))
        })
        .collect()
}
