//! The three parts of a way to the engine.

use std::time::Duration;

use zkria_core::Result;
use zkria_csr::layout::Region;

/// Who is about to read the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The host has written, the engine will read.
    ToDevice,
    /// The engine has written, the host will read.
    FromDevice,
}

/// What the bus may do with the pages of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// One piece of bus addresses (the ring, segment lists).
    Contiguous,
    /// Any pieces: the engine follows segment lists.
    Any,
}

/// The engine page: 32-bit accesses at byte offsets below 4096.
pub trait RegisterSpace: Send {
    /// Reads one register.
    ///
    /// # Errors
    /// When the way to the device is gone.
    fn read32(&mut self, offset: u32) -> Result<u32>;

    /// Writes one register. Every earlier write to a [`DmaBuffer`] of this bus that was synced is
    /// visible to the device before this write is (on arm64 that takes a `dsb` or `dmb oshst`: the
    /// programmable logic is outside the inner-shareable domain).
    ///
    /// # Errors
    /// When the way to the device is gone.
    fn write32(&mut self, offset: u32, value: u32) -> Result<()>;
}

/// Memory that host and engine share. Freed on drop.
///
/// Copies in and out instead of slices: uncached mappings must not be used as ordinary memory.
pub trait DmaBuffer: Send {
    /// Length in bytes.
    fn bytes(&self) -> usize;

    /// The bus addresses, in order; pieces are 64-byte aligned and, all but the last, whole
    /// multiples of 64 bytes. With [`Placement::Contiguous`] there is one.
    fn regions(&self) -> &[Region];

    /// Copies `data` to `offset`.
    ///
    /// # Errors
    /// When the buffer is too short, or the way to the device is gone.
    fn write(&mut self, offset: usize, data: &[u8]) -> Result<()>;

    /// Copies from `offset` to `out`.
    ///
    /// # Errors
    /// When the buffer is too short, or the way to the device is gone.
    fn read(&self, offset: usize, out: &mut [u8]) -> Result<()>;

    /// Hands `len` bytes at `offset` over: cleans or invalidates caches where the memory has any.
    ///
    /// # Errors
    /// When the operating system refuses.
    fn sync(&mut self, offset: usize, len: usize, direction: Direction) -> Result<()>;
}

/// The interrupt line.
pub trait Event: Send {
    /// Waits until the line is active; `false` when `timeout` passed first. A simulation counts
    /// simulated time, at 100 MHz.
    ///
    /// # Errors
    /// When the way to the device is gone.
    fn wait(&mut self, timeout: Duration) -> Result<bool>;

    /// Opens the line again after its cause was cleared in the device.
    ///
    /// # Errors
    /// When the way to the device is gone.
    fn acknowledge(&mut self) -> Result<()>;
}

/// A way to one engine.
pub trait Bus: Send {
    /// The engine page.
    type Registers: RegisterSpace;
    /// Shared memory.
    type Buffer: DmaBuffer;
    /// The interrupt.
    type Event: Event;

    /// The engine page.
    fn registers(&mut self) -> &mut Self::Registers;

    /// The interrupt.
    fn event(&mut self) -> &mut Self::Event;

    /// Allocates shared memory; its content is undefined.
    ///
    /// # Errors
    /// When there is not enough of it.
    fn alloc(&mut self, bytes: usize, placement: Placement) -> Result<Self::Buffer>;

    /// Whether buffers rely on the device snooping the caches. The driver refuses an engine that
    /// says otherwise in CAPS: the mismatch corrupts data silently.
    fn coherent(&self) -> bool {
        false
    }

    /// Whether cycles are simulated, so that their rate is worth reporting.
    fn simulated(&self) -> bool {
        false
    }
}
