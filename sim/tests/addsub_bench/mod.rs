//! The word-serial modular adder against its model: exact bits, the zero flag, latency, stalls.
//! One bench for every top that claims to be it.

use std::collections::VecDeque;

use zkria_hls_model::fp_addsub::{Op, addsub, zero_flag};
use zkria_hls_model::word::{P, TWO_P, Word, ZERO, add, from_u32, less, sub, to_u32};
use zkria_sim::dut::Dut;
use zkria_sim::stream::{Rng, Sink, Source};

/// First seed of every test.
pub(crate) const SEED: u64 = 0x5eed_0002;
const OPS: [Op; 3] = [Op::LazyAdd, Op::LazySub, Op::FinalSub];

/// Values round 0, p, 2p and every edge of a 32-bit word.
fn edges() -> Vec<Word> {
    let mut all = Vec::new();
    for delta in 0..4u64 {
        let d = [delta, 0, 0, 0];
        all.extend([d, sub(&P, &d).0, add(&P, &d).0]);
        all.push(sub(&TWO_P, &[delta + 1, 0, 0, 0]).0);
    }
    for k in 1..8u64 {
        let mut bit = ZERO;
        bit[(k / 2) as usize] = 1 << (32 * (k % 2));
        all.extend([bit, sub(&bit, &[1, 0, 0, 0]).0]);
        all.extend([add(&P, &bit).0, sub(&P, &bit).0, sub(&TWO_P, &bit).0]);
    }
    all.retain(|w| less(w, &TWO_P));
    all
}

/// Uniform below 2p.
pub(crate) fn random(rng: &mut Rng) -> Word {
    loop {
        let mut w: Word = std::array::from_fn(|_| rng.next_u64());
        w[3] >>= 1;
        if less(&w, &TWO_P) {
            return w;
        }
    }
}

/// Sends the cases and compares result, zero flag and tag; returns the cycles in which results
/// were taken.
fn check(dut: &mut Dut, cases: &[(Op, Word, Word)], stalls: (u32, u32), seed: u64) -> Vec<u64> {
    let ports = ["op_i", "a_i", "b_i", "tag_i"];
    let mut source = Source::new(dut, "valid_i", "ready_o", &ports, stalls.0, seed);
    let results = ["p_o", "zero_o", "tag_o"];
    let mut sink = Sink::new(dut, "valid_o", "ready_i", &results, stalls.1, seed + 1);
    let mut rng = Rng::new(seed + 2);
    let mut wanted = VecDeque::new();
    for (op, a, b) in cases {
        let tag = (rng.next_u64() & 1) as u32;
        source.push(vec![
            vec![op.code() as u32],
            to_u32(a),
            to_u32(b),
            vec![tag],
        ]);
        wanted.push_back((*op, *a, *b, tag));
    }
    let mut taken_at = Vec::new();
    let limit = dut.cycle() + cases.len() as u64 * 100 + 1000;
    while let Some((op, a, b, tag)) = wanted.front() {
        source.drive(dut);
        sink.drive(dut);
        dut.settle();
        source.sample(dut);
        if let Some(beat) = sink.sample(dut) {
            let place = format!(
                "cycle {} seed {seed:#x} {op:?} a {a:x?} b {b:x?}",
                dut.cycle()
            );
            let want = addsub(*op, a, b);
            assert_eq!(from_u32(&beat[0]), want, "result, {place}");
            assert_eq!(beat[1][0] != 0, zero_flag(*op, &want), "zero, {place}");
            assert_eq!(beat[2][0], *tag, "tag, {place}");
            taken_at.push(dut.cycle());
            wanted.pop_front();
        }
        dut.tick();
        assert!(!dut.failed(), "assertion at cycle {}", dut.cycle());
        assert!(
            dut.cycle() < limit,
            "{} results missing, seed {seed:#x}",
            wanted.len()
        );
    }
    taken_at
}

fn open(top: &str) -> Dut {
    let mut dut = Dut::new(top).expect("built with the feature blocks");
    dut.reset(4);
    dut
}

/// Every operation on every pair of range ends.
pub(crate) fn every_pair_of_range_ends(top: &str) {
    let values = edges();
    let mut cases = Vec::new();
    for a in &values {
        for b in &values {
            cases.extend(OPS.map(|op| (op, *a, *b)));
        }
    }
    check(&mut open(top), &cases, (0, 0), SEED);
}

/// Cycles from taken to taken: those of the specification.
pub(crate) fn latency_is_seventeen_and_nine_cycles(top: &str) {
    for op in OPS {
        let mut dut = open(top);
        let start = dut.cycle();
        let taken = check(&mut dut, &[(op, P, ZERO)], (0, 0), SEED);
        assert_eq!(taken[0] - start, op.latency() + 1, "{op:?}");
        // The specification counts the cycle that takes the operands.
        let cycles = if op == Op::FinalSub { 9 } else { 17 };
        assert_eq!(taken[0] - start, cycles, "{op:?}");
    }
}

/// Random operands under four mixtures of stalls.
pub(crate) fn random_operands_under_random_stalls(top: &str) {
    let mut dut = open(top);
    let mut rng = Rng::new(SEED);
    for (i, stalls) in [(0, 0), (80, 0), (0, 80), (50, 50)].iter().enumerate() {
        let cases: Vec<_> = (0..6000)
            .map(|_| {
                let op = OPS[rng.below(3) as usize];
                (op, random(&mut rng), random(&mut rng))
            })
            .collect();
        check(&mut dut, &cases, *stalls, SEED + 100 * i as u64);
    }
}
