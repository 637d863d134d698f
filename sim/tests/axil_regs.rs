//! `zk_axil_regs`: every register's access kind, strobes, locks, interrupt, under random stalls
//! and with AW and W in any order.

use zkria_csr::regs::{self, ctrl, err, irq_status, reg, status};
use zkria_sim::dut::Dut;
use zkria_sim::stream::Rng;

struct Bench {
    dut: Dut,
    rng: Rng,
    /// Cycles in which a pulse output was high: abort, reset, head_clear, latch.
    pulses: [u32; 4],
}

const PULSES: [&str; 4] = ["abort_o", "reset_o", "head_clear_o", "latch_o"];
const INPUTS: [&str; 22] = [
    "s_axil_awvalid_i",
    "s_axil_wvalid_i",
    "s_axil_bready_i",
    "s_axil_arvalid_i",
    "s_axil_rready_i",
    "soft_reset_i",
    "busy_i",
    "resetting_i",
    "stopping_i",
    "core_busy_i",
    "window_i",
    "ring_head_i",
    "irq_done_i",
    "irq_error_i",
    "irq_ring_i",
    "err_valid_i",
    "cycles_i",
    "additions_i",
    "loads_i",
    "stalls_i",
    "bytes_read_i",
    "bytes_written_i",
];

impl Bench {
    fn new(seed: u64) -> Self {
        let mut dut =
            Dut::with_seed("zk_axil_regs", seed as u32).expect("built with the feature blocks");
        for name in INPUTS {
            let port = dut.port(name);
            dut.set_u64(port, 0);
        }
        dut.reset(3);
        Self {
            dut,
            rng: Rng::new(seed),
            pulses: [0; 4],
        }
    }

    fn set(&mut self, name: &str, value: u64) {
        let port = self.dut.port(name);
        self.dut.set_u64(port, value);
    }

    fn get(&self, name: &str) -> u64 {
        self.dut.get_u64(self.dut.port(name))
    }

    fn cycle(&mut self) {
        self.dut.settle();
        for (count, name) in self.pulses.iter_mut().zip(PULSES) {
            *count += self.dut.get_u64(self.dut.port(name)) as u32;
        }
        self.dut.tick();
        self.dut.settle();
        assert!(!self.dut.failed(), "an assertion of the RTL failed");
    }

    /// Raises an input for one cycle.
    fn pulse(&mut self, name: &str) {
        self.set(name, 1);
        self.cycle();
        self.set(name, 0);
    }

    /// A write; address and data come in any order, the response is taken late.
    fn write_strobed(&mut self, offset: u32, value: u32, strobes: u32) {
        let (aw_at, w_at, b_at) = (self.rng.below(4), self.rng.below(4), self.rng.below(4));
        let (mut aw, mut w, mut answered) = (false, false, None);
        for cycle in 0..40 {
            self.set("s_axil_awvalid_i", u64::from(!aw && cycle >= aw_at));
            self.set("s_axil_awaddr_i", u64::from(offset));
            self.set("s_axil_wvalid_i", u64::from(!w && cycle >= w_at));
            self.set("s_axil_wdata_i", u64::from(value));
            self.set("s_axil_wstrb_i", u64::from(strobes));
            self.dut.settle();
            let aw_now = !aw && cycle >= aw_at && self.get("s_axil_awready_o") == 1;
            let w_now = !w && cycle >= w_at && self.get("s_axil_wready_o") == 1;
            let b = self.get("s_axil_bvalid_o") == 1;
            assert!(!b || (aw && w), "answered before it was complete");
            if b && answered.is_none() {
                answered = Some(cycle);
                assert_eq!(self.get("s_axil_bresp_o"), 0);
            }
            let take = answered.is_some_and(|at| cycle >= at + b_at);
            self.set("s_axil_bready_i", u64::from(take));
            self.cycle();
            aw |= aw_now;
            w |= w_now;
            if take {
                self.set("s_axil_bready_i", 0);
                return;
            }
        }
        panic!("no response to a write at {offset:#x}");
    }

    fn write(&mut self, offset: u32, value: u32) {
        self.write_strobed(offset, value, 0xf);
    }

    fn read(&mut self, offset: u32) -> u32 {
        let wait = self.rng.below(4);
        self.set("s_axil_arvalid_i", 1);
        self.set("s_axil_araddr_i", u64::from(offset));
        self.dut.settle();
        assert_eq!(self.get("s_axil_arready_o"), 1, "idle");
        self.cycle();
        self.set("s_axil_arvalid_i", 0);
        self.set("s_axil_araddr_i", 0xffff);
        for _ in 0..10 {
            if self.get("s_axil_rvalid_o") == 1 {
                let value = self.get("s_axil_rdata_o") as u32;
                for _ in 0..wait {
                    self.cycle();
                }
                self.set("s_axil_rready_i", 1);
                assert_eq!(
                    (
                        self.get("s_axil_rdata_o") as u32,
                        self.get("s_axil_rresp_o")
                    ),
                    (value, 0)
                );
                self.cycle();
                self.set("s_axil_rready_i", 0);
                return value;
            }
            self.cycle();
        }
        panic!("no response to a read at {offset:#x}");
    }
}

#[test]
fn plain_registers_hold_what_is_written() {
    let mut bench = Bench::new(1);
    assert_eq!(bench.read(reg::ID), regs::ID_VALUE);
    assert_eq!(
        bench.read(reg::VERSION),
        regs::VERSION_MAJOR << 16 | regs::VERSION_MINOR
    );
    for offset in [reg::SCRATCH, reg::RING_LO, reg::RING_HI] {
        for _ in 0..40 {
            let value = bench.rng.next_u64() as u32;
            bench.write(offset, value);
            assert_eq!(bench.read(offset), value);
            let (other, strobes) = (bench.rng.next_u64() as u32, bench.rng.below(16) as u32);
            bench.write_strobed(offset, other, strobes);
            let mask = (0..4)
                .map(|i| (strobes >> i & 1) * (0xff << (8 * i)))
                .sum::<u32>();
            assert_eq!(
                bench.read(offset),
                value & !mask | other & mask,
                "strobes {strobes:#x}"
            );
        }
    }
    assert_eq!(
        bench.get("ring_addr_o") >> 32,
        u64::from(bench.read(reg::RING_HI))
    );
}

#[test]
fn read_only_and_unknown_offsets_ignore_writes() {
    let mut bench = Bench::new(2);
    let known = [
        reg::SCRATCH,
        reg::CTRL,
        reg::IRQ_STATUS,
        reg::IRQ_ENABLE,
        reg::RING_LO,
        reg::RING_HI,
    ];
    let known = [&known[..], &[reg::RING_ENTRIES, reg::RING_TAIL]].concat();
    let before: Vec<u32> = (0..0x400).map(|w| bench.read(4 * w)).collect();
    for word in 0..0x400u32 {
        if !known.contains(&(4 * word)) {
            bench.write(4 * word, u32::MAX);
        }
    }
    // Outside the page, and inside it through an alias.
    for offset in [0x1000 + reg::SCRATCH, 0xf000 + reg::SCRATCH, 0x800c] {
        bench.write(offset, 0x1234_5678);
        assert_eq!(bench.read(offset), 0);
    }
    let after: Vec<u32> = (0..0x400).map(|w| bench.read(4 * w)).collect();
    assert_eq!(before, after);
    // The two lowest address bits do not count.
    bench.write(reg::SCRATCH + 3, 7);
    assert_eq!(bench.read(reg::SCRATCH + 1), 7);
}

#[test]
fn interrupts_are_levels_that_only_the_host_clears() {
    let mut bench = Bench::new(3);
    for (bit, cause) in ["irq_done_i", "irq_error_i", "irq_ring_i"]
        .into_iter()
        .enumerate()
    {
        let mask = 1 << bit;
        bench.write(reg::IRQ_ENABLE, 7 & !mask);
        bench.pulse(cause);
        assert_eq!(bench.read(reg::IRQ_STATUS), mask);
        assert_eq!(bench.get("irq_o"), 0, "masked");
        bench.write(reg::IRQ_ENABLE, mask);
        bench.cycle();
        assert_eq!(
            bench.get("irq_o"),
            1,
            "the level appears when the mask opens"
        );
        bench.write(reg::IRQ_STATUS, 7 & !mask);
        assert_eq!(
            bench.read(reg::IRQ_STATUS),
            mask,
            "other ones clear nothing"
        );
        bench.write(reg::IRQ_STATUS, mask);
        bench.cycle();
        assert_eq!((bench.read(reg::IRQ_STATUS), bench.get("irq_o")), (0, 0));
    }
    assert_eq!(irq_status::RING.mask(), 4);
    // An event in the very cycle of its clearing must not be lost, whatever the cycle.
    for delay in 0..12 {
        bench.pulse("irq_done_i");
        let (mut aw, mut w) = (true, true);
        for cycle in 0..20 {
            bench.set("s_axil_awvalid_i", u64::from(aw));
            bench.set("s_axil_awaddr_i", u64::from(reg::IRQ_STATUS));
            bench.set("s_axil_wvalid_i", u64::from(w));
            bench.set("s_axil_wdata_i", 1);
            bench.set("s_axil_wstrb_i", 15);
            bench.set("s_axil_bready_i", 1);
            bench.set("irq_error_i", u64::from(cycle == delay));
            bench.set("irq_done_i", u64::from(cycle == delay));
            bench.dut.settle();
            let taken = (
                bench.get("s_axil_awready_o") == 1,
                bench.get("s_axil_wready_o") == 1,
            );
            bench.cycle();
            aw &= !taken.0;
            w &= !taken.1;
        }
        bench.set("s_axil_bready_i", 0);
        let seen = bench.read(reg::IRQ_STATUS);
        assert_eq!(seen & 2, 2, "delay {delay}: the other bit was set");
        // The write clears two cycles after both halves were taken.
        if delay >= 1 {
            assert_eq!(
                seen & 1,
                1,
                "delay {delay}: an event at or after the clearing stays"
            );
        }
        bench.write(reg::IRQ_STATUS, 7);
    }
}

#[test]
fn ring_registers_are_locked_while_enabled_or_busy() {
    let mut bench = Bench::new(4);
    bench.write(reg::RING_LO, 0x1000);
    bench.write(reg::RING_TAIL, 3);
    bench.write(reg::RING_ENTRIES, 8);
    assert_eq!(bench.pulses[2], 1, "entries clear the head");
    assert_eq!(bench.read(reg::RING_TAIL), 0, "entries clear the tail");
    for (enable, busy) in [(1, 0), (1, 1), (0, 1)] {
        bench.set("busy_i", busy);
        bench.write(reg::CTRL, ctrl::ENABLE.put(enable));
        assert_eq!(bench.read(reg::CTRL), enable);
        bench.write(reg::RING_LO, 0x2000);
        bench.write(reg::RING_HI, 1);
        bench.write(reg::RING_ENTRIES, 4);
        bench.write(reg::RING_TAIL, 5);
        assert_eq!(bench.read(reg::RING_LO), 0x1000);
        assert_eq!(bench.read(reg::RING_HI), 0);
        assert_eq!(bench.read(reg::RING_ENTRIES), 8);
        assert_eq!(bench.read(reg::RING_TAIL), 5);
    }
    assert_eq!(bench.pulses[2], 1);
    bench.set("busy_i", 0);
    // Entries beyond any ring read back as 0; a tail beyond any ring stays beyond.
    bench.write(reg::RING_ENTRIES, 1 << 16);
    assert_eq!(bench.read(reg::RING_ENTRIES), 1 << 16);
    for tail in [1 << 16, (1 << 17) + 1, u32::MAX] {
        bench.write(reg::RING_TAIL, tail);
        assert!(
            bench.read(reg::RING_TAIL) >= 1 << 16,
            "{tail:#x} must not wrap to a good tail"
        );
    }
    for entries in [(1 << 16) + 1, 1 << 17 | 8, u32::MAX] {
        bench.write(reg::RING_ENTRIES, entries);
        assert_eq!(bench.read(reg::RING_ENTRIES), 0, "{entries:#x}");
    }
}

#[test]
fn control_errors_and_counters() {
    let mut bench = Bench::new(5);
    bench.write(reg::CTRL, ctrl::ENABLE.mask() | ctrl::ABORT.mask());
    assert_eq!((bench.pulses[0], bench.pulses[1]), (1, 0));
    bench.write(reg::CTRL, ctrl::ENABLE.mask() | ctrl::RESET.mask());
    assert_eq!((bench.pulses[0], bench.pulses[1]), (1, 1));
    assert_eq!(
        bench.read(reg::CTRL),
        ctrl::ENABLE.mask(),
        "actions read as zero"
    );
    bench.write(reg::COUNTER_CTRL, 1);
    assert_eq!(bench.pulses[3], 1);
    bench.pulse("irq_ring_i");
    assert_eq!(bench.read(reg::CTRL), 0, "a ring error disables");

    for (bit, input) in ["busy_i", "resetting_i", "stopping_i", "core_busy_i"]
        .into_iter()
        .enumerate()
    {
        bench.set(input, 1);
        assert_eq!(bench.read(reg::STATUS), 1 << bit);
        bench.set(input, 0);
    }
    bench.set("window_i", 0x15);
    assert_eq!(status::WINDOW.get(bench.read(reg::STATUS)), 0x15);
    bench.set("ring_head_i", 0xbeef);
    assert_eq!(bench.read(reg::RING_HEAD), 0xbeef);

    bench.set("err_word_i", 0x4008_0701);
    bench.set("err_addr_i", 0xab_1234_5670);
    bench.set("err_cookie_i", 0x1122_3344_5566_7788);
    bench.pulse("err_valid_i");
    bench.set("err_word_i", 0);
    let word = bench.read(reg::ERR);
    assert_eq!(
        (
            err::CODE.get(word),
            err::UNIT.get(word),
            err::WINDOW.get(word)
        ),
        (1, 7, 8)
    );
    assert!(err::ERROR.is_set(word));
    let details = [
        reg::ERR_ADDR_LO,
        reg::ERR_ADDR_HI,
        reg::ERR_COOKIE_LO,
        reg::ERR_COOKIE_HI,
    ];
    let values = [0x1234_5670, 0xab, 0x5566_7788, 0x1122_3344];
    assert_eq!(details.map(|offset| bench.read(offset)), values);
    bench.write(reg::ERR, 0);
    assert_eq!(bench.read(reg::ERR), 0);
    assert_eq!(details.map(|offset| bench.read(offset)), [0; 4]);

    let counters = [
        ("cycles_i", reg::CYCLES),
        ("additions_i", reg::ADDITIONS),
        ("loads_i", reg::LOADS),
        ("stalls_i", reg::STALLS),
        ("bytes_read_i", reg::BYTES_READ),
        ("bytes_written_i", reg::BYTES_WRITTEN),
    ];
    for (i, (input, offset)) in counters.into_iter().enumerate() {
        let value = 0x0123_4567_89ab_cdef ^ (i as u64) << 40 ^ i as u64;
        bench.set(input, value);
        let words = (bench.read(offset), bench.read(offset + 4));
        assert_eq!(
            u64::from(words.1) << 32 | u64::from(words.0),
            value,
            "{input}"
        );
    }

    bench.write(reg::IRQ_ENABLE, 7);
    bench.write(reg::RING_LO, 64);
    bench.pulse("soft_reset_i");
    for offset in [
        reg::IRQ_ENABLE,
        reg::RING_LO,
        reg::IRQ_STATUS,
        reg::SCRATCH,
        reg::CTRL,
    ] {
        assert_eq!(bench.read(offset), 0, "a soft reset forgets {offset:#x}");
    }
}
