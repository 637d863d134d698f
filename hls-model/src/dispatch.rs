//! `zk_dispatch` in time: when points are pushed, who holds them back, and the shared read port.
//!
//! Token level: one event per point and lane. Cycle counts between events are those of the RTL
//! without stalls on its streams; `sim/tests/msm_core.rs` compares.

/// Beats of a point on the stream, which is also the fewest cycles between two pushes.
pub const POINT_BEATS: u64 = 4;

/// The RAM of points between stream and lanes.
#[derive(Clone, Debug)]
pub struct Dispatch {
    n: usize,
    depth: usize,
    lanes: u32,
    first_beat: u64,
    pushed: Vec<u64>,
    /// Per entry: lanes past it, and the cycle in which the last one was.
    passed: Vec<(u32, u64)>,
}

impl Dispatch {
    /// `n` points through a RAM of `depth`, for `lanes` lanes; the stream's first beat can be
    /// taken in cycle `first_beat`, one more every cycle.
    ///
    /// # Panics
    /// When `depth` or `lanes` is 0.
    pub fn new(n: usize, depth: usize, lanes: usize, first_beat: u64) -> Self {
        assert!(depth > 0 && lanes > 0, "a dispatcher has room and lanes");
        let lanes = u32::try_from(lanes).expect("at most fifteen lanes");
        let mut dispatch = Self {
            n,
            depth,
            lanes,
            first_beat,
            pushed: Vec::with_capacity(n),
            passed: vec![(0, 0); n],
        };
        dispatch.advance();
        dispatch
    }

    /// Cycle in which `entry` is pushed; `None` while a lane still holds the room for it.
    pub fn push_cycle(&self, entry: usize) -> Option<u64> {
        self.pushed.get(entry).copied()
    }

    /// A lane is past `entry`: its pointers show so from `cycle` on.
    pub fn pass(&mut self, entry: usize, cycle: u64) {
        let (count, last) = &mut self.passed[entry];
        *count += 1;
        *last = cycle.max(*last);
        if *count == self.lanes {
            self.advance();
        }
    }

    fn advance(&mut self) {
        while self.pushed.len() < self.n {
            let entry = self.pushed.len();
            let mut cycle = self.first_beat + POINT_BEATS * (entry as u64 + 1) - 1;
            if let Some(before) = self.pushed.last() {
                cycle = cycle.max(before + POINT_BEATS);
            }
            if let Some(reused) = entry.checked_sub(self.depth) {
                let (count, free) = self.passed[reused];
                if count < self.lanes {
                    return;
                }
                // Room shows in a register one cycle later; beats 1, 2 and 3 are still to come.
                cycle = cycle.max(free + 3);
            }
            self.pushed.push(cycle);
        }
    }
}

/// The read port: one grant a cycle, first come first served (the RTL's round-robin gives the
/// same waits within a few cycles).
#[derive(Clone, Debug, Default)]
pub struct ReadPort {
    free: u64,
}

impl ReadPort {
    /// Cycle of the grant for a request that starts in `cycle`; requests come in time order.
    pub fn grant(&mut self, cycle: u64) -> u64 {
        let grant = cycle.max(self.free);
        self.free = grant + 1;
        grant
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pushes_are_four_cycles_apart_until_the_ram_is_full() {
        let mut dispatch = Dispatch::new(6, 4, 2, 10);
        let pushes = |d: &Dispatch| (0..6).map(|e| d.push_cycle(e)).collect::<Vec<_>>();
        let four = [Some(13), Some(17), Some(21), Some(25), None, None];
        assert_eq!(pushes(&dispatch), four);
        dispatch.pass(0, 14);
        assert_eq!(pushes(&dispatch), four, "one lane of two is past entry 0");
        dispatch.pass(0, 100);
        assert_eq!(dispatch.push_cycle(4), Some(103));
        dispatch.pass(1, 60);
        dispatch.pass(1, 50);
        assert_eq!(dispatch.push_cycle(5), Some(107));
    }

    #[test]
    fn the_port_serves_one_a_cycle() {
        let mut port = ReadPort::default();
        assert_eq!([5, 5, 6, 20].map(|t| port.grant(t)), [5, 6, 7, 20]);
    }
}
