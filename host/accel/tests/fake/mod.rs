//! A fake engine: the register page, the ring and the buckets in plain Rust, with faults that
//! real hardware shows rarely.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use zkria_accel::{Bus, Direction, DmaBuffer, Event, Placement, RegisterSpace, decode_bucket};
use zkria_core::{Error, Result};
use zkria_csr::layout::{BUCKET_BYTES, Region};
use zkria_csr::regs::{self, Job, Segment, ctrl, err, irq_status, job_status, reg, segment_flags};
use zkria_csr::{Caps, regs::Profile};
use zkria_field::bn254::{Fp, G1};
use zkria_field::{Affine, Field, Jacobian};

/// First bus address of the fake memory: above 4 GiB.
const BASE: u64 = 0x8_0000_0000;

/// What the engine does with the next jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mood {
    /// Right.
    Good,
    /// Does not end until aborted.
    Slow,
    /// Does not end until reset.
    Stuck,
    /// Does not even come out of reset.
    Dead,
    /// Every register reads all ones.
    Gone,
    /// Ends with this status word and error address.
    Fails(u32, u64),
    /// Ends without writing a status; ERR tells.
    NoStatus,
    /// Ends well, but has written no bucket.
    NoResult,
    /// Ends well, with a coordinate that is not canonical in this bucket slot.
    Corrupt(usize),
}

pub(crate) struct State {
    pub(crate) mood: Mood,
    pub(crate) id: u32,
    pub(crate) version: u32,
    pub(crate) caps: Caps,
    pub(crate) base: u64,
    memory: Vec<u8>,
    registers: Vec<u32>,
    head: u32,
    resetting: bool,
    /// Resets seen.
    pub(crate) resets: u32,
    /// Bytes of every live buffer.
    pub(crate) live: usize,
}

/// The caps of the fake: windows of 4 bits, n below 2^6, segments below 2^9 bytes.
pub(crate) fn caps() -> Caps {
    Caps {
        profile: Some(Profile::Compact),
        lanes: 3,
        window_bits: 4,
        banks: 3,
        windows: 64,
        log2_r: 255,
        signed: false,
        coherent: false,
        addr_width: 40,
        count_width: 6,
        seg_width: 9,
        ring_width: 16,
        batch: 0,
    }
}

#[derive(Clone)]
pub(crate) struct FakeBus {
    pub(crate) state: Arc<Mutex<State>>,
    registers: FakeRegisters,
    event: FakeEvent,
}

impl FakeBus {
    pub(crate) fn new() -> Self {
        let state = Arc::new(Mutex::new(State {
            mood: Mood::Good,
            id: regs::ID_VALUE,
            version: regs::VERSION_MAJOR << 16 | 7,
            caps: caps(),
            base: BASE,
            memory: Vec::new(),
            registers: vec![0; 1024],
            head: 0,
            resetting: false,
            resets: 0,
            live: 0,
        }));
        Self {
            registers: FakeRegisters(Arc::clone(&state)),
            event: FakeEvent(Arc::clone(&state)),
            state,
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no test panics inside")
    }
}

impl State {
    fn at(&self, address: u64) -> usize {
        usize::try_from(address - self.base).expect("inside the fake memory")
    }

    /// Gathers a segment list of at least `bytes` bytes, as addresses of its beats.
    fn beats(&self, list: u64, bytes: usize) -> Vec<usize> {
        let mut out = Vec::new();
        let mut entry = list;
        while out.len() * 16 < bytes {
            let at = self.at(entry);
            let segment = Segment::decode(self.memory[at..at + 16].try_into().expect("16 bytes"));
            assert!(segment.bytes > 0 && segment.bytes < 1 << self.caps.seg_width);
            assert_eq!((segment.address % 16, segment.bytes % 16), (0, 0));
            let start = self.at(segment.address);
            out.extend((0..segment.bytes as usize / 16).map(|i| start + 16 * i));
            let last = segment_flags::LAST.is_set(segment.flags);
            assert!(!last || out.len() * 16 >= bytes, "list too short");
            entry += 16;
        }
        out.truncate(bytes / 16);
        out
    }

    fn gather(&self, list: u64, bytes: usize) -> Vec<u8> {
        if bytes == 0 {
            return Vec::new();
        }
        let beats = self.beats(list, bytes);
        beats
            .iter()
            .flat_map(|at| self.memory[*at..at + 16].iter().copied())
            .collect()
    }

    fn doorbell(&mut self) {
        while self.head != self.registers[reg::RING_TAIL as usize / 4] && !self.resetting {
            let ring = u64::from(self.registers[reg::RING_HI as usize / 4]) << 32
                | u64::from(self.registers[reg::RING_LO as usize / 4]);
            let at = self.at(ring) + self.head as usize * 64;
            let job = Job::decode(self.memory[at..at + 64].try_into().expect("64 bytes"));
            let done = job_status::DONE.mask();
            let (status, address) = match self.mood {
                Mood::Slow | Mood::Stuck | Mood::Dead | Mood::Gone => return,
                Mood::Fails(status, address) => (status | done | job_status::ERROR.mask(), address),
                Mood::NoStatus => {
                    let word = err::CODE.put(1) | err::UNIT.put(8) | err::ERROR.mask();
                    self.registers[reg::ERR as usize / 4] = word;
                    self.registers[reg::ERR_COOKIE_LO as usize / 4] = job.cookie as u32;
                    (0, 0)
                }
                Mood::NoResult => (done, 0),
                Mood::Good | Mood::Corrupt(_) => {
                    self.compute(&job);
                    (done, 0)
                }
            };
            self.memory[at + 48..at + 56].copy_from_slice(&address.to_le_bytes());
            self.memory[at + 56..at + 60].copy_from_slice(&status.to_le_bytes());
            self.registers[reg::CYCLES as usize / 4] = 1000 + job.n;
            self.registers[reg::CYCLES as usize / 4 + 1] = 2;
            self.registers[reg::IRQ_STATUS as usize / 4] |= irq_status::DONE.mask();
            self.head = (self.head + 1) % self.registers[reg::RING_ENTRIES as usize / 4];
        }
    }

    fn compute(&mut self, job: &Job) {
        let n = job.n as usize;
        let radix = Fp::from(2).pow(&[u64::from(self.caps.log2_r)]);
        let unscale = radix.inverse().expect("not zero");
        let points = self.gather(job.points_list, n * 64);
        let points: Vec<Affine<G1>> = points
            .chunks_exact(64)
            .map(|bytes| {
                // A point is a bucket with Z = 1, or infinity.
                let mut bucket = [0; BUCKET_BYTES];
                bucket[..64].copy_from_slice(bytes);
                if bytes.iter().any(|b| *b != 0) {
                    radix.write_bytes_le(&mut bucket[64..]);
                }
                decode_bucket(&bucket, unscale)
                    .expect("the driver writes sound points")
                    .to_affine()
            })
            .collect();
        let scalars = self.gather(job.scalars_list, n * 32);
        let c = self.caps.window_bits as usize;
        let mut out = Vec::new();
        for window in job.first_window..job.first_window + job.num_windows {
            let mut buckets = vec![Jacobian::<G1>::INFINITY; 1 << c];
            for (point, scalar) in points.iter().zip(scalars.chunks_exact(32)) {
                let digit: usize = (0..c)
                    .map(|i| window as usize * c + i)
                    .filter(|bit| *bit < 256 && scalar[bit / 8] >> (bit % 8) & 1 == 1)
                    .map(|bit| 1 << (bit - window as usize * c))
                    .sum();
                buckets[digit] = buckets[digit].add_mixed(point);
            }
            for bucket in &buckets[1..] {
                let mut bytes = [0; BUCKET_BYTES];
                if !bucket.z.is_zero() {
                    for (field, out) in [bucket.x, bucket.y, bucket.z]
                        .iter()
                        .zip(bytes.chunks_exact_mut(32))
                    {
                        (*field * radix).write_bytes_le(out);
                    }
                }
                out.extend(bytes);
            }
        }
        if let Mood::Corrupt(slot) = self.mood {
            out[slot * BUCKET_BYTES..][..32].fill(0xff);
        }
        for (at, beat) in self
            .beats(job.result_list, out.len())
            .iter()
            .zip(out.chunks_exact(16))
        {
            self.memory[*at..at + 16].copy_from_slice(beat);
        }
    }

    fn abort(&mut self) {
        if self.mood == Mood::Slow && self.head != self.registers[reg::RING_TAIL as usize / 4] {
            self.mood = Mood::Fails(12, 0);
            self.doorbell();
            self.mood = Mood::Slow;
        }
    }
}

#[derive(Clone)]
pub(crate) struct FakeRegisters(Arc<Mutex<State>>);

impl RegisterSpace for FakeRegisters {
    fn read32(&mut self, offset: u32) -> Result<u32> {
        let state = self.0.lock().expect("no test panics inside");
        if state.mood == Mood::Gone {
            return Ok(u32::MAX);
        }
        let caps = state.caps.encode();
        Ok(match offset {
            reg::ID => state.id,
            reg::VERSION => state.version,
            reg::CAPS0 | reg::CAPS1 | reg::CAPS2 | reg::CAPS3 => {
                caps[(offset - reg::CAPS0) as usize / 4]
            }
            reg::STATUS => u32::from(state.resetting) << 1,
            reg::RING_HEAD => state.head,
            _ => state.registers[offset as usize / 4],
        })
    }

    fn write32(&mut self, offset: u32, value: u32) -> Result<()> {
        let mut state = self.0.lock().expect("no test panics inside");
        match offset {
            reg::CTRL if ctrl::RESET.is_set(value) => {
                state.registers.fill(0);
                state.head = 0;
                state.resets += 1;
                state.resetting = state.mood == Mood::Dead;
            }
            reg::CTRL => {
                if ctrl::ABORT.is_set(value) {
                    state.abort();
                }
            }
            reg::IRQ_STATUS => state.registers[offset as usize / 4] &= !value,
            reg::ERR => state.registers[offset as usize / 4] = 0,
            _ => {
                state.registers[offset as usize / 4] = value;
                if offset == reg::RING_TAIL {
                    state.doorbell();
                }
            }
        }
        Ok(())
    }
}

#[derive(Clone)]
pub(crate) struct FakeEvent(Arc<Mutex<State>>);

impl Event for FakeEvent {
    fn wait(&mut self, _: Duration) -> Result<bool> {
        let state = self.0.lock().expect("no test panics inside");
        Ok(state.registers[reg::IRQ_STATUS as usize / 4] != 0)
    }

    fn acknowledge(&mut self) -> Result<()> {
        Ok(())
    }
}

pub(crate) struct FakeBuffer {
    state: Arc<Mutex<State>>,
    regions: Vec<Region>,
    bytes: usize,
}

impl DmaBuffer for FakeBuffer {
    fn bytes(&self) -> usize {
        self.bytes
    }

    fn regions(&self) -> &[Region] {
        &self.regions
    }

    fn write(&mut self, offset: usize, data: &[u8]) -> Result<()> {
        let mut state = self.state.lock().expect("no test panics inside");
        assert!(offset + data.len() <= self.bytes);
        let at = state.at(self.regions[0].address) + offset;
        state.memory[at..at + data.len()].copy_from_slice(data);
        Ok(())
    }

    fn read(&self, offset: usize, out: &mut [u8]) -> Result<()> {
        let state = self.state.lock().expect("no test panics inside");
        assert!(offset + out.len() <= self.bytes);
        let at = state.at(self.regions[0].address) + offset;
        out.copy_from_slice(&state.memory[at..at + out.len()]);
        Ok(())
    }

    fn sync(&mut self, offset: usize, len: usize, _: Direction) -> Result<()> {
        assert!(offset + len <= self.bytes);
        Ok(())
    }
}

impl Drop for FakeBuffer {
    fn drop(&mut self) {
        if let Ok(mut state) = self.state.lock() {
            state.live -= self.bytes;
        }
    }
}

impl Bus for FakeBus {
    type Registers = FakeRegisters;
    type Buffer = FakeBuffer;
    type Event = FakeEvent;

    fn registers(&mut self) -> &mut FakeRegisters {
        &mut self.registers
    }

    fn event(&mut self) -> &mut FakeEvent {
        &mut self.event
    }

    fn alloc(&mut self, bytes: usize, _: Placement) -> Result<FakeBuffer> {
        let mut state = self.state();
        if bytes > 1 << 24 {
            return Err(Error::device("no memory", "none"));
        }
        let start = state.memory.len().next_multiple_of(64);
        state.memory.resize(start + bytes, 0xa5);
        state.live += bytes;
        // Two pieces that touch: the bytes are in order, the list has more entries.
        let address = state.base + start as u64;
        let first = (bytes as u64 / 128 * 64).min(bytes as u64);
        let pieces = [(address, first), (address + first, bytes as u64 - first)];
        let regions = pieces
            .into_iter()
            .filter(|(_, bytes)| *bytes > 0)
            .map(|(address, bytes)| Region { address, bytes })
            .collect();
        drop(state);
        Ok(FakeBuffer {
            state: Arc::clone(&self.state),
            regions,
            bytes,
        })
    }
}
