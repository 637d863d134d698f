//! The `zkria` command as a library: backends by name, and one module a command.
//!
//! Begin with [`registry`], one row a backend, and [`run`], which turns arguments into an exit
//! code. Nothing below [`run`] prints except through [`output::Output`].

pub mod args;
pub mod commands;
pub mod golden;
pub mod group;
pub mod output;
pub mod progress;
pub mod registry;
mod signals;

use std::ffi::OsString;
use std::io::ErrorKind;
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;

use clap::Parser;
use zkria_core::{Error, Result};

use crate::args::{Cli, Command};
use crate::output::{Output, STDOUT};

/// Exit code of a failure that is ours: `EX_SOFTWARE` of sysexits.h.
const EXIT_BUG: u8 = 70;

/// Runs the command line and gives its exit code; `args` begins with the program's name.
///
/// Exit codes: 0 done, 1 the answer is "no", 2 usage, 3 bad input, 4 backend or tool unavailable,
/// 5 input/output failure, 70 a bug.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    let cli = match Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        Err(error) => return output::clap_exit(&error, args.iter().any(|arg| arg == "--json")),
    };
    let out = Output::new(cli.global.json, cli.global.quiet);
    panic::set_hook(Box::new(|info| output::report_bug(&info.to_string())));
    ExitCode::from(guard(&out, || dispatch(&cli, &out)))
}

/// Runs `job` and turns what comes of it into an exit code; an error is told.
fn guard(out: &Output, job: impl FnOnce() -> Result<()>) -> u8 {
    match panic::catch_unwind(AssertUnwindSafe(job)) {
        Ok(Ok(())) => 0,
        // Whoever reads standard output has seen enough.
        Ok(Err(Error::Io { path, source }))
            if source.kind() == ErrorKind::BrokenPipe && path.as_os_str() == STDOUT =>
        {
            0
        }
        Ok(Err(error)) => {
            out.error(error.kind(), &error.to_string());
            error.exit_code()
        }
        // The hook has told it.
        Err(_) => {
            out.error_json(
                "bug",
                "a panic; the line on standard error tells how to report it",
            );
            EXIT_BUG
        }
    }
}

fn dispatch(cli: &Cli, out: &Output) -> Result<()> {
    cli.global.start_logger();
    signals::start();
    if matches!(
        cli.command,
        Command::Gen { .. } | Command::Msm(_) | Command::Bench { .. }
    ) {
        cli.global.start_threads()?;
    }
    match &cli.command {
        Command::Devices => commands::devices::run(out),
        Command::Gen {
            what: args::GenCommand::Msm(args),
        } => commands::gen_msm::run(args, out),
        Command::Msm(args) => commands::msm::run(args, out),
        Command::Model(args) => commands::model::run(args, out),
        Command::Bench {
            what: args::BenchCommand::Msm(args),
        } => commands::bench::run(args, &cli.global, out),
        Command::Completions { shell } => commands::completions::run(*shell, out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outcome_has_its_exit_code() {
        let out = Output::new(false, true);
        let io = |path: &str| Error::io(path, ErrorKind::BrokenPipe.into());
        assert_eq!(guard(&out, || Ok(())), 0);
        assert_eq!(guard(&out, || Err(Error::check_failed("no"))), 1);
        assert_eq!(guard(&out, || Err(io("file"))), 5);
        assert_eq!(guard(&out, || Err(io(STDOUT))), 0);
        assert_eq!(guard(&out, || panic!("a bug on purpose")), EXIT_BUG);
    }
}
