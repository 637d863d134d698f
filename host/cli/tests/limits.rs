//! What the system and the user do to a running command: limits, signals, pipes, odd outputs.
#![cfg(target_os = "linux")]

mod common;

use std::fs::File;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use common::Scratch;
use serde_json::Value;

/// Runs a line of `sh` in the scratch folder, `zkria` being the command.
fn sh(scratch: &Scratch, line: &str) -> (i32, Output) {
    let zkria = assert_cmd::cargo::cargo_bin("zkria");
    let output = Command::new("sh")
        .current_dir(scratch.0.path())
        .args([
            "-c",
            &line.replace("zkria ", &format!("{} ", zkria.display())),
        ])
        .stdin(Stdio::null())
        .output()
        .expect("sh starts");
    (output.status.code().unwrap_or(-1), output)
}

const FILES: &str = "msm --points in/points.bin --scalars in/scalars.bin --threads 1";

/// One line, and it has `word`.
fn told(output: &Output, word: &str) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(text.trim_end().lines().count(), 1, "{text}");
    assert!(text.contains(word), "`{word}` is not in: {text}");
}

#[test]
fn a_pipe_that_nobody_writes_is_refused_at_once() {
    let scratch = Scratch::new();
    scratch.generate("in", "--n 2");
    assert_eq!(sh(&scratch, "mkfifo fifo").0, 0);
    let (code, output) = sh(
        &scratch,
        "timeout 10 zkria msm --points fifo --scalars in/scalars.bin",
    );
    assert_eq!(code, 3);
    told(&output, "regular file");
}

#[test]
fn too_many_threads_are_refused_at_once() {
    let scratch = Scratch::new();
    scratch.generate("in", "--n 2");
    for n in ["1025", "100000", "18446744073709551615"] {
        scratch
            .zkria(&format!("{FILES} --threads {n}").replace("--threads 1 ", ""))
            .fails(2, &["1024"]);
    }
    // What computes nothing starts none.
    scratch.zkria("devices --threads 100000").ok();
}

#[test]
fn a_limit_on_file_size_is_an_error_of_the_write() {
    let scratch = Scratch::new();
    scratch.generate("in", "--n 2");
    scratch.put("old", b"old");
    let before = scratch.listing();
    for line in [
        format!("ulimit -f 0; exec zkria {FILES} --out new"),
        format!("ulimit -f 0; exec zkria {FILES} --out old"),
        "ulimit -f 1; exec zkria gen msm --n 500 --threads 1 --out more".to_owned(),
    ] {
        let (code, output) = sh(&scratch, &line);
        assert_eq!(code, 5, "{line}: {output:?}");
        told(&output, "too large");
    }
    assert_eq!(scratch.listing(), before);
    assert_eq!(std::fs::read(scratch.path("old")).expect("there"), b"old");
}

#[test]
fn a_file_larger_than_memory_is_refused() {
    let scratch = Scratch::new();
    scratch.generate("in", "--n 2");
    let count = 1u64 << 26;
    for (name, record) in [("points", 64), ("scalars", 32)] {
        let mut head = std::fs::read(scratch.path(&format!("in/{name}.bin"))).expect("there");
        head.truncate(32);
        head[16..24].copy_from_slice(&count.to_le_bytes());
        let mut file = File::create(scratch.path(name)).expect("made");
        file.write_all(&head).expect("written");
        // A hole: as long as it claims, and it takes no disk.
        file.set_len(32 + count * record).expect("a sparse file");
    }
    let (code, output) = sh(
        &scratch,
        "ulimit -v 1000000; exec zkria msm --points points --scalars scalars --threads 1",
    );
    assert_eq!(code, 4, "{output:?}");
    told(&output, "not enough memory for 67108864 points");
}

#[test]
fn signals_leave_no_temporary_file() {
    let scratch = Scratch::new();
    scratch.generate("in", "--n 2");
    let before = scratch.listing();
    // Whenever it comes: before, while or after the files are written.
    for (signal, at) in (5..45).map(|ms| (["INT", "TERM", "HUP"][ms % 3], ms)) {
        let (code, output) = sh(
            &scratch,
            &format!("timeout -s {signal} 0.{at:03} zkria gen msm --n 3000 --threads 1 --out t"),
        );
        assert!(
            [0, 124, 130].contains(&code),
            "{signal} at {at} ms: {output:?}"
        );
        let left: Vec<_> = scratch
            .listing()
            .into_iter()
            .filter(|name| name.contains(".zkria-"))
            .collect();
        assert!(left.is_empty(), "{signal} at {at} ms: {left:?}");
        // Whole or not there.
        for (name, record) in [("points", 64), ("scalars", 32)] {
            if let Ok(bytes) = std::fs::read(scratch.path(&format!("t/{name}.bin"))) {
                assert_eq!(bytes.len(), 32 + 3000 * record);
            }
        }
        let _ = std::fs::remove_dir_all(scratch.path("t"));
    }
    assert_eq!(scratch.listing(), before);
}

#[test]
fn the_container_does_not_go_where_the_answer_goes() {
    let scratch = Scratch::new();
    scratch.generate("in", "--n 2");
    scratch.put("log", b"keep\n");
    let (code, output) = sh(&scratch, &format!("zkria {FILES} --out /dev/stdout >>log"));
    assert_eq!(code, 2);
    told(&output, "standard output");
    assert_eq!(
        std::fs::read(scratch.path("log")).expect("there"),
        b"keep\n"
    );
    let (code, _) = sh(
        &scratch,
        &format!("zkria {FILES} --out /dev/null >/dev/null"),
    );
    assert_eq!(code, 0);
}

#[test]
fn json_usage_errors_say_what_is_missing_and_what_would_do() {
    let scratch = Scratch::new();
    for (line, words) in [
        ("msm --json", ["--points", "--scalars"]),
        (
            "gen msm --n 1 --kind odd --out d --json",
            ["random", "mostly01"],
        ),
    ] {
        let run = scratch.zkria(line);
        assert_eq!(run.code, 2);
        let Value::String(message) = &run.json()["error"]["message"] else {
            panic!("no message");
        };
        for word in words {
            assert!(message.contains(word), "{line}: {message}");
        }
        assert!(
            !message.contains('\n') && !message.contains("Usage"),
            "{message}"
        );
    }
}

#[test]
fn a_peer_that_talks_nonsense_is_named() {
    let scratch = Scratch::new();
    for (peer, words) in [
        ("p=echo hi >{out}", ["peer:p", "zkriaPT1"]),
        ("p=echo '{\"seconds\":-1}'", ["peer:p", "positive"]),
    ] {
        let line = [
            "bench",
            "msm",
            "--log-n",
            "4",
            "--runs",
            "1",
            "--threads",
            "1",
        ];
        let mut args = line.to_vec();
        args.extend(["--backend", "portable", "--json", "--peer", peer]);
        scratch.run(&args).fails(4, &words);
    }
    let args = ["bench", "msm", "--log-n", "4", "--peer", "p\nq=true"];
    assert_eq!(scratch.run(&args).code, 2);
}
