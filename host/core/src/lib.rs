//! Backend and operation traits, errors, file formats and the tail of an MSM that every
//! accelerator shares.
//!
//! Begin with [`Backend`]: it is what a command asks for and what a new device implements.

mod backend;
mod error;
pub mod gen_msm;
pub mod io;
pub mod msm;

pub use backend::{Backend, BoundMsm, Msm, MsmStats};
pub use error::{Error, Result};
