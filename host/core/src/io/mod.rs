//! Files: points and scalars in, points and scalars out.
//!
//! This is the only place where outside data becomes typed data, so every check stands here:
//! lengths before any allocation (64-bit, checked arithmetic), canonical coordinates, curve,
//! subgroup, scalars below r. What comes out is trusted by everything behind it.
//!
//! | file | told apart by | points | scalars |
//! | --- | --- | --- | --- |
//! | own containers | magic `zkriaPT1`, `zkriaSC1` | yes | yes |
//! | snarkjs `.zkey`, `.ptau` | magic `zkey`, `ptau`; the section after `#` | yes | |
//! | snarkjs `.wtns` | magic `wtns` | | yes |
//! | arkworks uncompressed vector | [`Format::Ark`] | yes | yes |
//! | gnark raw slice | [`Format::Gnark`] | yes | yes |
//! | EIP-197 | [`Format::Eip`] | yes | yes |
//!
//! Files are read in chunks of at most a megabyte, never mapped: a file that another process
//! cuts short is then an error and not a signal.

mod atomic;
mod codec;
mod container;
mod locator;
mod points;
mod scalars;
mod sections;
mod snarkjs;
mod source;

#[cfg(test)]
mod testfile;
#[cfg(test)]
mod tests;

pub use atomic::{remove_staged, stage_folder, write_files};
pub use codec::{Coordinates, FileGroup, GroupKind};
pub use container::{encode_points, encode_scalars, write_points, write_scalars};
pub use locator::Locator;
pub use points::PointFile;
pub use scalars::ScalarFile;

/// Formats without a magic, to be named by the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// arkworks `Vec<Affine>` or `Vec<Fr>`, `serialize_uncompressed`: u64 count, little-endian
    /// coordinates, flags in the last byte.
    Ark,
    /// gnark-crypto slice, raw: u32 big-endian count, big-endian coordinates, G2 imaginary first.
    Gnark,
    /// EIP-196/197: no count, big-endian coordinates, G2 imaginary first.
    Eip,
}

/// How to read a file.
#[derive(Clone, Copy, Default)]
pub struct ReadOptions<'a> {
    /// Skip the subgroup check of points. Canonical form and curve are always checked.
    pub trust_points: bool,
    /// Reduce scalars modulo r instead of refusing those not below it.
    pub reduce_scalars: bool,
    /// Called with (records done, records in all) as work proceeds.
    pub progress: Option<&'a dyn Fn(u64, u64)>,
}

impl std::fmt::Debug for ReadOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReadOptions")
            .field("trust_points", &self.trust_points)
            .field("reduce_scalars", &self.reduce_scalars)
            .field("progress", &self.progress.is_some())
            .finish()
    }
}
