//! `zk_dispatch` with the test in the place of the lanes: every lane gets its non-zero digits and
//! the right coordinates in order, whatever the lanes' speeds; zeros cost no time; the shared
//! read port is fair.

#![expect(
    clippy::print_stdout,
    reason = "a failing run shows its seed and figures"
)]

mod msm_bench;

use msm_bench::{Input, LOG2_R, digit, inputs, to_engine, words};
use num_bigint::BigUint;
use zkria_golden::G1Bytes;
use zkria_golden::fp;
use zkria_sim::dut::{Dut, PortId};
use zkria_sim::stream::{Rng, Source};

/// One lane as the dispatcher sees it.
struct Lane {
    /// Digit, x, y of every token still to come, last first.
    tokens: Vec<(usize, [Vec<u32>; 2])>,
    /// Percent of cycles in which the lane does nothing.
    lazy: u32,
    /// Coordinate wanted next; none until the lane cares for its token.
    asking: bool,
    sel: usize,
    waited: u64,
    longest_wait: u64,
}

struct Bench {
    dut: Dut,
    sources: [Source; 3],
    lanes: Vec<Lane>,
    window_bits: usize,
    rng: Rng,
    ports: Ports,
}

struct Ports {
    tok_valid: PortId,
    tok_digit: PortId,
    tok_pop: PortId,
    op_req: PortId,
    op_sel: PortId,
    op_gnt: PortId,
    op_valid: PortId,
    op_data: PortId,
    start_ready: PortId,
}

impl Bench {
    fn new(top: &str, lazy: &[u32], window_bits: usize, stall_percent: u32, seed: u64) -> Self {
        let mut dut = Dut::with_seed(top, seed as u32 + 1).expect("built with the feature blocks");
        let source = |name: &str, data: &[&str], salt: u64| {
            let (valid, ready) = (format!("{name}_valid_i"), format!("{name}_ready_o"));
            Source::new(&dut, &valid, &ready, data, stall_percent, seed ^ salt)
        };
        let starts = ["start_n_i", "start_window_i", "start_num_windows_i"];
        let sources = [
            source("start", &starts, 1),
            source("pts", &["pts_data_i"], 2),
            source("scl", &["scl_data_i"], 3),
        ];
        let ports = Ports {
            tok_valid: dut.port("tok_valid_o"),
            tok_digit: dut.port("tok_digit_o"),
            tok_pop: dut.port("tok_pop_i"),
            op_req: dut.port("op_req_i"),
            op_sel: dut.port("op_sel_i"),
            op_gnt: dut.port("op_gnt_o"),
            op_valid: dut.port("op_valid_o"),
            op_data: dut.port("op_data_o"),
            start_ready: dut.port("start_ready_o"),
        };
        for port in [ports.tok_pop, ports.op_req, ports.op_sel] {
            dut.set_u64(port, 0);
        }
        dut.reset(2);
        let lanes = lazy
            .iter()
            .map(|&lazy| Lane {
                tokens: Vec::new(),
                lazy,
                asking: false,
                sel: 0,
                waited: 0,
                longest_wait: 0,
            })
            .collect();
        Self {
            dut,
            sources,
            lanes,
            window_bits,
            rng: Rng::new(seed),
            ports,
        }
    }

    /// Runs one batch to its end and returns the cycles from start to the last token.
    fn run(&mut self, input: &Input, window: usize, num_windows: usize) -> u64 {
        let n = input.points.len();
        self.sources[0].push(vec![
            vec![n as u32],
            vec![window as u32],
            vec![num_windows as u32],
        ]);
        for (point, scalar) in input.points.iter().zip(&input.scalars) {
            let coordinates = to_engine(point).map(|c| words(&c, 8));
            for half in coordinates.iter().flat_map(|c| c.chunks(4)) {
                self.sources[1].push(vec![half.to_vec()]);
            }
            for half in words(&fp::from_bytes_le(scalar), 8).chunks(4) {
                self.sources[2].push(vec![half.to_vec()]);
            }
            for (k, lane) in self.lanes.iter_mut().enumerate().take(num_windows) {
                let d = digit(scalar, window + k, self.window_bits);
                if d != 0 && point != &[0; 64] {
                    lane.tokens.insert(0, (d, coordinates.clone()));
                }
            }
        }
        let started = self.dut.cycle();
        while self.sources.iter().any(|s| s.pending() != 0)
            || self.lanes.iter().any(|lane| !lane.tokens.is_empty())
            || !self.dut.is_set(self.ports.start_ready)
        {
            self.cycle(input.name);
            assert!(
                self.dut.cycle() - started < 5000 + 2000 * n as u64,
                "{}: stuck",
                input.name
            );
        }
        self.dut.cycle() - started
    }

    fn cycle(&mut self, name: &str) {
        let (dut, ports) = (&mut self.dut, &self.ports);
        self.sources.iter_mut().for_each(|s| s.drive(dut));
        // Coordinates granted in the last cycle are on the port now.
        let came = dut.get_u64(ports.op_valid);
        let data = dut.get(ports.op_data);
        let (mut pop, mut req, mut sel) = (0, 0, 0);
        for (k, lane) in self.lanes.iter_mut().enumerate() {
            if came >> k & 1 == 1 {
                let (_, coordinates) = lane.tokens.last().expect("data for no token");
                assert_eq!(
                    data, coordinates[lane.sel],
                    "{name}: lane {k}, coordinate {}",
                    lane.sel
                );
                lane.sel += 1;
            }
            let token = dut.get_u64(ports.tok_valid) >> k & 1 == 1;
            if lane.sel == 2 {
                lane.sel = 0;
                lane.tokens.pop();
                pop |= 1 << k;
            } else if token && came >> k & 1 == 0 && (lane.asking || !self.rng.chance(lane.lazy)) {
                lane.asking = true;
                req |= 1 << k;
                sel |= (lane.sel as u64) << k;
            }
        }
        dut.set_u64(ports.tok_pop, pop);
        dut.set_u64(ports.op_req, req);
        dut.set_u64(ports.op_sel, sel);
        dut.settle();
        self.sources.iter_mut().for_each(|s| drop(s.sample(dut)));
        let (valid, granted) = (dut.get_u64(ports.tok_valid), dut.get_u64(ports.op_gnt));
        let digits = dut.get(ports.tok_digit);
        for (k, lane) in self.lanes.iter_mut().enumerate() {
            if valid >> k & 1 == 1 && pop >> k & 1 == 0 {
                let low = k * self.window_bits;
                let got = (0..self.window_bits).fold(0, |acc, i| {
                    acc | (digits[(low + i) / 32] >> ((low + i) % 32) & 1) << i
                });
                let want = lane.tokens.last().expect("a token too many").0;
                assert_eq!(
                    got as usize,
                    want,
                    "{name}: lane {k}, cycle {}",
                    dut.cycle()
                );
            }
            lane.waited = if req & !granted & 1 << k == 0 {
                0
            } else {
                lane.waited + 1
            };
            lane.longest_wait = lane.longest_wait.max(lane.waited);
            if granted >> k & 1 == 1 {
                lane.asking = false;
            }
        }
        dut.tick();
        // Outputs of registers are looked at before the next inputs are set.
        dut.settle();
        assert!(
            !dut.failed(),
            "{name}: an assertion failed at cycle {}",
            dut.cycle()
        );
    }
}

#[test]
fn lanes_of_any_speed_get_every_token() {
    // Depth is 8 points: 7, 8, 9 fill it, 60 wraps the pointers.
    for (seed, lazy) in [
        (1, [0, 0, 0]),
        (2, [95, 0, 50]),
        (3, [0, 98, 98]),
        (4, [80, 80, 80]),
    ] {
        for stall_percent in [0, 60] {
            println!("seed {seed}, lanes idle {lazy:?} %, stalls {stall_percent} %");
            let mut bench = Bench::new("zk_dispatch_small", &lazy, 4, stall_percent, seed);
            for n in [0, 1, 2, 7, 8, 9, 60] {
                for input in &inputs(n, seed) {
                    bench.run(input, 5, 3);
                }
            }
        }
    }
}

#[test]
fn windows_anywhere_and_lanes_without_a_window() {
    let mut bench = Bench::new("zk_dispatch_small", &[0, 30, 60], 4, 20, 7);
    let input = &inputs(9, 7)[0];
    for window in 0..64 {
        bench.run(input, window, 1 + window % 3);
    }
    let mut bench = Bench::new("zk_dispatch", &[30; 8], 11, 0, 8);
    for (window, num_windows) in [(0, 8), (8, 8), (16, 8), (23, 1), (3, 5)] {
        bench.run(&inputs(40, 8)[6], window, num_windows);
    }
}

/// Infinity is four zero beats; a point with fewer is none. Values need not lie on the curve here.
#[test]
fn only_four_zero_beats_are_infinity() {
    let p = fp::fp_modulus();
    let points: Vec<G1Bytes> = (0..32u32)
        .map(|beats| {
            let half =
                |k: u32, value: u32| BigUint::from(if beats >> k & 1 == 1 { value } else { 0 });
            let coordinate = |k: u32| (half(k + 1, 0x1357) << 128) + half(k, 0x2468);
            let mut point = [0; 64];
            for (bytes, k) in point.chunks_mut(32).zip([0, 2]) {
                let value = fp::from_mont(&coordinate(k), &p, LOG2_R);
                bytes.copy_from_slice(&fp::to_bytes_le(&value));
            }
            point
        })
        .collect();
    let scalars = vec![[0x33; 32]; points.len()];
    let input = Input {
        name: "points with zero beats",
        points,
        scalars,
    };
    Bench::new("zk_dispatch_small", &[0, 30, 60], 4, 20, 11).run(&input, 5, 3);
}

/// Four beats a point are the only limit when no digit needs a lane.
#[test]
fn zero_digits_cost_no_time() {
    let mut bench = Bench::new("zk_dispatch", &[0; 8], 11, 0, 9);
    let mut input = inputs(600, 9).swap_remove(0);
    input.scalars.fill([0; 32]);
    let cycles = bench.run(&input, 0, 8);
    assert!(
        cycles <= 4 * 600 + 10,
        "{cycles} cycles for 600 points of zeros"
    );
}

/// All lanes ask all the time: nobody waits for more than a round of the others.
#[test]
fn the_read_port_is_fair_and_always_busy() {
    let mut bench = Bench::new("zk_dispatch", &[0; 8], 11, 0, 10);
    let input = &inputs(300, 10)[0];
    let cycles = bench.run(input, 0, 8);
    for (k, lane) in bench.lanes.iter().enumerate() {
        assert!(
            lane.longest_wait < 8,
            "lane {k} waited {} cycles",
            lane.longest_wait
        );
    }
    // Sixteen reads a point; the first point and the last lane's end are extra.
    assert!(
        cycles <= 16 * 300 + 60,
        "{cycles} cycles for 300 points to eight lanes"
    );
}
