//! Writes the generated files into the repository: `zkria-csr-gen`, from any folder inside it.

use std::path::Path;
use std::process::ExitCode;

use zkria_csr::generate::{Description, outputs};

fn run() -> Result<(), String> {
    let csr = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = csr.join("../..");
    let source = csr.join("registers.toml");
    let text =
        std::fs::read_to_string(&source).map_err(|e| format!("{}: {e}", source.display()))?;
    for output in outputs(&Description::parse(&text)?) {
        let path = root.join(output.path);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        }
        std::fs::write(&path, output.text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

#[expect(clippy::print_stderr, reason = "a command-line tool reports its error")]
fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("zkria-csr-gen: {message}");
            ExitCode::FAILURE
        }
    }
}
