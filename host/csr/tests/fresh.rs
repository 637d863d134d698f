//! The checked-in files equal a regeneration, and the description refuses nonsense.

use std::path::Path;

use zkria_csr::generate::{Description, outputs};

const SOURCE: &str = include_str!("../registers.toml");

#[test]
fn generated_files_are_fresh() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let description = Description::parse(SOURCE).expect("registers.toml is sound");
    for output in outputs(&description) {
        let found = std::fs::read_to_string(root.join(output.path)).unwrap_or_default();
        assert!(
            found == output.text,
            "{} is stale: run `cargo run -p zkria-csr --features generate --bin zkria-csr-gen`",
            output.path
        );
    }
}

#[test]
fn unsound_descriptions_are_refused() {
    let cases = [
        ("offset = 0x004", "offset = 0x000", "already used"),
        ("offset = 0x004", "offset = 0x002", "misaligned"),
        ("offset = 0x080", "offset = 0x07C", "misaligned"),
        (
            "name = \"MAJOR\", lsb = 16",
            "name = \"MAJOR\", lsb = 15",
            "overlaps",
        ),
        (
            "name = \"MAJOR\", lsb = 16",
            "name = \"MAJOR\", lsb = 17",
            "outside the word",
        ),
        (
            "offset = 12, type = \"u32\"",
            "offset = 12, type = \"u16\"",
            "14 bytes",
        ),
        (
            "offset = 8, type = \"u32\"",
            "offset = 10, type = \"u32\"",
            "hole",
        ),
        ("value = 13", "value = 12", "used twice"),
        ("name = \"SCRATCH\"", "name = \"ID\"", "name used twice"),
    ];
    for (from, to, message) in cases {
        assert!(SOURCE.contains(from), "{from}");
        let error = Description::parse(&SOURCE.replacen(from, to, 1)).expect_err(to);
        assert!(error.contains(message), "{to}: {error}");
    }
}
