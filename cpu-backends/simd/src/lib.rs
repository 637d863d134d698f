//! Eight lanes of 64 bits, and field elements on them.
//!
//! [`U64x8`] has two implementations: `ifma` (AVX-512F, IFMA, VBMI2) and `portable`, which does
//! the same to the bit on any CPU. Everything above, [`Lanes`] and the kernels of other crates, is
//! written once over the trait; so what runs on AVX-512 is tested on machines without it too, and
//! only the one-line wrappers of `ifma/u64x8.rs` need the real CPU (`tests/twins.rs`).
//!
//! A kernel is a [`Kernel`] that [`Isa::run`] enters with the CPU's features switched on; the
//! value of [`Ifma`] is the proof that they are there.
//!
//! The bounds behind the lazy arithmetic are derived in `docs/ifma.md`. Oracle: num-bigint in
//! `tests/`.

mod cpu;
#[cfg(target_arch = "x86_64")]
mod ifma;
mod lanes;
mod portable;
mod radix52;
mod u64x8;

pub use cpu::{Choice, choice};
#[cfg(target_arch = "x86_64")]
pub use ifma::{Ifma, IfmaU64x8};
pub use lanes::{Lanes, mul_many};
pub use portable::{Portable, PortableU64x8};
pub use radix52::{Radix52, from_radix52, to_radix52};
pub use u64x8::{Isa, Kernel, U64x8};
