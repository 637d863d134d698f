//! The three parts of the bus, each a handle to the one simulation.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use zkria_accel::{Direction, DmaBuffer, Event, RegisterSpace};
use zkria_core::{Error, Result};
use zkria_csr::layout::Region;

use super::lock;
use super::sim::Sim;

/// The engine page.
#[derive(Clone)]
pub struct SimRegisters(Arc<Mutex<Sim>>);

impl SimRegisters {
    pub(super) fn new(sim: Arc<Mutex<Sim>>) -> Self {
        Self(sim)
    }
}

impl RegisterSpace for SimRegisters {
    fn read32(&mut self, offset: u32) -> Result<u32> {
        lock(&self.0)?.read32(offset)
    }

    fn write32(&mut self, offset: u32, value: u32) -> Result<()> {
        lock(&self.0)?.write32(offset, value)
    }
}

/// The interrupt line.
#[derive(Clone)]
pub struct SimEvent(Arc<Mutex<Sim>>);

impl SimEvent {
    pub(super) fn new(sim: Arc<Mutex<Sim>>) -> Self {
        Self(sim)
    }
}

impl Event for SimEvent {
    fn wait(&mut self, timeout: Duration) -> Result<bool> {
        // 100 MHz: 10 ns a cycle.
        let cycles = (timeout.as_nanos() / 10).try_into().unwrap_or(u64::MAX);
        lock(&self.0)?.wait_irq(cycles)
    }

    fn acknowledge(&mut self) -> Result<()> {
        Ok(())
    }
}

/// A piece of the simulated memory; its bytes lie in the arena, so nothing needs syncing.
pub struct SimBuffer {
    sim: Arc<Mutex<Sim>>,
    regions: Vec<Region>,
    bytes: usize,
}

impl SimBuffer {
    /// `bytes` bytes in pieces of at most `piece` bytes; later pieces get the lower addresses of
    /// each pair, so that order in the list and order in memory differ.
    pub(super) fn alloc(sim: Arc<Mutex<Sim>>, bytes: usize, piece: u64) -> Result<Self> {
        let mut buffer = Self {
            sim,
            regions: Vec::new(),
            bytes,
        };
        let mut left = bytes as u64;
        {
            let mut sim = lock(&buffer.sim)?;
            while left > 0 || buffer.regions.is_empty() {
                let len = left.min(piece);
                let address = sim.memory.alloc(len)?;
                buffer.regions.push(Region {
                    address,
                    bytes: len,
                });
                left -= len;
            }
        }
        if piece != u64::MAX {
            // All but the last piece are of one length and may trade places.
            let whole = buffer.regions.len().saturating_sub(1);
            for pair in buffer.regions[..whole].chunks_exact_mut(2) {
                pair.swap(0, 1);
            }
        }
        Ok(buffer)
    }

    /// Calls `f` with address and range of `0..len` for each piece of `offset..offset + len`.
    fn pieces(&self, offset: usize, len: usize) -> Result<Vec<(u64, std::ops::Range<usize>)>> {
        if offset.checked_add(len).is_none_or(|end| end > self.bytes) {
            return Err(Error::length(
                "bytes of a DMA buffer",
                self.bytes,
                offset.saturating_add(len),
            ));
        }
        let (mut skip, mut done, mut out) = (offset as u64, 0usize, Vec::new());
        for region in &self.regions {
            let here = region
                .bytes
                .saturating_sub(skip)
                .min((len - done) as u64)
                .try_into()
                .unwrap_or(usize::MAX);
            if here > 0 {
                out.push((region.address + skip, done..done + here));
                done += here;
            }
            skip = skip.saturating_sub(region.bytes);
        }
        Ok(out)
    }
}

impl DmaBuffer for SimBuffer {
    fn bytes(&self) -> usize {
        self.bytes
    }

    fn regions(&self) -> &[Region] {
        &self.regions
    }

    fn write(&mut self, offset: usize, data: &[u8]) -> Result<()> {
        let mut sim = lock(&self.sim)?;
        for (address, range) in self.pieces(offset, data.len())? {
            let place = sim.memory.slice_mut(address, range.len());
            place
                .expect("the buffer owns this memory until it is dropped")
                .copy_from_slice(&data[range]);
        }
        Ok(())
    }

    fn read(&self, offset: usize, out: &mut [u8]) -> Result<()> {
        let sim = lock(&self.sim)?;
        for (address, range) in self.pieces(offset, out.len())? {
            let place = sim.memory.slice(address, range.len());
            let place = place.expect("the buffer owns this memory until it is dropped");
            out[range].copy_from_slice(place);
        }
        Ok(())
    }

    fn sync(&mut self, _: usize, _: usize, _: Direction) -> Result<()> {
        Ok(())
    }
}

impl Drop for SimBuffer {
    fn drop(&mut self) {
        // After a panic inside the simulation nothing uses the memory again.
        if let Ok(mut sim) = self.sim.lock() {
            for region in &self.regions {
                sim.memory.free(region.address);
            }
        }
    }
}
