//! Writes the rust-hdl blocks to `hls-model/src/hdl/generated/`.

use std::process::ExitCode;

use zkria_hls_model::hdl;

fn main() -> ExitCode {
    for block in hdl::all() {
        let path = block.path();
        if let Err(error) = std::fs::write(&path, &block.source) {
            #[expect(clippy::print_stderr, reason = "a command of its own")]
            {
                eprintln!("{}: {error}", path.display());
            }
            return ExitCode::from(5);
        }
    }
    ExitCode::SUCCESS
}
