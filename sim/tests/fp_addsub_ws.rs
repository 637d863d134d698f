//! `zk_fp_addsub_ws` against its model, and the model against num-bigint.

mod addsub_bench;

use addsub_bench::{SEED, random};
use num_bigint::BigUint;
use zkria_hls_model::fp_addsub::{Op, addsub};
use zkria_hls_model::word::{P, TWO_P, Word, to_u32};
use zkria_sim::stream::Rng;

const TOP: &str = "zk_fp_addsub_ws";

#[test]
fn every_pair_of_range_ends() {
    addsub_bench::every_pair_of_range_ends(TOP);
}

#[test]
fn latency_is_seventeen_and_nine_cycles() {
    addsub_bench::latency_is_seventeen_and_nine_cycles(TOP);
}

#[test]
fn random_operands_under_random_stalls() {
    addsub_bench::random_operands_under_random_stalls(TOP);
}

#[test]
fn model_is_arithmetic_mod_2p_and_p() {
    let big = |w: &Word| BigUint::from_slice(&to_u32(w));
    let mut rng = Rng::new(SEED);
    for _ in 0..1000 {
        let (a, b) = (random(&mut rng), random(&mut rng));
        let (x, y, two_p) = (big(&a), big(&b), big(&TWO_P));
        assert_eq!(big(&addsub(Op::LazyAdd, &a, &b)), (&x + &y) % &two_p);
        assert_eq!(
            big(&addsub(Op::LazySub, &a, &b)),
            (&x + &two_p - y) % &two_p
        );
        assert_eq!(big(&addsub(Op::FinalSub, &a, &b)), x % big(&P));
    }
}
