//! The backend: MSM over BN254 G1 on the engine.

use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use zkria_core::{Backend, BoundMsm, Error, Msm, MsmStats, Result, msm};
use zkria_csr::Caps;
use zkria_csr::layout::{self, BUCKET_BYTES, POINT_BYTES, SCALAR_BYTES};
use zkria_field::bn254::{Fp, Fr, G1};
use zkria_field::{Affine, Field, Jacobian};

use crate::bus::{Direction, DmaBuffer};
use crate::encode::{decode_bucket, encode_points, encode_scalars};
use crate::queue::{JobSpec, Part, Queue};
use crate::ring::too_long;

/// Points or scalars converted at a time, so that no second copy of everything is needed.
const CHUNK: usize = 4096;

/// What a caller may choose.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// How long one job may take without an interrupt; `None`: ten times what its size needs in
    /// the worst case at 100 MHz.
    pub timeout: Option<Duration>,
}

/// The accelerator as a backend. Jobs of several threads run one after the other.
pub struct Accel<Q: Queue> {
    name: &'static str,
    caps: Caps,
    options: Options,
    state: Mutex<State<Q>>,
}

struct State<Q: Queue> {
    queue: Q,
    /// Buffers that every job reuses, grown when needed.
    scalars: Option<Q::Buffer>,
    result: Option<Q::Buffer>,
}

impl<Q: Queue> Accel<Q> {
    /// A backend called `name` on `queue`.
    pub fn new(name: &'static str, queue: Q, options: Options) -> Self {
        Self {
            name,
            caps: *queue.caps(),
            options,
            state: Mutex::new(State {
                queue,
                scalars: None,
                result: None,
            }),
        }
    }

    /// What the engine can do.
    pub fn caps(&self) -> &Caps {
        &self.caps
    }

    fn lock(&self) -> Result<MutexGuard<'_, State<Q>>> {
        self.state.lock().map_err(|_| {
            Error::device(
                "an earlier job on this device panicked",
                "open the device again",
            )
        })
    }

    /// Windows that scalars below r can reach.
    fn windows(&self) -> u32 {
        self.caps.windows_for_bits(254)
    }

    /// Time for a job whose every addition waits for the one before it.
    fn timeout(&self, n: usize) -> Duration {
        self.options.timeout.unwrap_or_else(|| {
            let passes = u64::from(self.windows().div_ceil(self.caps.lanes));
            let read_out = self.caps.buckets() as u64 * 6 * u64::from(self.caps.lanes);
            let cycles = passes * (n as u64 * 2000 + read_out) + 100_000;
            Duration::from_nanos(10 * 10 * cycles)
        })
    }
}

impl<Q: Queue> Backend for Accel<Q>
where
    Q::Buffer: 'static,
{
    fn name(&self) -> &'static str {
        self.name
    }

    fn msm_bn254_g1(&self) -> Option<&dyn Msm<G1>> {
        Some(self)
    }
}

impl<Q: Queue> Msm<G1> for Accel<Q>
where
    Q::Buffer: 'static,
{
    fn bind<'a>(&'a self, bases: &[Affine<G1>]) -> Result<Box<dyn BoundMsm<G1> + 'a>> {
        if bases.len() as u64 >= 1 << self.caps.count_width {
            return Err(too_long(bases.len(), &self.caps));
        }
        let mut points = self
            .lock()?
            .queue
            .alloc((bases.len() * POINT_BYTES).max(1))?;
        for (i, chunk) in bases.chunks(CHUNK).enumerate() {
            let bytes = encode_points(chunk, self.caps.log2_r);
            points.write(i * CHUNK * POINT_BYTES, &bytes)?;
        }
        points.sync(0, bases.len() * POINT_BYTES, Direction::ToDevice)?;
        let radix = Fp::from(2).pow(&[u64::from(self.caps.log2_r)]);
        let unscale = radix
            .inverse()
            .expect("a power of two is not zero modulo an odd prime");
        Ok(Box::new(Bound {
            accel: self,
            points,
            n: bases.len(),
            unscale,
            stats: None,
        }))
    }
}

/// Bases in DMA memory, in the engine's form.
struct Bound<'a, Q: Queue> {
    accel: &'a Accel<Q>,
    points: Q::Buffer,
    n: usize,
    unscale: Fp,
    stats: Option<MsmStats>,
}

impl<Q: Queue> BoundMsm<G1> for Bound<'_, Q>
where
    Q::Buffer: 'static,
{
    fn run(&mut self, scalars: &[Fr]) -> Result<Affine<G1>> {
        if scalars.len() != self.n {
            return Err(Error::length("scalars", self.n, scalars.len()));
        }
        self.stats = None;
        if self.n == 0 {
            self.stats = Some(MsmStats::default());
            return Ok(Affine::INFINITY);
        }
        let windows = self.accel.windows();
        let buckets = self.run_job(scalars, windows)?;
        Ok(msm::combine(&buckets, self.accel.caps.window_bits))
    }

    fn stats(&self) -> Option<MsmStats> {
        self.stats
    }
}

impl<Q: Queue> Bound<'_, Q> {
    /// One job; the buckets of each window.
    fn run_job(&mut self, scalars: &[Fr], windows: u32) -> Result<Vec<Vec<Jacobian<G1>>>> {
        let caps = &self.accel.caps;
        let mut state = self.accel.lock()?;
        let State {
            queue,
            scalars: scalar_slot,
            result: result_slot,
        } = &mut *state;
        let scalar_buffer = at_least(queue, scalar_slot, self.n * SCALAR_BYTES)?;
        for (i, chunk) in scalars.chunks(CHUNK).enumerate() {
            scalar_buffer.write(i * CHUNK * SCALAR_BYTES, &encode_scalars(chunk))?;
        }
        scalar_buffer.sync(0, self.n * SCALAR_BYTES, Direction::ToDevice)?;
        let bytes = layout::result_bytes(caps, windows);
        let result = at_least(queue, result_slot, bytes)?;
        // No engine writes this, so a window that was never written cannot pass for a result.
        let window_bytes = caps.buckets() * BUCKET_BYTES;
        for window in 0..windows as usize {
            result.write(window * window_bytes, &[0xff; BUCKET_BYTES])?;
            result.write(
                (window + 1) * window_bytes - BUCKET_BYTES,
                &[0xff; BUCKET_BYTES],
            )?;
        }
        result.sync(0, bytes, Direction::ToDevice)?;

        let started = Instant::now();
        let ticket = queue.submit(&JobSpec {
            points: Part {
                buffer: &self.points,
                offset: 0,
            },
            scalars: Part {
                buffer: scalar_buffer,
                offset: 0,
            },
            result: Part {
                buffer: result,
                offset: 0,
            },
            n: self.n,
            first_window: 0,
            num_windows: windows,
        })?;
        queue.wait(ticket, self.accel.timeout(self.n))?;
        let seconds = started.elapsed().as_secs_f64();

        let counters = queue.counters()?;
        let stats = MsmStats {
            cycles: counters.cycles,
            additions: counters.additions,
            loads: counters.loads,
            stalls: counters.stalls,
            bytes_read: counters.bytes_read,
            bytes_written: counters.bytes_written,
            khz: queue
                .simulated()
                .then(|| counters.cycles as f64 / seconds / 1e3),
        };

        result.sync(0, bytes, Direction::FromDevice)?;
        let mut raw = vec![0; window_bytes];
        let buckets: Result<Vec<_>> = (0..windows as usize)
            .map(|window| {
                result.read(window * window_bytes, &mut raw)?;
                self.decode_window(window, &raw)
            })
            .collect();
        let buckets = buckets?;
        // Only a sound result has statistics.
        self.stats = Some(stats);
        Ok(buckets)
    }

    fn decode_window(&self, window: usize, raw: &[u8]) -> Result<Vec<Jacobian<G1>>> {
        let (buckets, _) = raw.as_chunks::<BUCKET_BYTES>();
        let decode = |(i, bytes)| {
            decode_bucket(bytes, self.unscale).map_err(|error| match error {
                Error::Device { what, cure } => {
                    Error::device(format!("window {window}, bucket {}: {what}", i + 1), cure)
                }
                other => other,
            })
        };
        buckets.iter().enumerate().map(decode).collect()
    }
}

/// The buffer in `slot`, replaced when it is shorter than `bytes`.
fn at_least<'a, Q: Queue>(
    queue: &mut Q,
    slot: &'a mut Option<Q::Buffer>,
    bytes: usize,
) -> Result<&'a mut Q::Buffer> {
    if slot.as_ref().is_none_or(|buffer| buffer.bytes() < bytes) {
        // The old one goes first: memory may be short.
        *slot = None;
        *slot = Some(queue.alloc(bytes)?);
    }
    Ok(slot.as_mut().expect("filled above"))
}
