//! `zk_dma_rd` against memory models: order, errors with their addresses, early stops, rate.

mod dma_bench;

use dma_bench::{BASE, Scattered, beat, scatter, timing, write_list};
use zkria_csr::regs::{ErrorCode, Segment};
use zkria_sim::axi_mem::{Arena, At, Direction, Fault, Faults, ReadPort, Response, Timing};
use zkria_sim::dut::{Dut, PortId};
use zkria_sim::stream::{Rng, Sink};

/// How a command ended.
#[derive(Debug, PartialEq, Eq)]
struct End {
    code: u32,
    list: bool,
    address: u64,
}

struct Bench {
    dut: Dut,
    memory: Arena,
    faults: Faults,
    port: ReadPort,
    sink: Sink,
    cmd_valid: PortId,
    cmd_ready: PortId,
    stop: PortId,
    done: PortId,
    event: PortId,
    events: u64,
}

impl Bench {
    fn new(timing: Timing, sink_stalls: u32, seed: u64) -> Self {
        let mut dut =
            Dut::with_seed("zk_dma_rd", seed as u32).expect("built with the feature blocks");
        let mut port = ReadPort::new(&dut, "m_axi", 0, 4, timing);
        let sink = Sink::new(
            &dut,
            "valid_o",
            "ready_i",
            &["data_o"],
            sink_stalls,
            seed ^ 1,
        );
        port.reset(&mut dut);
        let (cmd_valid, stop) = (dut.port("cmd_valid_i"), dut.port("stop_i"));
        dut.set_u64(cmd_valid, 0);
        dut.set_u64(stop, 0);
        dut.reset(4);
        Self {
            cmd_ready: dut.port("cmd_ready_o"),
            done: dut.port("done_o"),
            event: dut.port("ev_beat_o"),
            memory: Arena::new(BASE, 64 << 20),
            faults: Faults::default(),
            port,
            sink,
            cmd_valid,
            stop,
            dut,
            events: 0,
        }
    }

    fn command(&mut self, list: u64, beats: u64) {
        let (list_port, beats_port) = (self.dut.port("cmd_list_i"), self.dut.port("cmd_beats_i"));
        self.dut.set_u64(list_port, list);
        self.dut.set_u64(beats_port, beats);
        self.dut.set_u64(self.cmd_valid, 1);
        self.dut.settle();
        assert!(
            self.dut.is_set(self.cmd_ready),
            "idle block takes a command"
        );
        self.cycle(&mut Vec::new());
        self.dut.set_u64(self.cmd_valid, 0);
    }

    /// One cycle; whether done was seen.
    fn cycle(&mut self, out: &mut Vec<Vec<u32>>) -> bool {
        self.port.drive(&mut self.dut, &self.memory, &self.faults);
        self.sink.drive(&mut self.dut);
        self.dut.settle();
        self.port.sample(&self.dut).expect("protocol");
        if let Some(beat) = self.sink.sample(&self.dut) {
            out.extend(beat);
        }
        self.events += u64::from(self.dut.is_set(self.event));
        let done = self.dut.is_set(self.done);
        self.dut.tick();
        assert!(!self.dut.failed(), "an assertion of the RTL failed");
        done
    }

    /// Runs to done. `stop_after` raises stop in that cycle and holds it.
    fn run(&mut self, stop_after: Option<u64>) -> (Vec<Vec<u32>>, End, u64) {
        let mut out = Vec::new();
        for cycle in 0..400_000 {
            if stop_after == Some(cycle) {
                self.dut.set_u64(self.stop, 1);
            }
            // The error is valid with done, so it is read before the edge that ends it.
            let end = End {
                code: self.dut.get_u64(self.dut.port("err_code_o")) as u32,
                list: self.dut.is_set(self.dut.port("err_list_o")),
                address: self.dut.get_u64(self.dut.port("err_addr_o")),
            };
            if self.cycle(&mut out) {
                self.dut.set_u64(self.stop, 0);
                assert!(self.port.idle(), "done with a transfer outstanding");
                return (out, end, cycle);
            }
        }
        panic!("no end after 400000 cycles");
    }

    fn check_good(&mut self, data: &Scattered, beats: usize, what: &str) {
        let before = self.events;
        self.command(data.list, beats as u64);
        let (out, end, _) = self.run(None);
        assert_eq!((end.code, end.list), (0, false), "{what}");
        assert_eq!(out.len(), beats, "{what}");
        for (i, (got, address)) in out.iter().zip(&data.beats).enumerate() {
            assert_eq!(
                *got,
                beat(&self.memory, *address),
                "{what}: beat {i} at {address:#x}"
            );
        }
        let mut left = beats as u64 * 16;
        let entries = data.segments.iter().take_while(|s| {
            let needed = left > 0;
            left = left.saturating_sub(u64::from(s.bytes));
            needed
        });
        let entries = entries.count() as u64;
        assert_eq!(
            self.events - before,
            beats as u64 + entries,
            "{what}: counted beats"
        );
    }
}

#[test]
fn scattered_data_comes_in_order() {
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let timing = timing(&mut rng);
        let sink_stalls = [0, 30, 80][rng.below(3) as usize];
        let mut bench = Bench::new(timing, sink_stalls, seed);
        for round in 0..4 {
            let pieces = 1 + rng.below(6) as usize;
            let longest = [1, 3, 20, 300][rng.below(4) as usize];
            let data = scatter(&mut rng, &mut bench.memory, pieces, longest);
            // The list may cover more than is asked for.
            let beats = match round {
                0 => data.beats.len(),
                1 => 0,
                _ => 1 + rng.below(data.beats.len() as u64) as usize,
            };
            let what = format!("seed {seed} round {round} {timing:?} beats {beats}");
            bench.check_good(&data, beats, &what);
        }
    }
}

#[test]
fn every_wrong_list_is_named_and_the_next_command_is_right() {
    for seed in 0..8 {
        let mut rng = Rng::new(seed);
        let timing = timing(&mut rng);
        let mut bench = Bench::new(timing, 20, seed);
        let good = scatter(&mut rng, &mut bench.memory, 3, 40);
        let (first, second) = (good.segments[0], good.segments[1]);
        let entry = |address, bytes, flags| Segment {
            address,
            bytes,
            flags,
        };
        // Each list is one good segment, then the wrong one.
        let cases = [
            (entry(second.address + 8, 64, 1), ErrorCode::SegmentAlign),
            (entry(second.address, 24, 1), ErrorCode::SegmentAlign),
            (entry(second.address, 0, 1), ErrorCode::SegmentEmpty),
            (entry(second.address, 16, 3), ErrorCode::SegmentFlags),
            (
                entry(second.address | 1 << 40, 16, 1),
                ErrorCode::SegmentRange,
            ),
            (entry((1 << 40) - 16, 32, 1), ErrorCode::SegmentRange),
            (entry(1 << 63, 16, 1), ErrorCode::SegmentRange),
        ];
        for (wrong, code) in cases {
            let list = [entry(first.address, first.bytes, 0), wrong];
            let list = write_list(&mut rng, &mut bench.memory, &list);
            bench.command(list, 1 << 20);
            let (out, end, _) = bench.run(None);
            assert!(out.len() as u32 <= first.bytes / 16);
            let expected = End {
                code: code as u32,
                list: true,
                address: list + 16,
            };
            assert_eq!(end, expected, "seed {seed} {wrong:?}");
            bench.check_good(&good, good.beats.len(), "after a wrong list");
        }
        // The last 16 bytes of the address space are in range: no memory there, so DECERR.
        let top = [entry((1 << 40) - 16, 16, 1)];
        let top = write_list(&mut rng, &mut bench.memory, &top);
        bench.command(top, 1);
        let (_, end, _) = bench.run(None);
        let expected = End {
            code: ErrorCode::BusDecode as u32,
            list: false,
            address: (1 << 40) - 16,
        };
        assert_eq!(end, expected);
        // One beat more than the list has.
        bench.command(good.list, good.beats.len() as u64 + 1);
        let (_, end, _) = bench.run(None);
        let expected = End {
            code: ErrorCode::ListShort as u32,
            list: true,
            address: good.list + 32,
        };
        assert_eq!(end, expected, "seed {seed}: short list");
        for list in [good.list + 8, good.list | 1 << 40, good.list | 1 << 63] {
            bench.command(list, 1);
            let (_, end, _) = bench.run(None);
            let address = list & ((1 << 40) - 1);
            let expected = End {
                code: ErrorCode::ListAddress as u32,
                list: true,
                address,
            };
            assert_eq!(end, expected, "seed {seed}: list at {list:#x}");
        }
        bench.check_good(&good, good.beats.len(), "after a wrong list address");
    }
}

#[test]
fn bus_errors_are_named_and_the_next_command_is_right() {
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let timing = timing(&mut rng);
        let mut bench = Bench::new(timing, 20, seed);
        let good = scatter(&mut rng, &mut bench.memory, 4, 60);
        let response = [Response::Slave, Response::Decode][rng.below(2) as usize];
        let code = [ErrorCode::BusSlave, ErrorCode::BusDecode][response as usize] as u32;
        let in_list = rng.chance(30);
        let address = if in_list {
            good.list + 16 * rng.below(4)
        } else {
            good.beats[rng.below(good.beats.len() as u64) as usize]
        };
        bench.faults.add(Fault {
            port: 0,
            direction: Direction::Read,
            at: At::Address(address),
            response,
        });
        bench.command(good.list, good.beats.len() as u64);
        let (out, end, _) = bench.run(None);
        assert_eq!(
            end,
            End {
                code,
                list: in_list,
                address
            },
            "seed {seed}"
        );
        // Nothing from the failed beat on was delivered.
        if !in_list {
            let at = good
                .beats
                .iter()
                .position(|b| *b == address)
                .expect("a beat");
            assert!(out.len() <= at, "seed {seed}");
        }
        bench.faults.clear();
        bench.check_good(&good, good.beats.len(), "after a bus error");
    }
}

#[test]
fn a_stop_at_any_cycle_leaves_nothing_behind() {
    for seed in 0..150 {
        let mut rng = Rng::new(seed);
        let timing = timing(&mut rng);
        let mut bench = Bench::new(timing, 20, seed);
        let good = scatter(&mut rng, &mut bench.memory, 3, 50);
        bench.command(good.list, good.beats.len() as u64);
        let (_, end, _) = bench.run(Some(rng.below(300)));
        assert_eq!(end.code, 0, "seed {seed}: a stop is no error of the DMA");
        for _ in 0..rng.below(5) {
            let mut none = Vec::new();
            assert!(!bench.cycle(&mut none), "done comes once");
            assert!(none.is_empty(), "seed {seed}: a beat after the end");
        }
        bench.check_good(
            &good,
            good.beats.len(),
            &format!("seed {seed}: after a stop"),
        );
    }
}

#[test]
fn quick_memory_is_read_at_almost_a_beat_a_cycle() {
    let timing = Timing {
        latency_min: 20,
        latency_max: 20,
        stall_percent: 0,
        seed: 1,
    };
    let mut bench = Bench::new(timing, 0, 1);
    let mut rng = Rng::new(1);
    let mut data = scatter(&mut rng, &mut bench.memory, 1, 1);
    let address = bench.memory.alloc(1 << 16).expect("room");
    data.list = write_list(
        &mut rng,
        &mut bench.memory,
        &[Segment {
            address,
            bytes: 1 << 16,
            flags: 1,
        }],
    );
    bench.command(data.list, 4096);
    let (out, end, cycles) = bench.run(None);
    assert_eq!((out.len(), end.code), (4096, 0));
    assert!(cycles < 4096 + 100, "{cycles} cycles for 4096 beats");
}
