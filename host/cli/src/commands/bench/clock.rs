//! CPU time of this process and of its children.

use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::time::{ClockId, clock_gettime};
use zkria_core::{Error, Result};

fn system(error: nix::Error) -> Error {
    Error::io("<process clock>", error.into())
}

/// CPU time of all threads of this process so far.
pub(super) fn own_cpu() -> Result<Duration> {
    Ok(clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID)
        .map_err(system)?
        .into())
}

/// CPU time of all children that have ended and were waited for.
pub(super) fn children_cpu() -> Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(system)?;
    let seconds = |t: nix::sys::time::TimeVal| {
        Duration::from_secs(t.tv_sec().unsigned_abs())
            + Duration::from_micros(t.tv_usec().unsigned_abs())
    };
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_cpu_time() {
        let start = own_cpu().unwrap();
        let mut x = 1u64;
        for i in 0..20_000_000u64 {
            x = std::hint::black_box(x.wrapping_mul(3) ^ i);
        }
        let took = own_cpu().unwrap() - start;
        // Other tests may run in this process; none of them takes minutes.
        assert!(
            took > Duration::from_millis(2) && took < Duration::from_secs(120),
            "{took:?}"
        );
    }

    #[test]
    fn children_count_once_they_ended() {
        let start = children_cpu().unwrap();
        let busy = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done";
        assert!(
            std::process::Command::new("sh")
                .args(["-c", busy])
                .status()
                .unwrap()
                .success()
        );
        assert!(children_cpu().unwrap() > start);
    }
}
