//! The rule for skipping what a machine lacks.
//!
//! A test that needs a tool, a device or big data calls [`skip`] and returns. That prints
//! `skipped: <tool> (<reason>)`, appends the line to the file named by `$ZKRIA_SKIP_LOG`, and
//! panics when `$ZKRIA_REQUIRE`, a comma list of `sim`, `emu`, `cuda` and `shared`, names the
//! tool's group: a machine that should have the tool must not pass without it.

use std::env;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Name under which missing test data are skipped.
const SHARED: &str = "shared vectors";

/// The group of `$ZKRIA_REQUIRE` that a tool belongs to; a name that is no known tool is its own.
fn group(tool: &str) -> &str {
    match tool {
        "verilator" => "sim",
        "nvcc" | "nvrtc" | "gpu" => "cuda",
        SHARED => "shared",
        other => other,
    }
}

fn named(list: &str, tool: &str) -> bool {
    list.split(',').any(|entry| entry.trim() == group(tool))
}

/// Whether `$ZKRIA_REQUIRE` demands `tool` (or its group) on this machine.
#[must_use]
pub fn require(tool: &str) -> bool {
    env::var("ZKRIA_REQUIRE").is_ok_and(|list| named(&list, tool))
}

/// Says that the calling test is skipped for want of `tool`; the caller returns afterwards.
///
/// # Panics
/// When `$ZKRIA_REQUIRE` names the tool's group, or the log cannot be written.
#[expect(
    clippy::print_stdout,
    reason = "the skip rule is a line on the test's output"
)]
pub fn skip(tool: &str, reason: &str) {
    let line = format!("skipped: {tool} ({reason})");
    println!("{line}");
    if let Some(path) = env::var_os("ZKRIA_SKIP_LOG") {
        // One write of one line: tests of several processes append to one file.
        OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()))
            .unwrap_or_else(|e| panic!("ZKRIA_SKIP_LOG {}: {e}", Path::new(&path).display()));
    }
    assert!(
        !require(tool),
        "ZKRIA_REQUIRE names `{}`, but {line}",
        group(tool)
    );
}

/// The folder of big test data: `$ZKRIA_SHARED`, by default `shared` beside the repository.
/// `None`, after a [`skip`], when it is not there: `let Some(dir) = shared_dir() else { return };`
///
/// # Panics
/// When it is not there and `$ZKRIA_REQUIRE` names `shared`.
#[must_use]
pub fn shared_dir() -> Option<PathBuf> {
    let dir = env::var_os("ZKRIA_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    if dir.join("vectors").is_dir() {
        return Some(dir);
    }
    skip(
        SHARED,
        "set ZKRIA_SHARED to the folder that holds `vectors`",
    );
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_the_requirement_list() {
        assert!(named("sim", "verilator"));
        assert!(named("emu, sim ,cuda", "verilator"));
        assert!(named("shared", SHARED));
        assert!(named("cuda", "cuda") && named("cuda", "gpu"));
        assert!(!named("emu,cuda", "verilator"));
        assert!(!named("", "verilator"));
        assert!(!named("simulator", "verilator"), "whole words only");
    }
}
