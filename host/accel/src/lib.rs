//! The driver of the accelerator, generic over the way to it.
//!
//! [`Accel`] is the backend: it encodes bases and scalars, hands out jobs and finishes the sum of
//! the buckets that come back. It talks to a [`Queue`]; [`RingQueue`] is the queue that keeps the
//! job ring in user space, over a [`Bus`] of three parts: registers, DMA memory, interrupt. A board
//! (uio), the Verilated RTL (`zkria-sim`) and the fake engine of the tests differ in their `Bus`
//! only, so what runs on the board has run in simulation through the same code.
//!
//! The register page, jobs and wire layouts are `zkria-csr`; limits (length of an MSM, windows,
//! Montgomery radix, address width) come from the engine's CAPS, never from constants here.
//! Oracle: `tests/` against the portable backend, `sim/tests/system.rs` against golden.

mod accel;
mod bus;
mod encode;
mod failure;
mod queue;
mod ring;

pub use accel::{Accel, Options};
pub use bus::{Bus, Direction, DmaBuffer, Event, Placement, RegisterSpace};
pub use encode::{decode_bucket, encode_points, encode_scalars};
pub use failure::JobFailure;
pub use queue::{Counters, JobSpec, Part, Queue, Ticket};
pub use ring::RingQueue;
