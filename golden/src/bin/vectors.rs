//! Writes `golden/vectors/*.json`. Run it after a change of `golden/src/vectors`:
//! `cargo run -p zkria-golden --bin vectors`.

use std::fs;
use std::io;

use zkria_golden::vectors;

fn main() -> io::Result<()> {
    let folder = vectors::folder();
    fs::create_dir_all(&folder)?;
    for (name, text) in vectors::all() {
        fs::write(folder.join(name), text)?;
    }
    Ok(())
}
