//! Running the command in a scratch folder.
#![allow(dead_code, reason = "every test file uses a part of this")]

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// A scratch folder, removed at the end.
pub(crate) struct Scratch(pub(crate) TempDir);

/// What a run left.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a scratch folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn put(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.path(name), bytes).expect("scratch file");
    }

    /// Runs `zkria` with words split at blanks.
    pub(crate) fn zkria(&self, line: &str) -> Run {
        self.run(&line.split_whitespace().collect::<Vec<_>>())
    }

    /// Runs `zkria` with these arguments.
    pub(crate) fn run(&self, args: &[&str]) -> Run {
        let mut command = Command::cargo_bin("zkria").expect("the binary is built");
        let output = command
            .current_dir(self.0.path())
            .args(args)
            .output()
            .expect("it starts");
        Run {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }

    /// Generates an input in the folder `name`.
    pub(crate) fn generate(&self, name: &str, what: &str) {
        self.zkria(&format!("gen msm {what} --out {name}")).ok();
    }

    /// Every file and folder, relative, sorted.
    pub(crate) fn listing(&self) -> Vec<String> {
        fn walk(dir: &Path, root: &Path, found: &mut Vec<String>) {
            for entry in std::fs::read_dir(dir).expect("a folder") {
                let path = entry.expect("an entry").path();
                found.push(
                    path.strip_prefix(root)
                        .expect("inside")
                        .display()
                        .to_string(),
                );
                if path.is_dir() {
                    walk(&path, root, found);
                }
            }
        }
        let mut found = Vec::new();
        walk(self.0.path(), self.0.path(), &mut found);
        found.sort();
        found
    }
}

impl Run {
    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        assert_eq!(self.code, 0, "stderr: {}", self.stderr);
        self
    }

    /// Ends with `code` and one line on standard error that has every word.
    #[track_caller]
    pub(crate) fn fails(self, code: i32, words: &[&str]) -> Self {
        assert_eq!(
            self.code, code,
            "stdout: {} stderr: {}",
            self.stdout, self.stderr
        );
        let line = self.stderr.strip_suffix('\n').unwrap_or(&self.stderr);
        assert!(
            line.starts_with("error: ") && !line.contains('\n'),
            "one line: {line}"
        );
        for word in words {
            assert!(line.contains(word), "`{word}` is not in: {line}");
        }
        self
    }

    /// The one JSON object on standard output.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        let value: Value = serde_json::from_str(&self.stdout)
            .unwrap_or_else(|e| panic!("{e}: stdout {} stderr {}", self.stdout, self.stderr));
        assert!(value.is_object(), "{value}");
        value
    }
}

/// The point of an answer.
pub(crate) fn point(answer: &Value) -> (Value, Value, Value) {
    (
        answer["x"].clone(),
        answer["y"].clone(),
        answer["infinity"].clone(),
    )
}
