//! `zk_stream_reg`, `zk_fifo` and the RAM shapes: order and loss under random stalls, throughput,
//! and what the registers hold.

use std::collections::VecDeque;

use zkria_sim::dut::Dut;
use zkria_sim::stream::{Rng, Sink, Source};

/// Sends `count` bytes through a stream block; returns the cycles it took.
fn stream_through(top: &str, count: u64, stalls_in: u32, stalls_out: u32, seed: u64) -> u64 {
    let mut dut = Dut::with_seed(top, seed as u32 + 1).expect("built with the feature blocks");
    let mut source = Source::new(&dut, "valid_i", "ready_o", &["data_i"], stalls_in, seed);
    let mut sink = Sink::new(
        &dut,
        "valid_o",
        "ready_i",
        &["data_o"],
        stalls_out,
        seed + 1,
    );
    dut.reset(2);
    let mut rng = Rng::new(seed);
    let mut expected = VecDeque::new();
    for _ in 0..count {
        let byte = rng.below(256) as u32;
        source.push(vec![vec![byte]]);
    }
    let started = dut.cycle();
    let mut received = 0;
    while received < count {
        source.drive(&mut dut);
        sink.drive(&mut dut);
        dut.settle();
        let out = sink.sample(&dut);
        if let Some(beat) = source.sample(&dut) {
            expected.push_back(beat[0][0]);
        }
        if let Some(beat) = out {
            let want = expected.pop_front();
            assert_eq!(
                Some(beat[0][0]),
                want,
                "{top}, seed {seed}, cycle {}: beat {received}",
                dut.cycle()
            );
            received += 1;
        }
        dut.tick();
        assert!(
            !dut.failed(),
            "{top}, seed {seed}: an assertion failed at cycle {}",
            dut.cycle()
        );
        assert!(
            dut.cycle() - started < 200 + 40 * count,
            "{top}, seed {seed}: stuck"
        );
    }
    dut.cycle() - started
}

#[test]
fn streams_keep_order_under_random_stalls() {
    for top in ["zk_stream_reg", "zk_fifo"] {
        for seed in 0..20 {
            let stalls = [(0, 0), (50, 50), (90, 20), (20, 90)][seed as usize % 4];
            stream_through(top, 400, stalls.0, stalls.1, seed);
        }
    }
}

#[test]
fn streams_move_a_beat_every_cycle() {
    for top in ["zk_stream_reg", "zk_fifo"] {
        assert_eq!(
            stream_through(top, 1000, 0, 0, 3),
            1001,
            "{top}: one cycle of latency"
        );
    }
}

/// The registers cut both paths: no output answers an input of the same cycle.
#[test]
fn stream_register_has_no_combinational_path() {
    let mut dut = Dut::new("zk_stream_reg").expect("built with the feature blocks");
    let [valid_i, ready_o, valid_o, ready_i, data_i, data_o] = [
        "valid_i", "ready_o", "valid_o", "ready_i", "data_i", "data_o",
    ]
    .map(|p| dut.port(p));
    dut.reset(2);
    let mut rng = Rng::new(4);
    for _ in 0..300 {
        let mut seen = Vec::new();
        for inputs in 0..4 {
            dut.set_u64(valid_i, inputs & 1);
            dut.set_u64(ready_i, inputs >> 1);
            dut.set_u64(data_i, rng.below(256));
            dut.settle();
            seen.push([ready_o, valid_o, data_o].map(|p| dut.get_u64(p)));
        }
        assert!(
            seen.iter().all(|s| *s == seen[0]),
            "outputs follow inputs: {seen:?}"
        );
        // A legal step: an offered beat stays, so offer only when it is taken.
        dut.set_u64(valid_i, seen[0][0] & rng.below(2));
        dut.set_u64(ready_i, rng.below(2));
        dut.settle();
        dut.tick();
    }
}

#[test]
fn fifo_counts_fills_and_drains() {
    let mut dut = Dut::new("zk_fifo").expect("built with the feature blocks");
    let [valid_i, ready_o, valid_o, ready_i, data_i, data_o, count] = [
        "valid_i", "ready_o", "valid_o", "ready_i", "data_i", "data_o", "count_o",
    ]
    .map(|p| dut.port(p));
    dut.reset(2);
    dut.set_u64(ready_i, 0);
    // Two rounds, so that the pointers wrap.
    for round in 0..2 {
        for held in 0..16 {
            dut.set_u64(valid_i, 1);
            dut.set_u64(data_i, 100 * round + held);
            dut.settle();
            assert_eq!((dut.get_u64(count), dut.get_u64(ready_o)), (held, 1));
            dut.tick();
        }
        dut.settle();
        assert_eq!((dut.get_u64(count), dut.get_u64(ready_o)), (16, 0), "full");
        dut.tick();
        dut.set_u64(valid_i, 0);
        dut.set_u64(ready_i, 1);
        for held in (1..=16).rev() {
            dut.settle();
            assert_eq!((dut.get_u64(count), dut.get_u64(valid_o)), (held, 1));
            assert_eq!(dut.get_u64(data_o), 100 * round + 16 - held);
            dut.tick();
        }
        dut.settle();
        assert_eq!((dut.get_u64(count), dut.get_u64(valid_o)), (0, 0), "empty");
        dut.set_u64(ready_i, 0);
    }
}

/// Random reads and writes of the single-port RAM; the output holds across writes and idle cycles.
#[test]
fn single_port_ram_is_an_array_whose_output_holds() {
    let mut dut = Dut::new("zk_ram_sp").expect("built with the feature blocks");
    let [en, we, addr, wdata, rdata] =
        ["en_i", "we_i", "addr_i", "wdata_i", "rdata_o"].map(|p| dut.port(p));
    let (mut memory, mut output) = ([None; 64], None);
    let mut rng = Rng::new(5);
    for _ in 0..5000 {
        let (enable, write) = (rng.chance(70), rng.chance(50));
        let (at, word) = (rng.below(64) as usize, rng.below(1 << 40));
        dut.set_u64(en, u64::from(enable));
        dut.set_u64(we, u64::from(write));
        dut.set_u64(addr, at as u64);
        dut.set_u64(wdata, word);
        dut.settle();
        dut.tick();
        if enable && write {
            memory[at] = Some(word);
        } else if enable {
            output = memory[at];
        }
        if let Some(expected) = output {
            dut.settle();
            assert_eq!(
                dut.get_u64(rdata),
                expected,
                "cycle {}, address {at}",
                dut.cycle()
            );
        }
    }
}

#[test]
fn two_port_ram_is_an_array_whose_output_holds() {
    let mut dut = Dut::new("zk_ram_sdp").expect("built with the feature blocks");
    let [we, waddr, wdata, re, raddr, rdata] =
        ["we_i", "waddr_i", "wdata_i", "re_i", "raddr_i", "rdata_o"].map(|p| dut.port(p));
    let (mut memory, mut output) = ([None; 64], None);
    let mut rng = Rng::new(6);
    for _ in 0..5000 {
        let (write, read) = (rng.chance(60), rng.chance(60));
        let (to, from, word) = (rng.below(64), rng.below(64), rng.below(1 << 40));
        // A read of the word being written is the user's error.
        let read = read && !(write && to == from);
        dut.set_u64(we, u64::from(write));
        dut.set_u64(waddr, to);
        dut.set_u64(wdata, word);
        dut.set_u64(re, u64::from(read));
        dut.set_u64(raddr, from);
        dut.settle();
        dut.tick();
        if read {
            output = memory[from as usize];
        }
        if write {
            memory[to as usize] = Some(word);
        }
        if let Some(expected) = output {
            dut.settle();
            assert_eq!(
                dut.get_u64(rdata),
                expected,
                "cycle {}, address {from}",
                dut.cycle()
            );
        }
    }
}
