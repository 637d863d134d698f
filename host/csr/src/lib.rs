//! The one description of registers, descriptors and wire layouts, generated for Rust,
//! SystemVerilog and C.
//!
//! `registers.toml` is the source. [`regs`] (here), `rtl/pkg/zk_csr_pkg.sv` and
//! `kernel-module/zkria_csr.h` are generated from it and checked in; `tests/fresh.rs` fails when
//! one is stale. [`layout`] adds what sizes follow from the shape of the engine: points, scalars
//! and bucket dumps. Source of the layout: the job and segment tables in `registers.toml`.

pub mod caps;
mod field;
#[cfg(feature = "generate")]
pub mod generate;
pub mod layout;
pub mod regs;

pub use caps::Caps;
pub use field::Field;
