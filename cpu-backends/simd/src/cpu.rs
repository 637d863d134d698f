//! Which CPU path to take.

use zkria_core::{Error, Result};

/// A CPU path, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// AVX-512 IFMA lanes.
    Ifma,
    /// Plain 64-bit code.
    Portable,
}

impl Choice {
    /// Name in `ZKRIA_CPU` and in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ifma => "ifma",
            Self::Portable => "portable",
        }
    }
}

/// Whether this CPU has the lanes.
fn has_ifma() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        crate::Ifma::detect().is_some()
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// The best path of this CPU, or the one that the environment variable `ZKRIA_CPU` forces:
/// `portable`, `avx2` or `ifma`. No kernel has an AVX2 path yet, so `avx2` means `portable`.
///
/// # Errors
/// [`Error::Usage`] for another value, [`Error::Unavailable`] when the CPU lacks the forced path.
pub fn choice() -> Result<Choice> {
    forced(std::env::var_os("ZKRIA_CPU").as_deref())
}

fn forced(value: Option<&std::ffi::OsStr>) -> Result<Choice> {
    match value.map(|v| v.to_string_lossy()).as_deref() {
        None | Some("") => Ok(if has_ifma() {
            Choice::Ifma
        } else {
            Choice::Portable
        }),
        Some("portable" | "avx2") => Ok(Choice::Portable),
        Some("ifma") if has_ifma() => Ok(Choice::Ifma),
        Some("ifma") => Err(Error::unavailable(
            "ZKRIA_CPU=ifma: this CPU lacks AVX-512F, IFMA or VBMI2",
            "unset ZKRIA_CPU, or set it to portable",
        )),
        Some(other) => Err(Error::usage(format!(
            "ZKRIA_CPU: expected portable, avx2 or ifma, got `{other}`"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forcing() {
        let with = |s: &str| forced(Some(s.as_ref()));
        assert_eq!(with("portable").unwrap(), Choice::Portable);
        assert_eq!(with("avx2").unwrap(), Choice::Portable);
        assert_eq!(with("").unwrap(), forced(None).unwrap());
        assert_eq!(with("neon").unwrap_err().exit_code(), 2);
        match with("ifma") {
            Ok(choice) => assert_eq!(choice, Choice::Ifma),
            Err(error) => assert_eq!((error.exit_code(), has_ifma()), (4, false)),
        }
    }
}
