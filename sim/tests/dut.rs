//! The border to Verilator itself: every storage class of a port, the clock, a failed assertion.

use zkria_sim::dut::Dut;

#[test]
fn ports_of_every_width_round_trip() {
    let mut dut = Dut::new("zk_dut_probe").expect("built with the feature blocks");
    dut.reset(2);
    let all = [0x8765_4321_u32, 0xfedc_ba98, 0xdead_beef];
    for (name, bits) in [
        ("byte", 8),
        ("half", 10),
        ("word", 32),
        ("long", 41),
        ("wide", 80),
    ] {
        let (input, output) = (
            dut.port(&format!("{name}_i")),
            dut.port(&format!("{name}_o")),
        );
        assert_eq!((dut.bits(input), dut.bits(output)), (bits, bits));
        dut.set(input, &all);
        dut.settle();
        let mut expected: Vec<u32> = all[..bits.div_ceil(32) as usize].to_vec();
        if bits % 32 != 0 {
            *expected.last_mut().expect("at least one word") &= (1 << (bits % 32)) - 1;
        }
        assert_eq!(dut.get(output), expected, "{name}");
    }
}

#[test]
fn tick_is_one_rising_edge_and_reset_is_synchronous() {
    let mut dut = Dut::with_seed("zk_dut_probe", 7).expect("built with the feature blocks");
    let count = dut.port("count_o");
    dut.reset(3);
    assert_eq!(dut.get_u64(count), 0);
    for expected in 1..=5 {
        dut.settle();
        dut.tick();
        assert_eq!(dut.get_u64(count), expected);
    }
    assert_eq!(dut.cycle(), 8);
    assert!(!dut.failed());
}

#[test]
fn a_failed_assertion_is_reported_and_does_not_abort() {
    let mut dut = Dut::new("zk_dut_probe").expect("built with the feature blocks");
    dut.reset(2);
    let trip = dut.port("trip_i");
    dut.set_u64(trip, 1);
    dut.settle();
    dut.tick();
    assert!(dut.failed());
    assert!(
        !Dut::new("zk_dut_probe")
            .expect("a second instance")
            .failed()
    );
}

#[test]
fn an_unknown_top_says_how_to_get_it() {
    let error = Dut::new("zk_no_such_block")
        .err()
        .expect("not in the table");
    assert!(error.to_string().contains("zk_no_such_block"), "{error}");
}
