//! G2 of BN254: the order-r subgroup of the twist `y^2 = x^3 + 3/(9 + u)` over Fp2.

use super::{Fp, Fp2, Fr};
use crate::curve::{Affine, Jacobian};
use crate::traits::Group;

/// Marker of G2. Its points are `Affine<G2>` and `Jacobian<G2>`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct G2;

/// `3 / (9 + u)`.
const B: Fp2 = Fp2::new(
    Fp::from_canonical([
        0x3267_e6dc_24a1_38e5,
        0xb5b4_c5e5_59db_efa3,
        0x81be_1899_1be0_6ac3,
        0x2b14_9d40_ceb8_aaae,
    ]),
    Fp::from_canonical([
        0xe4a2_bd06_85c3_15d2,
        0xa74f_a084_e52d_1852,
        0xcd2c_afad_eed8_fdf4,
        0x0097_13b0_3af0_fed4,
    ]),
);

/// x of the generator of EIP-197.
const GENERATOR_X: Fp2 = Fp2::new(
    Fp::from_canonical([
        0x46de_bd5c_d992_f6ed,
        0x6743_22d4_f75e_dadd,
        0x426a_0066_5e5c_4479,
        0x1800_deef_121f_1e76,
    ]),
    Fp::from_canonical([
        0x97e4_85b7_aef3_12c2,
        0xf1aa_4933_35a9_e712,
        0x7260_bfb7_31fb_5d25,
        0x198e_9393_920d_483a,
    ]),
);

/// y of the generator of EIP-197.
const GENERATOR_Y: Fp2 = Fp2::new(
    Fp::from_canonical([
        0x4ce6_cc01_66fa_7daa,
        0xe3d1_e769_0c43_d37b,
        0x4aab_7180_8dcb_408f,
        0x12c8_5ea5_db8c_6deb,
    ]),
    Fp::from_canonical([
        0x55ac_dadc_d122_975b,
        0xbc4b_3133_70b3_8ef3,
        0xec9e_99ad_690c_3395,
        0x0906_89d0_585f_f075,
    ]),
);

/// `(9 + u)^((p - 1) / 3)`: twist factor of x under the p-power map.
const PSI_X: Fp2 = Fp2::new(
    Fp::from_canonical([
        0x99e3_9557_176f_553d,
        0xb78c_c310_c2c3_330c,
        0x4c0b_ec3c_f559_b143,
        0x2fb3_4798_4f79_11f7,
    ]),
    Fp::from_canonical([
        0x1665_d51c_640f_cba2,
        0x32ae_2a1d_0b7c_9dce,
        0x4ba4_cc8b_d75a_0794,
        0x16c9_e550_61eb_ae20,
    ]),
);

/// `(9 + u)^((p - 1) / 2)`: twist factor of y under the p-power map.
const PSI_Y: Fp2 = Fp2::new(
    Fp::from_canonical([
        0xdc54_0146_71a0_135a,
        0xdbaa_e0ed_a9c9_5998,
        0xdc5e_c698_b6e2_f9b9,
        0x063c_f305_489a_f5dc,
    ]),
    Fp::from_canonical([
        0x82d3_7f63_2623_b0e3,
        0x2180_7dc9_8fa2_5bd2,
        0x0704_b5a7_ec79_6f2b,
        0x07c0_3cbc_ac41_049a,
    ]),
);

/// `6 x^2` for the BN parameter x, which is also `p mod r`: the eigenvalue of psi on G2.
const SIX_X_SQUARED: [u64; 2] = [0xf83e_9682_e87c_fd46, 0x6f4d_8248_eeb8_59fb];

/// The p-power map carried over to the twist.
fn psi(point: &Affine<G2>) -> Affine<G2> {
    Affine {
        x: point.x.conjugate() * PSI_X,
        y: point.y.conjugate() * PSI_Y,
    }
}

impl Group for G2 {
    type Base = Fp2;
    type Scalar = Fr;

    const CURVE: &'static str = "bn254";
    const GROUP: &'static str = "g2";

    fn b() -> Fp2 {
        B
    }

    fn generator() -> Affine<Self> {
        Affine {
            x: GENERATOR_X,
            y: GENERATOR_Y,
        }
    }

    /// By `psi(Q) = [6x^2] Q`, which on this curve holds exactly on the subgroup: half the cost
    /// of multiplying by r. Source: El Housni, Guillevic, Piellard 2022/352, section 4.3.
    fn in_subgroup(point: &Affine<Self>) -> bool {
        let lifted = Jacobian::from(*point);
        Jacobian::from(psi(point)) == lifted.mul_limbs(&SIX_X_SQUARED)
    }
}
