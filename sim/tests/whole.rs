//! One large MSM through the board's engine, every bucket against golden. `make sim-2e16` runs
//! it; `ZKRIA_LOG_N` sets another size.

mod engine;

use std::time::Duration;

use engine::{Input, Placed, assert_quiet, open};
use zkria_accel::{Queue, RingQueue};
use zkria_core::gen_msm::Kind;

#[test]
#[ignore = "takes minutes: make sim-2e16"]
fn every_bucket_of_a_large_msm() {
    let log_n = std::env::var("ZKRIA_LOG_N").map_or(16, |text| {
        text.parse::<u32>().expect("ZKRIA_LOG_N is a number")
    });
    let bus = open("zkria_top", 0, 1);
    let mut queue = RingQueue::open(bus.clone()).expect("the engine answers");
    let input = Input::new(Kind::Random, 1 << log_n, 1);
    let placed = Placed::new(&mut queue, &input, 0, 24);
    let ticket = placed.submit(&mut queue).expect("room in the ring");
    // In simulated time; 2^16 takes some 1.5 s.
    queue
        .wait(ticket, Duration::from_secs(60))
        .expect("runs to its end");
    let counters = queue.counters().expect("latched");
    placed.check(&mut queue, &input.buckets(11), &format!("2^{log_n} points"));
    assert_eq!(
        (counters.additions, counters.loads),
        input.work(11, 0, 24),
        "additions, loads"
    );
    assert_quiet(&bus);
}
