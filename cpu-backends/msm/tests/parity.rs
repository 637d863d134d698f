//! The portable MSM against `zkria-golden`: everything the test kit knows, on one thread (no pool)
//! and on several.

use zkria_core::{Backend, Msm};
use zkria_cpu_msm::{LaneMsm, Portable, PortableMsm};
use zkria_field::bn254::{G1, G2};
use zkria_testkit::{Level, check_msm};

fn g1(threads: usize) -> impl Msm<G1> {
    PortableMsm::new(threads)
}

fn g2(threads: usize) -> impl Msm<G2> {
    PortableMsm::new(threads)
}

#[test]
fn g1_on_one_thread() {
    check_msm(&g1(1), Level::Full);
}

#[test]
fn g1_on_three_threads() {
    check_msm(&g1(3), Level::Full);
}

#[test]
fn g2_on_one_thread() {
    check_msm(&g2(1), Level::Full);
}

#[test]
fn g2_on_three_threads() {
    check_msm(&g2(3), Level::Quick);
}

#[test]
fn the_backend_offers_both_groups() {
    let backend = zkria_cpu_msm::open().expect("a CPU is always there");
    assert_eq!(backend.name(), "portable");
    check_msm(backend.msm_bn254_g1().expect("G1"), Level::Quick);
    check_msm(backend.msm_bn254_g2().expect("G2"), Level::Quick);
    check_msm(Portable::new(1).msm_bn254_g1().expect("G1"), Level::Quick);
}

/// The lanes on their portable twin: the same code as on AVX-512, but for the instructions.
#[test]
fn lanes_on_the_portable_twin() {
    check_msm(&LaneMsm::new(zkria_simd::Portable, 1), Level::Full);
    check_msm(&LaneMsm::new(zkria_simd::Portable, 3), Level::Quick);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn lanes_on_ifma() {
    match zkria_simd::Ifma::detect() {
        Some(ifma) => {
            check_msm(&LaneMsm::new(ifma, 1), Level::Full);
            check_msm(&LaneMsm::new(ifma, 3), Level::Full);
        }
        None => zkria_testkit::skip("AVX-512 IFMA", "this CPU lacks it"),
    }
}

#[test]
fn the_best_path_of_this_cpu() {
    let backend = zkria_cpu_msm::open_best().expect("ZKRIA_CPU, if set, names a path of this CPU");
    check_msm(backend.msm_bn254_g1().expect("G1"), Level::Quick);
    check_msm(backend.msm_bn254_g2().expect("G2"), Level::Quick);
}
