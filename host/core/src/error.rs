//! One error type for every library of the workspace.
//!
//! A message says what was expected, what came and what to do next; bad input also names the
//! file and the offset, index or field. The exit code of the command line is a property of the
//! variant, so that no command can get it wrong.

use std::io;
use std::path::PathBuf;

/// Shorthand for `Result<T, Error>`.
pub type Result<T> = std::result::Result<T, Error>;

/// Why an operation did not happen.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The answer is "no": a check that was asked for found a difference.
    #[error("{what}")]
    CheckFailed {
        /// What was compared, with both sides where they are short.
        what: String,
    },
    /// The command line, or the arguments of a call, do not make sense together.
    #[error("{0}")]
    Usage(String),
    /// Outside data is not what its format says.
    #[error("{input}: {what}")]
    BadInput {
        /// The file (with its section), or the name of the value, that was read.
        input: String,
        /// Offset or index, field, what was expected, what came, way out.
        what: String,
    },
    /// Two things that must be of one length are not.
    #[error("{what}: expected {expected}, got {got}")]
    Length {
        /// What was counted.
        what: String,
        /// The length it should have.
        expected: u64,
        /// The length it has.
        got: u64,
    },
    /// A backend, a tool or a feature is not there.
    #[error("{what}; {cure}")]
    Unavailable {
        /// What is missing, and why if that is known.
        what: String,
        /// How to get it.
        cure: String,
    },
    /// A device answered wrongly, too late or not at all.
    #[error("{what}; {cure}")]
    Device {
        /// What the device did, with the registers that tell.
        what: String,
        /// What to do next.
        cure: String,
    },
    /// The operating system refused to read or write.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file or stream.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Error {
    /// An [`Error::CheckFailed`].
    pub fn check_failed(what: impl Into<String>) -> Self {
        Self::CheckFailed { what: what.into() }
    }

    /// An [`Error::Usage`].
    pub fn usage(what: impl Into<String>) -> Self {
        Self::Usage(what.into())
    }

    /// An [`Error::BadInput`].
    pub fn bad_input(input: impl Into<String>, what: impl Into<String>) -> Self {
        Self::BadInput {
            input: input.into(),
            what: what.into(),
        }
    }

    /// An [`Error::Length`].
    pub fn length(what: impl Into<String>, expected: usize, got: usize) -> Self {
        Self::Length {
            what: what.into(),
            expected: expected as u64,
            got: got as u64,
        }
    }

    /// An [`Error::Unavailable`].
    pub fn unavailable(what: impl Into<String>, cure: impl Into<String>) -> Self {
        Self::Unavailable {
            what: what.into(),
            cure: cure.into(),
        }
    }

    /// An [`Error::Device`].
    pub fn device(what: impl Into<String>, cure: impl Into<String>) -> Self {
        Self::Device {
            what: what.into(),
            cure: cure.into(),
        }
    }

    /// An [`Error::Io`].
    pub fn io(path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::Io {
            path: path.into(),
            source,
        }
    }

    /// The exit code of the command line: 1 the answer is "no", 2 usage, 3 bad input, 4 backend
    /// or tool unavailable, 5 input/output failure.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::CheckFailed { .. } => 1,
            Self::Usage(_) => 2,
            Self::BadInput { .. } | Self::Length { .. } => 3,
            Self::Unavailable { .. } | Self::Device { .. } => 4,
            Self::Io { .. } => 5,
        }
    }

    /// A stable word for scripts, the `kind` of the JSON error object.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::CheckFailed { .. } => "check_failed",
            Self::Usage(_) => "usage",
            Self::BadInput { .. } => "bad_input",
            Self::Length { .. } => "length",
            Self::Unavailable { .. } => "unavailable",
            Self::Device { .. } => "device",
            Self::Io { .. } => "io",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_has_the_exit_code_of_the_contract() {
        let table = [
            (Error::check_failed("x"), 1, "check_failed", "x"),
            (Error::usage("x"), 2, "usage", "x"),
            (
                Error::bad_input("f.bin", "empty"),
                3,
                "bad_input",
                "f.bin: empty",
            ),
            (
                Error::length("scalars", 4, 5),
                3,
                "length",
                "scalars: expected 4, got 5",
            ),
            (
                Error::unavailable("no sim", "make tools"),
                4,
                "unavailable",
                "no sim; make tools",
            ),
            (
                Error::device("timeout", "reset it"),
                4,
                "device",
                "timeout; reset it",
            ),
            (
                Error::io("a/b", io::Error::other("full")),
                5,
                "io",
                "a/b: full",
            ),
        ];
        for (error, code, kind, message) in table {
            assert_eq!(error.exit_code(), code, "{error:?}");
            assert_eq!(error.kind(), kind, "{error:?}");
            assert_eq!(error.to_string(), message);
        }
    }
}
