//! Small blocks described in rust-hdl, emitted as SystemVerilog and run in the same test bench as
//! the hand-written ones.
//!
//! The emitted files lie in `generated/`, so that nobody needs rust-hdl to simulate them;
//! `tests/hdl_fresh.rs` compares them with a new emission. The feature `rust-hdl` builds this
//! module; no other crate depends on it. What rust-hdl can and cannot do is in
//! `docs/dependencies.md`.

mod emit;
mod fp_addsub;

pub use emit::{Emitted, all, generated_dir};
pub use fp_addsub::FpAddSub;
