//! Memory behind AXI4 ports: data, latency, random stalls, error responses, and a referee that
//! ends the simulation at the first breach of the protocol.
//!
//! The rules come from the board: bursts INCR, at most 16 beats, never across 4 KiB (board.md
//! R17, R18), whole aligned beats, a stalled request holds, WLAST at the right beat, a bounded
//! number of outstanding bursts. Addresses outside live allocations answer DECERR, so a wrong or
//! truncated address cannot pass unseen.
//! Both port models follow the cycle protocol of [`crate::dut`] and touch the design's ports only
//! when something moves: they run in every cycle of every simulation.

mod arena;
mod fault;
mod read;
mod write;

pub use arena::{Arena, PAGE};
pub use fault::{At, Direction, Fault, Faults, Response};
pub use read::ReadPort;
pub use write::WritePort;

use zkria_core::{Error, Result};

use crate::dut::{Dut, PortId};
use crate::stream::Rng;

/// Bytes of a beat.
const BEAT: usize = 16;

/// How the memory answers.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Fewest cycles from request to first data or response.
    pub latency_min: u32,
    /// Most cycles from request to first data or response.
    pub latency_max: u32,
    /// Cycles in 100 in which a channel does not move although it could.
    pub stall_percent: u32,
    /// Seed of latency and stalls.
    pub seed: u64,
}

impl Default for Timing {
    /// About what DDR behind a PS port of the board takes at 100 MHz, without stalls.
    fn default() -> Self {
        Self {
            latency_min: 30,
            latency_max: 50,
            stall_percent: 0,
            seed: 1,
        }
    }
}

impl Timing {
    fn latency(&self, rng: &mut Rng) -> u64 {
        let span = u64::from(self.latency_max.saturating_sub(self.latency_min)) + 1;
        u64::from(self.latency_min) + if span > 1 { rng.below(span) } else { 0 }
    }
}

/// One accepted burst.
#[derive(Clone, Copy, Debug)]
struct Burst {
    address: u64,
    beats: u32,
    /// Index among the bursts of its port and direction.
    index: u64,
    /// First cycle in which it may be answered.
    due: u64,
}

/// The request channel (AR or AW) of a port: ready, acceptance and every check of a request.
struct Requests {
    name: String,
    valid: PortId,
    ready: PortId,
    addr: PortId,
    len: Option<PortId>,
    /// Ports that must hold one value: AxSIZE, AxBURST, AxCACHE, AxPROT.
    fixed: Vec<(PortId, u64, &'static str)>,
    ready_now: bool,
    held: Option<(u64, u64)>,
    accepted: u64,
    max_outstanding: usize,
}

impl Requests {
    fn new(dut: &Dut, prefix: &str, channel: &str, max_outstanding: usize) -> Self {
        let name = format!("{prefix}_{channel}");
        let expected = [
            ("size", 4),
            ("burst", 1),
            ("cache", 0b0011),
            ("prot", 0b010),
        ];
        let fixed = expected
            .iter()
            .filter_map(|(field, value)| {
                let port = dut.find(&format!("{name}{field}_o"))?;
                Some((port, *value, *field))
            })
            .collect();
        Self {
            valid: dut.port(&format!("{name}valid_o")),
            ready: dut.port(&format!("{name}ready_i")),
            addr: dut.port(&format!("{name}addr_o")),
            len: dut.find(&format!("{name}len_o")),
            fixed,
            name,
            ready_now: false,
            held: None,
            accepted: 0,
            max_outstanding,
        }
    }

    fn reset(&mut self, dut: &mut Dut) {
        self.ready_now = false;
        self.held = None;
        dut.set_u64(self.ready, 0);
    }

    fn drive(&mut self, dut: &mut Dut, ready: bool) {
        if ready != self.ready_now {
            self.ready_now = ready;
            dut.set_u64(self.ready, u64::from(ready));
        }
    }

    /// The request accepted at the coming edge, as (address, beats).
    fn sample(&mut self, dut: &Dut, outstanding: usize) -> Result<Option<(u64, u32)>> {
        if !dut.is_set(self.valid) {
            return match self.held {
                None => Ok(None),
                Some(_) => Err(self.breach(dut, "valid fell before ready")),
            };
        }
        let request = (
            dut.get_u64(self.addr),
            self.len.map_or(0, |len| dut.get_u64(len)),
        );
        if self.held.is_some_and(|held| held != request) {
            return Err(self.breach(dut, "a stalled request changed"));
        }
        if !self.ready_now {
            self.held = Some(request);
            return Ok(None);
        }
        self.held = None;
        self.accepted += 1;
        let (address, beats) = (request.0, request.1 as u32 + 1);
        if address % BEAT as u64 != 0 {
            return Err(self.breach(dut, &format!("address {address:#x} is not aligned")));
        }
        if beats > 16 {
            return Err(self.breach(dut, &format!("burst of {beats} beats")));
        }
        if address % PAGE + u64::from(beats) * BEAT as u64 > PAGE {
            return Err(self.breach(dut, &format!("burst at {address:#x} crosses 4 KiB")));
        }
        for (port, expected, field) in &self.fixed {
            let got = dut.get_u64(*port);
            if got != *expected {
                return Err(self.breach(dut, &format!("{field} is {got}, not {expected}")));
            }
        }
        if outstanding >= self.max_outstanding {
            return Err(self.breach(dut, &format!("more than {outstanding} bursts outstanding")));
        }
        Ok(Some((address, beats)))
    }

    fn breach(&self, dut: &Dut, what: &str) -> Error {
        breach(&self.name, dut, what)
    }
}

/// The error that ends a simulation whose design broke the protocol.
fn breach(channel: &str, dut: &Dut, what: &str) -> Error {
    Error::device(
        format!(
            "AXI protocol breach on {channel} in cycle {}: {what}",
            dut.cycle()
        ),
        "this is a fault of the RTL: run again with a waveform",
    )
}
