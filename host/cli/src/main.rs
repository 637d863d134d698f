//! The `zkria` command; everything is in the library, so that tests and other tools can use it.

use std::process::ExitCode;

fn main() -> ExitCode {
    zkria::run(std::env::args_os())
}
