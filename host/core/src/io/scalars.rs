//! Scalars of any readable file.

use zkria_field::bn254::Fr;

use super::codec::{Encoding, decode_scalar};
use super::locator::Locator;
use super::points::raw_count;
use super::source::{Magic, Source, reserve};
use super::{Format, ReadOptions, container, snarkjs};
use crate::{Error, Result};

const RECORD: u64 = 32;
/// Scalars decoded at a time: half a megabyte.
const CHUNK: u64 = 16384;

/// An open file of scalars whose heads and lengths are checked, and whose values are not yet
/// read.
#[derive(Debug)]
pub struct ScalarFile {
    source: Source,
    locator: Locator,
    offset: u64,
    first: u64,
    count: u64,
    encoding: Encoding,
}

impl ScalarFile {
    /// Opens the scalars that `locator` names; `format` serves files without magic.
    ///
    /// # Errors
    /// [`Error::Io`] when the file cannot be read, [`Error::BadInput`] when its head, length or
    /// the range is wrong, [`Error::Usage`] when a section is named.
    pub fn open(locator: &Locator, format: Option<Format>) -> Result<Self> {
        let source = Source::open(&locator.path)?;
        let magic = source.magic()?;
        let (offset, count, encoding) = match magic {
            Magic::Scalars => (
                container::HEAD,
                container::scalars_head(&source)?,
                Encoding::Plain,
            ),
            Magic::Wtns => {
                let (offset, count) = snarkjs::wtns(&source)?;
                (offset, count, Encoding::Plain)
            }
            Magic::Unknown(_) if format.is_some() => {
                let (head, encoding) = match format {
                    Some(Format::Ark) => (8, Encoding::Plain),
                    Some(Format::Gnark) => (4, Encoding::BigEndian),
                    _ => (0, Encoding::BigEndian),
                };
                let count = raw_count(&source, format, RECORD)?;
                container::check_len(&source, head, count, RECORD)?;
                (head, count, encoding)
            }
            other => {
                return Err(source.bad(format!(
                    "offset 0: expected scalars (magic zkriaSC1 or wtns), got {other}{}",
                    other.way_out()
                )));
            }
        };
        if let Some(section) = &locator.section {
            return Err(Error::usage(format!(
                "{}: scalar files have no sections; drop `#{section}` or take a part with \
                 #FROM..TO",
                source.name()
            )));
        }
        let range = locator.select(count, "scalars")?;
        Ok(Self {
            offset: offset + range.start * RECORD,
            first: range.start,
            count: range.end - range.start,
            source,
            locator: locator.clone(),
            encoding,
        })
    }

    /// How many scalars will be read.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Reads every scalar; those not below r are refused, or reduced when asked.
    ///
    /// # Errors
    /// [`Error::BadInput`] naming the first scalar not below r, [`Error::Io`] when reading fails.
    pub fn read(&self, options: ReadOptions<'_>) -> Result<Vec<Fr>> {
        let mut scalars = reserve(self.count, self.locator.to_string(), "scalars")?;
        let mut buf = Vec::new();
        while (scalars.len() as u64) < self.count {
            let done = scalars.len() as u64;
            buf.resize((CHUNK.min(self.count - done) * RECORD) as usize, 0);
            self.source
                .read_at(self.offset + done * RECORD, &mut buf, "scalars")?;
            for bytes in buf.chunks_exact(RECORD as usize) {
                let at = scalars.len() as u64;
                let scalar = decode_scalar(self.encoding, bytes, options.reduce_scalars)
                    .ok_or_else(|| {
                        Error::bad_input(
                            self.locator.to_string(),
                            format!(
                                "scalar {} (offset {}): expected a value below the group order r, \
                                 got one that is not; --reduce-scalars accepts it modulo r",
                                self.first + at,
                                self.offset + at * RECORD
                            ),
                        )
                    })?;
                scalars.push(scalar);
            }
            if let Some(progress) = options.progress {
                progress(scalars.len() as u64, self.count);
            }
        }
        Ok(scalars)
    }
}
