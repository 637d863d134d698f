//! Points of any readable file.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use zkria_field::Affine;

use super::codec::{Encoding, FileGroup, GroupKind, decode_point};
use super::locator::Locator;
use super::source::{Magic, Source, reserve};
use super::{Format, ReadOptions, container, snarkjs};
use crate::{Error, Result};

/// Points decoded at a time: a megabyte of G2.
const CHUNK: u64 = 8192;

/// Where points lie in a file. The file is known to be long enough.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) offset: u64,
    pub(super) count: u64,
    /// `None` where the file does not tell.
    pub(super) group: Option<GroupKind>,
    pub(super) encoding: Encoding,
}

/// An open file of points whose heads and lengths are checked, and whose points are not yet read.
#[derive(Debug)]
pub struct PointFile {
    source: Source,
    locator: Locator,
    span: Span,
    /// Index in the file of the first point that is read.
    first: u64,
}

impl PointFile {
    /// Opens the points that `locator` names. `format` and `group` serve files that do not tell
    /// what they are.
    ///
    /// # Errors
    /// [`Error::Io`] when the file cannot be read, [`Error::BadInput`] when its head or length is
    /// wrong, [`Error::Usage`] when a section is missing or unknown, or `group` is another than
    /// the file's.
    pub fn open(
        locator: &Locator,
        format: Option<Format>,
        group: Option<GroupKind>,
    ) -> Result<Self> {
        let source = Source::open(&locator.path)?;
        let magic = source.magic()?;
        let sectioned = matches!(magic, Magic::Zkey | Magic::Ptau);
        let span = match magic {
            Magic::Points => container_span(&source)?,
            Magic::Zkey => snarkjs::zkey(&source, locator)?,
            Magic::Ptau => snarkjs::ptau(&source, locator)?,
            Magic::Unknown(_) if format.is_some() => {
                raw_points(&source, format, group.unwrap_or(GroupKind::G1))?
            }
            other => {
                return Err(source.bad(format!(
                    "offset 0: expected points (magic zkriaPT1, zkey or ptau), got {other}{}",
                    other.way_out()
                )));
            }
        };
        if let (false, Some(section)) = (sectioned, &locator.section) {
            return Err(Error::usage(format!(
                "{}: only zkey and ptau files have sections; drop `#{section}`",
                source.name()
            )));
        }
        if let (Some(asked), Some(found)) = (group, span.group)
            && asked != found
        {
            return Err(Error::usage(format!(
                "{locator}: --group {} was asked for, the file holds {} points",
                asked.name(),
                found.name()
            )));
        }
        let range = locator.select(span.count, "points")?;
        let record = span.group.or(group).unwrap_or(GroupKind::G1).record();
        let span = Span {
            offset: span.offset + range.start * record,
            count: range.end - range.start,
            ..span
        };
        Ok(Self {
            source,
            locator: locator.clone(),
            span,
            first: range.start,
        })
    }

    /// The group of the points, where the file tells.
    #[must_use]
    pub fn group(&self) -> Option<GroupKind> {
        self.span.group
    }

    /// How many points will be read.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.span.count
    }

    /// Reads and checks every point: canonical, on the curve, in the subgroup.
    ///
    /// Works on the caller's rayon pool.
    ///
    /// # Errors
    /// [`Error::BadInput`] naming the first bad point, [`Error::Io`] when reading fails,
    /// [`Error::Usage`] when `G` is not the group of the file.
    pub fn read<G: FileGroup>(&self, options: ReadOptions<'_>) -> Result<Vec<Affine<G>>> {
        if self.span.group.is_some_and(|group| group != G::KIND) {
            return Err(Error::usage(format!(
                "{}: the file does not hold {} points",
                self.locator,
                G::KIND.name()
            )));
        }
        let record = G::KIND.record();
        let total = self.span.count;
        let mut points = reserve(total, self.locator.to_string(), "points")?;
        points.resize(total as usize, Affine::<G>::INFINITY);
        let mut buf = Vec::new();
        for (chunk, out) in (0..).zip(points.chunks_mut(CHUNK as usize)) {
            let first = chunk * CHUNK;
            buf.resize(out.len() * record as usize, 0);
            self.source
                .read_at(self.span.offset + first * record, &mut buf, "points")?;
            // The least bad index, whatever the threads do.
            let bad = AtomicUsize::new(usize::MAX);
            let decode =
                |bytes: &[u8]| decode_point(self.span.encoding, bytes, !options.trust_points);
            out.par_iter_mut()
                .zip(buf.par_chunks_exact(record as usize))
                .enumerate()
                .with_min_len(64)
                .for_each(|(i, (to, bytes))| match decode(bytes) {
                    Ok(point) => *to = point,
                    Err(_) => {
                        bad.fetch_min(i, Ordering::Relaxed);
                    }
                });
            let bad = bad.into_inner();
            if let Some(bytes) = buf.chunks_exact(record as usize).nth(bad)
                && let Err(fault) = decode(bytes)
            {
                let at = first + bad as u64;
                return Err(Error::bad_input(
                    self.locator.to_string(),
                    format!(
                        "point {} (offset {}): {fault}",
                        self.first + at,
                        self.span.offset + at * record
                    ),
                ));
            }
            if let Some(progress) = options.progress {
                progress(first + out.len() as u64, total);
            }
        }
        Ok(points)
    }
}

/// The span of a container of ours.
fn container_span(source: &Source) -> Result<Span> {
    let (group, count) = container::points_head(source)?;
    Ok(Span {
        offset: container::HEAD,
        count,
        group: Some(group),
        encoding: Encoding::Plain,
    })
}

/// The span of a file without magic.
fn raw_points(source: &Source, format: Option<Format>, group: GroupKind) -> Result<Span> {
    let record = group.record();
    let (offset, encoding) = match format {
        Some(Format::Ark) => (8, Encoding::Ark),
        Some(Format::Gnark) => (4, Encoding::BigEndian),
        _ => (0, Encoding::BigEndian),
    };
    let count = raw_count(source, format, record)?;
    container::check_len(source, offset, count, record)?;
    Ok(Span {
        offset,
        count,
        group: None,
        encoding,
    })
}

/// The count of a file without magic, from its head or its length.
pub(super) fn raw_count(source: &Source, format: Option<Format>, record: u64) -> Result<u64> {
    Ok(match format {
        Some(Format::Ark) => source.u64_le(0, "count")?,
        Some(Format::Gnark) => u64::from(u32::from_be_bytes(source.array(0, "count")?)),
        _ => source.len() / record,
    })
}
