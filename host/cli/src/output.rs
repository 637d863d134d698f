//! The only place that prints. Standard output is the answer, standard error everything else.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use serde::Serialize;
use serde_json::json;
use zkria_core::{Error, Result};

/// How an error names standard output.
pub const STDOUT: &str = "<standard output>";

/// Where a bug is to be reported.
const ISSUES: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/issues");

/// Prints answers and notes as the flags ask.
#[derive(Debug)]
pub struct Output {
    json: bool,
    quiet: bool,
}

impl Output {
    /// For the flags `--json` and `--quiet`.
    #[must_use]
    pub fn new(json: bool, quiet: bool) -> Self {
        Self { json, quiet }
    }

    /// Whether one JSON object is the answer.
    #[must_use]
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Whether notes and progress are unwanted.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// The answer: `value` with `--json`, the text of `text` without.
    ///
    /// # Errors
    /// [`Error::Io`] when standard output cannot be written.
    pub fn answer(&self, value: &impl Serialize, text: impl FnOnce() -> String) -> Result<()> {
        let mut answer = if self.json {
            serde_json::to_string(value).map_err(|e| stdout_error(e.into()))?
        } else {
            text()
        };
        if !answer.ends_with('\n') {
            answer.push('\n');
        }
        self.raw(answer.as_bytes())
    }

    /// These very bytes.
    ///
    /// # Errors
    /// [`Error::Io`] when standard output cannot be written.
    pub fn raw(&self, bytes: &[u8]) -> Result<()> {
        let mut stdout = io::stdout().lock();
        stdout
            .write_all(bytes)
            .and_then(|()| stdout.flush())
            .map_err(stdout_error)
    }

    /// A note on standard error, unless `--quiet`.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            stderr_line(&format!("note: {text}"));
        }
    }

    /// The error line, and with `--json` the error object.
    pub(crate) fn error(&self, kind: &str, message: &str) {
        stderr_line(&format!("error: {}", one_line(message)));
        self.error_json(kind, message);
    }

    pub(crate) fn error_json(&self, kind: &str, message: &str) {
        if self.json {
            print_error_json(kind, message);
        }
    }
}

fn stdout_error(source: io::Error) -> Error {
    Error::io(STDOUT, source)
}

fn one_line(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

/// One line on standard error; when even that fails nobody is left to tell.
fn stderr_line(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

fn print_error_json(kind: &str, message: &str) {
    let object = json!({"error": {"kind": kind, "message": one_line(message)}});
    // The error has its line on standard error already.
    let _ = writeln!(io::stdout().lock(), "{object}");
}

/// Tells about a panic in one line, with the way to report it.
pub(crate) fn report_bug(info: &str) {
    stderr_line(&format!(
        "error: this is a bug in zkria {}, please report it with the command line at {ISSUES}: {}",
        env!("CARGO_PKG_VERSION"),
        one_line(info)
    ));
}

/// Prints what clap has to say: help and version are answers, all else is a usage error.
pub(crate) fn clap_exit(error: &clap::Error, json: bool) -> ExitCode {
    let text = error.render();
    if error.use_stderr() {
        if json {
            let text = text.to_string();
            // What is missing, or what would do, stands in the lines before the usage.
            let told = text.split("\n\nUsage").next().unwrap_or_default();
            let told = told.split("\n\nFor more").next().unwrap_or_default();
            print_error_json("usage", &one_line(told.trim_start_matches("error: ")));
        }
        let _ = error.print();
        return ExitCode::from(2);
    }
    match error.print() {
        Err(source) if source.kind() != ErrorKind::BrokenPipe => {
            stderr_line(&format!("error: {STDOUT}: {source}"));
            ExitCode::from(5)
        }
        _ => ExitCode::SUCCESS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_one_line() {
        assert_eq!(one_line("a\n  b\nc"), "a b c");
        assert_eq!(one_line("a"), "a");
    }
}
