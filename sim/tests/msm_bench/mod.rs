//! What the tests of the MSM blocks share: points in the engine's form, batches of work, a bench
//! around `zk_msm_core`, and the comparison of its buckets with golden's.

#![allow(dead_code, reason = "every test file uses a part of this module")]

use zkria_golden::fp::{self, BigUint};
use zkria_golden::msm::{Digits, bucket_sums_g1};
use zkria_golden::{G1Bytes, ScalarBytes, curve};
use zkria_sim::dut::{Dut, PortId};
use zkria_sim::stream::{Sink, Source};

/// log2 of the engine's Montgomery factor.
pub(crate) const LOG2_R: u32 = 255;

/// The 32-bit words of a value, little-endian, zero-extended to `count`.
pub(crate) fn words(value: &BigUint, count: usize) -> Vec<u32> {
    let mut out = value.to_u32_digits();
    assert!(out.len() <= count);
    out.resize(count, 0);
    out
}

/// x and y of a point in the engine's form.
pub(crate) fn to_engine(point: &G1Bytes) -> [BigUint; 2] {
    let p = fp::fp_modulus();
    [&point[..32], &point[32..]].map(|c| fp::to_mont(&fp::from_bytes_le(c), &p, LOG2_R))
}

/// Whether the Jacobian words X, Y, Z are below p and stand for `point`, without an inversion:
/// X = x Z^2, Y = y Z^3. Infinity is three zero words.
pub(crate) fn same_point(bucket: &[BigUint; 3], point: &G1Bytes) -> bool {
    let p = fp::fp_modulus();
    if bucket.iter().any(|word| *word >= p) {
        return false;
    }
    let zero = BigUint::ZERO;
    if point == &[0; 64] {
        return bucket.iter().all(|word| *word == zero);
    }
    let [x, y, z] = bucket
        .each_ref()
        .map(|word| fp::from_mont(word, &p, LOG2_R));
    let zz = fp::mul(&z, &z, &p);
    let zzz = fp::mul(&zz, &z, &p);
    z != zero
        && x == fp::mul(&fp::from_bytes_le(&point[..32]), &zz, &p)
        && y == fp::mul(&fp::from_bytes_le(&point[32..]), &zzz, &p)
}

/// Digit of window `w`, `c` bits wide; bits past the top of the scalar are zero.
pub(crate) fn digit(scalar: &ScalarBytes, w: usize, c: usize) -> usize {
    (0..c)
        .map(|i| w * c + i)
        .filter(|&bit| bit < 256 && scalar[bit / 8] >> (bit % 8) & 1 == 1)
        .fold(0, |acc, bit| acc | 1 << (bit - w * c))
}

/// A named MSM input.
pub(crate) struct Input {
    pub(crate) name: &'static str,
    pub(crate) points: Vec<G1Bytes>,
    pub(crate) scalars: Vec<ScalarBytes>,
}

fn small(k: u64) -> ScalarBytes {
    let mut out = [0; 32];
    out[..8].copy_from_slice(&k.to_le_bytes());
    out
}

/// Inputs of `n` pairs that reach every case of the lane: empty, full and in-flight buckets,
/// doubling, cancelling and reloading, infinity, zero digits.
pub(crate) fn inputs(n: usize, seed: u64) -> Vec<Input> {
    let points = curve::points_g1(seed, n);
    let scalars = curve::scalars(seed, n);
    let first = |i: usize| points.get(i).copied().unwrap_or([0; 64]);
    let opposite: Vec<G1Bytes> = (0..n)
        .map(|i| {
            if i % 2 == 0 {
                first(i / 4)
            } else {
                curve::neg_g1(&first(i / 4)).unwrap()
            }
        })
        .collect();
    let equal = vec![scalars.first().copied().unwrap_or([0; 32]); n];
    let order_less_1 = fp::to_bytes_le(&(fp::fr_modulus() - 1u32));
    let holes = (0..n)
        .map(|i| if i % 3 == 1 { [0; 64] } else { points[i] })
        .collect();
    let sparse = (0..n)
        .map(|i| match i % 5 {
            0 => small(0),
            1 => small(1),
            2 => small(1 << (i % 60)),
            3 => order_less_1,
            _ => scalars[i],
        })
        .collect();
    // Windows 0 and 1 see runs of one bucket, broken by another.
    let runs = (0..n as u64)
        .map(|i| small(if i % 4 == 3 { 2 } else { 1 }))
        .collect();
    vec![
        Input {
            name: "random",
            points: points.clone(),
            scalars: scalars.clone(),
        },
        Input {
            name: "equal scalars",
            points: points.clone(),
            scalars: equal.clone(),
        },
        Input {
            name: "same point",
            points: vec![first(0); n],
            scalars: scalars.clone(),
        },
        Input {
            name: "same point, equal scalars",
            points: vec![first(0); n],
            scalars: equal.clone(),
        },
        Input {
            name: "opposite points",
            points: opposite,
            scalars: equal,
        },
        Input {
            name: "infinity",
            points: holes,
            scalars,
        },
        Input {
            name: "sparse scalars",
            points: points.clone(),
            scalars: sparse,
        },
        Input {
            name: "runs of one bucket",
            points,
            scalars: runs,
        },
    ]
}

/// Part of an MSM that the core does in one start.
pub(crate) struct Batch<'a> {
    pub(crate) input: &'a Input,
    pub(crate) window: usize,
    pub(crate) num_windows: usize,
}

/// What the core counted and how long it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) cycles: u64,
    pub(crate) additions: u64,
    pub(crate) loads: u64,
    pub(crate) stalls: u64,
}

/// The core with its four streams.
pub(crate) struct Core {
    pub(crate) dut: Dut,
    window_bits: usize,
    stall_percent: u32,
    seed: u64,
    streams: Streams,
    done: PortId,
    events: [PortId; 3],
}

struct Streams {
    start: Source,
    pts: Source,
    scl: Source,
    res: Sink,
}

impl Streams {
    fn new(dut: &Dut, stall_percent: u32, seed: u64) -> Self {
        let source = |name: &str, data: &[&str], salt: u64| {
            let (valid, ready) = (format!("{name}_valid_i"), format!("{name}_ready_o"));
            Source::new(dut, &valid, &ready, data, stall_percent, seed ^ salt)
        };
        let starts = ["start_n_i", "start_window_i", "start_num_windows_i"];
        let results = ["res_data_o", "res_last_o"];
        Self {
            start: source("start", &starts, 1),
            pts: source("pts", &["pts_data_i"], 2),
            scl: source("scl", &["scl_data_i"], 3),
            res: Sink::new(
                dut,
                "res_valid_o",
                "res_ready_i",
                &results,
                stall_percent,
                seed ^ 4,
            ),
        }
    }
}

impl Core {
    /// Opens `top` (zk_msm_core or a variant) and resets it. Every stream stalls in
    /// `stall_percent` of the cycles.
    pub(crate) fn new(top: &str, window_bits: usize, stall_percent: u32, seed: u64) -> Self {
        let mut dut = Dut::with_seed(top, seed as u32 + 1).expect("built with the feature blocks");
        let streams = Streams::new(&dut, stall_percent, seed);
        let done = dut.port("done_o");
        let events = ["ev_add_o", "ev_load_o", "ev_stall_o"].map(|name| dut.port(name));
        dut.reset(3);
        Self {
            dut,
            window_bits,
            stall_percent,
            seed,
            streams,
            done,
            events,
        }
    }

    fn queue(&mut self, batch: &Batch<'_>) {
        let n = batch.input.points.len();
        self.streams.start.push(vec![
            vec![n as u32],
            vec![batch.window as u32],
            vec![batch.num_windows as u32],
        ]);
        for (point, scalar) in batch.input.points.iter().zip(&batch.input.scalars) {
            for coordinate in to_engine(point) {
                for half in words(&coordinate, 8).chunks(4) {
                    self.streams.pts.push(vec![half.to_vec()]);
                }
            }
            for half in words(&fp::from_bytes_le(scalar), 8).chunks(4) {
                self.streams.scl.push(vec![half.to_vec()]);
            }
        }
    }

    /// One cycle: the result beat taken in it and whether `done_o` was high.
    fn cycle(&mut self, counts: &mut Counts) -> (Option<Vec<Vec<u32>>>, bool) {
        let (dut, streams) = (&mut self.dut, &mut self.streams);
        streams.start.drive(dut);
        streams.pts.drive(dut);
        streams.scl.drive(dut);
        streams.res.drive(dut);
        dut.settle();
        streams.start.sample(dut);
        streams.pts.sample(dut);
        streams.scl.sample(dut);
        let beat = streams.res.sample(dut);
        let [adds, loads, stalls] = self.events.map(|e| u64::from(dut.get_u64(e).count_ones()));
        counts.cycles += 1;
        counts.additions += adds;
        counts.loads += loads;
        counts.stalls += stalls;
        let done = dut.is_set(self.done);
        dut.tick();
        assert!(
            !dut.failed(),
            "an assertion of the RTL failed at cycle {}",
            dut.cycle()
        );
        (beat, done)
    }

    /// Starts `batch` and gives up `cycles` later, in the middle, by a reset.
    pub(crate) fn interrupt(&mut self, batch: &Batch<'_>, cycles: u32) {
        self.queue(batch);
        let mut counts = Counts::default();
        for _ in 0..cycles {
            let (_, done) = self.cycle(&mut counts);
            assert!(!done, "the batch ended before the reset");
        }
        self.streams = Streams::new(&self.dut, self.stall_percent, self.seed + 1);
        self.dut.reset(1);
    }

    /// Runs batches one right after another and compares all buckets with golden's.
    pub(crate) fn run(&mut self, batches: &[Batch<'_>]) -> Counts {
        batches.iter().for_each(|batch| self.queue(batch));
        let mut counts = Counts::default();
        for batch in batches {
            let buckets = self.collect(batch, &mut counts);
            self.compare(batch, &buckets);
        }
        assert_eq!(
            (self.streams.pts.pending(), self.streams.scl.pending()),
            (0, 0),
            "beats left over"
        );
        let non_zero = batches
            .iter()
            .map(|batch| self.non_zero(batch))
            .sum::<u64>();
        assert_eq!(counts.additions + counts.loads, non_zero, "tokens");
        counts
    }

    /// The buckets of one batch, window by window; checks `res_last_o` and `done_o`.
    fn collect(&mut self, batch: &Batch<'_>, counts: &mut Counts) -> Vec<[BigUint; 3]> {
        let num_buckets = batch.num_windows * ((1 << self.window_bits) - 1);
        let limit = 20_000 + num_buckets * 60 + batch.input.points.len() * 4000;
        let mut words = Vec::with_capacity(num_buckets * 24);
        for _ in 0..limit {
            let (beat, done) = self.cycle(counts);
            let last = beat.as_ref().is_some_and(|b| b[1][0] != 0);
            assert_eq!(last, done, "done_o marks the last beat");
            if let Some(beat) = beat {
                words.extend_from_slice(&beat[0]);
                assert_eq!(last, words.len() == num_buckets * 24, "res_last_o");
            }
            if done {
                let word = |w: &[u32]| BigUint::from_slice(w);
                return words
                    .chunks(24)
                    .map(|b| [word(&b[..8]), word(&b[8..16]), word(&b[16..])])
                    .collect();
            }
        }
        panic!(
            "{}: no end after {limit} cycles, {} of {num_buckets} buckets out",
            batch.input.name,
            words.len() / 24
        );
    }

    fn compare(&self, batch: &Batch<'_>, buckets: &[[BigUint; 3]]) {
        let (input, c) = (batch.input, self.window_bits);
        let golden =
            bucket_sums_g1(&input.points, &input.scalars, c as u32, Digits::Unsigned).unwrap();
        let per_window = (1 << c) - 1;
        for (k, window) in buckets.chunks(per_window).enumerate() {
            for (i, bucket) in window.iter().enumerate() {
                // Past golden's last window every digit is zero.
                let expected = golden.get(batch.window + k).map_or([0; 64], |w| w[i]);
                assert!(
                    same_point(bucket, &expected),
                    "{}, n = {}, window {} + {k}, bucket {}: got {bucket:x?}, golden {expected:x?}",
                    input.name,
                    input.points.len(),
                    batch.window,
                    i + 1
                );
            }
        }
    }

    fn non_zero(&self, batch: &Batch<'_>) -> u64 {
        let windows = batch.window..batch.window + batch.num_windows;
        let pairs = batch.input.points.iter().zip(&batch.input.scalars);
        let tokens = pairs
            .filter(|(point, _)| *point != &[0; 64])
            .flat_map(|(_, scalar)| windows.clone().map(|w| digit(scalar, w, self.window_bits)));
        tokens.filter(|d| *d != 0).count() as u64
    }
}
