//! `zkria completions`: the completion script of a shell.

use clap::CommandFactory;
use clap_complete::Shell;
use zkria_core::Result;

use crate::args::Cli;
use crate::output::Output;

/// Prints the script for `shell`.
///
/// # Errors
/// [`zkria_core::Error::Io`] when standard output cannot be written.
pub fn run(shell: Shell, out: &Output) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "zkria", &mut script);
    if !out.is_json() {
        return out.raw(&script);
    }
    let script = String::from_utf8_lossy(&script);
    out.answer(
        &serde_json::json!({"shell": shell.to_string(), "script": script}),
        String::new,
    )
}
