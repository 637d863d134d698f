//! The rust-hdl adder (`hls-model/src/hdl/fp_addsub.rs`) in the bench of the hand-written one.

mod addsub_bench;

const TOP: &str = "zk_fp_addsub_hdl";

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
