//! One module a command.

pub mod bench;
pub mod completions;
pub mod devices;
pub mod gen_msm;
pub mod model;
pub mod msm;
