//! Vectors written by arkworks itself are read as arkworks meant them.

use ark_bn254::{Fr as ArkFr, G1Affine, G2Affine};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{BigInteger, PrimeField as _};
use ark_serialize::CanonicalSerialize;
use zkria_core::io::{Coordinates, FileGroup, Format, Locator, PointFile, ReadOptions, ScalarFile};
use zkria_field::PrimeField;
use zkria_field::bn254::{G1, G2};

/// Infinity, the generator, multiples, and the opposite of each: both signs of y.
fn sample<A: AffineRepr<ScalarField = ArkFr>>() -> Vec<A> {
    let mut points = vec![A::zero()];
    for k in 1..20u64 {
        let point = (A::generator() * ArkFr::from(k * k * 0x1234_5678_9abc)).into_affine();
        points.extend([point, (-point.into_group()).into_affine()]);
    }
    points
}

/// Canonical little-endian bytes of a coordinate, component after component.
fn bytes<F: ark_ff::Field>(coordinate: F) -> Vec<u8>
where
    F::BasePrimeField: ark_ff::PrimeField,
{
    coordinate
        .to_base_prime_field_elements()
        .flat_map(|c| c.into_bigint().to_bytes_le())
        .collect()
}

fn read_back<A, G>()
where
    A: AffineRepr<ScalarField = ArkFr> + CanonicalSerialize,
    G: FileGroup,
{
    let points = sample::<A>();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("points.ark");
    let mut encoded = Vec::new();
    points.serialize_uncompressed(&mut encoded).unwrap();
    std::fs::write(&path, encoded).unwrap();
    let locator = Locator::parse(&path).unwrap();
    let file = PointFile::open(&locator, Some(Format::Ark), Some(G::KIND)).unwrap();
    let read = file.read::<G>(ReadOptions::default()).unwrap();
    assert_eq!(read.len(), points.len());
    for (read, point) in read.iter().zip(&points) {
        let Some((x, y)) = point.xy() else {
            assert!(read.is_infinity());
            continue;
        };
        let components = |c: &G::Base| {
            c.components()[..G::Base::COMPONENTS]
                .iter()
                .flat_map(|c| c.to_limbs())
                .flat_map(u64::to_le_bytes)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            (components(&read.x), components(&read.y)),
            (bytes(x), bytes(y))
        );
    }
}

#[test]
fn points_of_both_groups() {
    read_back::<G1Affine, G1>();
    read_back::<G2Affine, G2>();
}

#[test]
fn scalars() {
    let scalars: Vec<ArkFr> = (0..30u64)
        .map(|k| -ArkFr::from(k) / ArkFr::from(k + 1))
        .collect();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("scalars.ark");
    let mut encoded = Vec::new();
    scalars.serialize_uncompressed(&mut encoded).unwrap();
    std::fs::write(&path, encoded).unwrap();
    let file = ScalarFile::open(&Locator::parse(&path).unwrap(), Some(Format::Ark)).unwrap();
    let read = file.read(ReadOptions::default()).unwrap();
    assert_eq!(read.len(), scalars.len());
    for (read, scalar) in read.iter().zip(&scalars) {
        assert_eq!(read.to_limbs(), scalar.into_bigint().0);
    }
}
