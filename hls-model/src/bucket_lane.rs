//! `zk_bucket_lane` in time: what each token costs, on top of the adder's schedule.
//!
//! Token level: a token reads x and y through the shared port, loads an empty bucket or starts an
//! addition, or first waits for its bucket's addition to end. Sums that cancel are not modelled
//! (random points do not).
//!
//! The adder is reduced to two figures of [`crate::point_add`]: its latency alone and the interval
//! it sustains. An addition ends `latency` after its start or `interval` after the one before,
//! whichever is later; a test holds this to the cycle-accurate schedule.

use std::collections::VecDeque;

use crate::dispatch::{Dispatch, ReadPort};
use crate::point_add::{self, Kind};

/// The adder of one lane: `contexts` additions at a time.
#[derive(Clone, Debug)]
pub struct Adder {
    interval: u64,
    latency: u64,
    /// Last cycles of the additions that may still hold a context, oldest first.
    ends: VecDeque<u64>,
    contexts: usize,
    last_end: u64,
}

impl Adder {
    /// An idle adder with the schedule of [`crate::point_add`].
    ///
    /// # Panics
    /// When `contexts` is 0.
    pub fn new(contexts: usize) -> Self {
        Self::with_schedule(contexts, &Schedule::new(contexts))
    }

    fn with_schedule(contexts: usize, schedule: &Schedule) -> Self {
        Self {
            interval: schedule.interval,
            latency: schedule.latency,
            ends: VecDeque::from(vec![0; contexts]),
            contexts,
            last_end: 0,
        }
    }

    /// First cycle from `cycle` on in which a context takes a first beat. A context is free one
    /// cycle before the last beat of its sum shows.
    pub fn ready(&self, cycle: u64) -> u64 {
        let oldest = self.ends[self.ends.len() - self.contexts];
        cycle.max(oldest.saturating_sub(1))
    }

    /// Starts an addition in a cycle that [`Adder::ready`] gave; the cycle of its last result.
    pub fn start(&mut self, cycle: u64) -> u64 {
        self.last_end = (cycle + self.latency - 1).max(self.last_end + self.interval);
        self.ends.pop_front();
        self.ends.push_back(self.last_end);
        self.last_end
    }
}

/// The two figures that stand for the adder's microcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Cycles per addition when it is never out of work, rounded.
    pub interval: u64,
    /// Cycles of an addition alone.
    pub latency: u64,
}

impl Schedule {
    /// The schedule of an adder with `contexts` contexts.
    ///
    /// # Panics
    /// When `contexts` is 0.
    pub fn new(contexts: usize) -> Self {
        Self {
            interval: point_add::steady_interval(contexts).round() as u64,
            latency: point_add::latency(contexts, Kind::Add),
        }
    }
}

/// What a lane has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneCounts {
    /// Additions started.
    pub additions: u64,
    /// Empty buckets loaded.
    pub loads: u64,
    /// Cycles in which a token waited for its bucket's addition.
    pub stalls: u64,
}

/// What a lane asks the shared port for next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ask {
    X,
    Y,
}

/// One lane, from token to token.
#[derive(Clone, Debug)]
pub struct Lane<'a> {
    digits: &'a [u16],
    full: Vec<bool>,
    adder: Adder,
    /// Buckets in flight with the last cycle of their additions.
    in_flight: VecDeque<(u16, u64)>,
    /// Entry to look at next, and the first cycle for it.
    next: usize,
    look: u64,
    /// A token is held: what it asks for and from when on.
    ask: Option<(u64, Ask)>,
    /// Cycle in which the held token became visible.
    visible: u64,
    idle: u64,
    counts: LaneCounts,
}

impl<'a> Lane<'a> {
    /// A lane with `buckets` empty buckets and the digits of its window in point order.
    pub fn new(digits: &'a [u16], buckets: usize, contexts: usize, schedule: &Schedule) -> Self {
        Self {
            digits,
            full: vec![false; buckets],
            adder: Adder::with_schedule(contexts, schedule),
            in_flight: VecDeque::new(),
            next: 0,
            look: 0,
            ask: None,
            visible: 0,
            idle: 0,
            counts: LaneCounts::default(),
        }
    }

    /// What was counted so far.
    pub fn counts(&self) -> LaneCounts {
        self.counts
    }

    /// First cycle in which the lane rests, once all tokens are gone.
    pub fn idle_cycle(&self) -> u64 {
        self.idle
    }

    /// Looks for the next token among the pushed points. Returns whether the lane moved.
    pub fn look(&mut self, dispatch: &mut Dispatch) -> bool {
        let before = self.next;
        while self.ask.is_none() && self.next < self.digits.len() {
            let Some(pushed) = dispatch.push_cycle(self.next) else {
                break;
            };
            let cycle = self.look.max(pushed + 1);
            let entry = self.next;
            self.next += 1;
            self.look = cycle + 1;
            if self.digits[entry] == 0 {
                dispatch.pass(entry, cycle + 1);
                self.idle = self.idle.max(cycle + 1);
            } else {
                self.visible = cycle + 1;
                self.ask = Some((cycle + 1, Ask::X));
            }
        }
        self.next != before
    }

    /// When the lane wants the read port; `None` while it has no token.
    pub fn wants_port(&self) -> Option<u64> {
        self.ask.map(|(cycle, _)| cycle)
    }

    /// Grants the port and goes on to the token's next want, or past it.
    ///
    /// # Panics
    /// When the lane wants nothing.
    pub fn take_port(&mut self, port: &mut ReadPort, dispatch: &mut Dispatch) {
        let (cycle, ask) = self.ask.take().expect("the lane wants the port");
        // Granted, on the bus, held.
        let have = port.grant(cycle) + 2;
        match ask {
            Ask::X => {
                let used = self.use_x(have);
                self.ask = Some((used + 1, Ask::Y));
            }
            Ask::Y => {
                // The token is given up with y.
                dispatch.pass(self.next - 1, have + 1);
                self.look = have;
                self.idle = self.idle.max(have + 1);
            }
        }
    }

    /// Decides what to do with the token; the cycle in which its x is used.
    fn use_x(&mut self, have: u64) -> u64 {
        let digit = self.digits[self.next - 1];
        let busy = self.in_flight.iter().find(|(bucket, _)| *bucket == digit);
        let decode = busy.map_or(self.visible, |(_, end)| self.visible.max(end + 1));
        self.counts.stalls += decode - self.visible;
        let full = &mut self.full[usize::from(digit)];
        if !*full {
            *full = true;
            self.counts.loads += 1;
            return have.max(decode + 1);
        }
        self.counts.additions += 1;
        let start = self.adder.ready(decode + 1);
        let end = self.adder.start(start);
        self.in_flight.retain(|(_, end)| *end >= start);
        self.in_flight.push_back((digit, end));
        self.idle = self.idle.max(end + 1);
        // X1, Y1, Z1 go first.
        have.max(start + 3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point_add::completion_cycles;

    /// The two figures against the schedule itself: saturated, sparse, and in between.
    #[test]
    fn adder_ends_as_the_schedule_says() {
        for contexts in [1, 2, 3] {
            for gap in [0, 300, 500, 640, 700, 900] {
                let wanted: Vec<u64> = (0..400).map(|i| 10 + i * gap).collect();
                let exact = completion_cycles(
                    contexts,
                    &wanted.iter().map(|w| (*w, Kind::Add)).collect::<Vec<_>>(),
                );
                let mut adder = Adder::new(contexts);
                let mut free = 0;
                let mut end = 0;
                for cycle in wanted {
                    let start = adder.ready(cycle.max(free));
                    free = start + 5;
                    end = adder.start(start);
                }
                let last = exact[399];
                let off = (end as f64 - last as f64) / last as f64;
                assert!(
                    off.abs() < 0.006,
                    "{contexts} contexts, gap {gap}: {end}, exact {last}"
                );
            }
        }
    }

    fn run(digits: &[u16]) -> Lane<'_> {
        let mut dispatch = Dispatch::new(digits.len(), 256, 1, 0);
        let mut port = ReadPort::default();
        let mut lane = Lane::new(digits, 32, 2, &Schedule::new(2));
        lane.look(&mut dispatch);
        while lane.wants_port().is_some() {
            lane.take_port(&mut port, &mut dispatch);
            lane.look(&mut dispatch);
        }
        lane
    }

    #[test]
    fn loads_take_six_cycles_and_zeros_none() {
        let digits: Vec<u16> = (1..31).collect();
        let lane = run(&digits);
        assert_eq!(
            lane.counts(),
            LaneCounts {
                loads: 30,
                ..Default::default()
            }
        );
        // The first point is there after four beats; then pushes (4 cycles) outrun loads (6).
        assert_eq!(lane.idle_cycle(), 3 + 2 + 6 * 30);
        let zeros = run(&[0; 100]);
        assert_eq!(zeros.counts(), LaneCounts::default());
        assert_eq!(zeros.idle_cycle(), 399 + 2);
    }

    #[test]
    fn one_bucket_is_one_addition_after_another() {
        let lane = run(&[7; 50]);
        let counts = lane.counts();
        assert_eq!((counts.loads, counts.additions), (1, 49));
        let latency = Schedule::new(2).latency;
        assert!(
            lane.idle_cycle() >= 49 * latency,
            "{} cycles",
            lane.idle_cycle()
        );
        assert!(
            counts.stalls > 48 * (latency - 20),
            "{} stalls",
            counts.stalls
        );
    }
}
