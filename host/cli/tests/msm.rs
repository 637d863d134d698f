//! `zkria gen msm`, `zkria msm`: answers, shapes, files, exit codes.

mod common;

use common::{Scratch, point};
use serde_json::json;
use zkria_core::gen_msm::Kind;

const FILES: &str = "msm --points in/points.bin --scalars in/scalars.bin";

#[test]
fn backends_agree_on_every_kind_and_width() {
    let scratch = Scratch::new();
    // Around the lanes of the accelerator (8) and nothing at all.
    for n in [0, 1, 2, 7, 8, 9] {
        for kind in Kind::ALL {
            scratch.generate("in", &format!("--n {n} --kind {kind} --seed 3"));
            let golden = scratch
                .zkria(&format!("{FILES} --backend golden --json"))
                .ok()
                .json();
            for backend in ["portable", "cpu"] {
                let line = format!("{FILES} --backend {backend} --check --json");
                let answer = scratch.zkria(&line).ok().json();
                assert_eq!(point(&answer), point(&golden), "{kind} {n} {backend}");
            }
        }
    }
}

#[test]
fn larger_inputs_agree_too() {
    let scratch = Scratch::new();
    // Around the buckets of an 11-bit window.
    for n in [2047, 2049] {
        for kind in ["random", "edge", "same-point", "max"] {
            scratch.generate("in", &format!("--n {n} --kind {kind} --seed 9"));
            scratch
                .zkria(&format!("{FILES} --backend portable --check"))
                .ok();
        }
    }
    scratch.generate("in", "--n 65 --kind edge --seed 9 --group g2");
    let answer = scratch
        .zkria(&format!("{FILES} --check --json"))
        .ok()
        .json();
    assert_eq!(answer["group"], "g2");
    assert_eq!(answer["x"].as_array().map(Vec::len), Some(2));
}

#[test]
fn json_has_the_shape_of_the_contract() {
    let scratch = Scratch::new();
    scratch.generate("in", "--n 5 --kind one");
    let run = scratch
        .zkria(&format!("{FILES} --backend portable --json --stats"))
        .ok();
    assert_eq!(run.stdout.lines().count(), 1, "one object and nothing else");
    let answer = run.json();
    let keys: Vec<&str> = answer
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let mut expected = [
        "x", "y", "infinity", "n", "curve", "group", "backend", "profile", "seconds", "stats",
    ];
    expected.sort_unstable();
    assert_eq!(keys, expected);
    assert_eq!(answer["n"], 5);
    assert_eq!(answer["curve"], "bn254");
    assert_eq!(answer["group"], "g1");
    assert_eq!(answer["backend"], "portable");
    assert_eq!(answer["profile"], json!(null));
    assert_eq!(
        answer["stats"],
        json!(null),
        "no error where there are no counters"
    );
    assert!(answer["seconds"].as_f64().unwrap() >= 0.0);
    assert!(answer["x"].as_str().unwrap().starts_with("0x"));

    scratch.generate("in", "--n 4 --kind opposite");
    let answer = scratch.zkria(&format!("{FILES} --json")).ok().json();
    assert_eq!(point(&answer), (json!("0x0"), json!("0x0"), json!(true)));
}

#[test]
fn generated_files_depend_on_the_seed_and_nothing_else() {
    let scratch = Scratch::new();
    let read = |name: &str| std::fs::read(scratch.path(name)).unwrap();
    for threads in [1, 2, 5] {
        let line = format!("gen msm --log-n 11 --kind edge --seed 4 --out t{threads}");
        scratch.zkria(&format!("{line} --threads {threads}")).ok();
        assert_eq!(
            read(&format!("t{threads}/points.bin")),
            read("t1/points.bin")
        );
        assert_eq!(
            read(&format!("t{threads}/scalars.bin")),
            read("t1/scalars.bin")
        );
    }
    assert_eq!(read("t1/points.bin").len(), 32 + 64 * 2048);
    assert_eq!(read("t1/scalars.bin").len(), 32 + 32 * 2048);
    let listing = scratch.listing();
    assert_eq!(
        listing[..4],
        ["t1", "t1/README", "t1/points.bin", "t1/scalars.bin"]
    );
    scratch
        .zkria("gen msm --log-n 11 --kind edge --seed 5 --out other")
        .ok();
    assert_ne!(read("other/points.bin"), read("t1/points.bin"));
}

#[test]
fn the_result_is_written_and_can_be_read() {
    let scratch = Scratch::new();
    scratch.generate("in", "--n 9");
    let answer = scratch
        .zkria(&format!("{FILES} --out sum.bin --json"))
        .ok()
        .json();
    scratch.generate("one", "--n 1 --kind one");
    let line = "msm --points sum.bin --scalars one/scalars.bin --json --check";
    assert_eq!(point(&scratch.zkria(line).ok().json()), point(&answer));
}

#[test]
fn threads_do_not_change_the_answer() {
    let scratch = Scratch::new();
    scratch.generate("in", "--n 3000 --kind mostly01");
    let one = scratch
        .zkria(&format!("{FILES} --json --threads 1"))
        .ok()
        .json();
    let four = scratch
        .zkria(&format!("{FILES} --json --threads 4"))
        .ok()
        .json();
    assert_eq!(point(&one), point(&four));
}

#[test]
fn lengths_must_match_and_ranges_make_them() {
    let scratch = Scratch::new();
    scratch.generate("in", "--n 8");
    scratch.generate("more", "--n 10");
    for (points, scalars, expected, got) in [("in", "more", 8, 10), ("more", "in", 10, 8)] {
        let line = format!(
            "msm --points {points}/points.bin --scalars {scalars}/scalars.bin --out r --json"
        );
        let words = [
            format!("expected {expected}, got {got}"),
            "#FROM..TO".to_owned(),
        ];
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let run = scratch.zkria(&line).fails(3, &words);
        assert_eq!(run.json()["error"]["kind"], "length");
    }
    let line = "msm --points in/points.bin --scalars more/scalars.bin#2.. --check";
    scratch.zkria(line).ok();
    let line = "msm --points more/points.bin#0..8 --scalars in/scalars.bin --check";
    scratch.zkria(line).ok();
    assert!(!scratch.listing().contains(&"r".to_owned()));
}

#[test]
fn bad_files_end_with_three_and_leave_nothing() {
    let scratch = Scratch::new();
    scratch.generate("in", "--n 3");
    let points = std::fs::read(scratch.path("in/points.bin")).unwrap();
    let scalars = std::fs::read(scratch.path("in/scalars.bin")).unwrap();
    let before = scratch.listing();
    let changed = |bytes: &[u8], at: usize, new: &[u8]| {
        let mut bytes = bytes.to_vec();
        bytes[at..at + new.len()].copy_from_slice(new);
        bytes
    };
    let cases: Vec<(&str, Vec<u8>, &[&str])> = vec![
        (
            "points.bin",
            points[..100].to_vec(),
            &["truncated", "224 bytes", "100"],
        ),
        ("points.bin", [&points[..], b"x"].concat(), &["padded"]),
        ("points.bin", vec![], &["empty"]),
        (
            "points.bin",
            changed(&points, 0, b"Q"),
            &["Qkria", "zkriaPT1"],
        ),
        (
            "points.bin",
            changed(&points, 16, &[0xff; 8]),
            &["18446744073709551615"],
        ),
        (
            "points.bin",
            changed(&points, 16, &[0xff; 4]),
            &["4294967295"],
        ),
        ("points.bin", changed(&points, 8, &[2]), &["bls12-381"]),
        (
            "points.bin",
            changed(&points, 32 + 64, &[1]),
            &["point 1 (offset 96)", "curve"],
        ),
        (
            "points.bin",
            changed(&points, 32 + 128, &[0xff; 32]),
            &["point 2 (offset 160)", "x: "],
        ),
        ("scalars.bin", scalars[..33].to_vec(), &["truncated"]),
        (
            "scalars.bin",
            changed(&scalars, 64, &[0xff; 32]),
            &["scalar 1 (offset 64)"],
        ),
    ];
    for (name, bytes, words) in cases {
        let name = format!("in/{name}");
        let good = std::fs::read(scratch.path(&name)).unwrap();
        scratch.put(&name, &bytes);
        let run = scratch.zkria(&format!("{FILES} --out r --json"));
        let run = run.fails(3, &[words, &[&*name]].concat());
        assert_eq!(run.json()["error"]["kind"], "bad_input");
        assert_eq!(scratch.listing(), before);
        scratch.put(&name, &good);
    }
    scratch.put("in/scalars.bin", &changed(&scalars, 64, &[0xff; 32]));
    scratch
        .zkria(&format!("{FILES} --reduce-scalars --check"))
        .ok();
}

#[test]
fn missing_files_and_full_disks_end_with_five() {
    let scratch = Scratch::new();
    scratch.generate("in", "--n 3");
    scratch
        .zkria("msm --points no.bin --scalars in/scalars.bin")
        .fails(5, &["no.bin"]);
    scratch
        .zkria("msm --points in --scalars in/scalars.bin")
        .fails(5, &["directory"]);
    scratch
        .zkria(&format!("{FILES} --out no/such/place"))
        .fails(5, &["no/such/place"]);
    scratch
        .zkria("gen msm --n 3 --out in/README/x")
        .fails(5, &["in/README/x"]);
    if cfg!(target_os = "linux") {
        scratch
            .zkria(&format!("{FILES} --out /dev/full"))
            .fails(5, &["/dev/full"]);
    }
}

#[test]
fn a_disk_that_fills_up_leaves_nothing() {
    if !cfg!(target_os = "linux") {
        return;
    }
    // No file of more than 32 blocks of 512 bytes: points.bin of 2^10 points does not fit. The
    // signal is ignored, so that the write fails as on a full disk.
    let scratch = Scratch::new();
    let zkria = assert_cmd::cargo::cargo_bin("zkria");
    let run = |line: &str| {
        let line = format!(
            "trap '' XFSZ; ulimit -f 32; exec {} {line}",
            zkria.display()
        );
        let output = std::process::Command::new("sh")
            .args(["-c", &line])
            .current_dir(scratch.0.path())
            .output()
            .unwrap();
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let (code, stderr) = run("gen msm --log-n 10 --out full");
    assert_eq!(code, Some(5), "{stderr}");
    assert!(stderr.starts_with("error: full/points.bin: "), "{stderr}");
    assert!(scratch.listing().is_empty(), "{:?}", scratch.listing());
    assert_eq!(run("gen msm --n 10 --out fits").0, Some(0));
}

#[test]
fn trust_is_said_aloud() {
    let scratch = Scratch::new();
    scratch.generate("in", "--n 3 --group g2");
    let run = scratch.zkria(&format!("{FILES} --trust-points")).ok();
    assert!(run.stderr.contains("--trust-points") && run.stderr.contains("subgroup"));
    assert_eq!(
        scratch
            .zkria(&format!("{FILES} --trust-points --quiet"))
            .ok()
            .stderr,
        ""
    );
}

#[test]
fn counts_do_not_reach_the_allocator() {
    if !cfg!(target_os = "linux") {
        return;
    }
    // 400 MB of address space: an allocation from a count near 2^32 ends the process with a
    // signal or the bug code.
    let scratch = Scratch::new();
    scratch.generate("in", "--n 3");
    let good = std::fs::read(scratch.path("in/points.bin")).unwrap();
    for count in [u64::from(u32::MAX), 1 << 40, 1 << 58, u64::MAX] {
        let mut bytes = good.clone();
        bytes[16..24].copy_from_slice(&count.to_le_bytes());
        scratch.put("in/points.bin", &bytes);
        let zkria = assert_cmd::cargo::cargo_bin("zkria");
        let line = format!(
            "ulimit -v 400000; exec {} {FILES} --threads 1",
            zkria.display()
        );
        let output = std::process::Command::new("sh")
            .args(["-c", &line])
            .current_dir(scratch.0.path())
            .output()
            .unwrap();
        assert_eq!(
            output.status.code(),
            Some(3),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
