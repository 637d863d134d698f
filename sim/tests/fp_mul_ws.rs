//! `zk_fp_mul_ws` against its model: exact bits, latency, interval, stalls on both sides.

use std::collections::VecDeque;

use num_bigint::BigUint;
use zkria_hls_model::fp_mul::{INTERVAL, LATENCY, mul};
use zkria_hls_model::word::{ONE, P, TWO_P, Word, ZERO, add, from_u32, less, sub, to_u32};
use zkria_sim::dut::Dut;
use zkria_sim::stream::{Rng, Sink, Source};

const SEED: u64 = 0x5eed_0001;

/// Values at the ends of the ranges and at every edge of a 17-bit word.
fn edges() -> Vec<Word> {
    let one = [1, 0, 0, 0];
    let mut all = vec![ZERO, one, ONE];
    all.extend([sub(&P, &one).0, P, add(&P, &one).0]);
    all.extend([sub(&TWO_P, &one).0, sub(&TWO_P, &[3, 0, 0, 0]).0]);
    for k in 1..15u64 {
        let mut bit = ZERO;
        bit[(17 * k / 64) as usize] = 1 << (17 * k % 64);
        all.extend([bit, sub(&bit, &one).0, sub(&P, &bit).0]);
        all.push(sub(&TWO_P, &bit).0);
    }
    all
}

/// Whether the operands keep `A B <= 2.64`: at least one of them is reduced.
fn allowed(a: &Word, b: &Word) -> bool {
    less(a, &P) || less(b, &P)
}

fn below(rng: &mut Rng, bound: &Word) -> Word {
    loop {
        let mut w: Word = std::array::from_fn(|_| rng.next_u64());
        w[3] >>= 1;
        if less(&w, bound) {
            return w;
        }
    }
}

fn random_pair(rng: &mut Rng) -> (Word, Word) {
    let reduced = below(rng, &P);
    let lazy = below(rng, &TWO_P);
    if rng.chance(50) {
        (reduced, lazy)
    } else {
        (lazy, reduced)
    }
}

/// Sends the pairs with random stalls and compares every product and tag; returns the cycles in
/// which products were taken.
fn check(dut: &mut Dut, pairs: &[(Word, Word)], stalls: (u32, u32), seed: u64) -> Vec<u64> {
    let mut source = Source::new(
        dut,
        "valid_i",
        "ready_o",
        &["a_i", "b_i", "tag_i"],
        stalls.0,
        seed,
    );
    let mut sink = Sink::new(
        dut,
        "valid_o",
        "ready_i",
        &["p_o", "tag_o"],
        stalls.1,
        seed + 1,
    );
    let mut rng = Rng::new(seed + 2);
    let mut wanted = VecDeque::new();
    for (a, b) in pairs {
        let tag = (rng.next_u64() & 1) as u32;
        source.push(vec![to_u32(a), to_u32(b), vec![tag]]);
        wanted.push_back((*a, *b, tag));
    }
    let mut taken_at = Vec::new();
    let limit = dut.cycle() + pairs.len() as u64 * 4 * INTERVAL + 10_000;
    while let Some((a, b, tag)) = wanted.front() {
        source.drive(dut);
        sink.drive(dut);
        dut.settle();
        source.sample(dut);
        if let Some(beat) = sink.sample(dut) {
            let place = format!("cycle {} seed {seed:#x} a {a:x?} b {b:x?}", dut.cycle());
            assert_eq!(from_u32(&beat[0]), mul(a, b), "product, {place}");
            assert_eq!(beat[1][0], *tag, "tag, {place}");
            taken_at.push(dut.cycle());
            wanted.pop_front();
        }
        dut.tick();
        assert!(!dut.failed(), "assertion at cycle {}", dut.cycle());
        assert!(
            dut.cycle() < limit,
            "{} products missing, seed {seed:#x}",
            wanted.len()
        );
    }
    taken_at
}

fn open() -> Dut {
    let mut dut = Dut::new("zk_fp_mul_ws").expect("built with the feature blocks");
    dut.reset(4);
    dut
}

#[test]
fn edge_operands_at_full_rate() {
    let values = edges();
    let pairs: Vec<_> = values
        .iter()
        .flat_map(|a| values.iter().map(|b| (*a, *b)))
        .filter(|(a, b)| allowed(a, b))
        .collect();
    let mut dut = open();
    let start = dut.cycle();
    let taken = check(&mut dut, &pairs, (0, 0), SEED);
    // The first operands are taken in cycle `start`, at the edge that ends it.
    assert_eq!(taken[0] - start, LATENCY + 1);
    assert!(
        taken.windows(2).all(|w| w[1] - w[0] == INTERVAL),
        "interval {:?}",
        taken.windows(2).map(|w| w[1] - w[0]).max()
    );
}

#[test]
fn random_operands_under_random_stalls() {
    let mut dut = open();
    let mut rng = Rng::new(SEED);
    // Sparse operands, a lazy taker, both, neither; a taker slower than a product stops the unit.
    for (i, stalls) in [(0, 0), (99, 0), (0, 98), (97, 99), (50, 50)]
        .iter()
        .enumerate()
    {
        let pairs: Vec<_> = (0..5000).map(|_| random_pair(&mut rng)).collect();
        check(&mut dut, &pairs, *stalls, SEED + 100 * i as u64);
    }
}

#[test]
fn reset_in_the_middle_leaves_nothing() {
    let mut dut = open();
    let mut rng = Rng::new(SEED);
    for round in 0..40 {
        dut.set(dut.port("a_i"), &to_u32(&below(&mut rng, &P)));
        dut.set(dut.port("b_i"), &to_u32(&below(&mut rng, &P)));
        dut.set_u64(dut.port("valid_i"), 1);
        for _ in 0..rng.below(400) {
            dut.settle();
            dut.tick();
        }
        dut.set_u64(dut.port("valid_i"), 0);
        dut.reset(1);
        let pairs: Vec<_> = (0..5).map(|_| random_pair(&mut rng)).collect();
        check(&mut dut, &pairs, (50, 50), SEED + round);
    }
}

#[test]
fn model_products_are_montgomery_products() {
    // The model's own tests hold it to the closed form; here the residue, so that this file
    // stands on num-bigint too.
    let p = BigUint::from_slice(&to_u32(&P));
    let r_inverse = (BigUint::from(1u32) << 255u32)
        .modinv(&p)
        .expect("p is prime");
    let mut rng = Rng::new(SEED);
    for _ in 0..1000 {
        let (a, b) = random_pair(&mut rng);
        let want = BigUint::from_slice(&to_u32(&a)) * BigUint::from_slice(&to_u32(&b)) * &r_inverse;
        assert_eq!(BigUint::from_slice(&to_u32(&mul(&a, &b))) % &p, want % &p);
    }
}
