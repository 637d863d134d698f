//! AW, W and B of one port.

use std::collections::VecDeque;

use zkria_core::Result;

use super::{Arena, BEAT, Burst, Direction, Faults, Requests, Response, Timing, breach};
use crate::dut::{Dut, PortId};
use crate::stream::Rng;

/// A write port of the memory: takes bursts in order and answers each.
pub struct WritePort {
    name: String,
    number: usize,
    requests: Requests,
    w_valid: PortId,
    w_ready: PortId,
    w_data: PortId,
    w_strb: Option<PortId>,
    w_last: Option<PortId>,
    b_valid: PortId,
    b_ready: PortId,
    b_resp: PortId,
    timing: Timing,
    rng: Rng,
    /// Bursts whose data is not complete.
    queue: VecDeque<Burst>,
    taken: u32,
    /// The worst response of the burst in front so far.
    response: Option<Response>,
    w_ready_now: bool,
    w_held: Option<([u32; 4], bool)>,
    /// Responses to give: cycle and bits.
    responses: VecDeque<(u64, u64)>,
    offering: bool,
    b_valid_now: bool,
    beats: u64,
}

impl WritePort {
    /// The port whose signals start with `prefix` (`m_axi_res`), see [`super::ReadPort::new`].
    pub fn new(
        dut: &Dut,
        prefix: &str,
        number: usize,
        max_outstanding: usize,
        timing: Timing,
    ) -> Self {
        let port = |name: &str| dut.port(&format!("{prefix}_{name}"));
        Self {
            name: format!("{prefix}_w"),
            number,
            requests: Requests::new(dut, prefix, "aw", max_outstanding),
            w_valid: port("wvalid_o"),
            w_ready: port("wready_i"),
            w_data: port("wdata_o"),
            w_strb: dut.find(&format!("{prefix}_wstrb_o")),
            w_last: dut.find(&format!("{prefix}_wlast_o")),
            b_valid: port("bvalid_i"),
            b_ready: port("bready_o"),
            b_resp: port("bresp_i"),
            timing,
            rng: Rng::new(timing.seed ^ ((number as u64 + 1) << 40)),
            queue: VecDeque::new(),
            taken: 0,
            response: None,
            w_ready_now: false,
            w_held: None,
            responses: VecDeque::new(),
            offering: false,
            b_valid_now: false,
            beats: 0,
        }
    }

    /// Bursts accepted so far.
    pub fn bursts(&self) -> u64 {
        self.requests.accepted
    }

    /// Beats taken so far.
    pub fn beats(&self) -> u64 {
        self.beats
    }

    /// Whether nothing is under way.
    pub fn idle(&self) -> bool {
        self.queue.is_empty() && self.responses.is_empty()
    }

    /// Forgets everything, as a reset of the interconnect does.
    pub fn reset(&mut self, dut: &mut Dut) {
        self.requests.reset(dut);
        self.queue.clear();
        self.responses.clear();
        self.taken = 0;
        self.response = None;
        self.w_ready_now = false;
        self.w_held = None;
        self.offering = false;
        self.b_valid_now = false;
        dut.set_u64(self.w_ready, 0);
        dut.set_u64(self.b_valid, 0);
    }

    /// Sets this cycle's inputs of the design.
    #[inline]
    pub fn drive(&mut self, dut: &mut Dut) {
        let stalls = self.timing.stall_percent;
        let mut willing = || stalls == 0 || !self.rng.chance(stalls);
        let (aw, w, b) = (willing(), willing(), willing());
        self.requests.drive(dut, aw);
        if w != self.w_ready_now {
            self.w_ready_now = w;
            dut.set_u64(self.w_ready, u64::from(w));
        }
        if !self.offering
            && b
            && let Some((due, bits)) = self.responses.front().copied()
            && dut.cycle() >= due
        {
            self.offering = true;
            dut.set_u64(self.b_resp, bits);
        }
        if self.offering != self.b_valid_now {
            self.b_valid_now = self.offering;
            dut.set_u64(self.b_valid, u64::from(self.offering));
        }
    }

    /// Looks at the handshakes of the coming edge.
    ///
    /// # Errors
    /// A breach of the protocol by the design.
    #[inline]
    pub fn sample(&mut self, dut: &Dut, memory: &mut Arena, faults: &Faults) -> Result<()> {
        if self.offering && dut.is_set(self.b_ready) {
            self.offering = false;
            self.responses.pop_front();
        }
        let outstanding = self.queue.len() + self.responses.len();
        if let Some((address, beats)) = self.requests.sample(dut, outstanding)? {
            self.queue.push_back(Burst {
                address,
                beats,
                index: self.requests.accepted - 1,
                due: 0,
            });
        }
        if dut.is_set(self.w_valid) {
            self.sample_data(dut, memory, faults)
        } else if self.w_held.is_some() {
            Err(breach(&self.name, dut, "valid fell before ready"))
        } else {
            Ok(())
        }
    }

    fn sample_data(&mut self, dut: &Dut, memory: &mut Arena, faults: &Faults) -> Result<()> {
        let mut words = [0; 4];
        dut.get_into(self.w_data, &mut words);
        let last = self.w_last.is_none_or(|last| dut.is_set(last));
        if self.w_held.is_some_and(|held| held != (words, last)) {
            return Err(breach(&self.name, dut, "a stalled beat changed"));
        }
        if !self.w_ready_now {
            self.w_held = Some((words, last));
            return Ok(());
        }
        self.w_held = None;
        self.beats += 1;
        // The engine promises W after AW, which not every interconnect needs.
        let Some(burst) = self.queue.front().copied() else {
            return Err(breach(&self.name, dut, "data before its request"));
        };
        let address = burst.address + u64::from(self.taken) * BEAT as u64;
        self.taken += 1;
        if last != (self.taken == burst.beats) {
            let what = format!("last is {last} on beat {} of {}", self.taken, burst.beats);
            return Err(breach(&self.name, dut, &what));
        }
        let fault = faults.find(
            self.number,
            Direction::Write,
            burst.index,
            address,
            BEAT as u64,
        );
        match (fault, memory.slice_mut(address, BEAT)) {
            (Some(response), _) => self.response = Some(response),
            (None, None) => self.response = Some(Response::Decode),
            (None, Some(bytes)) => {
                let strobes = self.w_strb.map_or(0xffff, |strb| dut.get_u64(strb));
                for (i, byte) in bytes.iter_mut().enumerate() {
                    if strobes >> i & 1 == 1 {
                        *byte = (words[i / 4] >> (8 * (i % 4))) as u8;
                    }
                }
            }
        }
        if last {
            self.taken = 0;
            self.queue.pop_front();
            let due = dut.cycle() + 1 + self.timing.latency(&mut self.rng);
            let bits = self.response.take().map_or(0, Response::bits);
            self.responses.push_back((due, bits));
        }
        Ok(())
    }
}
