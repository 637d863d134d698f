//! Bit-exact, cycle-counted model of the accelerator, one file per RTL block.

pub mod bucket_lane;
pub mod cost;
pub mod dispatch;
pub mod fp_addsub;
pub mod fp_mul;
#[cfg(feature = "rust-hdl")]
pub mod hdl;
pub mod msm_top;
pub mod point_add;
pub mod readout;
pub mod word;
