//! The Verilated engine behind the driver's `Bus`: registers by AXI4-Lite, DMA memory served by
//! [`crate::axi_mem`], the interrupt line.
//!
//! Time passes only while the driver touches a register or waits for the interrupt: a register
//! access takes the cycles its handshake takes, a wait runs until the line rises.

mod parts;
mod sim;

use std::sync::{Arc, Mutex, MutexGuard};

use zkria_accel::{Bus, Placement};
use zkria_core::{Error, Result};

use crate::axi_mem::{Fault, PAGE};
pub use parts::{SimBuffer, SimEvent, SimRegisters};
pub use sim::{BusOptions, Port, Sim};

/// The bus of one simulated engine. Clones share the engine, so that a test can hold one beside
/// the driver.
#[derive(Clone)]
pub struct VerilatedBus {
    sim: Arc<Mutex<Sim>>,
    registers: SimRegisters,
    event: SimEvent,
}

impl VerilatedBus {
    /// Opens the top `top` (`zkria_top`, or a block top with other parameters) and resets it.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when this build has no such top; waveform errors.
    pub fn open(top: &str, options: &BusOptions) -> Result<Self> {
        let sim = Arc::new(Mutex::new(Sim::open(top, options)?));
        Ok(Self {
            registers: SimRegisters::new(Arc::clone(&sim)),
            event: SimEvent::new(Arc::clone(&sim)),
            sim,
        })
    }

    /// The simulation itself: cycles, statistics of the ports, what a test wants to disturb.
    ///
    /// # Errors
    /// [`Error::Device`] when a thread panicked inside it.
    pub fn sim(&self) -> Result<MutexGuard<'_, Sim>> {
        lock(&self.sim)
    }

    /// Orders an error response.
    ///
    /// # Errors
    /// As [`VerilatedBus::sim`].
    pub fn inject(&self, fault: Fault) -> Result<()> {
        self.sim()?.faults.add(fault);
        Ok(())
    }

    /// Cancels all ordered error responses.
    ///
    /// # Errors
    /// As [`VerilatedBus::sim`].
    pub fn clear_faults(&self) -> Result<()> {
        self.sim()?.faults.clear();
        Ok(())
    }
}

fn lock(sim: &Mutex<Sim>) -> Result<MutexGuard<'_, Sim>> {
    sim.lock().map_err(|_| {
        Error::device(
            "a thread panicked inside the simulation",
            "open the device again",
        )
    })
}

impl Bus for VerilatedBus {
    type Registers = SimRegisters;
    type Buffer = SimBuffer;
    type Event = SimEvent;

    fn registers(&mut self) -> &mut SimRegisters {
        &mut self.registers
    }

    fn event(&mut self) -> &mut SimEvent {
        &mut self.event
    }

    fn alloc(&mut self, bytes: usize, placement: Placement) -> Result<SimBuffer> {
        let piece = match (placement, self.sim()?.scatter_pages) {
            (Placement::Any, Some(pages)) => pages as u64 * PAGE,
            _ => u64::MAX,
        };
        SimBuffer::alloc(Arc::clone(&self.sim), bytes, piece)
    }

    fn simulated(&self) -> bool {
        true
    }
}
