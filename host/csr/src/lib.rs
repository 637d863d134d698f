//! The one description of registers, descriptors and wire layouts, generated for Rust, SystemVerilog and C.
