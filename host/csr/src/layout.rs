//! Sizes and order of what travels between host and engine, profile `compact`.
//!
//! Points: x then y, 32 bytes little-endian each, Montgomery form with the engine's radix;
//! infinity is 64 zero bytes ((0, 0) is not on the curve). Scalars: 32 bytes little-endian,
//! canonical. Result: windows ascending, in each the buckets of digits 1 to `2^c - 1`, in each
//! X, Y, Z in 32 little-endian bytes, below p, Montgomery form; an empty bucket is 96 zero bytes.

use crate::Caps;
use crate::regs::{Segment, segment_flags};

/// Bytes of a coordinate.
pub const FIELD_BYTES: usize = 32;
/// Bytes of an affine point.
pub const POINT_BYTES: usize = 64;
/// Bytes of a scalar.
pub const SCALAR_BYTES: usize = 32;
/// Bytes of a bucket (Jacobian X, Y, Z).
pub const BUCKET_BYTES: usize = 96;
/// Bytes of a bus beat; segments are made of whole beats.
pub const BEAT_BYTES: usize = 16;

/// Bytes of the result of `windows` windows.
pub fn result_bytes(caps: &Caps, windows: u32) -> usize {
    windows as usize * caps.buckets() * BUCKET_BYTES
}

/// A piece of bus memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Bus address of the first byte.
    pub address: u64,
    /// Length in bytes.
    pub bytes: u64,
}

/// The segment list that covers `bytes` bytes from `offset` of a buffer made of `regions`.
///
/// Pieces longer than a segment can be (`2^seg_width - 16` bytes) are cut. `None` when the
/// buffer is too short, or a piece is not made of whole, aligned beats; an empty request gives
/// an empty list (the engine does not read a list for no data).
pub fn segment_list(
    regions: &[Region],
    offset: u64,
    bytes: u64,
    seg_width: u32,
) -> Option<Vec<Segment>> {
    let beat = BEAT_BYTES as u64;
    let longest = (1u64 << seg_width.clamp(5, 32)) - beat;
    let (mut skip, mut left) = (offset, bytes);
    let mut list: Vec<Segment> = Vec::new();
    for region in regions {
        let skipped = skip.min(region.bytes);
        skip -= skipped;
        let mut address = region.address.checked_add(skipped)?;
        let mut here = (region.bytes - skipped).min(left);
        left -= here;
        while here > 0 {
            let piece = here.min(longest);
            if address % beat != 0 || piece % beat != 0 {
                return None;
            }
            list.push(Segment {
                address,
                bytes: u32::try_from(piece).ok()?,
                flags: 0,
            });
            address = address.checked_add(piece)?;
            here -= piece;
        }
    }
    if left > 0 {
        return None;
    }
    if let Some(last) = list.last_mut() {
        last.flags = segment_flags::LAST.mask();
    }
    Some(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REGIONS: [Region; 2] = [
        Region {
            address: 0x8_0000_1000,
            bytes: 0x100,
        },
        Region {
            address: 0x8_0000_0000,
            bytes: 0x80,
        },
    ];

    fn plain(list: &[Segment]) -> Vec<(u64, u32, u32)> {
        list.iter().map(|s| (s.address, s.bytes, s.flags)).collect()
    }

    #[test]
    fn a_list_follows_the_regions_and_ends_once() {
        let list = segment_list(&REGIONS, 0xf0, 0x50, 32).expect("fits");
        assert_eq!(
            plain(&list),
            [(0x8_0000_10f0, 0x10, 0), (0x8_0000_0000, 0x40, 1)]
        );
    }

    #[test]
    fn long_pieces_are_cut_at_the_segment_width() {
        let list = segment_list(&REGIONS, 0, 0x180, 7).expect("fits");
        assert!(list.iter().all(|s| s.bytes < 1 << 7));
        assert_eq!(list.iter().map(|s| u64::from(s.bytes)).sum::<u64>(), 0x180);
        assert_eq!(list.iter().filter(|s| s.flags == 1).count(), 1);
        // The widest field still cannot hold 2^32 bytes in one piece.
        let wide = [Region {
            address: 0,
            bytes: 1 << 33,
        }];
        let list = segment_list(&wide, 0, 1 << 33, 32).expect("fits");
        assert_eq!(
            list.iter().map(|s| u64::from(s.bytes)).sum::<u64>(),
            1 << 33
        );
    }

    #[test]
    fn short_or_misaligned_buffers_are_refused() {
        assert_eq!(segment_list(&REGIONS, 0, 0x181, 32), None);
        assert_eq!(segment_list(&REGIONS, 0x100, 0x90, 32), None);
        assert_eq!(segment_list(&REGIONS, 8, 0x10, 32), None);
        assert_eq!(segment_list(&REGIONS, 0, 0, 32), Some(Vec::new()));
    }
}
