//! Crates built in by the feature `peers`, as backends.

use ark_bn254::{Fq, Fq2, g1, g2};
use ark_ec::short_weierstrass::{Affine as ArkAffine, Projective, SWCurveConfig};
use ark_ec::{AffineRepr, CurveGroup, VariableBaseMSM};
use ark_ff::{BigInt, PrimeField as _};
use zkria_core::io::Coordinates;
use zkria_core::{BoundMsm, Error, Msm, Result};
use zkria_field::bn254::{Fp, Fr, G1, G2};
use zkria_field::{Affine, PrimeField};

use crate::group::CliGroup;

/// arkworks 0.6: `VariableBaseMSM`, ark-ff with its assembly.
#[derive(Debug)]
pub struct Arkworks(());

impl Arkworks {
    /// Refuses a build that lacks instructions this CPU has and arkworks would use.
    pub(super) fn new() -> Result<Self> {
        #[cfg(target_arch = "x86_64")]
        for (name, built, found) in [
            (
                "adx",
                cfg!(target_feature = "adx"),
                std::is_x86_feature_detected!("adx"),
            ),
            (
                "bmi2",
                cfg!(target_feature = "bmi2"),
                std::is_x86_feature_detected!("bmi2"),
            ),
        ] {
            if found && !built {
                return Err(Error::unavailable(
                    format!(
                        "peer:arkworks was built without {name}, which this CPU has, and would be \
                         slower than it can be"
                    ),
                    "build with RUSTFLAGS=\"-C target-cpu=native\"",
                ));
            }
        }
        Ok(Self(()))
    }
}

/// The same group in arkworks.
trait Twin: CliGroup {
    type Config: SWCurveConfig<ScalarField = ark_bn254::Fr>;
    fn to_ark(value: &Self::Base) -> <Self::Config as ark_ec::CurveConfig>::BaseField;
    fn from_ark(value: &<Self::Config as ark_ec::CurveConfig>::BaseField) -> Option<Self::Base>;
}

fn to_fq(value: Fp) -> Fq {
    Fq::new(BigInt(value.to_limbs()))
}

fn from_fq(value: Fq) -> Option<Fp> {
    Fp::from_limbs(value.into_bigint().0)
}

impl Twin for G1 {
    type Config = g1::Config;
    fn to_ark(value: &Fp) -> Fq {
        to_fq(*value)
    }
    fn from_ark(value: &Fq) -> Option<Fp> {
        from_fq(*value)
    }
}

impl Twin for G2 {
    type Config = g2::Config;
    fn to_ark(value: &Self::Base) -> Fq2 {
        let [c0, c1] = value.components().map(to_fq);
        Fq2::new(c0, c1)
    }
    fn from_ark(value: &Fq2) -> Option<Self::Base> {
        Some(Self::Base::from_components([
            from_fq(value.c0)?,
            from_fq(value.c1)?,
        ]))
    }
}

struct Bound<G: Twin>(Vec<ArkAffine<G::Config>>);

impl<G: Twin> Msm<G> for Arkworks {
    fn bind<'a>(&'a self, bases: &[Affine<G>]) -> Result<Box<dyn BoundMsm<G> + 'a>> {
        let bases = bases
            .iter()
            .map(|point| match point.is_infinity() {
                true => ArkAffine::identity(),
                false => ArkAffine::new_unchecked(G::to_ark(&point.x), G::to_ark(&point.y)),
            })
            .collect();
        Ok(Box::new(Bound::<G>(bases)))
    }
}

impl<G: Twin> BoundMsm<G> for Bound<G> {
    fn run(&mut self, scalars: &[Fr]) -> Result<Affine<G>> {
        // Out of Montgomery form, as `VariableBaseMSM::msm` does itself.
        let scalars: Vec<_> = scalars.iter().map(|s| BigInt(s.to_limbs())).collect();
        let sum = Projective::<G::Config>::msm_bigint(&self.0, &scalars).into_affine();
        let Some((x, y)) = sum.xy() else {
            return Ok(Affine::INFINITY);
        };
        match (G::from_ark(&x), G::from_ark(&y)) {
            (Some(x), Some(y)) => Ok(Affine { x, y }),
            _ => Err(Error::device(
                "peer:arkworks: the result is not canonical",
                "report this",
            )),
        }
    }
}
