//! What scripts depend on: usage errors, JSON errors, help, devices, pipes.

mod common;

use std::io::Read;
use std::process::{Command, Stdio};

use common::Scratch;
use serde_json::json;

const COMMANDS: [&str; 9] = [
    "",
    "devices",
    "gen",
    "gen msm",
    "msm",
    "model",
    "bench",
    "bench msm",
    "completions",
];

#[test]
fn usage_errors_end_with_two() {
    let scratch = Scratch::new();
    for line in [
        "",
        "nonsense",
        "msm",
        "msm --points a",
        "msm --points a --scalars b --backend abacus",
        "msm --points a --scalars b --group g3",
        "gen msm --out d",
        "gen msm --log-n 3 --n 4 --out d",
        "gen msm --n 3 --kind odd --out d",
        "gen msm --log-n 29 --out d",
        "gen msm --n 99999999999 --out d",
        "devices --threads 0",
        "bench msm --log-n 5..4",
        "bench msm --log-n 5 --peer nameonly",
        "completions klingon",
    ] {
        let run = scratch.zkria(line);
        assert_eq!(run.code, 2, "{line}: {}", run.stderr);
        assert!(!run.stderr.is_empty(), "{line}");
        if !line.is_empty() {
            let run = scratch.zkria(&format!("--json {line}"));
            assert_eq!(run.code, 2, "{line}");
            assert_eq!(run.json()["error"]["kind"], "usage", "{line}");
        }
    }
    assert!(scratch.listing().is_empty());
}

#[test]
fn what_is_not_in_this_version_says_so() {
    let scratch = Scratch::new();
    scratch.generate("in", "--n 2");
    let files = "msm --points in/points.bin --scalars in/scalars.bin";
    for (flags, code, word) in [
        ("--curve bls12-381", 4, "bls12-381"),
        ("--backend fpga", 4, "board"),
        ("--backend cuda", 4, "GPU"),
        ("--energy", 4, "--energy"),
        ("--device 0,1", 4, "--device"),
        ("--trace w.fst", 2, "--backend sim"),
        ("--profile compact", 2, "--backend sim"),
    ] {
        let run = scratch
            .zkria(&format!("{files} {flags} --json"))
            .fails(code, &[word]);
        let error = &run.json()["error"];
        let kind = if code == 4 { "unavailable" } else { "usage" };
        assert_eq!(error["kind"], kind, "{flags}");
        assert!(run.stderr.contains(error["message"].as_str().unwrap()));
    }
    scratch
        .zkria("gen msm --n 2 --curve bls12-381 --out x")
        .fails(4, &["bls12-381"]);
    assert!(!scratch.path("x").exists());
}

#[test]
fn devices_lists_every_backend_with_its_cure() {
    let scratch = Scratch::new();
    let answer = scratch.zkria("devices --json").ok().json();
    let devices = answer["devices"].as_array().unwrap();
    let names: Vec<_> = devices
        .iter()
        .map(|d| d["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["golden", "portable", "cpu", "sim", "fpga", "cuda"]);
    for device in devices {
        if device["available"] == json!(true) {
            assert!(
                !device["operations"].as_array().unwrap().is_empty(),
                "{device}"
            );
            assert_eq!(device["reason"], json!(null));
        } else {
            assert!(
                device["reason"].is_string() && device["cure"].is_string(),
                "{device}"
            );
        }
    }
    let text = scratch.zkria("devices").ok().stdout;
    assert!(text.contains("golden    available") && text.contains("fpga      unavailable"));
}

#[test]
fn every_help_shows_two_examples_and_they_run() {
    let scratch = Scratch::new();
    let sim = scratch.zkria("devices --json").ok().json()["devices"][3]["available"] == json!(true);
    scratch.generate("demo", "--log-n 8");
    for command in COMMANDS {
        let help = scratch.zkria(&format!("{command} --help")).ok().stdout;
        let (_, examples) = help.split_once("Examples:\n").expect("examples");
        let examples: Vec<&str> = examples
            .lines()
            .filter_map(|line| line.trim().strip_prefix("zkria "))
            .collect();
        assert!(examples.len() >= 2, "{command}: {help}");
        for example in examples {
            if example.contains("sim") && !sim {
                continue;
            }
            scratch.zkria(example).ok();
        }
    }
}

#[test]
fn version_and_help_are_answers() {
    let scratch = Scratch::new();
    let version = scratch.zkria("--version").ok();
    assert_eq!(
        version.stdout,
        format!("zkria {}\n", env!("CARGO_PKG_VERSION"))
    );
    assert_eq!(version.stderr, "");
    assert!(
        scratch
            .zkria("completions bash")
            .ok()
            .stdout
            .contains("_zkria")
    );
}

#[test]
fn a_closed_pipe_is_no_error() {
    let scratch = Scratch::new();
    for line in ["devices", "completions bash", "--help"] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("zkria"))
            .args(line.split_whitespace())
            .current_dir(scratch.0.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Closed before anything is written, or as good as.
        drop(child.stdout.take());
        let mut stderr = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut stderr)
            .unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{line}: {stderr}");
        assert_eq!(stderr, "", "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_an_io_error() {
    let full = || {
        std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap()
    };
    for line in ["devices", "devices --json", "--help"] {
        let output = Command::new(assert_cmd::cargo::cargo_bin("zkria"))
            .args(line.split_whitespace())
            .stdout(full())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{line}: {stderr}");
        assert!(stderr.contains("<standard output>"), "{line}: {stderr}");
    }
}
