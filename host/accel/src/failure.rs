//! A failed job in words.

use std::fmt;

use zkria_core::Error;
use zkria_csr::regs::{ErrorCode, Unit, job_status};

/// What a status word, or the ERR register, says about a failed job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobFailure {
    /// Cookie of the job; `None` when the failure belongs to no job.
    pub cookie: Option<u64>,
    /// The status word.
    pub status: u32,
    /// Bus address the failure belongs to; 0 when there is none.
    pub address: u64,
}

impl JobFailure {
    /// The error code; `None` when this driver does not know the number.
    pub fn code(&self) -> Option<ErrorCode> {
        ErrorCode::from_number(job_status::CODE.get(self.status))
    }

    /// The part that met the error; `None` when this driver does not know the number.
    pub fn unit(&self) -> Option<Unit> {
        Unit::from_number(job_status::UNIT.get(self.status))
    }

    fn cure(&self) -> &'static str {
        match self.code() {
            Some(ErrorCode::BusSlave | ErrorCode::BusDecode) => {
                "check that the memory of the DMA buffers is reachable for the engine, then run \
                 the job again: the engine has ended it cleanly and takes the next one"
            }
            Some(ErrorCode::Aborted) => "run the job again",
            Some(ErrorCode::JobCount | ErrorCode::JobWindows) => {
                "split the job to fit the capabilities of the engine"
            }
            Some(ErrorCode::RingConfig) => "open the device again, which programs the ring anew",
            _ => "driver and engine disagree about a layout: use the bitstream of this version",
        }
    }
}

impl fmt::Display for JobFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cookie {
            Some(cookie) => write!(f, "job {cookie} failed")?,
            None => write!(f, "the engine stopped")?,
        }
        match self.code() {
            Some(code) => write!(f, ": {}", code.words())?,
            None => write!(
                f,
                ": unknown error code {}",
                job_status::CODE.get(self.status)
            )?,
        }
        match self.unit() {
            Some(Unit::None) => {}
            Some(unit) => write!(f, ", while {}", unit.words())?,
            None => write!(f, ", in unknown unit {}", job_status::UNIT.get(self.status))?,
        }
        if self.address != 0 {
            write!(f, ", address {:#x}", self.address)?;
        }
        write!(
            f,
            " (status {:#010x}, windows from {})",
            self.status,
            job_status::WINDOW.get(self.status)
        )
    }
}

impl From<JobFailure> for Error {
    fn from(failure: JobFailure) -> Self {
        Error::device(failure.to_string(), failure.cure())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_and_unit_is_told_in_words() {
        for code in ErrorCode::ALL {
            for unit in Unit::ALL {
                let failure = JobFailure {
                    cookie: Some(42),
                    status: 0xc008_0000 | (*unit as u32) << 8 | *code as u32,
                    address: 0x8_0000_1000,
                };
                let text = Error::from(failure).to_string();
                assert!(text.contains("job 42"), "{text}");
                assert!(text.contains(code.words()), "{text}");
                assert!(text.contains("0x800001000"), "{text}");
                assert!(text.contains("windows from 8"), "{text}");
                assert_eq!(text.contains("while"), *unit != Unit::None, "{text}");
            }
        }
        let unknown = JobFailure {
            cookie: None,
            status: 0xc000_f0ff,
            address: 0,
        };
        let text = unknown.to_string();
        assert!(
            text.contains("code 255") && text.contains("unit 240"),
            "{text}"
        );
    }
}
