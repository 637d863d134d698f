//! The backend `sim`: the driver of the board over the Verilated engine.

use std::path::PathBuf;

use zkria_accel::{Accel, Options, RingQueue};
use zkria_core::{Backend, Error, Result};
use zkria_csr::regs::Profile;

use crate::axi_mem::Timing;
use crate::bus::{BusOptions, VerilatedBus};

/// What a caller may choose about the simulation.
#[derive(Clone, Debug)]
pub struct SimOptions {
    /// Which engine.
    pub profile: Profile,
    /// Write a waveform (FST) here; needs the feature `trace`.
    pub trace: Option<PathBuf>,
    /// Stall every AXI channel at random in half of the cycles, from this seed.
    pub stall_seed: Option<u64>,
    /// Memory latency in cycles; random up to a half more.
    pub latency: u32,
}

impl Default for SimOptions {
    fn default() -> Self {
        Self {
            profile: Profile::Compact,
            trace: None,
            stall_seed: None,
            latency: Timing::default().latency_min,
        }
    }
}

/// Opens the simulated engine.
///
/// # Errors
/// [`Error::Unavailable`] without Verilator at build time, for a profile that this version does
/// not have, or for a waveform without the feature `trace`; [`Error::Io`] for a waveform file that
/// cannot be written.
pub fn open(options: SimOptions) -> Result<Box<dyn Backend>> {
    if options.profile != Profile::Compact {
        return Err(Error::unavailable(
            "the profile `throughput` is not in this version",
            "use --profile compact",
        ));
    }
    let bus_options = BusOptions {
        timing: Timing {
            latency_min: options.latency,
            latency_max: options.latency + options.latency / 2,
            stall_percent: if options.stall_seed.is_some() { 50 } else { 0 },
            seed: options.stall_seed.unwrap_or(1),
        },
        trace: options.trace,
        ..BusOptions::default()
    };
    let bus = VerilatedBus::open("zkria_top", &bus_options)?;
    Ok(Box::new(Accel::new(
        "sim",
        RingQueue::open(bus)?,
        Options::default(),
    )))
}
