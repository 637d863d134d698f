//! G1 of BN254: `y^2 = x^3 + 3` over Fp, cofactor 1.

use super::{Fp, Fr};
use crate::curve::Affine;
use crate::traits::Group;

/// Marker of G1. Its points are `Affine<G1>` and `Jacobian<G1>`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct G1;

impl Group for G1 {
    type Base = Fp;
    type Scalar = Fr;

    const CURVE: &'static str = "bn254";
    const GROUP: &'static str = "g1";

    fn b() -> Fp {
        const B: Fp = Fp::from_canonical([3, 0, 0, 0]);
        B
    }

    fn generator() -> Affine<Self> {
        const X: Fp = Fp::from_canonical([1, 0, 0, 0]);
        const Y: Fp = Fp::from_canonical([2, 0, 0, 0]);
        Affine { x: X, y: Y }
    }

    /// Always: the curve has exactly r points.
    fn in_subgroup(_point: &Affine<Self>) -> bool {
        true
    }
}
