//! The capability words, decoded.

use crate::regs::{Profile, caps0, caps1, caps2, caps3};

/// What the engine says about itself in CAPS0 to CAPS3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    /// Kind of engine; `None` when this driver does not know the number.
    pub profile: Option<Profile>,
    /// Adders in parallel.
    pub lanes: u32,
    /// Window width c in bits.
    pub window_bits: u32,
    /// Bucket banks: windows of one pass.
    pub banks: u32,
    /// Windows that cover a 256-bit scalar.
    pub windows: u32,
    /// Montgomery radix is `2^log2_r`.
    pub log2_r: u32,
    /// Windows are signed.
    pub signed: bool,
    /// DMA is cache coherent.
    pub coherent: bool,
    /// Bits of a bus address.
    pub addr_width: u32,
    /// A job has `n < 2^count_width`.
    pub count_width: u32,
    /// A segment has `bytes < 2^seg_width`.
    pub seg_width: u32,
    /// A ring has at most `2^ring_width` entries.
    pub ring_width: u32,
    /// Pairs of one shared inversion; 0 in `compact`.
    pub batch: u32,
}

impl Caps {
    /// Decodes CAPS0, CAPS1, CAPS2, CAPS3.
    pub fn decode(words: [u32; 4]) -> Self {
        Self {
            profile: Profile::from_number(caps0::PROFILE.get(words[0])),
            lanes: caps0::LANES.get(words[0]),
            window_bits: caps0::WINDOW_BITS.get(words[0]),
            banks: caps0::BANKS.get(words[0]),
            windows: caps1::WINDOWS.get(words[1]),
            log2_r: caps1::LOG2_R.get(words[1]),
            signed: caps1::SIGNED.is_set(words[1]),
            coherent: caps1::COHERENT.is_set(words[1]),
            addr_width: caps2::ADDR_WIDTH.get(words[2]),
            count_width: caps2::COUNT_WIDTH.get(words[2]),
            seg_width: caps2::SEG_WIDTH.get(words[2]),
            ring_width: caps2::RING_WIDTH.get(words[2]),
            batch: caps3::BATCH.get(words[3]),
        }
    }

    /// The four words again: the inverse of [`Caps::decode`] for known profiles.
    pub fn encode(&self) -> [u32; 4] {
        [
            caps0::PROFILE.put(self.profile.map_or(0, |p| p as u32))
                | caps0::LANES.put(self.lanes)
                | caps0::WINDOW_BITS.put(self.window_bits)
                | caps0::BANKS.put(self.banks),
            caps1::WINDOWS.put(self.windows)
                | caps1::LOG2_R.put(self.log2_r)
                | caps1::SIGNED.put(u32::from(self.signed))
                | caps1::COHERENT.put(u32::from(self.coherent)),
            caps2::ADDR_WIDTH.put(self.addr_width)
                | caps2::COUNT_WIDTH.put(self.count_width)
                | caps2::SEG_WIDTH.put(self.seg_width)
                | caps2::RING_WIDTH.put(self.ring_width),
            caps3::BATCH.put(self.batch),
        ]
    }

    /// Buckets of one window that a result lists: digits 1 to `2^c - 1`.
    pub fn buckets(&self) -> usize {
        (1usize << self.window_bits) - 1
    }

    /// Windows whose digits can be non-zero for scalars below `2^bits`.
    pub fn windows_for_bits(&self, bits: u32) -> u32 {
        bits.div_ceil(self.window_bits.max(1)).min(self.windows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capabilities_round_trip() {
        let caps = Caps {
            profile: Some(Profile::Compact),
            lanes: 8,
            window_bits: 11,
            banks: 8,
            windows: 24,
            log2_r: 255,
            signed: false,
            coherent: true,
            addr_width: 40,
            count_width: 28,
            seg_width: 32,
            ring_width: 16,
            batch: 1024,
        };
        assert_eq!(Caps::decode(caps.encode()), caps);
        assert_eq!(caps.buckets(), 2047);
        assert_eq!(caps.windows_for_bits(254), 24);
        assert_eq!(Caps::decode([7, 0, 0, 0]).profile, None);
    }
}
