//! The skip rule as another process sees it.

use std::fs;
use std::process::{Command, Output};

use zkria_testkit::{shared_dir, skip};

/// Runs one test of this file again with other variables.
fn again(test: &str, variables: &[(&str, &str)]) -> Output {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env_remove("ZKRIA_REQUIRE")
        .env_remove("ZKRIA_SKIP_LOG")
        .env("ZKRIA_TESTKIT_INNER", "1")
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

fn inner() -> bool {
    std::env::var_os("ZKRIA_TESTKIT_INNER").is_some()
}

#[test]
fn a_skip_passes_unless_required_and_is_logged() {
    if inner() {
        return skip("verilator", "none here");
    }
    let test = "a_skip_passes_unless_required_and_is_logged";
    let log = std::env::temp_dir().join(format!("zkria-skip-{}.log", std::process::id()));
    let log_text = log.to_str().unwrap();
    let line = "skipped: verilator (none here)\n";

    let passed = again(
        test,
        &[("ZKRIA_REQUIRE", "emu,cuda"), ("ZKRIA_SKIP_LOG", log_text)],
    );
    assert!(passed.status.success());
    assert!(String::from_utf8(passed.stdout).unwrap().contains(line));
    let again_logged = again(test, &[("ZKRIA_SKIP_LOG", log_text)]);
    assert!(again_logged.status.success());
    assert_eq!(fs::read_to_string(&log).unwrap(), line.repeat(2));
    fs::remove_file(&log).unwrap();

    let failed = again(test, &[("ZKRIA_REQUIRE", "emu,sim")]);
    assert!(
        !failed.status.success(),
        "ZKRIA_REQUIRE=emu,sim makes a skip a failure"
    );
}

#[test]
fn missing_shared_data_are_a_skip() {
    if inner() {
        return assert_eq!(shared_dir(), None);
    }
    let test = "missing_shared_data_are_a_skip";
    let nowhere = ("ZKRIA_SHARED", "no/such/folder");
    let passed = again(test, &[nowhere]);
    assert!(passed.status.success());
    assert!(
        String::from_utf8(passed.stdout)
            .unwrap()
            .contains("skipped: shared vectors")
    );
    assert!(
        !again(test, &[nowhere, ("ZKRIA_REQUIRE", "shared")])
            .status
            .success()
    );
}

#[test]
fn shared_data_are_found_where_the_variable_points() {
    if inner() {
        return assert!(shared_dir().is_some());
    }
    let dir = std::env::temp_dir().join(format!("zkria-shared-{}", std::process::id()));
    fs::create_dir_all(dir.join("vectors")).unwrap();
    let found = again(
        "shared_data_are_found_where_the_variable_points",
        &[("ZKRIA_SHARED", dir.to_str().unwrap())],
    );
    fs::remove_dir_all(&dir).unwrap();
    assert!(found.status.success());
}
