//! What ends the process from outside, so that it leaves nothing half-written.

use zkria_core::io::remove_staged;

/// Exit code of a process that was interrupted, as shells have it (128 + SIGINT).
const INTERRUPTED: i32 = 130;

/// From here on SIGINT, SIGTERM and SIGHUP remove temporary files before the process ends, and a
/// file that grows past its limit is an error of the write instead of a signal.
pub(crate) fn start() {
    // Where no thread can be started for it, signals do what they always do.
    let _ = ctrlc::set_handler(|| {
        remove_staged();
        std::process::exit(INTERRUPTED);
    });
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigHandler, Signal, signal};
        // SAFETY: ignoring a signal installs no handler, so nothing can run at a bad moment.
        let _ = unsafe { signal(Signal::SIGXFSZ, SigHandler::SigIgn) };
    }
}
