//! Shared by the tests of the whole engine: inputs in DMA memory, jobs through the driver's queue,
//! and the comparison of every bucket with golden.

#![allow(dead_code, reason = "every test file uses a part of this module")]

use std::time::Duration;

use zkria_accel::{
    Bus, Counters, DmaBuffer, JobSpec, Part, Queue, RingQueue, Ticket, decode_bucket,
    encode_points, encode_scalars,
};
use zkria_core::Result;
use zkria_core::gen_msm::{Kind, generate};
use zkria_field::bn254::{Fp, Fr, G1};
use zkria_field::{Affine, Field, Jacobian, PrimeField};
use zkria_golden::msm::{Digits, bucket_sums_g1};
use zkria_sim::axi_mem::Timing;
use zkria_sim::bus::{BusOptions, SimBuffer, VerilatedBus};

/// Long enough for every job of these tests, in simulated time.
pub(crate) const TIMEOUT: Duration = Duration::from_millis(100);

/// Two lanes, windows of 5 bits, n below 2^12: a job of 3 windows takes some thousand cycles.
pub(crate) const SMALL: &str = "zkria_top_small";

/// A bus with stalls in `stall_percent` of the cycles and buffers in scattered pages.
pub(crate) fn open(top: &str, stall_percent: u32, seed: u64) -> VerilatedBus {
    let options = BusOptions {
        timing: Timing {
            latency_min: 5,
            latency_max: 40,
            stall_percent,
            seed,
        },
        memory_limit: 1 << 30,
        scatter_pages: Some(1),
        register_seed: seed as u32 + 1,
        ..BusOptions::default()
    };
    VerilatedBus::open(top, &options).expect("built with the feature blocks")
}

/// Points and scalars, and what golden says about them.
pub(crate) struct Input {
    pub(crate) points: Vec<Affine<G1>>,
    pub(crate) scalars: Vec<Fr>,
}

impl Input {
    pub(crate) fn new(kind: Kind, n: usize, seed: u64) -> Self {
        let (points, scalars) = generate::<G1>(kind, n, seed);
        Self { points, scalars }
    }

    /// Golden's bucket sums, per window of `c` bits.
    pub(crate) fn buckets(&self, c: u32) -> Vec<Vec<[u8; 64]>> {
        let points: Vec<[u8; 64]> = self
            .points
            .iter()
            .map(|p| p.to_bytes_le().try_into().expect("64 bytes"))
            .collect();
        let scalars: Vec<[u8; 32]> = self
            .scalars
            .iter()
            .map(|s| {
                let mut bytes = [0; 32];
                s.write_bytes_le(&mut bytes);
                bytes
            })
            .collect();
        bucket_sums_g1(&points, &scalars, c, Digits::Unsigned).expect("sound input")
    }

    /// Additions and loads that the windows `first..first + count` take: every non-zero digit of
    /// a finite point meets a bucket that is empty or not.
    pub(crate) fn work(&self, c: u32, first: u32, count: u32) -> (u64, u64) {
        let (mut additions, mut loads) = (0, 0);
        for window in first..first + count {
            let mut buckets = vec![Jacobian::<G1>::INFINITY; 1 << c];
            for (point, scalar) in self.points.iter().zip(&self.scalars) {
                let digit = digit(scalar, window * c, c);
                if digit == 0 || point.is_infinity() {
                    continue;
                }
                let bucket = &mut buckets[digit];
                // A bucket that cancelled is empty again.
                if bucket.z.is_zero() {
                    loads += 1;
                } else {
                    additions += 1;
                }
                *bucket = bucket.add_mixed(point);
            }
        }
        (additions, loads)
    }
}

/// `bits` bits of a scalar from bit `from`.
fn digit(scalar: &Fr, from: u32, bits: u32) -> usize {
    let limbs = scalar.to_limbs();
    let bit = |i: u32| {
        limbs
            .get(i as usize / 64)
            .map_or(0, |limb| limb >> (i % 64) & 1)
    };
    (0..bits).map(|i| (bit(from + i) as usize) << i).sum()
}

/// An input in DMA memory with room for a result.
pub(crate) struct Placed {
    pub(crate) points: SimBuffer,
    pub(crate) scalars: SimBuffer,
    pub(crate) result: SimBuffer,
    n: usize,
    first_window: u32,
    num_windows: u32,
}

impl Placed {
    pub(crate) fn new(
        queue: &mut RingQueue<VerilatedBus>,
        input: &Input,
        first_window: u32,
        num_windows: u32,
    ) -> Self {
        let log2_r = queue.caps().log2_r;
        let bytes = zkria_csr::layout::result_bytes(queue.caps(), num_windows);
        let mut place = |data: &[u8]| {
            let mut buffer = queue.alloc(data.len().max(1)).expect("room");
            buffer.write(0, data).expect("in bounds");
            buffer
        };
        Self {
            points: place(&encode_points(&input.points, log2_r)),
            scalars: place(&encode_scalars(&input.scalars)),
            result: place(&vec![0xff; bytes]),
            n: input.points.len(),
            first_window,
            num_windows,
        }
    }

    pub(crate) fn submit(&self, queue: &mut RingQueue<VerilatedBus>) -> Result<Ticket> {
        let part = |buffer| Part { buffer, offset: 0 };
        queue.submit(&JobSpec {
            points: part(&self.points),
            scalars: part(&self.scalars),
            result: part(&self.result),
            n: self.n,
            first_window: self.first_window,
            num_windows: self.num_windows,
        })
    }

    pub(crate) fn run(&self, queue: &mut RingQueue<VerilatedBus>) -> Result<Counters> {
        let ticket = self.submit(queue)?;
        queue.wait(ticket, TIMEOUT)?;
        queue.counters()
    }

    /// Every bucket against golden's `expected` (all windows).
    pub(crate) fn check(
        &self,
        queue: &mut RingQueue<VerilatedBus>,
        expected: &[Vec<[u8; 64]>],
        what: &str,
    ) {
        let caps = *queue.caps();
        let radix = Fp::from(2).pow(&[u64::from(caps.log2_r)]);
        let unscale = radix.inverse().expect("not zero");
        let mut bytes = vec![0; self.result.bytes()];
        self.result.read(0, &mut bytes).expect("in bounds");
        let (raw, _) = bytes.as_chunks::<96>();
        let points: Vec<_> = raw
            .iter()
            .enumerate()
            .map(|(i, b)| {
                decode_bucket(b, unscale).unwrap_or_else(|e| panic!("{what}: slot {i}: {e}"))
            })
            .collect();
        let affine = Jacobian::batch_to_affine(&points);
        let windows = self.first_window as usize..(self.first_window + self.num_windows) as usize;
        // A window beyond golden's is empty: no scalar below r reaches it.
        let empty = vec![[0; 64]; caps.buckets()];
        for (got, window) in affine.chunks_exact(caps.buckets()).zip(windows) {
            let wanted = expected.get(window).unwrap_or(&empty);
            for (digit, (got, wanted)) in got.iter().zip(wanted).enumerate() {
                assert_eq!(
                    got.to_bytes_le(),
                    wanted,
                    "{what}: window {window}, bucket {}",
                    digit + 1
                );
            }
        }
    }
}

/// A queue on a fresh small engine.
pub(crate) fn queue(stall_percent: u32, seed: u64) -> (VerilatedBus, RingQueue<VerilatedBus>) {
    let bus = open(SMALL, stall_percent, seed);
    let queue = RingQueue::open(bus.clone()).expect("the engine answers");
    (bus, queue)
}

/// Whether the engine has forgotten every transfer, and the driver every buffer but its ring.
pub(crate) fn assert_quiet(bus: &VerilatedBus) {
    assert!(bus.sim().expect("sound").idle(), "a transfer is under way");
}

/// A register, read as the driver would.
pub(crate) fn read32(bus: &VerilatedBus, offset: u32) -> u32 {
    use zkria_accel::RegisterSpace;
    bus.clone().registers().read32(offset).expect("answers")
}

/// A register, written as the driver would.
pub(crate) fn write32(bus: &VerilatedBus, offset: u32, value: u32) {
    use zkria_accel::RegisterSpace;
    bus.clone()
        .registers()
        .write32(offset, value)
        .expect("answers");
}
