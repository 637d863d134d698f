//! The RTL through Verilator, behind the same driver as the board.

pub mod axi_mem;
mod backend;
pub mod bus;
pub mod dut;
pub mod stream;

pub use backend::{SimOptions, open};
