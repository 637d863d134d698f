//! The RTL through Verilator, behind the same driver as the board.

// Verilator's waveform writer calls them from C++; without a mention they are not linked.
#[cfg(feature = "trace")]
use {libz_sys as _, lz4_sys as _};

pub mod axi_mem;
mod backend;
pub mod bus;
pub mod dut;
pub mod stream;

pub use backend::{SimOptions, open};
