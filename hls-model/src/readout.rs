//! `zk_readout` and the writing DMA behind it, in time: one beat a cycle as long as memory answers.
//!
//! Burst level: sixteen beats gather in the writer's FIFO, their burst is requested if fewer than
//! four are unanswered, data follows the request, the answer comes a memory latency later. At the
//! board's latency four bursts just about cover the round trip, so the writer, not the read-out,
//! sets the pace whenever answers are late.

use std::collections::VecDeque;

/// Beats of a whole burst.
pub const BURST_BEATS: u64 = 16;
/// Beats of a bucket: X, Y, Z, two each.
pub const BUCKET_BEATS: u64 = 6;

/// Memory behind the engine's ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Fewest cycles from request to first data, or from last data to the answer.
    pub latency_min: u64,
    /// Most of them; the model draws evenly, as the simulation's memory does.
    pub latency_max: u64,
}

impl Default for Memory {
    /// DDR behind a PS port at 100 MHz, as in the simulation.
    fn default() -> Self {
        Self {
            latency_min: 30,
            latency_max: 45,
        }
    }
}

impl Memory {
    /// The mean, rounded.
    pub fn latency(&self) -> u64 {
        u64::midpoint(self.latency_min, self.latency_max)
    }
}

/// The writing DMA over all batches of a job.
#[derive(Clone, Debug)]
pub struct Writer {
    memory: Memory,
    random: u64,
    unanswered: usize,
    fifo_bursts: usize,
    /// Last data cycle of the bursts that may still fill the FIFO, oldest first.
    sent: VecDeque<u64>,
    /// Answer cycles of the bursts that may still be unanswered, oldest first.
    answers: VecDeque<u64>,
    request: u64,
    beats: u64,
}

impl Writer {
    /// A writer with at most `unanswered` bursts in flight and a FIFO of `fifo_beats` beats.
    ///
    /// # Panics
    /// When the FIFO does not hold a burst, or none may be in flight.
    pub fn new(memory: Memory, unanswered: usize, fifo_beats: u64) -> Self {
        let fifo_bursts = usize::try_from(fifo_beats / BURST_BEATS).expect("a small FIFO");
        assert!(fifo_bursts > 0 && unanswered > 0, "room for a burst");
        Self {
            memory,
            random: 1,
            unanswered,
            fifo_bursts,
            sent: VecDeque::new(),
            answers: VecDeque::new(),
            request: 0,
            beats: 0,
        }
    }

    /// Beats taken so far.
    pub fn beats(&self) -> u64 {
        self.beats
    }

    /// Cycle in which everything taken is answered.
    pub fn end(&self) -> u64 {
        self.answers.back().copied().unwrap_or(0)
    }

    /// Takes `beats` beats that are offered from `cycle` on, one a cycle; the cycle after the
    /// last was taken. Batches are whole bursts (8 windows of 2047 buckets are), a rest is
    /// counted as one.
    pub fn take(&mut self, cycle: u64, beats: u64) -> u64 {
        self.beats += beats;
        let mut next = cycle;
        for burst in 0..beats.div_ceil(BURST_BEATS) {
            let len = BURST_BEATS.min(beats - burst * BURST_BEATS);
            // The last beat needs the room of the burst that fills the FIFO now.
            let mut gathered = next + len;
            if self.sent.len() == self.fifo_bursts
                && let Some(room) = self.sent.pop_front()
            {
                gathered = gathered.max(room + 1);
            }
            let mut request = gathered.max(self.request + 3);
            if self.answers.len() == self.unanswered
                && let Some(answer) = self.answers.pop_front()
            {
                request = request.max(answer + 1);
            }
            self.request = request;
            // Address, length queue, first beat.
            let first = (request + 3).max(self.sent.back().map_or(0, |sent| sent + 1));
            let last = first + len - 1;
            self.sent.push_back(last);
            let answer = (last + self.draw()).max(self.end() + 1);
            self.answers.push_back(answer);
            next = gathered;
        }
        next
    }

    fn draw(&mut self) -> u64 {
        self.random = self
            .random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let span = self.memory.latency_max - self.memory.latency_min + 1;
        self.memory.latency_min + (self.random >> 33) % span
    }
}

/// Beats of the buckets of `windows` windows of `window_bits` bits.
pub fn result_beats(windows: usize, window_bits: u32) -> u64 {
    windows as u64 * ((1 << window_bits) - 1) * BUCKET_BEATS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(latency: u64) -> f64 {
        let memory = Memory {
            latency_min: latency,
            latency_max: latency,
        };
        let mut writer = Writer::new(memory, 4, 64);
        writer.take(100, 160_000) as f64 / 160_000.0
    }

    #[test]
    fn fast_memory_takes_a_beat_a_cycle_and_slow_memory_four_bursts_a_round_trip() {
        assert!(rate(10) < 1.002, "{}", rate(10));
        // Request to answer: 3 + 16 - 1 + 200, and one more until the next request.
        let round_trip = 3.0 + 15.0 + 200.0 + 1.0;
        assert!(
            (rate(200) - round_trip / 64.0).abs() < 0.02,
            "{}",
            rate(200)
        );
    }

    #[test]
    fn a_batch_has_all_buckets() {
        assert_eq!(result_beats(24, 11) * 16, 24 * 2047 * 96);
        let mut writer = Writer::new(Memory::default(), 4, 64);
        writer.take(0, 40);
        assert_eq!(writer.beats(), 40);
        assert!(writer.end() > 40 + 30);
    }
}
