//! The files of `golden/vectors` equal a regeneration, are complete and stay small.

use std::fs;

use zkria_golden::vectors;

/// Enough for known answers; a bigger file belongs elsewhere.
const MAX_BYTES: usize = 200_000;

#[test]
fn files_equal_a_regeneration() {
    for (name, expected) in vectors::all() {
        let path = vectors::folder().join(name);
        let found = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        if found != expected {
            let line = found
                .lines()
                .zip(expected.lines())
                .position(|(f, e)| f != e);
            let line = line.map_or("its end".to_owned(), |i| format!("line {}", i + 1));
            panic!("{name} differs at {line}: run `cargo run -p zkria-golden --bin vectors`");
        }
    }
}

#[test]
fn no_file_is_stale_and_all_are_small() {
    let made: Vec<_> = vectors::all().into_iter().map(|(name, _)| name).collect();
    let mut total = 0;
    for entry in fs::read_dir(vectors::folder()).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            let name = entry.file_name().into_string().unwrap();
            assert!(
                made.contains(&name.as_str()) || name == "README.md",
                "{name} has no generator"
            );
            total += entry.metadata().unwrap().len() as usize;
        }
    }
    assert!(total < MAX_BYTES, "{total} bytes");
}
