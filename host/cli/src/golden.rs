//! The oracle as a backend: canonical bytes there, canonical bytes back.

use zkria_core::{Backend, BoundMsm, Error, Msm, Result};
use zkria_field::bn254::{Fr, G1, G2};
use zkria_field::{Affine, Field, Group};

use crate::group::CliGroup;

/// The backend named `golden`.
#[derive(Clone, Copy, Debug)]
pub struct Golden;

impl Backend for Golden {
    fn name(&self) -> &'static str {
        "golden"
    }
    fn msm_bn254_g1(&self) -> Option<&dyn Msm<G1>> {
        Some(self)
    }
    fn msm_bn254_g2(&self) -> Option<&dyn Msm<G2>> {
        Some(self)
    }
}

struct Bound<G: Group>(Vec<Affine<G>>);

impl<G: CliGroup> Msm<G> for Golden {
    fn bind<'a>(&'a self, bases: &[Affine<G>]) -> Result<Box<dyn BoundMsm<G> + 'a>> {
        Ok(Box::new(Bound(bases.to_vec())))
    }
}

impl<G: CliGroup> BoundMsm<G> for Bound<G> {
    fn run(&mut self, scalars: &[Fr]) -> Result<Affine<G>> {
        G::golden(&self.0, scalars)
    }
}

/// A function of the oracle on points of `N` bytes.
type Oracle<const N: usize> = fn(&[[u8; N]], &[[u8; 32]]) -> OracleResult<N>;
type OracleResult<const N: usize> = std::result::Result<[u8; N], zkria_golden::Error>;

/// Calls a function of the oracle on points of `N` bytes.
pub(crate) fn msm<G: CliGroup, const N: usize>(
    points: &[Affine<G>],
    scalars: &[Fr],
    msm: Oracle<N>,
) -> Result<Affine<G>> {
    if points.len() != scalars.len() {
        return Err(Error::length(
            "scalars of the MSM",
            points.len(),
            scalars.len(),
        ));
    }
    let points: Vec<[u8; N]> = points
        .iter()
        .map(|point| {
            let mut bytes = [0; N];
            let (x, y) = bytes.split_at_mut(N / 2);
            point.x.write_bytes_le(x);
            point.y.write_bytes_le(y);
            bytes
        })
        .collect();
    let scalars: Vec<[u8; 32]> = scalars
        .iter()
        .map(|scalar| {
            let mut bytes = [0; 32];
            scalar.write_bytes_le(&mut bytes);
            bytes
        })
        .collect();
    let sum = msm(&points, &scalars).map_err(|e| Error::bad_input("golden", e.to_string()))?;
    Affine::from_bytes_le(&sum)
        .ok_or_else(|| Error::device("golden: the result is not canonical", "report this"))
}
