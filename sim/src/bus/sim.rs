//! One simulated engine with its memory: the cycle loop.

use std::path::PathBuf;

use zkria_core::{Error, Result};

use crate::axi_mem::{Arena, Faults, ReadPort, Timing, WritePort};
use crate::dut::{Dut, PortId};
use crate::stream::Rng;

/// First bus address of the simulated memory: the board's second 2 GiB of RAM, above 4 GiB, so
/// that a truncated address meets no memory.
const MEMORY_BASE: u64 = 0x8_0000_0000;
/// Bursts that a port of the engine may have under way.
const MAX_OUTSTANDING: usize = 4;
/// A register access that takes longer hangs the CPU of a board.
const REGISTER_LIMIT: u64 = 10_000;

/// A master port of the engine, as faults name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Port {
    /// `m_axi_pts`.
    Points = 0,
    /// `m_axi_scl`.
    Scalars = 1,
    /// `m_axi_res`.
    Result = 2,
}

/// How the engine is surrounded.
#[derive(Clone, Debug)]
pub struct BusOptions {
    /// How the memory answers.
    pub timing: Timing,
    /// Most bytes of simulated memory.
    pub memory_limit: u64,
    /// Allocate buffers in scattered pieces of so many pages.
    pub scatter_pages: Option<usize>,
    /// Write a waveform here.
    pub trace: Option<PathBuf>,
    /// What registers without a reset hold at the start.
    pub register_seed: u32,
}

impl Default for BusOptions {
    fn default() -> Self {
        Self {
            timing: Timing::default(),
            memory_limit: 4 << 30,
            scatter_pages: None,
            trace: None,
            register_seed: 1,
        }
    }
}

/// Ports of the AXI4-Lite slave.
struct Lite {
    aw_valid: PortId,
    aw_ready: PortId,
    aw_addr: PortId,
    w_valid: PortId,
    w_ready: PortId,
    w_data: PortId,
    w_strb: PortId,
    b_valid: PortId,
    b_ready: PortId,
    b_resp: PortId,
    ar_valid: PortId,
    ar_ready: PortId,
    ar_addr: PortId,
    r_valid: PortId,
    r_ready: PortId,
    r_data: PortId,
    r_resp: PortId,
}

impl Lite {
    fn new(dut: &Dut) -> Self {
        let port = |name: &str| dut.port(&format!("s_axil_{name}"));
        Self {
            aw_valid: port("awvalid_i"),
            aw_ready: port("awready_o"),
            aw_addr: port("awaddr_i"),
            w_valid: port("wvalid_i"),
            w_ready: port("wready_o"),
            w_data: port("wdata_i"),
            w_strb: port("wstrb_i"),
            b_valid: port("bvalid_o"),
            b_ready: port("bready_i"),
            b_resp: port("bresp_o"),
            ar_valid: port("arvalid_i"),
            ar_ready: port("arready_o"),
            ar_addr: port("araddr_i"),
            r_valid: port("rvalid_o"),
            r_ready: port("rready_i"),
            r_data: port("rdata_o"),
            r_resp: port("rresp_o"),
        }
    }

    fn inputs(&self) -> [PortId; 5] {
        [
            self.aw_valid,
            self.w_valid,
            self.b_ready,
            self.ar_valid,
            self.r_ready,
        ]
    }
}

/// The engine, its memory and the wires between them.
pub struct Sim {
    dut: Dut,
    lite: Lite,
    irq: PortId,
    rst: PortId,
    reads: [ReadPort; 3],
    write: WritePort,
    /// The simulated memory.
    pub memory: Arena,
    /// Ordered error responses.
    pub faults: Faults,
    pub(super) scatter_pages: Option<usize>,
    rng: Rng,
    stall_percent: u32,
}

impl Sim {
    pub(super) fn open(top: &str, options: &BusOptions) -> Result<Self> {
        let mut dut = Dut::with_seed(top, options.register_seed)?;
        if let Some(file) = &options.trace {
            dut.trace(file)?;
        }
        let timing = options.timing;
        let read = |prefix, number: Port| {
            ReadPort::new(&dut, prefix, number as usize, MAX_OUTSTANDING, timing)
        };
        let mut sim = Self {
            lite: Lite::new(&dut),
            irq: dut.port("irq_o"),
            rst: dut.port("rst_ni"),
            reads: [
                read("m_axi_pts", Port::Points),
                read("m_axi_scl", Port::Scalars),
                read("m_axi_res", Port::Result),
            ],
            write: WritePort::new(
                &dut,
                "m_axi_res",
                Port::Result as usize,
                MAX_OUTSTANDING,
                timing,
            ),
            memory: Arena::new(MEMORY_BASE, options.memory_limit),
            faults: Faults::default(),
            scatter_pages: options.scatter_pages,
            rng: Rng::new(timing.seed),
            stall_percent: timing.stall_percent,
            dut,
        };
        sim.reset()?;
        Ok(sim)
    }

    /// Clock cycles since the start.
    pub fn cycle(&self) -> u64 {
        self.dut.cycle()
    }

    /// Bursts that the memory has accepted from a port: reads, and for the result port writes.
    pub fn bursts(&self, port: Port) -> (u64, u64) {
        let writes = if port == Port::Result {
            self.write.bursts()
        } else {
            0
        };
        (self.reads[port as usize].bursts(), writes)
    }

    /// Whether no transfer is under way on any port.
    pub fn idle(&self) -> bool {
        self.reads.iter().all(ReadPort::idle) && self.write.idle()
    }

    /// Pulls the hard reset, of engine and interconnect: transfers under way vanish.
    ///
    /// # Errors
    /// As [`Sim::step`].
    pub fn reset(&mut self) -> Result<()> {
        for port in self.lite.inputs() {
            self.dut.set_u64(port, 0);
        }
        for port in &mut self.reads {
            port.reset(&mut self.dut);
        }
        self.write.reset(&mut self.dut);
        self.dut.set_u64(self.rst, 0);
        for _ in 0..4 {
            self.dut.settle();
            self.dut.tick();
        }
        self.dut.set_u64(self.rst, 1);
        self.dut.settle();
        self.check()
    }

    /// One clock cycle.
    ///
    /// # Errors
    /// [`Error::Device`] when the engine breaks the AXI protocol or one of its own assertions.
    #[inline]
    pub fn step(&mut self) -> Result<()> {
        self.prepare();
        self.finish()
    }

    /// The first half of a cycle: all inputs are set, outputs answer.
    #[inline]
    fn prepare(&mut self) {
        for port in &mut self.reads {
            port.drive(&mut self.dut, &self.memory, &self.faults);
        }
        self.write.drive(&mut self.dut);
        self.dut.settle();
    }

    /// The second half: handshakes happen, the edge follows.
    #[inline]
    fn finish(&mut self) -> Result<()> {
        for port in &mut self.reads {
            port.sample(&self.dut)?;
        }
        self.write
            .sample(&self.dut, &mut self.memory, &self.faults)?;
        self.dut.tick();
        self.check()
    }

    #[inline]
    fn check(&self) -> Result<()> {
        if self.dut.failed() {
            return Err(Error::device(
                format!(
                    "an assertion of the RTL failed at cycle {} (its message is above)",
                    self.cycle()
                ),
                "this is a fault of the RTL: run again with a waveform",
            ));
        }
        Ok(())
    }

    /// Steps until the interrupt line is high; `false` after `cycles` cycles without it.
    pub(super) fn wait_irq(&mut self, cycles: u64) -> Result<bool> {
        for _ in 0..cycles {
            if self.dut.is_set(self.irq) {
                return Ok(true);
            }
            self.step()?;
        }
        Ok(self.dut.is_set(self.irq))
    }

    /// Cycles by which a stalling master delays a handshake.
    fn delay(&mut self) -> u64 {
        let mut cycles = 0;
        while self.stall_percent > 0 && cycles < 20 && self.rng.chance(self.stall_percent) {
            cycles += 1;
        }
        cycles
    }

    pub(super) fn write32(&mut self, offset: u32, value: u32) -> Result<()> {
        let (aw_at, w_at, b_at) = (self.delay(), self.delay(), self.delay());
        let (mut aw_done, mut w_done) = (false, false);
        let mut answered = None;
        self.dut.set_u64(self.lite.aw_addr, offset.into());
        self.dut.set_u64(self.lite.w_data, value.into());
        self.dut.set_u64(self.lite.w_strb, 0xf);
        for cycle in 0..REGISTER_LIMIT {
            let (aw, w) = (!aw_done && cycle >= aw_at, !w_done && cycle >= w_at);
            let b = answered.is_some_and(|at| cycle >= at + b_at);
            self.dut.set_u64(self.lite.aw_valid, aw.into());
            self.dut.set_u64(self.lite.w_valid, w.into());
            self.dut.set_u64(self.lite.b_ready, b.into());
            self.prepare();
            aw_done |= aw && self.dut.is_set(self.lite.aw_ready);
            w_done |= w && self.dut.is_set(self.lite.w_ready);
            let response = self.dut.is_set(self.lite.b_valid);
            let resp = self.dut.get_u64(self.lite.b_resp);
            self.finish()?;
            if response && answered.is_none() {
                answered = Some(cycle + 1);
            }
            if response && b {
                self.dut.set_u64(self.lite.b_ready, 0);
                return okay(resp, "write", offset);
            }
        }
        Err(hung("write", offset))
    }

    pub(super) fn read32(&mut self, offset: u32) -> Result<u32> {
        let (ar_at, r_at) = (self.delay(), self.delay());
        let mut ar_done = false;
        let mut answered = None;
        self.dut.set_u64(self.lite.ar_addr, offset.into());
        for cycle in 0..REGISTER_LIMIT {
            let ar = !ar_done && cycle >= ar_at;
            let r = answered.is_some_and(|at| cycle >= at + r_at);
            self.dut.set_u64(self.lite.ar_valid, ar.into());
            self.dut.set_u64(self.lite.r_ready, r.into());
            self.prepare();
            ar_done |= ar && self.dut.is_set(self.lite.ar_ready);
            let response = self.dut.is_set(self.lite.r_valid);
            let (value, resp) = (
                self.dut.get_u64(self.lite.r_data),
                self.dut.get_u64(self.lite.r_resp),
            );
            self.finish()?;
            if response && answered.is_none() {
                answered = Some(cycle + 1);
            }
            if response && r {
                self.dut.set_u64(self.lite.r_ready, 0);
                okay(resp, "read", offset)?;
                return Ok(value as u32);
            }
        }
        Err(hung("read", offset))
    }
}

impl Drop for Sim {
    fn drop(&mut self) {
        self.dut.end_trace();
    }
}

fn okay(resp: u64, what: &str, offset: u32) -> Result<()> {
    if resp == 0 {
        return Ok(());
    }
    Err(Error::device(
        format!("the register {what} at {offset:#x} was answered with an error ({resp})"),
        "this is a fault of the RTL",
    ))
}

fn hung(what: &str, offset: u32) -> Error {
    Error::device(
        format!("the register {what} at {offset:#x} got no answer in {REGISTER_LIMIT} cycles"),
        "this is a fault of the RTL",
    )
}
