//! Progress on standard error: only on a terminal, only for what takes more than two seconds.

use std::io::IsTerminal;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::Output;

const PATIENCE: Duration = Duration::from_secs(2);

/// A bar or spinner that removes itself when dropped.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// Dropping the sender ends the thread that waits to show the bar.
    timer: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Starts waiting; after two seconds `label` appears, with a bar once [`Progress::set`] told
    /// how much there is, with a spinner until then.
    #[must_use]
    pub fn start(label: impl Into<String>, out: &Output) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_message(label.into());
        let wanted = !out.is_quiet() && std::io::stderr().is_terminal();
        let timer = wanted.then_some(()).and_then(|()| {
            let (stop, stopped) = mpsc::channel::<()>();
            let bar = bar.clone();
            let thread = thread::Builder::new().spawn(move || {
                if stopped.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                    show(&bar);
                }
            });
            // No thread to be had: no progress is shown.
            Some((stop, thread.ok()?))
        });
        Self { bar, timer }
    }

    /// `done` of `total` records are done.
    pub fn set(&self, done: u64, total: u64) {
        self.bar.set_length(total);
        self.bar.set_position(done);
    }
}

fn show(bar: &ProgressBar) {
    let template = match bar.length() {
        Some(_) => "{msg} [{bar:30}] {percent}% {eta} left",
        None => "{spinner} {msg} {elapsed}",
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.set_draw_target(ProgressDrawTarget::stderr());
    bar.enable_steady_tick(Duration::from_millis(200));
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.timer.take() {
            drop(stop);
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}
