//! The field and point types of BN254 against the oracle.

use zkria_field::bn254::{Fp, Fp2, Fr, G1, G2};
use zkria_golden::fp;
use zkria_testkit::{check_curve, check_field, check_quadratic};

#[test]
fn fp_is_the_base_field() {
    check_field::<Fp>(&fp::fp_modulus());
}

#[test]
fn fr_is_the_scalar_field() {
    check_field::<Fr>(&fp::fr_modulus());
}

#[test]
fn fp2_is_its_extension() {
    check_quadratic::<Fp2, Fp>(&fp::fp_modulus());
}

#[test]
fn g1() {
    check_curve::<G1>();
}

#[test]
fn g2() {
    check_curve::<G2>();
}
