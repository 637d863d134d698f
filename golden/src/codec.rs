//! Bytes to arkworks points and back, with every check on the way in.

use ark_bn254::{Fq, Fq2, Fr};
use ark_ec::AffineRepr;
use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_ff::{BigInt, BigInteger, Field, PrimeField, Zero};

use crate::Error;

/// A curve whose affine points have a canonical encoding of `N` bytes.
pub(crate) trait Codec<const N: usize>: SWCurveConfig<ScalarField = Fr> {
    /// Both coordinates; `None` when one is not canonical.
    fn coordinates(bytes: &[u8; N]) -> Option<(Self::BaseField, Self::BaseField)>;

    /// The encoding of a point.
    fn encode(point: &Affine<Self>) -> [u8; N];

    /// The point in `bytes`; `index` only serves the error.
    fn decode(bytes: &[u8; N], index: usize) -> Result<Affine<Self>, Error> {
        let (x, y) = Self::coordinates(bytes).ok_or(Error::Coordinate { index })?;
        if x.is_zero() && y.is_zero() {
            return Ok(Affine::identity());
        }
        // a = 0 on both curves.
        if y.square() != x.square() * x + Self::COEFF_B {
            return Err(Error::OffCurve { index });
        }
        Ok(Affine::new_unchecked(x, y))
    }

    /// All points, the first bad one named.
    fn decode_all(points: &[[u8; N]]) -> Result<Vec<Affine<Self>>, Error> {
        points
            .iter()
            .enumerate()
            .map(|(index, bytes)| Self::decode(bytes, index))
            .collect()
    }
}

impl Codec<64> for ark_bn254::g1::Config {
    fn coordinates(bytes: &[u8; 64]) -> Option<(Fq, Fq)> {
        Some((read_fq(&bytes[..32])?, read_fq(&bytes[32..])?))
    }

    fn encode(point: &Affine<Self>) -> [u8; 64] {
        let mut out = [0; 64];
        if !point.is_zero() {
            write_fq(&point.x, &mut out[..32]);
            write_fq(&point.y, &mut out[32..]);
        }
        out
    }
}

impl Codec<128> for ark_bn254::g2::Config {
    fn coordinates(bytes: &[u8; 128]) -> Option<(Fq2, Fq2)> {
        let x = Fq2::new(read_fq(&bytes[..32])?, read_fq(&bytes[32..64])?);
        let y = Fq2::new(read_fq(&bytes[64..96])?, read_fq(&bytes[96..])?);
        Some((x, y))
    }

    fn encode(point: &Affine<Self>) -> [u8; 128] {
        let mut out = [0; 128];
        if !point.is_zero() {
            write_fq(&point.x.c0, &mut out[..32]);
            write_fq(&point.x.c1, &mut out[32..64]);
            write_fq(&point.y.c0, &mut out[64..96]);
            write_fq(&point.y.c1, &mut out[96..]);
        }
        out
    }
}

/// The integer in 32 little-endian bytes as arkworks' limbs.
fn limbs(bytes: &[u8]) -> BigInt<4> {
    let mut limbs = [0u64; 4];
    for (limb, chunk) in limbs.iter_mut().zip(bytes.chunks_exact(8)) {
        *limb = u64::from_le_bytes(chunk.try_into().expect("chunks of eight bytes"));
    }
    BigInt::new(limbs)
}

fn read_fq(bytes: &[u8]) -> Option<Fq> {
    Fq::from_bigint(limbs(bytes))
}

fn write_fq(value: &Fq, out: &mut [u8]) {
    out.copy_from_slice(&value.into_bigint().to_bytes_le());
}

/// Refuses scalars that are not below r.
pub(crate) fn check_scalars(scalars: &[[u8; 32]]) -> Result<(), Error> {
    match scalars.iter().position(|s| limbs(s) >= Fr::MODULUS) {
        Some(index) => Err(Error::Scalar { index }),
        None => Ok(()),
    }
}
