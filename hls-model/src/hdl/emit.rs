//! From a rust-hdl block to a file that Verilator and yosys take.

use std::path::{Path, PathBuf};

use rust_hdl::prelude::*;

use super::FpAddSub;

/// One emitted block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emitted {
    /// Module name, and the file's name before `.sv`.
    pub module: &'static str,
    /// The file's content.
    pub source: String,
}

impl Emitted {
    /// The file under [`generated_dir`].
    pub fn path(&self) -> PathBuf {
        generated_dir().join(format!("{}.sv", self.module))
    }
}

/// Where the emitted files are checked in.
pub fn generated_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/hdl/generated")
}

/// Every block of this module.
pub fn all() -> Vec<Emitted> {
    let mut top = TopWrap::new(FpAddSub::default());
    top.uut.connect_inputs();
    top.connect_all();
    vec![emit("zk_fp_addsub_hdl", &top)]
}

/// rust-hdl makes a module of every register, and its integers are 32 bits wide.
const HEADER: &str = "\
// Written by `cargo run -p zkria-hls-model --features rust-hdl --bin emit_hdl`; do not edit.
/* verilator lint_off DECLFILENAME */
/* verilator lint_off MULTITOP */
/* verilator lint_off WIDTHEXPAND */
/* verilator lint_off WIDTHTRUNC */
";

/// Names the block `module` and drops the wrapper that rust-hdl needs around it.
fn emit<U: Block>(module: &'static str, top: &TopWrap<U>) -> Emitted {
    let verilog = generate_verilog(top);
    let start = verilog
        .find("module top$uut(")
        .expect("rust-hdl names the wrapped block top$uut");
    let body = verilog[start..].replace("top$uut", module);
    let mut source = String::from(HEADER);
    for line in body.lines() {
        source.push_str(line.trim_end());
        source.push('\n');
    }
    Emitted { module, source }
}
