//! The RTL behind `--backend sim`, from files to counters.

mod common;

use common::{Scratch, point};
use serde_json::json;

const FILES: &str = "msm --points in/points.bin --scalars in/scalars.bin";

/// Whether the RTL can be simulated here; says so where not.
fn available(scratch: &Scratch) -> bool {
    let answer = scratch.zkria("devices --json").ok().json();
    let sim = &answer["devices"][3];
    assert_eq!(sim["name"], "sim");
    if sim["available"] == json!(false) {
        zkria_testkit::skip("verilator", sim["reason"].as_str().unwrap_or("no reason"));
        // Without it the command says how to get it.
        scratch.generate("in", "--n 1");
        let cure = sim["cure"].as_str().expect("a cure");
        scratch
            .zkria(&format!("{FILES} --backend sim --out r"))
            .fails(4, &[cure]);
        assert!(!scratch.path("r").exists());
    }
    sim["available"] == json!(true)
}

#[test]
fn the_rtl_equals_golden_and_counts() {
    let scratch = Scratch::new();
    if !available(&scratch) {
        return;
    }
    scratch.generate("in", "--n 9 --kind edge --seed 2");
    let answer = scratch
        .zkria(&format!("{FILES} --backend sim --check --stats --json"))
        .ok()
        .json();
    assert_eq!(
        (&answer["check"], &answer["profile"]),
        (&json!("equal"), &json!("compact"))
    );
    let portable = scratch
        .zkria(&format!("{FILES} --backend portable --json"))
        .ok()
        .json();
    assert_eq!(point(&answer), point(&portable));
    let stats = answer["stats"].as_object().expect("counters");
    let mut keys: Vec<_> = stats.keys().map(String::as_str).collect();
    keys.sort_unstable();
    let expected = [
        "additions",
        "bytes_read",
        "bytes_written",
        "cycles",
        "khz",
        "loads",
        "stalls",
    ];
    assert_eq!(keys, expected);
    assert!(stats["cycles"].as_u64() > Some(1000) && stats["khz"].as_f64() > Some(0.0));
    let plain = scratch
        .zkria(&format!("{FILES} --backend sim --json"))
        .ok()
        .json();
    assert_eq!(plain["stats"], json!(null), "only when asked for");
}

#[test]
fn real_keys_go_through_the_rtl() {
    let scratch = Scratch::new();
    if !available(&scratch) {
        return;
    }
    let Some(dir) = zkria_testkit::shared_dir() else {
        return;
    };
    let dir = dir.join("vectors/groth16");
    let key = dir.join("tiny/circuit.zkey").display().to_string();
    let wtns = dir.join("tiny/witness.wtns").display().to_string();
    let ptau = dir.join("p11.ptau").display().to_string();
    for (points, scalars) in [
        (format!("{key}#a"), wtns.clone()),
        (format!("{key}#c"), format!("{wtns}#2..")),
        (format!("{ptau}#tau-g1:5..9"), wtns),
    ] {
        let args = [
            "msm",
            "--points",
            &points,
            "--scalars",
            &scalars,
            "--backend",
            "sim",
            "--check",
        ];
        let run = scratch.run(&args).ok();
        assert!(run.stdout.contains("equal to golden"), "{points}");
    }
}

#[test]
fn what_the_engine_lacks_is_said() {
    let scratch = Scratch::new();
    if !available(&scratch) {
        return;
    }
    scratch.generate("in", "--n 2 --group g2");
    scratch
        .zkria(&format!("{FILES} --backend sim"))
        .fails(4, &["bn254 g2", "--backend cpu"]);
    scratch.generate("in", "--n 2");
    let line = format!("{FILES} --backend sim --profile throughput");
    scratch.zkria(&line).fails(4, &["throughput", "compact"]);
    let run = scratch.zkria(&format!("{FILES} --backend sim --trace w.fst"));
    if cfg!(feature = "trace") {
        let wave = std::fs::metadata(scratch.path("w.fst")).expect("a waveform");
        assert!(run.ok().stderr.is_empty() && wave.len() > 1000);
    } else {
        run.fails(4, &["--trace", "--features trace"]);
        assert!(!scratch.path("w.fst").exists());
    }
}
