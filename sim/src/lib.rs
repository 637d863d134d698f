//! The RTL through Verilator, behind the same driver as the board.

pub mod axi_mem;
pub mod dut;
pub mod stream;
