//! The driver against a fake engine: everything that needs no RTL to be checked.

mod fake;

use std::time::Duration;

use fake::{FakeBus, Mood};
use zkria_accel::{Accel, Options, Queue, RingQueue};
use zkria_core::gen_msm::{Kind, generate};
use zkria_core::{Error, Msm};
use zkria_csr::regs::Profile;
use zkria_field::bn254::G1;
use zkria_testkit::{Level, check_msm, check_msm_case};

fn accel(bus: &FakeBus) -> Accel<RingQueue<FakeBus>> {
    let queue = RingQueue::open(bus.clone()).expect("a good engine opens");
    Accel::new(
        "fake",
        queue,
        Options {
            timeout: Some(Duration::from_millis(1)),
        },
    )
}

/// Runs one MSM that must fail; the engine's next one must be right.
fn failure(bus: &FakeBus, accel: &Accel<RingQueue<FakeBus>>, mood: Mood) -> String {
    let (points, scalars) = generate::<G1>(Kind::Random, 5, 1);
    let mut bound = accel.bind(&points).expect("room");
    bus.state().mood = mood;
    let error = bound.run(&scalars).expect_err("the engine misbehaves");
    assert!(matches!(error, Error::Device { .. }), "{error:?}");
    assert_eq!(bound.stats(), None, "no statistics of a failed run");
    bus.state().mood = Mood::Good;
    error.to_string()
}

#[test]
fn the_driver_passes_the_backend_check_for_any_radix() {
    for log2_r in [255, 256, 262] {
        let bus = FakeBus::new();
        bus.state().caps.log2_r = log2_r;
        bus.state().caps.lanes = log2_r - 250;
        check_msm::<G1>(&accel(&bus), Level::Quick);
    }
}

#[test]
fn strangers_are_refused_at_open() {
    type Change = (fn(&mut fake::State), &'static str);
    let changes: [Change; 12] = [
        (
            |s| s.id = 0x1234_5678,
            "no zkria engine answers: ID reads 0x12345678",
        ),
        (|s| s.mood = Mood::Gone, "does not answer (reads all ones)"),
        (
            |s| s.version = 9 << 16,
            "version 9.0, this driver knows 1.x",
        ),
        (
            |s| s.caps.profile = Some(Profile::Throughput),
            "profile `compact` only",
        ),
        (|s| s.caps.profile = None, "profile `compact` only"),
        (|s| s.caps.lanes = 0, "do not cover a scalar"),
        (|s| s.caps.windows = 63, "do not cover a scalar"),
        (|s| s.caps.signed = true, "do not cover a scalar"),
        (|s| s.caps.log2_r = 128, "radix is 2^128"),
        (|s| s.caps.addr_width = 16, "widths make no sense"),
        (
            |s| s.caps.coherent = true,
            "COHERENT = 1, the buffers need 0",
        ),
        (|s| s.mood = Mood::Dead, "does not come out of reset"),
    ];
    for (change, message) in changes {
        let bus = FakeBus::new();
        change(&mut bus.state());
        let error = RingQueue::open(bus.clone()).err().expect(message);
        assert!(error.to_string().contains(message), "{error}");
        assert_eq!(error.exit_code(), 4);
    }
}

#[test]
fn failures_are_told_in_words_and_leave_the_engine_usable() {
    let bus = FakeBus::new();
    let accel = accel(&bus);
    let cases = [
        (
            Mood::Fails(0x0008_0501, 0x8_0000_1230),
            &[
                "job 1 failed",
                "SLVERR",
                "reading the scalars",
                "0x800001230",
                "windows from 8",
            ][..],
        ),
        (
            Mood::Fails(0x0000_0202, 0),
            &["DECERR", "segment list of the points"],
        ),
        (Mood::Fails(0x0000_00fe, 0), &["unknown error code 254"]),
        (
            Mood::NoStatus,
            &["job ", "SLVERR", "writing the job status"],
        ),
        (
            Mood::Slow,
            &[
                "did not end within 1 ms",
                "aborted",
                "takes the next job",
                "raise the timeout",
            ],
        ),
        (Mood::Stuck, &["did not end", "had to be reset"]),
        (
            Mood::NoResult,
            &["window 0, bucket 1", "not below the modulus"],
        ),
        (
            Mood::Corrupt(3 * 15 + 6),
            &["window 3, bucket 7", "X is not below the modulus"],
        ),
    ];
    for (mood, parts) in cases {
        let text = failure(&bus, &accel, mood);
        for part in parts {
            assert!(text.contains(part), "{mood:?}: {text:?} lacks {part:?}");
        }
        check_msm_case::<G1>(&accel, Kind::Edge, 9, 2);
    }
}

#[test]
fn a_vanished_engine_is_not_waited_for() {
    let bus = FakeBus::new();
    let accel = accel(&bus);
    let (points, scalars) = generate::<G1>(Kind::Random, 5, 1);
    let mut bound = accel.bind(&points).expect("room");
    bus.state().mood = Mood::Gone;
    let error = bound.run(&scalars).expect_err("gone");
    assert!(error.to_string().contains("does not answer"), "{error}");
}

#[test]
fn limits_come_from_the_capabilities() {
    let bus = FakeBus::new();
    let accel = accel(&bus);
    let (points, scalars) = generate::<G1>(Kind::Random, 65, 1);
    // n < 2^6: 63 fits, 64 and 65 do not; nothing is cut off silently.
    check_msm_case::<G1>(&accel, Kind::Random, 63, 3);
    for n in [64, 65] {
        let error = accel.bind(&points[..n]).err().expect("too long");
        let text = error.to_string();
        assert!(
            text.contains(&format!("an MSM of {n} points")) && text.contains("2^6 - 1 = 63"),
            "{text}"
        );
        assert_eq!(error.exit_code(), 4);
    }
    let mut bound = accel.bind(&points[..8]).expect("fits");
    for n in [0, 7, 9] {
        let error = bound.run(&scalars[..n]).expect_err("wrong length");
        assert!(
            matches!(error, Error::Length { expected: 8, got, .. } if got == n as u64),
            "{error}"
        );
    }
    // Memory that the engine's addresses do not reach is refused, not truncated.
    let bus = FakeBus::new();
    bus.state().caps.addr_width = 35;
    bus.state().base = (1 << 35) - 0x4000;
    let accel = self::accel(&bus);
    let mut bound = accel.bind(&points[..8]).expect("room");
    let error = bound.run(&scalars[..8]).expect_err("beyond 35 bits");
    assert!(error.to_string().contains("35 bits of address"), "{error}");
}

#[test]
fn statistics_are_the_engines_and_memory_is_given_back() {
    let bus = FakeBus::new();
    let accel = accel(&bus);
    let (points, scalars) = generate::<G1>(Kind::Random, 10, 1);
    let mut bound = accel.bind(&points).expect("room");
    bound.run(&scalars).expect("runs");
    let stats = bound.stats().expect("after a run");
    assert_eq!(stats.cycles, (2 << 32) + 1010, "both words of the counter");
    assert_eq!(stats.khz, None, "a board has no simulated rate");
    let after_first = bus.state().live;
    for _ in 0..100 {
        bound.run(&scalars).expect("runs");
    }
    assert_eq!(
        bus.state().live,
        after_first,
        "lists are freed, buffers reused"
    );
    drop(bound);
    drop(accel);
    assert_eq!(bus.state().live, 0);
    assert_eq!(
        bus.state().resets,
        2,
        "the engine is reset when it is opened and when it is left"
    );
}

#[test]
fn a_queue_knows_its_tickets() {
    let bus = FakeBus::new();
    let mut queue = RingQueue::open(bus).expect("opens");
    let error = queue
        .wait(zkria_accel::Ticket(5), Duration::ZERO)
        .expect_err("never submitted");
    assert!(error.to_string().contains("never submitted"), "{error}");
}
