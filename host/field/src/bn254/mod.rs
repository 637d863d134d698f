//! BN254, the curve of EIP-196/197 and of circom's `bn128`: `y^2 = x^3 + 3` over Fp with the
//! prime order r, and its sextic twist over Fp2.

mod fp2;
mod g1;
mod g2;

pub use fp2::Fp2;
pub use g1::G1;
pub use g2::G2;

use crate::mont::{Mont, MontParams};

/// Marker of the base field's modulus.
#[derive(Clone, Copy, Debug)]
pub struct FpParams;

impl MontParams for FpParams {
    const MODULUS: [u64; 4] = [
        0x3c20_8c16_d87c_fd47,
        0x9781_6a91_6871_ca8d,
        0xb850_45b6_8181_585d,
        0x3064_4e72_e131_a029,
    ];
    const NAME: &'static str = "Fp";
}

/// Marker of the scalar field's modulus, the order of G1 and G2.
#[derive(Clone, Copy, Debug)]
pub struct FrParams;

impl MontParams for FrParams {
    const MODULUS: [u64; 4] = [
        0x43e1_f593_f000_0001,
        0x2833_e848_79b9_7091,
        0xb850_45b6_8181_585d,
        0x3064_4e72_e131_a029,
    ];
    const NAME: &'static str = "Fr";
}

/// The base field of BN254: coordinates of G1.
pub type Fp = Mont<FpParams>;
/// The scalar field of BN254.
pub type Fr = Mont<FrParams>;
