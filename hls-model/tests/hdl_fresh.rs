//! The checked-in SystemVerilog of the rust-hdl blocks equals a new emission.

use std::fs;

use zkria_hls_model::hdl;

#[test]
fn generated_files_are_fresh() {
    let blocks = hdl::all();
    assert!(!blocks.is_empty());
    for block in blocks {
        let path = block.path();
        let stored = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            stored == block.source,
            "{} is stale: cargo run -p zkria-hls-model --features rust-hdl --bin emit_hdl",
            path.display()
        );
    }
}
