//! The whole engine in time: `zkria_top` from job to status, for random or given scalars.
//!
//! Event-driven at token level ([`crate::dispatch`], [`crate::bucket_lane`], [`crate::readout`])
//! with the adder's schedule from [`crate::point_add`]; nothing is fitted to simulated totals.
//! What it leaves out: stalls of the DMA streams once they run (the engine takes four beats in
//! some 660 cycles), write-back conflicts in a bank (three cycles an addition), sums that cancel.
//! `sim/tests/msm_core.rs` holds a batch to the RTL, `zkria model` shows the figures.
//!
//! Above 2^16 points nothing new happens: all buckets are full, each point costs the same. There
//! the model goes on along the line through 2^15 and 2^16.

use crate::bucket_lane::{Lane, LaneCounts, Schedule};
use crate::dispatch::{Dispatch, ReadPort};
use crate::readout::{Memory, Writer, result_beats};

/// Bits of a scalar below r.
const SCALAR_BITS: u32 = 254;

/// The scalar modulus r, little-endian limbs.
const R: [u64; 4] = [
    0x43e1_f593_f000_0001,
    0x2833_e848_79b9_7091,
    0xb850_45b6_8181_585d,
    0x3064_4e72_e131_a029,
];

/// Largest log2 of points that is run event by event.
pub const LOG_N_RUN: u32 = 16;

/// Cycles from the first in which all lanes rest to the first result beat: the core sees it, the
/// read-out starts, the bank is read, the word is taken over.
const READ_OUT_START: u64 = 3;

/// Parameters of the engine and its memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Lanes, windows of a batch.
    pub num_lanes: usize,
    /// Bits of a window, at most 16.
    pub window_bits: u32,
    /// Additions in flight in a lane.
    pub num_ctx: usize,
    /// Points between dispatcher and slowest lane.
    pub depth: usize,
    /// Write bursts without an answer.
    pub write_bursts: usize,
    /// Beats of the writer's FIFO.
    pub write_fifo_beats: u64,
    /// The memory behind the ports.
    pub memory: Memory,
}

impl Default for Config {
    /// The parameters of `zkria_top`.
    fn default() -> Self {
        Self {
            num_lanes: 8,
            window_bits: 11,
            num_ctx: 2,
            depth: 256,
            write_bursts: 4,
            write_fifo_beats: 64,
            memory: Memory::default(),
        }
    }
}

impl Config {
    /// Windows that cover a scalar below r.
    pub fn num_windows(&self) -> usize {
        SCALAR_BITS.div_ceil(self.window_bits) as usize
    }
}

/// What the counters of the register page would show.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prediction {
    /// From job to the last answer.
    pub cycles: u64,
    /// Non-zero digits that met a full bucket.
    pub additions: u64,
    /// Non-zero digits that met an empty bucket.
    pub loads: u64,
    /// Lane cycles in which a token waited for its bucket's addition.
    pub stalls: u64,
    /// Bytes over the read channels.
    pub bytes_read: u64,
    /// Bytes of results.
    pub bytes_written: u64,
}

impl Prediction {
    /// Cycles over additions, the design's measure; infinite without additions.
    pub fn cycles_per_addition(&self) -> f64 {
        self.cycles as f64 / self.additions as f64
    }

    /// Seconds at a clock of `mhz`.
    pub fn seconds(&self, mhz: f64) -> f64 {
        self.cycles as f64 / (mhz * 1e6)
    }
}

/// Predicts an MSM of 2^`log_n` random points and scalars.
///
/// Exact events up to [`LOG_N_RUN`], a line through the last two sizes above.
///
/// # Panics
/// When `log_n` is above 32 or the configuration has no lane, context, depth or FIFO.
pub fn predict(log_n: u32, config: &Config) -> Prediction {
    assert!(log_n <= 32, "a job has at most 2^32 points");
    if log_n <= LOG_N_RUN {
        return predict_scalars(&random_scalars(1 << log_n), config);
    }
    let half = predict(LOG_N_RUN - 1, config);
    let whole = predict(LOG_N_RUN, config);
    // Points past the run, in units of its upper half.
    let more = ((1u64 << log_n) - (1 << LOG_N_RUN)) >> (LOG_N_RUN - 1);
    let line = |low: u64, high: u64| high + (high - low) * more;
    Prediction {
        cycles: line(half.cycles, whole.cycles),
        additions: line(half.additions, whole.additions),
        loads: line(half.loads, whole.loads),
        stalls: line(half.stalls, whole.stalls.max(half.stalls)),
        bytes_read: line(half.bytes_read, whole.bytes_read),
        bytes_written: whole.bytes_written,
    }
}

/// Predicts an MSM with these scalars (256-bit, little-endian limbs) and distinct random points.
///
/// # Panics
/// When the configuration has no lane, context, depth or FIFO, or a window above 16 bits.
pub fn predict_scalars(scalars: &[[u64; 4]], config: &Config) -> Prediction {
    assert!(
        (1..=16).contains(&config.window_bits),
        "a digit has 1 to 16 bits"
    );
    let n = scalars.len() as u64;
    let latency = config.memory.latency();
    let schedule = Schedule::new(config.num_ctx);
    let mut writer = Writer::new(config.memory, config.write_bursts, config.write_fifo_beats);
    let mut total = Prediction::default();
    // The job, four beats, its check.
    total.bytes_read += 64;
    let mut cycle = 1 + latency + 4 + 1;

    for first in (0..config.num_windows()).step_by(config.num_lanes) {
        let windows = config.num_lanes.min(config.num_windows() - first);
        // The batch's state, the core's start; then a list entry and the first burst, each with
        // the steps of the segment walker and the request register before it.
        let started = cycle + 3;
        let first_beat = started + 2 * latency + 12;
        let (counts, drained) = batch(scalars, first, windows, first_beat, config, &schedule);
        total.additions += counts.additions;
        total.loads += counts.loads;
        total.stalls += counts.stalls;
        if n > 0 {
            total.bytes_read += 2 * 16 + 96 * n;
        }
        let drained = if n > 0 { drained } else { started };
        cycle = writer.take(
            drained + READ_OUT_START,
            result_beats(windows, config.window_bits),
        ) + 1;
    }
    // The result's list entries came meanwhile; the answers of the last bursts end the job.
    total.bytes_read += 16;
    total.bytes_written = 16 * writer.beats();
    total.cycles = cycle.max(writer.end()) + 3;
    total
}

/// Predicts one batch of `zk_msm_core` alone: streams that never stall, no DMA, no bytes.
///
/// # Panics
/// As [`predict_scalars`].
pub fn predict_core(
    scalars: &[[u64; 4]],
    window: usize,
    num_windows: usize,
    config: &Config,
) -> Prediction {
    let schedule = Schedule::new(config.num_ctx);
    // The start is taken in cycle 0.
    let (counts, drained) = batch(scalars, window, num_windows, 1, config, &schedule);
    Prediction {
        cycles: drained.max(1) + READ_OUT_START + result_beats(num_windows, config.window_bits),
        additions: counts.additions,
        loads: counts.loads,
        stalls: counts.stalls,
        ..Prediction::default()
    }
}

/// Accumulates one batch whose first beat comes in `first_beat`: what the lanes counted, and the
/// cycle in which all rest.
fn batch(
    scalars: &[[u64; 4]],
    first: usize,
    windows: usize,
    first_beat: u64,
    config: &Config,
    schedule: &Schedule,
) -> (LaneCounts, u64) {
    let digits: Vec<Vec<u16>> = (first..first + windows)
        .map(|w| {
            scalars
                .iter()
                .map(|s| digit(s, w as u32, config.window_bits))
                .collect()
        })
        .collect();
    let mut dispatch = Dispatch::new(scalars.len(), config.depth, windows, first_beat);
    let mut port = ReadPort::default();
    let buckets = 1 << config.window_bits;
    let mut lanes: Vec<Lane<'_>> = digits
        .iter()
        .map(|d| Lane::new(d, buckets, config.num_ctx, schedule))
        .collect();

    loop {
        // A lane that moves may make room for points that another one waits for.
        while lanes.iter_mut().any(|lane| lane.look(&mut dispatch)) {}
        // The port serves requests in time order.
        let next = lanes.iter_mut().filter(|l| l.wants_port().is_some());
        match next.min_by_key(|l| l.wants_port()) {
            Some(lane) => lane.take_port(&mut port, &mut dispatch),
            None => break,
        }
    }
    let mut counts = LaneCounts::default();
    for lane in &lanes {
        counts.additions += lane.counts().additions;
        counts.loads += lane.counts().loads;
        counts.stalls += lane.counts().stalls;
    }
    (
        counts,
        lanes.iter().map(Lane::idle_cycle).max().unwrap_or(0),
    )
}

/// Digit of window `w`, `c` bits; bits past the top are zero.
fn digit(scalar: &[u64; 4], w: u32, c: u32) -> u16 {
    let low = w * c;
    let (limb, shift) = ((low / 64) as usize, low % 64);
    let word = |i: usize| scalar.get(i).copied().unwrap_or(0);
    let wide = u128::from(word(limb)) | u128::from(word(limb + 1)) << 64;
    ((wide >> shift) & ((1 << c) - 1)) as u16
}

/// `n` scalars uniform below r from a fixed seed (splitmix64).
fn random_scalars(n: usize) -> Vec<[u64; 4]> {
    let mut state = 0u64;
    let mut next = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let mut draw = || loop {
        let mut scalar = [next(), next(), next(), next()];
        scalar[3] &= (1 << (SCALAR_BITS - 192)) - 1;
        if scalar.iter().rev().lt(R.iter().rev()) {
            break scalar;
        }
    };
    (0..n).map(|_| draw()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_every_window() {
        let scalar = [
            0x0123_4567_89ab_cdef,
            0xfedc_ba98_7654_3210,
            u64::MAX,
            1 << 61,
        ];
        assert_eq!(digit(&scalar, 0, 11), 0x5ef);
        // Bits 55 to 65: nine of the first limb, two of the second.
        assert_eq!(digit(&scalar, 5, 11), 2);
        // Bits 253 to 255 and eight past the top.
        assert_eq!(digit(&scalar, 23, 11), 1);
        assert!(random_scalars(50).iter().all(|s| digit(s, 23, 11) <= 1));
    }

    #[test]
    fn tokens_are_conserved() {
        let config = Config::default();
        let scalars = random_scalars(700);
        let got = predict_scalars(&scalars, &config);
        let tokens = scalars
            .iter()
            .flat_map(|s| (0..24).map(|w| digit(s, w, 11)));
        assert_eq!(
            got.additions + got.loads,
            tokens.filter(|d| *d != 0).count() as u64
        );
        assert_eq!(got.bytes_written, 24 * 2047 * 96);
        assert_eq!(got.bytes_read, 64 + 16 + 3 * (32 + 96 * 700));
    }

    /// Nothing to add: the job is clearing and read-out, a beat a cycle.
    #[test]
    fn an_empty_job_is_its_read_out() {
        let got = predict_scalars(&[], &Config::default());
        assert_eq!((got.additions, got.loads, got.stalls), (0, 0, 0));
        let beats = 24 * 2047 * 6;
        assert!(
            got.cycles > beats && got.cycles < beats + beats / 10,
            "{}",
            got.cycles
        );
    }

    /// The design's target: at most 105 cycles per addition at 2^14, 1.65 s for 2^16 at 100 MHz.
    #[test]
    fn targets_are_met() {
        let config = Config::default();
        let p14 = predict(14, &config);
        assert!(
            p14.cycles_per_addition() < 90.0,
            "{}",
            p14.cycles_per_addition()
        );
        let p16 = predict(16, &config);
        assert!(p16.seconds(100.0) < 1.65, "{}", p16.seconds(100.0));
        // Past the run, each point costs its share of a lane's interval in three batches.
        let p20 = predict(20, &config);
        let per_point = (p20.cycles - p16.cycles) as f64 / ((1u64 << 20) - (1 << 16)) as f64;
        let floor = 3.0 * crate::point_add::steady_interval(2);
        assert!(
            per_point > floor * 0.998 && per_point < floor * 1.02,
            "{per_point}"
        );
    }

    #[test]
    fn all_scalars_equal_is_one_addition_at_a_time() {
        let scalars = vec![random_scalars(1)[0]; 400];
        let got = predict_scalars(&scalars, &Config::default());
        assert!(got.loads <= 24 && got.stalls > 0);
        let alone = Schedule::new(2).latency;
        assert!(got.cycles > 3 * 399 * alone, "{}", got.cycles);
    }
}
