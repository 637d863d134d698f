//! A device under test: one Verilated top with its clock, reset, ports and waveform.
//!
//! Cycle protocol: set inputs, [`Dut::settle`], look at outputs and decide which handshakes
//! happen, [`Dut::tick`].

use std::ffi::CString;
use std::path::Path;

use zkria_core::{Error, Result};

mod ffi;

use ffi::{RawDut, RawPort};

/// A port of a [`Dut`], found by name once and then used every cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortId(usize);

/// One Verilated top. Every instance has its own simulation context, so several may run at once
/// in different threads.
pub struct Dut {
    raw: *mut RawDut,
    ports: Vec<RawPort>,
    name: &'static str,
    cycle: u64,
    failed: bool,
    rst_ni: Option<PortId>,
}

// SAFETY: a `Dut` owns its model and context; Verilator keeps no thread affinity between calls
// when, as here, every context is used by one thread at a time (`&mut self`).
unsafe impl Send for Dut {}

impl Dut {
    /// Opens the top `name` (see `sim/build.rs`), with registers started from a fixed seed.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when this build has no such top: no Verilator, or a block top
    /// without the feature `blocks`.
    pub fn new(name: &str) -> Result<Self> {
        Self::with_seed(name, 1)
    }

    /// As [`Dut::new`]; `seed` decides what registers without a reset hold at the start.
    ///
    /// # Errors
    /// As [`Dut::new`].
    pub fn with_seed(name: &str, seed: u32) -> Result<Self> {
        let Some((name, new)) = ffi::TOPS.iter().find(|(top, _)| *top == name) else {
            let cure = if ffi::TOPS.is_empty() {
                "run `make tools`, then build again"
            } else {
                "build with the feature `blocks` of zkria-sim and without ZKRIA_SIM_TOPS"
            };
            let what = format!("the simulated design {name}");
            return Err(Error::Unavailable {
                what,
                cure: cure.into(),
            });
        };
        // SAFETY: `new` is the constructor that the generated shim exports for this top.
        let raw = unsafe { new(seed) };
        if raw.is_null() {
            return Err(Error::unavailable(
                format!(
                    "the simulated design {name}: it cannot start for want of memory or threads"
                ),
                "raise the limits of the process (ulimit -v, ulimit -u), or use --backend cpu",
            ));
        }
        let mut dut = Self {
            raw,
            ports: ffi::ports(raw),
            name,
            cycle: 0,
            failed: false,
            rst_ni: None,
        };
        dut.rst_ni = dut.find("rst_ni");
        Ok(dut)
    }

    /// The top's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Rising edges since the start.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Whether an assertion of the RTL has failed; its message went to standard output.
    pub fn failed(&self) -> bool {
        self.failed
    }

    /// A port by name, if the top has it.
    pub fn find(&self, name: &str) -> Option<PortId> {
        self.ports.iter().position(|p| p.name() == name).map(PortId)
    }

    /// A port by name.
    ///
    /// # Panics
    /// When the top has no such port: names are written in our own source.
    pub fn port(&self, name: &str) -> PortId {
        self.find(name).unwrap_or_else(|| {
            let names: Vec<_> = self.ports.iter().map(RawPort::name).collect();
            panic!(
                "{} has no port {name}; it has {}",
                self.name,
                names.join(", ")
            )
        })
    }

    /// Width of a port in bits.
    pub fn bits(&self, port: PortId) -> u32 {
        self.ports[port.0].bits()
    }

    /// Sets an input of at most 64 bits; higher bits of `value` are cut off, higher words zeroed.
    pub fn set_u64(&mut self, port: PortId, value: u64) {
        self.ports[port.0].write(&[value as u32, (value >> 32) as u32]);
    }

    /// Sets an input from little-endian 32-bit words; missing words are zero, extra bits cut off.
    pub fn set(&mut self, port: PortId, words: &[u32]) {
        self.ports[port.0].write(words);
    }

    /// The low 64 bits of a port.
    pub fn get_u64(&self, port: PortId) -> u64 {
        let mut words = [0; 2];
        self.ports[port.0].read(&mut words);
        u64::from(words[0]) | u64::from(words[1]) << 32
    }

    /// Whether a port is not zero in its low 64 bits; for one-bit handshakes.
    pub fn is_set(&self, port: PortId) -> bool {
        self.get_u64(port) != 0
    }

    /// All words of a port, little-endian.
    pub fn get(&self, port: PortId) -> Vec<u32> {
        let mut words = vec![0; self.bits(port).div_ceil(32) as usize];
        self.ports[port.0].read(&mut words);
        words
    }

    /// The words of a port into `out`; words past the port's width are zero.
    pub fn get_into(&self, port: PortId, out: &mut [u32]) {
        self.ports[port.0].read(out);
    }

    /// Evaluates with the clock low: outputs now answer to the inputs just set.
    pub fn settle(&mut self) {
        // SAFETY: `raw` is the live model made in `with_seed`, and `&mut self` makes us its only user.
        self.failed |= unsafe { ffi::zkria_dut_settle(self.raw) } != 0;
    }

    /// One rising edge of `clk_i`.
    pub fn tick(&mut self) {
        // SAFETY: as in `settle`.
        self.failed |= unsafe { ffi::zkria_dut_tick(self.raw) } != 0;
        self.cycle += 1;
    }

    /// Holds `rst_ni` low for `cycles` edges, then releases it.
    ///
    /// # Panics
    /// When the top has no reset.
    pub fn reset(&mut self, cycles: u32) {
        let rst_ni = self.rst_ni.expect("the top has rst_ni");
        self.set_u64(rst_ni, 0);
        for _ in 0..cycles {
            self.settle();
            self.tick();
        }
        self.set_u64(rst_ni, 1);
        self.settle();
    }

    /// Writes a waveform of everything from now on.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when built without the feature `trace`, [`Error::Io`] when the file
    /// cannot be written.
    pub fn trace(&mut self, file: &Path) -> Result<()> {
        if !cfg!(feature = "trace") {
            return Err(Error::Unavailable {
                what: "waveform writing".into(),
                cure: "build with `--features trace`".into(),
            });
        }
        let io_error = |source| Error::Io {
            path: file.into(),
            source,
        };
        // Verilator reports no reason, so the system is asked for it here.
        std::fs::File::create(file).map_err(io_error)?;
        let path = CString::new(file.as_os_str().as_encoded_bytes())
            .map_err(|_| io_error(std::io::ErrorKind::InvalidInput.into()))?;
        // SAFETY: `raw` is live and `path` is a C string that outlives the call.
        let opened = unsafe { ffi::zkria_dut_trace_open(self.raw, path.as_ptr()) };
        if opened == 0 {
            Err(io_error(std::io::ErrorKind::Other.into()))
        } else {
            Ok(())
        }
    }

    /// Ends the waveform, so that the file is whole.
    pub fn end_trace(&mut self) {
        // SAFETY: `raw` is live; without a waveform this does nothing.
        unsafe { ffi::zkria_dut_trace_close(self.raw) }
    }
}

impl Drop for Dut {
    fn drop(&mut self) {
        // SAFETY: `raw` came from the top's constructor and is freed once, here.
        unsafe { ffi::zkria_dut_free(self.raw) }
    }
}
