//! A job ring in user space, over any [`Bus`].

use std::time::Duration;

use zkria_core::{Error, Result};
use zkria_csr::layout::{self, BEAT_BYTES, POINT_BYTES, SCALAR_BYTES};
use zkria_csr::regs::{
    self, JOB_BYTES, Job, ctrl, irq_enable, irq_status, job_status, reg, status, version,
};
use zkria_csr::{Caps, regs::Segment};

use crate::bus::{Bus, Direction, DmaBuffer, Event, Placement, RegisterSpace};
use crate::failure::JobFailure;
use crate::queue::{Counters, JobSpec, Part, Queue, Ticket};

/// Jobs in the ring; one entry always stays free.
const ENTRIES: u32 = 64;
/// How long an aborted job or a reset may take: far beyond any bus latency.
const GRACE: Duration = Duration::from_millis(2);
/// Pause between two looks at a register.
const POLL: Duration = Duration::from_micros(50);

/// A job whose slot is in use.
struct Pending<B> {
    ticket: Ticket,
    /// The segment lists of the job; the engine reads them until it has ended.
    _lists: B,
    /// Set when a reset took the job away.
    lost: bool,
}

/// The queue that keeps ring and segment lists in memory of its own.
pub struct RingQueue<B: Bus> {
    bus: B,
    caps: Caps,
    ring: B::Buffer,
    slots: Vec<Option<Pending<B::Buffer>>>,
    tail: u32,
    next_cookie: u64,
}

impl<B: Bus> RingQueue<B> {
    /// Looks who is there, resets the engine and programs a ring.
    ///
    /// # Errors
    /// [`Error::Device`] when nothing answers, something else does, its version or capabilities
    /// do not fit this driver, or it does not come out of reset; no memory for the ring.
    pub fn open(mut bus: B) -> Result<Self> {
        let caps = identify(&mut bus)?;
        let ring = bus.alloc(ENTRIES as usize * JOB_BYTES, Placement::Contiguous)?;
        let mut queue = Self {
            bus,
            caps,
            ring,
            slots: (0..ENTRIES).map(|_| None).collect(),
            tail: 0,
            next_cookie: 1,
        };
        queue.restart()?;
        Ok(queue)
    }

    /// The bus, for what only it can do.
    pub fn bus(&mut self) -> &mut B {
        &mut self.bus
    }

    /// Resets the engine and programs the ring anew; jobs in the ring are lost.
    ///
    /// # Errors
    /// [`Error::Device`] when the engine does not come out of reset.
    pub fn restart(&mut self) -> Result<()> {
        self.write(reg::CTRL, ctrl::RESET.mask())?;
        let busy = status::BUSY.mask() | status::RESETTING.mask();
        if !self.poll(|queue| Ok(queue.read(reg::STATUS)? & busy == 0))? {
            let state = self.read(reg::STATUS)?;
            return Err(Error::device(
                format!(
                    "the engine does not come out of reset (STATUS {state:#010x}): a transfer of it never ends"
                ),
                "load the bitstream again",
            ));
        }
        for pending in self.slots.iter_mut().flatten() {
            pending.lost = true;
        }
        self.tail = 0;
        let address = self.ring.regions().first().map_or(0, |r| r.address);
        self.write(reg::RING_LO, address as u32)?;
        self.write(reg::RING_HI, (address >> 32) as u32)?;
        self.write(reg::RING_ENTRIES, ENTRIES)?;
        let causes = irq_enable::DONE.mask() | irq_enable::ERROR.mask() | irq_enable::RING.mask();
        self.write(reg::IRQ_ENABLE, causes)?;
        self.write(reg::CTRL, ctrl::ENABLE.mask())
    }

    fn read(&mut self, offset: u32) -> Result<u32> {
        self.bus.registers().read32(offset)
    }

    fn write(&mut self, offset: u32, value: u32) -> Result<()> {
        self.bus.registers().write32(offset, value)
    }

    fn read64(&mut self, offset: u32) -> Result<u64> {
        Ok(u64::from(self.read(offset)?) | u64::from(self.read(offset + 4)?) << 32)
    }

    /// Looks until `done`, at most for the grace period.
    fn poll(&mut self, mut done: impl FnMut(&mut Self) -> Result<bool>) -> Result<bool> {
        for _ in 0..GRACE.as_micros() / POLL.as_micros() {
            if done(self)? {
                return Ok(true);
            }
            self.bus.event().wait(POLL)?;
        }
        Ok(false)
    }

    /// The segments of `bytes` bytes of a part, checked against the engine's widths.
    fn segments(&self, part: &Part<'_, B::Buffer>, bytes: u64, what: &str) -> Result<Vec<Segment>> {
        let regions = part.buffer.regions();
        let limit = 1u64 << self.caps.addr_width.min(63);
        if let Some(high) = regions.iter().find(|r| r.address + r.bytes > limit) {
            return Err(Error::device(
                format!(
                    "the buffer of the {what} ends at {:#x}, but the engine reaches only {} bits of address",
                    high.address + high.bytes,
                    self.caps.addr_width
                ),
                "allocate DMA memory below that limit",
            ));
        }
        layout::segment_list(regions, part.offset as u64, bytes, self.caps.seg_width).ok_or_else(|| {
            Error::device(
                format!("the buffer of the {what} is too short or not aligned for {bytes} bytes at offset {}", part.offset),
                "this is a fault of the caller of the queue",
            )
        })
    }

    /// The status of the job in `slot` once the engine has written it, with its error address.
    fn status(&mut self, slot: usize) -> Result<Option<(u32, u64)>> {
        let offset = slot * JOB_BYTES;
        let tail = Job::OFFSET_ERR_ADDR;
        self.ring
            .sync(offset + tail, JOB_BYTES - tail, Direction::FromDevice)?;
        let mut bytes = [0; JOB_BYTES];
        self.ring.read(offset + tail, &mut bytes[tail..])?;
        let job = Job::decode(&bytes);
        Ok(job_status::DONE
            .is_set(job.status)
            .then_some((job.status, job.err_addr)))
    }

    /// Clears the interrupt; the read-back makes sure the line is down before it is opened again.
    fn acknowledge(&mut self) -> Result<u32> {
        let causes = self.read(reg::IRQ_STATUS)?;
        self.write(reg::IRQ_STATUS, causes)?;
        self.read(reg::IRQ_STATUS)?;
        self.bus.event().acknowledge()?;
        Ok(causes)
    }

    /// The failure that stands in ERR.
    fn recorded_failure(&mut self) -> Result<JobFailure> {
        let failure = JobFailure {
            status: self.read(reg::ERR)?,
            address: self.read64(reg::ERR_ADDR_LO)?,
            cookie: Some(self.read64(reg::ERR_COOKIE_LO)?).filter(|cookie| *cookie != 0),
        };
        self.write(reg::ERR, 0)?;
        Ok(failure)
    }

    /// The job in `slot` has ended without a status: its write failed, or the ring stopped.
    fn without_status(&mut self, ticket: Ticket) -> Error {
        match self.recorded_failure() {
            Ok(failure) if job_status::ERROR.is_set(failure.status) => failure.into(),
            Ok(_) => Error::device(
                format!("job {} ended without a status", ticket.0),
                "check that COHERENT and the buffers agree",
            ),
            Err(error) => error,
        }
    }

    /// A job did not end in time: abort it, and if that does not help reset everything.
    fn give_up(&mut self, slot: usize, ticket: Ticket, timeout: Duration) -> Result<()> {
        let id = self.read(reg::ID)?;
        if id != regs::ID_VALUE {
            return Err(gone(id));
        }
        let state = self.read(reg::STATUS)?;
        self.write(reg::CTRL, ctrl::ENABLE.mask() | ctrl::ABORT.mask())?;
        let aborted = self.poll(|queue| Ok(queue.status(slot)?.is_some()))?;
        let outcome = if aborted {
            self.acknowledge()?;
            "it was aborted and the engine takes the next job"
        } else {
            self.restart()?;
            "the engine had to be reset"
        };
        Err(Error::device(
            format!(
                "job {} did not end within {} ms (STATUS {state:#010x}); {outcome}",
                ticket.0,
                timeout.as_millis()
            ),
            "raise the timeout, or check the clock of the engine",
        ))
    }

    /// Waits for the job in `slot`.
    fn wait_slot(&mut self, slot: usize, ticket: Ticket, timeout: Duration) -> Result<()> {
        loop {
            if let Some((word, address)) = self.status(slot)? {
                if !job_status::ERROR.is_set(word) {
                    return Ok(());
                }
                self.write(reg::ERR, 0)?;
                let cookie = Some(ticket.0);
                return Err(JobFailure {
                    cookie,
                    status: word,
                    address,
                }
                .into());
            }
            // The engine may have given this job up without a status.
            let head = self.read(reg::RING_HEAD)?;
            if head >= ENTRIES {
                return Err(gone(head));
            }
            let past = (head + ENTRIES - slot as u32 - 1) % ENTRIES;
            let behind = (self.tail + ENTRIES - slot as u32 - 1) % ENTRIES;
            if past <= behind && self.status(slot)?.is_none() {
                return Err(self.without_status(ticket));
            }
            if !self.bus.event().wait(timeout)? {
                return self.give_up(slot, ticket, timeout);
            }
            let causes = self.acknowledge()?;
            if causes == u32::MAX {
                return Err(gone(causes));
            }
            if irq_status::RING.is_set(causes) {
                let failure = self.recorded_failure()?;
                self.restart()?;
                return Err(failure.into());
            }
        }
    }
}

impl<B: Bus> Queue for RingQueue<B> {
    type Buffer = B::Buffer;

    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn alloc(&mut self, bytes: usize) -> Result<B::Buffer> {
        self.bus.alloc(bytes, Placement::Any)
    }

    fn submit(&mut self, job: &JobSpec<'_, B::Buffer>) -> Result<Ticket> {
        let limit = 1u64 << self.caps.count_width;
        let n = u32::try_from(job.n).ok().filter(|n| u64::from(*n) < limit);
        let Some(n) = n else {
            return Err(too_long(job.n, &self.caps));
        };
        let windows = (
            u8::try_from(job.first_window),
            u8::try_from(job.num_windows),
        );
        let (Ok(first_window), Ok(num_windows)) = windows else {
            return Err(Error::usage("window numbers of a job are below 256"));
        };
        let slot = self.tail as usize;
        let next = (self.tail + 1) % ENTRIES;
        if self.slots[slot].is_some() || self.slots[next as usize].is_some() {
            return Err(Error::unavailable(
                format!("the job ring of {ENTRIES} entries is full"),
                "wait for a submitted job first",
            ));
        }
        let points = self.segments(&job.points, u64::from(n) * POINT_BYTES as u64, "points")?;
        let scalars = self.segments(&job.scalars, u64::from(n) * SCALAR_BYTES as u64, "scalars")?;
        let bytes = layout::result_bytes(&self.caps, job.num_windows);
        let result = self.segments(&job.result, bytes as u64, "result")?;

        let entries: Vec<u8> = [&points, &scalars, &result]
            .into_iter()
            .flatten()
            .flat_map(Segment::encode)
            .collect();
        let mut lists = self.bus.alloc(entries.len(), Placement::Contiguous)?;
        lists.write(0, &entries)?;
        lists.sync(0, entries.len(), Direction::ToDevice)?;
        let at = lists.regions().first().map_or(0, |r| r.address);
        let list = |entries_before: usize| at + (entries_before * BEAT_BYTES) as u64;

        let ticket = Ticket(self.next_cookie);
        self.next_cookie += 1;
        let entry = Job {
            points_list: list(0),
            scalars_list: list(points.len()),
            result_list: list(points.len() + scalars.len()),
            n,
            first_window,
            num_windows,
            cookie: ticket.0,
            ..Job::default()
        };
        self.ring.write(slot * JOB_BYTES, &entry.encode())?;
        self.ring
            .sync(slot * JOB_BYTES, JOB_BYTES, Direction::ToDevice)?;
        self.slots[slot] = Some(Pending {
            ticket,
            _lists: lists,
            lost: false,
        });
        self.tail = next;
        self.write(reg::RING_TAIL, next)?;
        Ok(ticket)
    }

    fn wait(&mut self, ticket: Ticket, timeout: Duration) -> Result<()> {
        let found = self
            .slots
            .iter()
            .position(|s| s.as_ref().is_some_and(|p| p.ticket == ticket));
        let Some(slot) = found else {
            return Err(Error::usage(format!(
                "job {} was never submitted or already waited for",
                ticket.0
            )));
        };
        if self.slots[slot].as_ref().is_some_and(|p| p.lost) {
            self.slots[slot] = None;
            return Err(Error::device(
                format!("job {} was lost when the engine was reset", ticket.0),
                "submit it again",
            ));
        }
        let outcome = self.wait_slot(slot, ticket, timeout);
        self.slots[slot] = None;
        outcome
    }

    fn counters(&mut self) -> Result<Counters> {
        Ok(Counters {
            cycles: self.read64(reg::CYCLES)?,
            additions: self.read64(reg::ADDITIONS)?,
            loads: self.read64(reg::LOADS)?,
            stalls: self.read64(reg::STALLS)?,
            bytes_read: self.read64(reg::BYTES_READ)?,
            bytes_written: self.read64(reg::BYTES_WRITTEN)?,
        })
    }

    fn simulated(&self) -> bool {
        self.bus.simulated()
    }
}

impl<B: Bus> Drop for RingQueue<B> {
    /// Stops the engine before its memory is freed.
    fn drop(&mut self) {
        // Nobody is left to be told when the device is gone.
        let _ = self.write(reg::CTRL, ctrl::RESET.mask());
        let busy = status::BUSY.mask() | status::RESETTING.mask();
        let _ = self.poll(|queue| Ok(queue.read(reg::STATUS)? & busy == 0));
    }
}

/// Who is there, and does it fit?
fn identify(bus: &mut impl Bus) -> Result<Caps> {
    let coherent = bus.coherent();
    let registers = bus.registers();
    let id = registers.read32(reg::ID)?;
    if id != regs::ID_VALUE {
        return Err(gone(id));
    }
    let word = registers.read32(reg::VERSION)?;
    let (major, minor) = (version::MAJOR.get(word), version::MINOR.get(word));
    if major != regs::VERSION_MAJOR {
        return Err(Error::device(
            format!(
                "the engine's register page has version {major}.{minor}, this driver knows {}.x",
                regs::VERSION_MAJOR
            ),
            "load the bitstream of this version",
        ));
    }
    let mut words = [0; 4];
    for (word, offset) in words
        .iter_mut()
        .zip([reg::CAPS0, reg::CAPS1, reg::CAPS2, reg::CAPS3])
    {
        *word = registers.read32(offset)?;
    }
    let caps = Caps::decode(words);
    check_caps(&caps, coherent).map_err(|what| {
        Error::device(
            format!("{what} (CAPS {words:08x?})"),
            "load the bitstream of this version",
        )
    })?;
    Ok(caps)
}

fn check_caps(caps: &Caps, coherent: bool) -> std::result::Result<(), String> {
    if caps.profile != Some(regs::Profile::Compact) {
        return Err("this driver knows the profile `compact` only".into());
    }
    let covers = caps.windows * caps.window_bits >= 254 && caps.windows <= 256;
    if caps.signed || caps.lanes == 0 || !(1..=16).contains(&caps.window_bits) || !covers {
        return Err("the engine's windows do not cover a scalar".into());
    }
    if !(254..=512).contains(&caps.log2_r) {
        return Err(format!(
            "the engine's Montgomery radix is 2^{}",
            caps.log2_r
        ));
    }
    let widths = (32..=63).contains(&caps.addr_width)
        && (1..=32).contains(&caps.count_width)
        && (5..=32).contains(&caps.seg_width)
        && 1u64 << caps.ring_width.min(63) >= u64::from(ENTRIES);
    if !widths {
        return Err("the engine's address, length or ring widths make no sense".into());
    }
    if caps.coherent != coherent {
        return Err(format!(
            "the engine says COHERENT = {}, the buffers need {}",
            u8::from(caps.coherent),
            u8::from(coherent)
        ));
    }
    Ok(())
}

/// What stands in place of the ID says who answers.
fn gone(word: u32) -> Error {
    if word == u32::MAX {
        return Error::device(
            "the engine does not answer (reads all ones)",
            "load the bitstream again",
        );
    }
    Error::device(
        format!(
            "no zkria engine answers: ID reads {word:#010x}, expected {:#010x}",
            regs::ID_VALUE
        ),
        "load the bitstream, and check the address of the register page",
    )
}

/// More points than a job can name.
pub(crate) fn too_long(n: usize, caps: &Caps) -> Error {
    Error::unavailable(
        format!(
            "an MSM of {n} points is too long for this engine, whose limit is 2^{} - 1 = {} points",
            caps.count_width,
            (1u64 << caps.count_width) - 1
        ),
        "split the MSM, or use --backend cpu",
    )
}
