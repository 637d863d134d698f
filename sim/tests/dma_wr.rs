//! `zk_dma_wr` against memory models: every byte in its place and no other touched, errors with
//! their addresses, early stops, rate.

mod dma_bench;

use dma_bench::{BASE, Scattered, beat, scatter, timing, write_list};
use zkria_csr::regs::{ErrorCode, Segment};
use zkria_sim::axi_mem::{
    Arena, At, Direction, Fault, Faults, ReadPort, Response, Timing, WritePort,
};
use zkria_sim::dut::{Dut, PortId};
use zkria_sim::stream::{Rng, Source};

/// How a command ended: code, whether the list was at fault, address.
type End = (u32, bool, u64);

struct Bench {
    dut: Dut,
    memory: Arena,
    faults: Faults,
    read: ReadPort,
    write: WritePort,
    source: Source,
    cmd_valid: PortId,
    stop: PortId,
    done: PortId,
    rng: Rng,
}

impl Bench {
    fn new(timing: Timing, source_stalls: u32, seed: u64) -> Self {
        let mut dut =
            Dut::with_seed("zk_dma_wr", seed as u32).expect("built with the feature blocks");
        let mut read = ReadPort::new(&dut, "m_axi", 0, 4, timing);
        let mut write = WritePort::new(&dut, "m_axi", 0, 4, timing);
        let source = Source::new(
            &dut,
            "valid_i",
            "ready_o",
            &["data_i"],
            source_stalls,
            seed ^ 1,
        );
        read.reset(&mut dut);
        write.reset(&mut dut);
        let (cmd_valid, stop) = (dut.port("cmd_valid_i"), dut.port("stop_i"));
        for port in [cmd_valid, stop, dut.port("valid_i")] {
            dut.set_u64(port, 0);
        }
        dut.reset(4);
        Self {
            done: dut.port("done_o"),
            memory: Arena::new(BASE, 64 << 20),
            faults: Faults::default(),
            read,
            write,
            source,
            cmd_valid,
            stop,
            dut,
            rng: Rng::new(seed),
        }
    }

    fn command(&mut self, list: u64, beats: u64) {
        let (list_port, beats_port) = (self.dut.port("cmd_list_i"), self.dut.port("cmd_beats_i"));
        self.dut.set_u64(list_port, list);
        self.dut.set_u64(beats_port, beats);
        self.dut.set_u64(self.cmd_valid, 1);
        self.dut.settle();
        assert!(
            self.dut.is_set(self.dut.port("cmd_ready_o")),
            "idle block takes a command"
        );
        self.cycle();
        self.dut.set_u64(self.cmd_valid, 0);
    }

    fn cycle(&mut self) -> bool {
        self.read.drive(&mut self.dut, &self.memory, &self.faults);
        self.write.drive(&mut self.dut);
        self.source.drive(&mut self.dut);
        self.dut.settle();
        self.read.sample(&self.dut).expect("protocol");
        self.write
            .sample(&self.dut, &mut self.memory, &self.faults)
            .expect("protocol");
        self.source.sample(&self.dut);
        let done = self.dut.is_set(self.done);
        self.dut.tick();
        assert!(!self.dut.failed(), "an assertion of the RTL failed");
        done
    }

    fn run(&mut self, stop_after: Option<u64>) -> (End, u64) {
        for cycle in 0..400_000 {
            if stop_after == Some(cycle) {
                self.dut.set_u64(self.stop, 1);
            }
            let end = (
                self.dut.get_u64(self.dut.port("err_code_o")) as u32,
                self.dut.is_set(self.dut.port("err_list_o")),
                self.dut.get_u64(self.dut.port("err_addr_o")),
            );
            if self.cycle() {
                self.dut.set_u64(self.stop, 0);
                assert!(
                    self.read.idle() && self.write.idle(),
                    "done with a transfer outstanding"
                );
                return (end, cycle);
            }
        }
        panic!("no end after 400000 cycles");
    }

    /// A beat that no other test beat equals.
    fn random_beat(&mut self) -> Vec<u32> {
        (0..4).map(|_| self.rng.next_u64() as u32).collect()
    }

    /// Forgets beats that a failed command left unread.
    fn new_source(&mut self) {
        let seed = self.rng.next_u64();
        self.source = Source::new(&self.dut, "valid_i", "ready_o", &["data_i"], 20, seed);
    }

    fn check_good(&mut self, data: &Scattered, beats: usize, what: &str) {
        let before: Vec<_> = data.beats.iter().map(|a| beat(&self.memory, *a)).collect();
        let sent: Vec<_> = (0..beats).map(|_| self.random_beat()).collect();
        for words in &sent {
            self.source.push(vec![words.clone()]);
        }
        let written = self.write.beats();
        self.command(data.list, beats as u64);
        let ((code, list, _), _) = self.run(None);
        assert_eq!((code, list), (0, false), "{what}");
        assert_eq!(self.write.beats() - written, beats as u64, "{what}");
        assert_eq!(self.source.pending(), 0, "{what}");
        for (i, address) in data.beats.iter().enumerate() {
            let expected = sent.get(i).unwrap_or(&before[i]);
            assert_eq!(
                beat(&self.memory, *address),
                *expected,
                "{what}: beat {i} at {address:#x}"
            );
        }
        // The bytes around each segment still are what fresh memory holds.
        for segment in &data.segments {
            for address in [
                segment.address - 1,
                segment.address + u64::from(segment.bytes),
            ] {
                if let Some(byte) = self.memory.slice(address, 1) {
                    assert_eq!(byte, [0xa5], "{what}: byte at {address:#x}");
                }
            }
        }
    }
}

#[test]
fn scattered_data_reaches_its_place() {
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let timing = timing(&mut rng);
        let source_stalls = [0, 30, 90][rng.below(3) as usize];
        let mut bench = Bench::new(timing, source_stalls, seed);
        for round in 0..4 {
            let pieces = 1 + rng.below(6) as usize;
            let longest = [1, 3, 20, 300][rng.below(4) as usize];
            let data = scatter(&mut rng, &mut bench.memory, pieces, longest);
            let beats = match round {
                0 => data.beats.len(),
                1 => 0,
                _ => 1 + rng.below(data.beats.len() as u64) as usize,
            };
            bench.check_good(
                &data,
                beats,
                &format!("seed {seed} round {round} {timing:?}"),
            );
        }
    }
}

#[test]
fn errors_are_named_and_the_next_command_is_right() {
    for seed in 0..80 {
        let mut rng = Rng::new(seed);
        let timing = timing(&mut rng);
        let mut bench = Bench::new(timing, 20, seed);
        let good = scatter(&mut rng, &mut bench.memory, 4, 60);
        let response = [Response::Slave, Response::Decode][rng.below(2) as usize];
        let bus_code = [ErrorCode::BusSlave, ErrorCode::BusDecode][response as usize] as u32;
        let mut beats = good.beats.len() as u64;
        let mut list = good.list;
        let mut fault = |direction, address| {
            bench.faults.add(Fault {
                port: 0,
                direction,
                at: At::Address(address),
                response,
            });
        };
        // What is expected: code, list, and the address (a range for data: the burst's start).
        let (code, in_list, addresses) = match seed % 4 {
            0 => {
                let entry = good.list + 16 * rng.below(4);
                fault(Direction::Read, entry);
                (bus_code, true, entry..=entry)
            }
            1 => {
                let address = good.beats[rng.below(beats) as usize];
                fault(Direction::Write, address);
                (bus_code, false, address.saturating_sub(240)..=address)
            }
            2 => {
                beats += 1;
                let last = good.list + 48;
                (ErrorCode::ListShort as u32, true, last..=last)
            }
            _ => {
                let mut segments = good.segments.clone();
                segments[2].bytes = 0;
                list = write_list(&mut rng, &mut bench.memory, &segments);
                (ErrorCode::SegmentEmpty as u32, true, list + 32..=list + 32)
            }
        };
        for _ in 0..=good.beats.len() {
            let words = bench.random_beat();
            bench.source.push(vec![words]);
        }
        bench.command(list, beats);
        let (end, _) = bench.run(None);
        assert_eq!((end.0, end.1), (code, in_list), "seed {seed}");
        assert!(
            addresses.contains(&end.2),
            "seed {seed}: {:#x} is not in {addresses:x?}",
            end.2
        );
        bench.faults.clear();
        bench.new_source();
        bench.check_good(
            &good,
            good.beats.len(),
            &format!("seed {seed}: after an error"),
        );
    }
}

#[test]
fn a_stop_at_any_cycle_leaves_nothing_behind() {
    for seed in 0..150 {
        let mut rng = Rng::new(seed);
        let timing = timing(&mut rng);
        let mut bench = Bench::new(timing, 20, seed);
        let good = scatter(&mut rng, &mut bench.memory, 3, 50);
        for _ in 0..good.beats.len() {
            let words = bench.random_beat();
            bench.source.push(vec![words]);
        }
        bench.command(good.list, good.beats.len() as u64);
        let (end, _) = bench.run(Some(rng.below(300)));
        assert_eq!(end.0, 0, "seed {seed}: a stop is no error of the DMA");
        bench.new_source();
        bench.check_good(
            &good,
            good.beats.len(),
            &format!("seed {seed}: after a stop"),
        );
    }
}

#[test]
fn quick_memory_is_written_at_almost_a_beat_a_cycle() {
    let timing = Timing {
        latency_min: 20,
        latency_max: 20,
        stall_percent: 0,
        seed: 1,
    };
    let mut bench = Bench::new(timing, 0, 1);
    let mut rng = Rng::new(1);
    let address = bench.memory.alloc(1 << 16).expect("room");
    let list = write_list(
        &mut rng,
        &mut bench.memory,
        &[Segment {
            address,
            bytes: 1 << 16,
            flags: 1,
        }],
    );
    for _ in 0..4096 {
        let words = bench.random_beat();
        bench.source.push(vec![words]);
    }
    bench.command(list, 4096);
    let (end, cycles) = bench.run(None);
    assert_eq!(end.0, 0);
    assert!(cycles < 4096 + 200, "{cycles} cycles for 4096 beats");
}
