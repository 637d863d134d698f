//! Slow, obvious oracle over arkworks and num-bigint: bytes in, bytes out, none of zkria's arithmetic.
//!
//! Everything else in the repository is checked against this crate, so it depends on nothing of
//! ours and states each algorithm in its shortest form. Start with [`fp`] (big-integer field
//! arithmetic), then [`curve`] (G1 and G2), then [`msm`]. [`vectors`] makes the known answers in
//! `golden/vectors/`.

mod codec;
mod error;

pub mod curve;
pub mod fp;
pub mod msm;
pub mod vectors;

pub use error::Error;

/// A point of G1: x then y, 32 little-endian canonical bytes each; infinity is all zero.
pub type G1Bytes = [u8; 64];
/// A point of G2: x.c0, x.c1, y.c0, y.c1, 32 little-endian canonical bytes each; infinity is all zero.
pub type G2Bytes = [u8; 128];
/// A scalar: 32 little-endian bytes; below r wherever the function does not say otherwise.
pub type ScalarBytes = [u8; 32];
