//! Shared by the DMA tests: scattered buffers and their segment lists in simulated memory.

use zkria_csr::regs::Segment;
use zkria_sim::axi_mem::{Arena, Timing};
use zkria_sim::stream::Rng;

/// Above 4 GiB, so that a truncated address leaves the memory.
pub(crate) const BASE: u64 = 0x8_0000_0000;

/// A scattered buffer and the list that names it.
pub(crate) struct Scattered {
    /// Bus address of the list.
    pub(crate) list: u64,
    /// The entries.
    pub(crate) segments: Vec<Segment>,
    /// Bus address of every beat in order.
    pub(crate) beats: Vec<u64>,
}

/// `pieces` segments of 1 to `longest` beats, each somewhere in pages of its own (so that 4 KiB
/// borders are met at every offset), filled with random bytes.
pub(crate) fn scatter(rng: &mut Rng, memory: &mut Arena, pieces: usize, longest: u64) -> Scattered {
    let segments: Vec<Segment> = (0..pieces)
        .map(|i| {
            let beats = 1 + rng.below(longest);
            let start = rng.below(256);
            let base = memory.alloc((start + beats) * 16).expect("room");
            let address = base + start * 16;
            for byte in memory
                .slice_mut(address, beats as usize * 16)
                .expect("allocated")
            {
                *byte = rng.next_u64() as u8;
            }
            Segment {
                address,
                bytes: beats as u32 * 16,
                flags: u32::from(i + 1 == pieces),
            }
        })
        .collect();
    let list = write_list(rng, memory, &segments);
    let beats = segments
        .iter()
        .flat_map(|s| (0..u64::from(s.bytes / 16)).map(|i| s.address + 16 * i))
        .collect();
    Scattered {
        list,
        segments,
        beats,
    }
}

/// Writes a list to fresh memory, 16-byte aligned and often across a page.
pub(crate) fn write_list(rng: &mut Rng, memory: &mut Arena, segments: &[Segment]) -> u64 {
    let skip = rng.below(256) * 16;
    let list = memory
        .alloc(skip + segments.len() as u64 * 16)
        .expect("room")
        + skip;
    for (i, segment) in segments.iter().enumerate() {
        let place = memory
            .slice_mut(list + 16 * i as u64, 16)
            .expect("allocated");
        place.copy_from_slice(&segment.encode());
    }
    list
}

/// The words of the beat at a bus address.
pub(crate) fn beat(memory: &Arena, address: u64) -> Vec<u32> {
    let bytes = memory.slice(address, 16).expect("live");
    bytes
        .chunks_exact(4)
        .map(|c| u32::from_le_bytes(c.try_into().expect("four bytes")))
        .collect()
}

/// Timing of one run: quick or slow memory, with or without stalls.
pub(crate) fn timing(rng: &mut Rng) -> Timing {
    let latency_min = rng.below(30) as u32;
    Timing {
        latency_min,
        latency_max: latency_min + rng.below(60) as u32,
        stall_percent: [0, 10, 50, 90][rng.below(4) as usize],
        seed: rng.next_u64(),
    }
}
