//! The microcode in time: when the adder takes beats, how long additions take, at what rate.

use super::{Instr, Kind, PC_CANCEL, PC_DOUBLE, REGS, Reg, microcode};
use crate::fp_addsub::{AddsubUnit, Op};
use crate::fp_mul::MulUnit;

/// Input beats of an addition.
const IN_BEATS: usize = 5;

/// A result beat as the block's output shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beat {
    /// The tag given with the addition's first beat.
    pub tag: u64,
    /// 0 X3, 1 Y3, 2 Z3.
    pub idx: u8,
    /// The sum is infinity; this is its only beat.
    pub empty: bool,
}

impl Beat {
    /// Whether this is the addition's last beat.
    pub fn last(&self) -> bool {
        self.empty || self.idx == 2
    }
}

#[derive(Clone, Copy, Debug)]
struct Ctx {
    active: bool,
    /// First cycle in which the instruction at `pc` may issue.
    fetched_at: u64,
    pc: usize,
    busy: [bool; REGS],
    kind: Kind,
    tag: u64,
}

/// A register of a context.
type Dest = (usize, usize);

/// The block's control, cycle by cycle: give [`PointAddSim::step`] what the neighbours offer, read
/// [`PointAddSim::in_ready`] and [`PointAddSim::out`] before it. Values play no part but for the
/// way an addition takes, which is given with it.
#[derive(Clone, Debug)]
pub struct PointAddSim {
    ctxs: Vec<Ctx>,
    head: usize,
    tail: usize,
    beat: usize,
    mul: [MulUnit<Dest>; 2],
    addsub: AddsubUnit<Dest>,
    /// The result beat and the cycle in which it shows.
    out: Option<(u64, Beat)>,
    cycle: u64,
}

impl PointAddSim {
    /// A block just out of reset, with `num_ctx` contexts (the RTL's `NumCtx`).
    ///
    /// # Panics
    /// When `num_ctx` is 0.
    pub fn new(num_ctx: usize) -> Self {
        assert!(num_ctx > 0, "at least one context");
        let ctx = Ctx {
            active: false,
            fetched_at: 0,
            pc: 0,
            busy: [false; REGS],
            kind: Kind::Add,
            tag: 0,
        };
        Self {
            ctxs: vec![ctx; num_ctx],
            head: 0,
            tail: 0,
            beat: 0,
            mul: Default::default(),
            addsub: AddsubUnit::default(),
            out: None,
            cycle: 0,
        }
    }

    /// Cycles since reset.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Whether a result waits for the write port now; they go before input beats.
    fn result_waits(&self) -> bool {
        self.results().contains(&true)
    }

    /// Which results show in this cycle: of either multiplier and of the adder. One is written
    /// back a cycle, the first of them.
    pub fn results(&self) -> [bool; 3] {
        let [mul0, mul1] = [0, 1].map(|i| self.mul[i].product(self.cycle).is_some());
        [mul0, mul1, self.addsub.result(self.cycle).is_some()]
    }

    /// `in_ready_o` in this cycle.
    pub fn in_ready(&self) -> bool {
        (self.beat != 0 || !self.ctxs[self.tail].active) && !self.result_waits()
    }

    /// The result beat shown in this cycle.
    pub fn out(&self) -> Option<Beat> {
        self.out.filter(|o| o.0 <= self.cycle).map(|o| o.1)
    }

    /// Whether no addition is inside.
    pub fn is_idle(&self) -> bool {
        self.ctxs.iter().all(|c| !c.active) && self.out.is_none()
    }

    /// One cycle. `input`: a beat is offered, of an addition with this tag and way (only the first
    /// beat's count); it is taken when [`PointAddSim::in_ready`]. `out_ready`: the neighbour takes
    /// the beat of [`PointAddSim::out`].
    pub fn step(&mut self, input: Option<(u64, Kind)>, out_ready: bool) {
        let now = self.cycle;
        let input = input.filter(|_| self.in_ready());
        let grant = self.grant();
        let out_taken = out_ready && self.out().is_some();

        // Write stage: one value a cycle.
        let written = if let Some(m) = self.mul.iter_mut().find(|m| m.product(now).is_some()) {
            let dest = m.product(now);
            m.take_product(now);
            dest
        } else if let Some(dest) = self.addsub.result(now) {
            self.addsub.take_result(now);
            Some(dest)
        } else {
            None
        };

        if out_taken {
            self.out = None;
        }
        if let Some(c) = grant {
            self.issue(c);
        }
        if let Some((ctx, reg)) = written {
            self.ctxs[ctx].busy[reg] = false;
        }
        if let Some((tag, kind)) = input {
            let ctx = &mut self.ctxs[self.tail];
            if self.beat == 0 {
                *ctx = Ctx {
                    active: true,
                    fetched_at: now + 2,
                    pc: 0,
                    busy: [true, true, true, true, true, false, false, false],
                    kind,
                    tag,
                };
            }
            ctx.busy[self.beat] = false;
            self.beat += 1;
            if self.beat == IN_BEATS {
                self.beat = 0;
                self.tail = (self.tail + 1) % self.ctxs.len();
            }
        }
        self.cycle += 1;
    }

    /// The context that issues now: the oldest that can.
    fn grant(&self) -> Option<usize> {
        let n = self.ctxs.len();
        (0..n)
            .map(|k| (self.head + k) % n)
            .find(|&c| self.can_issue(c))
    }

    fn can_issue(&self, c: usize) -> bool {
        let ctx = &self.ctxs[c];
        if !ctx.active || self.cycle < ctx.fetched_at {
            return false;
        }
        let settled = |regs: &[Reg]| regs.iter().all(|r| !ctx.busy[*r as usize]);
        let out_free = c == self.head && self.out.is_none();
        match microcode(ctx.pc) {
            Instr::Mul(dst, a, b) => {
                settled(&[dst, a, b]) && self.mul.iter().any(|m| self.cycle >= m.ready_at())
            }
            Instr::Add(dst, a, b) | Instr::Sub(dst, a, b) => {
                settled(&[dst, a, b]) && self.addsub.ready(self.cycle)
            }
            Instr::Fin(reg, _) => settled(&[reg]) && self.addsub.ready(self.cycle),
            Instr::Branch(a, b) => settled(&[a, b]),
            Instr::Out(reg, idx) => {
                out_free && settled(&[reg]) && (idx != 2 || ctx.busy == [false; REGS])
            }
            Instr::OutEmpty => out_free && ctx.busy == [false; REGS],
        }
    }

    fn issue(&mut self, c: usize) {
        // The read stage feeds the unit one cycle after the grant.
        let fed = self.cycle + 1;
        let num_ctx = self.ctxs.len();
        let ctx = &mut self.ctxs[c];
        let instr = microcode(ctx.pc);
        ctx.pc += 1;
        ctx.fetched_at = fed;
        let beat = match instr {
            Instr::Mul(dst, ..) => {
                ctx.busy[dst as usize] = true;
                let unit = self.mul.iter_mut().find(|m| self.cycle >= m.ready_at());
                let unit = unit.expect("can_issue saw a free multiplier");
                unit.take_operands(fed, (c, dst as usize));
                return;
            }
            Instr::Add(dst, ..) | Instr::Sub(dst, ..) | Instr::Fin(dst, _) => {
                ctx.busy[dst as usize] = true;
                let op = match instr {
                    Instr::Fin(..) => Op::FinalSub,
                    // Both lazy operations take as long.
                    _ => Op::LazySub,
                };
                self.addsub.take_operands(fed, op, (c, dst as usize));
                return;
            }
            Instr::Branch(..) => {
                match ctx.kind {
                    Kind::Add => return,
                    Kind::Double => ctx.pc = PC_DOUBLE,
                    Kind::Cancel => ctx.pc = PC_CANCEL,
                }
                ctx.fetched_at = self.cycle + 2;
                return;
            }
            Instr::Out(_, idx) => Beat {
                tag: ctx.tag,
                idx,
                empty: false,
            },
            Instr::OutEmpty => Beat {
                tag: ctx.tag,
                idx: 0,
                empty: true,
            },
        };
        self.out = Some((self.cycle + 2, beat));
        if beat.last() {
            ctx.active = false;
            self.head = (self.head + 1) % num_ctx;
        }
    }

    /// How many cycles from now nothing can happen without an input beat: steps up to then are
    /// the same as [`PointAddSim::skip`]. 0 when something may happen now.
    pub fn quiet_cycles(&self) -> u64 {
        if self.result_waits() || self.out.is_some() || self.grant().is_some() {
            return 0;
        }
        let units = self
            .mul
            .iter()
            .flat_map(|m| [m.valid_at(), Some(m.ready_at())]);
        let fetches = self.ctxs.iter().filter(|c| c.active);
        units
            .flatten()
            .chain(self.addsub.valid_at())
            .chain(fetches.map(|c| c.fetched_at))
            .filter(|at| *at > self.cycle)
            .min()
            .map_or(u64::MAX, |at| at - self.cycle)
    }

    /// Goes on by `cycles` without work.
    ///
    /// # Panics
    /// When that is more than [`PointAddSim::quiet_cycles`].
    pub fn skip(&mut self, cycles: u64) {
        assert!(cycles <= self.quiet_cycles(), "something happens before");
        self.cycle += cycles;
    }
}

/// Cycle in which the last result beat of each addition of one lane is taken, for additions whose
/// beats are offered from `start` on, in order, to a neighbour that is always ready.
///
/// # Panics
/// When `num_ctx` is 0.
pub fn completion_cycles(num_ctx: usize, additions: &[(u64, Kind)]) -> Vec<u64> {
    let mut sim = PointAddSim::new(num_ctx);
    let mut done = Vec::with_capacity(additions.len());
    let mut taken = 0;
    while done.len() < additions.len() {
        let next = additions.get(taken / IN_BEATS);
        let offer = next
            .filter(|(start, _)| sim.cycle() >= *start)
            .map(|(_, kind)| (0, *kind));
        if offer.is_none() || !sim.in_ready() {
            let until_start = next
                .filter(|_| offer.is_none())
                .map_or(u64::MAX, |(start, _)| start - sim.cycle());
            let quiet = sim.quiet_cycles().min(until_start);
            if quiet > 0 && quiet < u64::MAX {
                sim.skip(quiet);
                continue;
            }
        }
        taken += usize::from(offer.is_some() && sim.in_ready());
        if sim.out().is_some_and(|b| b.last()) {
            done.push(sim.cycle());
        }
        sim.step(offer, true);
    }
    done
}

/// Cycles of one addition alone, from the first input beat taken to the last result beat taken,
/// both counted.
///
/// # Panics
/// When `num_ctx` is 0.
pub fn latency(num_ctx: usize, kind: Kind) -> u64 {
    completion_cycles(num_ctx, &[(0, kind)])[0] + 1
}

/// Cycles per addition of a lane that is never out of additions.
///
/// # Panics
/// When `num_ctx` is 0.
pub fn steady_interval(num_ctx: usize) -> f64 {
    const WARM_UP: usize = 512;
    const COUNTED: usize = 2048;
    // The last ones finish with the multipliers to themselves and do not count.
    const COOL_DOWN: usize = 16;
    let additions = [(0, Kind::Add); WARM_UP + COUNTED + COOL_DOWN];
    let done = completion_cycles(num_ctx, &additions);
    (done[WARM_UP + COUNTED - 1] - done[WARM_UP - 1]) as f64 / COUNTED as f64
}
