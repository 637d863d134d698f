//! Backends by name: one row each. A new backend is a crate and a row here.

use std::path::PathBuf;

use zkria_core::{Backend, Error, Result};

use crate::args::Profile;
use crate::golden::Golden;

/// How to open a backend.
#[derive(Clone, Debug, Default)]
pub struct OpenOptions {
    /// Where to write the waveform (sim).
    pub trace: Option<PathBuf>,
    /// Profile of the accelerator; `None` is the backend's own.
    pub profile: Option<Profile>,
}

/// One backend.
pub struct Row {
    /// The name on the command line.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// Profile of the accelerator unless one is asked for; `None` where there is no accelerator.
    pub profile: Option<Profile>,
    /// Opens it.
    pub open: fn(&OpenOptions) -> Result<Box<dyn Backend>>,
}

/// Every backend, in the order of `zkria devices`.
pub const ROWS: &[Row] = &[
    Row {
        name: "golden",
        about: "oracle over arkworks and num-bigint, slow",
        profile: None,
        open: |_| Ok(Box::new(Golden)),
    },
    Row {
        name: "portable",
        about: "any CPU",
        profile: None,
        open: |_| zkria_cpu_msm::open(),
    },
    Row {
        name: "cpu",
        about: "best CPU path found at run time: AVX-512 IFMA lanes for G1, else portable",
        profile: None,
        open: |_| zkria_cpu_msm::open_best(),
    },
    Row {
        name: "sim",
        about: "the RTL under Verilator",
        profile: Some(Profile::Compact),
        open: open_sim,
    },
    Row {
        name: "fpga",
        about: "a real board",
        profile: Some(Profile::Compact),
        open: |_| {
            Err(Error::unavailable(
                "the board runtime is not in this version",
                "run the same RTL with --backend sim",
            ))
        },
    },
    Row {
        name: "cuda",
        about: "a GPU",
        profile: None,
        open: |_| {
            Err(Error::unavailable(
                "there are no GPU kernels in this version",
                "use --backend cpu",
            ))
        },
    },
];

#[cfg(feature = "sim")]
fn open_sim(options: &OpenOptions) -> Result<Box<dyn Backend>> {
    use zkria_csr::regs;
    if options.trace.is_some() && cfg!(not(feature = "trace")) {
        return Err(Error::unavailable(
            "--trace: this zkria was built without waveforms",
            "build it with cargo build -p zkria --features trace",
        ));
    }
    zkria_sim::open(zkria_sim::SimOptions {
        profile: match options.profile {
            None | Some(Profile::Compact) => regs::Profile::Compact,
            Some(Profile::Throughput) => regs::Profile::Throughput,
        },
        trace: options.trace.clone(),
        ..zkria_sim::SimOptions::default()
    })
}

#[cfg(not(feature = "sim"))]
fn open_sim(_: &OpenOptions) -> Result<Box<dyn Backend>> {
    Err(Error::unavailable(
        "this zkria was built without the simulator",
        "build it with its default features: cargo build -p zkria",
    ))
}

/// The names of all backends.
#[must_use]
pub fn names() -> Vec<&'static str> {
    ROWS.iter().map(|row| row.name).collect()
}

/// The row of a name.
///
/// # Errors
/// [`Error::Usage`] for an unknown name, with the known ones.
pub fn row(name: &str) -> Result<&'static Row> {
    ROWS.iter().find(|row| row.name == name).ok_or_else(|| {
        Error::usage(format!(
            "backend `{name}`: expected one of {}",
            names().join(", ")
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_contract_are_there() {
        assert_eq!(
            names(),
            ["golden", "portable", "cpu", "sim", "fpga", "cuda"]
        );
    }

    #[test]
    fn what_is_missing_has_reason_and_cure() {
        for row in ROWS {
            match (row.open)(&OpenOptions::default()) {
                Ok(backend) => assert!(backend.msm_bn254_g1().is_some(), "{}", row.name),
                Err(Error::Unavailable { what, cure }) => {
                    assert!(!what.is_empty() && !cure.is_empty(), "{}", row.name);
                }
                Err(other) => panic!("{}: {other}", row.name),
            }
        }
        assert_eq!(row("gpu").err().map(|e| e.exit_code()), Some(2));
    }
}
