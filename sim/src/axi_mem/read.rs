//! AR and R of one port.

use std::collections::VecDeque;

use zkria_core::Result;

use super::{Arena, BEAT, Burst, Direction, Faults, Requests, Response, Timing};
use crate::dut::{Dut, PortId};
use crate::stream::Rng;

/// A read port of the memory: answers bursts in order.
pub struct ReadPort {
    number: usize,
    requests: Requests,
    valid: PortId,
    ready: PortId,
    data: PortId,
    resp: PortId,
    last: Option<PortId>,
    timing: Timing,
    rng: Rng,
    queue: VecDeque<Burst>,
    /// Beats of the burst in front already taken.
    taken: u32,
    offering: bool,
    /// What the design sees of `offering`: it follows at the next cycle.
    valid_now: bool,
    beats: u64,
}

impl ReadPort {
    /// The port whose signals start with `prefix` (`m_axi_pts`), number `number` for faults; the
    /// design may have `max_outstanding` bursts under way.
    pub fn new(
        dut: &Dut,
        prefix: &str,
        number: usize,
        max_outstanding: usize,
        timing: Timing,
    ) -> Self {
        Self {
            number,
            requests: Requests::new(dut, prefix, "ar", max_outstanding),
            valid: dut.port(&format!("{prefix}_rvalid_i")),
            ready: dut.port(&format!("{prefix}_rready_o")),
            data: dut.port(&format!("{prefix}_rdata_i")),
            resp: dut.port(&format!("{prefix}_rresp_i")),
            last: dut.find(&format!("{prefix}_rlast_i")),
            timing,
            rng: Rng::new(timing.seed ^ ((number as u64 + 1) << 32)),
            queue: VecDeque::new(),
            taken: 0,
            offering: false,
            valid_now: false,
            beats: 0,
        }
    }

    /// Bursts accepted so far.
    pub fn bursts(&self) -> u64 {
        self.requests.accepted
    }

    /// Beats delivered so far.
    pub fn beats(&self) -> u64 {
        self.beats
    }

    /// Whether nothing is under way.
    pub fn idle(&self) -> bool {
        self.queue.is_empty()
    }

    /// Forgets everything, as a reset of the interconnect does.
    pub fn reset(&mut self, dut: &mut Dut) {
        self.requests.reset(dut);
        self.queue.clear();
        self.taken = 0;
        self.offering = false;
        self.valid_now = false;
        dut.set_u64(self.valid, 0);
    }

    /// Sets this cycle's inputs of the design.
    #[inline]
    pub fn drive(&mut self, dut: &mut Dut, memory: &Arena, faults: &Faults) {
        let stalls = self.timing.stall_percent;
        let willing = stalls == 0 || !self.rng.chance(stalls);
        self.requests.drive(dut, willing);
        if !self.offering
            && let Some(burst) = self.queue.front().copied()
            && dut.cycle() >= burst.due
            && (stalls == 0 || !self.rng.chance(stalls))
        {
            self.offering = true;
            self.offer(dut, memory, faults, burst);
        }
        if self.offering != self.valid_now {
            self.valid_now = self.offering;
            dut.set_u64(self.valid, u64::from(self.offering));
        }
    }

    fn offer(&self, dut: &mut Dut, memory: &Arena, faults: &Faults, burst: Burst) {
        let address = burst.address + u64::from(self.taken) * BEAT as u64;
        let fault = faults.find(
            self.number,
            Direction::Read,
            burst.index,
            address,
            BEAT as u64,
        );
        let mut words = [0xdead_beef; 4];
        let resp = match (fault, memory.slice(address, BEAT)) {
            (Some(response), _) => response.bits(),
            (None, None) => Response::Decode.bits(),
            (None, Some(bytes)) => {
                for (word, chunk) in words.iter_mut().zip(bytes.chunks_exact(4)) {
                    *word = u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]);
                }
                0
            }
        };
        dut.set(self.data, &words);
        dut.set_u64(self.resp, resp);
        if let Some(last) = self.last {
            dut.set_u64(last, u64::from(self.taken + 1 == burst.beats));
        }
    }

    /// Looks at the handshakes of the coming edge.
    ///
    /// # Errors
    /// A breach of the protocol by the design.
    #[inline]
    pub fn sample(&mut self, dut: &Dut) -> Result<()> {
        if self.offering && dut.is_set(self.ready) {
            self.offering = false;
            self.beats += 1;
            self.taken += 1;
            if self.taken == self.queue[0].beats {
                self.taken = 0;
                self.queue.pop_front();
            }
        }
        if let Some((address, beats)) = self.requests.sample(dut, self.queue.len())? {
            let due = dut.cycle() + 1 + self.timing.latency(&mut self.rng);
            self.queue.push_back(Burst {
                address,
                beats,
                index: self.requests.accepted - 1,
                due,
            });
        }
        Ok(())
    }
}
