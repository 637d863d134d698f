//! zkria's own containers: a 32-byte head, then canonical little-endian records.

use std::path::Path;

use zkria_field::{Affine, Field};

use super::atomic::write_files;
use super::codec::{FileGroup, GroupKind};
use super::source::Source;
use crate::Result;

pub(super) const HEAD: u64 = 32;
pub(super) const POINTS: &[u8; 8] = b"zkriaPT1";
pub(super) const SCALARS: &[u8; 8] = b"zkriaSC1";
const BN254: u32 = 1;
const KIND_SCALAR: u32 = 3;

fn head(magic: &[u8; 8], kind: u32, count: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(HEAD as usize);
    out.extend(magic);
    out.extend(BN254.to_le_bytes());
    out.extend(kind.to_le_bytes());
    out.extend((count as u64).to_le_bytes());
    out.extend(0u64.to_le_bytes());
    out
}

/// The bytes of a point container.
#[must_use]
pub fn encode_points<G: FileGroup>(points: &[Affine<G>]) -> Vec<u8> {
    let mut out = head(POINTS, G::KIND.id(), points.len());
    let record = G::KIND.record() as usize;
    out.resize(HEAD as usize + record * points.len(), 0);
    for (to, point) in out[HEAD as usize..].chunks_exact_mut(record).zip(points) {
        let (x, y) = to.split_at_mut(record / 2);
        point.x.write_bytes_le(x);
        point.y.write_bytes_le(y);
    }
    out
}

/// The bytes of a scalar container.
#[must_use]
pub fn encode_scalars<G: FileGroup>(scalars: &[G::Scalar]) -> Vec<u8> {
    let mut out = head(SCALARS, KIND_SCALAR, scalars.len());
    let record = G::Scalar::BYTES;
    out.resize(HEAD as usize + record * scalars.len(), 0);
    for (to, scalar) in out[HEAD as usize..].chunks_exact_mut(record).zip(scalars) {
        scalar.write_bytes_le(to);
    }
    out
}

/// Writes a point container, whole or not at all.
///
/// # Errors
/// [`crate::Error::Io`]; what stood at `path` is then untouched.
pub fn write_points<G: FileGroup>(path: &Path, points: &[Affine<G>]) -> Result<()> {
    write_files(&[(path, &encode_points(points))])
}

/// Writes a scalar container, whole or not at all.
///
/// # Errors
/// [`crate::Error::Io`]; what stood at `path` is then untouched.
pub fn write_scalars<G: FileGroup>(path: &Path, scalars: &[G::Scalar]) -> Result<()> {
    write_files(&[(path, &encode_scalars::<G>(scalars))])
}

/// Checks the head of a container whose magic has been seen.
fn check_head(source: &Source) -> Result<(u32, u64)> {
    let curve = source.u32_le(8, "curve id")?;
    if curve != BN254 {
        let came = match curve {
            2 => "2 (bls12-381, not supported by this version)".to_owned(),
            other => other.to_string(),
        };
        return Err(source.bad(format!(
            "offset 8: curve id: expected 1 (bn254), got {came}"
        )));
    }
    let kind = source.u32_le(12, "kind")?;
    let count = source.u64_le(16, "count")?;
    let zero = source.u64_le(24, "reserved field")?;
    if zero != 0 {
        return Err(source.bad(format!("offset 24: reserved field: expected 0, got {zero}")));
    }
    Ok((kind, count))
}

/// Checks that a file of `count` records after `head` bytes has exactly the length it should.
pub(super) fn check_len(source: &Source, head: u64, count: u64, record: u64) -> Result<()> {
    let len = source.len();
    match count.checked_mul(record).and_then(|n| n.checked_add(head)) {
        Some(expected) if expected == len => Ok(()),
        Some(expected) => Err(source.bad(format!(
            "length: {count} records of {record} bytes make a file of {expected} bytes, got {len}; \
             the file is {}",
            if len < expected {
                "truncated"
            } else {
                "padded"
            }
        ))),
        None => Err(source.bad(format!(
            "count: {count} records of {record} bytes are more than any file holds (this one has \
             {len} bytes); the file is damaged"
        ))),
    }
}

/// Group and number of points of a point container.
pub(super) fn points_head(source: &Source) -> Result<(GroupKind, u64)> {
    let (kind, count) = check_head(source)?;
    let group = match kind {
        1 => GroupKind::G1,
        2 => GroupKind::G2,
        other => {
            return Err(source.bad(format!(
                "offset 12: kind: expected 1 (G1) or 2 (G2), got {other}"
            )));
        }
    };
    check_len(source, HEAD, count, group.record())?;
    Ok((group, count))
}

/// Number of scalars of a scalar container.
pub(super) fn scalars_head(source: &Source) -> Result<u64> {
    let (kind, count) = check_head(source)?;
    if kind != KIND_SCALAR {
        return Err(source.bad(format!("offset 12: kind: expected 3 (scalar), got {kind}")));
    }
    check_len(source, HEAD, count, 32)?;
    Ok(count)
}
