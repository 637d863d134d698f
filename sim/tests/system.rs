//! The whole engine through the board's driver against golden: kinds and sizes, stalls on every
//! channel, error responses and resets at many points, several jobs and threads.

mod engine;

use std::time::Duration;

use engine::{Input, Placed, SMALL, TIMEOUT, assert_quiet, open, queue};
use zkria_accel::{Accel, Options, Queue, RingQueue};
use zkria_core::gen_msm::Kind;
use zkria_core::{Backend, Error, Msm};
use zkria_csr::layout::result_bytes;
use zkria_field::Field;
use zkria_field::bn254::{Fr, G1};
use zkria_sim::axi_mem::{At, Direction, Fault, Response};
use zkria_sim::bus::Port;
use zkria_sim::stream::Rng;
use zkria_testkit::{Level, check_msm, check_msm_case, check_msm_input};

fn accel(
    top: &str,
    stall_percent: u32,
    seed: u64,
) -> Accel<RingQueue<zkria_sim::bus::VerilatedBus>> {
    let queue = RingQueue::open(open(top, stall_percent, seed)).expect("the engine answers");
    Accel::new("sim", queue, Options::default())
}

#[test]
fn the_small_engine_passes_the_backend_check() {
    let accel = accel(SMALL, 0, 1);
    assert_eq!(
        (
            accel.caps().lanes,
            accel.caps().window_bits,
            accel.caps().windows
        ),
        (2, 5, 52)
    );
    check_msm::<G1>(&accel, Level::Quick);
}

#[test]
fn stalls_on_every_channel_change_nothing() {
    for (seed, stalls) in [(1, 30), (2, 60), (3, 90)] {
        let accel = accel(SMALL, stalls, seed);
        check_msm_case::<G1>(&accel, Kind::Edge, 33, seed);
        check_msm_case::<G1>(&accel, Kind::Opposite, 17, seed);
    }
}

#[test]
fn the_board_engine_is_right_to_the_bucket() {
    let accel = accel("zkria_top_checked", 0, 1);
    let caps = accel.caps();
    assert_eq!(
        (caps.lanes, caps.window_bits, caps.windows, caps.log2_r),
        (8, 11, 24, 255)
    );
    check_msm_case::<G1>(&accel, Kind::Edge, 40, 1);
    check_msm_case::<G1>(&accel, Kind::SamePoint, 9, 2);
    drop(accel);

    let bus = open("zkria_top_checked", 20, 4);
    let mut queue = RingQueue::open(bus).expect("the engine answers");
    let input = Input::new(Kind::Random, 64, 5);
    let placed = Placed::new(&mut queue, &input, 0, 24);
    let counters = placed.run(&mut queue).expect("runs");
    placed.check(&mut queue, &input.buckets(11), "64 random points");
    let (additions, loads) = input.work(11, 0, 24);
    assert_eq!((counters.additions, counters.loads), (additions, loads));
}

#[test]
fn counters_tell_what_was_done() {
    let (_, mut queue) = queue(0, 1);
    let caps = *queue.caps();
    for (kind, n) in [
        (Kind::Random, 50),
        (Kind::Edge, 60),
        (Kind::Zero, 5),
        (Kind::Opposite, 20),
    ] {
        let input = Input::new(kind, n, 9);
        for (first, windows) in [(0, 3), (7, 2), (51, 1)] {
            let placed = Placed::new(&mut queue, &input, first, windows);
            let counters = placed.run(&mut queue).expect("runs");
            placed.check(&mut queue, &input.buckets(5), &format!("{kind}"));
            let what = format!("{kind} windows {first}+{windows}");
            assert_eq!(
                (counters.additions, counters.loads),
                input.work(5, first, windows),
                "{what}"
            );
            let passes = u64::from(windows.div_ceil(caps.lanes));
            // One-page pieces: an entry for each piece of each buffer.
            let entries = |bytes: usize| bytes.div_ceil(4096) as u64;
            let data = passes * (n as u64 * 96 + 16 * (entries(n * 64) + entries(n * 32)));
            let result = result_bytes(&caps, windows);
            let read = 64 + data + 16 * entries(result);
            assert_eq!(counters.bytes_read, read, "{what}");
            assert_eq!(counters.bytes_written, result as u64, "{what}");
            assert!(counters.cycles > result as u64 / 16, "{what}");
        }
    }
}

#[test]
fn no_points_give_empty_buckets_through_the_engine() {
    for stalls in [0, 50] {
        let (_, mut queue) = queue(stalls, 3);
        let nothing = Input {
            points: vec![],
            scalars: vec![],
        };
        let placed = Placed::new(&mut queue, &nothing, 0, 52);
        let counters = placed.run(&mut queue).expect("runs");
        placed.check(&mut queue, &[], "n = 0");
        assert_eq!((counters.additions, counters.loads), (0, 0));
        // Something, then nothing again: no bucket keeps its content.
        let some = Input::new(Kind::Random, 20, 1);
        let before = Placed::new(&mut queue, &some, 0, 4);
        before.run(&mut queue).expect("runs");
        before.check(&mut queue, &some.buckets(5), "n = 20");
        let placed = Placed::new(&mut queue, &nothing, 0, 4);
        placed.run(&mut queue).expect("runs");
        placed.check(&mut queue, &[], "n = 0 after n = 20");
    }
    let accel = accel(SMALL, 0, 1);
    check_msm_input::<G1>(&accel, "n = 0", &[], &[]);
}

#[test]
fn every_burst_may_fail_and_the_next_job_is_right() {
    let input = Input::new(Kind::Edge, 12, 7);
    let expected = input.buckets(5);
    for stalls in [0, 40] {
        let (bus, mut queue) = queue(stalls, 11);
        let mut injected = 0;
        for (port, direction) in [
            (Port::Points, Direction::Read),
            (Port::Scalars, Direction::Read),
            (Port::Result, Direction::Read),
            (Port::Result, Direction::Write),
        ] {
            let count = |bus: &zkria_sim::bus::VerilatedBus| {
                let (reads, writes) = bus.sim().expect("sound").bursts(port);
                if direction == Direction::Read {
                    reads
                } else {
                    writes
                }
            };
            // How many bursts does a good job take?
            let placed = Placed::new(&mut queue, &input, 0, 5);
            let before = count(&bus);
            placed.run(&mut queue).expect("runs");
            placed.check(&mut queue, &expected, "before");
            let bursts = count(&bus) - before;
            for burst in 0..bursts {
                let response = if burst % 2 == 0 {
                    Response::Slave
                } else {
                    Response::Decode
                };
                let at = At::Burst(count(&bus) + burst);
                bus.inject(Fault {
                    port: port as usize,
                    direction,
                    at,
                    response,
                })
                .expect("sound");
                let placed = Placed::new(&mut queue, &input, 0, 5);
                let error = placed.run(&mut queue).expect_err("a burst failed");
                let text = error.to_string();
                let word = if burst % 2 == 0 { "SLVERR" } else { "DECERR" };
                let what = format!("{port:?} {direction:?} burst {burst} of {bursts}: {text}");
                assert!(matches!(error, Error::Device { .. }), "{what}");
                assert!(
                    text.contains(word) && text.contains("job ") && text.contains("while"),
                    "{what}"
                );
                assert_quiet(&bus);
                bus.clear_faults().expect("sound");
                let placed = Placed::new(&mut queue, &input, 0, 5);
                placed
                    .run(&mut queue)
                    .unwrap_or_else(|e| panic!("{what}: next job: {e}"));
                placed.check(&mut queue, &expected, &what);
                injected += 1;
            }
        }
        assert!(injected > 60, "only {injected} injection points");
    }
}

#[test]
fn a_hard_reset_at_any_cycle_is_a_clear_error_and_the_next_job_is_right() {
    let input = Input::new(Kind::Random, 10, 2);
    let expected = input.buckets(5);
    for seed in 0..25 {
        let mut rng = Rng::new(seed);
        let (bus, mut queue) = queue(20, seed);
        let placed = Placed::new(&mut queue, &input, 0, 5);
        let ticket = placed.submit(&mut queue).expect("fits");
        for _ in 0..rng.below(8000) {
            bus.sim().expect("sound").step().expect("protocol");
        }
        bus.sim().expect("sound").reset().expect("sound");
        // The job may have ended before; else the driver notices that nothing happens.
        if let Err(error) = queue.wait(ticket, Duration::from_micros(300)) {
            let text = error.to_string();
            assert!(
                text.contains("did not end") && text.contains("reset"),
                "seed {seed}: {text}"
            );
        } else {
            // The reset also took the ring away.
            queue.restart().expect("the engine answers");
        }
        let placed = Placed::new(&mut queue, &input, 0, 5);
        placed
            .run(&mut queue)
            .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        placed.check(&mut queue, &expected, &format!("seed {seed}"));
    }
}

#[test]
fn a_soft_reset_at_any_cycle_loses_the_jobs_cleanly() {
    let input = Input::new(Kind::Random, 10, 2);
    let expected = input.buckets(5);
    for seed in 0..25 {
        let mut rng = Rng::new(seed);
        let (bus, mut queue) = queue(30, seed);
        let placed = Placed::new(&mut queue, &input, 0, 5);
        let tickets =
            [placed.submit(&mut queue), placed.submit(&mut queue)].map(|t| t.expect("fits"));
        for _ in 0..rng.below(12_000) {
            bus.sim().expect("sound").step().expect("protocol");
        }
        queue.restart().expect("comes out of reset");
        assert_quiet(&bus);
        for ticket in tickets {
            let error = queue.wait(ticket, TIMEOUT).expect_err("lost");
            assert!(
                error.to_string().contains("lost when the engine was reset"),
                "{error}"
            );
        }
        let placed = Placed::new(&mut queue, &input, 0, 5);
        placed
            .run(&mut queue)
            .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        placed.check(&mut queue, &expected, &format!("seed {seed}"));
    }
}

#[test]
fn a_job_that_takes_too_long_is_aborted_and_the_next_is_right() {
    let input = Input::new(Kind::Random, 40, 2);
    let expected = input.buckets(5);
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let (bus, mut queue) = queue(30, seed);
        let placed = Placed::new(&mut queue, &input, 0, 5);
        let ticket = placed.submit(&mut queue).expect("fits");
        let timeout = Duration::from_nanos(10 * rng.below(15_000));
        let error = queue.wait(ticket, timeout).expect_err("too short");
        let text = error.to_string();
        assert!(
            text.contains("did not end within") && text.contains("aborted"),
            "{text}"
        );
        assert_quiet(&bus);
        let placed = Placed::new(&mut queue, &input, 0, 5);
        placed
            .run(&mut queue)
            .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        placed.check(&mut queue, &expected, &format!("seed {seed}"));
    }
}

#[test]
fn jobs_queue_up_and_the_ring_wraps() {
    let (_, mut queue) = queue(0, 5);
    let inputs: Vec<_> = (0..70)
        .map(|i| Input::new(Kind::Random, i % 7, i as u64))
        .collect();
    let mut waiting = std::collections::VecDeque::new();
    let mut rng = Rng::new(1);
    for (i, input) in inputs.iter().enumerate() {
        let placed = Placed::new(&mut queue, input, (i % 50) as u32, 1 + (i % 3) as u32);
        let ticket = placed.submit(&mut queue).expect("there is room");
        waiting.push_back((i, placed, ticket));
        // Up to five wait; any of them may be asked for.
        while waiting.len() > 5 || (i + 1 == inputs.len() && !waiting.is_empty()) {
            let pick = rng.below(waiting.len() as u64) as usize;
            let (j, placed, ticket) = waiting.remove(pick).expect("in range");
            queue
                .wait(ticket, TIMEOUT)
                .unwrap_or_else(|e| panic!("job {j}: {e}"));
            placed.check(&mut queue, &inputs[j].buckets(5), &format!("job {j}"));
            assert!(
                queue.wait(ticket, TIMEOUT).is_err(),
                "a ticket is good once"
            );
        }
    }
    // The ring has 64 entries and refuses more than 63 unfinished jobs, without harm.
    let placed = Placed::new(&mut queue, &inputs[1], 0, 1);
    let mut tickets = Vec::new();
    let error = loop {
        match placed.submit(&mut queue) {
            Ok(ticket) => tickets.push(ticket),
            Err(error) => break error,
        }
        assert!(tickets.len() < 64);
    };
    assert!(
        error.to_string().contains("ring of 64 entries is full"),
        "{error}"
    );
    assert_eq!(tickets.len(), 63);
    for ticket in tickets {
        queue.wait(ticket, TIMEOUT).expect("runs");
    }
    placed.check(&mut queue, &inputs[1].buckets(5), "after a full ring");
}

#[test]
fn threads_take_turns() {
    let accel = accel(SMALL, 10, 8);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let accel = &accel;
            scope.spawn(move || {
                let input = Input::new(Kind::Random, 5 + thread as usize, thread);
                let mut bound = accel.bind(&input.points).expect("room");
                for round in 0..3u64 {
                    let factor = Fr::from(round * 31 + 1);
                    let scalars: Vec<_> = input.scalars.iter().map(|s| *s * factor).collect();
                    let got = bound.run(&scalars).expect("runs");
                    let portable = zkria_cpu_msm::msm::<G1>(&input.points, &scalars, 1)
                        .expect("equal lengths");
                    assert_eq!(got, portable, "thread {thread} round {round}");
                    assert!(
                        bound
                            .stats()
                            .is_some_and(|s| s.cycles > 0 && s.khz.is_some())
                    );
                }
            });
        }
    });
}

#[test]
fn lengths_beyond_the_capability_name_the_limit() {
    let accel = accel(SMALL, 0, 1);
    let input = Input::new(Kind::Zero, 4096, 1);
    let error = accel
        .bind(&input.points)
        .err()
        .expect("n = 2^12 is too long");
    assert!(
        error.to_string().contains("limit is 2^12 - 1 = 4095"),
        "{error}"
    );
    assert_eq!(error.exit_code(), 4);
    let mut bound = accel.bind(&input.points[..4095]).expect("fits");
    let error = bound.run(&input.scalars).expect_err("one scalar too many");
    assert!(
        matches!(
            error,
            Error::Length {
                expected: 4095,
                got: 4096,
                ..
            }
        ),
        "{error}"
    );
    assert!(
        bound
            .run(&input.scalars[..4095])
            .expect("runs")
            .is_infinity()
    );
    let backend: &dyn Backend = &accel;
    assert!(backend.msm_bn254_g1().is_some() && backend.msm_bn254_g2().is_none());
    assert_eq!(Fr::ZERO, input.scalars[0]);
}
