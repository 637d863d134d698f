//! What a command needs of a group, so that it is written once for all.

use serde::Serialize;
use zkria_core::io::{Coordinates, FileGroup};
use zkria_core::{Backend, Error, Msm, Result};
use zkria_field::bn254::{Fp, Fr, G1, G2};
use zkria_field::{Affine, PrimeField};

#[cfg(feature = "peers")]
use crate::commands::bench::peers::Arkworks;
use crate::golden;

/// A group that commands compute in.
pub trait CliGroup: FileGroup<Scalar = Fr> {
    /// The MSM of a backend in this group, where it offers one.
    fn msm(backend: &dyn Backend) -> Option<&dyn Msm<Self>>;
    /// The oracle's MSM.
    ///
    /// # Errors
    /// [`Error::Length`] when the lengths differ.
    fn golden(points: &[Affine<Self>], scalars: &[Fr]) -> Result<Affine<Self>>;
    /// arkworks' MSM in this group.
    #[cfg(feature = "peers")]
    fn arkworks(arkworks: &Arkworks) -> &dyn Msm<Self>;
    /// [`CliGroup::msm`], or an error that says what to do.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where the backend does not offer this group.
    fn need_msm(backend: &dyn Backend) -> Result<&dyn Msm<Self>> {
        Self::msm(backend).ok_or_else(|| {
            Error::unavailable(
                format!(
                    "backend {} computes no MSM over {} {}",
                    backend.name(),
                    Self::CURVE,
                    Self::GROUP
                ),
                "use --backend cpu",
            )
        })
    }
}

impl CliGroup for G1 {
    fn msm(backend: &dyn Backend) -> Option<&dyn Msm<Self>> {
        backend.msm_bn254_g1()
    }
    #[cfg(feature = "peers")]
    fn arkworks(arkworks: &Arkworks) -> &dyn Msm<Self> {
        arkworks
    }
    fn golden(points: &[Affine<Self>], scalars: &[Fr]) -> Result<Affine<Self>> {
        golden::msm(points, scalars, zkria_golden::msm::msm_g1)
    }
}

impl CliGroup for G2 {
    fn msm(backend: &dyn Backend) -> Option<&dyn Msm<Self>> {
        backend.msm_bn254_g2()
    }
    #[cfg(feature = "peers")]
    fn arkworks(arkworks: &Arkworks) -> &dyn Msm<Self> {
        arkworks
    }
    fn golden(points: &[Affine<Self>], scalars: &[Fr]) -> Result<Affine<Self>> {
        golden::msm(points, scalars, zkria_golden::msm::msm_g2)
    }
}

/// A coordinate in an answer: `0x` hex, canonical; in G2 a pair `[c0, c1]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Coordinate {
    /// Of G1.
    One(String),
    /// Of G2.
    Two([String; 2]),
}

impl Coordinate {
    /// Of a coordinate of any group.
    #[must_use]
    pub fn new<B: Coordinates>(value: &B) -> Self {
        let [c0, c1] = value.components().map(|c| hex(&c));
        match B::COMPONENTS {
            1 => Self::One(c0),
            _ => Self::Two([c0, c1]),
        }
    }
}

impl std::fmt::Display for Coordinate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::One(c0) => f.write_str(c0),
            Self::Two([c0, c1]) => write!(f, "{c0} {c1}"),
        }
    }
}

/// `0x`, then the digits without leading zeros.
fn hex(value: &Fp) -> String {
    let digits: String = value
        .to_limbs()
        .iter()
        .rev()
        .map(|l| format!("{l:016x}"))
        .collect();
    match digits.trim_start_matches('0') {
        "" => "0x0".to_owned(),
        digits => format!("0x{digits}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zkria_field::{Field, Group};

    #[test]
    fn coordinates_are_short_hex() {
        assert_eq!(hex(&Fp::ZERO), "0x0");
        assert_eq!(hex(&Fp::from(0x1f)), "0x1f");
        let minus_one = "0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd46";
        assert_eq!(hex(&-Fp::ONE), minus_one);
        assert_eq!(
            Coordinate::new(&G1::generator().y),
            Coordinate::One("0x2".into())
        );
        // EIP-197 names the generator of G2; c0 is the real part.
        let x = Coordinate::new(&G2::generator().x);
        let real = "0x1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed";
        let imaginary = "0x198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2";
        assert_eq!(x, Coordinate::Two([real.into(), imaginary.into()]));
        let json = serde_json::to_string(&Coordinate::new(&Affine::<G2>::INFINITY.x)).unwrap();
        assert_eq!(json, r#"["0x0","0x0"]"#);
    }
}
