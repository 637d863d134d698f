//! `zkria bench msm`: shape of the report, peers, plot.

mod common;

use common::Scratch;
use serde_json::Value;

fn rows(answer: &Value) -> &Vec<Value> {
    answer["rows"].as_array().expect("rows")
}

#[test]
fn the_report_has_the_shape_of_the_contract() {
    let scratch = Scratch::new();
    let line = "bench msm --log-n 5..6 --backend portable,golden --runs 3 --threads 1 --json";
    let answer = scratch.run(
        &[
            &line.split(' ').collect::<Vec<_>>()[..],
            &["--plot", "b.svg"],
        ]
        .concat(),
    );
    let answer = answer.ok().json();
    for key in ["cpu", "features", "cores", "load", "memory_gib"] {
        assert!(answer["machine"].get(key).is_some(), "{key}");
    }
    let ours: Vec<_> = rows(&answer)
        .iter()
        .filter(|row| !row["backend"].as_str().unwrap().starts_with("peer:"))
        .collect();
    assert_eq!(ours.len(), 4);
    for row in ours {
        for key in ["median_s", "median_wall_s", "p10_s", "p90_s"] {
            assert!(row[key].as_f64().unwrap() > 0.0, "{row}");
        }
        assert!(row["p10_s"].as_f64() <= row["median_s"].as_f64());
        assert!(row["median_s"].as_f64() <= row["p90_s"].as_f64());
        assert_eq!(row["op"], "msm");
        assert_eq!(row["variant"], "bn254/g1/random");
        assert_eq!((&row["threads"], &row["runs"]), (&1.into(), &3.into()));
        assert_eq!(row["checked"], true);
        assert!(row.get("bytes_peak").is_some());
    }
    let svg = std::fs::read_to_string(scratch.path("b.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("portable") && svg.contains("2^6"));
}

#[test]
fn other_programs_are_peers() {
    let scratch = Scratch::new();
    let zkria = assert_cmd::cargo::cargo_bin("zkria").display().to_string();
    let ours = format!(
        "self={zkria} msm --points {{points}} --scalars {{scalars}} --out {{out}} --quiet \
         --threads {{threads}}"
    );
    let told = "told=test {log_n} = 4 && cat {points} >/dev/null && echo '{\"seconds\":0.25}'";
    let run = |peer: &str| {
        scratch.run(&[
            "bench", "msm", "--log-n", "4", "--runs", "2", "--json", "--peer", peer,
        ])
    };
    let answer = run(&ours).ok().json();
    let row = |name: &str, answer: &Value| {
        rows(answer)
            .iter()
            .find(|row| row["backend"] == name)
            .cloned()
            .expect("the row")
    };
    assert_eq!(
        row("peer:self", &answer)["checked"],
        true,
        "its result was read and compared"
    );
    assert_eq!(
        row("process:cpu", &answer)["checked"],
        true,
        "ours as a process beside it"
    );

    let answer = run(told).ok().json();
    assert_eq!(row("peer:told", &answer)["median_s"], 0.25);
    assert_eq!(
        row("peer:told", &answer)["checked"],
        false,
        "it gave no result"
    );
    assert!(
        rows(&answer)
            .iter()
            .all(|row| row["backend"] != "process:cpu")
    );

    run("bad=exit 3").fails(4, &["peer:bad", "exit status: 3"]);
}

#[test]
fn a_peer_with_a_wrong_result_is_caught() {
    let scratch = Scratch::new();
    // Any container of one valid point that is not the sum.
    let wrong = "wrong=head -c 96 {points} > {out}; printf '\\001' | dd of={out} bs=1 seek=16 \
                 conv=notrunc 2>/dev/null";
    let args = [
        "bench", "msm", "--log-n", "4", "--runs", "1", "--peer", wrong,
    ];
    let run = scratch.run(&args);
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.contains("peer:wrong"));
}
