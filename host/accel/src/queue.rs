//! What the backend needs from a queue of jobs.

use std::time::Duration;

use zkria_core::Result;
use zkria_csr::Caps;

use crate::bus::DmaBuffer;

/// A part of a buffer: everything from `offset`.
#[derive(Debug)]
pub struct Part<'a, B> {
    /// The buffer.
    pub buffer: &'a B,
    /// First byte, a multiple of 16.
    pub offset: usize,
}

/// One job: bucket sums of some windows of one MSM.
#[derive(Debug)]
pub struct JobSpec<'a, B> {
    /// `n` points as [`crate::encode_points`] writes them.
    pub points: Part<'a, B>,
    /// `n` scalars.
    pub scalars: Part<'a, B>,
    /// Where the buckets go: `zkria_csr::layout::result_bytes` bytes.
    pub result: Part<'a, B>,
    /// Number of points and scalars.
    pub n: usize,
    /// First window.
    pub first_window: u32,
    /// Windows, at least 1.
    pub num_windows: u32,
}

/// A submitted job: its cookie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ticket(pub u64);

/// The engine's counters of the last finished job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Clock cycles from the fetch of the job to its end.
    pub cycles: u64,
    /// Non-zero digits that met a non-empty bucket.
    pub additions: u64,
    /// Non-zero digits that met an empty bucket.
    pub loads: u64,
    /// Cycles in which a lane held a token it could not start, summed over lanes.
    pub stalls: u64,
    /// Bytes read.
    pub bytes_read: u64,
    /// Bytes written.
    pub bytes_written: u64,
}

/// A queue of jobs in front of one engine.
pub trait Queue: Send {
    /// Memory that jobs may name.
    type Buffer: DmaBuffer;

    /// What the engine can do.
    fn caps(&self) -> &Caps;

    /// Allocates memory for jobs.
    ///
    /// # Errors
    /// When there is not enough of it.
    fn alloc(&mut self, bytes: usize) -> Result<Self::Buffer>;

    /// Queues a job. The buffers must live, unchanged, until it has been waited for.
    ///
    /// # Errors
    /// A job beyond the engine's limits or buffers too short for it; no room in the queue.
    fn submit(&mut self, job: &JobSpec<'_, Self::Buffer>) -> Result<Ticket>;

    /// Waits until a job has ended; `timeout` starts again with every interrupt. Each ticket is
    /// waited for once.
    ///
    /// # Errors
    /// [`zkria_core::Error::Device`] when the job failed or did not end; the queue is usable
    /// afterwards unless the message says otherwise.
    fn wait(&mut self, ticket: Ticket, timeout: Duration) -> Result<()>;

    /// The counters of the job that ended last.
    ///
    /// # Errors
    /// When the way to the device is gone.
    fn counters(&mut self) -> Result<Counters>;

    /// See [`crate::Bus::simulated`].
    fn simulated(&self) -> bool {
        false
    }
}
