//! Real proving keys, witnesses and a powers-of-tau file of snarkjs.

mod common;

use std::path::PathBuf;

use common::{Scratch, point};
use serde_json::json;

fn groth16() -> Option<PathBuf> {
    Some(zkria_testkit::shared_dir()?.join("vectors/groth16"))
}

/// An MSM on `portable`, checked against golden; gives n and the point.
#[track_caller]
fn check(scratch: &Scratch, points: &str, scalars: &str, more: &[&str]) -> serde_json::Value {
    let args = [
        &[
            "msm",
            "--points",
            points,
            "--scalars",
            scalars,
            "--backend",
            "portable",
        ][..],
        &["--check", "--json"],
        more,
    ]
    .concat();
    let answer = scratch.run(&args).ok().json();
    assert_eq!(answer["check"], "equal");
    answer
}

#[test]
fn every_section_of_every_small_key_equals_golden() {
    let Some(dir) = groth16() else { return };
    let scratch = Scratch::new();
    for (circuit, wires, public, domain) in [
        ("tiny", 4, 1, 4),
        ("nopub", 4, 0, 4),
        ("zerocons", 3, 2, 4),
        ("mulchain", 1003, 2, 1024),
    ] {
        let key = dir.join(circuit).join("circuit.zkey").display().to_string();
        let wtns = dir.join(circuit).join("witness.wtns").display().to_string();
        for section in ["a", "b1"] {
            let answer = check(&scratch, &format!("{key}#{section}"), &wtns, &[]);
            assert_eq!(answer["n"], wires, "{circuit}#{section}");
        }
        let answer = check(&scratch, &format!("{key}#b2"), &wtns, &["--trust-points"]);
        assert_eq!(
            (&answer["n"], &answer["group"]),
            (&json!(wires), &json!("g2"))
        );
        let private = format!("{wtns}#{}..", public + 1);
        let answer = check(&scratch, &format!("{key}#c"), &private, &[]);
        assert_eq!(answer["n"], wires - public - 1, "{circuit}#c");
        let answer = check(
            &scratch,
            &format!("{key}#ic"),
            &format!("{wtns}#..{}", public + 1),
            &[],
        );
        assert_eq!(answer["n"], public + 1, "{circuit}#ic");
        scratch.generate("h", &format!("--n {domain}"));
        let answer = check(&scratch, &format!("{key}#h"), "h/scalars.bin", &[]);
        assert_eq!(answer["n"], domain, "{circuit}#h");
    }
}

#[test]
fn infinity_only_queries_give_infinity() {
    let Some(dir) = groth16() else { return };
    let scratch = Scratch::new();
    // No constraint of zerocons is non-linear: its B query is infinity throughout.
    let key = dir.join("zerocons/circuit.zkey#b1").display().to_string();
    let wtns = dir.join("zerocons/witness.wtns").display().to_string();
    let answer = check(&scratch, &key, &wtns, &[]);
    assert_eq!(point(&answer), (json!("0x0"), json!("0x0"), json!(true)));
}

#[test]
fn lengths_of_real_files_are_compared() {
    let Some(dir) = groth16() else { return };
    let scratch = Scratch::new();
    let key = |section: &str| dir.join("tiny/circuit.zkey").display().to_string() + section;
    let wtns = dir.join("mulchain/witness.wtns").display().to_string();
    let run = |points: &str, scalars: &str| {
        scratch.run(&["msm", "--points", points, "--scalars", scalars, "--json"])
    };
    run(&key("#a"), &wtns).fails(3, &["expected 4, got 1003"]);
    run(&key("#c"), &wtns).fails(3, &["expected 2, got 1003"]);
    run(&key("#a"), &format!("{wtns}#1000..1004")).fails(3, &["holds 1003 scalars"]);
    run(&key(""), &wtns).fails(2, &["ic, a, b1, b2, c, h"]);
    run(&key("#z"), &wtns).fails(2, &["unknown section `z`"]);
    run(&wtns, &wtns).fails(3, &["witness"]);
    run(&key("#a"), &key("#a")).fails(3, &["expected scalars", "zkey"]);
    let r1cs = dir.join("tiny/circuit.r1cs").display().to_string();
    run(&r1cs, &wtns).fails(3, &["r1cs"]);
}

#[test]
fn ptau_sections_equal_golden() {
    let Some(dir) = groth16() else { return };
    let scratch = Scratch::new();
    let ptau = dir.join("p11.ptau").display().to_string();
    scratch.generate("s", "--n 4095 --kind mostly01");
    for (section, n) in [
        ("tau-g1", 4095),
        ("alpha-tau-g1", 2048),
        ("beta-tau-g1", 2048),
        ("lagrange-g1:0..2048", 2048),
        ("lagrange-beta-g1:7..9", 2),
    ] {
        let scalars = format!("s/scalars.bin#..{n}");
        let answer = check(&scratch, &format!("{ptau}#{section}"), &scalars, &[]);
        assert_eq!(answer["n"], n, "{section}");
    }
    let answer = check(
        &scratch,
        &format!("{ptau}#tau-g2:..64"),
        "s/scalars.bin#..64",
        &[],
    );
    assert_eq!((&answer["n"], &answer["group"]), (&json!(64), &json!("g2")));
    let answer = check(
        &scratch,
        &format!("{ptau}#beta-g2"),
        "s/scalars.bin#..1",
        &[],
    );
    assert_eq!(answer["n"], 1);
}

#[test]
fn a_real_key_cut_short_is_refused_at_every_length() {
    let Some(dir) = groth16() else { return };
    let scratch = Scratch::new();
    let key = std::fs::read(dir.join("tiny/circuit.zkey")).unwrap();
    let wtns = dir.join("tiny/witness.wtns").display().to_string();
    for len in (1..key.len()).step_by(97) {
        scratch.put("cut.zkey", &key[..len]);
        let args = [
            "msm",
            "--points",
            "cut.zkey#a",
            "--scalars",
            &wtns,
            "--out",
            "r",
        ];
        scratch.run(&args).fails(3, &["cut.zkey"]);
    }
    scratch.put("padded.zkey", &[&key[..], &[0; 9]].concat());
    scratch
        .run(&[
            "msm",
            "--points",
            "padded.zkey#a",
            "--scalars",
            &wtns,
            "--check",
        ])
        .ok();
    assert_eq!(scratch.listing(), ["cut.zkey", "padded.zkey"]);
}
