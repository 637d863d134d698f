//! Random-stalling ends of a valid/ready stream, for block tests.
//!
//! Both follow the cycle protocol of [`crate::dut`]: `drive` sets inputs before `settle`,
//! `sample` looks at the handshake after it; the edge follows.

use std::collections::VecDeque;

use crate::dut::{Dut, PortId};

/// A small deterministic generator (splitmix64), so that a printed seed repeats a test.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Starts from `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// True in `percent` of 100 draws.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.next_u64() % 100 < u64::from(percent)
    }

    /// Uniform below `bound` (bias below 2^-32 for small bounds).
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next_u64() % bound
    }
}

/// Drives beats into a stream input of the design, each beat some ports' words.
pub struct Source {
    valid: PortId,
    ready: PortId,
    data: Vec<PortId>,
    beats: VecDeque<Vec<Vec<u32>>>,
    offering: bool,
    stall_percent: u32,
    rng: Rng,
}

impl Source {
    /// A source on `valid`/`ready` whose beats set the ports `data`; it pauses before a beat in
    /// `stall_percent` of the cycles.
    pub fn new(
        dut: &Dut,
        valid: &str,
        ready: &str,
        data: &[&str],
        stall_percent: u32,
        seed: u64,
    ) -> Self {
        Self {
            valid: dut.port(valid),
            ready: dut.port(ready),
            data: data.iter().map(|p| dut.port(p)).collect(),
            beats: VecDeque::new(),
            offering: false,
            stall_percent,
            rng: Rng::new(seed),
        }
    }

    /// Queues a beat: the words of each data port in order.
    pub fn push(&mut self, beat: Vec<Vec<u32>>) {
        self.beats.push_back(beat);
    }

    /// Beats not yet taken by the design.
    pub fn pending(&self) -> usize {
        self.beats.len()
    }

    /// Sets valid and data for this cycle. A beat once offered stays until it is taken.
    pub fn drive(&mut self, dut: &mut Dut) {
        if !self.offering && !self.beats.is_empty() && !self.rng.chance(self.stall_percent) {
            self.offering = true;
        }
        dut.set_u64(self.valid, u64::from(self.offering));
        if self.offering {
            for (port, words) in self.data.iter().zip(&self.beats[0]) {
                dut.set(*port, words);
            }
        } else {
            // Whoever reads data without valid reads garbage.
            for port in &self.data {
                dut.set(*port, &[0xdead_beef; 16]);
            }
        }
    }

    /// After `settle`: whether the beat is taken at the coming edge; then it is popped.
    pub fn sample(&mut self, dut: &Dut) -> Option<Vec<Vec<u32>>> {
        if self.offering && dut.is_set(self.ready) {
            self.offering = false;
            return self.beats.pop_front();
        }
        None
    }
}

/// Takes beats from a stream output of the design.
pub struct Sink {
    valid: PortId,
    ready: PortId,
    data: Vec<PortId>,
    stall_percent: u32,
    rng: Rng,
    willing: bool,
}

impl Sink {
    /// A sink that is not ready in `stall_percent` of the cycles.
    pub fn new(
        dut: &Dut,
        valid: &str,
        ready: &str,
        data: &[&str],
        stall_percent: u32,
        seed: u64,
    ) -> Self {
        Self {
            valid: dut.port(valid),
            ready: dut.port(ready),
            data: data.iter().map(|p| dut.port(p)).collect(),
            stall_percent,
            rng: Rng::new(seed),
            willing: false,
        }
    }

    /// Sets ready for this cycle.
    pub fn drive(&mut self, dut: &mut Dut) {
        self.willing = !self.rng.chance(self.stall_percent);
        dut.set_u64(self.ready, u64::from(self.willing));
    }

    /// After `settle`: the beat taken at the coming edge, the words of each data port.
    pub fn sample(&mut self, dut: &Dut) -> Option<Vec<Vec<u32>>> {
        if self.willing && dut.is_set(self.valid) {
            return Some(self.data.iter().map(|p| dut.get(*p)).collect());
        }
        None
    }
}
