//! Bit-exact, cycle-counted model of the accelerator, one file per RTL block.
pub mod point_add;
pub mod word;
