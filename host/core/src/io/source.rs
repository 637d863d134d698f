//! A regular file of known length, read at 64-bit offsets.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// An empty vector with room for `count` records of a file that was seen to hold them.
///
/// # Errors
/// [`Error::Unavailable`] when the memory is not there.
pub(super) fn reserve<T>(count: u64, name: String, what: &str) -> Result<Vec<T>> {
    let mut out = Vec::new();
    let room = usize::try_from(count).map_or(Err(()), |n| out.try_reserve_exact(n).map_err(|_| ()));
    room.map_err(|()| {
        let mib = count.saturating_mul(size_of::<T>() as u64) >> 20;
        Error::unavailable(
            format!("{name}: not enough memory for {count} {what} ({mib} MiB)"),
            "take a part of the file with #FROM..TO",
        )
    })?;
    Ok(out)
}

/// An open input file. Every read is checked against the length taken at opening.
#[derive(Debug)]
pub(super) struct Source {
    file: File,
    path: PathBuf,
    len: u64,
}

impl Source {
    /// Opens `path`; an empty file is refused, for no format has one.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let fail = |source| Error::io(path, source);
        // Before opening: a pipe that nobody writes would be waited for.
        let meta = fs::metadata(path).map_err(fail)?;
        if meta.is_dir() {
            return Err(fail(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        if !meta.is_file() {
            return Err(Error::bad_input(
                path.display().to_string(),
                "expected a regular file, got a pipe or device; write the data to a file first",
            ));
        }
        if meta.len() == 0 {
            return Err(Error::bad_input(
                path.display().to_string(),
                "offset 0: the file is empty, expected a header and records",
            ));
        }
        let file = File::open(path).map_err(fail)?;
        Ok(Self {
            len: file.metadata().map_err(fail)?.len(),
            file,
            path: path.to_owned(),
        })
    }

    pub(super) fn len(&self) -> u64 {
        self.len
    }

    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Fills `buf` from `offset`. `field` names what is being read, for the message.
    pub(super) fn read_at(&self, offset: u64, buf: &mut [u8], field: &str) -> Result<()> {
        let want = buf.len() as u64;
        let left = self.len.saturating_sub(offset);
        if left < want {
            return Err(Error::bad_input(
                self.name(),
                format!(
                    "offset {offset}: {field} needs {want} bytes, {left} are left; the file is \
                     truncated"
                ),
            ));
        }
        let mut file = &self.file;
        file.seek(SeekFrom::Start(offset))
            .and_then(|_| file.read_exact(buf))
            .map_err(|source| Error::io(&self.path, source))
    }

    /// An array of `N` bytes at `offset`.
    pub(super) fn array<const N: usize>(&self, offset: u64, field: &str) -> Result<[u8; N]> {
        let mut out = [0; N];
        self.read_at(offset, &mut out, field)?;
        Ok(out)
    }

    /// A little-endian u32 at `offset`.
    pub(super) fn u32_le(&self, offset: u64, field: &str) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array(offset, field)?))
    }

    /// A little-endian u64 at `offset`.
    pub(super) fn u64_le(&self, offset: u64, field: &str) -> Result<u64> {
        Ok(u64::from_le_bytes(self.array(offset, field)?))
    }

    /// A [`Error::BadInput`] about this file.
    pub(super) fn bad(&self, what: impl Into<String>) -> Error {
        Error::bad_input(self.name(), what)
    }

    /// The first bytes, at most eight, as they tell formats apart.
    pub(super) fn magic(&self) -> Result<Magic> {
        let mut first = [0; 8];
        let n = self.len.min(8) as usize;
        self.read_at(0, &mut first[..n], "magic")?;
        Ok(match (&first, &first[..4]) {
            (b"zkriaPT1", _) => Magic::Points,
            (b"zkriaSC1", _) => Magic::Scalars,
            (b"zkriaFE1", _) => Magic::Elements,
            (_, b"zkey") => Magic::Zkey,
            (_, b"ptau") => Magic::Ptau,
            (_, b"wtns") => Magic::Wtns,
            (_, b"r1cs") => Magic::R1cs,
            _ => Magic::Unknown(first[..n].to_vec()),
        })
    }
}

/// What the first bytes of a file say it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Magic {
    Points,
    Scalars,
    Elements,
    Zkey,
    Ptau,
    Wtns,
    R1cs,
    Unknown(Vec<u8>),
}

impl Magic {
    /// What to do about a file that is not what was expected.
    pub(super) fn way_out(&self) -> &'static str {
        match self {
            Self::Unknown(_) => "; name a format without magic with --format ark|gnark|eip",
            _ => "",
        }
    }
}

impl std::fmt::Display for Magic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Points => "a point container (zkriaPT1)",
            Self::Scalars => "a scalar container (zkriaSC1)",
            Self::Elements => "a field element container (zkriaFE1)",
            Self::Zkey => "a snarkjs zkey",
            Self::Ptau => "a snarkjs ptau",
            Self::Wtns => "a snarkjs witness (wtns)",
            Self::R1cs => "a circom r1cs",
            Self::Unknown(bytes) => return write!(f, "magic \"{}\"", bytes.escape_ascii()),
        })
    }
}
