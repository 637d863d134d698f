//! Job control, with jobs that the driver would never write: wrong descriptors, wrong rings, bus
//! errors on ring accesses, aborts and resets at every stage. Whole small engine, no driver.

mod engine;

use engine::{Input, SMALL, open, read32, write32};
use zkria_accel::{encode_points, encode_scalars};
use zkria_core::gen_msm::Kind;
use zkria_csr::regs::{
    ErrorCode, Job, Segment, Unit, ctrl, err, irq_status, job_status, reg, status,
};
use zkria_sim::axi_mem::{At, Direction, Fault, Response};
use zkria_sim::bus::{Port, VerilatedBus};
use zkria_sim::stream::Rng;

/// Buckets of one window of the small engine, in bytes.
const WINDOW_BYTES: u32 = 31 * 96;

/// A ring in simulated memory, driven by hand.
struct Bench {
    bus: VerilatedBus,
    ring: u64,
    entries: u32,
    tail: u32,
}

impl Bench {
    fn new(entries: u32, stalls: u32, seed: u64) -> Self {
        let bus = open(SMALL, stalls, seed);
        let ring = bus
            .sim()
            .expect("sound")
            .memory
            .alloc(u64::from(entries) * 64)
            .expect("room");
        let mut bench = Self {
            bus,
            ring,
            entries,
            tail: 0,
        };
        bench.program();
        bench
    }

    fn program(&mut self) {
        self.tail = 0;
        write32(&self.bus, reg::RING_LO, self.ring as u32);
        write32(&self.bus, reg::RING_HI, (self.ring >> 32) as u32);
        write32(&self.bus, reg::RING_ENTRIES, self.entries);
        write32(&self.bus, reg::IRQ_ENABLE, 7);
        write32(&self.bus, reg::CTRL, ctrl::ENABLE.mask());
    }

    fn place(&self, data: &[u8]) -> u64 {
        let mut sim = self.bus.sim().expect("sound");
        let address = sim.memory.alloc(data.len() as u64).expect("room");
        sim.memory
            .slice_mut(address, data.len())
            .expect("live")
            .copy_from_slice(data);
        address
    }

    /// A list of one segment over fresh memory that holds `data`.
    fn list(&self, data: &[u8]) -> u64 {
        let segment = Segment {
            address: self.place(data),
            bytes: data.len() as u32,
            flags: 1,
        };
        self.place(&segment.encode())
    }

    /// A good job over `windows` windows of an input.
    fn job(&self, input: &Input, first: u8, windows: u8, cookie: u64) -> Job {
        Job {
            points_list: self.list(&encode_points(&input.points, 255)),
            scalars_list: self.list(&encode_scalars(&input.scalars)),
            result_list: self.list(&vec![0xee; (WINDOW_BYTES * u32::from(windows)) as usize]),
            n: input.points.len() as u32,
            first_window: first,
            num_windows: windows,
            cookie,
            ..Job::default()
        }
    }

    fn submit(&mut self, job: &Job) -> u64 {
        let slot = self.ring + u64::from(self.tail) * 64;
        let mut sim = self.bus.sim().expect("sound");
        sim.memory
            .slice_mut(slot, 64)
            .expect("live")
            .copy_from_slice(&job.encode());
        drop(sim);
        self.tail = (self.tail + 1) % self.entries;
        write32(&self.bus, reg::RING_TAIL, self.tail);
        slot
    }

    /// Steps until head meets tail (at most 400,000 cycles).
    fn finish(&self) {
        for _ in 0..2_000 {
            if read32(&self.bus, reg::RING_HEAD) == self.tail {
                return;
            }
            self.steps(200);
        }
        panic!(
            "the jobs do not end: STATUS {:#x}",
            read32(&self.bus, reg::STATUS)
        );
    }

    fn steps(&self, cycles: u64) {
        let mut sim = self.bus.sim().expect("sound");
        for _ in 0..cycles {
            sim.step().expect("protocol");
        }
    }

    fn read_job(&self, slot: u64) -> Job {
        let sim = self.bus.sim().expect("sound");
        Job::decode(
            sim.memory
                .slice(slot, 64)
                .expect("live")
                .try_into()
                .expect("64 bytes"),
        )
    }

    /// Runs a good job and checks its first window's bytes against `expected`.
    fn check_good(&mut self, what: &str) {
        let input = Input::new(Kind::Random, 6, 77);
        let job = self.job(&input, 3, 3, 0xfeed);
        let slot = self.submit(&job);
        self.finish();
        let after = self.read_job(slot);
        assert_eq!(after.status, job_status::DONE.mask(), "{what}");
        assert_eq!((after.err_addr, after.detail), (0, 0), "{what}");
        // The engine wrote only the last 16 bytes of the job.
        assert_eq!(
            Job {
                err_addr: 0,
                status: 0,
                detail: 0,
                ..after
            },
            job,
            "{what}"
        );
        assert!(self.result_of(&job).iter().any(|b| *b != 0), "{what}");
        assert_eq!(
            self.result_of(&job),
            golden_bytes_empty_pattern(&input, 3, 3, &self.result_of(&job)),
            "{what}"
        );
        assert!(self.bus.sim().expect("sound").idle(), "{what}");
        write32(&self.bus, reg::IRQ_STATUS, 7);
    }

    fn result_of(&self, job: &Job) -> Vec<u8> {
        let sim = self.bus.sim().expect("sound");
        let entry = sim.memory.slice(job.result_list, 16).expect("live");
        let segment = Segment::decode(entry.try_into().expect("16 bytes"));
        sim.memory
            .slice(segment.address, segment.bytes as usize)
            .expect("live")
            .to_vec()
    }

    /// Expects that the last job failed so, in its status, in ERR and in the interrupt.
    fn expect_failure(&self, slot: u64, code: ErrorCode, unit: Unit, address: u64, what: &str) {
        self.finish();
        let job = self.read_job(slot);
        let word = job.status;
        assert!(
            job_status::DONE.is_set(word) && job_status::ERROR.is_set(word),
            "{what}: {word:#x}"
        );
        assert_eq!(job_status::CODE.get(word), code as u32, "{what}: {word:#x}");
        assert_eq!(job_status::UNIT.get(word), unit as u32, "{what}: {word:#x}");
        assert_eq!(job.err_addr, address, "{what}");
        let recorded = read32(&self.bus, reg::ERR);
        assert_eq!(recorded, word & !job_status::DONE.mask(), "{what}");
        let wide =
            |lo| u64::from(read32(&self.bus, lo)) | u64::from(read32(&self.bus, lo + 4)) << 32;
        assert_eq!(wide(reg::ERR_ADDR_LO), address, "{what}");
        // A job that could not be read has no cookie to tell.
        let unread =
            unit == Unit::JobFetch && matches!(code, ErrorCode::BusSlave | ErrorCode::BusDecode);
        let cookie = if unread { 0 } else { job.cookie };
        assert_eq!(wide(reg::ERR_COOKIE_LO), cookie, "{what}");
        let causes = irq_status::DONE.mask() | irq_status::ERROR.mask();
        assert_eq!(read32(&self.bus, reg::IRQ_STATUS), causes, "{what}");
        write32(&self.bus, reg::IRQ_STATUS, causes);
        write32(&self.bus, reg::ERR, 0);
        assert_eq!(err::CODE.get(read32(&self.bus, reg::ERR)), 0, "{what}");
    }
}

/// Which buckets golden says are empty must be zero in `bytes`, and no others; the values are
/// checked by `system.rs`. Returns `bytes` with every wrong bucket flipped, so that a difference
/// shows where it is.
fn golden_bytes_empty_pattern(
    input: &Input,
    first: usize,
    windows: usize,
    bytes: &[u8],
) -> Vec<u8> {
    let buckets = input.buckets(5);
    let wanted = buckets[first..first + windows].iter().flatten();
    let mut out = bytes.to_vec();
    for (raw, point) in out.chunks_exact_mut(96).zip(wanted) {
        let empty = raw.iter().all(|b| *b == 0);
        if empty != (point == &[0; 64]) {
            raw[0] ^= 0xff;
        }
    }
    out
}

#[test]
fn wrong_jobs_are_refused_and_the_next_is_right() {
    for stalls in [0, 50] {
        let mut bench = Bench::new(5, stalls, 1);
        let input = Input::new(Kind::Random, 5, 1);
        let good = bench.job(&input, 0, 4, 0x1122_3344_5566_7788);
        let six = bench.job(&Input::new(Kind::Random, 6, 1), 0, 1, 0);
        let plenty = bench.list(&vec![0; 32 << 12]);
        let unmapped = 0x8_7000_0000;
        type Case = (&'static str, Job, ErrorCode, Unit, Option<u64>);
        let fetch = Unit::JobFetch;
        let cases: Vec<Case> = vec![
            (
                "flags",
                Job { flags: 1, ..good },
                ErrorCode::JobReserved,
                fetch,
                None,
            ),
            (
                "reserved",
                Job {
                    reserved: 1 << 63,
                    ..good
                },
                ErrorCode::JobReserved,
                fetch,
                None,
            ),
            (
                "no window",
                Job {
                    num_windows: 0,
                    ..good
                },
                ErrorCode::JobWindows,
                fetch,
                None,
            ),
            (
                "window 52",
                Job {
                    first_window: 52,
                    num_windows: 1,
                    ..good
                },
                ErrorCode::JobWindows,
                fetch,
                None,
            ),
            (
                "windows to 53",
                Job {
                    first_window: 50,
                    num_windows: 3,
                    ..good
                },
                ErrorCode::JobWindows,
                fetch,
                None,
            ),
            (
                "windows wrap",
                Job {
                    first_window: 255,
                    num_windows: 2,
                    ..good
                },
                ErrorCode::JobWindows,
                fetch,
                None,
            ),
            (
                "n = 2^12",
                Job { n: 1 << 12, ..good },
                ErrorCode::JobCount,
                fetch,
                None,
            ),
            (
                "n = 2^31 + 5",
                Job {
                    n: (1 << 31) + 5,
                    ..good
                },
                ErrorCode::JobCount,
                fetch,
                None,
            ),
            // One below the limit is taken seriously: only the lists are too short for it.
            (
                "n = 2^12 - 1",
                Job {
                    n: (1 << 12) - 1,
                    scalars_list: plenty,
                    ..good
                },
                ErrorCode::ListShort,
                Unit::PointsList,
                Some(good.points_list),
            ),
            (
                "one point more",
                Job {
                    n: 6,
                    scalars_list: plenty,
                    ..good
                },
                ErrorCode::ListShort,
                Unit::PointsList,
                Some(good.points_list),
            ),
            (
                "one scalar more",
                Job {
                    n: 6,
                    points_list: six.points_list,
                    ..good
                },
                ErrorCode::ListShort,
                Unit::ScalarsList,
                Some(good.scalars_list),
            ),
            (
                "one window more",
                Job {
                    num_windows: 5,
                    ..good
                },
                ErrorCode::ListShort,
                Unit::ResultList,
                Some(good.result_list),
            ),
            (
                "points at 8",
                Job {
                    points_list: good.points_list + 8,
                    ..good
                },
                ErrorCode::ListAddress,
                Unit::PointsList,
                Some(good.points_list + 8),
            ),
            (
                "scalars at 2^40",
                Job {
                    scalars_list: 1 << 40,
                    ..good
                },
                ErrorCode::ListAddress,
                Unit::ScalarsList,
                Some(0),
            ),
            (
                "result at 2^63",
                Job {
                    result_list: 1 << 63,
                    ..good
                },
                ErrorCode::ListAddress,
                Unit::ResultList,
                Some(0),
            ),
            (
                "points nowhere",
                Job {
                    points_list: unmapped,
                    ..good
                },
                ErrorCode::BusDecode,
                Unit::PointsList,
                Some(unmapped),
            ),
            (
                "result nowhere",
                Job {
                    result_list: unmapped,
                    ..good
                },
                ErrorCode::BusDecode,
                Unit::ResultList,
                Some(unmapped),
            ),
        ];
        for (what, job, code, unit, address) in cases {
            let slot = bench.submit(&job);
            bench.expect_failure(slot, code, unit, address.unwrap_or(slot), what);
            bench.check_good(&format!("after {what}"));
        }
        // n = 0 reads neither list.
        let nothing = Job {
            n: 0,
            points_list: unmapped,
            scalars_list: 1 << 63,
            ..good
        };
        let slot = bench.submit(&nothing);
        bench.finish();
        assert_eq!(bench.read_job(slot).status, job_status::DONE.mask());
        assert!(bench.result_of(&nothing).iter().all(|b| *b == 0));
    }
}

#[test]
fn bus_errors_on_ring_accesses_are_told() {
    let mut bench = Bench::new(4, 20, 2);
    let input = Input::new(Kind::Random, 5, 1);
    let inject = |bench: &Bench, direction, address, response| {
        let fault = Fault {
            port: Port::Result as usize,
            direction,
            at: At::Address(address),
            response,
        };
        bench.bus.inject(fault).expect("sound");
    };
    for beat in 0..4 {
        let slot = bench.ring + u64::from(bench.tail) * 64;
        inject(&bench, Direction::Read, slot + 16 * beat, Response::Slave);
        let job = bench.job(&input, 0, 2, 9);
        bench.submit(&job);
        bench.expect_failure(
            slot,
            ErrorCode::BusSlave,
            Unit::JobFetch,
            slot,
            &format!("beat {beat}"),
        );
        bench.bus.clear_faults().expect("sound");
        bench.check_good("after a failed fetch");
    }
    // The status cannot be written: the job shows nothing, ERR and the interrupt do.
    let slot = bench.ring + u64::from(bench.tail) * 64;
    inject(&bench, Direction::Write, slot + 48, Response::Decode);
    let job = bench.job(&input, 0, 2, 10);
    bench.submit(&job);
    bench.finish();
    assert_eq!(bench.read_job(slot), job);
    let word = read32(&bench.bus, reg::ERR);
    assert_eq!(err::CODE.get(word), ErrorCode::BusDecode as u32);
    assert_eq!(err::UNIT.get(word), Unit::StatusWrite as u32);
    assert_eq!(read32(&bench.bus, reg::ERR_ADDR_LO), slot as u32);
    assert_eq!(read32(&bench.bus, reg::ERR_COOKIE_LO), 10);
    assert_eq!(read32(&bench.bus, reg::IRQ_STATUS), 3);
    bench.bus.clear_faults().expect("sound");
    bench.check_good("after a failed status");
}

#[test]
fn impossible_rings_stop_the_engine_with_an_interrupt() {
    let mut bench = Bench::new(4, 0, 3);
    let good = bench.ring;
    let top = (1u64 << 40) - 256;
    for (what, ring, entries, tail) in [
        ("misaligned", good + 32, 4, 1),
        ("beyond 40 bits", good | 1 << 40, 4, 1),
        ("wraps the address space", top, 8, 1),
        ("one entry", good, 1, 1),
        ("no entry", good, 0, 1),
        ("tail = entries", good, 4, 4),
        ("tail beyond any ring", good, 4, 1 << 16),
        ("tail of 32 bits", good, 4, u32::MAX),
        ("tail that would wrap", good, 4, (1 << 17) + 1),
    ] {
        write32(&bench.bus, reg::CTRL, 0);
        write32(&bench.bus, reg::RING_LO, ring as u32);
        write32(&bench.bus, reg::RING_HI, (ring >> 32) as u32);
        write32(&bench.bus, reg::RING_ENTRIES, entries);
        write32(&bench.bus, reg::CTRL, ctrl::ENABLE.mask());
        write32(&bench.bus, reg::RING_TAIL, tail);
        bench.steps(50);
        assert_eq!(
            read32(&bench.bus, reg::IRQ_STATUS),
            irq_status::RING.mask(),
            "{what}"
        );
        assert_eq!(
            err::CODE.get(read32(&bench.bus, reg::ERR)),
            ErrorCode::RingConfig as u32,
            "{what}"
        );
        assert_eq!(read32(&bench.bus, reg::CTRL), 0, "{what}: disabled");
        assert_eq!(
            read32(&bench.bus, reg::STATUS) & status::BUSY.mask(),
            0,
            "{what}"
        );
        assert_eq!(
            bench.bus.sim().expect("sound").bursts(Port::Result).0,
            0,
            "{what}: nothing was read"
        );
        write32(&bench.bus, reg::IRQ_STATUS, 7);
        write32(&bench.bus, reg::ERR, 0);
    }
    bench.program();
    bench.check_good("after a good ring");
    // The last 256 bytes of the address space are a possible ring (without memory here).
    write32(&bench.bus, reg::CTRL, 0);
    write32(&bench.bus, reg::RING_LO, top as u32);
    write32(&bench.bus, reg::RING_HI, (top >> 32) as u32);
    write32(&bench.bus, reg::RING_ENTRIES, 4);
    write32(&bench.bus, reg::CTRL, ctrl::ENABLE.mask());
    write32(&bench.bus, reg::RING_TAIL, 1);
    bench.steps(2000);
    let word = read32(&bench.bus, reg::ERR);
    assert_eq!(
        err::CODE.get(word),
        ErrorCode::BusDecode as u32,
        "taken, but nobody is there"
    );
}

#[test]
fn a_small_ring_wraps_many_times() {
    for entries in [2, 3, 7] {
        let mut bench = Bench::new(entries, 10, u64::from(entries));
        let mut rng = Rng::new(4);
        let input = Input::new(Kind::Random, 3, 2);
        let mut pending = Vec::new();
        for cookie in 0..25 {
            let job = bench.job(&input, rng.below(52) as u8, 1, cookie);
            // One of four is wrong, and must not disturb its neighbours.
            let wrong = rng.chance(25);
            let flags = u16::from(wrong);
            pending.push((bench.submit(&Job { flags, ..job }), wrong, cookie));
            if pending.len() as u32 == entries - 1 {
                bench.finish();
                for (slot, wrong, cookie) in pending.drain(..) {
                    let after = bench.read_job(slot);
                    assert_eq!(after.cookie, cookie);
                    assert!(job_status::DONE.is_set(after.status));
                    assert_eq!(
                        job_status::ERROR.is_set(after.status),
                        wrong,
                        "cookie {cookie}"
                    );
                }
            }
        }
    }
}

#[test]
fn an_abort_at_any_cycle_ends_the_job_and_only_it() {
    let mut seen = [0; 2];
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let mut bench = Bench::new(4, 20, seed);
        let input = Input::new(Kind::Random, 8, seed);
        // Nothing to abort: no effect on the next job.
        write32(
            &bench.bus,
            reg::CTRL,
            ctrl::ENABLE.mask() | ctrl::ABORT.mask(),
        );
        let jobs = [bench.job(&input, 0, 4, 1), bench.job(&input, 4, 2, 2)];
        let slots = [bench.submit(&jobs[0]), bench.submit(&jobs[1])];
        bench.steps(rng.below(12_000));
        write32(
            &bench.bus,
            reg::CTRL,
            ctrl::ENABLE.mask() | ctrl::ABORT.mask(),
        );
        bench.finish();
        let words = slots.map(|slot| bench.read_job(slot).status);
        let failed = words.map(|word| job_status::ERROR.is_set(word));
        for word in words {
            assert!(job_status::DONE.is_set(word), "seed {seed}");
            let code = job_status::CODE.get(word);
            assert!(
                code == 0 || code == ErrorCode::Aborted as u32,
                "seed {seed}: {word:#x}"
            );
        }
        assert!(
            !(failed[0] && failed[1]),
            "seed {seed}: one abort, two jobs"
        );
        for (i, failed) in failed.into_iter().enumerate() {
            seen[i] += u32::from(failed);
        }
        write32(&bench.bus, reg::IRQ_STATUS, 7);
        write32(&bench.bus, reg::ERR, 0);
        bench.check_good(&format!("seed {seed}: after an abort"));
    }
    assert!(
        seen[0] > 10 && seen[1] > 5,
        "aborts met the jobs {seen:?} times"
    );
}

#[test]
fn a_reset_at_any_cycle_forgets_everything_and_breaks_nothing() {
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let mut bench = Bench::new(4, 30, seed);
        let input = Input::new(Kind::Random, 8, seed);
        let job = bench.job(&input, 0, 4, 1);
        let slot = bench.submit(&job);
        let cycles = if seed < 30 {
            rng.below(300)
        } else {
            rng.below(14_000)
        };
        bench.steps(cycles);
        write32(&bench.bus, reg::CTRL, ctrl::RESET.mask());
        let busy = status::BUSY.mask() | status::RESETTING.mask();
        let mut polls = 0;
        while read32(&bench.bus, reg::STATUS) & busy != 0 {
            polls += 1;
            assert!(polls < 2000, "seed {seed}: the reset does not end");
        }
        assert!(
            bench.bus.sim().expect("sound").idle(),
            "seed {seed}: a transfer is under way"
        );
        for offset in [
            reg::CTRL,
            reg::RING_HEAD,
            reg::RING_TAIL,
            reg::RING_LO,
            reg::IRQ_STATUS,
            reg::ERR,
            reg::CYCLES,
        ] {
            assert_eq!(
                read32(&bench.bus, offset),
                0,
                "seed {seed}: register {offset:#x}"
            );
        }
        let before = bench.read_job(slot);
        bench.steps(3000);
        assert_eq!(
            bench.read_job(slot),
            before,
            "seed {seed}: written after the reset"
        );
        bench.program();
        bench.check_good(&format!("seed {seed}: after a reset at {cycles}"));
    }
}

#[test]
fn counters_can_be_watched_while_a_job_runs() {
    let mut bench = Bench::new(4, 0, 1);
    let input = Input::new(Kind::Random, 60, 1);
    let job = bench.job(&input, 0, 4, 1);
    bench.submit(&job);
    assert_eq!(read32(&bench.bus, reg::CYCLES), 0, "nothing latched yet");
    let mut last = (0, 0);
    for _ in 0..5 {
        bench.steps(500);
        write32(&bench.bus, reg::COUNTER_CTRL, 1);
        let now = (
            read32(&bench.bus, reg::CYCLES),
            read32(&bench.bus, reg::BYTES_READ),
        );
        assert!(
            now.0 >= last.0 + 500 && now.1 >= last.1,
            "{now:?} after {last:?}"
        );
        assert_eq!(
            read32(&bench.bus, reg::CYCLES),
            now.0,
            "the readable copy stands still"
        );
        assert!(status::BUSY.is_set(read32(&bench.bus, reg::STATUS)));
        last = now;
    }
    bench.finish();
    assert!(
        read32(&bench.bus, reg::CYCLES) > last.0,
        "latched again at the end"
    );
}
