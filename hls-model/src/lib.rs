//! Bit-exact, cycle-counted model of the accelerator, one file per RTL block.

pub mod fp_addsub;
pub mod fp_mul;
pub mod point_add;
pub mod word;
