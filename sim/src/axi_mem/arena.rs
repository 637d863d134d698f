//! The bytes: one bounded arena of page-rounded allocations.

use std::collections::BTreeMap;

use zkria_core::{Error, Result};

/// Bytes of a page: allocations are made of whole ones.
pub const PAGE: u64 = 4096;

/// What fresh memory holds: whoever relies on zeros sees it.
const FRESH: u8 = 0xa5;

/// Simulated memory: page-rounded allocations with a guard page after each.
#[derive(Debug)]
pub struct Arena {
    base: u64,
    limit: u64,
    bytes: Vec<u8>,
    /// Offset and length of every live allocation.
    live: BTreeMap<u64, u64>,
}

impl Arena {
    /// An empty arena whose first address is `base`, of at most `limit` bytes.
    pub fn new(base: u64, limit: u64) -> Self {
        Self {
            base,
            limit,
            bytes: Vec::new(),
            live: BTreeMap::new(),
        }
    }

    /// Allocates `bytes` bytes, rounded up to pages, at the lowest free place.
    ///
    /// # Errors
    /// [`Error::Device`] when the arena's limit is reached.
    pub fn alloc(&mut self, bytes: u64) -> Result<u64> {
        let full = || {
            Error::device(
                format!(
                    "the simulated memory of {} MiB cannot hold {bytes} more bytes",
                    self.limit >> 20
                ),
                "free buffers, or raise the limit in SimOptions",
            )
        };
        let size = bytes
            .max(1)
            .checked_next_multiple_of(PAGE)
            .ok_or_else(full)?;
        let mut offset = 0;
        for (start, len) in &self.live {
            if offset + size + PAGE <= *start {
                break;
            }
            offset = start + len + PAGE;
        }
        let end = offset
            .checked_add(size)
            .filter(|end| *end <= self.limit)
            .ok_or_else(full)?;
        if end as usize > self.bytes.len() {
            self.bytes.resize(end as usize, FRESH);
        }
        self.bytes[offset as usize..end as usize].fill(FRESH);
        self.live.insert(offset, size);
        Ok(self.base + offset)
    }

    /// Frees the allocation at `address`; others are left alone.
    pub fn free(&mut self, address: u64) {
        if let Some(offset) = address.checked_sub(self.base) {
            self.live.remove(&offset);
        }
    }

    /// Live allocations.
    pub fn allocations(&self) -> usize {
        self.live.len()
    }

    /// The bytes of one piece of a live allocation; `None` when any lies outside.
    pub fn slice(&self, address: u64, bytes: usize) -> Option<&[u8]> {
        let range = self.range(address, bytes)?;
        Some(&self.bytes[range])
    }

    /// As [`Arena::slice`], to write.
    pub fn slice_mut(&mut self, address: u64, bytes: usize) -> Option<&mut [u8]> {
        let range = self.range(address, bytes)?;
        Some(&mut self.bytes[range])
    }

    fn range(&self, address: u64, bytes: usize) -> Option<std::ops::Range<usize>> {
        let offset = address.checked_sub(self.base)?;
        let (start, len) = self.live.range(..=offset).next_back()?;
        let end = offset.checked_add(bytes as u64)?;
        (end <= start + len).then_some(offset as usize..end as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_live_memory_can_be_reached() {
        let mut arena = Arena::new(0x8_0000_0000, 1 << 20);
        let a = arena.alloc(5000).expect("room");
        let b = arena.alloc(1).expect("room");
        assert_eq!(a, 0x8_0000_0000);
        assert!(b >= a + 3 * PAGE, "a guard page lies between");
        assert!(arena.slice(a, 8192).is_some());
        assert!(arena.slice(a, 8193).is_none());
        assert!(arena.slice(a - 1, 1).is_none());
        assert!(
            arena.slice(a & 0xffff_ffff, 1).is_none(),
            "truncated address"
        );
        arena
            .slice_mut(a, 4)
            .expect("live")
            .copy_from_slice(&[1, 2, 3, 4]);
        assert_eq!(arena.slice(a + 1, 2), Some(&[2, 3][..]));
        arena.free(a);
        assert!(arena.slice(a, 1).is_none());
        let again = arena.alloc(4096).expect("room");
        assert_eq!(again, a, "freed memory is used again");
        assert_eq!(
            arena.slice(a, 1),
            Some(&[FRESH][..]),
            "and does not keep old data"
        );
    }

    #[test]
    fn the_limit_is_an_error() {
        let mut arena = Arena::new(0, 3 * PAGE);
        arena.alloc(PAGE).expect("room");
        arena.alloc(PAGE).expect("room after the guard page");
        let error = arena.alloc(1).expect_err("full");
        assert!(error.to_string().contains("simulated memory"), "{error}");
        arena.alloc(u64::MAX).expect_err("absurd");
    }
}
