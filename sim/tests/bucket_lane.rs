//! `zk_bucket_lane` with the test in the place of the dispatcher and of the read-out: bucket sums
//! against golden, conflicts in flight, and that the adder never waits for tokens that are there.

#![expect(
    clippy::print_stdout,
    reason = "a failing run shows its seed and figures"
)]

mod msm_bench;

use msm_bench::{same_point, to_engine, words};
use zkria_golden::fp::BigUint;
use zkria_golden::{G1Bytes, curve};
use zkria_hls_model::point_add::{self, Kind};
use zkria_sim::dut::Dut;
use zkria_sim::stream::Rng;

/// Buckets of the small lane: digits of 5 bits.
const BUCKETS: usize = 32;

/// How the dispatcher behaves, in percent of cycles.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// No grant although one is asked for.
    busy_port: u32,
    /// No token although there is one.
    gap: u32,
    /// Tokens from this one on are not offered before this cycle.
    pause: (usize, u64),
}

impl Pace {
    fn percent(busy_port: u32, gap: u32) -> Self {
        Self {
            busy_port,
            gap,
            pause: (0, 0),
        }
    }
}

const AT_ONCE: Pace = Pace {
    busy_port: 0,
    gap: 0,
    pause: (0, 0),
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    cycles: u64,
    additions: u64,
    loads: u64,
    stalls: u64,
}

struct Bench {
    dut: Dut,
    rng: Rng,
}

impl Bench {
    /// A lane after reset with its full bits cleared.
    fn new(seed: u64) -> Self {
        let mut dut = Dut::with_seed("zk_bucket_lane_small", seed as u32 + 1)
            .expect("built with the feature blocks");
        for input in [
            "tok_valid_i",
            "op_gnt_i",
            "op_valid_i",
            "own_re_i",
            "ro_sel_i",
        ] {
            dut.set_u64(dut.port(input), 0);
        }
        dut.reset(2);
        dut.set_u64(dut.port("own_i"), 1);
        dut.set_u64(dut.port("own_clear_i"), 1);
        for bucket in 0..BUCKETS as u64 {
            dut.set_u64(dut.port("own_addr_i"), bucket);
            dut.settle();
            dut.tick();
        }
        dut.set_u64(dut.port("own_i"), 0);
        dut.set_u64(dut.port("own_clear_i"), 0);
        Self {
            dut,
            rng: Rng::new(seed),
        }
    }

    /// Feeds the tokens until the lane is idle again.
    fn feed(&mut self, tokens: &[(usize, G1Bytes)], pace: Pace) -> Counts {
        let dut = &mut self.dut;
        let [
            tok_valid,
            tok_digit,
            tok_pop,
            op_req,
            op_sel,
            op_gnt,
            op_valid,
            op_data,
            idle,
        ] = [
            "tok_valid_i",
            "tok_digit_i",
            "tok_pop_o",
            "op_req_o",
            "op_sel_o",
            "op_gnt_i",
            "op_valid_i",
            "op_data_i",
            "idle_o",
        ]
        .map(|name| dut.port(name));
        let events = ["ev_add_o", "ev_load_o", "ev_stall_o"].map(|name| dut.port(name));
        let data: Vec<[Vec<u32>; 2]> = tokens
            .iter()
            .map(|(_, p)| to_engine(p).map(|c| words(&c, 8)))
            .collect();
        let (mut next, mut offered, mut granted) = (0, false, None::<Vec<u32>>);
        let mut counts = Counts::default();
        loop {
            let paused = next >= pace.pause.0 && counts.cycles < pace.pause.1;
            offered |= next < tokens.len() && !paused && !self.rng.chance(pace.gap);
            dut.set_u64(tok_valid, u64::from(offered));
            dut.set_u64(tok_digit, tokens.get(next).map_or(0, |t| t.0 as u64));
            dut.set_u64(op_valid, u64::from(granted.is_some()));
            dut.set(
                op_data,
                &granted.take().unwrap_or_else(|| vec![0xdead_beef; 8]),
            );
            dut.set_u64(op_gnt, 0);
            dut.settle();
            if dut.is_set(op_req) && !self.rng.chance(pace.busy_port) {
                dut.set_u64(op_gnt, 1);
                dut.settle();
                granted = Some(data[next][dut.get_u64(op_sel) as usize].clone());
            }
            counts.cycles += 1;
            let [adds, loads, stalls] = events.map(|e| dut.get_u64(e));
            counts.additions += adds;
            counts.loads += loads;
            counts.stalls += stalls;
            if dut.is_set(tok_pop) {
                next += 1;
                offered = false;
            }
            let ended = next == tokens.len() && dut.is_set(idle) && !offered;
            dut.tick();
            assert!(
                !dut.failed(),
                "an assertion of the RTL failed at cycle {}",
                dut.cycle()
            );
            if ended {
                return counts;
            }
            assert!(
                counts.cycles < 5000 + 3000 * tokens.len() as u64,
                "stuck at token {next}"
            );
        }
    }

    /// Reads bucket by bucket what the lane holds, and empties it.
    fn read_out(&mut self) -> Vec<Option<[BigUint; 3]>> {
        let dut = &mut self.dut;
        let [own, addr, clear, re, sel] =
            ["own_i", "own_addr_i", "own_clear_i", "own_re_i", "ro_sel_i"].map(|p| dut.port(p));
        let (word, full) = (dut.port("ro_word_o"), dut.port("full_o"));
        dut.set_u64(own, 1);
        let mut buckets = vec![None];
        for bucket in 1..BUCKETS as u64 {
            dut.set_u64(addr, bucket);
            dut.set_u64(clear, 1);
            dut.set_u64(re, 1);
            dut.settle();
            let full = dut.is_set(full);
            dut.tick();
            dut.set_u64(clear, 0);
            dut.set_u64(re, 0);
            let words = [0, 1, 2].map(|coordinate| {
                dut.set_u64(sel, coordinate);
                dut.settle();
                BigUint::from_slice(&dut.get(word))
            });
            buckets.push(full.then_some(words));
        }
        dut.set_u64(own, 0);
        dut.settle();
        dut.tick();
        dut.settle();
        dut.tick();
        assert!(!dut.failed(), "an assertion of the RTL failed at read-out");
        buckets
    }

    /// Feeds, reads out, compares with golden sums.
    fn check(&mut self, what: &str, tokens: &[(usize, G1Bytes)], pace: Pace) -> Counts {
        let counts = self.feed(tokens, pace);
        let mut sums = vec![[0; 64]; BUCKETS];
        for (digit, point) in tokens {
            sums[*digit] = curve::add_g1(&sums[*digit], point).unwrap();
        }
        for (digit, got) in self.read_out().iter().enumerate() {
            let same = got.as_ref().map_or(sums[digit] == [0; 64], |b| {
                sums[digit] != [0; 64] && same_point(b, &sums[digit])
            });
            assert!(
                same,
                "{what}: bucket {digit}: got {got:x?}, golden {:x?}",
                sums[digit]
            );
        }
        assert_eq!(
            counts.additions + counts.loads,
            tokens.len() as u64,
            "{what}: tokens"
        );
        counts
    }
}

#[test]
fn random_tokens_at_any_pace() {
    for (seed, busy_port, gap) in [(1, 0, 0), (2, 80, 0), (3, 50, 90), (4, 97, 50), (5, 0, 99)] {
        println!("seed {seed}, port busy {busy_port} %, gaps {gap} %");
        let mut rng = Rng::new(seed);
        let tokens: Vec<_> = curve::points_g1(seed, 120)
            .into_iter()
            .map(|p| (1 + rng.below(BUCKETS as u64 - 1) as usize, p))
            .collect();
        Bench::new(seed).check("random", &tokens, Pace::percent(busy_port, gap));
    }
}

/// Every way through the adder while its bucket or a neighbour is in flight: doubling, cancelling,
/// a load right after a cancel.
#[test]
fn exceptions_and_conflicts() {
    let points = curve::points_g1(6, 4);
    let minus: Vec<_> = points.iter().map(|p| curve::neg_g1(p).unwrap()).collect();
    let cases: [(&str, Vec<(usize, G1Bytes)>); 7] = [
        ("double", vec![(1, points[0]), (1, points[0])]),
        (
            "double twice",
            vec![
                (1, points[0]),
                (1, points[0]),
                (1, points[0]),
                (1, points[0]),
            ],
        ),
        ("cancel", vec![(31, points[0]), (31, minus[0])]),
        (
            "cancel, load, add",
            vec![
                (7, points[0]),
                (7, minus[0]),
                (7, points[1]),
                (7, points[2]),
            ],
        ),
        (
            "cancel a sum",
            vec![
                (2, points[0]),
                (2, points[1]),
                (
                    2,
                    curve::neg_g1(&curve::add_g1(&points[0], &points[1]).unwrap()).unwrap(),
                ),
                (2, points[3]),
            ],
        ),
        ("one bucket", (0..12).map(|i| (5, points[i % 4])).collect()),
        (
            "two buckets",
            (0..24).map(|i| (5 + i % 2, points[i / 2 % 4])).collect(),
        ),
    ];
    let mut bench = Bench::new(7);
    for pace in [AT_ONCE, Pace::percent(60, 60)] {
        for (what, tokens) in &cases {
            let counts = bench.check(what, tokens, pace);
            if what.starts_with("one bucket") {
                assert!(
                    counts.stalls > 10 * 500,
                    "every addition waits for the one before"
                );
            }
        }
    }
    // All of it mixed.
    let mut rng = Rng::new(8);
    let mixed: Vec<_> = (0..150)
        .map(|_| {
            let i = rng.below(4) as usize;
            let point = if rng.chance(50) { points[i] } else { minus[i] };
            (1 + rng.below(4) as usize, point)
        })
        .collect();
    bench.check("mixed", &mixed, AT_ONCE);
}

/// A sum is written back in every phase of a load: neither loses a word.
#[test]
fn loads_and_sums_share_the_bank() {
    let points = curve::points_g1(11, BUCKETS + 6);
    let first = [(1, points[0]), (1, points[1])];
    let mut bench = Bench::new(11);
    let end = bench.check("load and add", &first, AT_ONCE).cycles;
    // Loads follow every six cycles; the sum comes in the midst of them.
    for phase in 0..6 {
        // Other points each time, so that no bucket holds the right word from before.
        let loads = (2..BUCKETS).map(|i| (i, points[i + phase]));
        let tokens: Vec<_> = first.into_iter().chain(loads).collect();
        let pace = Pace {
            pause: (2, end - 90 + phase as u64),
            ..AT_ONCE
        };
        let counts = bench.check("loads around a sum", &tokens, pace);
        assert!(counts.cycles > end && counts.cycles < end + 120);
    }
}

/// Loads alone take six cycles each.
#[test]
fn loads_are_quick() {
    let tokens: Vec<_> = (1..BUCKETS).zip(curve::points_g1(9, BUCKETS - 1)).collect();
    let counts = Bench::new(9).check("loads", &tokens, AT_ONCE);
    assert_eq!((counts.loads, counts.additions), (31, 0));
    assert!(
        counts.cycles <= 6 * 31 + 2,
        "{} cycles for 31 loads",
        counts.cycles
    );
}

/// Tokens that are there keep the adder at the rate its own model gives, also with loads between.
#[test]
fn the_adder_is_always_fed() {
    let interval = point_add::steady_interval(2);
    let latency = point_add::latency(2, Kind::Add) as f64;
    let points = curve::points_g1(10, 200);
    let loads: Vec<_> = (1..16).map(|i| (i, points[i])).collect();

    let mut bench = Bench::new(10);
    bench.feed(&loads, AT_ONCE);
    let adds: Vec<_> = (0..150).map(|i| (1 + i % 15, points[i])).collect();
    let counts = bench.feed(&adds, AT_ONCE);
    assert_eq!(counts.stalls, 0);
    // The first and the last addition overlap with one neighbour only.
    let ideal = 149.0 * interval + latency;
    let cycles = counts.cycles as f64;
    println!("150 additions: {cycles} cycles, {ideal} at the adder's rate {interval}");
    assert!(cycles < 1.01 * ideal && cycles > 0.97 * ideal);

    // Sixteen buckets are still empty: a load before each of sixteen additions.
    let mixed: Vec<_> = (0..16)
        .flat_map(|i| [(16 + i, points[i]), (1 + i % 15, points[i + 16])])
        .collect();
    let counts = bench.feed(&mixed, AT_ONCE);
    assert_eq!((counts.loads, counts.additions), (16, 16));
    let ideal = 15.0 * interval + latency;
    let cycles = counts.cycles as f64;
    println!("16 additions among loads: {cycles} cycles, {ideal} without loads");
    assert!(cycles < 1.02 * ideal + 10.0);
}
