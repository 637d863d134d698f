//! `zk_msm_core` against golden's bucket sums, per window and bucket: small parameters for every
//! case, the real ones for a few.

#![expect(
    clippy::print_stdout,
    reason = "a failing run shows its seed and figures"
)]

mod msm_bench;

use msm_bench::{Batch, Core, inputs};
use zkria_hls_model::msm_top::{Config, predict_core};

fn small(stall_percent: u32, seed: u64) -> Core {
    Core::new("zk_msm_core_small", 5, stall_percent, seed)
}

/// 0 and 1: nothing to do and a lone load; 7, 8, 9 straddle the dispatcher's depth of 8 points;
/// 40 fills buckets so that loads, additions and conflicts mix.
const SIZES: [usize; 7] = [0, 1, 2, 7, 8, 9, 40];

#[test]
fn every_input_at_every_size() {
    let mut core = small(0, 1);
    for n in SIZES {
        for input in &inputs(n, 3) {
            core.run(&[Batch {
                input,
                window: 0,
                num_windows: 2,
            }]);
        }
    }
}

#[test]
fn random_stalls_on_every_stream() {
    for (seed, stall_percent) in [(1, 20), (2, 50), (3, 90)] {
        println!("seed {seed}, stalls {stall_percent} %");
        let mut core = small(stall_percent, seed);
        for input in &inputs(24, seed) {
            core.run(&[Batch {
                input,
                window: 3,
                num_windows: 2,
            }]);
        }
    }
}

#[test]
fn windows_start_anywhere_and_a_batch_may_be_short() {
    let mut core = small(0, 5);
    let input = &inputs(10, 5)[0];
    // 254 bits make 51 windows of 5; window 51 holds the top bit of a 256-bit word only.
    for window in 0..52 {
        let num_windows = if window % 3 == 2 { 1 } else { 2 };
        core.run(&[Batch {
            input,
            window,
            num_windows,
        }]);
    }
}

#[test]
fn batches_back_to_back_share_nothing() {
    let mut core = small(0, 6);
    let inputs = inputs(12, 6);
    let batches: Vec<_> = inputs
        .iter()
        .flat_map(|input| {
            [0, 2].map(|window| Batch {
                input,
                window,
                num_windows: 2,
            })
        })
        .collect();
    core.run(&batches);
    // Without stalls the next start is taken the cycle after the last beat.
    let input = &inputs[0];
    let one = core.run(&[Batch {
        input,
        window: 0,
        num_windows: 2,
    }]);
    let again = [0, 0].map(|window| Batch {
        input,
        window,
        num_windows: 2,
    });
    let two = core.run(&again);
    assert_eq!(two.cycles, 2 * one.cycles);
}

#[test]
fn reset_in_the_middle_and_a_correct_batch_after_it() {
    let inputs = inputs(30, 7);
    let mut core = small(0, 7);
    // While points come, while additions run, while buckets go out.
    let whole = core
        .run(&[Batch {
            input: &inputs[0],
            window: 0,
            num_windows: 2,
        }])
        .cycles as u32;
    for cycles in [5, 60, 200, whole / 2, whole - 100] {
        core.interrupt(
            &Batch {
                input: &inputs[0],
                window: 0,
                num_windows: 2,
            },
            cycles,
        );
        // And while the full bits are cleared.
        core.interrupt(
            &Batch {
                input: &inputs[0],
                window: 0,
                num_windows: 2,
            },
            5,
        );
        core.run(&[Batch {
            input: &inputs[6],
            window: 0,
            num_windows: 2,
        }]);
    }
}

#[test]
fn real_parameters() {
    let mut core = Core::new("zk_msm_core", 11, 0, 9);
    core.run(&[Batch {
        input: &inputs(0, 9)[0],
        window: 16,
        num_windows: 8,
    }]);
    // Reading out a window takes 12,282 cycles, so the many inputs get one each.
    for input in &inputs(9, 9) {
        core.run(&[Batch {
            input,
            window: 22,
            num_windows: 1,
        }]);
    }
    let inputs = inputs(40, 10);
    for (input, window, num_windows) in [(0, 0, 8), (0, 8, 8), (1, 8, 7), (5, 3, 2), (6, 0, 1)] {
        core.run(&[Batch {
            input: &inputs[input],
            window,
            num_windows,
        }]);
    }
}

/// The cycle model of the engine against the RTL: one batch of mostly loads, one of mostly
/// additions (small windows fill early), the idle top window among them.
#[test]
fn the_model_predicts_cycles_and_counts() {
    let real = Config::default();
    let small = Config {
        num_lanes: 2,
        window_bits: 5,
        depth: 8,
        ..real
    };
    for (top, config, n, window) in [
        ("zk_msm_core_small", small, 300, 0),
        ("zk_msm_core_small", small, 200, 49),
        ("zk_msm_core", real, 400, 16),
    ] {
        let mut core = Core::new(top, config.window_bits as usize, 0, 11);
        let input = &inputs(n, 12)[0];
        // The clearing after reset is no part of a batch.
        core.run(&[Batch {
            input: &inputs(1, 1)[0],
            window,
            num_windows: config.num_lanes,
        }]);
        let got = core.run(&[Batch {
            input,
            window,
            num_windows: config.num_lanes,
        }]);
        let limbs = |s: &[u8; 32]| {
            [0, 1, 2, 3]
                .map(|i| u64::from_le_bytes(s[8 * i..8 * i + 8].try_into().expect("8 bytes")))
        };
        let scalars: Vec<_> = input.scalars.iter().map(limbs).collect();
        let want = predict_core(&scalars, window, config.num_lanes, &config);
        println!("{top}, {n} points: {got:?}, model {want:?}");
        assert_eq!(
            (got.additions, got.loads),
            (want.additions, want.loads),
            "{top}"
        );
        let off = want.cycles as f64 / got.cycles as f64 - 1.0;
        assert!(off.abs() < 0.01, "{top}: model off by {:.2} %", 100.0 * off);
        let waits = want.stalls as f64 - got.stalls as f64;
        assert!(waits.abs() < 0.02 * got.cycles as f64, "{top}: stalls");
    }
}
